"""Tells whether a message sets right what was told: by a correction, in one breath, or by another taste."""

from collections.abc import Sequence

from echovessel import lazy_re as re
from echovessel.llm.offline import restating
from echovessel.llm.offline.text import changes, lexicon

_IN_ONE_BREATH = re.compile(
    r"^[^\w\n]*+\w.*\b(?:actually,? no|no,? wait|wait,? no|scratch that)\b.*\w|[\u4e00-\u9fff][，,。\s]++(?:不对|说错了|打错了)[，,\s]+[\u4e00-\u9fff]",
    re.IGNORECASE | re.MULTILINE,
)
_LIKES = re.compile(
    r"\bi (?:\w+ly |just |do |still )*(?P<not>don't |do not |can't |never )?(?P<how>like|love|enjoy|adore|hate|dislike|detest|stand|bear) (?P<what>(?!it\b|that\b|this\b|when\b|how\b|to\b|you\b|him\b|her\b|them\b)[\w' -]{3,24})"
    r"|我(?:真的|其实|现在|[很最好超也挺都可])*(?P<no>不)?(?P<feels>喜欢|爱|讨厌|恨)(?:[吃喝看听玩])?(?P<thing>[\u4e00-\u9fff]{2,6})",
    re.IGNORECASE,
)
_DISLIKES = ("hate", "dislike", "detest", "讨厌", "恨")


def sets_right(burst: str, told: Sequence[str]) -> bool:
    if restating.find_restated(burst, told) or changes.find_set_right(burst, told) or _IN_ONE_BREATH.search(burst):
        return True
    return any(changes.sets_right(burst, one) or turns_taste(burst, one) for one in told)


def turns_taste(text: str, told: str) -> bool:
    """Whether a text tells the opposite of what was told of a thing that the user likes or not: "I hate olives"."""
    now, before = _LIKES.search(lexicon.normalise(text)), _LIKES.search(lexicon.normalise(told))
    if not (now and before) or _is_liked(now) == _is_liked(before):
        return False
    return bool(_read_thing(now) & _read_thing(before))


def _is_liked(found: re.Match[str]) -> bool:
    return ((found["how"] or found["feels"]).lower() not in _DISLIKES) != bool(found["not"] or found["no"])


def _read_thing(found: re.Match[str]) -> set[str]:
    return {found["thing"]} if found["thing"] else lexicon.stem_content(found["what"])
