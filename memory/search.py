"""Search over what a bond holds: lines (L2), events (L3), thoughts, intentions and expectations (L4), people and things (L5).

A text is found where it has all words of the query, in any order and inflection, or holds the query as it stands. Results of all
layers come newest first; each layer goes on behind its own last result, so that each is read along an index of its own.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from itertools import islice
from typing import Any

from django.db.models import F, Q, QuerySet

from memory import matching, snippets
from memory.models import ConceptNode, Entity, Message
from personas.models import Bond

LAYERS = ("L2", "L3", "L4", "L5")
PAGE = 50
# What is said often is found among the newest rows; only what is rare there is looked for by the index of words, where a common
# word would bring up half of a bond's lines to be sorted.
NEWEST = 1500


@dataclass(frozen=True)
class Found:
    """A place where the query occurs, marked in the snippet by `[[` and `]]`. `id` is of a message, node or entity."""

    layer: str
    id: int
    # `message`, the type of a node, or the kind of an entity.
    type: str
    at: datetime
    snippet: str
    session: int | None


@dataclass(frozen=True)
class Place:
    """Where a layer's search goes on: behind this row."""

    at: datetime
    id: int


def search(
    *,
    bond: Bond,
    query: str,
    layers: Collection[str] = LAYERS,
    after: Mapping[str, Place] | None = None,
    most: int = PAGE,
) -> list[Found]:
    """Up to `most` places where the query occurs, newest first. `after` are the places to go on from, by layer (see `places`).

    Never what was deleted, superseded or said off the record, replies that were not chosen, or what is of another bond.
    """
    asked = query.strip()
    if not asked:
        return []
    went = after or {}
    rows = [KINDS[layer].rows(bond, asked, behind=went.get(layer), most=most) for layer in LAYERS if layer in layers]
    newest = islice(merge(*rows, key=lambda row: row.at, reverse=True), most)
    return [told(row, asked) for row in newest]


def places(found: Iterable[Found], *, after: Mapping[str, Place] | None = None) -> dict[str, Place]:
    """Where to go on behind a page of results that itself began at `after`."""
    return dict(after or {}) | {one.layer: Place(at=one.at, id=one.id) for one in found}


def told(row: Any, asked: str) -> Found:
    kind, said, session = TELL[type(row)](row)
    snippet = snippets.of(said, asked)
    return Found(layer=layer_of(row), id=row.pk, type=kind, at=row.at, snippet=snippet, session=session)


def layer_of(row: Message | ConceptNode | Entity) -> str:
    if isinstance(row, ConceptNode):
        return "L3" if row.type == ConceptNode.Type.EVENT else "L4"
    return "L2" if isinstance(row, Message) else "L5"


TELL: dict[type[Any], Callable[[Any], tuple[str, str, int | None]]] = {
    Message: lambda line: ("message", line.content, line.session_id),
    ConceptNode: lambda node: (node.type, node.description, node.session_id),
    Entity: lambda entity: (entity.kind, introduced(entity), None),
}


def introduced(entity: Any) -> str:
    """All names of an entity, and what is known of it."""
    others = [name for name in entity.names if name != entity.canonical_name]
    return ": ".join(filter(None, [", ".join([entity.canonical_name, *others]), entity.description]))


@dataclass(frozen=True)
class Kind:
    """How a layer is searched: its rows, the columns by which the newest comes first, and what a query means there."""

    of: Callable[[Bond], QuerySet[Any]]
    # The column that says when and the id, or the id alone.
    order: tuple[str, ...]
    naming: Callable[[Bond, str], Q]

    def rows(self, bond: Bond, asked: str, *, behind: Place | None, most: int) -> list[Any]:
        further = self.behind(behind) if behind else Q()
        wanted = self.of(bond).filter(self.naming(bond, asked), further)
        if self.of is lines:
            # Nothing but the bond and the order, so that an index answers it alone.
            newest = Message.objects.of(bond).filter(further).order_by("-pk").values("pk")[:NEWEST]
            found = list(wanted.filter(pk__in=newest).order_by("-pk")[:most])
            if len(found) == most:
                return found
        # By id + 0: for rare words the planner would walk the lines of all bonds in the order of their ids.
        return list(wanted.order_by(*(f"-{column}" for column in self.order[:-1]), (F("pk") + 0).desc())[:most])

    def behind(self, place: Place) -> Q:
        if self.order == ("pk",):
            return Q(pk__lt=place.id)
        [at, _] = self.order
        return Q(**{f"{at}__lt": place.at}) | Q(**{at: place.at}, pk__lt=place.id)


def lines(bond: Bond) -> QuerySet[Any]:
    said = Message.objects.of(bond).live().exclude(role=Message.Role.SYSTEM).filter(session__off_record=False)
    return said.defer("embedding", "search", "sketch").annotate(at=F("created_at"))


def nodes(*types: str) -> Callable[[Bond], QuerySet[Any]]:
    def of(bond: Bond) -> QuerySet[Any]:
        known = ConceptNode.objects.of(bond).filter(deleted_at=None, type__in=types)
        known = known.exclude(state=ConceptNode.State.SUPERSEDED)
        return known.lean("terms").annotate(at=F("created_at"))

    return of


def entities(bond: Bond) -> QuerySet[Any]:
    return Entity.objects.of(bond).live().shown().annotate(at=F("last_mentioned_at"))


Types = ConceptNode.Type
KINDS = {
    # A bond's lines were said in the order of their ids, along which they are indexed.
    "L2": Kind(of=lines, order=("pk",), naming=matching.lines),
    "L3": Kind(of=nodes(Types.EVENT), order=("created_at", "pk"), naming=matching.nodes),
    "L4": Kind(
        of=nodes(Types.THOUGHT, Types.INTENTION, Types.EXPECTATION),
        order=("created_at", "pk"),
        naming=matching.nodes,
    ),
    "L5": Kind(of=entities, order=("last_mentioned_at", "pk"), naming=matching.entities),
}
