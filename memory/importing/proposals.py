"""Accept or decline the lines that a file proposes for the text about the user."""

from datetime import datetime

from memory.importing.control import ImportRefused
from memory.models import Proposal
from personas import blocks
from personas.blocks import BlockFull
from personas.models import User


def accept(proposal: Proposal, *, user: User, now: datetime) -> None:
    """Add the line to the text as its owner's save, unless it is there. Raises ImportRefused where the text is full."""
    try:
        blocks.append_line(holder=proposal.bond, label=proposal.label, line=proposal.content, user=user, now=now)
    except BlockFull as error:
        raise ImportRefused(error.code, error.sentence, **error.values) from error


def decline(proposal: Proposal, *, now: datetime) -> None:
    """Hide the line, and do not propose it again."""
    Proposal.objects.filter(pk=proposal.pk).update(declined_at=now)
