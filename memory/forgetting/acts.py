"""One act of forgetting: what it hides is noted row by row, so that exactly these are brought back."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Greatest

from echovessel import events
from memory import tombstones
from memory.entities import merging
from memory.forgetting import moods
from memory.models import (
    ConceptNode,
    Entity,
    EntityAlias,
    Filling,
    Forgotten,
    Message,
    NodeSource,
    Session,
)
from memory.models.entities import EntityQuerySet
from memory.nodes import staleness
from memory.queue import enqueue
from personas.models import Bond

# Under which name the descriptions that an act empties are kept, by whom they were written.
DESCRIPTIONS = {"descriptions": Entity.Author.SLOW_TICK, "heard": Entity.Author.EXTRACTION}


class Act:
    """What goes, under the bond's lock; `write` at the end."""

    def __init__(self, bond: Bond, now: datetime) -> None:
        self.bond = bond
        self.now = now
        self.taken: dict[str, list[Any]] = defaultdict(list)
        self.kept: dict[str, dict[str, Any]] = defaultdict(dict)

    def write(self, *, kind: str, object_id: int) -> None:
        Forgotten.objects.create(
            bond=self.bond,
            kind=kind,
            object_id=object_id,
            taken=dict(self.taken),
            kept=dict(self.kept),
            created_at=self.now,
        )

    def take_nodes(self, nodes: Collection[ConceptNode]) -> None:
        ids = [node.pk for node in nodes]
        tombstones.bury(bond=self.bond, nodes=nodes, now=self.now)
        ConceptNode.objects.of(self.bond).filter(pk__in=ids).update(deleted_at=self.now)
        for node in nodes:
            self.tell("memory.node.forgotten", forgotten=node.pk, node_type=node.type)
        self.taken["nodes"] += ids
        held = [node.pk for node in nodes if not node.stale and node.state != ConceptNode.State.SUPERSEDED]
        self.taken["stale"] += self.left_stale(held)

    def left_stale(self, gone: Collection[int]) -> list[int]:
        """Let what rests on nothing but superseded evidence now be stale; its ids."""
        citing = Filling.objects.filter(bond=self.bond, child__in=gone, parent__deleted_at=None)
        beside = Filling.objects.filter(parent__in=citing.values("parent"), orphaned=False)
        children = list(beside.values_list("child", flat=True))
        return staleness.follow(bond=self.bond, nodes=children, now=self.now, ways=[True])

    def take_lines(self, ids: Iterable[int], *, aloud: bool = True) -> list[int]:
        """Hide lines that are still there, and count them no more; other memories that rest on one of them say so."""
        lines = Message.objects.of(self.bond).filter(pk__in=list(ids), deleted_at=None)
        found = list(lines.order_by("id").defer("embedding", "search", "sketch"))
        gone = [line.pk for line in found]
        lines.update(deleted_at=self.now)
        self.taken["lines"] += gone
        if aloud:
            self.count_less(found)
            for pk in gone:
                self.tell("chat.message.deleted", message=pk)
        from_them = NodeSource.objects.filter(message__in=gone, node__deleted_at=None).values("node")
        ConceptNode.objects.of(self.bond).filter(pk__in=from_them).update(source_deleted=True)
        self.empty_descriptions_heard_in(gone)
        return gone

    def count_less(self, lines: Iterable[Message]) -> None:
        counted: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for line in lines:
            if line.variant == 0 or line.role == Message.Role.USER:
                counted[line.session_id][0] += 1
                counted[line.session_id][1] += line.token_count
        for session in Session.objects.filter(pk__in=counted):
            less = [
                min(session.message_count, counted[session.pk][0]),
                min(session.token_count, counted[session.pk][1]),
            ]
            add_to_counts(session.pk, messages=-less[0], tokens=-less[1])
            self.taken["counts"].append([session.pk, *less])

    def take_session(self, session: Session) -> None:
        """Hide a session with its lines; its summary, title and steps go with its row."""
        lines = Message.objects.of(self.bond).filter(session=session)
        self.take_lines(lines.values_list("pk", flat=True), aloud=False)
        Session.objects.filter(pk=session.pk).update(deleted_at=self.now)
        self.taken["sessions"].append(session.pk)
        moods.look_again(self.bond, left=session, now=self.now)
        self.tell("chat.session.forgotten", session=session.pk)

    def take_entities(self, ids: Collection[int]) -> None:
        """Hide entities with their names, and what was merged into them; those in doubt about them are certain now."""
        gone = merging.with_merged(ids)
        aliases = EntityAlias.objects.filter(entity__in=gone, deleted_at=None)
        names = list(aliases)
        tombstones.bury_names(bond=self.bond, aliases=names, now=self.now)
        aliases.update(deleted_at=self.now)
        Entity.objects.filter(pk__in=gone, deleted_at=None).update(deleted_at=self.now)
        self.taken["aliases"] += [alias.pk for alias in names]
        self.taken["entities"] += gone
        self.taken["doubts"] += merging.settle_doubts_about(gone, now=self.now)
        for pk in ids:
            self.tell("memory.entity.forgotten", forgotten=pk)

    def empty_summaries(self, lines: Collection[int]) -> None:
        """Empty the summaries of the sessions that these lines are of; the worker makes them anew of the rest."""
        told = Session.objects.of(self.bond).filter(messages__in=lines).distinct()
        self.give_up("summaries", told.values_list("pk", flat=True))
        for session in told.exclude(summary="").order_by("id"):
            self.kept["summaries"][str(session.pk)] = [session.summary, session.watermark]
            Session.objects.filter(pk=session.pk).update(summary="")
            enqueue("memory.tasks.summarise", session.pk)

    def empty_descriptions(self, nodes: Collection[ConceptNode]) -> None:
        """Empty the descriptions of those who occur in these nodes, to be written anew between talks; an owner's stay."""
        self.leave_undescribed(Entity.objects.of(self.bond).filter(mentions__node__in=nodes))

    def empty_descriptions_heard_in(self, lines: Collection[int]) -> None:
        """Empty those that came from the talks of these lines; from which lines nobody knows."""
        talks = Message.objects.of(self.bond).filter(pk__in=lines).values("session")
        heard = Entity.objects.of(self.bond).filter(description_by=Entity.Author.EXTRACTION)
        self.leave_undescribed(heard.filter(mentions__node__source_messages__session__in=talks))

    def leave_undescribed(self, described: EntityQuerySet) -> None:
        ids = merging.with_merged(described.values_list("pk", flat=True))
        for name, author in DESCRIPTIONS.items():
            self.give_up(name, ids)
            written = Entity.objects.filter(pk__in=ids, description_by=author).exclude(description="")
            if texts := dict(written.values_list("pk", "description")):
                self.kept[name] |= {str(pk): text for pk, text in texts.items()}
        staleness.empty_descriptions(described, bond=self.bond, now=self.now)

    def give_up(self, name: str, ids: Iterable[int]) -> None:
        """Drop what earlier acts keep of the same: it may hold what goes now."""
        keys = [str(pk) for pk in ids]
        for act in Forgotten.objects.of(self.bond).filter(**{f"kept__{name}__has_any_keys": keys}):
            act.kept[name] = {key: kept for key, kept in act.kept[name].items() if key not in keys}
            act.save(update_fields=["kept"])

    def tell(self, type: str, **refs: int | str) -> None:
        events.record(bond_id=self.bond.pk, type=type, refs=refs, now=self.now)


def add_to_counts(session_id: int, *, messages: int, tokens: int) -> None:
    Session.objects.filter(pk=session_id).update(
        message_count=Greatest(F("message_count") + messages, 0), token_count=Greatest(F("token_count") + tokens, 0)
    )


def offered(bond: Bond, *, lines: Collection[int]) -> QuerySet[Any]:
    """The memories, as they are shown, that rested on these lines and rest on no line that is left."""
    from_them = NodeSource.objects.filter(message__in=lines).values("node")
    there = NodeSource.objects.filter(node=OuterRef("pk"), message__deleted_at=None, message__session__deleted_at=None)
    nodes = ConceptNode.objects.of(bond).filter(~Exists(there), pk__in=from_them, deleted_at=None)
    return nodes.shown().order_by("id")
