"""The prompt of a new companion, before the first message."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial

from chat.turns.prompting import prompt
from chat.turns.prompting.authored import split_examples
from echovessel.llm.inputs import ReplyInputs
from personas.authored import placeholders
from personas.models import Bond, User


def render(person: User, *, texts: Mapping[str, str], facts: Mapping[str, str | None], now: datetime) -> str:
    """Return the prompt with a form's texts: name, persona, user, style, scenario and examples."""
    name = texts["name"] or "…"
    fill = partial(placeholders.fill, character=name, user=person.shown_name)
    begun = ReplyInputs(
        persona_name=name,
        user_name=person.shown_name,
        user=texts["user"],
        persona=fill(texts["persona"]),
        style=fill(texts["style"]),
        scenario=fill(texts["scenario"]),
        facts=facts,
        mood=Bond().episodic_state(now),
        burst=[],
        now=now.astimezone(person.zone),
    )
    return "\n\n".join(
        [
            *prompt.render_stable_sections(begun, examples=split_examples(fill(texts["examples"]))),
            *prompt.render_situation(begun),
        ]
    )
