"""A draft from a character card, copied word for word: a card's fields already match."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from echovessel.materials.cards import list_lore
from personas import cards
from personas.drafts import schemas
from personas.drafts.draft import Draft, detect_language, fit_to_block
from personas.drafts.macros import resolve_macros

TAGLINE_MOST = 120
_START = re.compile(r"^[^\S\n]*<START>[^\S\n]*$", re.MULTILINE | re.IGNORECASE)
# These tell a model how to behave; our own prompts do that.
INSTRUCTIONS = ("system_prompt", "post_history_instructions")


def make_draft(card: Mapping[str, Any], *, user_name: str) -> Draft:
    name = schemas.collapse_whitespace(card.get("name"))[:80]
    said = {key: schemas.clean_text(value) for key, value in card.items()}
    character = schemas.collapse_whitespace(card.get("nickname")) or name
    plain = {key: resolve_macros(value, character=character, user=user_name) for key, value in said.items()}
    own = cards.get_extension(card)
    draft = (
        draft_own_card(plain, own) if own else draft_foreign_card(plain, card, character=character, user_name=user_name)
    )
    return replace(
        draft, name=name, language=schemas.clean_language(own.get("language")) or detect_language(draft.persona)
    )


def draft_own_card(plain: Mapping[str, str], own: Mapping[str, Any]) -> Draft:
    """Make a draft from a card that EchoVessel wrote."""
    return Draft(
        persona=fit_to_block(plain.get("description", ""), "")[0],
        style=fit_to_block(plain.get("personality", ""), "")[0],
        tagline=schemas.collapse_whitespace(own.get("tagline"))[:200],
        facts=schemas.clean_facts(own.get("facts")),
    )


def draft_foreign_card(plain: Mapping[str, str], card: Mapping[str, Any], *, character: str, user_name: str) -> Draft:
    told = [
        f"{keys}: {resolve_macros(said, character=character, user=user_name)}" for keys, said in list_lore(dict(card))
    ]
    who = [plain.get(key, "") for key in ("description", "personality", "scenario")]
    persona, cut = fit_to_block("\n\n".join(part for part in [*who, *told] if part), _("The character's text"))
    style, style_cut = fit_to_block(format_examples(plain), _("How they speak"))
    personality = " ".join(plain.get("personality", "").split())
    return Draft(
        persona=persona,
        style=style,
        tagline=personality if len(personality) <= TAGLINE_MOST else "",
        facts={"full_name": name} if (name := plain.get("name", "")[:120]) else {},
        notes="\n".join([*cut, *style_cut, *note_left_out(plain), *note_author(plain)]),
    )


def format_examples(plain: Mapping[str, str]) -> str:
    """Format the card's example messages."""
    examples = [plain.get("first_mes", ""), _START.sub("", plain.get("mes_example", "")).strip()]
    lines = "\n\n".join(example for example in examples if example)
    return _("For example:") + f"\n{lines}" if lines else ""


def note_left_out(plain: Mapping[str, str]) -> list[str]:
    if not any(plain.get(key) for key in INSTRUCTIONS):
        return []
    return [_("The card's instructions to a model were left out; they are not needed.")]


def note_author(plain: Mapping[str, str]) -> list[str]:
    notes = plain.get("creator_notes", "")[:500]
    return [_("Its author writes: %s") % notes] if notes else []
