import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django_q.models import OrmQ

from memory import sessions
from memory.jobs.lease import claim_session
from memory.models import Entity, EntityAlias, Message, Session
from tests.support.factories import NOW, BondFactory, SessionFactory
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, model, talk

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each act gives when all begin at the same moment on connections of their own."""
    begin = threading.Barrier(len(acts))
    given: list[Any] = [None] * len(acts)

    def run(place: int, act: Callable[[], Any]) -> None:
        try:
            begin.wait(10)
            given[place] = act()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place, act)) for place, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return given


def test_one_session_is_opened_by_many_messages_and_new_chats_at_once():
    bond = BondFactory(user__username="mara")

    def line():
        with transaction.atomic():
            sessions.lock_bond(bond)
            return sessions.get_session_for_message(bond=bond, channel="web", now=NOW)

    opened = at_once(*[line] * 4, *[lambda: sessions.start_new(bond=bond, channel="web", now=NOW)] * 4)

    assert {session.pk for session in opened} == {Session.objects.get().pk}


def test_new_chats_at_once_close_one_session_and_open_one():
    bond = BondFactory()
    talk("hello", bond=bond)

    at_once(*[lambda: sessions.start_new(bond=bond, channel="web", now=NOW)] * 4)

    assert sorted(Session.objects.values_list("status", flat=True)) == ["closing", "open"]
    assert OrmQ.objects.count() == 1


def test_two_resumed_sessions_do_not_both_end_open():
    bond = BondFactory()
    olds = [SessionFactory(bond=bond, status="closed", message_count=2) for _ in range(2)]

    at_once(*[lambda old=old: sessions.reopen(bond=bond, session_id=old.pk, channel="web", now=NOW) for old in olds])

    assert sorted(Session.objects.values_list("status", flat=True)) == ["closing", "open"]


def test_messages_at_once_are_all_counted():
    session = talk("hello")

    at_once(*[lambda: talk("hi", bond=session.bond)] * 4)

    session.refresh_from_db()
    assert (session.message_count, session.token_count) == (5, 6)
    assert Message.objects.filter(session=session).count() == 5


def test_one_worker_claims_a_session():
    session = closed_talk(*CAT)

    claims = at_once(*[lambda: claim_session(session_id=session.pk, now=NOW)] * 4)

    assert sum(claim is not None for claim in claims) == 1
    session.refresh_from_db()
    assert session.attempt_count == 1


def test_two_scanners_and_two_workers_consolidate_once():
    session = closed_talk(*CAT)
    llm = model(extraction(event()), reflections=[{"thoughts": []}])

    at_once(*[lambda: consolidate(session, llm)] * 2, *[lambda: sessions.scan(now=NOW + timedelta(minutes=1))] * 2)

    session.refresh_from_db()
    assert session.status == "closed"
    assert [call.feature for call in llm.calls] == ["extraction", "reflection"]


def test_sessions_that_end_together_give_one_entity_a_name():
    bond = BondFactory(user__username="mara")
    ended = [closed_talk(*CAT, bond=bond, channel=channel) for channel in ("web", "api")]
    named = [{"canonical_name": "Nimbus", "kind": "pet"}]
    answers = [
        extraction(event(said), mentioned_entities=named) for said in ("Nimbus jumps.", "Nimbus has a red collar now.")
    ]

    at_once(
        *[
            lambda session=session, answer=answer: consolidate(session, model(answer))
            for session, answer in zip(ended, answers, strict=True)
        ]
    )

    assert set(Session.objects.values_list("status", flat=True)) == {"closed"}
    assert [entity.canonical_name for entity in Entity.objects.all()] == ["Nimbus"]
    assert EntityAlias.objects.get().entity.mentions.count() == 2


def test_messages_and_consolidation_of_a_bond_never_deadlock():
    bond = BondFactory(user__username="mara")
    ended = closed_talk(*CAT, bond=bond)
    mood = {"mood": "tender", "energy": 6}

    def resume():
        with transaction.atomic():
            sessions.lock_bond(bond)
            sessions.hold(session_id=ended.pk, until=NOW - timedelta(minutes=1))

    at_once(lambda: consolidate(ended, model(extraction(event(), session_mood_signal=mood))), *[resume] * 3)

    ended.refresh_from_db()
    assert ended.status == "closed"


def test_a_message_for_an_empty_session_is_never_swept_away_with_it():
    bond = BondFactory()
    SessionFactory(bond=bond)
    later = NOW + timedelta(days=2)

    at_once(lambda: talk_later(bond, later), lambda: sessions.delete_empty(now=later))

    assert Message.objects.get().session.message_count == 1


def talk_later(bond, now):
    with transaction.atomic():
        talk("hello", bond=bond, now=now)
