"""How texts are set in a prompt: sections, tags, lists, and one line each where they are escaped."""

import re
from collections.abc import Iterable

from echovessel.prompts import escape

HEADING_CHARACTERS = 80
_OWN_TAG = re.compile(r"<(?=\s*/?\s*(?:when|notes)\b)", re.IGNORECASE)


def escape_when_tag(said: str) -> str:
    """Escape the one tag of ours in a message, and nothing else."""
    return said.replace("<when>", "&lt;when>")


def escape_own_tags(said: str) -> str:
    """Escape all tags that stand between messages of a prompt with a story, and nothing else."""
    return _OWN_TAG.sub("&lt;", said) if "<" in said else said


def render_section(title: str, content: str) -> list[str]:
    """Return a section, or nothing if it is empty."""
    return [f"# {title}\n{content}"] if content else []


def wrap_in_tag(tag: str, content: str) -> str:
    return f"<{tag}>\n{content}\n</{tag}>" if content.strip() else ""


def render_list(texts: Iterable[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)


def one_line(text: str) -> str:
    return escape(" ".join(text.split()))


def render_heading(name: str) -> str:
    return escape(" ".join(name.split())[:HEADING_CHARACTERS])
