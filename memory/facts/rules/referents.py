"""Names whom "she" or 她 means at the beginning of what shall be remembered: whoever was named last, if that was one."""

import re
from collections.abc import Iterable

from echovessel.llm.offline.text import names, sentences

_SHE = re.compile(r"^(?:(?P<own>his|her)|(?P<who>s?he)(?P<short>'s)?)(?=\s)|^[他她](?!们)", re.IGNORECASE)
# How many lines back somebody is still meant.
_NEAR_LINES = 3


def name_referent(content: str, *, before: str, earlier: Iterable[str]) -> str:
    """Return the content with the name; as it is where nobody was named, or several at once."""
    match = _SHE.match(content)
    if match is None:
        return content
    for line in (before, *list(earlier)[: -_NEAR_LINES - 1 : -1]):
        named = {name.text for said in sentences.split(line) for name in names.find(said) if name.kind == "person"}
        if named:
            return _write(named.pop(), match, content) if len(named) == 1 else content
    return content


def _write(name: str, match: re.Match[str], content: str) -> str:
    ending = "'s" if match["own"] else " is" if match["short"] else ""
    return name + ending + content[match.end() :]
