"""How a talk goes at a turn: the silence before it, and where its subject moves."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.turns.prompting.base_context import BaseContext
from memory.knowing import confidence, topics
from memory.knowing.signals import Signals
from memory.knowing.topics import Step
from memory.models import ConceptNode, Topic
from memory.recall import memories


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
    """Find what a return takes up: events, promises and expectations of the days since the last message, or soon."""
    since = base.due_since
    if since is None:
        return []
    memory, until = base.base_memory, base.today + confidence.DUE_WITHIN
    promised = (*memory.intentions, *memory.expectations)
    return [
        *memory.due,
        *(node for node in promised if node.event_time_end is not None and since <= node.event_time_end <= until),
    ]
