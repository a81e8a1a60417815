"""Several workers and scanners at once, on connections of their own: everything is done once, and in order."""

import json
import re
from collections import Counter
from datetime import timedelta

import pytest
from django.db import transaction

from echovessel.llm.protocol import Answer
from echovessel.models import BondEvent
from memory import sessions
from memory.consolidation import run
from memory.consolidation.slow_tick import run as slow_tick
from memory.entities import merging
from memory.forgetting import removal
from memory.messages.ingest import ingest
from memory.models import (
    ConceptNode,
    ConsolidationStep,
    Entity,
    Message,
    ReflectionRun,
    Separation,
    Session,
    SlowTickRun,
)
from memory.nodes import corrections, outcomes
from tests.memory.test_races import at_once
from tests.support import memory_rules
from tests.support.acquaintance import acquainted
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory
from tests.support.fakes import Call, FakeLLM
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, talk

pytestmark = pytest.mark.django_db(transaction=True)
MINUTE = timedelta(minutes=1)


class Answering(FakeLLM):
    """One for all threads: what it says depends on what it is asked alone."""

    def answer(self, messages, *, feature, origin, **more):
        self.calls.append(Call(feature, list(messages), origin))
        prompt = messages[-1]["content"]
        ids = [int(line[1 : line.index("]")]) for line in prompt.splitlines() if line.startswith("[")]
        talk = re.search(r"user: Talk (\d)", prompt)
        answers = {
            "extraction": extraction(
                event(f"Nimbus jumped in talk {talk and talk[1]}.", impact=-8),
                mentioned_entities=[{"canonical_name": "Nimbus", "kind": "pet", "aliases": ["the cat"]}],
                session_mood_signal={"mood": "tired", "energy": 3},
            ),
            "reflection": {"thoughts": [{"description": "They give in to the cat.", "filling": ids}]},
            "slow_tick": {"thoughts": [{"description": "The nights are short.", "filling": ids}]},
        }
        return Answer(json.dumps(answers[feature]), self.usage)


def worker(llm, *ids):
    """A worker that takes up every session, as the queue may hand each to each."""
    return lambda: [run.consolidate(session_id=pk, llm=llm, clock=lambda: NOW) for pk in ids]


def test_three_workers_and_two_scanners_do_six_sessions_of_two_bonds_once():
    bonds = [BondFactory(user__username=name) for name in ("mara", "lin")]
    ended = [closed_talk(*CAT, f"Talk {at}.", bond=bond) for bond in bonds for at in range(3)]
    ids = [session.pk for session in ended]
    llm = Answering()

    workers = [worker(llm, *ids[turn:], *ids[:turn]) for turn in (0, 2, 4)]
    at_once(*workers, *[lambda: sessions.scan(now=NOW + MINUTE)] * 2)

    assert set(Session.objects.values_list("status", "attempt_count", "lease_token")) == {("closed", 0, None)}
    assert Counter(call.feature for call in llm.calls)["extraction"] == len(ids)
    steps = ConsolidationStep.objects.values_list("session", "phase")
    assert Counter(steps).most_common(1)[0][1] == 1
    assert set(steps.values_list("session", flat=True)) == set(ids)
    boundaries = BondEvent.objects.filter(type="chat.session.boundary", refs__closed_session__in=ids)
    assert sorted(entry.refs["closed_session"] for entry in boundaries) == ids
    for bond in bonds:
        assert [entity.canonical_name for entity in Entity.objects.for_bond(bond)] == ["Nimbus"]
        assert ReflectionRun.objects.filter(bond=bond).count() == 3
        numbers = BondEvent.objects.filter(bond_id=bond.pk).order_by("seq").values_list("seq", flat=True)
        assert list(numbers) == list(range(1, len(numbers) + 1))


def test_two_scanners_close_an_idle_session_once():
    session = talk(*CAT)
    later = NOW + timedelta(minutes=31)

    at_once(*[lambda: sessions.scan(now=later)] * 4, lambda: talk("Still there?", bond=session.bond, now=later))

    closed = Session.objects.exclude(status="open").get()
    assert (closed.pk, closed.status, closed.close_reason) == (session.pk, "closing", "idle")
    assert Session.objects.get(status="open").message_count == 1


def test_one_of_many_workers_thinks_between_two_sessions():
    bond = BondFactory(user__username="mara")
    session = closed_talk(*CAT, bond=bond)
    ConceptNodeFactory(bond=bond, session=session, emotional_impact=8)
    llm = Answering()

    at_once(*[lambda: slow_tick.run(session_id=session.pk, llm=llm, clock=lambda: NOW)] * 4)

    assert [call.feature for call in llm.calls] == ["slow_tick"]
    assert [run.outcome for run in SlowTickRun.objects.all()] == ["done"]
    assert ConceptNode.objects.thoughts().count() == 1


def test_a_slow_tick_and_consolidations_of_its_bond_do_not_stand_in_each_others_way():
    bond = BondFactory(user__username="mara")
    first = consolidate(closed_talk(*CAT, bond=bond), Answering())
    others = [closed_talk(*CAT, f"Talk {at}.", bond=bond, channel=channel) for at, channel in enumerate(("web", "api"))]
    llm = Answering()

    at_once(
        *(worker(llm, other.pk) for other in others),
        lambda: slow_tick.run(session_id=first.pk, llm=llm, clock=lambda: NOW),
        lambda: sessions.scan(now=NOW + MINUTE),
    )

    assert set(Session.objects.values_list("status", flat=True)) == {"closed"}
    assert [run.outcome for run in SlowTickRun.objects.all()] == ["done"]


def test_replies_that_land_while_their_session_is_consolidated_are_stored_and_it_ends():
    session = closed_talk(*CAT)
    turns = list(Message.objects.order_by("id").values_list("turn_id", flat=True))

    def reply(turn_id):
        with transaction.atomic():
            sessions.lock_bond(session.bond)
            ingest(session=session, role="persona", content="A good name.", turn_id=turn_id, now=NOW)

    at_once(worker(Answering(), session.pk), *[lambda turn_id=turn_id: reply(turn_id) for turn_id in turns])

    session.refresh_from_db()
    assert session.status == "closed"
    assert Message.objects.filter(role="persona", session=session).count() == len(turns)
    assert session.message_count == len(CAT) + len(turns)


def test_jobs_and_people_that_change_one_memory_at_once_neither_deadlock_nor_break_a_rule():
    known = acquainted()
    bond, now = known["bond"], NOW + MINUTE
    ended = [closed_talk(*CAT, f"Talk {at}.", bond=bond, channel=channel) for at, channel in enumerate(("web", "api"))]
    anna, annie, scott = (Entity.objects.get(bond=bond, canonical_name=name) for name in ("Anna", "Annie", "Scott"))
    llm = Answering()

    at_once(
        *(worker(llm, session.pk) for session in ended),
        lambda: slow_tick.run(session_id=ended[0].pk, llm=llm, clock=lambda: now),
        lambda: removal.forget_node(node=known["thought"], now=now),
        lambda: corrections.correct(node=known["cat"], description="Nimbus is a cat of the sea.", now=now),
        lambda: merging.undo(merge=merging.merge_entities(kept=anna, merged=annie, by="owner", now=now), now=now),
        lambda: merging.separate_entities(a=scott, b=scott.merge_target, by="owner", now=now),
        lambda: outcomes.settle_by_hand(node=known["promised"], outcome="kept", now=now),
        lambda: outcomes.expire(now=now + timedelta(days=61)),
        lambda: sessions.scan(now=now),
    )

    assert set(Session.objects.values_list("status", flat=True)) == {"closed"}
    assert ConceptNode.objects.get(pk=known["cat"].pk).superseded_by.description == "Nimbus is a cat of the sea."
    assert ConceptNode.objects.get(pk=known["promised"].pk).state == "kept"
    assert ConceptNode.objects.get(pk=known["awaited"].pk).state == "expired"
    assert Separation.objects.count() == 1
    assert list(Entity.objects.exclude(merged_into=None)) == []
    memory_rules.check(bond)
