"""The tools by which a companion notes, changes and finds facts while it replies, as a model reads them."""

from typing import Any

from echovessel.llm.tools import Tool
from memory.models import ConceptNode

_TEXT: dict[str, Any] = {"type": "string"}
_REF: dict[str, Any] = {"type": "string", "description": "Words of it, or its listed number"}
_DETAIL: dict[str, Any] = {"type": "string", "description": "More, if needed later"}
_VALUE: dict[str, Any] = {"type": "string", "description": "The slot's value alone"}
_SINCE: dict[str, Any] = {"type": "string", "description": "YYYY-MM-DD"}
FACETS = [facet for facet in ConceptNode.Facet.values if facet != ConceptNode.Facet.PERSONA_CANON]
# Of the facets' names a model takes "you" for itself.
_WHOM = "about_you: the user; how_to_talk: how they like to be spoken to; about_us: the two of you"


def _build(name: str, description: str, required: str = "", **properties: dict[str, Any]) -> Tool:
    parameters = {"type": "object", "properties": properties, "required": required.split()}
    return Tool(name=name, description=description, parameters=parameters)


SAVE = _build(
    "memory_save",
    "Note one lasting fact, about the user in the third person.",
    "content",
    content=_TEXT,
    facet={"type": "string", "enum": FACETS, "description": _WHOM},
    detail=_DETAIL,
    slot={"type": "string", "enum": ConceptNode.Slot.values},
    value=_VALUE,
    since=_SINCE,
)
UPDATE = _build(
    "memory_update",
    "Correct or end a noted fact.",
    "ref",
    ref=_REF,
    content=_TEXT,
    detail=_DETAIL,
    value=_VALUE,
    since=_SINCE,
    ended={"type": "boolean", "description": "It holds no longer"},
)
FORGET = _build("memory_forget", "Forget what the user asks to, noted or only said.", "ref", ref=_REF)
CONFIRM = _build("memory_confirm", "The user said that a noted fact still holds.", "ref", ref=_REF)
LINK = _build(
    "memory_link",
    "Connect two noted facts, named like a ref.",
    "from to relation",
    **{"from": _TEXT, "to": _TEXT, "relation": {"type": "string", "description": "A few words"}},
)
LIST = _build(
    "memory_list", "List what is noted, with numbers.", facet={"type": "string", "enum": ConceptNode.Facet.values}
)
RECALL = _build(
    "memory_recall",
    "Search what is noted, with details.",
    "query",
    query=_TEXT,
    limit={"type": "integer"},
    past={"type": "boolean", "description": "Also what held before"},
)
READING = (LIST, RECALL)
ALL = (SAVE, UPDATE, FORGET, CONFIRM, LINK, *READING)
