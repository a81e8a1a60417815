"""What a question asks about, in English and Chinese: "my cat", "Dana's husband", 我弟弟的老婆, what
was done ("when did she retire"), by lists of verbs, and of which kind a thing is ("which instrument"). What is found must speak of it,
else it only comes near. A verb of no list is not asked for, since nobody knows in what other words it may be told.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from echovessel import lazy_re as re
from echovessel import text
from memory.knowing import chinese_words, paraphrases
from memory.recall import term_forms

_ADJECTIVES = (
    "own|old|older|oldest|eldest|young|younger|youngest|first|new|best|little|big|favourite|favorite|last|next"
)
_RELATIVES = (
    "mother|father|mum|mom|mam|dad|sister|brother|wife|husband|son|daughter|friend|neighbou?r|grandmother|grandfather"
)
_OWN = re.compile(rf"\b(?:my|our) (?:(?:{_ADJECTIVES}) )*([a-z]++)(?! [a-z]+'s\b)", re.IGNORECASE)
_OF_SOMEBODY = re.compile(
    rf"\b((?!What|Who|Where|How|That|There|It|Here|Let|When)[A-Z]\w+|{_RELATIVES})'s (?:(?:{_ADJECTIVES}) )*([a-z]+)"
)
# Whose name is asked for: "what are the twins' names", "what's that rapper called".
_NAMED_THING = re.compile(
    rf"\b(?:the|that|those) (?:(?:{_ADJECTIVES}) )*([a-z]+)(?:'s?)? (?:(?:nick|sur)?names?|called)\b|\bnames? of (?:the|that|those) (?:(?:{_ADJECTIVES}) )*([a-z]+)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\bhow many (?!times\b|people\b|years\b|days\b)([a-z]+)", re.IGNORECASE)
# Festivals, which people tell of by their names.
_FESTIVAL_LIST = "christmas easter halloween thanksgiving diwali ramadan hanukkah"
_FESTIVALS = frozenset(map(text.stem, _FESTIVAL_LIST.split()))
_FESTIVALS_CHINESE = re.compile("过年|春节|元宵|清明|端午|中秋|国庆|圣诞")
# Of what kind a thing is that is asked for: "which instrument", "what kind of fruit", 哪种水果.
_OF_KIND = re.compile(rf"\b(?:which|what) (?:(?:kind|sort|type) of )?(?:(?:{_ADJECTIVES}) )*([a-z]+)", re.IGNORECASE)
_OF_KIND_CHINESE = re.compile("(?:什么|啥|哪[个种门只样类件根条项]?)(?=(.{1,3}))")
_NAME = re.compile(r"(?<=[a-z,] )(?!I\b)([A-Z]\w+)")
_CALENDAR = re.compile(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|\w+day)$"
)
# A verb behind the one who does it, behind "who", or a participle.
_POSSESSIVE = r"(?:[a-z]+'s )?[a-z]+"
_PRONOUNS = "I|we|he|she|they|it|you"
_VERB = re.compile(
    rf"\b(?:did|does|do)(?:n't)? (?:(?:my|our|the|his|her|their) (?:(?:{_ADJECTIVES}) )*{_POSSESSIVE}|[A-Z]\w+(?: [A-Z]\w+)*(?:'s [a-z]+)?|{_PRONOUNS}) "
    r"(?:and \w+ )?(?:(?:ever|first|really|also|always|have to|get to|use to|want to|want me to) )*(?P<done>[a-z]+)"
    r"|\b[Ww]ho (?!(?:is|was|did|do|does|are|were|am|has|have|had|else|can|will)\b)(?P<by>[a-z]+)"
    rf"|\b(?:is|was|am|are|were) (?:(?:my|our|the) {_POSSESSIVE}|[A-Z]\w+|{_PRONOUNS}) (?:going to )?(?P<participle>[a-z]+(?:ed|ing|en|rn))\b"
)
# Verbs that any text may tell of without the word.
_GENERAL_VERB_LIST = (
    "do have get go say tell happen want know think call name like come take make feel look need use give find let keep put plan mean end try "
    "seem work start begin be"
)
GENERAL_VERBS = frozenset(map(text.stem, _GENERAL_VERB_LIST.split()))
# A name that stands beside what has it: "my dog Biscuit", "Anna, my sister", 我妹妹小月.
_WHOSE = "[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Uu]ser's"
_NAME_BESIDE = re.compile(
    rf"\b(?:{_WHOSE}) (?:[a-z]+ )?(?P<before>[a-z]+),? [A-Z][a-z]+|\b(?!The\b|Is\b|Was\b)[A-Z][a-z]+,? (?:is )?(?:the )?(?:{_WHOSE}) (?P<behind>[a-z]+)"
    r"|(?P<chinese>女儿|儿子|老婆|老公|[男女]朋?友|朋友|同[事学]|室友|邻居|老师|[妹姐哥弟]+|[猫狗]咪?)"
    r"(?:[小阿][\u4e00-\u9fff](?<!小[时学心声气]|阿姨)|老[张王李赵刘陈杨黄吴周徐孙马朱胡林郭何高罗]|(?P<doubled>(?![天年个人妈爸哥姐弟妹爷奶叔舅姑常刚渐慢早偷悄乖好])[\u4e00-\u9fff])(?P=doubled))"
)
# What any text may be about without the word.
_WITHOUT_WORD_LIST = (
    "name story thing life way time day job living nickname profession occupation trade craft line career"
)
WITHOUT_WORD = frozenset(map(text.stem, _WITHOUT_WORD_LIST.split()))

_RELATIVE_CHINESE = re.compile(
    "外孙女|外孙|孙女|孙子|[姐妹]夫|弟媳|丈母娘|岳[父母]|闺女|老伴|女儿|儿子|媳妇|老婆|老公|妻子|丈夫|男朋友|女朋友|妈妈|爸爸|[妈爸姐哥弟妹]+|[狗猫]"
)
# Without 的 only somebody or a few things are one's own; else it is what one does: 我亲了谁.
_WITHOUT_OF_CHINESE = re.compile(
    rf"{_RELATIVE_CHINESE.pattern}|[爷奶姥叔舅姑姨伯婆公孙婿侄甥媳]|老[师板乡]|同[事学]|[朋室]友|房东|领导|邻居|教练|师[傅父]|手机|电脑|生日|公司|学校|单位|宿舍|卧室|外号|车$"
)
_SELF = ("我", "我们", "我家", "我们家", "咱", "咱们", "咱家", "咱们家")
_WITHOUT_WORD_CHINESE_LIST = (
    "人 事 事儿 事情 东西 时候 时间 声音 名字 职业 行业 活儿 地方 问题 毛病 情况 消息 原因 人家 本事"
)
WITHOUT_WORD_CHINESE = frozenset(_WITHOUT_WORD_CHINESE_LIST.split())


@dataclass(frozen=True)
class AskedThing:
    """A thing that a question asks about, and whose it is, each as one term; either may be empty."""

    head: str = ""
    owner: str = ""

    def is_held_by(self, told: str, terms: Collection[str], *, is_of_named: bool) -> bool:
        """Whether a text with these normalized terms speaks of it; `is_of_named` where it tells of whom the question names."""
        if self.owner and not is_of_named and not holds(told, terms, self.owner):
            return False
        return not self.head or holds(told, terms, self.head)


def holds(told: str, terms: Collection[str], word: str) -> bool:
    """Whether a text holds a word, or another one for the same relative."""
    if not text.has_cjk(word):
        return word in terms
    return word in told or term_forms.normalize_term(word) in terms or any(word in term for term in terms)


def list_named(told: str) -> set[str]:
    """List the heads of the things beside which a text has their names, without a word for that."""
    found = _NAME_BESIDE.finditer(told.replace("’", "'"))
    return {_cut(one["chinese"]) if one["chinese"] else _get_head(one["before"] or one["behind"]) for one in found} - {
        ""
    }


def find(question: str) -> list[AskedThing]:
    plain = question.replace("’", "'")
    return list(dict.fromkeys(_find_chinese(plain) if text.has_cjk(plain) else _find_english(plain)))


def _find_english(question: str) -> Iterator[AskedThing]:
    for owner, head in _OF_SOMEBODY.findall(question):
        yield AskedThing(head=_get_head(head), owner=_normalize_word(owner))
    named = (head for found in _NAMED_THING.findall(question) for head in found if head)
    for head in (*_OWN.findall(question), *_COUNTED.findall(question), *named):
        if head.casefold() not in text.STOP_WORDS:
            yield AskedThing(head=_get_head(head))
    yield from (AskedThing(head=verb) for verb in _list_verbs(question) if paraphrases.is_listed(verb))
    kinds = map(_normalize_word, _OF_KIND.findall(question))
    yield from (AskedThing(head=kind) for kind in kinds if kind in paraphrases.list_kinds(question))
    for name in _NAME.findall(question):
        word = _normalize_word(name)
        if word in _FESTIVALS:
            yield AskedThing(head=word)
        elif _CALENDAR.match(name.casefold()) is None:
            yield AskedThing(owner=word)


def _list_verbs(question: str) -> Iterator[str]:
    """Yield the verbs of an English question, normalized, but those that any text may tell of without the word."""
    for found in _VERB.finditer(question):
        verb = found["done"] or found["by"] or found["participle"]
        if verb not in text.STOP_WORDS and text.stem(verb) not in GENERAL_VERBS:
            yield _normalize_word(verb)


def _get_head(word: str) -> str:
    head = _normalize_word(word)
    return "" if head in WITHOUT_WORD else head


def _normalize_word(word: str) -> str:
    return term_forms.normalize_term(text.stem(word.casefold()))


def _find_chinese(question: str) -> Iterator[AskedThing]:
    words = chinese_words.split_question(question)
    yield from (AskedThing(head=verb) for verb in paraphrases.find_chinese_verbs(question))
    yield from (AskedThing(head=festival) for festival in _FESTIVALS_CHINESE.findall(question))
    yield from (AskedThing(head=kind) for kind in _list_kinds_chinese(question))
    for at, (word, _) in enumerate(words):
        if not _ends_noun(words, at) or word in WITHOUT_WORD_CHINESE:
            continue
        before = words[: _find_beginning(words, at)]
        if before and before[-1][0] in _SELF and _WITHOUT_OF_CHINESE.search(word):
            yield AskedThing(head=_cut(word))
        if before and before[-1][0] == "的":
            whose, of_kind = before[-2] if len(before) > 1 else ("", "")
            if of_kind != "r" and whose != "你":
                yield AskedThing(head=_cut(word), owner=_cut_owner(whose) if _is_owner(whose, of_kind) else "")


def _list_kinds_chinese(question: str) -> Iterator[str]:
    """Yield the kinds of things that stand behind 什么 or 哪种."""
    kinds = paraphrases.list_kinds(question)
    for behind in _OF_KIND_CHINESE.findall(question):
        yield from [behind[:end] for end in (3, 2, 1) if behind[:end] in kinds][:1]


def _ends_noun(words: Sequence[tuple[str, str]], at: int) -> bool:
    """Whether nouns end with this word; behind one a single character is a verb, 学 and 结, and no noun."""
    (word, kind), before = words[at], words[at - 1] if at else ("", "")
    behind, kind_behind = words[at + 1] if at + 1 < len(words) else ("", "")
    goes_on = chinese_words.is_noun(kind_behind) and len(behind) > 1
    is_own = before[0] == "的" and at > 1 and words[at - 2][0] in _SELF and chinese_words.may_be_noun(kind)
    is_noun = chinese_words.is_noun(kind) or is_own
    return is_noun and not goes_on and not (chinese_words.is_noun(before[1]) and len(word) == 1)


def _find_beginning(words: Sequence[tuple[str, str]], at: int) -> int:
    """Find where the nouns that end there begin, with what counts or describes them."""
    while at and chinese_words.is_noun(words[at - 1][1]):
        at -= 1
    while at and chinese_words.counts_or_describes(*words[at - 1]):
        at -= 1
    # A verb behind 的 describes, too: 我的健身教练.
    return at - 1 if at > 1 and words[at - 1][1] == "v" and words[at - 2][0] == "的" else at


def _is_owner(word: str, kind: str) -> bool:
    is_noun = chinese_words.is_noun(kind) or _WITHOUT_OF_CHINESE.search(word) is not None
    return is_noun and len(word) > 1 and word not in WITHOUT_WORD_CHINESE


def _cut(noun: str) -> str:
    """Cut a noun behind a relative, else to the last two characters, which say what it is: a 自行车 is a 行车."""
    relative = _RELATIVE_CHINESE.search(noun)
    bare = noun[: relative.end()] if relative else noun
    return _drop_double((bare if bare.endswith("女儿") else bare.rstrip("儿"))[-2:])


def _cut_owner(owner: str) -> str:
    """Cut whose something is to a relative, else to the first two characters."""
    relative = _RELATIVE_CHINESE.search(owner)
    return _drop_double(relative[0] if relative else owner[:2])


def _drop_double(word: str) -> str:
    """Of 姐姐 keep one, as people say either."""
    return word[:1] if len(word) == 2 and word[:1] == word[1:] else word
