"""A message that its person leaves out of memory: shown, searched and exported as before, but in no recap, summary, story or memory."""

from datetime import datetime

from django.db import transaction

from echovessel import events
from memory import sessions
from memory.jobs.queue import enqueue
from memory.models import Forgotten, Message, Session
from memory.story import withdrawal


@transaction.atomic
def set_left_out(*, message: Message, left_out: bool, now: datetime) -> None:
    """Leave a message out of memory, or take it in again. What recaps, the story and the summary of its session tell of it goes, and
    what is left is told anew.
    """
    sessions.lock_bond(message.bond)
    if message.left_out == left_out:
        return
    message.left_out = left_out
    message.save(update_fields=["left_out"])
    if left_out:
        withdrawal.withdraw_lines(message.bond, lines=[message.pk], now=now)
        empty_summary(message)
    else:
        withdrawal.tell_anew(message.bond)
    events.record(bond_id=message.bond_id, type="memory.recap.updated", refs={"messages": [message.pk]}, now=now)


def empty_summary(message: Message) -> None:
    """Empty the summary that saw a message; the worker makes it of the others. The trash keeps no older one."""
    Forgotten.objects.for_bond(message.bond).drop_kept([message.session_id], "summaries")
    saw_it = Session.objects.filter(pk=message.session_id, watermark__gte=message.pk).exclude(summary="")
    if saw_it.update(summary=""):
        enqueue("memory.tasks.summarise", message.session_id)
