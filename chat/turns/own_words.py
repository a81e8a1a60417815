"""Reads which words of a message the user says as themselves, for the rules: not a letter that they paste, nor a part that they play."""

from collections.abc import Iterable, Sequence

from echovessel import lazy_re as re
from memory.facts.rules.acts import Kind, RuleAct

# From so many on they are the head of a letter; who writes "Date: Friday" alone plans something.
_HEADERS_LEAST = 2
_HEADER = re.compile(
    r"^[> \t]{0,8}(?:from|to|cc|subject|date|sent|von|betreff|gesendet|asunto|objet|发件人|收件人|抄送|主题|发送时间)[ \t]{0,4}[:：][ \t]*\S",
    re.IGNORECASE | re.MULTILINE,
)
# What is said beside a part: "(OOC: my name is Ana)".
_ASIDE = re.compile(
    r"[(（\[【]{1,2}\s{0,4}(?:ooc|out of character|场外|戏外)\s{0,4}[:：,，]\s{0,4}(?P<said>[^()（）\[\]【】]{1,2000})[)）\]】]{1,2}",
    re.IGNORECASE,
)
# What one does in a part stands between asterisks, in a sentence of its own: "*I bow.*", "*laughs*"; else they stress a word.
_ACTION = re.compile(
    r"(?P<before>^|[.!?。！？\"”」])[ \t]{0,4}\*(?:I\b|(?!yes\b)[a-z]{2,20}s\b|(?=[^*\n]{0,40}[\u4e00-\u9fff]))[^*\n]{0,400}\*",
    re.IGNORECASE | re.MULTILINE,
)


def read(line: str) -> str:
    """Return what a message says without the letter that it holds; of a part that is played only what is said beside it, if anything."""
    headers = [header.start() for header in _HEADER.finditer(line)]
    line = line[: headers[0]] if len(headers) >= _HEADERS_LEAST else line
    asides = [aside["said"] for aside in _ASIDE.finditer(line)]
    if asides and is_played(line):
        return "\n".join(asides)
    return _ACTION.sub(r"\g<before>", _ASIDE.sub(r"\g<said>", line))


def is_played(line: str) -> bool:
    """Whether a message plays a part: what it tells of oneself may be the part's."""
    return _ACTION.search(line) is not None


def leave_out_parts(acts: Iterable[RuleAct], lines: Sequence[str]) -> list[RuleAct]:
    """Leave out what only a played part tells of the user; what they say beside it, or ask to remember or forget, is theirs."""
    played = {at for at, line in enumerate(lines) if is_played(line) and not _ASIDE.search(line)}
    return [
        act
        for act in acts
        if act.kind not in (Kind.NAME, Kind.CORRECTION) or not act.lines or not played.issuperset(act.lines)
    ]
