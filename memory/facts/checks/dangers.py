"""Reads what a person may not eat, take or touch, so that one danger told in other words is one fact: "The user can't eat nuts",
"Nuts make the user ill".
"""

from collections.abc import Iterable

from echovessel import chinese_script, text
from echovessel import lazy_re as re
from echovessel.llm.offline.text import lexicon
from memory.facts.checks import wording
from memory.models import ConceptNode

_HARM = r"(?:ill|sick|faint|swell|itch|wheeze|vomit|throw up|hives|a rash|(?:in|to|into) (?:the )?hospital|an? (?:allergic|bad|severe) \w+|trouble breathing)"
_NOT_ALLOWED = r"(?:can't|cannot|can not|mustn't|must not|may not|shouldn't|should not|(?:is not|isn't) allowed to|(?:must|can|may|should) never)"
_HAN = rf"(?:(?![不没]){text.HAN_OR_LETTER})"
_HARM_CHINESE = r"(?:过敏|起疹子|起红疹|长疹子|晕|住院|进医院|难受|喘|发肿|肿|吐|呕吐|拉肚子|没命|要命|出事)"
_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bthe user (?:is|has been)(?: \w+ly| very| really| still)? (?:allergic|intolerant) to (?P<what>.+)$",
        r"\bthe user (?:has|suffers from) (?:an? )?(?:(?:severe|bad|serious|mild|strong|nasty) )?(?P<what>[\w -]+?) (?:allergy|intolerance)\b",
        rf"\bthe user (?:\w+ly )?{_NOT_ALLOWED} (?:even )?(?:eat|have|take|drink|touch|tolerate|be given|go (?:anywhere )?near) (?:any )?(?P<what>.+)$",
        rf"^(?P<what>.+?) (?:\w+ly )?(?:(?:will|would|can|could|might) )?(?:makes?|made|gives?|gave|puts?|sends?|sent) the user (?:\w+ly |very )?{_HARM}",
        r"^(?P<what>.+?) (?:(?:will|would|can|could|might) kill|kills?) the user\b",
        r"^(?P<what>.+?) (?:is|are) (?:\w+ly |very )?(?:dangerous|poison|poisonous|deadly|toxic|harmful|off limits) (?:for|to) the user\b",
        rf"\bthe user (?:reacts? (?:\w+ly )?to|(?:has|had|has had) an? (?:(?:bad|severe|serious|nasty|allergic|terrible) )+reaction to|gets? {_HARM} from) (?P<what>.+)$",
        r"^no (?P<what>[\w -]+?) for the user\b",
        rf"^(?P<what>{_HAN}{{1,8}}?)用户(?:一点|一口|都|也|可|真的|连)*(?:(?:碰|吃|喝|闻|沾)都?(?:不能|不敢|不可以)(?:碰|吃|喝|闻|沾)|(?:吃|喝|碰|沾|闻)不[了得])",
        rf"用户(?:一直|从小|也|还)?对(?P<what>{_HAN}{{1,8}}?)(?:严重|很|特别|会|有点?|也)*(?:过敏|不耐受)",
        rf"用户(?![有是的])(?P<what>{_HAN}{{1,8}}?)(?:严重|很|特别|会|有点?|也)*过敏",
        rf"用户(?:绝对|千万|真的|从小|一点|都|也|完全|可)*(?:不能|不可以|不敢)(?:再)?(?:吃|喝|碰|用|沾|闻|服用|打|注射|输)(?P<what>{_HAN}{{1,8}}?)[。了]*(?:，.*)?$",
        rf"^(?P<what>{_HAN}{{1,8}}?)(?:还是|也|都)*(?:会|能|可能会?)?(?:让|使|害|令)用户{_HAN}{{0,3}}?{_HARM_CHINESE}",
        rf"^(?P<what>{_HAN}{{1,8}}?)对用户(?:来说)?(?:很|非常|太|特别)*(?:危险|致命|有毒)",
        rf"用户(?:一|只要)?(?:吃|喝|碰|闻|沾)(?:了|到|上)?(?P<what>{_HAN}{{1,8}}?)(?:就|都|会)+{_HAN}{{0,3}}?{_HARM_CHINESE}",
    )
]
_BEHIND = re.compile(
    r"\s+(?:because|since|so|or (?:else|they|the user)|and (?:they|the user)|when|any ?more|at all)\b.*$|[,;，；].*$",
    re.IGNORECASE,
)


def read(content: str) -> list[str]:
    """Return the words of what is dangerous to the user; none where a content tells of no danger."""
    plain = chinese_script.simplify(content).replace("’", "'")
    match = next(filter(None, (pattern.search(plain) for pattern in _PATTERNS)), None)
    if match is None or lexicon.find_kin(content):
        return []
    return wording.list_telling_words(_BEHIND.sub("", match["what"]))


def find_same(facts: Iterable[ConceptNode], content: str) -> ConceptNode | None:
    """Find the fact that tells the same danger in other words."""
    what = read(content)
    return next((fact for fact in facts if is_same(read(fact.description), what)), None) if what else None


def is_same(one: list[str], other: list[str]) -> bool:
    return bool(one and other) and wording.holds_words(one, other) and wording.holds_words(other, one)
