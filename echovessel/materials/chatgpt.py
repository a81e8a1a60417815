"""ChatGPT's export of conversations: a list of trees of messages, of which the branch last seen is read."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from io import BytesIO
from itertools import groupby
from typing import Any
from zipfile import ZipFile, ZipInfo

from echovessel.materials import unpacking
from echovessel.materials.decoding import decoded
from echovessel.materials.json_texts import members
from echovessel.materials.material import BYTES_MOST, Material, MaterialError, Passage
from echovessel.texts import storable

# Newer exports come in several numbered files.
FILE = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")
SPEAKERS = {"user": "User", "assistant": "Assistant"}
# An export names the title and times of a talk first.
LOOKED_AT = 10_000
# Before 2020 nobody talked with it; beyond 2096 is no date of ours.
EARLIEST_SECONDS, LATEST_SECONDS = 1.6e9, 4e9


def is_export(text: str) -> bool:
    """Whether it is a list whose first member seems to have a `mapping`."""
    beginning = text[:LOOKED_AT]
    return re.match(r"\s*\[\s*\{", beginning) is not None and re.search(r'"mapping"\s*:', beginning) is not None


def unpacked(content: bytes) -> Material:
    """The conversations of an export as it is downloaded, a zip."""
    with unpacking.opened(BytesIO(content)) as archive:
        entries = sorted(
            (one for one in archive.infolist() if FILE.fullmatch(one.filename)), key=lambda one: one.filename
        )
        if not entries:
            raise MaterialError(
                "invalid", "This zip file holds no conversations.json; only ChatGPT's exports can be read."
            )
        return material(files(archive, entries))


def files(archive: ZipFile, entries: Sequence[ZipInfo]) -> Iterator[str]:
    left = BYTES_MOST
    for entry in entries:
        content = unpacking.unpacked(archive, entry, most=left)
        left -= len(content)
        yield decoded(content)


def material(texts: Iterable[str]) -> Material:
    passages = [passage for text in texts for one in members(text) for passage in passages_of(one)]
    return Material("chatgpt", "\n\n".join(passage.text for passage in passages), passages)


def passages_of(conversation: Any) -> Iterator[Passage]:
    """A conversation, divided by days in UTC."""
    if not isinstance(conversation, dict):
        return
    title = storable(text_of(conversation.get("title")))
    begun = day_of(conversation.get("create_time"))
    said = [(day_of(one.get("create_time")) or begun, line) for one in messages(conversation) if (line := line_of(one))]
    for day, lines in groupby(said, key=lambda line: line[0]):
        yield Passage(storable("\n\n".join(line for _, line in lines)), day, title)


def messages(conversation: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages from the root to the branch's end that was shown last."""
    nodes = {id: mapping_of(node) for id, node in mapping_of(conversation.get("mapping")).items()}
    at = conversation.get("current_node")
    if not isinstance(at, str) or at not in nodes:
        return sorted((mapping_of(node.get("message")) for node in nodes.values()), key=said_at)
    branch: dict[str, dict[str, Any]] = {}
    while isinstance(at, str) and at in nodes and at not in branch:
        branch[at] = mapping_of(nodes[at].get("message"))
        at = nodes[at].get("parent")
    return list(reversed(branch.values()))


def line_of(message: dict[str, Any]) -> str:
    speaker = SPEAKERS.get(text_of(mapping_of(message.get("author")).get("role")))
    if speaker is None or mapping_of(message.get("metadata")).get("is_visually_hidden_from_conversation"):
        return ""
    content = mapping_of(message.get("content"))
    if content.get("content_type") not in ("text", "multimodal_text"):
        return ""
    parts = content.get("parts")
    said = "\n".join(part for part in parts if isinstance(part, str)) if isinstance(parts, list) else ""
    return f"{speaker}: {said.strip()}" if said.strip() else ""


def said_at(message: dict[str, Any]) -> float:
    return seconds_of(message.get("create_time"))


def seconds_of(at: Any) -> float:
    try:
        return float(at)
    except (TypeError, ValueError, OverflowError):
        return 0.0


def day_of(at: Any) -> date | None:
    seconds = seconds_of(at)
    return datetime.fromtimestamp(seconds, UTC).date() if EARLIEST_SECONDS < seconds < LATEST_SECONDS else None


def mapping_of(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else ""
