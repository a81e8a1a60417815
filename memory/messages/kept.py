"""Moments that a person keeps: messages of either side, with a star and a note of the person's own."""

from memory.models import Message
from memory.models.messages import MessageQuerySet
from personas.models import Bond


def filter_kept(bond: Bond) -> MessageQuerySet:
    """Filter the messages that are kept, and neither deleted nor replaced by another reply."""
    return Message.objects.for_bond(bond).visible().filter(kept_at__isnull=False)


def filter_keepable(bond: Bond) -> MessageQuerySet:
    """Filter the messages that may be kept: what is off the record is erased when it ends."""
    return Message.objects.for_bond(bond).visible().not_off_record().exclude(role=Message.Role.SYSTEM)
