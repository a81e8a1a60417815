"""Stores what a card brought besides the texts that a form shows."""

from django.db import transaction

from personas.cards.card import Card
from personas.models import KeptCard, LoreEntry, Persona


@transaction.atomic
def store(persona: Persona, card: Card) -> None:
    """Store the card's lore and the fields that are only kept. The persona is new: it has neither."""
    KeptCard.objects.create(persona=persona, fields=dict(card.kept))
    rows = [LoreEntry(persona=persona, place=place, **vars(entry)) for place, entry in enumerate(card.lore)]
    for row in rows:
        row.fold_keys()
    LoreEntry.objects.bulk_create(rows)
    if card.nickname:
        persona.nickname = card.nickname
        persona.save(update_fields=["nickname"])
