"""The texts that people wrote for a prompt, with names in the place of their placeholders, and the lore that bears on it."""

import re
from typing import TypedDict

from chat.turns.prompting.base_context import BaseContext, join_said
from personas.authored import lore, placeholders
from personas.models import CoreBlock

_START = re.compile(r"^[^\S\n]*<START>[^\S\n]*$", re.MULTILINE | re.IGNORECASE)


class AuthoredTexts(TypedDict):
    """Fields of `ReplyInputs`."""

    persona_name: str
    user_name: str
    other_name: str
    persona: str
    user: str
    length: str
    style: str
    scenario: str
    examples: list[str]
    lore: list[str]


def read_texts(base: BaseContext) -> AuthoredTexts:
    """Return the names of the two who talk, and the texts as the persona's model reads them."""
    blocks, persona = base.base_memory.blocks, base.turn.bond.persona
    shown_name = base.turn.bond.user.shown_name
    user = base.loaded.name or shown_name

    def fill(text: str) -> str:
        return placeholders.fill(text, character=persona.called, user=user)

    told = lore.choose(base.base_memory.lore, join_said(base.recent_messages, base.turn.burst))
    return AuthoredTexts(
        persona_name=persona.name,
        user_name=user,
        other_name=shown_name if shown_name != user else "",
        user=blocks.get(CoreBlock.Label.USER, ""),
        length=persona.answer_length,
        persona=fill(blocks.get(CoreBlock.Label.PERSONA, "")),
        style=fill(blocks.get(CoreBlock.Label.STYLE, "")),
        scenario=fill(blocks.get(CoreBlock.Label.SCENARIO, "")),
        examples=split_examples(fill(blocks.get(CoreBlock.Label.EXAMPLES, ""))),
        lore=[fill(content) for content in told],
    )


def split_examples(text: str) -> list[str]:
    """Split example dialogue at the lines that begin another."""
    return [example.strip() for example in _START.split(text) if example.strip()]
