"""Reads the text of a streamed reply through its filters: what is no part of it is dropped, calls written as text are gathered."""

from collections.abc import Iterator, Sequence

from echovessel.llm.inputs import ReplyInputs
from echovessel.llm.openai_protocol.reply_text import FieldFilter, ReplyTextFilter
from echovessel.llm.openai_protocol.tool_calls import TextCallFilter
from echovessel.llm.protocol import ChatMessage, TakenBack
from echovessel.llm.tools import Tool, ToolCall


class ReplyReader:
    """Returns what can be shown of the text that was added; `said` is all that is shown."""

    def __init__(self, messages: Sequence[ChatMessage], *, tools: Sequence[Tool], inputs: ReplyInputs | None) -> None:
        first, last = (str(one["content"]) for one in (messages[0], messages[-1]))
        # With their tag, which a model may write too.
        notes = "\n".join([first, *last.rpartition("</notes>")[:2]])
        self._field = FieldFilter()
        self._text = ReplyTextFilter(*((inputs.persona_name, inputs.user_name, notes) if inputs else ()))
        self._calls, self._tools = TextCallFilter(tools), tools
        self.said = ""

    def add(self, text: str) -> Iterator[str | TakenBack]:
        shown = self._text.add(self._field.add(text))
        if self._text.takes_back:
            self._calls, self.said, self._text.takes_back = TextCallFilter(self._tools), "", False
            yield TakenBack()
        yield from self._show(self._calls.add(shown))

    def break_off(self) -> Iterator[str]:
        """Yield what was held back of a reply that breaks off: it is the user's to see."""
        yield from self._show(self._calls.add(self._finish_text()))

    def finish(self) -> tuple[str, list[ToolCall]]:
        """Return the rest of the text, and the calls that it held."""
        last = self._calls.add(self._finish_text())
        rest, calls = self._calls.finish()
        return "".join(self._show(last + rest)), calls

    def _finish_text(self) -> str:
        return self._text.add(self._field.finish()) + self._text.finish()

    def _show(self, text: str) -> Iterator[str]:
        self.said += text
        if text:
            yield text
