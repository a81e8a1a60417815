import re

LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
# What begins a line, and what stands around words. Numbers of a list say something and stay.
MARKS = re.compile(r"^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+|\*\*|~~|`+|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)", re.MULTILINE)


def drop_markdown(text: str) -> str:
    """Return the words of a reply without its markdown, for a line or two that quote it."""
    return MARKS.sub("", LINK.sub(r"\1", text))
