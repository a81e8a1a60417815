"""The schema of a model's draft. Answers are parsed leniently: a person reviews them."""

from typing import Annotated, Any

from django.db.models import CharField
from pydantic import BaseModel, BeforeValidator

from echovessel.text import strip_unstorable
from personas.models import BLOCK_CHARACTERS, Persona, PersonaFacts

NOTES_MOST = 2000


def clean_text(value: Any) -> str:
    return strip_unstorable(value).strip() if isinstance(value, str) else ""


def collapse_whitespace(value: Any) -> str:
    return " ".join(clean_text(value).split())


def get_max_length(name: str) -> int:
    """Return the size of a fact's column, in characters."""
    column = PersonaFacts._meta.get_field(name)
    assert isinstance(column, CharField)  # as all facts are
    return column.max_length or 0


def clean_fact(name: str, value: Any) -> str:
    """Fit a fact to its column. Only `notes` may have several lines."""
    return (clean_text(value) if name == "notes" else collapse_whitespace(value))[: get_max_length(name)].rstrip()


def clean_facts(value: Any) -> dict[str, str]:
    given = value if isinstance(value, dict) else {}
    return {name: fact for name in PersonaFacts.NAMES if (fact := clean_fact(name, given.get(name)))}


def clean_language(value: Any) -> str:
    return value if value in Persona.Language.values else ""


BlockText = Annotated[str, BeforeValidator(lambda value: clean_text(value)[:BLOCK_CHARACTERS].rstrip())]


class BlocksAnswer(BaseModel):
    persona: BlockText = ""
    user: BlockText = ""
    style: BlockText = ""


class PersonaDraftAnswer(BaseModel):
    blocks: Annotated[BlocksAnswer, BeforeValidator(lambda value: value if isinstance(value, dict) else {})] = (
        BlocksAnswer()
    )
    name: Annotated[str, BeforeValidator(lambda value: collapse_whitespace(value)[:80].rstrip())] = ""
    tagline: Annotated[str, BeforeValidator(lambda value: collapse_whitespace(value)[:200].rstrip())] = ""
    language: Annotated[str, BeforeValidator(clean_language)] = ""
    facts: Annotated[dict[str, str], BeforeValidator(clean_facts)] = {}
    notes: Annotated[str, BeforeValidator(lambda value: clean_text(value)[:NOTES_MOST].rstrip())] = ""
