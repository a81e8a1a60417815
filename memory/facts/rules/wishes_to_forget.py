"""Tells the wishes to forget of a message from what else it says."""

from collections.abc import Sequence
from itertools import takewhile

from echovessel import chinese_script
from echovessel import lazy_re as re
from echovessel.llm.offline.text import lexicon, sentences
from memory.facts.rules import letting_go, reading, told_before
from memory.facts.rules.acts import Op

# What the words of a wish begin with where they are its whole sentence: "scratch the speeding and the points".
_VERB = re.compile(f"{letting_go.DROPPED}|{letting_go.ORDERED}", re.IGNORECASE)
# Between the things that a wish names: "the ring, the ferry and her mum knowing".
_AND = re.compile(r"\s*[,;、，；&]\s*(?:and |or |also )?|\s+(?:and|or|plus|as well as)\s+|(?:和|跟|还有|以及|与)")
_POINTS_BACK = re.compile(r"\b(?:it|that|this|those|them)\b|[这那它]", re.IGNORECASE)
_BARE_MOST = 80
_BARE = re.compile(
    r"(?:(?:please|pls|just|ok|okay|so|and|kindly|can you|could you|would you|will you|i want you to|i'd like you to) )*"
    r"(?:forget|delete|erase|remove) (?:(?:all |everything |anything )?(?:about|on|of) )?(?:my (?:[a-z]+ )?)?([\w'’. -]{1,40}?)"
    r"(?: (?:please|for me|now|from your memory|entirely|completely))*\W*",
    re.IGNORECASE,
)
_TO_YOU = r"(?:请|麻烦|拜托|你|帮我|给我|就|都|也|还是|快|全|把|将)*"
_BARE_CHINESE = re.compile(
    rf"(?:算了|好了)?[，,\s]*{_TO_YOU}(?:关于)?([\w·]{{1,12}}?)(?:的?(?:所有|全部|一切)?的?(?:事情?|记忆)|这个人)?{_TO_YOU}(?:(?:忘[了掉]|忘记|删[了掉除])(?:它|他|她)?(?:吧|好了|就好|就行|哈|啊)"
    r"|忘掉|删[掉除])\W*"
    rf"|(?:算了|好了)?[，,\s]*(?:请|麻烦|拜托|你|帮我|给我|就|都|快)*(?:忘掉|忘记|删[掉除]|(?:别|不要|不用)再?记着?)(?:关于)?([\w·]{{1,12}}?)(?:的?(?:所有|全部|一切)?的?(?:事情?|记忆)|这个人)?(?:吧|啊|哈|好吗|了)?\W*"
    rf"|(?:请|麻烦|拜托|你|帮我|给我|就|都|快)*忘了(?:关于)?([\w·]{{1,12}}?)(?:的?(?:所有|全部|一切)?的?(?:事情?|记忆)|这个人)?吧\W*"
)
# So many things are looked for.
_THINGS_MOST = 5


def read_bare(said: str) -> str:
    """Return what a short message asks to forget by nothing but what may be a name: "forget Rex", 把豆豆忘了吧; "" where none does."""
    if len(said) > _BARE_MOST:
        return ""
    plain = lexicon.normalise(said).strip()
    match = (_BARE_CHINESE if lexicon.is_chinese(plain) else _BARE).fullmatch(plain)
    return next(filter(None, match.groups()), "") if match else ""


def is_one(said: str) -> bool:
    """Whether a text asks to forget something, in words that the rules hear."""
    plain = chinese_script.read(said)
    return any(act.op == Op.FORGET for act in (*reading.read_acts([plain], [], {}), *reading.read_told([plain])))


def asks_for_nothing_else(line: str) -> bool:
    """Whether all that a line says is a wish to forget: "Um. The peach incident: erase."""
    said = {*sentences.split(line)}
    # One sentence that tells something settles it for most lines.
    return all(is_one(one) or not told_before.says_something(one) for one in said) and any(map(is_one, said))


def cut(line: str) -> str:
    """Return what a line tells before it asks to forget something, in the same sentence too, or announces by it; all of it where it does not."""
    if not is_one(line):
        return line
    said = sentences.split(line)
    told = [*takewhile(lambda sentence: not is_one(sentence), said)]
    asking = "".join(said[len(told) : len(told) + 1])
    before = [*takewhile(lambda clause: not is_one(clause), letting_go.MARK.split(asking))]
    stated = " ".join(filter(None, [*told, told_before.find_lead(before)]))
    return stated if told_before.find_statement(stated) else told_before.find_announced(line)


def split_things(words: str) -> list[str]:
    """Return the things that the words of a wish name one after the other; [] where they name one."""
    things = [one.strip() for one in _AND.split(_VERB.sub("", words)) if letting_go.list_words(one)]
    return things[:_THINGS_MOST] if len(things) > 1 else []


def find_asking(line: str) -> str:
    """Return the sentences of a line that ask to forget something, each with what goes on with it ("Ring, ferry, the lot"), and with
    the one before where it points back; the whole line where none asks.
    """
    said = sentences.split(line)
    found: dict[str, None] = {}
    for at, one in enumerate(said):
        if letting_go.sounds_so(one) or is_one(one):
            before = said[max(0, at - 1) : at] if _POINTS_BACK.search(one) else []
            found |= dict.fromkeys([*before, add_things(one, said)])
    return " ".join(found) or line


def add_things(asking: str, said: Sequence[str]) -> str:
    """Return one of the sentences with what stands behind it and only lists things: "I need it gone. Ring, ferry, the lot"."""
    listed = sentences.add_fragments(asking, said)
    return listed if "," in listed[len(asking) :] and not lexicon.is_chinese(asking) else asking
