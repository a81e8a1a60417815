"""Write the mood and the summary of a session from its stored answers. No model is called."""

import json
import re
from datetime import datetime
from functools import partial
from typing import Any

from echovessel import events
from memory.answers import steps
from memory.answers.coercion import one_line
from memory.answers.schemas import SUMMARY_MOST, MoodSignal, parse_part
from memory.answers.steps import Done
from memory.jobs.queue import enqueue
from memory.messages import tombstones
from memory.models import ConsolidationStep, MoodChange, Session
from personas.models import Bond

Phase = ConsolidationStep.Phase
# What small models write before a summary.
_LABEL = re.compile(
    r"^(?:here(?:'s| is) (?:the|a) )?(?:session )?summary[^:]{0,30}:\s*|^(?:以下是)?.{0,6}(?:总结|摘要)[:：]\s*",
    re.IGNORECASE,
)


def write_mood(waiting: Done, *, session: Session, now: datetime) -> list[ConsolidationStep]:
    """Replace the bond's episodic state by the newest readable signal, if there is one. Returns the steps to be recorded."""
    signal, notes = find_last_signal(waiting)
    if signal is not None:
        replace_episodic_state(session=session, signal=signal, now=now)
    use = partial(steps.build_use, phase=Phase.MOOD, has_found=bool(signal), notes="\n".join(notes), now=now)
    return [use(step) for step in waiting]


def find_last_signal(waiting: Done) -> tuple[MoodSignal | None, list[str]]:
    """Return the newest signal that can be parsed, and notes on newer ones that cannot."""
    notes: list[str] = []
    for step in reversed(waiting):
        signal, wrong = parse_part(json.loads(step.answer).get("session_mood_signal"), MoodSignal, what="mood signal")
        notes += wrong
        if signal is not None:
            return signal, notes
    return None, notes


def replace_episodic_state(*, session: Session, signal: MoodSignal, now: datetime) -> None:
    state = {"mood": signal.mood, "energy": signal.energy, "last_user_signal": signal.last_user_signal}
    Bond.objects.filter(pk=session.bond_id).update(**state, mood_updated_at=now)
    MoodChange.objects.create(bond=session.bond, session=session, created_at=now, **state)
    events.record(bond_id=session.bond_id, type="chat.mood.update", refs={}, now=now)


def write_summary(waiting: Done, *, session: Session, now: datetime) -> list[ConsolidationStep]:
    """Store the newest summary; without one the session keeps its own. Returns the steps to be recorded."""
    summary = find_last_summary(waiting)
    if summary:
        session.summary = summary
        session.save(update_fields=["summary"])
    elif not session.summary and tombstones.find_forgotten_messages(session.bond, session.messages.only("id")):
        # An answer that may tell what was forgotten gave none; the rest of the messages is told alone.
        enqueue("memory.tasks.summarise", session.pk)
    use = partial(steps.build_use, phase=Phase.SUMMARY, has_found=bool(summary), now=now)
    return [use(step, notes=describe_dropped_summary(step)) for step in waiting]


def find_last_summary(waiting: Done) -> str:
    """Return the newest summary of answers whose summary was not used yet."""
    summaries = (parse_summary(json.loads(step.answer)) for step in reversed(waiting))
    return next((summary for summary in summaries if summary), "")


def parse_summary(answer: dict[str, Any]) -> str:
    """Return the summary of an extraction's answer, or an empty string."""
    text = answer.get("session_summary")
    return _LABEL.sub("", one_line(text), count=1)[:SUMMARY_MOST] if isinstance(text, str) else ""


def describe_dropped_summary(step: ConsolidationStep) -> str:
    given = json.loads(step.answer).get("session_summary")
    if given is not None and not isinstance(given, str):
        return "session_summary left out: it is no text"
    is_long = given is not None and len(one_line(given)) > SUMMARY_MOST
    return f"session_summary cut at {SUMMARY_MOST} characters" if is_long else ""
