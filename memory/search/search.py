"""Search what a bond holds: messages (L2), events and facts (L3), thoughts, intentions and expectations (L4), entities (L5).

A text matches if it has all words of the query, in any order and inflection, or contains the query verbatim. Results of
all layers come newest first; each layer has its own cursor, so that each is read along its own index.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import merge
from itertools import islice
from typing import Any

from django.db.models import F, Q, QuerySet

from echovessel.postgres.rows import fetch_all
from memory.models import ConceptNode, Entity, Message, Session
from memory.search import conditions, snippets
from personas.models import Bond

LAYERS = ("L2", "L3", "L4", "L5")
PAGE = 50
# What is said often is found among the newest rows; only what is rare there is looked for by the index of words, where a common
# word would bring up half of a bond's lines to be sorted.
NEWEST = 1500


@dataclass(frozen=True)
class SearchHit:
    """A match, marked in the snippet by `[[` and `]]`. `id` is of a message, node or entity."""

    layer: str
    id: int
    # `message`, a node's type, or an entity's kind.
    type: str
    at: datetime
    snippet: str
    session: int | None


@dataclass(frozen=True)
class SearchPosition:
    """The row behind which a layer's search goes on."""

    at: datetime
    id: int


def search(
    *,
    bond: Bond,
    query: str,
    layers: Collection[str] = LAYERS,
    after: Mapping[str, SearchPosition] | None = None,
    most: int = PAGE,
) -> list[SearchHit]:
    """Return up to `most` matches, newest first. `after` has a position for each layer (see `build_positions`).

    Deleted, superseded and off-record texts, replies that were not chosen, and other bonds never match.
    """
    asked = query.strip()
    if not asked:
        return []
    went = after or {}
    rows = [
        KINDS[layer].fetch_hits(bond, asked, behind=went.get(layer), most=most) for layer in LAYERS if layer in layers
    ]
    newest = islice(merge(*rows, key=lambda row: row.at, reverse=True), most)
    marked = snippets.SnippetQuery(asked)
    return [replace(row, snippet=snippets.build_snippet(row.snippet, marked)) for row in newest]


def build_positions(
    found: Iterable[SearchHit], *, after: Mapping[str, SearchPosition] | None = None
) -> dict[str, SearchPosition]:
    """Build the positions behind a page of results that itself began at `after`."""
    return dict(after or {}) | {one.layer: SearchPosition(at=one.at, id=one.id) for one in found}


@dataclass(frozen=True)
class SearchLayer:
    of: Callable[[Bond], QuerySet[Any]]
    # The time and the id, or the id alone.
    order: tuple[str, ...]
    naming: Callable[[Bond, str], Q]
    # The columns that `found` takes, in their order.
    columns: tuple[str, ...]
    # Has the whole text in place of a snippet.
    found: Callable[..., SearchHit]

    def fetch_hits(self, bond: Bond, asked: str, *, behind: SearchPosition | None, most: int) -> list[SearchHit]:
        return [self.found(*row) for row in self.fetch_values(bond, asked, behind=behind, most=most)]

    def fetch_values(
        self, bond: Bond, asked: str, *, behind: SearchPosition | None, most: int
    ) -> list[tuple[Any, ...]]:
        further = self.filter_behind(behind) if behind else Q()
        rows = self.of(bond).filter(self.naming(bond, asked)).values_list(*self.columns)
        if self.of is filter_messages:
            found = find_among_newest(bond, rows.order_by("-pk")[:most], further)
            if len(found) == most:
                return found
        # Order by id + 0: for rare words the planner would walk the messages of all bonds by id.
        rows = rows.filter(further).order_by(*(f"-{column}" for column in self.order[:-1]), (F("pk") + 0).desc())
        return list(rows[:most])

    def filter_behind(self, place: SearchPosition) -> Q:
        if self.order == ("pk",):
            return Q(pk__lt=place.id)
        [at, _] = self.order
        return Q(**{f"{at}__lt": place.at}) | Q(**{at: place.at}, pk__lt=place.id)


def filter_messages(bond: Bond) -> QuerySet[Any]:
    # Exclude the few hidden sessions: a join would look up the session of every match.
    silent = Session.objects.filter(Q(off_record=True) | Q(deleted_at__isnull=False), bond=bond)
    said = Message.objects.for_bond(bond).not_deleted().filter(chosen=True).exclude(role=Message.Role.SYSTEM)
    return said.exclude(session__in=silent.values("pk"))


def find_among_newest(bond: Bond, wanted: QuerySet[Any], further: Q) -> list[tuple[Any, ...]]:
    """Find matches among the bond's newest messages, which are read one by one.

    The statement's table is replaced: with a join or ids the planner would first fetch all messages with a word.
    """
    newest, its_parameters = (
        Message.objects.for_bond(bond).filter(further).order_by("-pk")[:NEWEST].query.sql_with_params()
    )
    statement, parameters = wanted.query.sql_with_params()
    statement = statement.replace('FROM "memory_message"', f'FROM ({newest}) AS "memory_message"', 1)
    return fetch_all(statement, (*its_parameters, *parameters))


def build_message_hit(pk: int, at: datetime, content: str, session_id: int) -> SearchHit:
    return SearchHit(layer="L2", id=pk, type="message", at=at, snippet=content, session=session_id)


def build_node_filter(*types: str) -> Callable[[Bond], QuerySet[Any]]:
    def of(bond: Bond) -> QuerySet[Any]:
        known = ConceptNode.objects.for_bond(bond).not_deleted().filter(type__in=types)
        return known.exclude(state=ConceptNode.State.SUPERSEDED)

    return of


def build_node_hit(pk: int, at: datetime, description: str, session_id: int | None, type: str) -> SearchHit:
    layer = "L3" if type in LAYER_3 else "L4"
    return SearchHit(layer=layer, id=pk, type=type, at=at, snippet=description, session=session_id)


def filter_entities(bond: Bond) -> QuerySet[Any]:
    return Entity.objects.for_bond(bond).not_deleted_or_merged().with_names()


def build_entity_hit(
    pk: int, at: datetime, canonical_name: str, names: list[str], description: str, kind: str
) -> SearchHit:
    others = [name for name in names if name != canonical_name]
    introduced = ": ".join(filter(None, [", ".join([canonical_name, *others]), description]))
    return SearchHit(layer="L5", id=pk, type=kind, at=at, snippet=introduced, session=None)


_NODE = ("pk", "created_at", "description", "session_id", "type")
Types = ConceptNode.Type
LAYER_3 = (Types.EVENT, Types.FACT)
KINDS = {
    # The ids of a bond's messages are in the order of their times, and indexed.
    "L2": SearchLayer(
        of=filter_messages,
        order=("pk",),
        naming=conditions.match_messages,
        columns=("pk", "created_at", "content", "session_id"),
        found=build_message_hit,
    ),
    "L3": SearchLayer(
        of=build_node_filter(*LAYER_3),
        order=("created_at", "pk"),
        naming=conditions.match_nodes,
        columns=_NODE,
        found=build_node_hit,
    ),
    "L4": SearchLayer(
        of=build_node_filter(Types.THOUGHT, Types.INTENTION, Types.EXPECTATION),
        order=("created_at", "pk"),
        naming=conditions.match_nodes,
        columns=_NODE,
        found=build_node_hit,
    ),
    "L5": SearchLayer(
        of=filter_entities,
        order=("last_mentioned_at", "pk"),
        naming=conditions.match_entities,
        columns=("pk", "last_mentioned_at", "canonical_name", "names", "description", "kind"),
        found=build_entity_hit,
    ),
}
