"""Ready-made characters, one file each under `ready/`."""

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
    greetings: list[str]
    starters: list[str]

    @property
    def opening(self) -> str:
        """Return the first two sentences, for a list of characters."""
        sentences = re.split(r"(?<=[.\u3002])\s*", self.persona.split("\n")[0])
        return ("" if self.language == "zh" else " ").join(sentences[:2])


@cache
def load_all() -> tuple[Character, ...]:
    """Return all characters in the order of their file names."""
    return tuple(
        Character(**yaml.safe_load(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("*.yaml"))
    )


def find(key: str) -> Character | None:
    return next((character for character in load_all() if character.key == key), None)


def find_by_name(name: str) -> Character | None:
    return next((character for character in load_all() if character.name == name), None)


def find_position(name: str) -> int:
    """Return the 1-based position of the character with this name, or 0."""
    names = [character.name for character in load_all()]
    return names.index(name) + 1 if name in names else 0


def sort_by_language(language: str) -> list[Character]:
    """Return all characters; those who speak the language come first."""
    return sorted(load_all(), key=lambda character: character.language != language)
