"""Reads words: the language of a text, its pets and kin, and the patterns of its vocabulary."""

from functools import cache, lru_cache
from types import ModuleType

from echovessel import chinese_script
from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import vocabulary as english
from echovessel.text import stem

# How many results are cached: each sentence is compared with many before it.
_KEPT = 4096
_CJK = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’][a-z]+)?")
_LATIN_LETTER = re.compile(r"[A-Za-z\u00c0-\u024f]")
_LETTER = re.compile(r"[^\W\d_]")
# What joins the words of a sentence, in Chinese and in English.
_JOINS = re.compile(r"[我你您他她它的了是在吗呢吧怎么]|晚安|早安|谢谢|拜拜|再见|哈哈")
_JOINS_ENGLISH = re.compile(
    r"\b(?:the|an?|i|you|he|she|it|we|they|my|your|is|am|are|was|and|to|of|in|on|for|with|do|not)\b", re.IGNORECASE
)
_DOUBLED = frozenset(("妈妈", "爸爸", "姐姐", "妹妹", "哥哥", "弟弟"))
_ANIMAL_NAMED = re.compile(rf"^my (?:\w+ )?(?:{'|'.join(english.PETS.values())}) (?=(?-i:[A-Z]))", re.IGNORECASE)
_NOT_FAMILY = {"friend", "colleague", "neighbour", "teacher", "boss"}
# "ill" is "I'll" before these.
_VERBS = "(?:always|ask|be|book|bring|buy|call|come|do|eat|find|get|give|go|have|help|just|keep|leave|let|look|make|meet|miss|move|need|never|pay|prob|probably|put|say|see|send|sleep|start|stay|stop|take|talk|tell|text|think|try|wait|write)"
# Words typed without their apostrophe ("id" is a word of its own), and those cut short.
_HASTY = re.compile(
    # No place within a word is tried.
    r"\b(?=[a-z])(?:(?!(?-i:IM)\b)(?P<i>i)(?P<am>m|ve)\b(?!\.)"
    rf"|(?<!is )(?<!was )(?<!be )(?<!been )(?<!feel )(?<!so )\b(?P<will>i)ll (?={_VERBS}\b)"
    r"|\b(?P<do>do|does|did|ca|wo|is|was|are|were|has|have|had|could|would|should)nt\b"
    r"|\b(?P<what>what|who|where|when|how|that|there|he|she)s\b|\b(?P<they>they|you)re\b"
    r"|\b(?P<it>it)s(?= (?:called|named|an?|the|my|our|not|so|just|really|been|too)\b)"
    r"|\b(?P<whose>mum|mom|dad|husband|wife|sister|brother|son|daughter|boyfriend|girlfriend|gf|bf)s(?= (?:name|job|birthday|age|work)\b)"
    # "My dads having his knee done": of these one has one, and of the others several would be followed by "are".
    r"|(?<!the )(?<!other )(?<!some )(?<!all )(?<!these )(?<!those )(?<!two )(?<!new )\b(?P<one>mum|mom|mam|dad|nan|gran|grandad|grandma|grandpa|husband|hubby|wife)s(?= (?!and\b|or\b|are\b|were\b|have\b|do|both\b|all\b|who\b|that\b|with\b)\w)"
    r"|(?<=\bmy )(?P<some>sister|brother|son|daughter|boyfriend|girlfriend|partner|boss|mate|uncle|aunt|auntie|cousin)s(?= (?:\w{2,}ing|called|named|pregnant|not|been|an?|so|really|very)\b)"
    r"|\b(?P<name>(?:m[ye]|his|her) name)s(?= (?!and\b|are\b|on\b|in\b|were\b)\w)"
    r"|\b(?P<short>(?:any|every|no|some)thin|(?<=[a-z] )n(?= [a-z])|ur|u|nite|wat|idk|dunno|pls|ppl|cuz|cos(?= (?:i|he|she|it|they|we|my)\b)|r(?= (?:u|you)\b)|wanna|gonna|gimme|tmrw|bday|abt|bout(?= (?:my|me|us|the|him|her|it)\b)|rn|delet|delte|deleet|forgt|forgte|froget|remve)\b(?![.']))",
    re.IGNORECASE,
)
_SHORT = {
    "ur": "your",
    "u": "you",
    "wanna": "want to",
    "gonna": "going to",
    "gimme": "give me",
    "r": "are",
    "n": "and",
    "tmrw": "tomorrow",
    "bday": "birthday",
    "rn": "right now",
    "delet": "delete",
    "delte": "delete",
    "deleet": "delete",
    "forgt": "forget",
    "forgte": "forget",
    "froget": "forget",
    "remve": "remove",
    "bout": "about",
    "abt": "about",
    "nite": "night",
    "wat": "what",
    "idk": "I don't know",
    "dunno": "don't know",
    "pls": "please",
    "ppl": "people",
    "cuz": "because",
    "cos": "because",
    **{f"{which}thin": f"{which}thing" for which in ("any", "every", "no", "some")},
}
_OF_SOMEBODY = re.compile(
    r"\W*(?:(?:my|our|his|her|their|the user's)\s+(?:\w+\s+)?\w+|(?:(?:我们?家?的?|用户的?)(?![对跟和给把被让替帮])|[他她]的?)\S{1,3})",
    re.IGNORECASE,
)
_KIN_OF_OTHERS = re.compile(rf"\b(?:his|her|their) (?:\w+ )?(?:{'|'.join(english.KIN.values())})\b", re.IGNORECASE)
# A Chinese word for a relative is so long.
_KIN_HAN = 2
_OF_NAMED = re.compile(r"\b[A-Z]\w+'s (?:\w+ )?\w+|[老小][\u4e00-\u9fff](?:家的?|的)?[\u4e00-\u9fff]{2}")


@lru_cache(maxsize=_KEPT)
def is_chinese(text: str) -> bool:
    """Whether most words are Chinese, or those that join them: "He is called 小黑" is English, 我在Melbourne读master and x²-5x 怎么做 are not.
    Neither is Japanese.
    """
    if chinese_script.is_japanese(text):
        return False
    words = len(_LATIN_WORD.findall(text))
    return len(_CJK.findall(text)) / 2 > words or bool(
        words and _JOINS.search(text) and not _JOINS_ENGLISH.search(text)
    )


def count_words(text: str) -> int:
    """Count the words of a text; of Chinese, two characters are a word."""
    return len(_CJK.findall(text)) // 2 + len(_LATIN_WORD.findall(text))


def choose_vocabulary(text: str) -> ModuleType:
    return chinese if is_chinese(text) else english


def list_vocabularies(text: str) -> list[ModuleType]:
    """Return those whose letters a text has: of the others no pattern for a concept can match."""
    scripts = ((english, _LATIN_LETTER), (chinese, _CJK))
    return [words for words, letter in scripts if letter.search(text)]


def has_words(text: str) -> bool:
    return _LETTER.search(text) is not None


def matches(name: str, text: str) -> bool:
    """Whether the text matches the pattern `name` of its language."""
    return bool(_compile_named(choose_vocabulary(text), name).search(normalise(text)))


def remove(name: str, text: str) -> str:
    """Return the text without what matches the pattern `name` of its language."""
    return _compile_named(choose_vocabulary(text), name).sub("", text)


def find_pets(text: str) -> set[str]:
    return set(_find("PETS", text))


def find_kin(text: str) -> set[str]:
    return set(_find("KIN", text))


def find_happenings(text: str) -> frozenset[str]:
    """Return the kinds of what happens in a life that a text tells of: "birth", "work", "quarrel"."""
    return _find("HAPPENINGS", text)


# What the user's own doing begins with: "Just got fired", but "Pete got fired".
BEGINS_OWN = r"I|We|Just|Finally|Yesterday|Today|Then|So|Also|Actually|Officially|Apparently|Recently|Almost|Nearly|Never|Basically"
SOMEBODYS_JOB = re.compile(
    rf"\W*(?!(?:{BEGINS_OWN})\b)[A-Z][a-z]+ (?:just |also |finally )?(?:got|was|has been|is being|gets) (?:fired|sacked|laid off|let go|made redundant|promoted)\b"
)


def is_of_another(text: str) -> bool:
    """Whether a clause begins with a relative or an animal of somebody, or 他: 我老公是跑长途的, "my sister works nights"."""
    plain = normalise(text)
    begins = _OF_SOMEBODY.match(plain)
    # 儿子在外面跑货车 says 我 of nobody.
    is_of_them = re.match(r"\W*[他她](?!们?[让叫教给说])", plain) is not None
    is_of_kin = begins is not None and bool(find_concepts(begins[0]))
    return (
        is_of_them
        or is_of_kin
        or SOMEBODYS_JOB.match(plain) is not None
        or "family" in widen(find_kin(plain[:_KIN_HAN]))
    )


def is_of_named(text: str) -> bool:
    """Whether a text speaks of a relative of somebody whom it names: "Frank's wife"."""
    return any(find_kin(found) for found in _OF_NAMED.findall(normalise(text)))


def find_concepts(text: str) -> set[str]:
    """Return pets and kin as concepts of both languages; "pet" and "family" where the text says no more."""
    found = find_pets(text) | find_kin(text)
    found |= {"pet"} if _find_either("ANY_PET", text) else set()
    return found | ({"family"} if _find_either("ANY_KIN", text) else set())


def leave_out_animal(who: str) -> str:
    """Return the name alone of "my dog Max": a golden retriever need not be called a dog where it is noted."""
    return _ANIMAL_NAMED.sub("", who)


def widen(found: set[str]) -> set[str]:
    """Add the wider concepts: a cat is a pet, a daughter a child."""
    wider = {"pet"} if found & set(english.PETS) else set()
    wider |= {"parents"} if found & {"mother", "father"} else set()
    wider |= {"sibling"} if found & {"brother", "sister"} else set()
    wider |= {"child"} if found & {"daughter", "son"} else set()
    return found | wider | ({"family"} if found & set(english.KIN) - _NOT_FAMILY else set())


def find_own_concepts(text: str) -> set[str]:
    """Return the concepts of a text but for relatives of others: "their mum, Rachel"."""
    return find_concepts(_KIN_OF_OTHERS.sub(" ", normalise(text)))


def find_kin_words(text: str) -> dict[str, str]:
    """Return the text's words for kin by concept."""
    found = {}
    for words in list_vocabularies(text):
        for concept, pattern in words.KIN.items():
            if match := compile_words(words, pattern).search(text):
                found[concept] = name_kin(match.group())
    return found


def shorten_kin(name: str) -> str:
    """Return the short form of a Chinese word for kin: 我妈 for 妈妈; "" for other names."""
    return f"我{name[0]}" if name in _DOUBLED else ""


@lru_cache(maxsize=_KEPT)
def is_kin_word(name: str) -> bool:
    """Whether a name is a word for a relative and nothing else: 妈妈, "sister"."""
    return any(
        compile_words(words, f"^(?:{pattern})$").search(name)
        for words in list_vocabularies(name)
        for pattern in words.KIN.values()
    )


def name_kin(word: str) -> str:
    """Turn a word for kin into a name: 妈 and 我妈 become 妈妈, since one character is no name."""
    word = word.casefold().removeprefix("我")
    return word * 2 if word * 2 in _DOUBLED else word


def stem_content(text: str) -> set[str]:
    """Return the words that carry meaning, as stems; for Chinese, pairs of characters."""
    # "I'm" is a stop word as "I" is.
    words = {_stem(word) for word in _LATIN_WORD.findall(text.casefold()) if _cut(word) not in english.STOP_WORDS}
    runs = re.findall(r"[\u3400-\u9fff]+", text)
    pairs = {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
    return words | {pair for pair in pairs if not set(pair) <= chinese.STOP_WORDS}


def _stem(word: str) -> str:
    word = _cut(word)
    return stem(english.IRREGULAR.get(word, word))


def _cut(word: str) -> str:
    """Return a word without what an apostrophe joins to it."""
    return word.replace("’", "'").partition("'")[0]


@lru_cache(maxsize=_KEPT)
def _find(name: str, text: str) -> frozenset[str]:
    said = normalise(text)
    return frozenset(
        concept
        for words in list_vocabularies(said)
        for concept, pattern in getattr(words, name).items()
        if compile_words(words, pattern).search(said)
    )


@lru_cache(maxsize=_KEPT)
def _find_either(name: str, text: str) -> bool:
    return any(compile_words(words, getattr(words, name)).search(text) for words in list_vocabularies(text))


@lru_cache(maxsize=_KEPT)
def normalise(text: str) -> str:
    """Straighten apostrophes, add those left out ("im", "whats"), and write out what is cut short ("ur")."""
    return _HASTY.sub(_write_out, text.replace("’", "'").strip())


def _write_out(match: re.Match[str]) -> str:
    if short := match["short"]:
        return short if short.isupper() else _SHORT[short.lower()]
    if match["will"]:
        return f"{match['will']}'ll "
    if match["i"]:
        return f"{match['i']}'{match['am']}"
    if match["do"]:
        return f"{match['do']}n't"
    if match["they"]:
        return f"{match['they']}'re"
    return f"{match[0][:-1]}'s"


@cache
def _compile_named(words: ModuleType, name: str) -> re.Pattern[str]:
    return re.compile(getattr(words, name), re.IGNORECASE)


@cache
def compile_words(words: ModuleType, pattern: str) -> re.Pattern[str]:
    """Compile a pattern: English alternatives match whole words, also amid Chinese (我husband); Chinese ones match anywhere."""
    whole = rf"(?<![a-z0-9_])(?:{pattern})(?![a-z0-9_])"
    return re.compile(whole if words is english else pattern, re.IGNORECASE)
