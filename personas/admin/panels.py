"""Panels below the fields of a row's page: tables of related rows, long texts, and model answers."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from personas.admin.columns import Cell

# The most rows in a table; a link leads to the rest.
ROWS_MOST = 100


@dataclass(frozen=True)
class TablePanel:
    title: Any
    head: Sequence[Any]
    rows: list[list[Cell]]
    # Shown if there are no rows.
    empty: Any = ""
    # A link to all rows.
    more: Cell = ""
    template: str = field(default="admin/panel_table.html", init=False)


@dataclass(frozen=True)
class TextPanel:
    title: Any
    text: str
    template: str = field(default="admin/panel_text.html", init=False)


@dataclass(frozen=True)
class TreePanel:
    """Nested JSON: the pairs of an object, the items of a list, or a plain value."""

    title: Any = ""
    pairs: Sequence[tuple[str, "TreePanel"]] = ()
    items: Sequence["TreePanel"] = ()
    plain: Any = ""
    template: str = field(default="admin/panel_tree.html", init=False)


Panel = TablePanel | TextPanel | TreePanel


def build_answer_panel(title: Any, text: str) -> Panel:
    """Show a model's answer as a tree if it is JSON, else as plain text."""
    try:
        value = json.loads(text)
    except ValueError:
        return TextPanel(title, text)
    return build_tree_panel(value, title) if isinstance(value, dict) else TextPanel(title, text)


def build_tree_panel(value: Any, title: Any = "") -> TreePanel:
    if isinstance(value, dict):
        return TreePanel(title, pairs=[(name, build_tree_panel(inner)) for name, inner in value.items()])
    if isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        return TreePanel(title, items=[build_tree_panel(inner) for inner in value])
    if isinstance(value, list):
        return TreePanel(title, plain=", ".join(map(str, value)) or "-")
    return TreePanel(title, plain="-" if value in (None, "") else value)
