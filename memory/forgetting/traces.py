"""Empty stored prompts and answers of jobs that hold forgotten texts. Nothing shows them, so they are never restored."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from memory.answers import prune_answer
from memory.answers.steps import is_used_up, load_messages
from memory.models import (
    ConceptNode,
    ConsolidationStep,
    EntityAlias,
    ImportChunk,
    Message,
    Proposal,
    Session,
    SlowTickRun,
)
from personas.models import Bond

# A reflection reads a week's events; a failed session may reflect later, at the latest when a person retries it.
REFLECTED_FOR = timedelta(days=9)
WAITED_FOR = timedelta(days=31)
Phase = ConsolidationStep.Phase


def empty(
    *, bond: Bond, lines: Collection[int] = (), nodes: Sequence[ConceptNode] = (), entities: Collection[int] = ()
) -> None:
    """Empty stored answers, notes and prompts that may hold these. The caller has locked the bond."""
    told_in = {*Message.objects.for_bond(bond).filter(pk__in=lines).values_list("session", flat=True)}
    steps = ConsolidationStep.objects.filter(session__bond=bond)
    for step in steps.filter(session__in=told_in, phase=Phase.EXTRACTION).select_related("session"):
        if not set(step.lines.values()).isdisjoint(lines):
            empty_extraction(step)
    read = [filter_possible_readers(bond, at) for at in {node.created_at for node in nodes}]
    may_hold = Q(("session__in", told_in), *read, _connector=Q.OR)
    steps.filter(may_hold, phase=Phase.REFLECTION).update(answer="", notes="")
    empty_names(bond, entities)
    empty_slow_ticks(bond=bond, nodes=nodes, entities=entities, talks=told_in)
    empty_imports(bond, nodes)


def empty_extraction(step: ConsolidationStep) -> None:
    """Prune an extraction's answer to what later phases need and the remaining messages support."""
    left = "" if is_used_up(step) else json.dumps(keep_supported_parts(step), ensure_ascii=False)
    ConsolidationStep.objects.filter(pk=step.pk).update(answer=left)
    place = {"session": step.session_id, "last_message_id": step.last_message_id, "part": step.part}
    ConsolidationStep.objects.filter(**place).update(notes="", error="")


def keep_supported_parts(step: ConsolidationStep) -> dict[str, Any]:
    answer = json.loads(step.answer or "{}")
    left = load_messages(step)
    said = "\n".join(left.values_list("content", flat=True))
    gone = Message.objects.filter(pk__in=step.lines.values()).exclude(pk__in=left.values("pk"))
    return {
        "mentioned_entities": prune_answer.prune_entities(answer, said=said),
        "session_mood_signal": prune_answer.prune_mood(answer, gone="\n".join(gone.values_list("content", flat=True))),
    }


def filter_possible_readers(bond: Bond, at: datetime) -> Q:
    """Filter the reflections that may have read or written a node of this moment; they do not store their input."""
    until = at + REFLECTED_FOR
    lately = Session.objects.filter(bond=bond, last_message_at__range=(at - WAITED_FOR, until))
    return Q(session__in=lately, created_at__range=(at, until))


def empty_names(bond: Bond, entities: Collection[int]) -> None:
    """Empty texts that may name these entities: the steps of the sessions in which they occur."""
    names = EntityAlias.objects.filter(entity__in=entities).values_list("name", flat=True)
    holding = Q(pk__in=[])
    for name in names:
        holding |= Q(answer__icontains=name) | Q(notes__icontains=name)
    steps = find_steps_naming(bond, entities).filter(holding)
    for step in steps.filter(phase=Phase.EXTRACTION).select_related("session"):
        empty_extraction(step)
    steps.exclude(phase=Phase.EXTRACTION).update(answer="", notes="")


def find_steps_naming(bond: Bond, entities: Collection[int]) -> QuerySet[ConsolidationStep]:
    told_in = ConceptNode.objects.for_bond(bond).filter(mentions__entity__in=entities)
    told = Message.objects.for_bond(bond).filter(nodes__in=told_in).values("session")
    return ConsolidationStep.objects.filter(session__in=told)


def empty_slow_ticks(
    *, bond: Bond, nodes: Sequence[ConceptNode] = (), entities: Collection[int] = (), talks: Collection[int] = ()
) -> None:
    """Empty the texts of runs that read or wrote one of these, and of later ones, which inherit questions."""
    given = Q(pk__in=find_answers(nodes, "slow_tick"))
    if nodes:
        given |= Q(prompt__regex=rf"\[({'|'.join(str(node.pk) for node in nodes)})\] \(")
    if entities:
        given |= Q(prompt__regex=rf"(^|\n)entity ({'|'.join(map(str, entities))}): ")
    if talks:
        given |= Q(prompt__regex=rf"(^|\n)talk ({'|'.join(map(str, talks))}) \(")
    runs = SlowTickRun.objects.filter(bond=bond)
    first = runs.filter(given).order_by("id").first()
    if first is not None:
        runs.filter(pk__gte=first.pk).update(prompt="", answer="", questions=[], notes="")


def empty_imports(bond: Bond, nodes: Collection[ConceptNode]) -> None:
    """Empty the file pieces of these nodes: proposals, titles, notes; and delete what the nodes propose themselves."""
    chunks = ImportChunk.objects.filter(bond=bond, digest__in=find_answers(nodes, "import"))
    Proposal.objects.filter(Q(chunk__in=chunks) | Q(node__in=nodes), bond=bond).delete()
    chunks.update(title="", notes="", error="")


def find_answers(nodes: Collection[ConceptNode], kind: str) -> list[str]:
    """Find which runs, or pieces of files, wrote these nodes: the second part of their answer keys."""
    keys = [(node.answer_key or "").split(":") for node in nodes]
    return [key[1] for key in keys if key[0] == kind]
