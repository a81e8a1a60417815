"""Automatic titles of sessions: emptied when a message goes that they were made of, and made anew by the worker."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Q

from memory.jobs.queue import enqueue
from memory.messages import first_exchange
from memory.models import Message, Session
from personas.models import Bond


def empty(bond: Bond, *, lines: Collection[int]) -> dict[str, str]:
    """Empty the titles made of these messages, which are gone already. Returns them by the session's id."""
    titled = Session.objects.for_bond(bond).filter(messages__in=lines).exclude(auto_title="").distinct()
    gone = {str(session.pk): session.auto_title for session in titled.order_by("id") if is_made_of(session, lines)}
    for pk in gone:
        queue_anew(int(pk))
    return gone


def is_made_of(session: Session, lines: Collection[int]) -> bool:
    """Whether one of these messages was in what the session began with: now another one is, or the rest of it."""
    exchange = first_exchange.load(session)
    if not exchange:
        return True
    turns = {message.turn_id for message in exchange} - {None}
    begun = Q(id__lte=exchange[-1].pk) | Q(turn_id__in=turns)
    return Message.objects.for_bond(session.bond).filter(begun, session=session, pk__in=lines).exists()


def restore(bond: Bond, *, emptied: Collection[int], kept: Mapping[str, Any]) -> None:
    """Bring back the titles that an act emptied; those of which more was forgotten since are made anew."""
    for session in Session.objects.for_bond(bond).filter(pk__in=emptied).order_by("id"):
        if title := kept.get(str(session.pk)):
            Session.objects.filter(pk=session.pk).update(auto_title=title)
        else:
            queue_anew(session.pk)


def queue_anew(session_id: int) -> None:
    Session.objects.filter(pk=session_id).update(auto_title="")
    enqueue("memory.tasks.title", session_id)
