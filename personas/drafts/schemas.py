"""The shape of a draft as a model is asked for it. What comes back is read leniently: a person reviews it."""

from typing import Annotated, Any

from django.db.models import CharField
from pydantic import BaseModel, BeforeValidator

from echovessel.texts import storable
from personas.models import BLOCK_CHARACTERS, Persona, PersonaFacts

NOTES_MOST = 2000


def text(value: Any) -> str:
    return storable(value).strip() if isinstance(value, str) else ""


def one_line(value: Any) -> str:
    return " ".join(text(value).split())


def most_of(name: str) -> int:
    """How many characters the column of a fact holds."""
    column = PersonaFacts._meta.get_field(name)
    assert isinstance(column, CharField)  # as all facts are
    return column.max_length or 0


def within(name: str, value: Any) -> str:
    """A fact as its column can hold it; `notes` alone may have several lines."""
    return (text(value) if name == "notes" else one_line(value))[: most_of(name)].rstrip()


def known_facts(value: Any) -> dict[str, str]:
    given = value if isinstance(value, dict) else {}
    return {name: fact for name in PersonaFacts.NAMES if (fact := within(name, given.get(name)))}


def known_language(value: Any) -> str:
    return value if value in Persona.Language.values else ""


Block = Annotated[str, BeforeValidator(lambda value: text(value)[:BLOCK_CHARACTERS].rstrip())]


class BlocksAnswer(BaseModel):
    persona: Block = ""
    user: Block = ""
    style: Block = ""


class PersonaDraftAnswer(BaseModel):
    blocks: Annotated[BlocksAnswer, BeforeValidator(lambda value: value if isinstance(value, dict) else {})] = (
        BlocksAnswer()
    )
    name: Annotated[str, BeforeValidator(lambda value: one_line(value)[:80].rstrip())] = ""
    tagline: Annotated[str, BeforeValidator(lambda value: one_line(value)[:200].rstrip())] = ""
    language: Annotated[str, BeforeValidator(known_language)] = ""
    facts: Annotated[dict[str, str], BeforeValidator(known_facts)] = {}
    notes: Annotated[str, BeforeValidator(lambda value: text(value)[:NOTES_MOST].rstrip())] = ""
