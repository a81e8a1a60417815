from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from memory.models import ConceptNode, ConsolidationStep, Message, NodeSource, Session
from memory.models.sessions import MessageQuerySet

# The phases that are fed by the stored answer of an extraction.
DEPENDENT_PHASES = (ConsolidationStep.Phase.ENTITIES, ConsolidationStep.Phase.MOOD, ConsolidationStep.Phase.SUMMARY)
# What names a step; everything else is written anew where an earlier try failed.
STEP_KEY = ("session", "last_message_id", "part", "phase")
REWRITTEN_COLUMNS = [
    column.name for column in ConsolidationStep._meta.concrete_fields if column.name not in ("id", *STEP_KEY)
]


class InputChanged(Exception):
    """Something that a phase was built on has been forgotten since; what it found is dropped and it runs again."""


def record(
    *, session: Session, last_message_id: int, phase: str, outcome: str, now: datetime, part: int = 0, **more: Any
) -> None:
    """Write the one step of a phase, or rewrite it where an earlier try failed."""
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
        # Where a call for a part failed, no more was known than the line.
        same = ConsolidationStep.objects.filter(session=session, last_message_id=last_message_id, phase=phase)
        same.filter(outcome=ConsolidationStep.Outcome.FAILED).exclude(pk=step.pk).delete()


def find_finished_step(*, session: Session, last_message_id: int, phase: str) -> ConsolidationStep | None:
    """The step of a phase that has had its turn, other than by failing."""
    steps = ConsolidationStep.objects.filter(session=session, last_message_id=last_message_id, phase=phase)
    return steps.exclude(outcome=ConsolidationStep.Outcome.FAILED).first()


def load_extractions(session: Session) -> QuerySet[ConsolidationStep]:
    """The extractions whose answers are written, oldest first."""
    answered = [ConsolidationStep.Outcome.DONE, ConsolidationStep.Outcome.EMPTY]
    steps = ConsolidationStep.objects.filter(session=session, phase=ConsolidationStep.Phase.EXTRACTION)
    return steps.filter(outcome__in=answered).order_by("last_message_id", "part")


def count_parts_read(*, session: Session, message_id: int) -> int:
    """How many parts of a line too long for one call have been read."""
    return max(load_extractions(session).filter(last_message_id=message_id).values_list("part", flat=True), default=0)


def load_unused_extractions(*, session: Session, phase: str) -> list[ConsolidationStep]:
    """Extractions whose answers the later phase has not used yet, oldest first."""
    used = ConsolidationStep.objects.filter(
        session=session, phase=phase, last_message_id=OuterRef("last_message_id"), part=OuterRef("part")
    )
    return list(load_extractions(session).exclude(Exists(used.exclude(outcome=ConsolidationStep.Outcome.FAILED))))


def is_used_up(extraction: ConsolidationStep) -> bool:
    """Whether every phase that its answer feeds has had its turn."""
    place = {"session": extraction.session_id, "last_message_id": extraction.last_message_id, "part": extraction.part}
    used = ConsolidationStep.objects.filter(**place, phase__in=DEPENDENT_PHASES)
    return used.exclude(outcome=ConsolidationStep.Outcome.FAILED).count() == len(DEPENDENT_PHASES)


def check_unchanged(*extractions: ConsolidationStep) -> None:
    """Raise LinesChanged where something of an answer was forgotten since it was read. The caller has locked the session."""
    answers = dict(
        ConsolidationStep.objects.filter(pk__in=[step.pk for step in extractions]).values_list("pk", "answer")
    )
    if any(answers.get(step.pk) != step.answer for step in extractions):
        raise InputChanged


def load_messages(extraction: ConsolidationStep) -> MessageQuerySet:
    """The lines that an extraction read and that are there still."""
    return Message.objects.visible().filter(pk__in=extraction.lines.values()).without_heavy_columns()


def load_nodes(extraction: ConsolidationStep) -> list[ConceptNode]:
    """The nodes that rest on the lines an extraction read: those it wrote, and those it found said again."""
    read = NodeSource.objects.filter(node=OuterRef("pk"), message__in=extraction.lines.values())
    nodes = ConceptNode.objects.not_deleted().filter(Exists(read), bond=extraction.session.bond_id)
    return list(nodes.prefetch_related("source_messages").without_heavy_columns().order_by("id"))
