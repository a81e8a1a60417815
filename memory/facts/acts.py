"""Acts on facts. Each makes its vector first, then writes in one transaction under the bond's lock, where all is read
again. A job that holds a transaction of its own calls `memory.facts.writing` and `memory.facts.changing` in it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace as replace_field

from django.db import transaction

from memory import sessions
from memory.facts import changing, drafts, settlement, writing
from memory.facts.drafts import FactDraft
from memory.facts.writers import Writer
from memory.jobs.lease import LeaseLost
from memory.models import ConceptNode, FactWrite, Message, NodeLink
from personas.models import Bond


def save(*, bond: Bond, draft: FactDraft, writer: Writer, accepts_near: bool = False) -> FactWrite | None:
    """Save a fact; a taken slot is replaced. None where the same text stands already: it is counted once more.

    What was uncertain until the user stated it in the same words holds: its doubt is settled.

    Raises FactError: `invalid`, `secret`, `unsafe`, `full`, and `near` unless that is accepted. Raises LeaseLost.
    """
    [fact] = drafts.prepare([draft])
    with open_transaction(bond, writer):
        settled = settlement.settle_told(bond=bond, draft=fact.draft, writer=writer)
        return settled or writing.save(bond=bond, fact=fact, writer=writer, accepts_near=accepts_near)


def replace(*, bond: Bond, old: ConceptNode, draft: FactDraft, writer: Writer) -> FactWrite:
    """Write a fact in place of a live one. Raises FactError: `invalid`, `secret`, `unsafe`, `changed`, `not_asked`, and
    LeaseLost.
    """
    [fact] = drafts.prepare([draft])
    with open_transaction(bond, writer):
        return writing.replace(bond=bond, old=old, fact=fact, writer=writer)


def end(*, bond: Bond, node: ConceptNode, writer: Writer, reason: str = changing.ENDED) -> FactWrite:
    """End a live fact without a successor: it was true (`ended`) or never was (`wrong`). Raises FactError: `changed`,
    `not_asked`, and LeaseLost.
    """
    with open_transaction(bond, writer):
        return changing.end(bond=bond, node=node, writer=writer, reason=reason)


def restore(*, bond: Bond, node: ConceptNode, writer: Writer) -> FactWrite:
    """Let a past fact hold again, in place of what came after it. Raises FactError `changed` where it is not past or
    another fact stands in its slot, and LeaseLost.
    """
    with open_transaction(bond, writer):
        return changing.restore(bond=bond, node=node, writer=writer)


def confirm(*, bond: Bond, node: ConceptNode, writer: Writer) -> FactWrite:
    """Note that a live fact still holds; a person's press makes it stated. The doubt about an uncertain one is settled by
    the user's word. Raises FactError `changed`, LeaseLost.
    """
    with open_transaction(bond, writer):
        if node.state == ConceptNode.State.UNCERTAIN and (settled := settlement.settle_confirmed(node, writer=writer)):
            return settled
        return changing.confirm(bond=bond, node=node, writer=writer)


def forget(
    *,
    bond: Bond,
    node: ConceptNode,
    rewordings: Sequence[ConceptNode] = (),
    told: Sequence[ConceptNode] = (),
    lines: Sequence[Message] = (),
    writer: Writer,
) -> FactWrite:
    """Forget a live or uncertain fact with its rewordings, and the events and facts that tell the same from the same lines.

    `told` are further events and `lines` further messages that tell it. The writer's messages are the ones that asked for it. Raises FactError: `changed`, `not_asked`, and LeaseLost.
    """
    with open_transaction(bond, writer):
        return changing.forget(bond=bond, node=node, rewordings=rewordings, told=told, lines=lines, writer=writer)


def forget_said(
    *, bond: Bond, draft: FactDraft, lines: Sequence[Message], told: Sequence[ConceptNode] = (), writer: Writer
) -> FactWrite:
    """Forget what no fact tells, with the events that tell it: nothing is learned of these lines, and an undo notes it as a fact.

    Raises FactError: `invalid`, `secret`, `unsafe`, and LeaseLost.
    """
    [fact] = drafts.prepare([draft])
    of_lines = replace_field(writer, messages=list(lines))
    with open_transaction(bond, writer):
        node = writing.build_node(bond, fact.draft, of_lines)
        writing.create(node, fact=fact, writer=of_lines)
        return changing.forget(bond=bond, node=node, told=told, writer=writer)


def link(*, bond: Bond, a: ConceptNode, b: ConceptNode, relation: str, writer: Writer) -> FactWrite:
    """Name a relation between two live facts. Raises FactError: `invalid`, `changed`, and LeaseLost."""
    with open_transaction(bond, writer):
        return changing.link(bond=bond, a=a, b=b, relation=relation, writer=writer)


def unlink(*, link: NodeLink, writer: Writer) -> FactWrite:
    """Remove a relation: the write that named it is undone, or, where none did, one is recorded as undone. Raises LeaseLost."""
    with open_transaction(link.bond, writer):
        return changing.unlink(link=link, writer=writer)


def merge(*, bond: Bond, survivor: ConceptNode, retired: Sequence[ConceptNode], writer: Writer) -> FactWrite:
    """Let one live fact stand for others that say the same. Raises FactError: `changed`, `not_asked`, and LeaseLost."""
    with open_transaction(bond, writer):
        return changing.merge(bond=bond, survivor=survivor, retired=retired, writer=writer)


@contextmanager
def open_transaction(bond: Bond, writer: Writer) -> Iterator[None]:
    """Open a transaction with the bond locked, in which the writer may still write. Raises LeaseLost."""
    with transaction.atomic():
        try:
            sessions.lock_bond(bond)
        except Bond.DoesNotExist as error:
            raise LeaseLost from error
        writer.check()
        yield
