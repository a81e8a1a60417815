"""Tells the wishes to forget of a message from what else it says."""

import re
from collections.abc import Sequence
from itertools import takewhile

from echovessel import chinese_script
from echovessel.llm.offline.text import lexicon, sentences
from memory.facts.rules import letting_go, reading, told_before
from memory.facts.rules.acts import Op

# What the words of a wish begin with where they are its whole sentence: "scratch the speeding and the points".
_VERB = re.compile(f"{letting_go.DROPPED}|{letting_go.ORDERED}", re.IGNORECASE)
# Between the things that a wish names: "the ring, the ferry and her mum knowing".
_AND = re.compile(r"\s*[,;、，；&]\s*(?:and |or |also )?|\s+(?:and|or|plus|as well as)\s+|(?:和|跟|还有|以及|与)")
_POINTS_BACK = re.compile(r"\b(?:it|that|this|those|them)\b|[这那它]", re.IGNORECASE)
# So many things are looked for.
_THINGS_MOST = 5


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
    """Return what a line tells before it asks to forget something, in the same sentence too; all of it where it does not."""
    if not is_one(line):
        return line
    said = sentences.split(line)
    told = [*takewhile(lambda sentence: not is_one(sentence), said)]
    asking = "".join(said[len(told) : len(told) + 1])
    before = [*takewhile(lambda clause: not is_one(clause), letting_go.MARK.split(asking))]
    return " ".join(filter(None, [*told, told_before.find_lead(before)]))


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
