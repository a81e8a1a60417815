"""One act of forgetting: it lists each row it hides, so that a restore brings exactly these back."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Greatest

from echovessel import events
from memory.entities import merging, pairs
from memory.forgetting import moods, titles
from memory.jobs.queue import enqueue
from memory.messages import tombstones
from memory.models import (
    ConceptNode,
    Doubt,
    Entity,
    EntityAlias,
    EntityRemark,
    Filling,
    Forgotten,
    Message,
    NodeSource,
    Session,
    Topic,
)
from memory.models.entities import EntityQuerySet
from memory.nodes import links, staleness
from memory.story import withdrawal
from personas.models import Bond

# The key of the kept descriptions, by their author.
DESCRIPTIONS: dict[str, str] = {Entity.Author.SLOW_TICK: "descriptions", Entity.Author.EXTRACTION: "heard"}


class ForgettingAct:
    """Hides rows under the bond's lock; call `write` at the end."""

    def __init__(self, bond: Bond, now: datetime) -> None:
        self.bond = bond
        self.now = now
        self.taken: dict[str, list[Any]] = defaultdict(list)
        self.kept: dict[str, dict[str, Any]] = defaultdict(dict)
        # The messages that no recap may tell any more: hidden or tombstoned ones.
        self.untold: set[int] = set()

    def write(self, *, kind: str, object_id: int) -> Forgotten:
        """Store the act, and take what it hid out of the story."""
        self.withdraw_from_story()
        withdrawal.withdraw_entities(self.bond, entities=self.taken["entities"], now=self.now)
        moods.withdraw(self.bond, lines=self.untold, now=self.now)
        return Forgotten.objects.create(
            bond=self.bond,
            kind=kind,
            object_id=object_id,
            taken=dict(self.taken),
            kept=dict(self.kept),
            created_at=self.now,
        )

    def withdraw_from_story(self) -> None:
        """Take the hidden messages out of recaps, the story, and descriptions that took up remarks of their scenes;
        people and things that only they name go."""
        if not self.untold:
            return
        scenes = withdrawal.find_scenes(self.bond, self.untold)
        absorbed = EntityRemark.objects.filter(scene__in=scenes, absorbed_at__isnull=False).values("entity")
        described = list(Entity.objects.for_bond(self.bond).filter(pk__in=absorbed).values_list("pk", flat=True))
        if described:
            self.clear_descriptions(Entity.objects.filter(pk__in=described))
            EntityRemark.objects.filter(entity__in=described).update(absorbed_at=None)
        withdrawal.withdraw_lines(self.bond, lines=self.untold, now=self.now)
        if self.taken["lines"]:
            self.hide_entities(withdrawal.find_unheard_entities(self.bond, self.taken["lines"]))

    def hide_nodes(
        self,
        nodes: Collection[ConceptNode],
        *,
        told_in: Collection[int] = (),
        asked_in: Mapping[int, str] | None = None,
        spared: Collection[int] = (),
        with_lines: bool = True,
    ) -> None:
        """Hide nodes; see `tombstones.create_for_nodes`."""
        ids = [node.pk for node in nodes]
        tombstoned = tombstones.create_for_nodes(
            bond=self.bond,
            nodes=nodes,
            told_in=told_in,
            asked_in=asked_in,
            spared=spared,
            with_lines=with_lines,
            now=self.now,
        )
        if with_lines:
            self.untold |= tombstoned
        ConceptNode.objects.for_bond(self.bond).filter(pk__in=ids).update(deleted_at=self.now)
        for node in nodes:
            self.record_event("memory.node.forgotten", forgotten=node.pk, node_type=node.type)
        self.taken["nodes"] += ids
        # A prompt that holds them is made anew; what else it held is loaded again.
        held_ids = [*ids, *links.find_said_of(ids)]
        Session.objects.for_bond(self.bond).filter(loaded_ids__overlap=held_ids).drop_loaded()
        self.taken["settled"] += self.settle_doubts(ids)
        self.delete_topics(sessions=find_sessions(nodes))
        held = [node.pk for node in nodes if not node.stale and node.state != ConceptNode.State.SUPERSEDED]
        self.taken["stale"] += self.mark_stale(held)

    def settle_doubts(self, gone: Collection[int]) -> list[int]:
        """Settle the open doubts about these nodes: a side is gone. Returns their ids."""
        about = Doubt.objects.for_bond(self.bond).open().about_nodes(*gone).order_by("id")
        doubts = list(about)
        for doubt in doubts:
            doubt.settle(outcome=Doubt.Outcome.GONE, now=self.now)
        return [doubt.pk for doubt in doubts]

    def mark_stale(self, gone: Collection[int]) -> list[int]:
        """Mark what cites only superseded evidence now as stale. Returns its ids."""
        citing = Filling.objects.without_deleted_parents().filter(bond=self.bond, child__in=gone)
        beside = Filling.objects.filter(parent__in=citing.values("parent"), orphaned=False)
        children = list(beside.values_list("child", flat=True))
        return staleness.propagate(bond=self.bond, nodes=children, now=self.now, ways=[True])

    def hide_messages(self, ids: Iterable[int], *, aloud: bool = True) -> list[int]:
        """Hide messages, uncount them, and mark other memories that were drawn from them."""
        messages = Message.objects.for_bond(self.bond).not_deleted().filter(pk__in=list(ids))
        found = list(messages.order_by("id").without_heavy_columns())
        gone = [message.pk for message in found]
        messages.update(deleted_at=self.now)
        self.taken["lines"] += gone
        self.untold |= {*gone}
        self.delete_topics(sessions={message.session_id for message in found})
        if aloud:
            self.decrease_counts(found)
            for pk in gone:
                self.record_event("chat.message.deleted", message=pk)
        from_them = NodeSource.objects.filter(message__in=gone).values("node")
        ConceptNode.objects.for_bond(self.bond).not_deleted().filter(pk__in=from_them).update(source_deleted=True)
        self.empty_descriptions_from_messages(gone)
        return gone

    def decrease_counts(self, lines: Iterable[Message]) -> None:
        counted: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for message in lines:
            if message.variant == 0 or message.role == Message.Role.USER:
                counted[message.session_id][0] += 1
                counted[message.session_id][1] += message.token_count
        for session in Session.objects.filter(pk__in=counted):
            less = [
                min(session.message_count, counted[session.pk][0]),
                min(session.token_count, counted[session.pk][1]),
            ]
            add_to_counts(session.pk, messages=-less[0], tokens=-less[1])
            self.taken["counts"].append([session.pk, *less])

    def hide_session(self, session: Session) -> None:
        """Hide a session with its messages; its summary, title and steps go with its row."""
        messages = Message.objects.for_bond(self.bond).filter(session=session)
        self.hide_messages(messages.values_list("pk", flat=True), aloud=False)
        Session.objects.filter(pk=session.pk).update(deleted_at=self.now)
        self.taken["sessions"].append(session.pk)
        self.delete_topics(sessions=[session.pk])
        moods.refresh_mood(self.bond, left=session, now=self.now)
        self.record_event("chat.session.forgotten", session=session.pk)

    def hide_entities(self, ids: Collection[int]) -> None:
        """Hide entities with their names and everything merged into them; confirm those paired with them."""
        if not ids:
            return
        gone = merging.collect_merged_ids(ids)
        aliases = EntityAlias.objects.not_deleted().filter(entity__in=gone)
        names = list(aliases)
        tombstones.create_for_names(bond=self.bond, aliases=names, now=self.now)
        aliases.update(deleted_at=self.now)
        Entity.objects.not_deleted().filter(pk__in=gone).update(deleted_at=self.now)
        self.taken["aliases"] += [alias.pk for alias in names]
        self.taken["entities"] += gone
        self.delete_topics(entities=gone)
        self.taken["doubts"] += merging.confirm_uncertain(gone, now=self.now)
        pairs.follow(self.bond, now=self.now)
        for pk in ids:
            self.record_event("memory.entity.forgotten", forgotten=pk)

    def delete_topics(self, *, sessions: Collection[int] = (), entities: Collection[int] = ()) -> None:
        """Delete what was noted of the subjects of these sessions, or names these entities; a restore does without it."""
        Topic.objects.for_bond(self.bond).about(session_ids=sessions, entity_ids=entities).delete()

    def empty_summaries(self, lines: Collection[int]) -> None:
        """Empty the summaries of these messages' sessions, and titles made of them; the worker rebuilds them from the rest."""
        self.empty_titles(lines)
        told = Session.objects.for_bond(self.bond).filter(messages__in=lines).distinct()
        Forgotten.objects.for_bond(self.bond).drop_kept(told.values_list("pk", flat=True), "summaries")
        for session in told.exclude(summary="").order_by("id"):
            self.kept["summaries"][str(session.pk)] = [session.summary, session.watermark]
            Session.objects.filter(pk=session.pk).update(summary="")
            enqueue("memory.tasks.summarise", session.pk)

    def empty_titles(self, lines: Collection[int]) -> None:
        emptied = titles.empty(self.bond, lines=lines)
        if emptied:
            Forgotten.objects.for_bond(self.bond).drop_kept(emptied, "titles")
            self.taken["titles"] += map(int, emptied)
            self.kept["titles"] |= emptied

    def empty_descriptions(self, nodes: Collection[ConceptNode]) -> None:
        """Empty the descriptions of entities of these nodes, for the slow tick to rewrite; a person's stay."""
        self.clear_descriptions(Entity.objects.for_bond(self.bond).filter(mentions__node__in=nodes))

    def empty_descriptions_from_messages(self, lines: Collection[int]) -> None:
        """Empty descriptions from the sessions of these messages; which message each came from is not known."""
        sessions = Message.objects.for_bond(self.bond).filter(pk__in=lines).values("session")
        heard = Entity.objects.for_bond(self.bond).filter(description_by=Entity.Author.EXTRACTION)
        self.clear_descriptions(heard.filter(mentions__node__source_messages__session__in=sessions))

    def clear_descriptions(self, described: EntityQuerySet) -> None:
        ids = merging.collect_merged_ids(described.values_list("pk", flat=True))
        Forgotten.objects.for_bond(self.bond).drop_kept(ids, *DESCRIPTIONS.values())
        written = Entity.objects.filter(pk__in=ids, description_by__in=DESCRIPTIONS).exclude(description="")
        for pk, author, description in written.values_list("pk", "description_by", "description"):
            self.kept[DESCRIPTIONS[author]][str(pk)] = description
        staleness.empty_descriptions(ids, bond=self.bond, now=self.now)

    def record_event(self, type: str, **refs: int | str) -> None:
        events.record(bond_id=self.bond.pk, type=type, refs=refs, now=self.now)


def find_sessions(nodes: Collection[ConceptNode]) -> set[int]:
    told = NodeSource.objects.filter(node__in=nodes).values_list("message__session_id", flat=True)
    return {*told, *(node.session_id for node in nodes if node.session_id is not None)}


def add_to_counts(session_id: int, *, messages: int, tokens: int) -> None:
    Session.objects.filter(pk=session_id).update(
        message_count=Greatest(F("message_count") + messages, 0), token_count=Greatest(F("token_count") + tokens, 0)
    )


def find_sourceless_nodes(bond: Bond, *, lines: Collection[int], going: Collection[int] = ()) -> QuerySet[Any]:
    """Find the memories that were drawn from these messages and have no other left, as they are serialized.

    `going` are messages that are about to be deleted.
    """
    from_them = NodeSource.objects.filter(message__in=lines).values("node")
    there = NodeSource.objects.without_deleted_messages().filter(node=OuterRef("pk")).exclude(message__in=going)
    nodes = ConceptNode.objects.for_bond(bond).not_deleted().filter(~Exists(there), pk__in=from_them)
    return nodes.for_serializer().order_by("id")


def find_left_out_nodes(message: Message) -> QuerySet[Any]:
    """Find the memories that were drawn from a message and otherwise only from messages that are left out of memory, too."""
    left_out = Message.objects.for_bond(message.bond).filter(left_out=True).values_list("pk", flat=True)
    return find_sourceless_nodes(message.bond, lines=[message.pk], going=list(left_out))
