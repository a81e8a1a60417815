"""Names a chat by a piece of what the user said first, in their own words."""

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from echovessel import crisis
from echovessel import lazy_re as re
from echovessel.llm.inputs import TitleInputs
from echovessel.llm.offline import fillers
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.extraction import statements
from echovessel.llm.offline.text import clauses, happenings, lexicon, naming, sentences, unwelcome
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
# "My name is Alex and I live in Berlin" is about Berlin.
_NAMED = re.compile(
    r"^\W*(?:(?:hi+|hey+|hello|hiya)\W+)?(?:(?:my )?name(?:'s| is)|i'?m called|call me|this is) (?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?(?:\W+(?:and|but)\b)?(?: here)?\W*(?=\w)",
    re.IGNORECASE,
)
# "I'm Dee" and "hiya, I'm Dee" say who one is, and not what the chat is about.
_SAYS_WHO = re.compile(r"^\W*(?:\w+ )?i(?:'m| am) (?-i:[A-Z])\w+\W*$", re.IGNORECASE)
# In front of what it denies.
_NEGATION = re.compile(r"\w+n['’]t|cannot|never|not|no", re.IGNORECASE)
# "If I get the job" is no job.
_CONDITION = frozenset(["if", "unless", "until", "when", "once"])
# "I never told her because" is cut before what is not told to its end.
_JOINS_TEXT = "when because if that while before after until since as where who which whether but and so"
_JOINS = frozenset(_JOINS_TEXT.split())
_LEADS_TO = frozenset(["in", "at", "of", "on", "to", "for", "with", "from", "about", "by"])
# What somebody thinks or says is theirs: "she thought we were a team".
_REPORTS = frozenset(["think", "thinks", "thought", "say", "says", "said", "reckon", "reckons", "believes", "believed"])
_SPEAKERS = frozenset(["he", "she", "they"])
_AUXILIARIES = frozenset(["would", "could", "might", "was", "will", "must"])
# What a verb does something to follows: "made me a cake".
_OBJECT = frozenset(["a", "an", "the", "my", "our", "his", "her", "their", "me", "us", "him", "them"])
# What completes the verb before it: "the interview went well", "to die for", "she left me".
_RESULT = re.compile(r"me|us|well|badly|wrong|fine|out|off|up|down|home|away|over|through|\d{1,4}", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"\W*(?:(?:and|but|so|then) )?(?:he|she|they|his|her|their)\b|[他她]", re.IGNORECASE)
# What a Chinese clause begins and ends with that says nothing of what it is about.
_LEAD = re.compile(
    r"^(?:(?:我们?|咱们?|你)(?:的(?!确))?|今天|昨天|昨晚|明天|最近|刚刚?|其实|然后|但是|可是|所以|因为|就是|觉得|感觉|想|有点|还是|又|也|都|在)+"
)
# A clause that only greets, or says who one is.
_OPENING = re.compile(
    r"(?:你好(?![像多久奇厉])|您好|嗨|哈喽|嘿|早上好|下午好|晚上好|早安|晚安)[呀啊]?\S{0,3}|(?:我叫|我是|我的名字[是叫]|叫我|我姓)\S{1,4}|(?:我)?(?:今年|刚|快)*\d{1,3}岁?了?"
)
# "真倒霉" says of nothing what it is.
_JUDGES = re.compile(r"[真太好可]的?[^，。\s]{1,3}")
_TAIL = re.compile(r"(?:呢|啊|呀|吧|吗|嘛|的|哦)+$")


def write_title(inputs: TitleInputs) -> dict[str, JsonValue]:
    return {"title": name(sentences.split(inputs.said))}


def name(said: Iterable[str]) -> str:
    """Return a title by the first of these sentences that says what a talk is about; "" where none does."""
    # Who only says who they are has not begun yet, and of "she said no" one does not know who.
    telling = sorted(
        filter(_may_name, said),
        key=lambda one: (naming.find(lexicon.normalise(one)) is not None, _OF_ANOTHER.match(one) is not None),
    )
    return next(filter(None, map(_name, telling)), "")


def _may_name(sentence: str) -> bool:
    """Whether a sentence says what a chat is about: not what only greets, asks, reassures, begins a talk, is too grave for a list, or is to be left alone."""
    return not (
        statements.is_chatter(sentence)
        or lexicon.matches("ASKS_MEMORY", sentence)
        or crisis.is_denied(sentence)
        or crisis.is_voiced(sentence)
        or unwelcome.read_subject(sentence)
    )


def _name(said: str) -> str:
    sentence = fillers.strip_leading(clauses.strip_wish(lexicon.remove("SHIFTS", lexicon.normalise(said))))
    if lexicon.is_chinese(sentence):
        parts = [part for clause in _CLAUSE.findall(sentence) for part in clause.split()]
        return _choose_clause(sorted(parts, key=lambda part: not happenings.weigh(part)))
    sentence = _NAMED.sub("", sentence)
    sentence = ",".join(part for part in sentence.split(",") if not _SAYS_WHO.match(part))
    cuts = [cut for cut in map(_cut_telling, [*_CLAUSE.findall(sentence), sentence]) if cut]
    title = next((cut for cut in cuts if happenings.weigh(cut)), next(iter(cuts), ""))
    return title[:1].upper() + title[1:]


def _cut_telling(clause: str) -> str:
    """Return a clause cut to what happened in it, where it tells that at its end and denies nothing."""
    whole = _cut(clause)
    words = [*_WORD.finditer(clause)]
    if not whole or happenings.weigh(whole) or not happenings.weigh(clause.partition(whole)[2]):
        return whole
    if any(_NEGATION.fullmatch(word[0]) or word[0].casefold() in _CONDITION for word in words):
        return whole
    later = (_cut(clause[word.start() :]) for word in words[1:])
    return next((cut for cut in later if happenings.weigh(cut)), whole)


def _cut(clause: str) -> str:
    """Return the clause from its first salient word on, in at most five words, or seven where it ends with them, without what it does
    not end with. "I live with Niamh" keeps its subject: "Live with Niamh" would be an order.
    """
    words = list(_WORD.finditer(clause))
    salient = [at for at, word in enumerate(words) if _is_salient(word.group())]
    if len(salient) < _SALIENT_LEAST:
        return ""
    said = [word.group().casefold() for word in words]
    first = _find_first(said, salient[0])
    last = _find_last(said, salient, first)
    if last == salient[0] == first:
        return ""
    joined = [at for at in range(first + 2, last + 1) if _joins(said, at)] if last + 1 < len(words) else []
    if joined and sum(first <= at < joined[0] for at in salient) < _SALIENT_LEAST and said[0] not in _CONDITION:
        return _cut(clause[words[joined[0]].end() :])
    last = joined[0] - 1 if joined else last
    if first and said[first - 1] in _SPEAKERS and _NEGATION.fullmatch(said[first]):
        first -= 1
    first = _find_speaker(said[:first], verb=said[salient[0]])
    return _close_bracket(clause, words[first].start(), words[last].end())


def _joins(said: Sequence[str], at: int) -> bool:
    """Whether another clause begins with a word, and it stands for no thing as in "in that hospital"."""
    return said[at] in _JOINS and said[at - 1] not in _LEADS_TO


def _find_first(said: Sequence[str], salient: int) -> int:
    """Return where a title begins: at the first salient word, or before it at what denies it, sets its condition, or thinks it."""
    if said[0] in _CONDITION and salient < _WORDS_MOST:
        return 0
    # Farther off there would be no room for what it is about.
    nearest = max(1, salient - _WORDS_MOST + 2)
    denied = [at for at in range(nearest - 1, salient) if _NEGATION.fullmatch(said[at])]
    if denied and not _JOINS.intersection(said[denied[-1] : salient]):
        return denied[-1]
    reports = [at for at in range(nearest, salient + 1) if said[at] in _REPORTS and said[at - 1] in _SPEAKERS]
    return reports[-1] - 1 if reports else salient


def _find_last(said: Sequence[str], salient: Sequence[int], first: int) -> int:
    """Return where a title ends: at the last salient word for which there is room, or behind it at what belongs to it."""
    is_whole = len(said) - first <= _WHOLE_MOST or said[first] in _SPEAKERS
    most = _WHOLE_MOST if is_whole else _WORDS_MOST
    last = max(at for at in salient if at < first + most)
    if said[last + 1 :] == ["for"] or (last + 1 < len(said) and _RESULT.fullmatch(said[last + 1])):
        last += 1
    if last + 1 < len(said) and said[last + 1] in _OBJECT:
        return next((at for at in salient if last < at < first + _WHOLE_MOST and at + 1 not in salient), last)
    return last


def _find_speaker(before: Sequence[str], *, verb: str) -> int:
    """Return where the user stands in front of what they do, "I would" and "I was" with them; else where these words end."""
    end = len(before)
    if before[-2:-1] == ["i"] and before[-1] in _AUXILIARIES:
        return end - 2
    is_kept = before[-1:] in (["i'd"], ["i'll"]) or (before[-1:] == ["i"] and not _is_past(verb))
    return end - 1 if is_kept else end


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
    telling = [one for one in bare if not set(one) <= chinese.STOP_WORDS and len(one) > 1]
    named = next((one for one in telling if not _JUDGES.fullmatch(one)), next(iter(telling), ""))
    return cut_short(named, _CHARACTERS_MOST - 1)
