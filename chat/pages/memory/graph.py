"""The graph of people and things with their events and facts: the page with its filters, and its data."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Abs, Coalesce
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chat.pages.display import labels
from chat.pages.display.formats import format_short_time, format_signed
from chat.pages.display.second_person import address_reader
from chat.pages.memory.fact_items import FactItem
from chat.pages.memory.forms import FilterForm
from chat.pages.memory.items import MemoryItem
from chat.pages.requests import own_bond_page
from echovessel.times import FIRST_DAY, LAST_DAY
from memory.entities import graph
from memory.entities.graph import Graph
from memory.models import ConceptNode, Entity, Mention
from memory.search import conditions
from personas.models import Bond

DATE_INPUT = forms.DateInput(attrs={"type": "date"})
DATE_VALIDATORS = [MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)]


class GraphForm(forms.Form):
    """The filters of the graph. Invalid fields are ignored."""

    q = forms.CharField(label=gettext_lazy("Search"), required=False, max_length=200)
    kind = forms.MultipleChoiceField(
        label=gettext_lazy("Kinds"),
        required=False,
        choices=labels.ENTITY_HEADINGS.items(),
        widget=forms.CheckboxSelectMultiple,
    )
    strength = FilterForm.base_fields["strength"]
    first = forms.DateField(label=gettext_lazy("From"), required=False, validators=DATE_VALIDATORS, widget=DATE_INPUT)
    last = forms.DateField(label=gettext_lazy("To"), required=False, validators=DATE_VALIDATORS, widget=DATE_INPUT)

    @property
    def is_asking(self) -> bool:
        return any(self.cleaned_data.values())

    def draw(self, bond: Bond) -> Graph:
        self.is_valid()
        entities = Entity.objects.for_bond(bond).not_deleted_or_merged().defer("embedding")
        if kinds := self.cleaned_data.get("kind"):
            entities = entities.filter(kind__in=kinds)
        return graph.build(entities=entities, events=self.filter_events(bond), facts=self.filter_facts(bond))

    def filter_facts(self, bond: Bond) -> QuerySet[ConceptNode]:
        """Facts have no kind, importance or day: they are left out where one asks for any."""
        asked = self.cleaned_data
        facts = ConceptNode.objects.for_bond(bond).live_facts().without_heavy_columns("terms")
        if any(asked.get(name) for name in ("kind", "strength", "first", "last")):
            return facts.none()
        return facts.filter(build_text_filter(bond, asked["q"])) if asked.get("q") else facts

    def filter_events(self, bond: Bond) -> QuerySet[ConceptNode]:
        asked = self.cleaned_data
        wanted = build_text_filter(bond, asked["q"]) if asked.get("q") else Q()
        if first := asked.get("first"):
            wanted &= Q(ended__gte=first) | Q(ended=None, created_at__gte=get_day_start(first))
        if last := asked.get("last"):
            wanted &= Q(began__lte=last) | Q(began=None, created_at__lt=get_day_start(last + timedelta(days=1)))
        events = (
            ConceptNode.objects.for_bond(bond)
            .current()
            .events()
            .annotate(
                strength=Abs("emotional_impact"),
                began=Coalesce("event_time_start", "event_time_end"),
                ended=Coalesce("event_time_end", "event_time_start"),
            )
        )
        return events.filter(wanted, strength__gte=asked.get("strength") or 0).without_heavy_columns("terms")


def build_text_filter(bond: Bond, words: str) -> Q:
    """Match memories that contain the words, or that mention somebody of this name."""
    named = Entity.objects.for_bond(bond).not_deleted_or_merged().filter(conditions.match_entities(bond, words))
    return conditions.match_nodes(bond, words) | Q(
        Exists(Mention.objects.filter(node=OuterRef("pk"), entity__in=named))
    )


def get_day_start(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


@own_bond_page("GET")
def people_graph(request: HttpRequest, bond: Bond) -> HttpResponse:
    context = {
        "bond": bond,
        "layer": "people",
        "form": GraphForm(request.GET),
        "kinds": labels.ENTITY_HEADINGS,
        "has_any": has_any(bond),
    }
    return render(request, "chat/people/graph.html", context)


def has_any(bond: Bond) -> bool:
    known = Entity.objects.for_bond(bond).not_deleted_or_merged()
    facts = ConceptNode.objects.for_bond(bond).live_facts()
    return Mention.objects.filter(bond=bond, entity__in=known).exists() or facts.exists()


@own_bond_page("GET")
def graph_data(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Return what the page draws, by its filters."""
    drawn = GraphForm(request.GET).draw(bond)
    shown = {
        "said": describe_graph(drawn),
        "entities": [serialize_entity(bond, drawn, one) for one in drawn.entities],
        "events": [serialize_event(bond, MemoryItem(one)) for one in drawn.events],
        "facts": [serialize_fact(bond, FactItem(one)) for one in drawn.facts.facts],
        "links": drawn.links,
        "fact_links": drawn.facts.links,
        "relations": drawn.facts.relations,
    }
    return JsonResponse(shown)


def describe_graph(drawn: Graph) -> str:
    """Say which part of everything the graph shows."""
    count, events = len(drawn.entities), len(drawn.events)
    title = ngettext("%(count)s person or thing", "%(count)s people and things", count)
    if not drawn.has_all_entities:
        title = _("The %(count)s most mentioned of %(all)s people and things")
    with_events = ngettext("one event", "%(count)s events", events)
    if not drawn.has_all_events:
        with_events = _("the %(each)s most important events of each")
    facts = len(drawn.facts.facts)
    with_facts = " · " + ngettext("one fact", "%(count)s facts", facts) % {"count": facts} if facts else ""
    numbers = {"count": count, "all": drawn.entities_count}
    return f"{title % numbers} · {with_events % {'count': events, 'each': drawn.each}}{with_facts}"


def serialize_entity(bond: Bond, drawn: Graph, entity: Entity) -> dict[str, Any]:
    count = drawn.counts[entity.pk]
    return {
        "id": entity.pk,
        "kind": entity.kind,
        "word": entity.get_kind_display(),
        "name": entity.canonical_name,
        "description": entity.description,
        "count": count,
        "told": ngettext("one event", "%(count)s events", count) % {"count": count} if count else "",
        "url": reverse("person", args=[bond.pk, entity.pk]),
    }


def serialize_fact(bond: Bond, fact: FactItem) -> dict[str, Any]:
    return {
        "id": fact.row.pk,
        "text": address_reader(fact.row),
        "told": fact.source,
        "url": reverse("memory", args=[bond.pk, fact.row.pk]),
    }


def serialize_event(bond: Bond, event: MemoryItem) -> dict[str, Any]:
    return {
        "id": event.row.pk,
        "text": event.row.description,
        "impact": event.row.emotional_impact,
        "signed": format_signed(event.row.emotional_impact),
        "day": event.days or format_short_time(timezone.localtime(event.row.created_at)),
        "url": reverse("memory", args=[bond.pk, event.row.pk]),
    }
