import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from personas.models import BLOCK_CHARACTERS, Persona

_HAN = re.compile(r"[\u4e00-\u9fff]")
# One Chinese character counts as much as a word of five letters.
_HAN_PART = 1 / 6


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A proposed persona for review. `avatar` comes from `avatars.redraw`, or is empty."""

    name: str = ""
    tagline: str = ""
    language: str = Persona.Language.ENGLISH
    persona: str = ""
    user: str = ""
    style: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    notes: str = ""
    avatar: bytes = b""


def detect_language(text: str) -> str:
    is_chinese = len(_HAN.findall(text)) > _HAN_PART * len(text)
    return Persona.Language.CHINESE if is_chinese else Persona.Language.ENGLISH


def fit_to_block(text: str, what: str) -> tuple[str, list[str]]:
    """Truncate a text to the size of a block. Returns it with a note if it was cut."""
    if len(text) <= BLOCK_CHARACTERS:
        return text, []
    said = _("%(what)s has %(count)s characters. A text can have %(most)s; the rest was left out.")
    note = said % {"what": what, "count": len(text), "most": BLOCK_CHARACTERS}
    return text[:BLOCK_CHARACTERS].rstrip(), [note]
