"""The ready-made characters: people one may begin with, written as files under `ready/`."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent / "ready"


@dataclass(frozen=True)
class Character:
    key: str
    name: str
    tagline: str
    language: str
    persona: str
    style: str
    facts: dict[str, str]

    @property
    def opening(self) -> str:
        """The first two sentences of the text, for a list of characters."""
        sentences = re.split(r"(?<=[.\u3002])\s*", self.persona.split("\n")[0])
        return ("" if self.language == "zh" else " ").join(sentences[:2])


@cache
def load_all() -> tuple[Character, ...]:
    """All characters, in the order of their files' names."""
    return tuple(load_character(path) for path in sorted(FOLDER.glob("*.yaml")))


def find(key: str) -> Character | None:
    return next((character for character in load_all() if character.key == key), None)


def find_position(name: str) -> int:
    """The place of the character of this name, from 1; 0 where none has it."""
    names = [character.name for character in load_all()]
    return names.index(name) + 1 if name in names else 0


def sort_by_language(language: str) -> list[Character]:
    """All, those who speak a language first."""
    return sorted(load_all(), key=lambda character: character.language != language)


def load_character(path: Path) -> Character:
    return Character(**yaml.safe_load(path.read_text(encoding="utf-8")))
