from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from memory.models import ConceptNode, ConsolidationStep, Message, NodeSource, Session
from memory.models.messages import MessageQuerySet

# The phases that use the stored answer of an extraction.
DEPENDENT_PHASES = (ConsolidationStep.Phase.ENTITIES, ConsolidationStep.Phase.MOOD, ConsolidationStep.Phase.SUMMARY)
# The unique key of a step; a retry overwrites all other columns.
STEP_KEY = ("session", "last_message_id", "part", "phase")
REWRITTEN_COLUMNS = [
    column.name for column in ConsolidationStep._meta.concrete_fields if column.name not in ("id", *STEP_KEY)
]


class InputChanged(Exception):
    """An input of a phase was forgotten since; its result is dropped and it runs again."""


def record(
    *, session: Session, last_message_id: int, phase: str, outcome: str, now: datetime, part: int = 0, **more: Any
) -> None:
    """Create the step of a phase, or overwrite the one of a failed try."""
    step = ConsolidationStep(
        session=session,
        last_message_id=last_message_id,
        part=part,
        phase=phase,
        outcome=outcome,
        created_at=now,
        **more,
    )
    ConsolidationStep.objects.bulk_create(
        [step], update_conflicts=True, unique_fields=STEP_KEY, update_fields=REWRITTEN_COLUMNS
    )
    if part:
        # A failed call for a part recorded the message alone.
        same = ConsolidationStep.objects.filter(session=session, last_message_id=last_message_id, phase=phase)
        same.filter(outcome=ConsolidationStep.Outcome.FAILED).exclude(pk=step.pk).delete()


def record_use(
    extraction: ConsolidationStep, *, session: Session, phase: str, has_found: bool, now: datetime, notes: str
) -> None:
    """Record that a phase has used the stored answer of an extraction."""
    outcome = ConsolidationStep.Outcome.DONE if has_found else ConsolidationStep.Outcome.EMPTY
    place = {"last_message_id": extraction.last_message_id, "part": extraction.part}
    record(session=session, phase=phase, outcome=outcome, now=now, notes=notes, **place)


def find_finished_step(*, session: Session, last_message_id: int, phase: str) -> ConsolidationStep | None:
    steps = ConsolidationStep.objects.filter(session=session, last_message_id=last_message_id, phase=phase)
    return steps.exclude(outcome=ConsolidationStep.Outcome.FAILED).first()


def load_extractions(session: Session) -> QuerySet[ConsolidationStep]:
    """Load the extractions whose answers are stored, oldest first."""
    answered = [ConsolidationStep.Outcome.DONE, ConsolidationStep.Outcome.EMPTY]
    steps = ConsolidationStep.objects.filter(session=session, phase=ConsolidationStep.Phase.EXTRACTION)
    return steps.filter(outcome__in=answered).order_by("last_message_id", "part")


def count_parts_read(*, session: Session, message_id: int) -> int:
    """Count the parts read of a message too long for one call."""
    return max(load_extractions(session).filter(last_message_id=message_id).values_list("part", flat=True), default=0)


def load_unused_extractions(*, session: Session, phase: str) -> list[ConsolidationStep]:
    """Load extractions whose answers the phase has not used yet, oldest first."""
    steps = ConsolidationStep.objects.filter(session=session, phase__in=[ConsolidationStep.Phase.EXTRACTION, phase])
    done = list(steps.exclude(outcome=ConsolidationStep.Outcome.FAILED).order_by("last_message_id", "part"))
    used = {(step.last_message_id, step.part) for step in done if step.phase == phase}
    unused = [step for step in done if step.phase != phase and (step.last_message_id, step.part) not in used]
    for step in unused:
        step.session = session
    return unused


def is_used_up(extraction: ConsolidationStep) -> bool:
    """Whether every phase has used the answer of an extraction."""
    place = {"session": extraction.session_id, "last_message_id": extraction.last_message_id, "part": extraction.part}
    used = ConsolidationStep.objects.filter(**place, phase__in=DEPENDENT_PHASES)
    return used.exclude(outcome=ConsolidationStep.Outcome.FAILED).count() == len(DEPENDENT_PHASES)


def check_unchanged(*extractions: ConsolidationStep) -> None:
    """Raise InputChanged where some of an answer was forgotten since it was read. The caller has locked the session."""
    answers = dict(
        ConsolidationStep.objects.filter(pk__in=[step.pk for step in extractions]).values_list("pk", "answer")
    )
    if any(answers.get(step.pk) != step.answer for step in extractions):
        raise InputChanged


def load_messages(extraction: ConsolidationStep) -> MessageQuerySet:
    """Load the messages that an extraction read and that still exist."""
    return Message.objects.visible().filter(pk__in=extraction.lines.values()).without_heavy_columns()


def load_nodes(extraction: ConsolidationStep) -> list[ConceptNode]:
    """Load the nodes of the messages an extraction read: those it created, and those it found repeated."""
    read = NodeSource.objects.filter(node=OuterRef("pk"), message__in=extraction.lines.values())
    nodes = ConceptNode.objects.not_deleted().filter(Exists(read), bond=extraction.session.bond_id)
    return list(nodes.prefetch_related("source_messages").without_heavy_columns().order_by("id"))
