"""What the next prompt of a bond would tell of its talks: the state of each message, and the tokens of each piece."""

from typing import Any

from django.db.models import F
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.turns.prompting import told_talks
from memory.facts import loaded_set
from memory.models import Message
from memory.story.inclusion import included, loading
from memory.story.inclusion.included import Inclusion
from memory.story.inclusion.walk import STATES
from personas.models import Bond, CoreBlock
from personas.rest.views import BondView


class PieceSerializer(serializers.Serializer[Any]):
    name = serializers.ChoiceField(choices=["story", "scenes", "recaps", "window"])
    tokens = serializers.IntegerField()
    most = serializers.IntegerField(help_text="How many tokens it may have.")
    count = serializers.IntegerField(help_text="How many points, scenes or messages it has.")


class LineStateSerializer(serializers.Serializer[Any]):
    message = serializers.IntegerField()
    state = serializers.ChoiceField(choices=STATES)


class InclusionSerializer(serializers.Serializer[Any]):
    enabled = serializers.BooleanField()
    version = serializers.IntegerField(allow_null=True)
    budget = serializers.IntegerField()
    pieces = PieceSerializer(many=True)
    uncovered = serializers.IntegerField(help_text="How many messages nothing tells, as there was no room.")
    lines = LineStateSerializer(many=True)


class InclusionView(BondView):
    serializer_class = InclusionSerializer
    queryset = Message.objects.none()

    @extend_schema(responses=InclusionSerializer)
    def get(self, request: Request, **_: Any) -> Response:
        """Returns what the next prompt would hold; `lines` are the newest 600 messages, the newest first."""
        loaded = loading.load(self.bond, load_all=True)
        shown = included.include(loaded, firm_tokens=count_firm_tokens(self.bond))
        return Response(describe(shown) | {"enabled": loaded.is_told})


def count_firm_tokens(bond: Bond) -> int:
    """Count the tokens of what a prompt holds before all that is told."""
    blocks = CoreBlock.objects.filter(persona=bond.persona_id) | CoreBlock.objects.filter(bond=bond)
    # A bond's own style comes last and replaces the persona's.
    texts = dict(blocks.exclude(content="").order_by(F("bond").asc(nulls_first=True)).values_list("label", "content"))
    return told_talks.count_firm_tokens(bond, blocks=texts, known=loaded_set.build(bond, now=timezone.now()).text)


def describe(shown: Inclusion) -> dict[str, Any]:
    counts = {
        "story": len(shown.points),
        "scenes": len(shown.scenes),
        "recaps": len(shown.line_recaps),
        "window": len(shown.window),
    }
    return {
        "version": shown.version,
        "budget": shown.caps.budget,
        "pieces": [
            {"name": name, "tokens": tokens, "most": getattr(shown.caps, name), "count": counts[name]}
            for name, tokens in shown.tokens.items()
        ],
        "uncovered": shown.uncovered,
        "lines": [{"message": pk, "state": state} for pk, state in reversed(shown.walk.states.items())],
    }
