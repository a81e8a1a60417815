from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from echovessel.errors import CodedError
from personas import announcing
from personas.models import BLOCK_CHARACTERS, BlockRevision, Bond, CoreBlock, Persona, User


class BlockFull(CodedError):
    """A text with no room for another line."""


Holder = Persona | Bond
LABELS: Mapping[type[Holder], tuple[str, ...]] = {
    Persona: (CoreBlock.Label.PERSONA, CoreBlock.Label.STYLE, CoreBlock.Label.SCENARIO, CoreBlock.Label.EXAMPLES),
    # The bond's own style replaces the persona's.
    Bond: (CoreBlock.Label.USER, CoreBlock.Label.STYLE),
}


def find(holder: Holder, label: str) -> CoreBlock | None:
    return holder.blocks.filter(label=label).first()


def list_missing(holder: Holder) -> list[str]:
    """Return the labels of blocks that have no text yet."""
    written = set(holder.blocks.values_list("label", flat=True))
    return [label for label in LABELS[type(holder)] if label not in written]


@transaction.atomic
def save(*, holder: Holder, label: str, content: str, user: User, now: datetime) -> CoreBlock:
    """Replace a core block's text and keep the old one as a revision. Only an explicit save by a person may call this.

    Saving the same text again changes nothing.
    """
    lock(holder)
    block = find(holder, label)
    if block is not None and block.content == content:
        return block
    announce_change(holder, label=label, now=now)
    if block is None:
        return holder.blocks.create(label=label, content=content, updated_at=now, updated_by=user)
    block.revisions.create(n=block.version, content=block.content, saved_at=block.updated_at, saved_by=block.updated_by)
    block.content = content
    block.version += 1
    block.updated_at = now
    block.updated_by = user
    block.save()
    return block


def erase_earlier(holder: Holder, label: str) -> None:
    """Erase the earlier versions of a text."""
    BlockRevision.objects.filter(block=find(holder, label)).delete()


@transaction.atomic
def append_line(*, holder: Holder, label: str, line: str, user: User, now: datetime) -> None:
    """Add a line to a text as a person's save, unless the text has it. Raises BlockFull."""
    lock(holder)
    block = find(holder, label)
    before = block.content if block else ""
    if line in before:
        return
    content = f"{before.rstrip()}\n{line}".lstrip()
    if len(content) > BLOCK_CHARACTERS:
        raise BlockFull("too_long", "The text about you is full. Shorten it first.")
    save(holder=holder, label=label, content=content, user=user, now=now)


def lock(holder: Holder) -> None:
    """Serialize saves of one holder's blocks."""
    if isinstance(holder, Persona):
        Persona.objects.select_for_update(no_key=True).get(pk=holder.pk)
    else:
        Bond.objects.select_for_update(no_key=True).get(pk=holder.pk)


def announce_change(holder: Holder, *, label: str, now: datetime) -> None:
    """Tell the open pages of every bond that uses the block."""
    bonds = Bond.objects.filter(pk=holder.pk) if isinstance(holder, Bond) else Bond.objects.filter(persona=holder)
    announcing.announce_changes(bonds, changed=[label], now=now)


def restore(*, revision: BlockRevision, user: User, now: datetime) -> CoreBlock:
    """Save an earlier text again; the current one becomes a revision."""
    block = revision.block
    holder = block.persona or block.bond
    assert holder is not None  # a constraint of the table
    return save(holder=holder, label=block.label, content=revision.content, user=user, now=now)
