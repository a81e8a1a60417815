"""ChatGPT's export of conversations: a list of message trees. Only the branch that was shown last is read."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from io import BytesIO
from itertools import groupby
from typing import Any
from zipfile import ZipFile, ZipInfo

from echovessel.materials import unpacking
from echovessel.materials.decoding import decode_text
from echovessel.materials.json_texts import iterate_items
from echovessel.materials.material import BYTES_MOST, Material, MaterialError, Passage
from echovessel.text import strip_unstorable

# Newer exports come in several numbered files.
FILE_NAME = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")
SPEAKERS = {"user": "User", "assistant": "Assistant"}
# An export begins each conversation with its title and times.
SNIFFED_CHARACTERS = 10_000
# Times before 2020 or after 2096 are wrong.
EARLIEST_SECONDS, LATEST_SECONDS = 1.6e9, 4e9


def is_export(text: str) -> bool:
    """Whether the text looks like a list whose first item has a `mapping`."""
    beginning = text[:SNIFFED_CHARACTERS]
    return re.match(r"\s*\[\s*\{", beginning) is not None and re.search(r'"mapping"\s*:', beginning) is not None


def parse_zip(content: bytes) -> Material:
    """Parse the conversations in a downloaded export, which is a zip."""
    with unpacking.open_zip(BytesIO(content)) as archive:
        entries = sorted(
            (one for one in archive.infolist() if FILE_NAME.fullmatch(one.filename)), key=lambda one: one.filename
        )
        if not entries:
            raise MaterialError("invalid", "This zip file has no conversations.json. Only ChatGPT exports can be read.")
        return parse_texts(read_files(archive, entries))


def read_files(archive: ZipFile, entries: Sequence[ZipInfo]) -> Iterator[str]:
    left = BYTES_MOST
    for entry in entries:
        content = unpacking.read_entry(archive, entry, most=left)
        left -= len(content)
        yield decode_text(content)


def parse_texts(texts: Iterable[str]) -> Material:
    passages = [passage for text in texts for one in iterate_items(text) for passage in split_passages(one)]
    return Material("chatgpt", "\n\n".join(passage.text for passage in passages), passages)


def split_passages(conversation: Any) -> Iterator[Passage]:
    """Divide a conversation by days in UTC."""
    if not isinstance(conversation, dict):
        return
    title = strip_unstorable(to_text(conversation.get("title")))
    begun = parse_day(conversation.get("create_time"))
    said = [
        (parse_day(one.get("create_time")) or begun, line)
        for one in list_messages(conversation)
        if (line := format_message(one))
    ]
    for day, lines in groupby(said, key=lambda line: line[0]):
        yield Passage(strip_unstorable("\n\n".join(line for _, line in lines)), day, title)


def list_messages(conversation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the messages from the root to the end of the branch that was shown last."""
    nodes = {id: to_mapping(node) for id, node in to_mapping(conversation.get("mapping")).items()}
    at = conversation.get("current_node")
    if not isinstance(at, str) or at not in nodes:
        messages = [to_mapping(node.get("message")) for node in nodes.values()]
        return sorted(messages, key=lambda message: parse_seconds(message.get("create_time")))
    branch: dict[str, dict[str, Any]] = {}
    while isinstance(at, str) and at in nodes and at not in branch:
        branch[at] = to_mapping(nodes[at].get("message"))
        at = nodes[at].get("parent")
    return list(reversed(branch.values()))


def format_message(message: dict[str, Any]) -> str:
    speaker = SPEAKERS.get(to_text(to_mapping(message.get("author")).get("role")))
    if speaker is None or to_mapping(message.get("metadata")).get("is_visually_hidden_from_conversation"):
        return ""
    content = to_mapping(message.get("content"))
    if content.get("content_type") not in ("text", "multimodal_text"):
        return ""
    parts = content.get("parts")
    said = "\n".join(part for part in parts if isinstance(part, str)) if isinstance(parts, list) else ""
    return f"{speaker}: {said.strip()}" if said.strip() else ""


def parse_seconds(at: Any) -> float:
    try:
        return float(at)
    except (TypeError, ValueError, OverflowError):
        return 0.0


def parse_day(at: Any) -> date | None:
    seconds = parse_seconds(at)
    return datetime.fromtimestamp(seconds, UTC).date() if EARLIEST_SECONDS < seconds < LATEST_SECONDS else None


def to_mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def to_text(value: Any) -> str:
    return value if isinstance(value, str) else ""
