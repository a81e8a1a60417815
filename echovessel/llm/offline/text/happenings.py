"""Weighs what is told by what happened: an operation or a move before the weather, and before a feeling that names no cause."""

from collections.abc import Callable, Sequence

from echovessel import lazy_re as re
from echovessel.llm.offline.text import feelings, lexicon, names, naming
from echovessel.llm.offline.text.topic_types import Sentence

_WEIGHTS = {
    "death": 9,
    "birth": 8,
    "illness": 7,
    "love": 7,
    "work": 6,
    "home": 6,
    "study": 6,
    "decision": 5,
    "quarrel": 5,
    "making up": 5,
    "loss": 5,
    "find": 4,
    "plan": 4,
}
# A feeling alone weighs less than any of these.
FELT_MOST = 3
# What is no feeling but what happened.
_GRAVE = frozenset(("grief", "despair", "heartbreak"))
# A day, or whom one is close to, gives what is told of it weight, but for what is as grave on any day.
_GRAVEST = 7
_DAY = re.compile(
    r"\b(?:tomorrow|tonight|next (?:week|month|year|\w+day)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd|th)|january|february|april|june|july|august|september|october|november|december)\b|(?-i:\b(?:March|May)\b)"
    r"|明[天年早晚]|后天|下周|下个?月|周[一二三四五六日天末]|星期|\d{1,2}[月号日]",
    re.IGNORECASE,
)
# "Luis says I should quit", "never had a raise": it did not happen.
_SUPPOSED = re.compile(
    r"\b(?:should|could|would|might|never|if|unless)\b[^,.;]*|(?:要是|如果|应该|从来?没|万一)[^，,。]*", re.IGNORECASE
)
_LONG_AGO = re.compile(
    r"\b(?:years|decades) ago\b|\b(?:in|since) (?:19|20)\d\d\b|\bwhen i was (?:a|\w+teen|little|young|small|\d+)\b|\d年前|[几多十两三四五六七八九]年前|小时候|[12]\d{3}年",
    re.IGNORECASE,
)
# They speak of somebody: as what the sentence begins with, or within it, where it may name them itself.
_SHE = re.compile(
    r"\W*(?:(?:and|but|so|then|also|now) )?(?:(?:he|she|they)\b|(?:his|her) name)(?!(?:'s| is| was) (?:called|my|our)\b)|(?:说|但是?|可是?|后来|现在)?[她他](?!们俩|叫|是我)",
    re.IGNORECASE,
)
_HER = re.compile(
    r"(?:\w+ ){0,3}(?:told|asked|met|gave|rang|called|saw|love|loves|miss|hate|let|left) (?:him|her|them)\b",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"\b(?:an?|this|some|the) (?:\w+ )?(?:woman|man|guy|girl|boy|lad|lady|bloke|person|couple)\b|(?<=[a-z,] )(?!I\b|I')[A-Z][a-z]+|^(?!(?:He|She|They|It|This|That|These|What|There|The|My|We|I|You)\b)[A-Z][a-z]+ (?:\w+ed|\w+s|said|told|rang|came|left|got|made|took|gave|has)\b|姑娘|[男女]生|[男女]孩|小伙|同事|邻居|老板|领导"
)
_THING_ALONE = re.compile(r"\W*(?:the|an?|my|our|his|her|their) \w+\W*", re.IGNORECASE)
_NEAR = 3
# It says how one feels, and not about what: "I'm so happy".
_BARE = re.compile(
    r"\W*(?:and |but |so )?(?:(?:i|we)(?:'m|'re| am| are| feel| felt| both)\b.{0,20}|我?(?:好|很|真|太|特别|超|有点)[^，,。]{1,6})\W*",
    re.IGNORECASE,
)


def weigh(said: str) -> int:
    """Return how much what happened in a sentence weighs, 0 for what is no happening: "the police"."""
    if _THING_ALONE.fullmatch(said):
        return 0
    found = max((_WEIGHTS[kind] for kind in lexicon.find_happenings(_SUPPOSED.sub("", said))), default=0)
    if _LONG_AGO.search(said) or naming.find(lexicon.normalise(said)) is not None:
        # What was years ago is no news, nor is what one is, who says one's name.
        return found // 2
    return found + bool(0 < found < _GRAVEST and (_DAY.search(said) or lexicon.find_kin(said)))


def rank(one: Sentence) -> int:
    """Return what a sentence weighs by what happened in it and by what its words show to be felt."""
    happened = weigh(one.text)
    # "Dad died in that hospital years ago" is no news.
    if _LONG_AGO.search(one.text):
        return happened
    felt = max(one.worded, key=lambda feeling: abs(feeling.impact), default=None)
    if felt is None:
        return happened
    is_deep = abs(felt.impact) >= feelings.PEAK and (felt.tag in _GRAVE or not _BARE.fullmatch(one.text))
    return max(happened, abs(felt.impact) if happened or is_deep else min(abs(felt.impact), FELT_MOST))


def weigh_sentence(one: Sentence) -> tuple[int, ...]:
    """Weigh a sentence by what happened, then by how much it moves, then by its length."""
    return rank(one), abs(one.impact), len(one.text)


def choose(
    told: Sequence[Sentence],
    *,
    most: int,
    weigh_one: Callable[[Sentence], tuple[int, ...]] = weigh_sentence,
    least: float = 0,
) -> list[Sentence]:
    """Choose sentences in their order, the weightiest with that before it which says who "she" is, as far as there is room;
    none that weighs less than `least`.
    """
    chosen: set[int] = set()
    for at in sorted(range(len(told)), key=lambda at: weigh_one(told[at]), reverse=True):
        if rank(told[at]) < least:
            break
        wanted = chosen | {at, *_find_who(at, told)}
        if len(wanted) <= most:
            chosen = wanted
    return [told[at] for at in sorted(chosen)]


def _find_who(at: int, told: Sequence[Sentence]) -> set[int]:
    """Return the place of the sentence that says of whom one speaks that begins with "she"; none where it says so itself."""
    said = told[at].text
    if not (_SHE.match(said) or (_HER.match(said) and not _names_somebody(said))):
        return set()
    near = range(at - 1, max(-1, at - 1 - _NEAR), -1)
    return {next((before for before in near if _names_somebody(told[before].text)), at)}


def _names_somebody(said: str) -> bool:
    return bool(names.find(said) or lexicon.find_concepts(said) or _SOMEBODY.search(said))
