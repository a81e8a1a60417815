"""Reads the fields of a card of any version. Its good parts are kept, and what is wrong is told in sentences."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from personas.cards.card import EXTENSION, Card, Lore
from personas.cards.values import Problems, keep_values, read_flag, read_number, read_text, read_texts
from personas.models import BLOCK_CHARACTERS, GREETING_CHARACTERS, GREETINGS_MOST
from personas.models.lore import DEFAULT_ORDER, KEY_CHARACTERS, KEYS_MOST, LORE_CHARACTERS, LORE_MOST

NAME_CHARACTERS = 80
# The characters of all entries together, and of what is only kept: a form carries them while a draft is reviewed.
LORE_TOTAL = 300_000
KEPT_CHARACTERS = 100_000
ENTRY_KEPT_CHARACTERS = 4000
# Fields of the card that are texts of the persona here.
USED = frozenset(
    {
        *("name", "nickname", "description", "personality", "scenario", "mes_example"),
        *("first_mes", "alternate_greetings", "character_book"),
    }
)
CREDITS = {"creator": str, "creator_notes": str, "character_version": str}
INSTRUCTIONS = {"system_prompt": str, "post_history_instructions": str}
LISTS = {"tags": list, "group_only_greetings": list, "source": list, "assets": list}
KINDS: Mapping[str, type] = {**CREDITS, **INSTRUCTIONS, **LISTS, "extensions": dict, "creator_notes_multilingual": dict}
KIND_NAMES: Mapping[type, str] = {str: "text", list: "list", dict: "object"}


def parse(data: Mapping[str, Any]) -> tuple[Card, list[str]]:
    """Return a card and what is wrong with it, in sentences."""
    problems = Problems()
    kept = read_kept(data, problems)
    own = pop_own(kept)
    lore = read_book(data.get("character_book"), kept, problems)
    nickname = read_line(data.get("nickname"), name="nickname", problems=problems)
    if "nickname" in data and not nickname:
        kept["nickname"] = ""
    card = Card(
        name=read_line(data.get("name"), name="name", problems=problems),
        nickname=nickname,
        description=read_block(data, "description", problems),
        personality=read_block(data, "personality", problems),
        scenario=read_block(data, "scenario", problems),
        examples=read_block(data, "mes_example", problems),
        greetings=read_greetings(data, problems),
        lore=lore,
        kept=kept,
        own=own,
    )
    return card, problems.list()


def read_line(value: Any, *, name: str, problems: Problems) -> str:
    text = read_text(value, name=name, most=100_000, problems=problems)
    line = " ".join(text.split())
    if len(line) > NAME_CHARACTERS:
        said = _("%(field)s has %(count)s characters. A name can have %(most)s; the rest was left out.")
        problems.add(said % {"field": name, "count": len(line), "most": NAME_CHARACTERS})
    return line[:NAME_CHARACTERS].rstrip()


def read_block(data: Mapping[str, Any], name: str, problems: Problems) -> str:
    return read_text(data.get(name), name=name, most=BLOCK_CHARACTERS, problems=problems)


def read_greetings(data: Mapping[str, Any], problems: Problems) -> list[str]:
    """Return the first message and the alternate greetings."""
    first = read_text(data.get("first_mes"), name="first_mes", most=GREETING_CHARACTERS, problems=problems)
    others = read_texts(data.get("alternate_greetings"), name="alternate_greetings", problems=problems)
    given = [text for text in (first, *others) if text.strip()]
    if len(given) > GREETINGS_MOST:
        said = _("The card has %(count)s greetings. A companion can have %(most)s; the others were left out.")
        problems.add(said % {"count": len(given), "most": GREETINGS_MOST})
    return [
        read_text(text, name=f"alternate_greetings {n}", most=GREETING_CHARACTERS, problems=problems)
        for n, text in enumerate(given[:GREETINGS_MOST])
    ]


def read_kept(data: Mapping[str, Any], problems: Problems) -> dict[str, Any]:
    further = {}
    for name, value in data.items():
        kind = KINDS.get(name)
        if name in USED:
            continue
        if kind is not None and value is not None and not isinstance(value, kind):
            add_wrong_kind(problems, name, kind)
            continue
        further[name] = value
    return keep_values(further, most=KEPT_CHARACTERS, within="", problems=problems)


def add_wrong_kind(problems: Problems, field: str, kind: type) -> None:
    said = _("%(field)s must be of the kind %(kind)s; it was left out.")
    problems.add(said % {"field": field, "kind": KIND_NAMES[kind]})


def pop_own(kept: dict[str, Any]) -> dict[str, Any]:
    """Take what EchoVessel wrote out of the card's extensions."""
    extensions = kept.get("extensions")
    own = extensions.pop(EXTENSION, None) if isinstance(extensions, dict) else None
    return own if isinstance(own, dict) else {}


def read_book(book: Any, kept: dict[str, Any], problems: Problems) -> list[Lore]:
    """Return the entries of the lore book; its other fields go to `kept`."""
    if book is None:
        return []
    if not isinstance(book, dict):
        add_wrong_kind(problems, "character_book", dict)
        return []
    further = {name: value for name, value in book.items() if name != "entries"}
    kept["character_book"] = keep_values(further, most=KEPT_CHARACTERS, within="character_book.", problems=problems)
    entries = book.get("entries")
    if not isinstance(entries, list):
        if entries is not None:
            add_wrong_kind(problems, "character_book.entries", list)
        return []
    return read_entries(entries, problems)


def read_entries(entries: list[Any], problems: Problems) -> list[Lore]:
    lore: list[Lore] = []
    left = LORE_TOTAL
    for n, entry in enumerate(entries[:LORE_MOST], start=1):
        if not isinstance(entry, dict):
            problems.add(_("Lore entry %(n)s must be an object; it was left out.") % {"n": n})
            continue
        read = read_entry(entry, name=f"character_book.entries[{n}]", problems=problems)
        left -= len(read.content) + sum(map(len, (*read.keys, *read.secondary_keys)))
        if left < 0:
            said = _("The lore of this card has more than %(most)s characters; from entry %(n)s on it was left out.")
            problems.add(said % {"most": LORE_TOTAL, "n": n})
            return lore
        lore.append(read)
    if len(entries) > LORE_MOST:
        said = _("The card has %(count)s lore entries. A companion can have %(most)s; the others were left out.")
        problems.add(said % {"count": len(entries), "most": LORE_MOST})
    return lore


def read_entry(entry: Mapping[str, Any], *, name: str, problems: Problems) -> Lore:
    def flag(field: str, *, default: bool) -> bool:
        return read_flag(entry.get(field), name=f"{name}.{field}", default=default, problems=problems)

    def number(field: str) -> int | None:
        return read_number(entry.get(field), name=f"{name}.{field}", problems=problems)

    order = number("insertion_order")
    is_sensitive = entry.get("case_sensitive")
    further = {field: value for field, value in entry.items() if field not in ("keys", "content")}
    return Lore(
        keys=read_keys(entry, "keys", name=name, problems=problems),
        secondary_keys=read_keys(entry, "secondary_keys", name=name, problems=problems),
        content=read_text(entry.get("content"), name=f"{name}.content", most=LORE_CHARACTERS, problems=problems),
        constant=flag("constant", default=False),
        enabled=flag("enabled", default=True),
        selective=flag("selective", default=False),
        case_sensitive=None if is_sensitive is None else flag("case_sensitive", default=False),
        use_regex=flag("use_regex", default=False),
        priority=number("priority"),
        insertion_order=DEFAULT_ORDER if order is None else order,
        kept=keep_values(further, most=ENTRY_KEPT_CHARACTERS, within=f"{name}.", problems=problems),
    )


def read_keys(entry: Mapping[str, Any], field: str, *, name: str, problems: Problems) -> list[str]:
    keys = read_texts(entry.get(field), name=f"{name}.{field}", problems=problems)
    fitting = [key for key in keys if len(key) <= KEY_CHARACTERS][:KEYS_MOST]
    if len(fitting) < len(keys):
        said = _("%(field)s can have %(most)s keys of %(characters)s characters; the others were left out.")
        problems.add(said % {"field": f"{name}.{field}", "most": KEYS_MOST, "characters": KEY_CHARACTERS})
    return fitting
