"""Talks for tests of scenes: turns of two messages each, with their times."""

import uuid
from datetime import timedelta

from echovessel import tokens
from memory.models import Message, Session
from tests.support.factories import NOW, MessageFactory, SessionFactory


def get_session(bond):
    return Session.objects.filter(bond=bond, channel="web", status="open").first() or SessionFactory(bond=bond)


def say_turns(bond, count=1, *, session=None, now=NOW, text="My cat jumps on my face at night."):
    """Let the user speak `count` times and the companion answer, all at once. Returns the messages."""
    session = session or get_session(bond)
    lines = [line for _ in range(count) for line in build_turn(session, text, "Oh dear.", now=now)]
    return Message.objects.bulk_create(lines)


def say_turn(bond, said, reply="Oh dear.", *, session=None, now=NOW):
    return Message.objects.bulk_create(build_turn(session or get_session(bond), said, reply, now=now))


def build_turn(session, said, reply, *, now):
    common = {"session": session, "turn_id": uuid.uuid4(), "created_at": now}
    texts = [("user", said), ("persona", reply)]
    return [
        MessageFactory.build(role=role, content=text, token_count=tokens.estimate(text), **common)
        for role, text in texts
    ]


def say_lines(bond, count, *, now=NOW, token_count=8, session=None, step=timedelta()):
    """Store `count` messages of the user without replies, each a turn of its own."""
    session = session or get_session(bond)
    times = [now + at * step for at in range(count)]
    return Message.objects.bulk_create(
        [MessageFactory.build(session=session, created_at=at, token_count=token_count) for at in times]
    )
