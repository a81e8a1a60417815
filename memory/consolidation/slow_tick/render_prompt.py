"""Render the prompt of a slow tick."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from echovessel import tokens
from echovessel.prompts import escape, render
from memory.consolidation.slow_tick.gather_input import Material, MaterialItem
from memory.entities.names import name_user
from personas import blocks
from personas.authored import placeholders
from personas.models import Bond, CoreBlock

PROMPT = Path(__file__).parents[2] / "prompts" / "slow_tick.md"
# The limit of each authored text; the two leave most of the prompt to memory.
BLOCK_TOKENS = 1_000


def load_blocks(bond: Bond) -> tuple[dict[str, str], list[str]]:
    """Load the authored texts, shortened where they are long, with a note for each shortened one."""
    texts: dict[str, str] = {}
    notes: list[str] = []
    user = name_user(bond)
    for name, holder, label in (
        ("persona_block", bond.persona, CoreBlock.Label.PERSONA),
        ("user_block", bond, CoreBlock.Label.USER),
    ):
        block = blocks.find(holder, label)
        authored = block.content if block else ""
        content = placeholders.fill(authored, character=bond.persona.called, user=user)
        texts[name] = escape(shorten(content)) or "(nothing written)"
        if shorten(content) != content:
            notes.append(f"the text about the {label} was shortened")
    return texts, notes


def shorten(content: str, *, most: int = BLOCK_TOKENS) -> str:
    kept = content
    while tokens.estimate(kept) > most:
        kept = kept[: len(kept) * most // (tokens.estimate(kept) + 1)]
    return kept if kept == content else f"{kept.rstrip()} …"


def render_prompt(*, bond: Bond, texts: dict[str, str], material: Material, now: datetime) -> str:
    local = now.astimezone(bond.user.zone)
    return render(
        PROMPT,
        persona_name=escape(bond.persona.name),
        user_name=escape(name_user(bond)),
        now=f"{local:%A} {local:%Y-%m-%d}, {local:%H:%M}",
        zone=str(bond.user.zone),
        **texts,
        events=join_items(material.events),
        talks=join_items(material.talks),
        thoughts=join_items(material.thoughts),
        questions=join_items(material.questions),
        expectations=join_items(material.expectations),
        intentions=join_items(material.intentions),
        entities=join_items(material.entities),
    )


def join_items(told: Sequence[MaterialItem]) -> str:
    return "\n".join(one.text for one in told) or "(none)"
