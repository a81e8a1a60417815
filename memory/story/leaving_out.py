"""A message that its person leaves out of memory: shown, searched and exported as before, but in no recap, story or memory."""

from datetime import datetime

from django.db import transaction

from echovessel import events
from memory import sessions
from memory.models import Message
from memory.story import withdrawal


@transaction.atomic
def set_left_out(*, message: Message, left_out: bool, now: datetime) -> None:
    """Leave a message out of memory, or take it in again. What recaps and the story tell of it goes, and what is left is told
    anew.
    """
    sessions.lock_bond(message.bond)
    if message.left_out == left_out:
        return
    message.left_out = left_out
    message.save(update_fields=["left_out"])
    if left_out:
        withdrawal.withdraw_lines(message.bond, lines=[message.pk], now=now)
    else:
        withdrawal.tell_anew(message.bond)
    events.record(bond_id=message.bond_id, type="memory.recap.updated", refs={"messages": [message.pk]}, now=now)
