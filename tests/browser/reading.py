"""Extracts the visible texts, labels and hints of a page, without those that it marks as English."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

SAYING = ("alt", "aria-label", "aria-description", "content", "label", "placeholder", "title")
VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        # Of each open element whether it is silent: no text, what people write, or said to be English.
        self.silent = [False]
        self.is_json = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.is_json = tag == "script" and given.get("type") == "application/json"
        is_silent = self.silent[-1] or tag in ("script", "style", "code", "textarea") or given.get("lang") == "en"
        if not is_silent:
            self.texts += [given[name] for name in SAYING if given.get(name) and is_said(tag, name, given)]
        if tag not in VOID:
            self.silent.append(is_silent)

    def handle_endtag(self, tag: str) -> None:
        self.is_json = False
        if tag not in VOID:
            self.silent.pop()

    def handle_data(self, data: str) -> None:
        if self.is_json:
            self.texts += strings(json.loads(data).get("strings", {}))
        elif not self.silent[-1]:
            self.texts.append(data)


def is_said(tag: str, name: str, given: dict[str, str]) -> bool:
    return tag != "meta" or (name == "content" and given.get("name") == "description")


def strings(value: Any) -> Iterator[str]:
    """Return the sentences that a page gives to its scripts."""
    if isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, str):
        yield value


def texts(html: str) -> list[str]:
    reader = Reader()
    reader.feed(html)
    return [" ".join(text.split()) for text in reader.texts if text.strip()]
