"""Acts of a person on their facts, from a page or a program: what a person writes is stated."""

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from operator import attrgetter

from django.core.cache import cache

from memory.facts import acts, drafts, standing
from memory.facts.drafts import FactDraft, FactError
from memory.facts.shared import presses, sharing, telling
from memory.facts.writers import build_person_writer
from memory.forgetting import removal, trash
from memory.models import ConceptNode, FactWrite, Forgotten
from personas.models import Bond

State = ConceptNode.State
NEAR = "Nearly the same is noted already: “%(fact)s” Save it again to keep both."
ASKED_AGAIN_WITHIN = timedelta(minutes=10)


def save(
    *, bond: Bond, draft: FactDraft, now: datetime, show: Callable[[ConceptNode], str] = attrgetter("description")
) -> tuple[ConceptNode, bool]:
    """Save a fact; return it, and whether it is new: one that tells the same may stand already.

    What is nearly the same as a fact that stands is refused once; saved again within ten minutes it stands beside.
    `show` returns the text of that fact as the reader knows it.
    Raises FactError: `invalid`, `secret`, `unsafe`, `full`, `near`, `changed`.
    """
    asked = name_asked(bond, draft)
    try:
        write = acts.save(bond=bond, draft=draft, writer=build_person_writer(now), accepts_near=bool(cache.get(asked)))
    except FactError as error:
        if error.code != "near":
            raise
        cache.set(asked, "near", timeout=ASKED_AGAIN_WITHIN.total_seconds())
        [near] = error.candidates
        raise FactError("near", NEAR, candidates=[near], fact=show(near)) from error
    if write is not None:
        return write.node, write.op != FactWrite.Op.SETTLED
    return standing.find_told(bond, drafts.validate(draft)), False


def name_asked(bond: Bond, draft: FactDraft) -> str:
    said = f"{draft.facet} {standing.fold_content(draft.content)}"
    return f"fact-near:{bond.pk}:{sha256(said.encode()).hexdigest()}"


def confirm(*, node: ConceptNode, now: datetime) -> None:
    """Say that a fact still holds, with every companion where it is told to all; of one that is uncertain, that it is so.

    Raises FactError `changed`.
    """
    if node.state == State.UNCERTAIN:
        settled = acts.confirm(bond=node.bond, node=node, writer=build_person_writer(now))
        if telling.is_tellable(settled):
            telling.tell(write=settled, now=now)
    else:
        sharing.confirm(node=node, now=now)


def forget(*, bond: Bond, node: ConceptNode, lines: str = removal.KEEP, now: datetime) -> None:
    """Forget a fact, with all its copies; of one that is history nothing else tells the same. Its messages stay, or go too (`forget`).

    Raises FactError `changed`.
    """
    if node.state == State.SUPERSEDED:
        removal.forget_node(node=node, lines=lines, now=now)
    elif node.state == State.LIVE:
        sharing.forget(node=node, sources=lines, now=now)
    else:
        acts.forget(bond=bond, node=node, sources=lines, writer=build_person_writer(now))


def restore(*, node: ConceptNode, now: datetime) -> None:
    """Restore a fact from the trash, or let a past one hold again in place of the newer one.

    Raises FactError `changed`, `full`, and TrashError.
    """
    act = Forgotten.objects.for_bond(node.bond).filter(kind=Forgotten.Kind.FACT, object_id=node.pk).first()
    if act is not None:
        presses.restore(act=act, now=now)
    elif node.deleted_at is not None:
        trash.restore_node(node=node, now=now)
    else:
        sharing.restore(node=node, now=now)
