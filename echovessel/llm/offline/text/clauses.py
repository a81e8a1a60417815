"""Splits what the user tells in one sentence into statements that each stand alone, without the wish to remember them."""

import re
from collections.abc import Iterator

from echovessel.llm.offline.text import lexicon, passages, slots

_JOINT = re.compile(r"\s*[;,]\s+(?:(?:and|but)\s+)?(?=(?:i|my)\b)|\s+and\s+(?=(?:i|my)\b)", re.IGNORECASE)
# "… and work as a nurse": who is left out.
_WITHOUT_SUBJECT = re.compile(r"(?:,\s*|\s+)and\s+(?=[a-z])", re.IGNORECASE)
_BRINGS_UP = re.compile(r"(?:有|养|买|租|开|认识|遇|捡|收|生|造|写)了?[一两三几这那]?[\u4e00-\u9fff]?[\u4e00-\u9fff]")
_JOINT_CHINESE = re.compile(r"[，,；;]\s*")
_REMEMBER = r"(?:remember|(?:don't|do not) forget|keep|bear|note|make a note of|write)"
_WISH_BEFORE = re.compile(
    rf"^\W*(?:(?:please|also|and|so|oh|hey|just)\s+)*{_REMEMBER}(?: (?:this|that|it))?(?: in mind| down)?(?: that)?\s*[:,–—-]?\s+(?=(?:i|my|we|our|the|his|her|their|he|she|they)\b)"
    r"|^\W*(?:请|麻烦|拜托|你|也|还|帮我|给我|要|千万|一定)*(?:记住|记得|记一下|记着|记下来?|别忘了?|不要忘了?|别忘记)[了啊哦吧，,：:\s]*(?=我)",
    re.IGNORECASE,
)
_WISH_BEHIND = re.compile(
    rf"(?:\s*[,;:–—-]\s*|\s+(?=(?:and|so|please)\b))(?:(?:and|so|please|just)\s+)*{_REMEMBER}(?: (?:this|that|it|please|in mind|down|for me|ok|okay|will you|would you))*[\s.!]*$"
    r"|[，,；;\s]*(?:请|麻烦|拜托|你|也|帮我|给我|要|千万|一定)*(?:记住|记得|记一下|记着|记下来?|别忘了?|不要忘了?|别忘记)(?:了|啊|呀|哦|噢|哈|吧|它|这个|这点|一下|好吗)*[\s。！!~]*$",
    re.IGNORECASE,
)
_PLEASE_BEHIND = re.compile(r",? please(?=[\s.!]*$)", re.IGNORECASE)
_FORGET = re.compile(
    r"^\W*(?:(?:please|just|also|and|so|oh|hey|ok|okay|could you|can you|i want you to)[\s,]+)*(?:forget|delete|erase|(?:don't|do not) (?:keep|remember))\b"
    r"|忘掉|忘记|删掉|删了|删除|别记|不要记",
    re.IGNORECASE,
)


def split(statement: str) -> Iterator[str]:
    """Yield the statements of a sentence that ask for nothing; none where it asks to forget."""
    plain = passages.straighten(statement)
    if _FORGET.search(plain):
        return
    told = strip_wish(plain)
    for clause in _split_chinese(told) if lexicon.is_chinese(told) else _JOINT.split(told):
        yield from _add_subject(clause)


def strip_wish(plain: str) -> str:
    """Return a sentence without the wish to remember it."""
    return _WISH_BEHIND.sub("", _WISH_BEFORE.sub("", plain))


def write_told(sentence: str) -> str:
    """Return a sentence as a memory tells it: with a capital, without what only leads to it and the wish to remember it."""
    begun = lexicon.remove("SHIFTS", sentence)
    told = strip_wish(begun)
    if told != begun:
        told = _PLEASE_BEHIND.sub("", told)
    told = told.lstrip(" ,，:：").strip()
    return told[:1].upper() + told[1:] if told else sentence


def _add_subject(clause: str) -> Iterator[str]:
    """Yield the parts of a clause: one of which the slot can be read once it begins with "I" is a part of its own."""
    for match in _WITHOUT_SUBJECT.finditer(clause):
        before, behind = clause[: match.start()], f"I {clause[match.end() :]}"
        if slots.read_slot(behind) and re.match(r"\W*i\b", before, re.IGNORECASE):
            yield from (before, behind)
            return
    yield clause


def _speaks_of_more(clause: str) -> bool:
    """Whether a clause brings up somebody or something of which the next may speak: 我有一条船，叫苍鹭号."""
    return bool(lexicon.find_concepts(clause)) or _BRINGS_UP.search(clause) is not None


def _split_chinese(told: str) -> Iterator[str]:
    """Yield clauses with a subject of their own; others belong to the clause before them.

    What is left out is the user only where that clause speaks of nobody else: not in 我养了一只狗，叫豆豆.
    """
    parts: list[str] = []
    for clause in _JOINT_CHINESE.split(told):
        if not parts or clause.startswith("我"):
            parts.append(clause)
        elif parts[0].startswith("我") and not _speaks_of_more(parts[0]) and slots.read_slot(f"我{clause}"):
            parts.append(f"我{clause}")
        else:
            parts[-1] += f"，{clause}"
    yield from parts
