"""Tells of a companion that came from a character card what the card says of itself. It is kept, exported, and used nowhere else."""

from django.utils.translation import gettext as _

from personas.models import KeptCard, Persona


def describe_origin(persona: Persona) -> list[tuple[str, list[str]]]:
    """Return what a card's author noted, each with its name and one text or more; nothing for a persona without a card."""
    kept = KeptCard.objects.filter(persona=persona).first()
    if kept is None:
        return []
    noted = {
        "creator": _("Author"),
        "character_version": _("Version"),
        "tags": _("Tags"),
        "source": _("Source"),
        "creator_notes": _("Notes of the author"),
    }
    found = [(label, _list_texts(kept.fields.get(name))) for name, label in noted.items()]
    return [(label, texts) for label, texts in found if texts]


def _list_texts(value: object) -> list[str]:
    # What a card brings is kept as it came: a list may hold anything.
    given = value if isinstance(value, list) else [value]
    return [text for text in given if isinstance(text, str) and text.strip()]
