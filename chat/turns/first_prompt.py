"""The prompt of a new companion, before the first message."""

from collections.abc import Mapping
from datetime import datetime

from chat.turns import prompt
from echovessel.llm.inputs import ReplyInputs
from personas.models import NEUTRAL_ENERGY, NEUTRAL_MOOD, User

NEUTRAL = {"mood": NEUTRAL_MOOD, "energy": NEUTRAL_ENERGY, "last_user_signal": None, "updated_at": None}


def render(
    person: User, *, name: str, persona: str, user: str, style: str, facts: Mapping[str, str | None], now: datetime
) -> str:
    begun = ReplyInputs(
        persona_name=name or "…",
        user_name=person.shown_name,
        persona=persona,
        user=user,
        style=style,
        facts=facts,
        mood=NEUTRAL,
        burst=[],
        now=now.astimezone(person.zone),
    )
    return "\n\n".join([*prompt.render_stable_sections(begun), *prompt.render_situation(begun)])
