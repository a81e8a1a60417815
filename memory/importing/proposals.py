"""Accept or decline the lines that a file proposes for the text about the user."""

from datetime import datetime

from django.db import transaction

from memory.importing.control import ImportRefused
from memory.models import Proposal
from personas import blocks
from personas.models import BLOCK_CHARACTERS, User


@transaction.atomic
def accept(proposal: Proposal, *, user: User, now: datetime) -> None:
    """Add the line to the text as its owner's save, unless it is there. Raises ImportRefused where the text is full."""
    blocks.lock(proposal.bond)
    block = blocks.find(proposal.bond, proposal.label)
    before = block.content if block else ""
    if proposal.content in before:
        return
    content = f"{before.rstrip()}\n{proposal.content}".lstrip()
    if len(content) > BLOCK_CHARACTERS:
        raise ImportRefused("too_long", "The text about you is full. Shorten it first.")
    blocks.save(holder=proposal.bond, label=proposal.label, content=content, user=user, now=now)


def decline(proposal: Proposal, *, now: datetime) -> None:
    """Hide the line, and do not propose it again."""
    proposal.declined_at = now
    proposal.save(update_fields=["declined_at"])
