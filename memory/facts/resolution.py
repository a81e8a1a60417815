"""Find the fact that a writer means."""

import re
from collections.abc import Collection

from django.db.models import Q

from echovessel import text
from memory.facts.drafts import FactError
from memory.models import ConceptNode
from memory.models.nodes import ConceptNodeQuerySet
from personas.models import Bond

CANDIDATES_MOST = 5
_ID = re.compile(r"\s*\[?#?(\d{1,18})\]?\s*")


def resolve(*, bond: Bond, ref: str, fresh: Collection[int] = ()) -> ConceptNode:
    """Find the live or uncertain fact of an id, as lists of facts show it, or of words that its content holds.

    The same text comes first, those that the turn itself noted (`fresh`) last; an id that one of these took the place of means it.
    Raises FactError: `not_found`, or `ambiguous` with at most five candidates.
    """
    known = load_known(bond)
    number = read_number(ref)
    meant = known.filter(Q(pk=number) | Q(pk__in=fresh, supersedes=number)).first() if number is not None else None
    if meant is not None:
        return meant
    found = find_holding(known, text.fold(ref))
    found = [pk for pk in found if pk not in fresh] or found
    if not found:
        raise FactError("not_found", "There is no such fact.")
    nodes = sorted(known.filter(pk__in=found[:CANDIDATES_MOST]), key=lambda node: found.index(node.pk))
    if len(found) > 1:
        raise FactError(
            "ambiguous", "%(count)s facts hold these words. Say which one.", count=len(found), candidates=nodes
        )
    return nodes[0]


def read_number(ref: str) -> int | None:
    match = _ID.fullmatch(ref)
    return int(match[1]) if match else None


def load_known(bond: Bond) -> ConceptNodeQuerySet:
    states = (ConceptNode.State.LIVE, ConceptNode.State.UNCERTAIN)
    known = ConceptNode.objects.for_bond(bond).facts().not_deleted().filter(state__in=states)
    return known.without_heavy_columns()


def find_holding(known: ConceptNodeQuerySet, words: str) -> list[int]:
    """Find the ids of those whose content holds the folded words, newest first; only the ones that say just that, if any
    do.
    """
    if not words:
        return []
    texts = [(pk, text.fold(content)) for pk, content in known.order_by("-id").values_list("pk", "description")]
    exact = [pk for pk, said in texts if said == words]
    return exact or [pk for pk, said in texts if words in said]
