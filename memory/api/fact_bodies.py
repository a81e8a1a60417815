"""What requests about facts may hold."""

from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from memory.facts.changing import ENDED, RELATION_MOST, WRONG
from memory.facts.drafts import FactDraft
from memory.models import ConceptNode
from memory.models.fact_columns import CONTENT_MOST, DETAIL_MOST, VALUE_MOST
from personas.rest.serializer_fields import PageQuery, StrictSerializer, StrictTextField, UTCDateTimeField

State = ConceptNode.State
FIELDS_OF_CLEARABLE = {"detail": "detail", "slot": "slot", "since": "event_time_start", "until": "event_time_end"}


class FactBody(StrictSerializer):
    """A fact of a person. What a change leaves out stays as it is; an empty detail, slot or day is taken away."""

    description = StrictTextField(most=CONTENT_MOST, help_text="One line, in the third person.")
    facet = serializers.ChoiceField(choices=ConceptNode.Facet.choices, required=False)
    detail = StrictTextField(
        most=DETAIL_MOST,
        blank=True,
        required=False,
        allow_null=True,
        help_text="More than one line tells; no prompt has it unasked.",
    )
    slot = serializers.ChoiceField(choices=ConceptNode.Slot.choices, required=False, allow_blank=True, allow_null=True)
    value = StrictTextField(most=VALUE_MOST, one_line=True, required=False, help_text="What stands in the slot.")
    event_time_start = serializers.DateField(required=False, allow_null=True, help_text="The first day it holds.")
    event_time_end = serializers.DateField(required=False, allow_null=True, help_text="The last day it holds.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a slot without a value and a value without a slot, but where the fact that is changed has the slot."""
        held = self.instance.slot if self.instance else ""
        slot, value = attrs.get("slot", held), attrs.get("value")
        if slot and slot != held and not value:
            raise serializers.ValidationError(
                {"value": gettext("Say what stands in the slot %(slot)s.") % {"slot": slot}}
            )
        if value and not slot:
            raise serializers.ValidationError({"slot": gettext("Say in which slot the value stands.")})
        return attrs

    def draft(self) -> FactDraft:
        """Return what is asked for as a draft; the instance is the fact that it replaces."""
        asked, old = self.validated_data, self.instance
        return FactDraft(
            content=asked.get("description", old.description if old else ""),
            facet=asked.get("facet", ""),
            detail=asked.get("detail", old.detail if old else "") or "",
            slot=asked.get("slot", old.slot if old and "value" in asked else "") or "",
            value=asked.get("value", ""),
            since=asked.get("event_time_start"),
            until=asked.get("event_time_end"),
            cleared=frozenset(
                name for name, field in FIELDS_OF_CLEARABLE.items() if field in asked and not asked[field]
            ),
        )


class FactQuery(PageQuery):
    q = StrictTextField(most=200, required=False, help_text="Words that occur in the text.")
    facet = serializers.ChoiceField(choices=ConceptNode.Facet.choices, required=False)
    tier = serializers.ChoiceField(choices=ConceptNode.Tier.choices, required=False)
    min_confidence = serializers.FloatField(required=False, min_value=0, max_value=1)
    state = serializers.ChoiceField(choices=(State.LIVE, State.UNCERTAIN, State.SUPERSEDED), required=False)
    as_of = UTCDateTimeField(required=False, help_text="What was believed at this time.")
    loaded = serializers.BooleanField(required=False, help_text="Whether the prompts of an open session hold it.")


class EndBody(StrictSerializer):
    reason = serializers.ChoiceField(
        choices=(ENDED, WRONG), default=ENDED, help_text="Whether it held until now, or never did."
    )


class LinkBody(StrictSerializer):
    a = serializers.IntegerField(help_text="The fact that the relation begins with.")
    b = serializers.IntegerField(help_text="The fact that it leads to.")
    relation = StrictTextField(most=RELATION_MOST, one_line=True)


class WritesQuery(PageQuery):
    session = serializers.IntegerField(required=False, help_text="Writes of this session.")
    turn = serializers.UUIDField(required=False, help_text="Writes of this turn.")
