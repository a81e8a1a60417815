"""Stores what a card brought besides the texts that a form shows."""

from collections.abc import Sequence

from django.db import transaction

from personas.cards.card import LORE_SETTINGS, Card, Lore
from personas.models import KeptCard, LoreEntry, Persona


@transaction.atomic
def store(persona: Persona, card: Card) -> None:
    """Store the card's lore and the fields that are only kept. The persona is new: it has neither."""
    KeptCard.objects.create(persona=persona, fields=dict(card.kept))
    LoreEntry.objects.bulk_create(build_rows(persona, card.lore))
    if card.nickname:
        persona.nickname = card.nickname
        persona.save(update_fields=["nickname"])


def build_rows(persona: Persona, lore: Sequence[Lore]) -> list[LoreEntry]:
    rows = [
        LoreEntry(
            persona=persona,
            place=place,
            keys=entry.keys,
            content=entry.content,
            kept=dict(entry.kept),
            **{name: getattr(entry, name) for name in LORE_SETTINGS},
        )
        for place, entry in enumerate(lore)
    ]
    for row in rows:
        row.fold_keys()
    return rows
