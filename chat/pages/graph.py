"""The graph of people and things with the events they occur in: the page with its filters, and what it draws."""

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
from django.views.decorators.http import require_GET

from chat.pages import timeline
from chat.pages.bond import own_bond, own_page
from chat.pages.forms.memories import FilterForm
from chat.pages.memories import Shown
from chat.pages.people import KINDS
from chat.templatetags.pages import short, signed
from memory.entities import graph
from memory.entities.graph import Graph
from memory.models import ConceptNode, Entity, Mention
from memory.search import conditions
from personas.models import Bond

DAY = forms.DateInput(attrs={"type": "date"})
# Days that have one before and one after them, in every zone.
IN_REACH = [MinValueValidator(date(1, 1, 3)), MaxValueValidator(date(9999, 12, 29))]


class GraphForm(forms.Form):
    """What is asked of the graph; a field that makes no sense asks for nothing."""

    q = forms.CharField(label=gettext_lazy("Words"), required=False, max_length=200)
    kind = forms.MultipleChoiceField(
        label=gettext_lazy("Only"), required=False, choices=KINDS.items(), widget=forms.CheckboxSelectMultiple
    )
    strength = FilterForm.base_fields["strength"]
    first = forms.DateField(label=gettext_lazy("From"), required=False, validators=IN_REACH, widget=DAY)
    last = forms.DateField(label=gettext_lazy("To"), required=False, validators=IN_REACH, widget=DAY)

    @property
    def is_asking(self) -> bool:
        return any(self.cleaned_data.values())

    def draw(self, bond: Bond) -> Graph:
        self.is_valid()
        entities = Entity.objects.of(bond).live().defer("embedding")
        if kinds := self.cleaned_data.get("kind"):
            entities = entities.filter(kind__in=kinds)
        return graph.draw(entities=entities, events=self.events(bond))

    def events(self, bond: Bond) -> QuerySet[ConceptNode]:
        asked = self.cleaned_data
        wanted = about(bond, asked["q"]) if asked.get("q") else Q()
        if first := asked.get("first"):
            wanted &= Q(ended__gte=first) | Q(ended=None, created_at__gte=midnight(first))
        if last := asked.get("last"):
            wanted &= Q(began__lte=last) | Q(began=None, created_at__lt=midnight(last + timedelta(days=1)))
        events = (
            ConceptNode.objects.of(bond)
            .live()
            .events()
            .annotate(
                strength=Abs("emotional_impact"),
                began=Coalesce("event_time_start", "event_time_end"),
                ended=Coalesce("event_time_end", "event_time_start"),
            )
        )
        return events.filter(wanted, strength__gte=asked.get("strength") or 0).lean("terms")


def about(bond: Bond, words: str) -> Q:
    """Events that hold the words, and those in which somebody of that name occurs."""
    named = Entity.objects.of(bond).live().filter(conditions.entities(bond, words))
    return conditions.nodes(bond, words) | Q(Exists(Mention.objects.filter(node=OuterRef("pk"), entity__in=named)))


def midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


@own_page
@require_GET
def people_graph(request: HttpRequest, bond_id: int) -> HttpResponse:
    bond = own_bond(request, bond_id)
    context = {
        "bond": bond,
        "layer": "people",
        "form": GraphForm(request.GET),
        "kinds": KINDS,
        "has_any": Mention.objects.filter(bond=bond, entity__in=Entity.objects.of(bond).live()).exists(),
    }
    return render(request, "chat/people/graph.html", context)


@own_page
@require_GET
def graph_data(request: HttpRequest, bond_id: int) -> HttpResponse:
    """What the page draws, as its filters ask for it."""
    bond = own_bond(request, bond_id)
    drawn = GraphForm(request.GET).draw(bond)
    shown = {
        "said": said(drawn),
        "entities": [entity_shown(bond, drawn, one) for one in drawn.entities],
        "events": [event_shown(bond, Shown(one)) for one in drawn.events],
        "links": drawn.links,
    }
    return JsonResponse(shown)


def said(drawn: Graph) -> str:
    """What part of all there is the graph holds."""
    count, events = len(drawn.entities), len(drawn.events)
    told = ngettext("%(count)s person or thing", "%(count)s people and things", count)
    if not drawn.has_all_entities:
        told = _("The %(count)s most mentioned of %(all)s people and things")
    with_events = ngettext("one event", "%(count)s events", events)
    if not drawn.has_all_events:
        with_events = _("of each the %(each)s events that weigh most")
    numbers = {"count": count, "all": drawn.entities_count}
    return f"{told % numbers} · {with_events % {'count': events, 'each': drawn.each}}"


def entity_shown(bond: Bond, drawn: Graph, entity: Entity) -> dict[str, Any]:
    count = drawn.counts[entity.pk]
    return {
        "id": entity.pk,
        "kind": entity.kind,
        "word": timeline.KINDS[entity.kind],
        "name": entity.canonical_name,
        "description": entity.description,
        "count": count,
        "told": ngettext("one event", "%(count)s events", count) % {"count": count},
        "url": reverse("person", args=[bond.pk, entity.pk]),
    }


def event_shown(bond: Bond, event: Shown) -> dict[str, Any]:
    return {
        "id": event.row.pk,
        "text": event.row.description,
        "impact": event.row.emotional_impact,
        "signed": signed(event.row.emotional_impact),
        "day": event.days or short(timezone.localtime(event.row.created_at)),
        "url": reverse("memory", args=[bond.pk, event.row.pk]),
    }
