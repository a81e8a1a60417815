from datetime import datetime
from typing import Any

from memory.models import ConsolidationStep, Session


def record(*, session: Session, last_message_id: int, phase: str, outcome: str, now: datetime, **more: Any) -> None:
    """Write the one step of a phase, or rewrite it where an earlier try failed."""
    ConsolidationStep.objects.update_or_create(
        session=session,
        last_message_id=last_message_id,
        phase=phase,
        defaults={"outcome": outcome, "reason": "", "error": "", "created_at": now} | more,
    )


def settled(*, session: Session, last_message_id: int, phase: str) -> ConsolidationStep | None:
    """The step of a phase that has had its turn, other than by failing."""
    steps = ConsolidationStep.objects.filter(session=session, last_message_id=last_message_id, phase=phase)
    return steps.exclude(outcome=ConsolidationStep.Outcome.FAILED).first()


def waiting_for(*, session: Session, phase: str) -> list[ConsolidationStep]:
    """Extractions whose answers the later phase has not used yet, oldest first."""
    settled = ConsolidationStep.objects.filter(session=session, phase=phase).exclude(
        outcome=ConsolidationStep.Outcome.FAILED
    )
    answered = ConsolidationStep.objects.filter(
        session=session,
        phase=ConsolidationStep.Phase.EXTRACTION,
        outcome__in=[ConsolidationStep.Outcome.DONE, ConsolidationStep.Outcome.EMPTY],
    )
    return list(answered.exclude(last_message_id__in=settled.values("last_message_id")).order_by("last_message_id"))
