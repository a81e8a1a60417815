"""Acts of a person on their facts, from a page or a program: what a person writes is stated."""

from datetime import datetime, timedelta
from hashlib import sha256

from django.core.cache import cache

from memory.facts import acts, standing
from memory.facts.drafts import FactDraft, FactError
from memory.facts.shared import sharing
from memory.facts.writers import build_person_writer
from memory.forgetting import removal, trash
from memory.models import ConceptNode, FactWrite
from personas.models import Bond

State = ConceptNode.State
NEAR = "Nearly the same is noted already. Save it again to keep both."
ASKED_AGAIN_WITHIN = timedelta(minutes=10)


def save(*, bond: Bond, draft: FactDraft, now: datetime) -> tuple[ConceptNode, bool]:
    """Save a fact; return it, and whether it is new: the same text may stand already.

    What is nearly the same as a fact that stands is refused once; saved again within ten minutes it stands beside.
    Raises FactError: `invalid`, `secret`, `unsafe`, `full`, `near`.
    """
    asked = name_asked(bond, draft)
    try:
        write = acts.save(bond=bond, draft=draft, writer=build_person_writer(now), accepts_near=bool(cache.get(asked)))
    except FactError as error:
        if error.code != "near":
            raise
        cache.set(asked, "near", timeout=ASKED_AGAIN_WITHIN.total_seconds())
        raise FactError("near", NEAR, candidates=error.candidates) from error
    if write is not None:
        return write.node, write.op != FactWrite.Op.SETTLED
    facet = draft.facet or ConceptNode.Facet.ABOUT_YOU
    said = standing.fold_content(draft.content)
    facts = standing.load_live(bond).without_heavy_columns().filter(facet=facet).order_by("id")
    return next(fact for fact in facts if standing.fold_content(fact.description) == said), False


def name_asked(bond: Bond, draft: FactDraft) -> str:
    said = f"{draft.facet} {standing.fold_content(draft.content)}"
    return f"fact-near:{bond.pk}:{sha256(said.encode()).hexdigest()}"


def forget(*, bond: Bond, node: ConceptNode, now: datetime) -> None:
    """Forget a fact, with all its copies; of one that is history nothing else tells the same. Raises FactError `changed`."""
    if node.state == State.SUPERSEDED:
        removal.forget_node(node=node, now=now)
    elif node.state == State.LIVE:
        sharing.forget(node=node, now=now)
    else:
        acts.forget(bond=bond, node=node, writer=build_person_writer(now))


def restore(*, node: ConceptNode, now: datetime) -> None:
    """Restore a fact from the trash, or let a past one hold again in place of the newer one.

    Raises FactError `changed`, `full`, and TrashError.
    """
    if node.deleted_at is not None:
        trash.restore_node(node=node, now=now)
    else:
        sharing.restore(node=node, now=now)
