"""A draft from a character card, word for word: cards say already what goes where."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from echovessel.materials.cards import lore
from personas import cards
from personas.drafts import schemas
from personas.drafts.draft import Draft, fitting, language_of
from personas.drafts.macros import resolved

TAGLINE_MOST = 120
_START = re.compile(r"^[^\S\n]*<START>[^\S\n]*$", re.MULTILINE | re.IGNORECASE)
# What tells a model how to behave; the install's own rules do that.
INSTRUCTIONS = ("system_prompt", "post_history_instructions")


def drafted(card: Mapping[str, Any], *, user_name: str) -> Draft:
    name = schemas.one_line(card.get("name"))[:80]
    said = {key: schemas.text(value) for key, value in card.items()}
    character = schemas.one_line(card.get("nickname")) or name
    plain = {key: resolved(value, character=character, user=user_name) for key, value in said.items()}
    own = cards.own_part(card)
    draft = own_draft(plain, own) if own else foreign_draft(plain, card, character=character, user_name=user_name)
    return replace(draft, name=name, language=language(own) or language_of(draft.persona))


def language(own: Mapping[str, Any]) -> str:
    return schemas.known_language(own.get("language"))


def own_draft(plain: Mapping[str, str], own: Mapping[str, Any]) -> Draft:
    """Of a card that an install like this one has written."""
    return Draft(
        persona=fitting(plain.get("description", ""), "")[0],
        style=fitting(plain.get("personality", ""), "")[0],
        tagline=schemas.one_line(own.get("tagline"))[:200],
        facts=schemas.known_facts(own.get("facts")),
    )


def foreign_draft(plain: Mapping[str, str], card: Mapping[str, Any], *, character: str, user_name: str) -> Draft:
    told = [f"{keys}: {resolved(said, character=character, user=user_name)}" for keys, said in lore(dict(card))]
    who = [plain.get(key, "") for key in ("description", "personality", "scenario")]
    persona, cut = fitting("\n\n".join(part for part in [*who, *told] if part), _("The character's text"))
    style, style_cut = fitting(spoken(plain), _("How they speak"))
    personality = " ".join(plain.get("personality", "").split())
    return Draft(
        persona=persona,
        style=style,
        tagline=personality if len(personality) <= TAGLINE_MOST else "",
        facts={"full_name": name} if (name := plain.get("name", "")[:120]) else {},
        notes="\n".join([*cut, *style_cut, *left_out(plain), *author(plain)]),
    )


def spoken(plain: Mapping[str, str]) -> str:
    """How the character speaks, as the card's own lines show it."""
    examples = [plain.get("first_mes", ""), _START.sub("", plain.get("mes_example", "")).strip()]
    lines = "\n\n".join(example for example in examples if example)
    return _("For example:") + f"\n{lines}" if lines else ""


def left_out(plain: Mapping[str, str]) -> list[str]:
    if not any(plain.get(key) for key in INSTRUCTIONS):
        return []
    return [_("The card's instructions to a model were left out; they are not needed here.")]


def author(plain: Mapping[str, str]) -> list[str]:
    notes = plain.get("creator_notes", "")[:500]
    return [_("Its author writes: %s") % notes] if notes else []
