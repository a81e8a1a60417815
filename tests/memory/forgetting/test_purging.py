import re
from contextlib import closing
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from django_q.models import OrmQ, Schedule, Task

from chat.models import Turn
from echovessel.models import BondEvent, LedgerEntry
from memory import tasks
from memory.forgetting import purging, removal, rest_of_chat, trash, vacuuming
from memory.forgetting.trash import TrashError
from memory.jobs.queue import enqueue
from memory.models import (
    ConceptNode,
    ConsolidationStep,
    Entity,
    Event,
    Forgotten,
    Import,
    Mention,
    Message,
    NodeSource,
    Session,
    SlowTickRun,
    Tombstone,
)
from memory.models.forgetting import KEPT_FOR
from tests.support import traces
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
    TurnFactory,
)
from tests.support.talks import CAT, event, extraction, remember, thoughts
from tests.support.ticks import ended, tick

pytestmark = pytest.mark.django_db
MARK = "Zanzibarquux"
SAID = (f"My boat is called {MARK}.", f"I painted {MARK} green.", f"{MARK} leaks.")
BOAT = {
    "canonical_name": MARK,
    "kind": "other",
    "aliases": [f"Old {MARK}"],
    "in_events": [0],
    "description": f"{MARK}!",
}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def act(bond, row, kind):
    return trash.find(bond=bond, kind=kind, object_id=row.pk)


def forgotten_line(bond, **more):
    line = MessageFactory(session__bond=bond, **more)
    removal.forget_message(message=line, now=NOW)
    return line


@pytest.mark.parametrize(("after", "left"), [(KEPT_FOR, 0), (KEPT_FOR - timedelta(seconds=1), 1)])
def test_what_is_in_the_trash_is_erased_after_30_days(after, left, bond):
    forgotten_line(bond)

    said = []
    erased = purging.purge(now=NOW + after, say=said.append)

    assert (erased, said) == (1 - left, [1] * (1 - left))
    assert (Message.objects.count(), Forgotten.objects.count()) == (left, left)


def test_erased_now_a_message_is_gone_and_the_tables_are_vacuumed_once_by_a_task(bond):
    kept = MessageFactory(session__bond=bond)
    line, other = (forgotten_line(bond, session=kept.session) for _ in range(2))
    for one in (line, other):
        purging.erase(act=act(bond, one, "message"))

    assert list(Message.objects.all()) == [kept]
    assert list(Schedule.objects.values_list("func", "schedule_type", "repeats")) == [("memory.tasks.vacuum", "O", -1)]
    assert Schedule.objects.get().next_run <= timezone.now()
    with pytest.raises(TrashError):
        act(bond, line, "message")


def test_what_was_restored_meanwhile_is_not_erased(bond):
    line = forgotten_line(bond)
    waiting = list(Forgotten.objects.all())
    trash.restore(act=waiting[0], now=NOW)

    assert purging.erase_all(waiting) == 0
    assert Message.objects.visible().get() == line


def test_an_event_goes_with_its_edges_and_leaves_its_tombstone(bond):
    line = MessageFactory(session__bond=bond)
    node = ConceptNodeFactory(bond=bond, sources=[line])
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[node])
    EntityFactory(bond=bond, nodes=[node])
    removal.forget_node(node=node, now=NOW)
    purging.erase(act=act(bond, node, "event"))

    assert list(ConceptNode.objects.all()) == [thought]
    assert not NodeSource.objects.exists()
    assert not Mention.objects.exists()
    assert not thought.filling_edges.exists()
    assert Message.objects.visible().get() == line
    assert Tombstone.objects.get().lines == [line.pk]


def test_a_session_goes_with_all_below_it_and_what_was_forgotten_of_it_before(bond):
    session = remember(*CAT, bond=bond, answer=extraction(event()))
    turn = TurnFactory(session=session, status="done")
    LedgerEntry.objects.create(
        user_id=bond.user_id,
        bond_id=bond.pk,
        session_id=session.pk,
        turn_id=turn.pk,
        feature="reply",
        model="m",
        duration_ms=1,
        outcome="ok",
        created_at=NOW,
    )
    removal.forget_message(message=Message.objects.first(), now=NOW)
    offered = removal.forget_session(session=session, now=NOW)
    purging.erase(act=act(bond, session, "session"))

    assert [Session.objects.count(), Message.objects.count(), Turn.objects.count()] == [0, 0, 0]
    assert [ConsolidationStep.objects.count(), Forgotten.objects.count()] == [0, 0]
    assert list(ConceptNode.objects.all()) == offered
    assert list(LedgerEntry.objects.values_list("session_id", "turn_id")) == [(None, None)]


def test_with_a_chat_goes_what_an_edit_in_it_hid(bond):
    session = SessionFactory(bond=bond)
    line = MessageFactory(session=session, content=SAID[0])
    ConceptNodeFactory(bond=bond, description=SAID[0], sources=[line])
    rest_of_chat.forget(line, now=NOW)
    removal.forget_session(session=session, now=NOW + timedelta(days=1))

    purging.erase(act=Forgotten.objects.get(kind="session"))

    assert not ConceptNode.objects.exists()
    assert not Forgotten.objects.exists()


def test_an_entity_goes_with_its_names_and_what_was_merged_into_it(bond):
    node = ConceptNodeFactory(bond=bond)
    cat = EntityFactory(bond=bond, nodes=[node])
    EntityFactory(bond=bond, canonical_name="Inky", merged_into=cat)
    removal.forget_entity(entity=cat, now=NOW)
    purging.erase(act=act(bond, cat, "entity"))

    assert not Entity.objects.exists()
    assert ConceptNode.objects.get() == node


def test_turns_lose_the_traces_of_what_is_gone_and_go_with_their_last_message(bond):
    session = SessionFactory(bond=bond, status="closed")
    node, kept = ConceptNodeFactory.create_batch(2, bond=bond)
    cat = EntityFactory(bond=bond)
    line = MessageFactory(session=session)
    scored = {"score": 1.5, "terms": {"recency": 0.5}, "kept": True, "reason": None}
    items = [{"node": one.pk, "anchored_by": [cat.pk, "2026-01-01/2026-01-02"]} | scored for one in (node, kept)]
    trace = {"items": items, "words": [{"message": line.pk, "score": 1.0}], "cut": {}}
    turn = TurnFactory(session=session, status="done", trace=trace)
    cards = {"count": 2, "tokens": 40, "entities": [cat.pk, cat.pk + 1]}
    empty = {"items": [], "words": []}
    described = TurnFactory(session=session, status="done", trace=empty | {"cards": cards})
    over = TurnFactory(session=session, status="done", id=line.turn_id)
    strangers = TurnFactory(session__bond__user__username="charlie", status="done", trace=trace)
    for one in (turn, described):
        MessageFactory(session=session, turn_id=one.pk)
    for forget in (
        lambda: removal.forget_node(node=node, now=NOW),
        lambda: removal.forget_message(message=line, now=NOW),
        lambda: removal.forget_entity(entity=cat, now=NOW),
    ):
        forget()
    purging.erase_all(Forgotten.objects.all())

    turn.refresh_from_db()
    left = [{"node": kept.pk, "anchored_by": ["2026-01-01/2026-01-02"]} | scored]
    assert turn.trace == {"items": left, "words": [], "cut": {}}
    described.refresh_from_db()
    assert described.trace == empty | {"cards": cards | {"entities": [cat.pk + 1]}}
    assert not Turn.objects.filter(pk=over.pk).exists()
    strangers.refresh_from_db()
    assert strangers.trace == trace


def test_the_logs_lose_what_told_of_it(bond):
    node = ConceptNodeFactory(bond=bond)
    other = ConceptNodeFactory(bond=bond)
    for one in (node, other):
        BondEvent.objects.create(
            bond_id=bond.pk, seq=one.pk * 100, type="memory.event.created", refs={"node": one.pk}, created_at=NOW
        )
        for model in (ConceptNode, Event):
            LogEntry.objects.create(
                user=bond.user,
                content_type=ContentType.objects.get_for_model(model, for_concrete_model=False),
                object_id=str(one.pk),
                object_repr=MARK,
                action_flag=2,
            )
    removal.forget_node(node=node, now=NOW)
    purging.erase(act=act(bond, node, "event"))

    told = BondEvent.objects.order_by("type").values_list("type", "refs")
    assert list(told) == [
        ("memory.event.created", {"node": other.pk}),
        ("memory.node.forgotten", {"forgotten": node.pk, "node_type": "event"}),
    ]
    assert set(LogEntry.objects.values_list("object_id", flat=True)) == {str(other.pk)}


def done(func, *args):
    times = {"started": NOW, "stopped": NOW}
    return Task.objects.create(id=uuid4().hex, name=MARK, func=func, args=args, success=False, result=MARK, **times)


# Each task with what its number is the id of.
OF_SESSION = ("consolidate", "slow_tick", "summarise")
OF_BOND = ("embed_messages", "embed_restored")


def a_file(bond, **more):
    told = {"name": "a.txt", "kind": "text", "digest": uuid4().hex, "total": 1, "created_at": NOW, "touched_at": NOW}
    return Import.objects.create(bond=bond, **told, **more)


def a_session_beside(strangers_too: int):
    """A talk to be purged, and a stranger's bond, talk and file with the same numbers or others."""
    session = SessionFactory(bond__user__username="mara", id=strangers_too)
    charlie = BondFactory(id=strangers_too, user__username="charlie")
    SessionFactory(bond=charlie, id=strangers_too + 1)
    a_file(charlie, id=strangers_too)
    removal.forget_session(session=session, now=NOW)
    return session


def test_what_ran_for_a_bond_goes_whatever_task_it_was_and_nobody_elses():
    session = a_session_beside(4242)
    bond = session.bond
    own = a_file(bond)
    for name in OF_SESSION:
        done(f"memory.tasks.{name}", 4242)
    for name in OF_BOND:
        done(f"memory.tasks.{name}", bond.pk)
    done("memory.tasks.read_import", own.pk)
    kept = [
        *(done(f"memory.tasks.{name}", 4242) for name in (*OF_BOND, "read_import")),
        *(done(f"memory.tasks.{name}", 4243) for name in OF_SESSION),
        done("memory.tasks.scan"),
        done("memory.tasks.of_an_older_version", 4242),
        done("elsewhere.task", 4242),
    ]
    purging.erase(act=act(bond, session, "session"))

    assert {task.pk for task in Task.objects.all()} == {task.pk for task in kept}


def test_what_waits_for_a_purged_session_goes_and_nobody_elses():
    session = a_session_beside(4242)
    for name in (*OF_SESSION, *OF_BOND, "read_import"):
        enqueue(f"memory.tasks.{name}", 4242)
    enqueue("memory.tasks.consolidate", 4243)
    enqueue("memory.tasks.embed_restored", session.bond_id)
    OrmQ.objects.create(key="of another secret", payload="cannot be read", lock=NOW)
    purging.erase(act=act(session.bond, session, "session"))

    waiting = [(entry.task.get("func"), entry.task.get("args")) for entry in OrmQ.objects.order_by("id")]
    assert waiting == [
        *((f"memory.tasks.{name}", (4242,)) for name in (*OF_BOND, "read_import")),
        ("memory.tasks.consolidate", (4243,)),
        ("memory.tasks.embed_restored", (session.bond_id,)),
        (None, None),
    ]


def test_a_strangers_trash_is_left_alone(bond):
    forgotten_line(bond)
    strangers = forgotten_line(BondFactory(user__username="charlie"))
    purging.erase_all(Forgotten.objects.for_bond(bond))

    assert Message.objects.get() == strangers


@pytest.mark.django_db(transaction=True)
def test_the_command_erases_what_is_due_or_all_and_says_so(bond, capsys):
    forgotten_line(bond)
    Forgotten.objects.update(created_at=timezone.now())

    call_command("purge")
    first = capsys.readouterr().out.splitlines()
    call_command("purge", "--now", "--bond", str(BondFactory(user__username="lin").pk))
    other = capsys.readouterr().out.splitlines()
    call_command("purge", "--now", "--full")
    last = capsys.readouterr().out.splitlines()

    assert (first[0], other[0], last[:2]) == ("0 erased", "0 erased", ["  erased 1 of 1", "1 erased"])
    assert re.fullmatch(r"\d\d+ tables vacuumed", last[2])
    assert not Message.objects.exists()
    with pytest.raises(CommandError, match="there is no bond 999999"):
        call_command("purge", "--bond", "999999")


@pytest.mark.django_db(transaction=True)
def test_the_nightly_purge_erases_what_is_due(bond):
    forgotten_line(bond)
    Forgotten.objects.update(created_at=timezone.now() - KEPT_FOR)

    assert (tasks.purge(), tasks.purge(), Message.objects.count()) == (1, 0, 0)


@pytest.mark.django_db(transaction=True)
def test_a_table_in_use_is_vacuumed_without_being_written_anew(monkeypatch):
    monkeypatch.setattr(vacuuming, "LOCK_SECONDS", 0.01)
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("BEGIN; LOCK TABLE memory_message IN ROW SHARE MODE")
        with connection.cursor() as own:
            written = vacuuming.rewrite_table(own, "memory_message")
        vacuuming.vacuum()
        cursor.execute("ROLLBACK")
    other.close()

    assert written is False


@pytest.mark.django_db(transaction=True)
def test_an_old_transaction_in_another_database_of_the_server_stops_no_full_vacuum(bond):
    """A plain vacuum does not look at it, a full one does: it reads a deleted row whose long text is vacuumed already."""
    with closing(connection.copy()) as other, connection.cursor() as own:
        other.settings_dict = connection.settings_dict | {"NAME": "postgres"}
        other.cursor().execute("BEGIN; SELECT pg_current_xact_id()")
        run = ended(bond, prompt="".join(str(uuid4()) for _ in range(400)))
        run.delete()
        own.execute("SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 'memory_slowtickrun'::regclass")
        own.execute(f"VACUUM {own.fetchone()[0]}")
        vacuuming.vacuum(is_full=True)
        own.execute("SELECT pg_relation_size('memory_slowtickrun')")

        assert own.fetchone() == (0,)


def test_tables_of_accounts_and_companions_are_vacuumed_too():
    assert {"account_emailaddress", "personas_coreblock", "personas_user"} <= {*vacuuming.list_tables()}


def said_and_distilled(bond):
    """A fact wherever memory keeps something of what was said: its sessions and its event."""
    signal = {"mood": f"fond of {MARK}", "energy": 7, "last_user_signal": None}
    first = remember(
        *SAID,
        bond=bond,
        answer=extraction(
            event(f"The user has a boat, {MARK}.", lines=[1, 2, 3], impact=9),
            mentioned_entities=[BOAT],
            session_summary=f"{MARK} leaks.",
            self_check_notes=f"{MARK}?",
            session_mood_signal=signal,
        ),
    )
    node = ConceptNode.objects.get()
    thought = {"description": f"They love {MARK}.", "emotional_impact": 3, "filling": [node.pk]}
    second = remember(
        *SAID,
        bond=bond,
        answer=extraction(event(f"{MARK} is the user's pride.", lines=[1, 2, 3], impact=9)),
        reflections=[thoughts(thought)],
    )
    return [first, second], node


@pytest.mark.django_db(transaction=True)
def test_after_a_purge_no_byte_is_left(bond):
    talks, node = said_and_distilled(bond)
    tick(
        bond, {"thoughts": [{"description": f"{MARK} again.", "filling": [node.pk]}], "salient_questions": [f"{MARK}?"]}
    )
    ended(bond, prompt=f"[{node.pk}] (2026-11-21) {MARK}", notes=MARK)
    Entity.objects.update(description=f"{MARK} is green.", description_by="slow_tick")
    done("memory.tasks.consolidate", talks[0].pk)
    vacuuming.vacuum()
    before = traces.places(MARK)
    removal.forget_node(node=node, dependents="cascade", lines="forget", now=NOW)
    for session in talks:
        for offered in removal.forget_session(session=session, now=NOW):
            removal.forget_node(node=offered, dependents="cascade", now=NOW)
    between = SlowTickRun.objects.exclude(prompt="").count()

    call_command("purge", "--now")

    assert len(before) > 10
    assert between == 0
    assert traces.places(MARK) == []
    assert traces.places("mara") != []
