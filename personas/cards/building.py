"""Builds the card of a persona: its texts, its lore, and what an imported card brought besides."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from personas.authored import openings
from personas.cards import deriving
from personas.cards.card import EXTENSION, LORE_SETTINGS, Card, Lore
from personas.cards.deriving import Further
from personas.cards.parsing import read_entry
from personas.cards.values import Problems
from personas.models import CoreBlock, KeptCard, Persona, PersonaFacts

# What a card of version 3 must have, where nothing is known of it.
EMPTY: Mapping[str, Any] = {
    **dict.fromkeys(
        ("creator_notes", "system_prompt", "post_history_instructions", "creator", "character_version"), ""
    ),
    **{name: [] for name in ("tags", "group_only_greetings")},
    "extensions": {},
}


def build_card(persona: Persona) -> dict[str, Any]:
    """Return a persona as a card of version 3. What the format lacks goes into our own extension, unless it follows from the rest."""
    kept = KeptCard.objects.filter(persona=persona).first()
    card = load_card(persona, kept=kept.fields if kept else {})
    data = build_data(card)
    if kept is None:
        data["creator_notes"] = persona.tagline
    data.setdefault("creation_date", int(persona.created_at.timestamp()))
    further = Further(
        tagline=persona.tagline,
        language=persona.language,
        facts=load_facts(persona),
        starters=tuple(openings.load(persona).starters),
    )
    if further != deriving.derive(card):
        own = {"tagline": further.tagline, "language": further.language, "facts": dict(further.facts)}
        own |= {"starters": list(further.starters)} if further.starters else {}
        data["extensions"] = {**data["extensions"], EXTENSION: own}
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": data}


def load_card(persona: Persona, *, kept: Mapping[str, Any]) -> Card:
    texts = dict(persona.blocks.values_list("label", "content"))
    return Card(
        name=persona.name,
        nickname=persona.nickname,
        description=texts.get(CoreBlock.Label.PERSONA, ""),
        personality=texts.get(CoreBlock.Label.STYLE, ""),
        scenario=texts.get(CoreBlock.Label.SCENARIO, ""),
        examples=texts.get(CoreBlock.Label.EXAMPLES, ""),
        greetings=list(openings.load(persona).greetings),
        lore=[
            Lore(**{one.name: getattr(entry, one.name) for one in fields(Lore)})
            for entry in persona.lore.order_by("place", "id")
        ],
        kept=kept,
    )


def build_data(card: Card) -> dict[str, Any]:
    data = {
        **EMPTY,
        **{name: value for name, value in card.kept.items() if name != "character_book"},
        "name": card.name,
        "description": card.description,
        "personality": card.personality,
        "scenario": card.scenario,
        "mes_example": card.examples,
        "first_mes": card.greetings[0] if card.greetings else "",
        "alternate_greetings": card.greetings[1:],
    }
    if card.nickname:
        data["nickname"] = card.nickname
    book = card.kept.get("character_book")
    if card.lore or book is not None:
        further = book if isinstance(book, dict) else {"extensions": {}}
        data["character_book"] = {**further, "entries": [build_entry(entry) for entry in card.lore]}
    return data


def build_entry(lore: Lore) -> dict[str, Any]:
    """Return an entry's fields as they came, with those that were changed here."""
    came = read_entry(lore.kept, name="", problems=Problems())
    changed = {name: getattr(lore, name) for name in LORE_SETTINGS if getattr(lore, name) != getattr(came, name)}
    entry = dict(lore.kept)
    if not entry:
        entry = {"extensions": {}, "enabled": lore.enabled, "insertion_order": lore.insertion_order}
    return {**entry, **changed, "keys": lore.keys, "content": lore.content}


def load_facts(persona: Persona) -> dict[str, str]:
    facts = PersonaFacts.objects.filter(persona=persona).first() or PersonaFacts()
    return {name: value for name, value in facts.as_dict().items() if value}
