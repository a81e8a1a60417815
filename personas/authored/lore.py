"""Which lore entries bear on what is being said: those whose keys occur in it, and those that are always told."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from echovessel import tokens
from echovessel.text import has_cjk

# What the entries of one prompt have at most.
LORE_TOKENS = 800
# The entries that the database offers at most, best first.
OFFERED_MOST = 100
# A line that tells a program how to use an entry, by version 3 of character cards.
_DECORATOR = "@@"


@dataclass(frozen=True, kw_only=True)
class OfferedLore:
    """An entry that is constant, or of which a key seems to occur."""

    content: str
    keys: Sequence[str] = ()
    secondary_keys: Sequence[str] = ()
    constant: bool = False
    selective: bool = False
    case_sensitive: bool = False
    priority: int = 0
    insertion_order: int = 0


def choose(offered: Iterable[OfferedLore], said: str) -> list[str]:
    """Return the contents of the entries to tell, in their order: as many as fit, constant ones first, then by priority."""
    folded = said.casefold()
    found = [entry for entry in offered if entry.constant or is_named(entry, said, folded)]
    found.sort(key=lambda entry: (not entry.constant, -entry.priority, entry.insertion_order))
    chosen: list[tuple[int, str]] = []
    left = LORE_TOKENS
    for entry in found:
        content = strip_decorators(entry.content)
        cost = tokens.estimate(content)
        if content and cost <= left:
            left -= cost
            chosen.append((entry.insertion_order, content))
    return [content for _, content in sorted(chosen, key=lambda one: one[0])]


def is_named(entry: OfferedLore, said: str, folded: str) -> bool:
    def occurs(key: str) -> bool:
        return occurs_as_word(key, said) if entry.case_sensitive else occurs_as_word(key.casefold(), folded)

    if not any(map(occurs, entry.keys)):
        return False
    return not (entry.selective and entry.secondary_keys) or any(map(occurs, entry.secondary_keys))


def occurs_as_word(key: str, text: str) -> bool:
    """Whether a text holds a key as whole words; anywhere in Chinese, Japanese and Korean, whose words join without blanks."""
    key = key.strip()
    at = text.find(key) if key else -1
    while at >= 0:
        end = at + len(key)
        if not (continues_word(text[at - 1 : at], key[0]) or continues_word(key[-1], text[end : end + 1])):
            return True
        at = text.find(key, at + 1)
    return False


def continues_word(before: str, after: str) -> bool:
    """Whether two neighbouring characters are of one word."""
    return is_letter(before) and is_letter(after)


def is_letter(character: str) -> bool:
    return character.isalnum() and not has_cjk(character)


def strip_decorators(content: str) -> str:
    lines = content.splitlines()
    while lines and lines[0].lstrip().startswith(_DECORATOR):
        lines.pop(0)
    return "\n".join(lines).strip()
