"""Tells whether a text is of somebody who died, left or will not come, and of a love that ended or goes on."""

from collections.abc import Iterable

from echovessel import lazy_re as re
from echovessel.llm.offline.text import feelings, lexicon

_PARTED = r"\b(?:broke up|broken up|split up|divorced|separated|left me|dumped me|died|passed away)\b|分手|离婚|分开?了(?![\u4e00-\u9fff])|去世|掰了"
_PUT_DOWN = r"\bput (?:him|her|it) (?:down|to sleep)\b"
_GONE = (
    rf"{_PUT_DOWN}|\bhe dies?\b|\b(?:died|passed away|gave (?:him|her|it) away|ran away)\b|去世|死了|走了|送人了|走丢"
)
_NOT_MARRYING = re.compile(
    r"不结婚?了|婚(?:礼)?(?:不[结办]了|取消|黄了|吹了)|(?:退|悔)婚|\bwedding(?:'s| is| was| has been|'s been)? (?:off|cancell?ed|called off)\b|\b(?:called|calling) off the wedding\b|\b(?:not|isn't|aren't) getting married\b",
    re.IGNORECASE,
)
_REUNITED = (
    r"\b(?:back together|made up|took (?:me|him|her) back|gave it another (?:go|try|chance))\b|和好|复合|又在一起"
)
# Who died does not come back, whatever is told of them later.
_DIED = re.compile(
    r"\b(?:died|passed away|drowned|(?:was|were|got) killed|(?:is|was) dead|he dies?)\b|去世|死了", re.IGNORECASE
)
_DYING = re.compile(
    r"\b(?:cancer|hospice|terminal|palliative|dementia|hospital bed|(?:days|weeks|months) (?:left|to live)|(?:is|was|'s) dying)\b",
    re.IGNORECASE,
)
_WENT = re.compile(
    r"\W*(?!(?:i|we|it|they|that|nobody)\b)(?:my |our )?[\w']+?(?:'s| has)? (?:went|gone|left us)(?: (?:peacefully|quietly|just|in (?:his|her) sleep|this (?:morning|afternoon|evening)|last night|yesterday|today|tonight|in the night|now))*\W*(?:$|[.!,])",
    re.IGNORECASE,
)
_CALLED_OFF = r"\b(?:(?:isn't|aren't|is not|are not|not|won't be) (?:coming|visiting|staying)|(?:can't|won't) (?:come|make it|visit))\b|(?:不|没法|不能)(?:过?来|去|回来?)了|[来去]不了|[来回]不来|不回来"
# Of these one is spoken of as one's own affair: "we broke up".
LOVES = {"partner", "husband", "wife"}


def ends(text: str, concepts: set[str], *, is_planned: bool = False) -> bool:
    """Whether the text tells that somebody of these concepts is no longer there, where it names them: a dog that died, a love that ended;
    with `is_planned` also that they will not come.
    """
    plain = feelings.blank_idioms(lexicon.normalise(text))
    is_off = is_planned and re.search(_CALLED_OFF, plain, re.IGNORECASE)
    return bool(is_off or re.search(_PARTED if concepts & LOVES else _GONE, plain, re.IGNORECASE))


def tells_death(text: str) -> bool:
    return _DIED.search(feelings.blank_idioms(lexicon.normalise(text))) is not None


def tells_passing(text: str, told: Iterable[str]) -> bool:
    """Whether "she went this morning" tells a death: what was told before is of somebody dying."""
    return _WENT.match(lexicon.normalise(text)) is not None and any(map(_DYING.search, told))


def puts_down(text: str) -> bool:
    """Whether the text tells that an animal was put down, of which it does not say which."""
    return re.search(_PUT_DOWN, lexicon.normalise(text), re.IGNORECASE) is not None


def calls_off_wedding(text: str) -> bool:
    return _NOT_MARRYING.search(lexicon.normalise(text)) is not None


def reunites(text: str) -> bool:
    """Whether the text tells that a love that ended goes on: "we're back together"."""
    return re.search(_REUNITED, lexicon.normalise(text), re.IGNORECASE) is not None
