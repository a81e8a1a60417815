"""The words of a text that carry meaning, with their synonyms, and how many of them two texts share."""

from collections.abc import Sequence
from functools import cache, lru_cache

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import cues as chinese_cues
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import cues as english_cues
from echovessel.llm.offline.text import lexicon

# How many results are cached: a question is compared with all that was told, and all that was told with each question.
_KEPT = 4096
# What only asks says nothing of what is asked for.
_ASKING = frozenset(("say", "said", "tell", "told", "happen", "go", "went", "think", "wrong", "matter"))
# Of 我女友 the pair 我女 is no word.
_MINE = re.compile(r"^我们?家?的?")
# What a reply may take up: a noun behind what counts or describes it, 一颗大白兔, 楼下的老同事.
_CLAUSES = re.compile(r"[^\u4e00-\u9fff]+")
_BEFORE_THING = re.compile(r"(?<!像)(?<!像一)[了过的个只条颗件张本份碗点些袋盒杯根双块把台辆瓶家座棵顿场俩]$")
_NO_THINGS = re.compile(
    r"[一半].*|小时|钟头|礼拜|星期|东西|事情?|时候|样子|地方|意思|感觉|问题|办法|日子|时间|原因|结果|人家?|[傻疯骗]子|名字|方面|机会"
)
_LAST_DAY = re.compile(r"\b(?:last|first) day\b")
_ENGLISH_THING = re.compile(
    r"(?<!\b(?:as|in|at|on|of|to|is|am) )(?<!\b(?:was|are|for|not) )(?<!\b(?:with|tell|like) )(?<!['’](?:s|m) )\ban? (?:(?!proper|new one|good|bad|great)[a-z-]+ )?(?!(?:few|bit|lot|little|couple|while|time|day|night|week|weekend|month|year|thing|way|moment|kind|sort|one|shame|pity|joke|mess|question|point|half|hour|minute|row|time|kid|age|chance)\b)([a-z]{3,})(?=[.,;!?]|$| (?:and|but|in|at|on|for|from|with|about|today|yesterday|tonight)\b)",
    re.IGNORECASE,
)
# So many characters any text may have by chance.
_LEAST_HAN, _LEAST_WHY = 3, 2
_ASKS_VALUE = re.compile(r"[谁哪几]|多|时候|名字|叫(?:什么|啥)")
_HAN = re.compile(r"[\u4e00-\u9fff]")
# The kinds of words that are things: 物理, 工资, 房贷.
_THINGS = ("n", "vn", "nz", "j")
# Nouns, verbs, adjectives and times.
_ASKED_OF = "nvajtlisbz"
_NO_WORDS = re.compile(
    r"[我你他她它咱]们?|[是有做干在去来到说叫想要会能给让跟和得]|平时|一般|干[嘛啥吗]|多?[大久长高重远快]|打算|准备|知道|记得|觉得|时候|人"
)
# A verb of one character is no pair: 老黑埋在哪, 谁带乐乐, 哪年走的.
_VERB = re.compile(
    r"(?<=谁)(?:正?在(?:我们?家里?|家里?)?|[帮替给]我们?)?([\u4e00-\u9fff])|(?<=怎么)([\u4e00-\u9fff])(?=的|来着|\W*$)|(?<=哪[年天月])([\u4e00-\u9fff])|([\u4e00-\u9fff])(?:[了过的在到]|给[我他她])*(?:哪|什么|啥|谁|几|多少|多[大久长高重])"
    # Nor is a thing of one: 我吃什么药.
    r"|什么([\u4e00-\u9fff])\W*$"
    # Nor is a part of the body: 我跟你说过我的胃吗, 我腰怎么了.
    r"|我的?([腰胃腿脚手头眼牙背肩肝肺肾车])(?=怎么|咋|为|还?[好疼痛]|的?事|\W*$|吗)"
)
_NO_VERBS = "车为把被是叫有做在的了就都也还要想会我你他她它家个办样回"
# What is somebody's: "When is Naomi's birthday?"
_OF_THING = re.compile(r"(?:\b(?:his|her|their)|'s) (\w+)\W*$", re.IGNORECASE)
# In Chinese it stands where the answer does: 谁怀孕了; others say nothing of what is asked for: 房租现在多少.
_ASKING_WORDS = re.compile(
    r"^你?再?[给跟]我(?:说说|讲讲)|吧(?=\W*$)|是?(?:怎么|咋)回事|为(?:什么|啥)|叫?(?:什么|啥)(?:名字)?|多少|怎么[了样着]*|咋[了样]*|现在|目前|[之以]前|原来|到底|究竟|来着|(?<=[\u4e00-\u9fff])在哪[里儿]|哪[里儿个天年月]|是?谁|几|(?:你|还|记不)*记得|吗|的(?!是)(?=[\u4e00-\u9fff]{2})"
)


def share(text: str, question: str) -> float:
    """Return the share of the question's words with a meaning that a text has, up to 1: a greyhound is a dog.

    Of Chinese, whose pairs cross the borders of words, a text that has every character has all: 膝盖有点疼 of 我为啥膝盖疼. A name, a day
    or a number is more than the words around it.
    """
    asking = {*_HAN.findall(_ASKING_WORDS.sub(" ", question))} - chinese.STOP_WORDS
    least = _LEAST_WHY if "为" in question else _LEAST_HAN
    if len(asking) >= least and asking <= {*text} and not _ASKS_VALUE.search(question):
        return 1
    asked = (list_all(_MINE.sub("", question)) or list_all(question)) - _ASKING
    told, concepts = list_told(text), lexicon.find_concepts(text)
    shared = [word for word in asked if word in told or lexicon.find_concepts(word) & concepts]
    return len(shared) / len(asked) if asked else 0


def holds_all(text: str, question: str, called: Sequence[str]) -> bool:
    """Whether a text has each word that a Chinese question asks of, whatever stands inside it, and not only whom: 攒够钱 has 攒钱.

    Who asks for somebody else is not told by what they did themselves: 我教弟弟 of 谁教.
    """
    words = _list_asked_words(question)
    if "谁" in question and (verb := find_verb(question)) and re.search(rf"我[也都在去正]*{verb}", text):
        return False
    is_of_thing = any(not (word in called or lexicon.find_kin(word) or lexicon.find_pets(word)) for word in words)
    return is_of_thing and all(re.search(".{0,2}".join(map(re.escape, word)), text) for word in words)


@lru_cache(maxsize=64)
def _list_asked_words(question: str) -> tuple[str, ...]:
    if not lexicon.is_chinese(question):
        return ()
    tagged = _tag(_ASKING_WORDS.sub(" ", question))
    return tuple(word for word, kind in tagged if kind[0] in _ASKED_OF and not _NO_WORDS.fullmatch(word))


def count_exact(text: str, question: str) -> int:
    """Count the words that a text shares with a question as they are: "afraid" is nearer to it than "frightened"."""
    return 0 if lexicon.is_chinese(question) else len(lexicon.stem_content(text) & lexicon.stem_content(question))


@lru_cache(maxsize=_KEPT)
def list_all(text: str) -> frozenset[str]:
    """Return the words that carry meaning, with their synonyms; told, a pair such as 我打 is no word."""
    idle = chinese_cues.IDLE if lexicon.is_chinese(text) else _IDLE_STEMS
    words = lexicon.stem_content(_ASKING_WORDS.sub(" ", text)) - idle
    found = {word for word in words if word[0] not in "我你" or lexicon.find_kin(word) or _ASKING_WORDS.search(text)}
    # Alone each of these two says nothing.
    found |= set(_LAST_DAY.findall(plain := text.casefold()))
    for members, stems in _ALIKE:
        if any(_holds(plain, word) for word in members):
            found = (found - stems) | {members[0]}
    return frozenset(found)


def list_told(text: str) -> frozenset[str]:
    """Return the words that carry meaning with those that a text tells in other words."""
    return list_all(text) | find_told_so(text)


@lru_cache(maxsize=_KEPT)
def find_told_so(text: str) -> frozenset[str]:
    plain = lexicon.normalise(text)
    return frozenset(word for word, pattern in _TOLD_SO.items() if pattern.search(plain))


def find_verb(question: str) -> str:
    """Return the verb of one character that a Chinese question asks of, what stands behind 谁 before what does before it; "" where it has none."""
    found = (next(filter(None, verb.groups())) for verb in _VERB.finditer(question))
    return next(reversed([verb for verb in found if verb not in _NO_VERBS and not lexicon.find_pets(verb)]), "")


def find_thing(text: str) -> str:
    """Return a thing that a text brings up: the last one of a Chinese clause's end, or the first one behind an English "a"; "" where there is none."""
    if not lexicon.is_chinese(text):
        found = _ENGLISH_THING.search(lexicon.normalise(text))
        return found[1].lower() if found else ""
    for clause in reversed(_CLAUSES.split(text)):
        *_, (word, kind) = _tag(clause) or [("", "")]
        is_thing = kind == "n" and len(word) > 1 and _BEFORE_THING.search(clause.removesuffix(word))
        if is_thing and not (_NO_THINGS.fullmatch(word) or lexicon.find_kin(word)):
            return word
    return ""


def _holds(plain: str, word: str) -> bool:
    """Whether a text has a word or a form of it: "cars", not "cardboard"; Chinese words stand anywhere."""
    return word in plain and (lexicon.is_chinese(word) or _compile_forms(word).search(plain) is not None)


@cache
def _compile_forms(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b{word}(?:'?s|es|d|ed|ing|ers?)?\b")


_IDLE_STEMS = frozenset().union(*map(lexicon.stem_content, english_cues.IDLE)) | english_cues.IDLE
_TOLD_SO = {word: re.compile(pattern, re.IGNORECASE) for word, pattern in english_cues.TOLD_SO.items()}
# A word and its like are one word: "work" and "job" are not two things in common.
_ALIKE = [(group.split(), lexicon.stem_content(group)) for group in (*english_cues.ALIKE, *chinese_cues.ALIKE)]


def lacks_thing(text: str, question: str) -> bool:
    """Whether a question ends with something of somebody's that a text does not tell of: the day that Naomi died is not her birthday;
    in Chinese, whether it tells of none of its things: 物理考了52 is not 我数学考了多少.
    """
    things = _list_things(question) if lexicon.is_chinese(question) else _OF_THING.findall(question)
    return bool(things) and not any(thing in text or list_all(thing) & list_told(text) for thing in things)


@lru_cache(maxsize=64)
def _list_things(text: str) -> tuple[str, ...]:
    things = [word for word, kind in _tag(text) if kind in _THINGS and len(word) > 1]
    return tuple(word for word in things if not (lexicon.find_kin(word) or _NO_THINGS.fullmatch(word)))


def _tag(text: str) -> list[tuple[str, str]]:
    import rjieba  # noqa: PLC0415 - its dictionary takes a tenth of a second, and only Chinese needs it

    return rjieba.tag(text, hmm=False)
