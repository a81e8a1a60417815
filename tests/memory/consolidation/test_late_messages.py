"""A reply that lands in its turn's session though that is closing already: it is kept, and nothing waits for it."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.db import transaction

from memory import sessions
from memory.consolidation import run
from memory.messages.ingest import ingest
from memory.models import ConceptNode, Message, Session
from memory.sessions import SessionError
from tests.memory.consolidation.test_changed_meanwhile import Interrupted
from tests.support.factories import NOW
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, model, talk

pytestmark = pytest.mark.django_db

REPLY = "I will ask you tomorrow how he slept."
PROMISE = event("Ask how the cat slept.", subject="persona", lines=[4], impact=0)


def lands(session: Session):
    said = Message.objects.filter(session=session).latest("id")
    assert said.turn_id is not None
    return partial(ingest, session=session, role="persona", content=REPLY, turn_id=said.turn_id, now=NOW)


def test_before_the_first_call_it_is_read_with_the_rest():
    session = closed_talk(*CAT)
    lands(session)()
    llm = model(extraction(event(), PROMISE))

    session = consolidate(session, llm)

    assert REPLY in llm.calls[0].text
    assert (session.status, session.watermark) == ("closed", Message.objects.latest("id").pk)
    assert ConceptNode.objects.get(type="intention").source_messages.get().content == REPLY


def test_while_the_session_is_extracted_it_is_read_next():
    session = closed_talk(*CAT)
    answers = [extraction(event()), extraction(PROMISE)]
    llm = Interrupted(0, lands(session), extraction=answers, reflection={"thoughts": []})

    session = consolidate(session, llm)

    assert [(call.feature, f"persona: {REPLY}" in call.text) for call in llm.calls] == [
        ("extraction", False),
        ("extraction", True),
        ("reflection", False),
    ]
    assert (session.status, session.watermark) == ("closed", Message.objects.latest("id").pk)


def test_while_it_is_reflected_on_it_waits_past_the_watermark_for_the_session_to_go_on():
    session = closed_talk(*CAT)
    llm = Interrupted(1, lands(session), extraction=extraction(event()), reflection={"thoughts": []})

    session = consolidate(session, llm)

    assert session.status == "closed"
    assert [line.content for line in Message.objects.past_watermark(session)] == [REPLY]
    sessions.reopen(bond=session.bond, session_id=session.pk, channel="web", now=NOW)
    talk("He slept.", "So did I.", bond=session.bond)
    session.refresh_from_db()
    sessions.close(session=session, reason="explicit", now=NOW)
    again = model(extraction(PROMISE))
    assert consolidate(session, again).watermark == Message.objects.latest("id").pk
    assert f"persona: {REPLY}" in again.calls[0].text


def test_while_its_turn_holds_the_session_nobody_begins():
    session = closed_talk(*CAT)
    sessions.hold(session_id=session.pk, until=NOW + timedelta(minutes=1))
    llm = model(extraction(event()))

    assert run.consolidate(session_id=session.pk, llm=llm, clock=lambda: NOW) is False
    lands(session)()
    sessions.release(session_id=session.pk, now=NOW)

    assert consolidate(session, llm).status == "closed"
    assert f"persona: {REPLY}" in llm.calls[0].text


@pytest.mark.parametrize("status", ["closing", "consolidating", "closed", "failed"])
def test_a_message_of_the_user_lands_in_no_session_that_is_not_open(status):
    session = closed_talk(*CAT)
    Session.objects.update(status=status)

    with pytest.raises(SessionError, match=f"This session is {status}"), transaction.atomic():
        ingest(session=session, role="user", content="Wait.", turn_id=uuid4(), now=NOW)
    assert talk("Wait.", bond=session.bond).pk != session.pk
