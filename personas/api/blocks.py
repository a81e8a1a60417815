from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from personas import blocks
from personas.api.serializers import BlockBody, BlockSerializer, RevisionSerializer
from personas.blocks import Holder
from personas.models import BlockRevision, CoreBlock
from personas.rest.views import get_own_bond, get_own_persona, get_user


class BlockHolderView(GenericAPIView[Any]):
    """A view of one block. Other users get 404, also for blocks of a shared persona."""

    holder: Holder
    label: str
    queryset = CoreBlock.objects.none()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.holder = self.find_holder(request)
        self.label = kwargs["label"]
        if self.label not in blocks.LABELS[type(self.holder)]:
            raise Http404

    def find_holder(self, request: Request) -> Holder:
        if "bond_id" in self.kwargs:
            return get_own_bond(request, self.kwargs["bond_id"])
        return get_own_persona(request, self.kwargs["persona_id"])


class BlockView(BlockHolderView):
    serializer_class = BlockSerializer

    def get(self, request: Request, **_: Any) -> Response:
        """A block without text is empty and has version 0."""
        block = blocks.find(self.holder, self.label) or CoreBlock(label=self.label, version=0)
        return Response(BlockSerializer(block).data)

    @extend_schema(request=BlockBody)
    def put(self, request: Request, **_: Any) -> Response:
        """Replaces the text. The old one becomes a revision."""
        content = BlockBody.parse(request.data)["content"]
        block = blocks.save(
            holder=self.holder, label=self.label, content=content, user=get_user(request), now=timezone.now()
        )
        return Response(BlockSerializer(block).data)


class BlockRevisionsView(BlockHolderView):
    def get_queryset(self) -> QuerySet[BlockRevision]:
        block = blocks.find(self.holder, self.label)
        return block.revisions.all() if block else BlockRevision.objects.none()


class RevisionsView(BlockRevisionsView, ListAPIView[BlockRevision]):
    serializer_class = RevisionSerializer
    ordering = ("-n",)

    def delete(self, request: Request, **_: Any) -> Response:
        """Erases all earlier texts at once."""
        blocks.erase_earlier(self.holder, self.label)
        return Response(status=204)


class RestoreRevisionView(BlockRevisionsView):
    serializer_class = BlockSerializer

    def post(self, request: Request, **_: Any) -> Response:
        """Restores an earlier text."""
        revision = get_object_or_404(self.get_queryset(), n=self.kwargs["n"])
        block = blocks.restore(revision=revision, user=get_user(request), now=timezone.now())
        return Response(BlockSerializer(block).data)
