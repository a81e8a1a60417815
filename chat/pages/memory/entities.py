"""The pages of people and things (L5): names, memories, merging and separating."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.pages.display import errors, labels
from chat.pages.memory.items import build_items
from chat.pages.memory.memories import find_last_forgotten
from chat.pages.memory.story.remarks import list_remarks
from chat.pages.requests import get_int_param, own_bond_page, parse_id, report_refusal
from echovessel.embeddings.embedding import EmbeddingError
from memory.answers.coercion import DESCRIPTION_MOST, NAME_MOST
from memory.entities import editing, lookup, merging
from memory.entities.editing import EntityChanges, NameRefused
from memory.entities.names_form import NamesForm
from memory.forgetting import removal
from memory.models import ConceptNode, Entity, EntityMerge, Forgotten
from personas.models import Bond

PAGE_SIZE = 60
MEMORIES_MOST = 50
OTHERS_MOST = 300


class EntityForm(NamesForm):
    canonical_name = forms.CharField(label=gettext_lazy("Name"), max_length=NAME_MOST)
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"), choices=[(kind, Entity.Kind(kind).label) for kind in labels.ENTITY_HEADINGS]
    )
    aliases = forms.CharField(
        label=gettext_lazy("All names"),
        required=False,
        help_text=gettext_lazy("One per line. Search finds it by each of them."),
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    description = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        max_length=DESCRIPTION_MOST,
        help_text=gettext_lazy(
            "What you write here is never overwritten. Leave blank to have it written from your chats."
        ),
        widget=forms.Textarea(attrs={"rows": 4, "class": "reading", "dir": "auto"}),
    )

    def get_values(self) -> EntityChanges:
        """Return the values for `memory.entities.editing`. An unchanged description keeps its author."""
        asked = self.cleaned_data | {"description": self.cleaned_data["description"] or None}
        if "description" not in self.changed_data:
            del asked["description"]
        return cast(EntityChanges, asked)


@own_bond_page("GET", "POST")
def entity_list(request: HttpRequest, bond: Bond) -> HttpResponse:
    """List all by kind; uncertain pairs come first."""
    form = EntityForm(request.POST or None, initial={"kind": Entity.Kind.PERSON})
    if request.method == "POST" and form.is_valid():
        with report_name_errors(form):
            made = editing.create(bond=bond, wanted=form.get_values(), now=timezone.now())
            return redirect("person", bond.pk, made.pk)
    rows = Entity.objects.for_bond(bond).not_deleted_or_merged().for_serializer().order_by("-last_mentioned_at", "-id")
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    of_kind = [(word, [one for one in page if one.kind == kind]) for kind, word in labels.ENTITY_HEADINGS.items()]
    context = {
        "bond": bond,
        "layer": "people",
        "form": form,
        "page": page,
        "of_kind": [(word, found) for word, found in of_kind if found],
        "pairs": lookup.filter_uncertain(bond).order_by("id"),
        "undo": find_last_forgotten(bond, get_int_param(request, "forgotten"), [Forgotten.Kind.ENTITY]),
    }
    return render(request, "chat/people/list.html", context, status=422 if form.errors else 200)


@contextmanager
def report_name_errors(form: forms.Form) -> Iterator[None]:
    """Show above the form why a change was refused."""
    try:
        yield
    except NameRefused as error:
        form.add_error(None, errors.get_sentence(error.code, about="names"))
    except EmbeddingError as error:
        form.add_error(None, errors.translate_error(error))


@own_bond_page("GET", "POST")
def entity_detail(request: HttpRequest, bond: Bond, entity_id: int) -> HttpResponse:
    """Show one of them: names, description, its memories and merges."""
    entity = get_own_entity(bond, entity_id)
    form = EntityForm(request.POST or None, initial=build_initial(bond, entity))
    if request.method == "POST" and form.is_valid():
        with report_name_errors(form):
            editing.update(entity=entity, wanted=form.get_values(), now=timezone.now())
            messages.success(request, _("Saved."))
            return redirect("person", bond.pk, entity.pk)
    linked = ConceptNode.objects.for_bond(bond).not_deleted().filter(mentions__entity=entity)
    context = {
        "bond": bond,
        "layer": "people",
        "form": form,
        "entity": Entity.objects.for_bond(bond).for_serializer().get(pk=entity.pk),
        "remarks": list_remarks(bond, entity.pk),
        "linked": build_items(linked.for_serializer().order_by("-created_at", "-id")[:MEMORIES_MOST]),
        "pairs": lookup.filter_uncertain(bond).filter(lookup.filter_pairs_among([entity.pk])).order_by("id"),
        "merges": list_merges(bond, entity),
        "others": list_merge_candidates(bond, entity),
    }
    return render(request, "chat/people/person.html", context, status=422 if form.errors else 200)


def get_own_entity(bond: Bond, entity_id: int) -> Entity:
    known = Entity.objects.for_bond(bond).not_deleted_or_merged().select_related("bond__user", "bond__persona")
    return get_object_or_404(known, pk=entity_id)


def build_initial(bond: Bond, entity: Entity) -> dict[str, Any]:
    names = Entity.objects.for_bond(bond).for_serializer().get(pk=entity.pk).names  # type: ignore[attr-defined]  # annotated by `for_serializer`
    return {
        "canonical_name": entity.canonical_name,
        "kind": entity.kind,
        "aliases": "\n".join(names),
        "description": entity.description if entity.description_by == Entity.Author.OWNER else "",
    }


def list_merges(bond: Bond, entity: Entity) -> Sequence[EntityMerge]:
    """Return the merges into it that can be undone, newest first."""
    made = EntityMerge.objects.filter(bond=bond, kept=entity, undone_at=None, merged__merged_into=entity)
    return list(made.select_related("merged").order_by("-id"))


def list_merge_candidates(bond: Bond, entity: Entity) -> Sequence[Entity]:
    """Return entities of the same kind."""
    same_kind = Entity.objects.for_bond(bond).not_deleted_or_merged().filter(kind=entity.kind).exclude(pk=entity.pk)
    return list(same_kind.defer("embedding").order_by("canonical_name", "id")[:OTHERS_MOST])


@own_bond_page("POST")
def merge_entity(request: HttpRequest, bond: Bond, entity_id: int) -> HttpResponse:
    merged, kept = get_own_entity(bond, entity_id), get_own_entity(bond, get_other_id(request))
    left = merged
    with report_refusal(request):
        merging.merge_entities(kept=kept, merged=merged, by=merging.Author.OWNER, now=timezone.now())
        notice = _("%(merged)s and %(kept)s are merged. You can undo it on this page.")
        messages.success(request, notice % {"merged": merged.canonical_name, "kept": kept.canonical_name})
        left = kept
    return redirect("person", bond.pk, left.pk)


@own_bond_page("POST")
def keep_apart(request: HttpRequest, bond: Bond, entity_id: int) -> HttpResponse:
    """Record that two are not the same; the companion never asks again."""
    one, other = get_own_entity(bond, entity_id), get_own_entity(bond, get_other_id(request))
    with report_refusal(request):
        merging.separate_entities(a=one, b=other, by=merging.Author.OWNER, now=timezone.now())
        messages.success(request, _("They stay separate. Nobody is asked about them again."))
    return redirect("people", bond.pk)


def get_other_id(request: HttpRequest) -> int:
    """Return the id of the other one; 0 if it is no number."""
    return parse_id(request.POST.get("other", "")) or 0


@own_bond_page("POST")
def undo_merge(request: HttpRequest, bond: Bond, merge_id: int) -> HttpResponse:
    made = EntityMerge.objects.filter(bond=bond).select_related("bond", "kept", "merged")
    found = get_object_or_404(made, pk=merge_id)
    shown = found.kept
    with report_refusal(request):
        shown = merging.undo(merge=found, now=timezone.now())
        messages.success(request, _("%(name)s is restored.") % {"name": shown.canonical_name})
    return redirect("person", bond.pk, shown.pk)


@own_bond_page("POST")
def forget_entity(request: HttpRequest, bond: Bond, entity_id: int) -> HttpResponse:
    entity = get_own_entity(bond, entity_id)
    removal.forget_entity(entity=entity, now=timezone.now())
    return redirect(f"{reverse('people', args=[bond.pk])}?forgotten={entity.pk}")
