"""How a talk goes at a turn: the silence before it, and where its subject moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from chat.turns.prompting.base_context import BaseContext
from memory.facts.checks.grounding import extract_own_terms
from memory.knowing import confidence, topics
from memory.knowing.signals import Signals
from memory.knowing.topics import Step
from memory.models import ConceptNode, Topic
from memory.recall import memories

# How many events a return takes up, the weightiest first.
EVENTS_DUE = 3


@dataclass(frozen=True, kw_only=True)
class TalkStep:
    """The step of a turn; one that an earlier try of the turn has taken is not stored again."""

    step: Step
    is_counted: bool = False

    @property
    def topic_to_store(self) -> Topic | None:
        return None if self.is_counted else self.step.topic


def take_step(
    base: BaseContext, *, heard: Signals, named: frozenset[int], vector: Sequence[float] | None
) -> TalkStep | None:
    """Move the subject of the talk on. Off the record there is none."""
    if base.turn.session.off_record:
        return None
    known = base.base_memory.topics
    if known.current is not None and known.current.turn_id == base.turn.pk:
        step = Step(topic=known.current, is_new=topics.is_first_turn(known.current))
        return TalkStep(step=step, is_counted=True)
    subject = topics.build_subject(memories.cut_to_ends(base.query), heard, named=named, vector=vector)
    return TalkStep(step=topics.take_step(known, subject, is_return=base.is_return, now=base.now))


def find_due(base: BaseContext) -> list[ConceptNode]:
    """Find what a return takes up: events, promises and expectations of the days since the last message, or soon. What tells the same
    of the same day is taken up once.
    """
    since = base.due_since
    if since is None:
        return []
    memory, until = base.base_memory, base.today + confidence.DUE_WITHIN
    promised = (*memory.intentions, *memory.expectations)
    near = [node for node in promised if node.event_time_end is not None and since <= node.event_time_end <= until]
    return leave_out_retold(near, told=leave_out_retold(memory.due)[:EVENTS_DUE])


def leave_out_retold(planned: Sequence[ConceptNode], *, told: Sequence[ConceptNode] = ()) -> list[ConceptNode]:
    """Return what is told, and of these what tells another matter than it and those before."""
    kept = [*told]
    for node in planned:
        if not any(tells_same(node, other) for other in kept):
            kept.append(node)
    return kept


def tells_same(node: ConceptNode, other: ConceptNode) -> bool:
    """Whether two are of one day, and more than half of the terms of the shorter one are in the other."""
    if get_day(node) != get_day(other):
        return False
    own, its = ({*extract_own_terms(one.description)} for one in (node, other))
    return 2 * len(own & its) > min(len(own), len(its))


def get_day(node: ConceptNode) -> date | None:
    """Return when an event begins, or what is promised or expected is due."""
    return node.event_time_start if node.type == ConceptNode.Type.EVENT else node.event_time_end
