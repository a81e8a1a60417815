"""The arguments of each tool, read leniently: what is absent or null is left out."""

import re
from datetime import date
from typing import Annotated, Any, TypeVar

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from echovessel.text import strip_unstorable
from memory.facts.drafts import FactError

LIST_MOST, RECALL_MOST, RECALL_USUAL = 100, 50, 10
_DAY = re.compile(r"(\d{4})(?:[-年](\d{1,2})(?:[-月](\d{1,2}))?)?")


def _read_day(value: Any) -> date | None:
    """Read a day; what is none ("last spring") is left out, as the content says it."""
    found = _DAY.match(str(value).strip())
    try:
        return date(int(found[1]), int(found[2] or 1), int(found[3] or 1)) if found else None
    except ValueError:
        return None


def _read_text(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return strip_unstorable(value).strip() if isinstance(value, str) else "" if value is None else value


def _read_switch(value: Any) -> bool:
    return value.strip().lower() not in ("", "false", "no", "0") if isinstance(value, str) else bool(value)


def _read_limit(value: Any) -> Any:
    return RECALL_USUAL if value is None else value


Text = Annotated[str, BeforeValidator(_read_text)]
Told = Annotated[str, Field(min_length=1), BeforeValidator(_read_text)]
Day = Annotated[date | None, BeforeValidator(_read_day)]
Switch = Annotated[bool, BeforeValidator(_read_switch)]
# What small models call them.
_CONTENT = AliasChoices("content", "text", "fact", "memory", "note")
_REF = AliasChoices("ref", "id", "number", "fact_id", "memory_id")


Shape = TypeVar("Shape", bound=BaseModel)


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="ignore")


class SaveArguments(_Arguments):
    content: Told = Field(validation_alias=_CONTENT)
    facet: Text = ""
    detail: Text = ""
    slot: Text = ""
    value: Text = ""
    since: Day = None


class UpdateArguments(_Arguments):
    ref: Told = Field(validation_alias=_REF)
    content: Text = Field("", validation_alias=_CONTENT)
    detail: Text = ""
    value: Text = ""
    since: Day = None
    ended: Switch = False


class RefArguments(_Arguments):
    ref: Told = Field(validation_alias=_REF)


class LinkArguments(_Arguments):
    # `from` is a keyword of Python.
    from_ref: Told = Field(alias="from")
    to: Told
    relation: Annotated[str, Field(min_length=1, max_length=40), BeforeValidator(_read_text)]


class ListArguments(_Arguments):
    facet: Text = ""


class RecallArguments(_Arguments):
    query: Told
    limit: Annotated[int, BeforeValidator(_read_limit)] = RECALL_USUAL
    past: Switch = False


def parse(shape: type[Shape], given: dict[str, Any] | None) -> Shape:
    """Return the arguments of a call. Raises FactError `invalid`, which says why."""
    if given is None:
        raise FactError("invalid", "The arguments are no JSON object.")
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise FactError("invalid", wrong) from None
