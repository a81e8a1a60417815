"""What a message says in short: as prompts tell it once the message has left the window."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memory.models import LineRecap, Message
from memory.models.story.made_by import MadeBy
from memory.story.line_recaps import rules, writing
from memory.storytelling.work import user_requests
from personas.rest.serializer_fields import StrictSerializer, StrictTextField, UTCDateTimeField
from personas.rest.views import BondView


class LineRecapSerializer(serializers.Serializer[Any]):
    """The recap of a message. One that nobody made is a sentence of the message, without a status."""

    message = serializers.IntegerField()
    content = serializers.CharField()
    status = serializers.ChoiceField(choices=LineRecap.Status.values, allow_null=True)
    made_by = serializers.ChoiceField(choices=MadeBy.values, allow_null=True)
    sources = serializers.ListField(child=serializers.IntegerField(), help_text="The messages it was made from.")
    created_at = UTCDateTimeField(allow_null=True)


def describe(message: Message, recap: LineRecap | None) -> dict[str, Any]:
    """Describe what a prompt would tell of a message."""
    if recap is None or recap.status == LineRecap.Status.FAILED:
        content = rules.summarise_line(message.content)
    else:
        content = recap.text
    return {
        "message": message.pk,
        "content": content,
        "status": recap.status if recap else None,
        "made_by": recap.made_by if recap else None,
        "sources": recap.sources if recap else [message.pk],
        "created_at": recap.created_at if recap else None,
    }


class LineRecapBody(StrictSerializer):
    content = StrictTextField(most=writing.TEXT_MOST)


class WishedSerializer(serializers.Serializer[Any]):
    step = serializers.IntegerField()


class LineRecapView(BondView):
    rate_of = {"POST": "costly"}
    serializer_class = LineRecapSerializer

    def get_message(self) -> Message:
        messages = Message.objects.for_bond(self.bond).told().without_heavy_columns()
        return get_object_or_404(messages, pk=self.kwargs["message_id"])

    def get(self, request: Request, **_: Any) -> Response:
        """Returns what a message says in short; where nobody recapped it, a sentence of its own, with the status null."""
        message = self.get_message()
        recap = LineRecap.objects.for_bond(self.bond).filter(message=message).first()
        return Response(LineRecapSerializer(describe(message, recap)).data)

    @extend_schema(request=LineRecapBody)
    def put(self, request: Request, **_: Any) -> Response:
        """Writes a recap of your own, which stays."""
        message = self.get_message()
        asked = LineRecapBody.parse(request.data)
        recap = writing.write_by_person(message=message, text=asked["content"], now=timezone.now())
        return Response(LineRecapSerializer(describe(message, recap)).data)

    @extend_schema(responses={202: WishedSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Lets a message be recapped anew; what a person wrote stays."""
        step = user_requests.recap_message(message=self.get_message(), now=timezone.now())
        return Response({"step": step.pk}, status=202)
