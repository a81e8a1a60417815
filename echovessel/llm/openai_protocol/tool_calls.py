"""Gathers the tool calls of a streamed reply, in whichever way a server sends them: in pieces, whole, or as text."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from echovessel.llm.openai_protocol.wire import CallPiece
from echovessel.llm.tools import Tool, ToolCall

# What stands between two calls as text.
_BETWEEN = re.compile(r"(?:\s|</?tool_call>|[,;])*")
_TAG = "<tool_call>"
# How a call as text begins, without its white space.
_STARTS = ('{"name":"', '{"type":"function","name":"')


@dataclass
class _GatheredCall:
    index: int | None
    id: str
    name: str
    arguments: str = ""

    @property
    def is_whole(self) -> bool:
        return ToolCall("", "", self.arguments or "{").parse_arguments() is not None


class CallGatherer:
    """Puts calls together: by index, else by id, else a new one where a name begins."""

    def __init__(self) -> None:
        self._calls: list[_GatheredCall] = []

    def add(self, piece: CallPiece) -> None:
        call = self._find(piece)
        if call is None:
            call = _GatheredCall(index=piece.index, id=piece.id or "", name=piece.name)
            self._calls.append(call)
        call.id = call.id or piece.id or ""
        # Some servers repeat the name with each piece.
        call.name = call.name or piece.name
        if isinstance(piece.arguments, str):
            call.arguments += piece.arguments
        elif piece.arguments is not None:
            call.arguments = json.dumps(piece.arguments, ensure_ascii=False)

    def _find(self, piece: CallPiece) -> _GatheredCall | None:
        """Find the call that a piece continues."""
        newest = self._calls[-1] if self._calls else None
        if piece.index is not None:
            known = next((call for call in reversed(self._calls) if call.index == piece.index), None)
            return None if known is not None and _is_another(piece, known) else known
        if piece.id:
            known = next((call for call in self._calls if call.id == piece.id), None)
            return known or (None if piece.name else newest)
        begins = newest is not None and bool(piece.name) and (newest.is_whole or newest.name != piece.name)
        return None if begins else newest

    def get_calls(self) -> list[ToolCall]:
        used: set[str] = set()
        found = []
        for number, call in enumerate(self._calls, 1):
            is_usable = bool(call.id) and call.id not in used
            used.add(call.id)
            found.append(ToolCall(call.id if is_usable else f"call_{number}", call.name, call.arguments))
        return found


def _is_another(piece: CallPiece, known: _GatheredCall) -> bool:
    """Whether a piece begins a call although its index is taken: some servers give every call index 0."""
    return bool(piece.name and piece.id and known.id) and piece.id != known.id and known.is_whole


class TextCallFilter:
    """Holds back what is a call written as text, so that nobody reads it, and reads the calls: a reply that begins as one, or
    goes on as one with its tag.

    Without tools every text passes.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        # The part of their names that tools share, `memory_`: models also call some that do not exist.
        names = {"".join(tool.name.partition("_")[:2]) for tool in tools}
        self._starts: tuple[str, ...] = (_TAG, *(start + name for start in _STARTS for name in names)) if tools else ()
        self._held = ""
        self._is_call = False

    def add(self, text: str) -> str:
        """Take the next text of the reply; return what can be shown now."""
        self._held += text
        if self._is_call:
            return ""
        begun = "".join(self._held.split())
        self._is_call = begun.startswith(self._starts)
        if self._is_call or any(start.startswith(begun) for start in self._starts):
            return ""
        # Behind the first text of a reply, JSON alone may be what the reply is about.
        self._starts = (_TAG + "{",) if self._starts else ()
        return self._release()

    def _release(self) -> str:
        """Return the held text up to where a call may begin."""
        for match in re.finditer("<", self._held) if self._starts else ():
            begun = "".join(self._held[match.start() :].split())
            self._is_call = begun.startswith(self._starts)
            if self._is_call or self._starts[0].startswith(begun):
                shown, self._held = self._held[: match.start()], self._held[match.start() :]
                return shown
        shown, self._held = self._held, ""
        return shown

    def finish(self) -> tuple[str, list[ToolCall]]:
        """Return the text that is still held, without calls, and the calls."""
        return _read_calls(self._held) if self._is_call else (self._held, [])


def _read_calls(text: str) -> tuple[str, list[ToolCall]]:
    calls: list[ToolCall] = []
    at = _skip_between(text, 0)
    while text.startswith("{", at):
        try:
            written, at = json.JSONDecoder().raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        calls.append(_build_call(written, len(calls) + 1))
        at = _skip_between(text, at)
    if not calls or text.startswith("{", at):
        # No text of an unreadable call is shown; its arguments tell the model that it went wrong.
        return "", [*calls, ToolCall(f"call_{len(calls) + 1}", _find_name(text[at:]), text[at:])]
    return text[at:], calls


def _skip_between(text: str, at: int) -> int:
    between = _BETWEEN.match(text, at)
    return between.end() if between else at


def _build_call(written: dict[str, object], number: int) -> ToolCall:
    arguments = written.get("arguments", written.get("parameters", {}))
    told = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(f"call_{number}", str(written.get("name", "")), told)


def _find_name(text: str) -> str:
    found = re.search(r'"name"\s*:\s*"(\w+)"', text)
    return found[1] if found else ""
