"""Find the facts that stand, and who may touch them. The caller has locked the bond."""

from collections.abc import Sequence
from dataclasses import replace as with_changes
from operator import mul
from typing import Any

from django.db.models import QuerySet
from pgvector.django import CosineDistance

from echovessel import text
from echovessel.embeddings import embedding, vectors
from memory.facts.checks import dangers
from memory.facts.drafts import FactDraft, FactError, PreparedFact
from memory.facts.writers import Writer
from memory.models import ConceptNode
from memory.models.nodes import ConceptNodeQuerySet
from memory.nodes import comparison
from personas.models import Bond

NEAR_FROM = 0.90
NEAREST = 5
# What somebody says is of one of so many facts that are nearest to it, if it is as near.
MEANT_MOST, MEANT_FROM = 2, 0.15
# What says it in other words is so near to a content: 0.98 of what is told is, and 0.02 and 0.04 of what is made up.
SAID_FROM = 0.3
LIVE_MOST = 1000
CHANGED = "This fact was changed or forgotten meanwhile."
# Vectors are stored in half precision.
_TOLERANCE = 2e-4
_END_MARKS = ".!?。！？… "
Tier = ConceptNode.Tier
# How a fact is known, in the words of a prompt.
KNOWN_BY = {Tier.STATED: "told", Tier.EXTRACTED: "gathered", Tier.INFERRED: "guessed"}


def load_live(bond: Bond) -> ConceptNodeQuerySet:
    return ConceptNode.objects.for_bond(bond).live_facts()


def reload_live(bond: Bond, node: ConceptNode) -> ConceptNode:
    """Read a fact again. Raises FactError `changed` where it does not hold any more."""
    standing = load_live(bond).without_heavy_columns().filter(pk=node.pk).first()
    if standing is None:
        raise FactError("changed", CHANGED)
    return standing


def can_touch(writer: Writer, node: ConceptNode) -> bool:
    """Whether a writer may end or replace a fact: jobs leave what was stated, guesses touch guesses only."""
    if writer.may_replace_stated:
        return True
    return node.tier == Tier.INFERRED or (node.tier == Tier.EXTRACTED and writer.tier == Tier.EXTRACTED)


def require_touchable(writer: Writer, node: ConceptNode) -> None:
    if not can_touch(writer, node):
        raise FactError(
            "not_asked",
            "The user told this themselves, and has not said otherwise. If they have, write that alone, in their words.",
        )


def fold_content(content: str) -> str:
    """Fold a content for comparison, end marks aside."""
    return text.fold(content).rstrip(_END_MARKS)


def is_same_value(one: str, other: str) -> bool:
    """Whether one value of a slot is the other, or holds it: "New York" and "New York City"."""
    a, b = text.fold(one), text.fold(other)
    return bool(a and b) and (a in b or b in a)


def find_same(candidates: Sequence[ConceptNode], draft: FactDraft) -> ConceptNode | None:
    """Find the fact of the same facet that says the same."""
    said = fold_content(draft.content)
    return next((one for one in candidates if one.facet == draft.facet and fold_content(one.description) == said), None)


def find_danger(bond: Bond, draft: FactDraft) -> ConceptNode | None:
    """Find the fact that tells the same danger in other words."""
    if draft.facet != ConceptNode.Facet.ABOUT_YOU or draft.slot or draft.until or not dangers.read(draft.content):
        return None
    facts = load_live(bond).without_heavy_columns().filter(facet=draft.facet, slot="").order_by("id")
    return dangers.find_same(facts, draft.content)


def find_told(bond: Bond, draft: FactDraft) -> ConceptNode:
    """Find the fact that tells a valid draft, so that none was saved. Raises FactError `changed` where it went since."""
    draft = with_changes(draft, facet=draft.facet or ConceptNode.Facet.ABOUT_YOU)
    facts = load_live(bond).without_heavy_columns().filter(facet=draft.facet).order_by("id")
    told = find_same(list(facts), draft) or find_danger(bond, draft)
    if told is None:
        raise FactError("changed", CHANGED)
    return told


def find_near(bond: Bond, fact: PreparedFact) -> ConceptNode | None:
    """Find a live fact that says nearly the same, with the same names and numbers."""
    return find_near_among(load_live(bond), bond=bond, fact=fact)


def is_among_nearest(bond: Bond, node: ConceptNode, *, said: Sequence[list[float] | None]) -> bool:
    """Whether a live fact is among the few that are nearest to one of the statements with these vectors."""
    baseline = embedding.get_cosine_baseline(node.description)
    for vector in filter(None, said):
        nearest = sort_by_distance(load_live(bond), vector).values_list("pk", "distance")[:MEANT_MOST]
        if any(pk == node.pk and vectors.rescale(1 - far, baseline=baseline) >= MEANT_FROM for pk, far in nearest):
            return True
    return False


def is_nearly_said(
    bond: Bond,
    content: list[float],
    *,
    said: Sequence[list[float] | None],
    besides: ConceptNode | None,
    baseline: float,
) -> bool:
    """Whether one of the statements with these vectors is as near to a content as its telling, and hardly to any live fact."""
    live = load_live(bond) if besides is None else load_live(bond).exclude(pk=besides.pk)
    for vector in filter(None, said):
        near = sum(map(mul, vector, content))
        if vectors.rescale(near, baseline=baseline) >= SAID_FROM:
            nearer = sort_by_distance(live, vector).filter(distance__lt=1 - near)
            if nearer.count() < MEANT_MOST:
                return True
    return False


def sort_by_distance(facts: ConceptNodeQuerySet, vector: list[float]) -> QuerySet[Any]:
    """Sort the facts whose vectors can be compared, nearest first, each with its distance."""
    readable = facts.filter(embedding_model=embedding.get_model_name(), embedding__isnull=False)
    return readable.annotate(distance=CosineDistance("embedding", vector)).order_by("distance", "id")


def find_near_among(facts: ConceptNodeQuerySet, *, bond: Bond, fact: PreparedFact) -> ConceptNode | None:
    """Find one of these facts that says nearly the same, with the same names and numbers."""
    if fact.vector is None:
        return None
    nearest = sort_by_distance(facts.without_heavy_columns(), fact.vector)[:NEAREST]
    baseline = embedding.get_cosine_baseline()
    near = [node for node in nearest if vectors.rescale(1 - node.distance, baseline=baseline) >= NEAR_FROM - _TOLERANCE]
    if not near:
        return None
    said = fact.draft.content
    told = comparison.extract_facts(said, bond=bond, names={})
    return next(
        (
            node
            for node in near
            if told.is_same_as(comparison.extract_facts(node.description, bond=bond, names={}))
            and not comparison.is_either_replaced(node.description, said)
        ),
        None,
    )
