"""Drafts as the API shows them."""

from django.core.files.uploadedfile import SimpleUploadedFile

from personas.models import PersonaFacts


def shown(*, blocks, facts=None, **said):
    empty = {"name": None, "tagline": None, "language": "en", "notes": None}
    empty |= {"scenario": None, "examples": None, "greetings": [], "starters": []}
    texts = {"persona": "", "user": "", "style": ""} | blocks
    return empty | {"blocks": texts, "facts": dict.fromkeys(PersonaFacts.NAMES) | (facts or {})} | said


def file(name, content):
    """A file as a form sends it."""
    return {"file": SimpleUploadedFile(name, content)}
