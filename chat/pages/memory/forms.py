from datetime import timedelta
from typing import Any

from django import forms
from django.db.models import F, Func, Q, QuerySet
from django.db.models.functions import Abs
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.pages.display import labels
from memory.answers.coercion import DESCRIPTION_MOST
from memory.models import ConceptNode
from memory.search import conditions
from personas.models import Bond

# The form offers the tags of the newest memories.
TAG_SAMPLE = 2000
ORDERS: dict[str, tuple[Any, ...]] = {
    "newest": ("-created_at", "-id"),
    "oldest": ("created_at", "id"),
    "strongest": ("-strength", "-id"),
    "happened": (F("event_time_end").desc(nulls_last=True), "-id"),
}


def list_tags(nodes: QuerySet[ConceptNode]) -> list[tuple[str, Any]]:
    """Return the tags of the newest of these memories, with their labels."""
    newest = nodes.order_by("-created_at").values("pk")[:TAG_SAMPLE]
    found: set[str] = set()
    for column in ("relational_tags", "emotion_tags"):
        each = ConceptNode.objects.filter(pk__in=newest).annotate(tag=Func(F(column), function="unnest"))
        found |= set(each.values_list("tag", flat=True).distinct())
    return [(tag, labels.translate_tag(tag)) for tag in sorted(found)]


class FilterForm(forms.Form):
    q = forms.CharField(
        label=_("Contains"), required=False, max_length=200, widget=forms.TextInput(attrs={"dir": "auto"})
    )
    tag = forms.ChoiceField(label=_("Tag"), required=False)
    strength = forms.TypedChoiceField(
        label=_("Importance"),
        required=False,
        coerce=int,
        choices=[("", _("any")), ("3", _("±3 and more")), ("5", _("±5 and more")), ("8", _("±8 and more"))],
    )
    since = forms.TypedChoiceField(
        label=_("Date learned"),
        required=False,
        coerce=int,
        choices=[
            ("", _("any time")),
            ("7", _("in the last 7 days")),
            ("30", _("in the last 30 days")),
            ("365", _("in the last year")),
        ],
    )
    state = forms.ChoiceField(
        label=_("Status"), required=False, choices=[("", _("current")), ("past", _("history")), ("all", _("all"))]
    )
    sort = forms.ChoiceField(
        label=_("Sort by"),
        required=False,
        choices=[
            ("", _("newest first")),
            ("oldest", _("oldest first")),
            ("strongest", _("most important first")),
            ("happened", _("by the day it happened")),
        ],
    )

    def __init__(self, data: Any, *, tags: list[tuple[str, Any]], layer: str) -> None:
        super().__init__(data)
        self.layer = layer
        self.fields["tag"].choices = [("", _("any")), *tags]  # type: ignore[attr-defined]  # of a ChoiceField

    @property
    def is_asking(self) -> bool:
        """Whether something may be left out, which sorting never does."""
        return any(value for name, value in self.cleaned_data.items() if name != "sort")

    @property
    def is_by_day(self) -> bool:
        """Whether memories stand in the order of the days they were learned on."""
        return self.cleaned_data.get("sort") in (None, "", "oldest")

    def apply(self, nodes: Any, *, bond: Bond) -> QuerySet[ConceptNode]:
        """Filter and sort the memories. Invalid fields are ignored."""
        self.is_valid()
        asked = self.cleaned_data
        wanted = conditions.match_nodes(bond, asked["q"]) if asked.get("q") else Q()
        if tag := asked.get("tag"):
            wanted &= Q(emotion_tags__contains=[tag]) | Q(relational_tags__contains=[tag])
        if days := asked.get("since"):
            wanted &= Q(created_at__gte=timezone.now() - timedelta(days=days))
        state = asked.get("state") or "now"
        if state != "all":
            is_past = Q(state__in=ConceptNode.SETTLED)
            wanted &= is_past if state == "past" else ~is_past
        strong = nodes.annotate(strength=Abs("emotional_impact")).filter(strength__gte=asked.get("strength") or 0)
        found: QuerySet[ConceptNode] = strong.filter(wanted).for_serializer()
        return found.order_by(*ORDERS[asked.get("sort") or "newest"])


class CorrectionForm(forms.Form):
    description = forms.CharField(
        label=_("Corrected text"),
        max_length=DESCRIPTION_MOST,
        widget=forms.Textarea(attrs={"rows": 3, "class": "reading", "dir": "auto"}),
    )
    emotional_impact = forms.IntegerField(
        label=_("Importance"), help_text=_("From −10, very sad, to 10, very happy."), min_value=-10, max_value=10
    )
