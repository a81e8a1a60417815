"""Tells the wishes to forget of a message from what else it says."""

from itertools import takewhile

from echovessel import chinese_script
from echovessel.llm.offline.text import sentences
from memory.facts.rules import letting_go, reading, told_before
from memory.facts.rules.acts import Op


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
