"""A draft from a character card, copied word for word: a card's fields already match."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from personas.cards import deriving, parsing
from personas.cards.card import Card
from personas.drafts import schemas
from personas.drafts.draft import Draft

AUTHOR_CHARACTERS = 500


def make_draft(given: Mapping[str, Any]) -> Draft:
    card, problems = parsing.parse(given)
    further = read_own(card) if card.own else deriving.derive(card)
    return Draft(
        name=card.name,
        tagline=further.tagline,
        language=further.language,
        persona=card.description,
        style=card.personality,
        scenario=card.scenario,
        examples=card.examples,
        greetings=tuple(card.greetings),
        starters=further.starters,
        facts=schemas.clean_facts(dict(further.facts)),
        notes="\n".join([*problems, *note_lore(card), *note_instructions(card), *note_author(card)]),
        card=card,
    )


def read_own(card: Card) -> deriving.Further:
    return deriving.Further(
        tagline=schemas.collapse_whitespace(card.own.get("tagline"))[:200],
        language=schemas.clean_language(card.own.get("language")) or deriving.detect_language(card.description),
        facts=schemas.clean_facts(card.own.get("facts")),
        starters=deriving.read_starters(card.own.get("starters")),
    )


def note_lore(card: Card) -> list[str]:
    if not card.lore:
        return []
    count = len(card.lore)
    notes = [
        ngettext("The card has %(count)s lore entry.", "The card has %(count)s lore entries.", count) % {"count": count}
    ]
    if any(entry.use_regex for entry in card.lore):
        notes.append(_("Keys that are regular expressions are kept, but not used here."))
    return notes


def note_instructions(card: Card) -> list[str]:
    if not any(card.kept.get(name) for name in parsing.INSTRUCTIONS):
        return []
    return [_("The card's instructions to a model are kept with the card, but not used here.")]


def note_author(card: Card) -> list[str]:
    notes = str(card.kept.get("creator_notes") or "")[:AUTHOR_CHARACTERS]
    # What EchoVessel wrote there is the tagline.
    return [_("Its author writes: %s") % notes] if notes and not card.own else []
