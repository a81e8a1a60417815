"""What scenes tell about a person or a thing: the remarks on its card."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.entities import EntityBaseView
from memory.api.story.bodies import RemarkBody
from memory.models import EntityRemark
from memory.serializers.story import RemarkSerializer
from memory.story import cards


class RemarksBaseView(EntityBaseView):
    serializer_class = RemarkSerializer

    def get_queryset(self) -> QuerySet[EntityRemark]:
        return EntityRemark.objects.live().filter(entity=self.entity())

    def get_remark(self) -> EntityRemark:
        return get_object_or_404(self.get_queryset().select_related("bond"), pk=self.kwargs["remark_id"])


class RemarksView(RemarksBaseView, ListAPIView[EntityRemark]):
    """What is said about it on its card, newest first; without what a description took up."""


class RemarkView(RemarksBaseView):
    def get(self, request: Request, **_: Any) -> Response:
        return Response(RemarkSerializer(self.get_remark()).data)

    @extend_schema(request=RemarkBody(partial=True))
    def patch(self, request: Request, **_: Any) -> Response:
        """Changes it. Your words stay until its scene has another recap."""
        remark = self.get_remark()
        asked = RemarkBody.parse(request.data, partial=True)
        changed = cards.change_remark(remark=remark, now=timezone.now(), **asked)
        return Response(RemarkSerializer(changed).data)

    def delete(self, request: Request, **_: Any) -> Response:
        """Takes it from the card; an earlier one of the same label, which it replaced, stands again."""
        cards.remove_remark(remark=self.get_remark(), now=timezone.now())
        return Response(status=204)
