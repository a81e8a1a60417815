from collections.abc import Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef

from memory.models import ConceptNode, ConsolidationStep, Message, NodeSource, Session
from memory.models.messages import MessageQuerySet

# The last of the phases that use the stored answer of an extraction, in one transaction.
LAST_USE = ConsolidationStep.Phase.SUMMARY
Done = Sequence[ConsolidationStep]
# The unique key of a step; a retry overwrites all other columns.
STEP_KEY = ("session", "last_message_id", "part", "phase")
REWRITTEN_COLUMNS = [
    column.name for column in ConsolidationStep._meta.concrete_fields if column.name not in ("id", *STEP_KEY)
]


class InputChanged(Exception):
    """An input of a phase was forgotten since; its result is dropped and it runs again."""


def record(*steps: ConsolidationStep) -> None:
    """Create the steps of phases, or overwrite those of a failed try."""
    ConsolidationStep.objects.bulk_create(
        steps, update_conflicts=True, unique_fields=STEP_KEY, update_fields=REWRITTEN_COLUMNS
    )
    for step in steps:
        if step.part:
            # A failed call for a part recorded the message alone.
            same = ConsolidationStep.objects.filter(session=step.session, last_message_id=step.last_message_id)
            failed = same.filter(phase=step.phase, outcome=ConsolidationStep.Outcome.FAILED)
            failed.exclude(pk=step.pk).delete()


def build_use(
    extraction: ConsolidationStep, *, phase: str, has_found: bool, now: datetime, notes: str
) -> ConsolidationStep:
    """Build the step that tells that a phase has used the stored answer of an extraction."""
    return ConsolidationStep(
        session=extraction.session,
        last_message_id=extraction.last_message_id,
        part=extraction.part,
        phase=phase,
        outcome=ConsolidationStep.Outcome.DONE if has_found else ConsolidationStep.Outcome.EMPTY,
        notes=notes,
        created_at=now,
    )


def load_done(session: Session) -> list[ConsolidationStep]:
    """Load the steps of a session that did not fail, in the order of its messages."""
    done = session.steps.exclude(outcome=ConsolidationStep.Outcome.FAILED)
    return list(done.order_by("last_message_id", "part"))


def find_step(done: Done, *, last_message_id: int, phase: str) -> ConsolidationStep | None:
    return next((step for step in done if (step.last_message_id, step.phase) == (last_message_id, phase)), None)


def list_extractions(done: Done) -> list[ConsolidationStep]:
    return [step for step in done if step.phase == ConsolidationStep.Phase.EXTRACTION]


def count_parts_read(done: Done, *, message_id: int) -> int:
    """Count the parts read of a message too long for one call."""
    return max((step.part for step in list_extractions(done) if step.last_message_id == message_id), default=0)


def list_unused_extractions(done: Done) -> list[ConsolidationStep]:
    """List extractions whose answers were not used yet, oldest first."""
    used = {(step.last_message_id, step.part) for step in done if step.phase == LAST_USE}
    return [step for step in list_extractions(done) if (step.last_message_id, step.part) not in used]


def is_used_up(extraction: ConsolidationStep) -> bool:
    """Whether the answer of an extraction was used by every phase."""
    place = {"session": extraction.session_id, "last_message_id": extraction.last_message_id, "part": extraction.part}
    used = ConsolidationStep.objects.filter(**place, phase=LAST_USE)
    return used.exclude(outcome=ConsolidationStep.Outcome.FAILED).exists()


def check_unchanged(*extractions: ConsolidationStep) -> None:
    """Raise InputChanged where some of an answer was forgotten since it was read. The caller has locked the session."""
    if not extractions:
        return
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
