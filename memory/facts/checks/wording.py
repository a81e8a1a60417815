"""Compares how two statements are worded: by words in any of their forms, whoever tells them."""

from collections.abc import Collection, Iterable
from itertools import pairwise

from echovessel import lazy_re as re
from echovessel import text
from echovessel.llm.offline.text import lexicon, third_person
from memory.entities import kinship_terms
from memory.facts.checks.grounding import extract_own_terms
from memory.nodes import comparison

LEAST_STEM, LONGEST_ENDING = 4, 3
# Who marries has a wedding.
_SAME_WORDS = ({"wed", "marri"},)
# Words that say little of what is done.
_LIGHT = frozenset(text.extract_terms("take use own keep go goes do call name 叫 当 做 办 参 加 每 天 干 活 儿 事"))
# "On Sundays the user plays carrom" is of the user, too.
_OF_USER = re.compile(
    r"(?:(?:on|in|at|every|since|from|for|by|during|after|before|as|now|currently)\b(?:\s[\w'-]+){0,4}?,?\s)?the user(?!'s)|用户(?!的)",
    re.IGNORECASE,
)
# The user themselves, not what is theirs.
_USER_PLAIN = re.compile(r"\bthe user(?!'s)|用户(?!的)", re.IGNORECASE)
# So many words of a fact that somebody names are of it.
LEAST_NAMED = 2
_OF_OTHERS = re.compile(r"(?:he|she|they|his|her|their)\b|[他她]", re.IGNORECASE)
# Whose relative is told of: "Jo's mother", 小周他妈.
_OWNER = re.compile(r"(?:\w['’]s|\b(?:his|her|their))(?: \w+)? $|(?<![我咱])[的他她]$", re.IGNORECASE)
# Days, hours and numbers change without another subject.
_TIMES = frozenset(
    text.extract_terms(
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays every each daily weekly morning mornings evening evenings "
        "afternoon afternoons night nights noon january february march april may june july august september october november december clock "
        "zero two three four five six seven eight nine ten eleven twelve first second third half "
        "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
        " 每 天 周 日 星 期 礼 拜 月 号 年 点 半 早 晚 午 四 五 六 七 八 九 十"
        " 每天 每周 周日 周天 星期 礼拜 周四 周五 周六 早上 晚上 下午 上午 中午"
    )
)
# Runs of characters, katakana or syllables of Korean, without those that say only who.
_RUN = re.compile(r"(?:(?!用户|(?<=用)户|[我你的了])[\u4e00-\u9fff\u30a1-\u30fa\u30fc\uac00-\ud7af]){2,}")
LEAST_PAIRS = 0.5
_NO_NEGATION = re.compile(r"特别|性别|告别|别墅|分别|级别|不过|不错|差不多|无论")

_KEPT = re.compile(r"[,，;；]\s*(?:(?:but )?(?:only|just|still) |but i still |只|就只|还是|而是)(.+)$", re.IGNORECASE)


def list_words(said: str) -> list[str]:
    """List the words of a text that carry meaning, stemmed, without the user; of Chinese each character."""
    found = (term for term in extract_own_terms(said) if len(term) == 1 or not text.has_cjk(term))
    return list(dict.fromkeys(found))


def list_firm_words(said: str) -> list[str]:
    """List the words that are left where days, hours, numbers and words such as "take" are left out."""
    return [word for word in list_telling_words(said) if not is_time(word)]


def list_lasting_words(said: str) -> list[str]:
    """List the words that are left where days, hours and numbers are left out."""
    return [word for word in list_words(said) if not is_time(word)]


def list_telling_words(said: str) -> list[str]:
    return [word for word in list_words(said) if word not in _LIGHT]


def is_time(word: str) -> bool:
    return word in _TIMES or word.isdigit()


def holds_words(words: Collection[str], wanted: Collection[str]) -> bool:
    """Whether all that is wanted is among the words, in one form or another."""
    return all(any(is_alike(word, one) for one in words) for word in wanted)


def tells(told: str, said: str) -> bool:
    """Whether a fact holds what was said: all of its words, and of Chinese half of the pairs of characters, so that 上海 is
    not found in 海鲜.
    """
    pairs = list_pairs(said)
    plain = re.sub("[我你的了]|过(?!敏)", "", told)
    is_near = sum(pair in plain for pair in pairs) >= LEAST_PAIRS * len(pairs)
    return is_near and holds_words(list_words(told), list_telling_words(said) or list_words(said))


def list_pairs(said: str) -> list[str]:
    """List the pairs of Chinese, Japanese or Korean characters that stand beside each other, without those that say only who."""
    return [run[at : at + 2] for run in _RUN.findall(said) for at in range(len(run) - 1)]


def list_parts(said: str) -> list[str]:
    """List the words that say what a text is about, and of Chinese each two characters side by side."""
    return [*(word for word in list_firm_words(said) if not text.has_cjk(word)), *list_pairs(said)]


def holds_part(said: str, part: str) -> bool:
    return part in said if text.has_cjk(part) else holds_words(list_firm_words(said), [part])


def count_held(said: str, parts: Iterable[str]) -> int:
    return sum(holds_part(said, part) for part in parts)


def is_alike(one: str, other: str) -> bool:
    """Whether two stems are forms of one word: "allergi" and "allerg", "smoke" and "smokin"."""
    short, long = sorted((one, other), key=len)
    is_form = len(short) >= LEAST_STEM and long.startswith(short) and len(long) - len(short) <= LONGEST_ENDING
    is_form = is_form or (len(short) > LEAST_STEM and f"{short.removesuffix('e')}in" == long)
    return one == other or is_form or {one, other} in _SAME_WORDS


def is_negated(said: str) -> bool:
    return comparison.NEGATION.search(_NO_NEGATION.sub(" ", text.fold(said).replace("’", "'"))) is not None


def is_of_user(told: str) -> bool:
    """Whether a fact begins with the user, not with something or somebody of theirs."""
    match = _OF_USER.match(told)
    return match is not None and not kinship_terms.begins_with_relative(told[match.end() :])


def is_of_others(said: str) -> bool:
    """Whether a statement begins with somebody else and does not speak of the user: "They put the user on the bow" does."""
    return _OF_OTHERS.match(said) is not None and _OF_USER.search(said) is None


def may_speak_of(told: str, said: str) -> bool:
    """Whether what a user says may be of what a fact tells: it speaks of the user, or of the same things, and not of
    others alone: "My sister is vegan" says nothing of a user who is.
    """
    turned = third_person.turn(said)
    plain = (match.end() for match in _USER_PLAIN.finditer(turned))
    if is_of_others_kin(told, said):
        return False
    # "They moved dad to the 23rd."
    if lexicon.find_kin(told) & lexicon.find_kin(said):
        return True
    if any(not kinship_terms.begins_with_relative(turned[end:]) for end in plain):
        return True
    is_of_theirs = "user" in turned or "用户" in turned
    if not names_no_others(said, told) or not (is_of_theirs or _OF_OTHERS.match(turned) is None):
        return False
    words, own = list_words(said), list_firm_words(told)
    named = sum(holds_words(words, [one]) for one in own)
    is_named = named >= LEAST_NAMED or shares_name(told, words)
    return is_named or is_of_theirs or lexicon.is_chinese(said)


def is_of_others_kin(told: str, said: str) -> bool:
    """Whether what a user says is of a relative of somebody else, where a fact is of one of theirs: "Jo's mother died"."""
    kin, folded = kinship_terms.find_kin(text.fold(told)), text.fold(said)
    return any(_OWNER.search(folded[:at]) for one, at in kinship_terms.find_kin(folded).items() if one in kin)


def names_no_others(told: str, said: str) -> bool:
    """Whether a fact tells of no kin but of those that are spoken of."""
    return lexicon.find_kin(told) <= lexicon.find_kin(said)


def are_of_same(told: str, said: str) -> bool:
    """Whether two statements tell of the same people: of the same kin, or of somebody by name."""
    is_by_name = names_no_others(said, told) and not is_of_user(said) and shares_name(told, list_words(said))
    return have_same_kin(told, said) or is_by_name


def shares_name(told: str, words: Collection[str]) -> bool:
    """Whether one of these words is a name that a fact holds."""
    names = [text.stem(word) for word, is_name in text.split_words(told)[1:] if is_name]
    return any(holds_words(words, [name]) for name in names)


def have_same_kin(one: str, other: str) -> bool:
    return lexicon.find_kin(one) == lexicon.find_kin(other)


def goes_on(told: str, said: str) -> bool:
    """Whether a statement that something is over says behind it that what a fact tells goes on: 不考税法了，只考会计."""
    kept = " ".join(_KEPT.findall(said))
    if text.has_cjk(kept):
        return any(a + b in told for a, b in pairwise(kept))
    return bool(kept) and holds_words(list_words(told), list_words(kept))
