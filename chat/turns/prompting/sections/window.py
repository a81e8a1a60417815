"""The recent messages of a prompt, as messages of user and assistant."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from chat.turns.prompting.sections.rendering import escape_own_tags, escape_when_tag
from echovessel import times
from echovessel.llm.inputs import SaidMessage
from echovessel.llm.protocol import ChatMessage

# After so long a silence the time is said again.
SILENCE = timedelta(seconds=2700)


def render_window(messages: Iterable[SaidMessage], *, now: datetime) -> list[ChatMessage]:
    """Render the recent messages.

    Consecutive ones of a role are joined, and each stretch begins with a tag of its time.
    """
    rendered: list[ChatMessage] = []
    last_when = ""
    for message in messages:
        when = times.format_ago(message.at, now)
        add(rendered, message, when="" if when == last_when else when, escape=escape_when_tag)
        last_when = when
    return rendered


def render_steady_window(messages: Iterable[SaidMessage]) -> list[ChatMessage]:
    """Render the messages of a window that only grows: its tags say day and part of day, and do not age.

    A tag stands at each change of these, and after a long silence.
    """
    rendered: list[ChatMessage] = []
    last_when, last_at = "", None
    for message in messages:
        # Within one zone Python would ignore a change of clocks.
        when, at = times.format_part_of_day(message.at), message.at.astimezone(UTC)
        is_new = last_at is None or when != last_when or at - last_at >= SILENCE
        add(rendered, message, when=when if is_new else "", escape=escape_own_tags)
        last_when, last_at = when, at
    return rendered


def add(rendered: list[ChatMessage], message: SaidMessage, *, when: str, escape: Callable[[str], str]) -> None:
    role = "user" if message.is_user else "assistant"
    said = escape(message.text)
    text = f"<when>{when}</when>\n{said}" if when else said
    if rendered and rendered[-1]["role"] == role:
        rendered[-1]["content"] += f"\n{text}"
    elif role == "user":
        rendered.append({"role": "user", "content": text})
    else:
        rendered.append({"role": "assistant", "content": text})
