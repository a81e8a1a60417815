"""What the next prompt of a bond would tell of its talks: the state of each message, and the tokens of each piece."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memory.facts import firm_tokens
from memory.story.inclusion import included, loading
from memory.story.inclusion.included import Inclusion
from memory.story.inclusion.message_states import STATES
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

    def get(self, request: Request, **_: Any) -> Response:
        """Returns what the next prompt would hold; `lines` are the newest 600 messages, the newest first."""
        loaded = loading.load(self.bond, load_all=True)
        shown = included.include(loaded, firm_tokens=firm_tokens.load(self.bond))
        return Response(describe(shown) | {"enabled": loaded.is_told})


def describe(shown: Inclusion) -> dict[str, Any]:
    counts = shown.counts
    return {
        "version": shown.version,
        "budget": shown.caps.budget,
        "pieces": [
            {"name": name, "tokens": tokens, "most": getattr(shown.caps, name), "count": counts[name]}
            for name, tokens in shown.tokens.items()
        ],
        "uncovered": shown.uncovered,
        "lines": [{"message": pk, "state": state} for pk, state in reversed(shown.messages.states.items())],
    }
