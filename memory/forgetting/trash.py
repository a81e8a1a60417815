"""The trash: what was forgotten in the last 30 days, and how it is restored.

A restore brings back the rows that the act hid, the marks on edges, the counts of sessions, and emptied summaries and
descriptions, unless more of these was forgotten since. Stored prompts and answers of jobs stay empty.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from echovessel import events, text
from echovessel.errors import CodedError
from memory import sessions
from memory.entities import mentions, merging, pairs
from memory.entities.names import find_by_names
from memory.forgetting import acts, moods, replaced_facts, titles
from memory.jobs.queue import enqueue
from memory.messages import tombstones
from memory.models import (
    ConceptNode,
    Doubt,
    Entity,
    EntityAlias,
    Filling,
    Forgotten,
    Message,
    NodeSource,
    Session,
    Tombstone,
)
from memory.nodes import staleness
from memory.story import withdrawal
from personas.models import Bond

Kind = Forgotten.Kind
NODE_KINDS = (Kind.EVENT, Kind.FACT, Kind.THOUGHT, Kind.INTENTION, Kind.EXPECTATION)


class TrashError(CodedError):
    """Something that is not in the trash, or cannot be restored now."""


def find(*, bond: Bond, kind: str, object_id: int) -> Forgotten:
    """Find the act that forgot this row. Raises TrashError `not_found`."""
    act = Forgotten.objects.for_bond(bond).filter(kind=kind, object_id=object_id).select_related("bond__user").first()
    if act is None:
        raise TrashError("not_found", "This is not in the trash.")
    return act


def attach_texts(acts_of_bond: Sequence[Forgotten]) -> list[Any]:
    """Attach to acts what `ForgottenSerializer` shows beside the row, in one query for each kind."""
    first_line = Message.objects.filter(session=OuterRef("pk")).order_by("id").values("content")[:1]
    chats = Session.objects.annotate(first_line=Subquery(first_line))
    texts = {
        **load_texts(acts_of_bond, [Kind.MESSAGE], Message.objects.only("content"), lambda line: line.content),
        **load_texts(acts_of_bond, [Kind.SESSION], chats, lambda chat: chat.shown_title or chat.first_line or ""),
        **load_texts(acts_of_bond, NODE_KINDS, ConceptNode.objects.only("description"), lambda node: node.description),
        **load_texts(
            acts_of_bond, [Kind.ENTITY], Entity.objects.only("canonical_name"), lambda one: one.canonical_name
        ),
    }
    for act in acts_of_bond:
        act.text = texts.get((act.kind, act.object_id), "")  # type: ignore[attr-defined]  # as an annotation would
    return list(acts_of_bond)


def load_texts(
    acts_of_bond: Iterable[Forgotten], kinds: Collection[str], rows: QuerySet[Any], text_of: Callable[[Any], str]
) -> dict[tuple[str, int], str]:
    wanted = [(act.kind, act.object_id) for act in acts_of_bond if act.kind in kinds]
    found = rows.in_bulk([pk for _, pk in wanted]) if wanted else {}
    return {(kind, pk): text_of(found[pk]) for kind, pk in wanted if pk in found}


@transaction.atomic
def restore(*, act: Forgotten, now: datetime) -> None:
    """Restore exactly what an act hid. Raises TrashError: `not_found`, `name_taken`, `conflict`, `changed`."""
    sessions.lock_bond(act.bond)
    act = find(bond=act.bond, kind=act.kind, object_id=act.object_id)
    back = Restorer(act.bond, now)
    require_restorable(act)
    back.restore_sessions(act.taken.get("sessions", []))
    back.restore_messages(act.taken.get("lines", []), aloud=act.kind != Kind.SESSION)
    for session_id, messages, tokens in act.taken.get("counts", []):
        acts.add_to_counts(session_id, messages=messages, tokens=tokens)
    replaced_facts.replace_again(act.bond, detached=act.taken.get("revived", []), now=now)
    back.restore_nodes(act.taken.get("nodes", []))
    staleness.refresh(bond=act.bond, nodes=[one[0] for one in act.taken.get("revived", [])], now=now)
    replaced_facts.redo(act.bond, writes=act.taken.get("writes", []), undone_at=act.created_at, now=now)
    back.reopen_doubts(act.taken.get("settled", []))
    back.restore_entities(act)
    back.restore_texts(act)
    withdrawal.tell_anew(act.bond)
    act.delete()


@transaction.atomic
def restore_node(*, node: ConceptNode, now: datetime) -> None:
    """Restore a node: with the whole act if the act was about it, else alone. Raises TrashError."""
    sessions.lock_bond(node.bond)
    acts_of_bond = Forgotten.objects.for_bond(node.bond)
    meant = acts_of_bond.filter(kind=node.type, object_id=node.pk).first()
    if meant is not None:
        restore(act=meant, now=now)
        return
    with_it = acts_of_bond.filter(taken__nodes__contains=[node.pk]).first()
    if with_it is None:
        raise TrashError("not_found", "This is not in the trash.")
    replaced = [one for one in with_it.taken.get("revived", []) if one[1] == node.pk]
    require_free_slots(node.bond, [node.pk], but=[one[0] for one in replaced])
    with_it.taken["nodes"].remove(node.pk)
    with_it.taken["revived"] = [one for one in with_it.taken.get("revived", []) if one not in replaced]
    with_it.save(update_fields=["taken"])
    replaced_facts.replace_again(node.bond, detached=replaced, now=now)
    Restorer(node.bond, now).restore_nodes([node.pk])
    withdrawal.tell_anew(node.bond)


def require_restorable(act: Forgotten) -> None:
    """Raise TrashError where something prevents the restore."""
    if (
        act.kind == Kind.MESSAGE
        and Message.objects.filter(pk=act.object_id, session__deleted_at__isnull=False).exists()
    ):
        raise TrashError("conflict", "The chat of this message is in the trash. Restore the chat.")
    gave_way = [one[0] for one in act.taken.get("revived", [])]
    require_free_slots(act.bond, act.taken.get("nodes", []), but=gave_way)
    if act.kind == Kind.ENTITY:
        taken = find_taken_names(act).first()
        if taken is not None:
            raise TrashError("name_taken", "Someone or something else has the name “%(name)s” now.", name=taken.name)


def require_free_slots(bond: Bond, ids: Collection[int], *, but: Collection[int]) -> None:
    """Raise TrashError `changed` where another fact, but for those that give way, stands in the slot of one of these."""
    coming = ConceptNode.objects.for_bond(bond).filter(pk__in=ids, state=ConceptNode.State.LIVE).exclude(slot="")
    holding = ConceptNode.objects.for_bond(bond).live_facts().filter(slot__in=coming.values("slot"))
    if holding.exclude(pk__in=but).exists():
        raise TrashError("changed", "Another fact stands in its place now. Change that one.")


def find_taken_names(act: Forgotten) -> QuerySet[EntityAlias]:
    live = EntityAlias.objects.not_deleted().filter(bond=act.bond, folded=OuterRef("folded"))
    return EntityAlias.objects.filter(Exists(live), pk__in=act.taken.get("aliases", [])).order_by("id")


class Restorer:
    """Restores rows, under the bond's lock."""

    def __init__(self, bond: Bond, now: datetime) -> None:
        self.bond = bond
        self.now = now

    def restore_sessions(self, ids: Collection[int]) -> None:
        for session in Session.objects.filter(bond=self.bond, pk__in=ids):
            if sessions.find_open_session(self.bond, session.channel) is not None:
                # Another session is open: this one stays closed.
                sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=self.now)
            Session.objects.filter(pk=session.pk).update(deleted_at=None)
            moods.refresh_mood(self.bond, left=session, now=self.now)
            self.record_event("chat.session.restored", session=session.pk)

    def restore_messages(self, ids: Collection[int], *, aloud: bool) -> None:
        messages = Message.objects.for_bond(self.bond).filter(pk__in=ids)
        messages.update(deleted_at=None)
        from_them = NodeSource.objects.filter(message__in=ids).values("node")
        nodes = ConceptNode.objects.for_bond(self.bond).filter(pk__in=from_them)
        nodes.exclude(has_deleted_source()).update(source_deleted=False)
        for pk in messages.order_by("id").values_list("pk", flat=True) if aloud else []:
            self.record_event("chat.message.restored", message=pk)

    def restore_nodes(self, ids: Collection[int]) -> None:
        nodes = ConceptNode.objects.for_bond(self.bond).filter(pk__in=ids)
        # Its messages were extracted again meanwhile, with another result.
        in_its_place = ConceptNode.objects.not_deleted().filter(bond=self.bond, answer_key=OuterRef("answer_key"))
        nodes.filter(Exists(in_its_place)).update(answer_key=None)
        nodes.update(deleted_at=None)
        nodes.filter(has_deleted_source()).update(source_deleted=True)
        Filling.objects.filter(child__in=ids).update(orphaned=False)
        Filling.objects.filter(parent__in=ids, child__deleted_at__isnull=False).update(orphaned=True)
        tombstones.delete_for(bond=self.bond, of=Tombstone.Of.NODE, ids=ids)
        for pk in nodes.order_by("id").values_list("pk", flat=True):
            self.record_event("memory.node.restored", node=pk)
        staleness.propagate(bond=self.bond, nodes=ids, now=self.now, ways=[False])

    def reopen_doubts(self, ids: Collection[int]) -> None:
        """Open the doubts that the act settled, unless one about the same was opened since."""
        settled = Doubt.objects.for_bond(self.bond).filter(pk__in=ids, outcome=Doubt.Outcome.GONE)
        there = settled.filter(a_node__deleted_at=None).exclude(b_node__deleted_at__isnull=False)
        for doubt in there.select_related("bond").order_by("id"):
            again = Doubt.objects.for_bond(self.bond).open().filter(a_node=doubt.a_node_id, b_node=doubt.b_node_id)
            if not again.exists():
                doubt.open_again(now=self.now)

    def restore_entities(self, act: Forgotten) -> None:
        """Restore entities with their names and pairs; a name learned anew meanwhile stays with its new entity."""
        given_way = set(find_taken_names(act).values_list("entity", flat=True))
        self.yield_names(given_way)
        ids = [pk for pk in act.taken.get("entities", []) if pk not in given_way]
        Entity.objects.filter(bond=self.bond, pk__in=ids).update(deleted_at=None)
        EntityAlias.objects.filter(pk__in=act.taken.get("aliases", []), entity__in=ids).update(deleted_at=None)
        tombstones.delete_for(bond=self.bond, of=Tombstone.Of.NAME, ids=ids)
        self.restore_doubts(act.taken.get("doubts", []))
        for pk in Entity.objects.not_deleted_or_merged().filter(pk__in=ids).order_by("id").values_list("pk", flat=True):
            self.record_event("memory.entity.restored", entity=pk)

    def yield_names(self, ids: Collection[int]) -> None:
        for entity in Entity.objects.filter(bond=self.bond, pk__in=ids):
            names = [text.fold(alias.name) for alias in entity.aliases.all()]
            nodes = list(ConceptNode.objects.filter(mentions__entity=entity).prefetch_related("source_messages"))
            for other in find_by_names(bond=self.bond, names=names):
                mentions.link(entity=other, nodes=nodes)
            entity.delete()

    def restore_doubts(self, settled: Iterable[list[Any]]) -> None:
        for pk, about, was_certain in settled:
            certain = Entity.objects.not_deleted_or_merged().filter(pk=pk, merge_status=Entity.MergeStatus.CONFIRMED)
            if Entity.objects.not_deleted_or_merged().filter(pk=about).exists() and not merging.are_separate(pk, about):
                before = {} if was_certain else {"confirmed_at": None}
                certain.update(merge_status=Entity.MergeStatus.UNCERTAIN, merge_target=about, **before)
        pairs.follow(self.bond, now=self.now)

    def restore_texts(self, act: Forgotten) -> None:
        for pk, (summary, watermark) in act.kept.get("summaries", {}).items():
            Session.objects.for_bond(self.bond).filter(pk=pk, watermark=watermark).update(summary=summary)
        titles.restore(self.bond, emptied=act.taken.get("titles", []), kept=act.kept.get("titles", {}))
        for author, name in acts.DESCRIPTIONS.items():
            for pk, description in act.kept.get(name, {}).items():
                bare = Entity.objects.for_bond(self.bond).filter(pk=pk, description="", description_by="")
                if bare.update(description=description, description_by=author):
                    self.record_event("memory.entity.description_updated", entity=int(pk))
        told_in = Session.objects.for_bond(self.bond).filter(messages__in=act.taken.get("lines", []), summary="")
        for session in told_in.filter(watermark__gt=0).distinct():
            enqueue("memory.tasks.summarise", session.pk)

    def record_event(self, type: str, **refs: int) -> None:
        events.record(bond_id=self.bond.pk, type=type, refs=refs, now=self.now)


def has_deleted_source() -> Exists:
    """Whether one of a node's source messages is forgotten."""
    gone = Q(message__deleted_at__isnull=False) | Q(message__session__deleted_at__isnull=False)
    return Exists(NodeSource.objects.filter(gone, node=OuterRef("pk")))
