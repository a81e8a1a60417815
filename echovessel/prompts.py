"""Renders prompt files. A placeholder without a value, or a value without a placeholder, is an error."""

from functools import cache
from pathlib import Path
from string import Template


class PromptError(Exception):
    """A prompt and its values do not fit together."""


def render(path: Path, /, **values: str) -> str:
    """Fill the `$placeholders` of the prompt at `path`. Raises PromptError if they and `values` differ."""
    template = _load_template(path)
    wanted = set(template.get_identifiers())
    if not template.is_valid() or wanted != values.keys():
        missing, unused = sorted(wanted - values.keys()), sorted(values.keys() - wanted)
        raise PromptError(f"{path.name}: missing {missing}, unused {unused}, valid {template.is_valid()}.")
    return template.substitute(values)


def escape(text: str) -> str:
    """Escape users' text so that it can stand between tags of a prompt."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def unescape(text: str) -> str:
    return text.replace("&lt;", "<").replace("&amp;", "&")


@cache
def _load_template(path: Path) -> Template:
    return Template(path.read_text(encoding="utf-8"))
