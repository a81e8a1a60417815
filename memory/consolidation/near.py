"""What is known already and near to a talk: the events and names that are told to the model beside it."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db.models import Min

from echovessel import embedding
from echovessel.prompts import escape
from memory import recall, scoring
from memory.consolidation.transcript import Chunk, Line
from memory.lenient import one_line
from memory.models import ConceptNode, Entity, EntityAlias, Message, NodeSource
from memory.recall import Item
from personas.models import Bond

EVENTS_MOST = 12
OTHER_NAMES_MOST = 12
# What is said in a long talk is near to nothing as a whole; a stretch of it is, and embedding models read no more at once.
STRETCH_CHARACTERS = 600
# How much nearer an event counts that is linked to a name of the talk.
ANCHORED = 0.2


def events(*, bond: Bond, chunk: Chunk, now: datetime) -> list[ConceptNode]:
    """Live events near to what the user said: what a new event may supersede. Nearest first. Raises EmbeddingError."""
    found: dict[int, Item] = {}
    said = list(stretches(chunk.lines))
    for stretch, vector in zip(said, embedding.embed(said), strict=True):
        for item in recall.search(bond=bond, query=stretch, vector=vector, now=now, k=EVENTS_MOST).items:
            if is_near(item) and (item.node.pk not in found or nearness(item) > nearness(found[item.node.pk])):
                found[item.node.pk] = item
    nearest = sorted(found.values(), key=lambda item: (-nearness(item), -item.node.pk))
    return [item.node for item in nearest[:EVENTS_MOST]]


def stretches(lines: Sequence[Line]) -> Iterator[str]:
    """The user's lines, joined where they are short and cut where they are long."""
    joined = ""
    for line in lines:
        if line.message.role != Message.Role.USER:
            continue
        if joined and len(joined) + len(line.text) > STRETCH_CHARACTERS:
            yield joined
            joined = ""
        joined = f"{joined}\n{line.text}".strip()
        while len(joined) > STRETCH_CHARACTERS:
            yield joined[:STRETCH_CHARACTERS]
            joined = joined[STRETCH_CHARACTERS:]
    if joined.strip():
        yield joined


def is_near(item: Item) -> bool:
    is_event = item.node.type == ConceptNode.Type.EVENT
    return is_event and (bool(item.anchored_by) or item.terms.relevance >= scoring.RELEVANCE_FLOOR)


def nearness(item: Item) -> float:
    return item.terms.relevance + (ANCHORED if item.anchored_by else 0.0)


def written_events(nodes: Sequence[ConceptNode], *, zone: ZoneInfo) -> str:
    """Events as `[1] (2026-03-02) text`, with the day they were first told, in the order in which they are numbered."""
    days = days_told(nodes)
    return "\n".join(
        f"[{at}] ({days.get(node.pk) or node.created_at.astimezone(zone).date()}) {escape(one_line(node.description))}"
        for at, node in enumerate(nodes, start=1)
    )


def days_told(nodes: Sequence[ConceptNode]) -> dict[int, date]:
    first = NodeSource.objects.filter(node__in=nodes).values("node").annotate(day=Min("message__day"))
    return dict(first.values_list("node", "day"))


def written_names(known: Sequence[Entity]) -> str:
    """Entities as `- Yiyang (person), also: Scott, 黄逸扬`."""
    others: dict[int, list[str]] = {entity.pk: [] for entity in known}
    aliases = EntityAlias.objects.filter(entity__in=known, deleted_at=None).order_by("id")
    for entity_id, name in aliases.values_list("entity", "name"):
        others[entity_id].append(escape(one_line(name)))
    return "\n".join(written_name(entity, others[entity.pk]) for entity in known)


def written_name(entity: Entity, names: Sequence[str]) -> str:
    canonical = escape(one_line(entity.canonical_name))
    others = [name for name in names if name != canonical][:OTHER_NAMES_MOST]
    return f"- {canonical} ({entity.kind})" + (f", also: {', '.join(others)}" if others else "")


def written_pair(pair: Entity | None) -> str:
    """An uncertain pair as `A / B`."""
    if pair is None or pair.merge_target is None:
        return ""
    return " / ".join(escape(one_line(entity.canonical_name)) for entity in (pair, pair.merge_target))
