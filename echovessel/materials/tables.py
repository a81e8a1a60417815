import csv
from collections.abc import Iterator, Mapping
from datetime import date
from io import StringIO
from typing import Any

from echovessel.materials.material import Material, MaterialError, Passage
from echovessel.text import strip_unstorable

DELIMITERS = ",;\t"
CELLS_MOST = 1_000_000
DAYS = frozenset({"date", "day", "datetime", "time", "timestamp", "created", "created_at", "日期", "时间"})


def parse_table(text: str) -> Material:
    """Turn each row into a paragraph with column names, and with the row's day if a column holds days."""
    if text.count("\n") + max(map(text.count, DELIMITERS)) > CELLS_MOST:
        raise MaterialError("too_long", "This table has too many cells.")
    try:
        passages = [build_passage(row) for row in read_rows(strip_unstorable(text))]
    except csv.Error as error:
        raise MaterialError("invalid", "This table cannot be read: %(reason)s.", reason=error) from error
    passages = [passage for passage in passages if passage.text]
    whole = "\n\n".join(passage.text for passage in passages)
    return Material("csv", whole, passages if any(passage.said_on for passage in passages) else [])


def read_rows(text: str) -> Iterator[Mapping[str, Any]]:
    first = text[: text.find("\n") + 1] or text
    delimiter = max(DELIMITERS, key=first.count)
    # Longer rows have cells without a column name.
    return csv.DictReader(StringIO(text, newline=""), delimiter=delimiter, restkey="", restval="")


def build_passage(row: Mapping[str, Any]) -> Passage:
    named = [(name, value if isinstance(value, str) else ", ".join(value)) for name, value in row.items()]
    text = "\n".join(f"{name}: {value}" if name else value for name, value in named if value.strip())
    days = (parse_day(value) for name, value in named if name.strip().casefold() in DAYS)
    return Passage(text, next((day for day in days if day), None), "")


def parse_day(value: str) -> date | None:
    try:
        return date.fromisoformat(value.strip()[:10])
    except ValueError:
        return None
