"""What requests about memory may hold."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from memory.answers.coercion import DESCRIPTION_MOST, NAME_MOST, one_line
from memory.forgetting import removal
from memory.models import ConceptNode, Entity
from memory.search.search import LAYERS
from personas.rest.serializer_fields import PageQuery, StrictSerializer, StrictTextField, UTCDateTimeField

QUERY_CHARACTERS = 20_000
MAX_RECALLED = 100
NAMES_MOST = 50
KEPT_NOTE_MOST = 500


class NewSessionBody(StrictSerializer):
    off_record = serializers.BooleanField(
        default=False, help_text="Nothing in it is remembered, and it is erased when it closes."
    )


class SessionBody(StrictSerializer):
    title = StrictTextField(most=120, blank=True, one_line=True, required=False, allow_null=True)
    archived = serializers.BooleanField(required=False)
    pinned = serializers.BooleanField(required=False)

    def columns(self, now: datetime) -> dict[str, Any]:
        """A change of a session; without a title the automatic one is shown."""
        asked = self.validated_data
        title = {"title": asked["title"] or ""} if "title" in asked else {}
        archived = {"archived_at": now if asked["archived"] else None} if "archived" in asked else {}
        pinned = {"pinned_at": now if asked["pinned"] else None} if "pinned" in asked else {}
        return title | archived | pinned


class KeepBody(StrictSerializer):
    note = StrictTextField(most=KEPT_NOTE_MOST, blank=True, required=False, allow_null=True)


class NameText(StrictTextField):
    """A name, its spaces joined as those of names that are learned."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(most=NAME_MOST, one_line=True, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        return one_line(super().to_internal_value(data)) or super().to_internal_value("")


class EntityBody(StrictSerializer):
    canonical_name = NameText()
    kind = serializers.ChoiceField(choices=Entity.Kind.choices)
    aliases = serializers.ListField(
        child=NameText(), max_length=NAMES_MOST, required=False, help_text="All names, with the canonical one."
    )
    description = StrictTextField(
        most=DESCRIPTION_MOST,
        blank=True,
        required=False,
        allow_null=True,
        help_text="With null the companion writes one again.",
    )


class MergeBody(StrictSerializer):
    into = serializers.IntegerField(help_text="The entity to merge into.")


class SeparateBody(StrictSerializer):
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"from": serializers.IntegerField(help_text="The entity to keep separate.")}


class RecallBody(StrictSerializer):
    query = StrictTextField(most=QUERY_CHARACTERS)
    k = serializers.IntegerField(required=False, min_value=1, max_value=MAX_RECALLED)


class NodeBody(StrictSerializer):
    """A correction of a memory, or the outcome of an expectation or intention."""

    description = StrictTextField(most=DESCRIPTION_MOST, required=False)
    emotional_impact = serializers.IntegerField(required=False, min_value=-10, max_value=10)
    state = serializers.ChoiceField(choices=ConceptNode.State.choices, required=False)

    def validate(self, asked: dict[str, Any]) -> dict[str, Any]:
        if "state" in asked and len(asked) > 1:
            detail = gettext("Correct the memory or set its outcome, not both at once.")
            raise serializers.ValidationError([ErrorDetail(detail, code="invalid")])
        return asked


class NodeQuery(PageQuery):
    q = StrictTextField(most=200, required=False, help_text="Words that occur in the text.")
    tag = StrictTextField(most=40, required=False, help_text="An emotion tag or a relational tag.")
    subject = serializers.ChoiceField(choices=ConceptNode.Subject.choices, required=False)
    min_impact = serializers.IntegerField(
        required=False, min_value=0, max_value=10, help_text="The least importance, whatever the sign."
    )
    since = UTCDateTimeField(required=False, help_text="Learned at this time or later.")
    state = serializers.ChoiceField(choices=ConceptNode.State.choices, required=False)


class ForgetQuery(StrictSerializer):
    """What is forgotten with a memory."""

    dependents = serializers.ChoiceField(choices=(removal.ORPHAN, removal.CASCADE), default=removal.ORPHAN)
    lines = serializers.ChoiceField(choices=(removal.KEEP, removal.FORGET), default=removal.KEEP)


class TimelineQuery(PageQuery):
    since = UTCDateTimeField(required=False)


@extend_schema_field({"type": "string", "pattern": "^L[2-5](,L[2-5])*$"})
class LayersField(serializers.Field[list[str], str, list[str], Any]):
    """Names of layers, separated by commas."""

    def to_internal_value(self, data: str) -> list[str]:
        named = data.split(",")
        if unknown := [name for name in named if name not in LAYERS]:
            said = gettext("There is no layer %(name)s; there are %(known)s.")
            raise serializers.ValidationError(said % {"name": repr(unknown[0]), "known": ", ".join(LAYERS)})
        return named


class SearchQuery(PageQuery):
    q = StrictTextField(most=200, help_text="Words in any order and form; the beginning of the last word is enough.")
    layers = LayersField(required=False, help_text="Layers from L2 to L5, separated by commas; all by default.")
