"""Names whom "she" or 她 means at the beginning of what shall be remembered: whoever was spoken of last, if that was one."""

import re
from collections.abc import Iterable, Iterator

from echovessel.llm.offline.text import lexicon, names, sentences

_SHE = re.compile(r"^(?:(?P<own>his|her)|(?P<who>s?he)(?P<short>'s)?)(?=\s)|^[他她](?!们)", re.IGNORECASE)
# How many lines back somebody is still meant.
_NEAR_LINES = 3
_WOMEN = {"mother", "grandmother", "sister", "aunt", "daughter", "niece"}
_MEN = {"father", "grandfather", "brother", "uncle", "son", "nephew"}


def name_referent(content: str, *, before: str, earlier: Iterable[str]) -> str:
    """Return the content with the name; as it is where nobody was named, or several at once."""
    match = _SHE.match(content)
    if match is None:
        return content
    others = _MEN if match.group().lower().startswith(("she", "her", "她")) else _WOMEN
    for line in (before, *list(earlier)[: -_NEAR_LINES - 1 : -1]):
        found = {name.text for said in sentences.split(line) for name in names.find(said) if name.kind == "person"}
        found = found or {*_find_kin(line, others)}
        if found:
            return _write(found.pop(), match, content) if len(found) == 1 else content
    return content


def _find_kin(line: str, others: Iterable[str]) -> Iterator[str]:
    """Yield the user's relatives in a line who have no name in it: "my brother", 我弟弟."""
    for concept, word in lexicon.find_kin_words(line).items():
        own = f"我{word}" if lexicon.is_chinese(word) else f"my {word}"
        if concept not in others and own in lexicon.normalise(line):
            yield own


def _write(name: str, match: re.Match[str], content: str) -> str:
    ending = "'s" if match["own"] else " is" if match["short"] else ""
    return name + ending + content[match.end() :]
