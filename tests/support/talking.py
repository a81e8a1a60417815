"""Helpers that send a message, run its turn, and close and consolidate a session."""

from datetime import datetime, timedelta

import time_machine
from asgiref.sync import async_to_sync
from django.conf import settings

from chat.models import Turn
from chat.turns import claiming, receiving, runner, writes
from chat.turns.prompting import base_context
from echovessel.llm import provider
from memory import sessions
from memory.consolidation import run
from memory.models import Message, Session
from tests.support.factories import MessageFactory, SessionFactory


def say(bond, *lines, now, channel="web", llm=None, session_id=None) -> Turn:
    """Send messages of one burst and return the reply."""
    for line in lines:
        received = receiving.receive(bond=bond, content=line, channel=channel, now=now, session_id=session_id)
    turn = answer(bond, now=now, llm=llm) or receiving.find_turn(bond=bond, turn_id=received.turn_id)
    assert turn is not None
    return turn


def note(bond, line, *, now) -> None:
    """Send a message and do what its turn does by rules, before any reply: a third of the time less than a whole turn."""
    receiving.receive(bond=bond, content=line, channel="web", now=now)
    claimed_at = now + timedelta(seconds=10)
    turn = claiming.claim(bond_id=bond.pk, now=claimed_at)
    assert turn is not None
    with time_machine.travel(claimed_at):
        writes.note(base_context.load(turn, claimed_at), None)


def answer(bond, *, now, llm=None) -> Turn | None:
    claimed_at = now + timedelta(seconds=10)
    turn = claiming.claim(bond_id=bond.pk, now=claimed_at)
    if turn is None:
        return None
    with time_machine.travel(claimed_at):
        async_to_sync(runner.run)(turn, llm=llm or provider.get_fallback_llm())
    turn.refresh_from_db()
    return turn


def fill_window(bond):
    """Fill the recent window, so that earlier messages are no longer in it: that with a story by its tokens."""
    session = SessionFactory(bond=bond, status="closed")
    count = settings.RECENT_WINDOW_SIZE
    MessageFactory.create_batch(count, session=session, content="Hm.", token_count=settings.HISTORY_TOKENS // count)


def reply(turn) -> str:
    return Message.objects.get(bond=turn.bond_id, turn_id=turn.pk, role="persona", chosen=True).content


def close(bond, *, now, llm=None, channel="web") -> Session:
    """Close the open session and consolidate it."""
    session = Session.objects.get(bond=bond, channel=channel, status="open")
    sessions.close(session=session, reason="explicit", now=now)
    return consolidate(session, now=now, llm=llm)


def consolidate(session: Session, *, now: datetime, llm=None) -> Session:
    run.consolidate(session_id=session.pk, llm=llm or provider.get_fallback_llm(), clock=lambda: now)
    session.refresh_from_db()
    return session
