"""Names a chat by a piece of what the user said first, in their own words."""

from collections.abc import Iterable

from pydantic import JsonValue

from echovessel import crisis
from echovessel import lazy_re as re
from echovessel.llm.inputs import TitleInputs
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import clauses, lexicon, naming, sentences, unwelcome
from echovessel.text import cut_short, drop_unclosed

_SALIENT_LEAST, _WORDS_MOST = 2, 5
# A clause that ends within so many words is told to its end.
_WHOLE_MOST = 7
_CHARACTERS_MOST = 24
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NOT_SALIENT_LIST = (
    "i'm i've i'd i'll it's that's don't can't isn't didn't today yesterday tomorrow got get getting going go think want need please hi hey "
    "hello okay ok yes yeah well now because since though maybe only here more than most day should give"
)
_NOT_SALIENT = english.STOP_WORDS.union(_NOT_SALIENT_LIST.split())
_CLAUSE = re.compile(r"[^，,。！？；!?;：:\n]+")
# "Hey Marian, long day" is about the day.
_GREETED = re.compile(
    r"^(?:hi|hey|hello|hiya|good (?:morning|evening|afternoon))(?: [^\W\d_]+){0,2}\s*[,!]\s*(?=\w)", re.IGNORECASE
)
# "My name is Alex and I live in Berlin" is about Berlin.
_NAMED = re.compile(
    r"^\W*(?:(?:hi+|hey+|hello|hiya)\W+)?(?:my name(?:'s| is)|i'?m called|call me|this is) (?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?(?:\W+(?:and|but)\b)?(?: here)?\W*(?=\w)",
    re.IGNORECASE,
)
# "I'm Dee" and "hiya, I'm Dee" say who one is, and not what the chat is about.
_SAYS_WHO = re.compile(r"^\W*(?:\w+ )?i(?:'m| am) (?-i:[A-Z])\w+\W*$", re.IGNORECASE)
# In front of what it denies.
_NEGATION = re.compile(r"\w+n['’]t|cannot|never|not|no", re.IGNORECASE)
# What completes the verb before it: "the interview went well".
_RESULT = re.compile(r"well|badly|wrong|fine|out|off|up|down|home|away|over|through", re.IGNORECASE)
# What a Chinese clause begins and ends with that says nothing of what it is about.
_LEAD = re.compile(
    r"^(?:(?:我们?|咱们?|你)(?:的(?!确))?|今天|昨天|昨晚|明天|最近|刚刚?|其实|然后|但是|可是|所以|因为|就是|觉得|感觉|想|有点|还是|又|也|都|在)+"
)
# A clause that only greets, or says who one is.
_OPENING = re.compile(
    r"(?:你好(?![像多久奇厉])|您好|嗨|哈喽|嘿|早上好|下午好|晚上好|早安|晚安)[呀啊]?\S{0,3}|(?:我叫|我是|我的名字[是叫]|叫我)\S{1,4}"
)
_TAIL = re.compile(r"(?:呢|啊|呀|吧|吗|嘛|的|哦)+$")


def write_title(inputs: TitleInputs) -> dict[str, JsonValue]:
    said = [*filter(_may_name, sentences.split(inputs.said))]
    # Who only says who they are has not begun yet.
    said.sort(key=lambda sentence: naming.find(lexicon.normalise(sentence)) is not None)
    return {"title": next(filter(None, map(_name, said)), "")}


def _may_name(sentence: str) -> bool:
    """Whether a sentence says what a chat is about: not what only greets, asks, reassures, or is to be left alone."""
    return not (
        sentences.is_small_talk(sentence)
        or sentences.is_question(sentence)
        or lexicon.matches("ASKS_MEMORY", sentence)
        or crisis.is_denied(sentence)
        or unwelcome.read_subject(sentence)
    )


def _name(said: str) -> str:
    sentence = clauses.strip_wish(lexicon.remove("SHIFTS", lexicon.normalise(said)))
    if lexicon.is_chinese(sentence):
        return _choose_clause(part for clause in _CLAUSE.findall(sentence) for part in clause.split())
    sentence = _NAMED.sub("", _GREETED.sub("", sentence))
    sentence = ",".join(part for part in sentence.split(",") if not _SAYS_WHO.match(part))
    title = next(filter(None, map(_cut, [*_CLAUSE.findall(sentence), sentence])), "")
    return title[:1].upper() + title[1:]


def _cut(clause: str) -> str:
    """Return the clause from its first salient word on, in at most five words, or seven where it ends with them, without what it does
    not end with. "I live with Niamh" keeps its subject: "Live with Niamh" would be an order.
    """
    words = list(_WORD.finditer(clause))
    salient = [at for at, word in enumerate(words) if _is_salient(word.group())]
    if len(salient) < _SALIENT_LEAST:
        return ""
    first = salient[0]
    if first and _NEGATION.fullmatch(words[first - 1].group()):
        first -= 1
    most = _WHOLE_MOST if len(words) - first <= _WHOLE_MOST else _WORDS_MOST
    last = max(at for at in salient if at < first + most)
    if last == salient[0]:
        return ""
    if last + 1 < len(words) and _RESULT.fullmatch(words[last + 1].group()):
        last += 1
    if first and words[first - 1].group() in ("I", "i") and not _is_past(words[salient[0]].group().casefold()):
        first -= 1
    return _close_bracket(clause, words[first].start(), words[last].end())


def _is_past(verb: str) -> bool:
    return verb in english.IRREGULAR or verb.endswith("ed")


def _close_bracket(clause: str, start: int, end: int) -> str:
    """Return a piece of a clause with the bracket that closes right behind it, or without one that does not."""
    piece = clause[start:end]
    with_next = clause[start : end + 1]
    is_closed_by_next = drop_unclosed(piece) != piece and drop_unclosed(with_next) == with_next
    return with_next if is_closed_by_next else drop_unclosed(piece)


def _is_salient(word: str) -> bool:
    return not word.isdecimal() and word.casefold().replace("’", "'") not in _NOT_SALIENT


def _choose_clause(parts: Iterable[str]) -> str:
    """Return the first clause that says something, without what only leads to it; a very long one is cut."""
    said = (clause.strip() for clause in parts)
    bare = (_TAIL.sub("", _LEAD.sub("", one)).strip() for one in said if not _OPENING.fullmatch(one))
    named = next((one for one in bare if not set(one) <= chinese.STOP_WORDS and len(one) > 1), "")
    return cut_short(named, _CHARACTERS_MOST - 1)
