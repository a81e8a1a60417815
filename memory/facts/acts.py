"""Acts on facts. Each makes its vector first, then writes in one transaction under the bond's lock, where all is read
again. A job that holds a transaction of its own calls `memory.facts.writing` and `memory.facts.changing` in it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace as replace_field
from functools import wraps
from typing import ParamSpec, cast

from django.db import transaction

from memory import sessions
from memory.facts import changing, drafts, settlement, writing
from memory.facts.drafts import FactDraft
from memory.facts.writers import Writer
from memory.jobs.lease import LeaseLost
from memory.models import ConceptNode, FactWrite, Message, NodeLink
from personas.models import Bond

P = ParamSpec("P")


def save(*, bond: Bond, draft: FactDraft, writer: Writer, accepts_near: bool = False) -> FactWrite | None:
    """Save a fact; a taken slot is replaced. None where one that tells the same stands already: it is counted once more.

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


def confirm(*, bond: Bond, node: ConceptNode, writer: Writer) -> FactWrite:
    """Note that a live fact still holds; a person's press makes it stated. The doubt about an uncertain one is settled by
    the user's word. Raises FactError `changed`, LeaseLost.
    """
    with open_transaction(bond, writer):
        if node.state == ConceptNode.State.UNCERTAIN and (settled := settlement.settle_confirmed(node, writer=writer)):
            return settled
        return changing.confirm(bond=bond, node=node, writer=writer)


def forget_said(
    *,
    bond: Bond,
    draft: FactDraft,
    lines: Sequence[Message],
    told: Sequence[ConceptNode] = (),
    spared: Sequence[Message] = (),
    writer: Writer,
) -> FactWrite:
    """Forget what no fact tells, with the events that tell it: nothing is learned of these lines, and an undo notes it as a fact.

    Raises FactError: `invalid`, `secret`, `unsafe`, and LeaseLost.
    """
    [fact] = drafts.prepare([draft])
    of_lines = replace_field(writer, messages=list(lines))
    with open_transaction(bond, writer):
        node = writing.build_node(bond, fact.draft, of_lines)
        writing.create(node, fact=fact, writer=of_lines)
        return changing.forget(bond=bond, node=node, told=told, spared=spared, writer=writer)


def unlink(*, link: NodeLink, writer: Writer) -> FactWrite:
    """Remove a relation: the write that named it is undone, or, where none did, one is recorded as undone. Raises LeaseLost."""
    with open_transaction(link.bond, writer):
        return changing.unlink(link=link, writer=writer)


@contextmanager
def open_transaction(bond: Bond, writer: Writer) -> Iterator[None]:
    """Open a transaction with the bond locked, in which the writer may still write. Raises LeaseLost; for a person, who holds no
    lease, Bond.DoesNotExist.
    """
    with transaction.atomic():
        try:
            sessions.lock_bond(bond)
        except Bond.DoesNotExist as error:
            if writer.is_person:
                raise
            raise LeaseLost from error
        writer.check()
        yield


def in_own_transaction(act: Callable[P, FactWrite]) -> Callable[P, FactWrite]:
    """Let an act open its transaction; it raises LeaseLost too."""

    @wraps(act)
    def open_and_act(*args: P.args, **asked: P.kwargs) -> FactWrite:
        with open_transaction(cast(Bond, asked["bond"]), cast(Writer, asked["writer"])):
            return act(*args, **asked)

    return open_and_act


end = in_own_transaction(changing.end)
restore = in_own_transaction(changing.restore)
forget = in_own_transaction(changing.forget)
link = in_own_transaction(changing.link)
merge = in_own_transaction(changing.merge)
