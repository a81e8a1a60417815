"""Erase what is in the trash for good: rows, their vectors, and every text derived from them.

Each act is one transaction. Deleted rows stay in the tables' files until a vacuum, which no transaction may run: the
command, the nightly task, and a task of its own after *erase now* call `vacuum`.
"""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Min, Model, Q
from django.utils.module_loading import import_string

from echovessel.models import BondEvent, LedgerEntry
from memory import sessions
from memory.forgetting import traces, trash
from memory.jobs import queue
from memory.models import (
    ConceptNode,
    Entity,
    FactWrite,
    Forgotten,
    Import,
    MainDirections,
    Message,
    Proposal,
    Session,
    Topic,
)
from personas import erasing

# Events about the deletion itself: they hold only ids.
DELETION_EVENTS = ("chat.message.deleted", "chat.session.forgotten", "memory.node.forgotten", "memory.entity.forgotten")


def purge(*, now: datetime, say: Callable[[int], None] = lambda done: None) -> int:
    """Erase what has been in the trash for 30 days. Returns how many acts; calls `say` after each. It may be
    interrupted.
    """
    return erase_all(Forgotten.objects.due(now), say=say)


def erase_all(acts: Iterable[Forgotten], *, say: Callable[[int], None] = lambda done: None) -> int:
    done = 0
    for act in list(acts):
        with transaction.atomic():
            sessions.lock_bond(act.bond)
            # It was restored or erased meanwhile.
            locked = Forgotten.objects.filter(pk=act.pk).select_related("bond").first()
            if locked is not None:
                delete_rows(locked)
                done += 1
                say(done)
    return done


@transaction.atomic
def erase(*, act: Forgotten) -> None:
    """Erase an act's rows now, and every text derived from them. Raises TrashError where it is not in the trash."""
    sessions.lock_bond(act.bond)
    delete_rows(trash.find(bond=act.bond, kind=act.kind, object_id=act.object_id))
    queue.enqueue_once("memory.tasks.vacuum")


def delete_rows(act: Forgotten) -> None:
    """Delete the rows, with all that acts on rows among them hid besides, under the bond's lock."""
    gone = PurgedRows(act)
    act.delete()
    for within in gone.load_acts_within():
        delete_rows(within)
    traces.empty(bond=act.bond, lines=gone.lines, nodes=gone.nodes, entities=gone.entities)
    for hook in settings.PURGE_HOOKS:
        import_string(hook)(gone)
    # The costs of calls stay; the ledger is found by its user.
    calls = LedgerEntry.objects.filter(user_id=gone.bond.user_id, session_id__in=gone.sessions)
    calls.update(session_id=None, turn_id=None)
    delete_log_entries(gone)
    delete_tasks(gone)
    gone.delete()


class PurgedRows:
    """The rows that an act hid and that are deleted."""

    def __init__(self, act: Forgotten) -> None:
        self.bond = act.bond
        self.forgotten_at = act.created_at
        self.nodes = list(ConceptNode.objects.for_bond(act.bond).filter(pk__in=act.taken.get("nodes", [])))
        self.entities: list[int] = act.taken.get("entities", [])
        self.sessions: list[int] = act.taken.get("sessions", [])
        of_sessions = Message.objects.for_bond(act.bond).filter(session__in=self.sessions)
        taken = Message.objects.for_bond(act.bond).filter(pk__in=act.taken.get("lines", []))
        self.lines = sorted({*taken.values_list("pk", flat=True), *of_sessions.values_list("pk", flat=True)})

    @property
    def since(self) -> datetime:
        """The time of the oldest row: no earlier turn can hold its text."""
        rows = [(ConceptNode, self.node_ids), (Entity, self.entities), (Message, self.lines)]
        began = [model._default_manager.filter(pk__in=ids).aggregate(at=Min("created_at"))["at"] for model, ids in rows]
        return min((at for at in began if at is not None), default=self.forgotten_at)

    @property
    def node_ids(self) -> list[int]:
        return [node.pk for node in self.nodes]

    def list_rows(self) -> list[tuple[type[Model], Collection[int]]]:
        return [(ConceptNode, self.node_ids), (Entity, self.entities), (Session, self.sessions), (Message, self.lines)]

    def load_acts_within(self) -> list[Forgotten]:
        """Load the other acts on these messages and entities: nothing could restore them any more."""
        within = Q(kind="message", object_id__in=self.lines) | Q(kind="entity", object_id__in=self.entities)
        return list(Forgotten.objects.for_bond(self.bond).filter(within).select_related("bond"))

    def delete(self) -> None:
        quotes = {node.source_quote for node in self.nodes if node.source_quote}
        Proposal.objects.filter(bond=self.bond, source_quote__in=quotes).delete()
        # A turn that ran while they were forgotten may have noted them.
        Topic.objects.for_bond(self.bond).about(session_ids=self.sessions, entity_ids=self.entities).delete()
        if self.lines:
            # Made of their vectors, too; the next turn makes them anew.
            MainDirections.objects.filter(bond=self.bond).delete()
        for model, ids in self.list_rows():
            model._default_manager.filter(pk__in=ids).delete()


def delete_log_entries(gone: PurgedRows) -> None:
    """Delete the rows' entries of the event log and the admin's log."""
    named = Q(refs__node__in=gone.node_ids) | Q(refs__message__in=gone.lines)
    named |= Q(refs__entity__in=gone.entities) | Q(refs__merged__in=gone.entities)
    named |= Q(refs__write__in=list(FactWrite.objects.filter(node__in=gone.nodes).values_list("pk", flat=True)))
    named |= Q(refs__session__in=gone.sessions) | Q(refs__closed_session__in=gone.sessions)
    BondEvent.objects.filter(named, bond_id=gone.bond.pk).exclude(type__in=DELETION_EVENTS).delete()
    for model, ids in gone.list_rows():
        erasing.drop_admin_log(model, ids)


def delete_tasks(gone: PurgedRows) -> None:
    """Delete waiting tasks of the sessions, and records of finished tasks of the bond."""
    if gone.sessions:
        queue.delete_waiting_tasks(lambda name, pk: name == "session_id" and pk in gone.sessions)
    queue.delete_finished_tasks(partial(queue.belongs_to_bond, gone.bond, below={Session: "bond", Import: "bond"}))
