"""Gathers the tool calls of a streamed reply, in whichever way a server sends them: in pieces, whole, or as text."""

import ast
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from echovessel.llm.openai_protocol.wire import CallPiece
from echovessel.llm.tools import Tool, ToolCall

# What stands between two calls as text.
_BETWEEN = re.compile(
    r"(?:\s|\[TOOL_CALLS\]|</?tool_call>|</function>|```(?:\w*(?=\s|[{\[]))?|✿RESULT✿:?[^\n✿]*|✿RETURN✿:?|[,;\[\]`])*"
)
_TAG, _NAMING_TAG = "<tool_call>", "<function="
# "<function=memory_list>{}", "Action: memory_list / Action Input: {}", and "✿FUNCTION✿: memory_list / ✿ARGS✿: {}".
_NAMED = re.compile(
    rf"(?:{_NAMING_TAG}(?P<name>\w+)>|(?:Action|✿FUNCTION✿):\s*(?P<action>\w+)\s+(?:Action Input|✿ARGS✿):)\s*"
)
# How a call as text begins, without its white space: what may be around it, and the name of a tool in JSON.
_AROUND = (
    "",
    "[",
    "[TOOL_CALLS]",
    "[TOOL_CALLS][",
    "```",
    "```json",
    "```json[",
    "```python",
    "```tool_call",
    "```tool_code",
)
_STARTS = (
    *(f'{{"{key}":"' for key in ("name", "tool", "tool_name", "function")),
    '{"type":"function","name":"',
    '{"type":"function","function":{"name":"',
)
# The characters of a call as a programming language writes it.
_WRITTEN_MOST = 4_000


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

    def add_all(self, pieces: Iterable[CallPiece]) -> None:
        for piece in pieces:
            self.add(piece)

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
    """Holds back what is a call written as text, so that nobody reads it, and reads the calls: where a line of a reply begins as
    one, or goes on as one with its tag.

    Without tools every text passes.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        # The part of their names that tools share, `memory_`: models also call some that do not exist.
        shared = {"".join(tool.name.partition("_")[:2]) for tool in tools}
        named = [start + name for start in _STARTS for name in shared]
        ways = ("{}(", "{}:", "<{}>", "Action:{}", "✿FUNCTION✿:{}")
        named += [way.format(tool.name) for tool in tools for way in ways]
        self._tools = tools
        self._starts = [around + name for around in _AROUND for name in named]
        self._tags: tuple[str, ...] = (_TAG, _NAMING_TAG) if tools else ()
        self._held = ""
        self._is_line_begun = self._is_call = False

    def add(self, text: str) -> str:
        """Take the next text of the reply; return what can be shown now."""
        self._held += text
        shown = ""
        while self._held and not self._is_call:
            if not self._is_line_begun:
                if self._holds_start((*self._tags, *self._starts)):
                    break
                # Behind the first text of a reply, a tag alone may be what the reply is about.
                self._tags = (_TAG + "{", _NAMING_TAG) if self._tags else ()
                self._is_line_begun = True
            line, newline, rest = self._held.partition("\n")
            at = next(
                (match.start() for match in re.finditer("<", line) if self._holds_start(self._tags, match.start())), -1
            )
            if at >= 0:
                shown, self._held = shown + self._held[:at], self._held[at:]
                break
            shown, self._held, self._is_line_begun = shown + line + newline, rest, not newline
        return shown

    def _holds_start(self, starts: Sequence[str], at: int = 0) -> bool:
        """Whether the held text begins a call from here on, or may."""
        begun = "".join(self._held[at:].split())
        self._is_call = begun.startswith(tuple(starts))
        return self._is_call or any(start.startswith(begun) for start in starts)

    def finish(self) -> tuple[str, list[ToolCall]]:
        """Return the text that is still held, without calls, and the calls."""
        if not self._is_call:
            return self._held, []
        rest, calls = _read_calls(self._held, self._tools)
        behind = TextCallFilter(self._tools)
        text = behind.add(rest)
        last, more = behind.finish()
        return text + last, [*calls, *(replace(call, id=f"call_{len(calls) + at}") for at, call in enumerate(more, 1))]


def _read_calls(text: str, tools: Sequence[Tool]) -> tuple[str, list[ToolCall]]:
    calls: list[ToolCall] = []
    at = _skip_between(text, 0)
    while read := _read_call(text, at, tools):
        name, arguments, at = read
        calls.append(ToolCall(f"call_{len(calls) + 1}", name, arguments))
        at = _skip_between(text, at)
    if not calls or text.startswith("{", at):
        # No text of an unreadable call is shown; its arguments tell the model that it went wrong.
        return "", [*calls, ToolCall(f"call_{len(calls) + 1}", _find_name(text[at:]), text[at:])]
    return text[at:], calls


def _skip_between(text: str, at: int) -> int:
    between = _BETWEEN.match(text, at)
    return between.end() if between else at


def _read_call(text: str, at: int, tools: Sequence[Tool]) -> tuple[str, str, int] | None:
    """Read the call at a place: its name, its arguments, and where it ends."""
    if named := _NAMED.match(text, at):
        read = _read_call(text, named.end(), tools) if text.startswith("{", named.end()) else None
        arguments = text[named.end() : read[2]] if read else "{"
        return named["name"] or named["action"], arguments, read[2] if read else len(text)
    if text.startswith("{", at):
        try:
            written, end = json.JSONDecoder().raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        return *_read_object(written), end
    tool = next((tool for tool in tools if re.compile(rf"<?{tool.name}\s*[(:>]").match(text, at)), None)
    if tool is None:
        return None
    begins = at + text.startswith("<", at) + len(tool.name)
    sign = begins + len(text[begins:]) - len(text[begins:].lstrip())
    if text[sign] == "(":
        return _read_written(text, at, tool)
    tag = f"</{tool.name}>"
    told = re.match(rf"[^\]\n<]*(?:{tag})?", text[sign + 1 :])
    written_as = told[0] if told else ""
    said = written_as.removesuffix(tag).strip().strip("\"'`")
    first = next(iter(tool.parameters["properties"]), "")
    return tool.name, said if said.startswith("{") else json.dumps({first: said}), sign + 1 + len(written_as)


def _read_object(written: dict[str, Any]) -> tuple[str, str]:
    """Return the name and the arguments of a call in JSON."""
    function = written.get("function")
    told = function if isinstance(function, dict) else written
    name = next((told[key] for key in ("name", "tool", "tool_name", "function") if isinstance(told.get(key), str)), "")
    arguments = told.get("arguments", told.get("parameters", {}))
    return name, arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _read_written(text: str, at: int, tool: Tool) -> tuple[str, str, int] | None:
    """Read a call as a programming language writes it: `memory_save(content="...", facet="about_you")`."""
    for end in re.compile(r"\)").finditer(text, at, at + _WRITTEN_MOST):
        try:
            call = ast.parse(text[at : end.end()], mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if isinstance(call, ast.Call):
            given = dict(zip(tool.parameters["properties"], call.args, strict=False))
            given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
            told = {key: value.value for key, value in given.items() if isinstance(value, ast.Constant)}
            return tool.name, json.dumps(told, ensure_ascii=False), end.end()
    return None


def _find_name(text: str) -> str:
    found = re.search(r'"name"\s*:\s*"(\w+)"|\b(memory_\w+)', text)
    return (found[1] or found[2]) if found else ""
