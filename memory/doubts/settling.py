"""Settle a doubt by the user's word, or ask no more or later. What loses stays as history, and undo restores it."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from memory import sessions
from memory.entities import merging
from memory.entities.merging import MergeError
from memory.facts import acts, settlement
from memory.facts.drafts import FactError
from memory.facts.shared import telling
from memory.facts.writers import Writer, build_person_writer
from memory.models import Doubt, EntityMerge, FactWrite, Session

Kind, Outcome = Doubt.Kind, Doubt.Outcome
# What each kind can come to: of "this", the newer, and "that", what it stands against.
OUTCOMES: Mapping[str, tuple[str, ...]] = {
    Kind.CONTRADICTION: (Outcome.THIS, Outcome.THAT, Outcome.BOTH, Outcome.NEITHER),
    Kind.AMBIGUOUS: (Outcome.SAME, Outcome.DIFFERENT),
    Kind.UNVERIFIED: (Outcome.THIS, Outcome.NEITHER),
    Kind.STALE: (Outcome.THIS, Outcome.NEITHER),
}


def settle(*, doubt: Doubt, outcome: str, writer: Writer) -> FactWrite | None:
    """Settle a doubt; a pair is merged or kept separate, which is no write on memories. Raises FactError: `invalid`,
    `changed` where it is settled or a side is gone, and LeaseLost.
    """
    with acts.open_transaction(doubt.bond, writer):
        return settle_locked(doubt=doubt, outcome=outcome, writer=writer)


def settle_by_press(*, doubt: Doubt, outcome: str, now: datetime) -> None:
    """Settle a doubt for a person; what stood as told to all companions gives way with all. Raises FactError, as `settle`."""
    write = settle(doubt=doubt, outcome=outcome, writer=build_person_writer(now))
    if write is not None and telling.is_tellable(write):
        telling.tell(write=write, now=now)


def settle_locked(*, doubt: Doubt, outcome: str, writer: Writer) -> FactWrite | None:
    """Settle a doubt within the caller's transaction and under the bond's lock: see `settle`."""
    doubt.refresh_from_db()
    if doubt.state == Doubt.State.SETTLED:
        raise FactError("changed", "This is settled already.")
    outcomes = list_outcomes(doubt)
    if outcome not in outcomes:
        raise FactError("invalid", "The outcome is one of %(outcomes)s.", outcomes=", ".join(outcomes))
    if doubt.a_entity_id is not None:
        settle_pair(doubt, outcome=outcome, writer=writer)
        return None
    return settlement.settle(doubt, outcome=outcome, writer=writer)


def settle_pair(doubt: Doubt, *, outcome: str, writer: Writer) -> None:
    """Merge the newer of two entities into the older, or keep them separate; the doubt follows the pair."""
    this, that = doubt.a_entity, doubt.b_entity
    assert this is not None  # as in all doubts about entities
    assert that is not None
    by = EntityMerge.Author.OWNER if writer.is_person else EntityMerge.Author.CLARIFIED
    try:
        if outcome == Outcome.SAME:
            merging.merge_entities(kept=that, merged=this, by=by, now=writer.now)
        else:
            merging.separate_entities(a=this, b=that, by=by, now=writer.now)
    except MergeError as error:
        raise FactError("changed", error.sentence, **error.values) from error
    doubt.refresh_from_db()


@transaction.atomic
def let_be(*, doubt: Doubt) -> None:
    """Ask about an open doubt no more; its sides stay as they are."""
    sessions.lock_bond(doubt.bond)
    Doubt.objects.filter(pk=doubt.pk, state=Doubt.State.OPEN).update(state=Doubt.State.LET_GO)
    doubt.refresh_from_db()


@transaction.atomic
def ask_later(*, doubt: Doubt) -> None:
    """Ask about an open doubt in later sessions, as if it had not been asked yet, and not in one that is open now."""
    sessions.lock_bond(doubt.bond)
    now_open = Session.objects.for_bond(doubt.bond).filter(status=Session.Status.OPEN).order_by("id")
    still = Doubt.objects.filter(pk=doubt.pk, state=Doubt.State.OPEN)
    still.update(asked_in=list(now_open.values_list("pk", flat=True)))
    doubt.refresh_from_db()


def list_outcomes(doubt: Doubt) -> list[str]:
    """Return what a doubt can come to: without a second side there is no "that" and no "both"."""
    two_sided = doubt.b_node_id is not None or doubt.b_entity_id is not None
    outcomes = [one for one in OUTCOMES[doubt.kind] if two_sided or one not in (Outcome.THAT, Outcome.BOTH)]
    # As plain words: the offline rules run in a process that knows no models.
    return [str(one) for one in outcomes]
