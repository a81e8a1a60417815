"""Finds what holds of the user until further notice: slots such as home and job, what they are, do, like and have."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from types import ModuleType

from pydantic import JsonValue

from echovessel.llm.inputs import ExtractionInputs, NumberedFact
from echovessel.llm.offline.chinese.vocabulary import CITIES
from echovessel.llm.offline.extraction import lasting_chinese, lasting_english
from echovessel.llm.offline.text import clauses, lexicon, naming, passages, slots, third_person

# What harms is told first, then what fills a slot.
FACTS_MOST = 6
_HARMS = re.compile(r"\ballergic\b|\ballerg(?:y|ies)\b|过敏|糖尿病|癫痫|哮喘", re.IGNORECASE)
SURE = 0.75
ABOUT_YOU, HOW_TO_TALK = "about_you", "how_to_talk"
# Longer statements tell more than one thing.
_LONGEST, _LONGEST_CHINESE = 120, 40
# It was, or will be, or holds this once.
_PASSING = re.compile(
    r"\b(?:were|had|did|used to|yesterday|today|tonight|tomorrow|this (?:morning|week|evening|time|one|point)|last (?:night|week|time)|right now|just now|in (?:a|an|\w+) (?:minutes?|hours?|sec)|will|going to|"
    r"gonna|would|if|when|ago|again|so much|too much|and then|obviously|lol)\b|\bwas (?!born\b)|n't know\b|\?",
    re.IGNORECASE,
)
_PASSING_CHINESE = re.compile(
    r"昨[天晚]|今[天晚早儿]|明[天晚早]|刚才?|正在|这[次会]|上[周次]|下[周次]|以前|曾经|打算|准备(?!考)|如果|(?<![主只])要是|当时|那时|[?？]|吗|呢$|过$|(?<!的)时候|的时候(?!就?(?:去世|过世|走了|不在))|又|半天|老是|到处|在旁边|哈哈"
    r"|(?<!岁)(?<!婚)(?<!休)(?<!孕)(?<!业)(?<!不在)(?<!世)(?<!走)(?<!素)(?<!年)(?<!个月)了$"
)
# Of what is planned only this makes a plan of a day that is over.
_OVER = re.compile(
    r"\b(?:was|were|had|went|did|cancelled|if|would)\b|了(?!$)|过|^(?!.*[要就会得]).*了$|要是|如果|以前|取消"
)
_OWNED = r"(?:cats?|dogs?|puppy|kittens?|rabbits?|horses?|parrots?|pets?|sisters?|brothers?|twins?|sons?|daughters?|kids?|children|husband|wife|girlfriend|boyfriend|allerg(?:y|ies)|garden|allotment)"
_ENDS = "。.!！~～ "
_LOVE = re.compile(r"老婆|老公|媳妇|妻子|丈夫|太太|先生|女朋友|男朋友|女友|男友|对象|爱人|未婚妻|未婚夫|伴侣|另一半")
_SEPARATOR = re.compile(r"[，,；;]\s*|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_TURNS = re.compile(r"[我你]|^(?:所以|但|不过|记|别|求|请|哈|呵)")
# 我妈 is 用户的妈妈.
_OWN_KIN = re.compile(r"(?<!自)我([妈爸姐哥弟妹])(?!\1)")
# A line of its own that leaves out who: 老家是潮汕的, 有个儿子.
_SUBJECTLESS = re.compile(
    r"(?<=[，,])(?=现在(?:在[学读念]|念|读|教|住|开|养|只?吃|当|做))|^(?=(?:周[一二三四五六日天])?开始(?:去|在|到)[\u4e00-\u9fff]{2,8}?(?:上班|工作)|老家(?:是|在)|住在|平时就?(?:爱|喜欢)|有(?:个|一个|两个)(?:儿子|女儿|弟弟|妹妹|哥哥|姐姐|孩子))"
)
_FROM = re.compile(rf"^(?=(?:{CITIES})人(?:[\s，,]|$))")
# Behind it stands why, what follows, or what happened.
_BEHIND = re.compile(
    r",?\s+(?:because|cos|cause|since (?=i|you|we)|so (?=\w+ \w+|please)|but|although|though|tho|which|who|while|as you|not that|mostly|mainly|when (?=i was)|and (?=(?:i|we|he|she|they|it|that|the|my|this|quite)\b))"
    r"|, (?=(?:it|they|he|she|that|this|never|you|we)\b)",
    re.IGNORECASE,
)
_TURN = re.compile(r",?\s+(?:but|so|and) (?=(?:i|i'm|i've|my|we|we're|our)\b)", re.IGNORECASE)
_GOES_ON = re.compile(r",?\s+and (?:he|she|they)\b", re.IGNORECASE)
# What others say and sing: "she said 'I live in London'".
_SAID = re.compile(
    r"[“\"「『][^“”\"「」『』]{6,}[”\"」』]|\b(?:song|lyrics?) (?:goes|says|is)\b.*|\bcall me [a-z-]+,.*|(?:[他她它们]|妈|爸|歌里?)(?:[^，,。我]{0,8})(?:说|唱)[：:，,]?(?=我).*",
    re.IGNORECASE,
)
# "got two cats": who is left out.
_GOT = re.compile(
    rf"^\W*(?:i've )?got (?=(?:an?|one|two|three|four|five|six|\d+) (?:[\w-]+ ){{0,2}}?{_OWNED}\b)", re.IGNORECASE
)
# "can't stand coriander".
_DROPPED = re.compile(
    r"^\W*(can't (?:stand|eat|drink|bear)|love|hate|don't (?:eat|drink|smoke|drive|like)|work (?:as|at|for|in|nights)|live (?:in|with|on)|started (?:work |working )?(?:at|as))(?= \w)",
    re.IGNORECASE,
)
# Who one is holds, whatever the rest of the sentence tells.
_WHO_ONE_IS = re.compile(
    r"^\W*(?:i(?:'m| am) (?:\d{1,2}\W*$|from )|i was born in )|^我是[\u4e00-\u9fff]{2,4}人$", re.IGNORECASE
)
# 我现在是养蜂人了: 了 says since now.
_NOW_IS = re.compile(r"(?<=人|师|员|工|手|长)了$")
_LONG_AGO = re.compile(r"年前|那年|小时候")


def find_facts(said: Iterable[tuple[int, str]], inputs: ExtractionInputs) -> list[JsonValue]:
    """Return facts from numbered lines of the user, what is new and surest first, in the shape of an extraction's answer."""
    found: dict[str, tuple[bool, bool, bool, int, JsonValue]] = {}
    for number, text in said:
        for part, facet, (slot, value) in _read_clauses(text):
            if content := _word(part, slot, value):
                fact = _write(content, number, facet, slot, value, inputs.facts)
                rank = fact["op"] == "skip", not _HARMS.search(content), not slot, len(found)
                found[content.casefold()] = (*rank, fact)
    best = sorted(found.values(), key=lambda one: one[:-1])[:FACTS_MOST]
    return [fact for *_, fact in sorted(best, key=lambda one: (one[0], one[1], one[3]))]


def _read_clauses(text: str) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Yield each clause of a line that holds until further notice, its facet, and its slot with the value."""
    for raw in passages.split_statements(_SAID.sub(" ", lexicon.normalise(text))):
        statement = _add_subject(raw)
        for part in (one for clause in clauses.split(statement) for one in _split_turns(clause)):
            kept = _cut(part)
            before = statement[: statement.find(kept) + len(kept)] if kept in statement else statement
            is_told = not passages.is_imagined(before) and not passages.is_reported(before)
            slot = _read_slot(part, within=statement)
            if slot or _WHO_ONE_IS.match(part):
                yield part, ABOUT_YOU, slot or ("", "")
            elif is_told and _choose_grammar(part).is_wish(part):
                yield part, HOW_TO_TALK, ("", "")
            elif is_told and _is_lasting(kept):
                yield kept, ABOUT_YOU, ("", "")


def _add_subject(said: str) -> str:
    """Return a sentence with the user in it where it leaves out who: "got two cats", 老家是潮汕的."""
    chinese = _SUBJECTLESS.sub("我", _FROM.sub("我是", said))
    return _DROPPED.sub(lambda match: f"I {match[1].lower()}", _GOT.sub("I have ", chinese))


def _split_turns(clause: str) -> list[str]:
    """Return what stands on both sides of "but I", where the first side holds as well."""
    parts = _TURN.split(clause)
    return parts if _is_lasting(parts[0]) else [clause]


def _word(clause: str, slot: str, value: str) -> str:
    """Return a clause as a fact says it: 我跟我对象异地，叫许航 tells the name of 用户的对象."""
    if slot == "preferred_name" and (called := naming.find(lexicon.normalise(clause))):
        return called.content
    if slot == "partner" and lexicon.is_chinese(clause) and (kin := _LOVE.search(clause)):
        return f"用户的{kin[0]}叫{value}。"
    return third_person.turn(_OWN_KIN.sub(r"我的\1\1", lexicon.remove("SHIFTS", _cut(clause)).lstrip(",， ")))


def _cut(clause: str) -> str:
    """Return a clause up to where it turns to something else: 养了只乌龟，叫慢慢 without 放在我这儿, "I knit" without "because it calms me"."""
    if not lexicon.is_chinese(clause):
        match = _BEHIND.search(clause)
        goes_on = match is not None and _GOES_ON.match(clause, match.start()) and not _PASSING.search(clause)
        return clause if match is None or goes_on else clause[: match.start()]
    head, *more = _SEPARATOR.split(clause)
    behind = takewhile(lambda part: not _TURNS.search(part) and not _PASSING_CHINESE.search(part), more)
    return "，".join((head, *behind)) if more else clause


def _read_slot(clause: str, *, within: str) -> tuple[str, str] | None:
    is_told = not passages.is_imagined(within) and not _LONG_AGO.search(within)
    return slots.read_slot(clause) if is_told else None


def _choose_grammar(clause: str) -> ModuleType:
    return lasting_chinese if lexicon.is_chinese(clause) else lasting_english


def _is_lasting(clause: str) -> bool:
    """Whether a clause holds until further notice, or is a plan with its day."""
    is_chinese, grammar = lexicon.is_chinese(clause), _choose_grammar(clause)
    plain = _NOW_IS.sub("", clause.strip(_ENDS))
    if len(plain) > (_LONGEST_CHINESE if is_chinese else _LONGEST):
        return False
    if grammar.is_plan(plain):
        return not _OVER.search(_SEPARATOR.split(plain)[0])
    passing = _PASSING_CHINESE if is_chinese else _PASSING
    return not passing.search(plain) and grammar.holds(plain)


def _write(
    content: str, number: int, facet: str, slot: str, value: str, noted: Sequence[NumberedFact]
) -> dict[str, JsonValue]:
    holder = next((fact for fact in noted if slot and fact.slot == slot), None)
    is_other = holder is not None and holder.value.casefold() != value.casefold()
    is_noted = any(fact.text.casefold() == content.casefold() for fact in noted) or (
        holder is not None and not is_other
    )
    return {
        "op": "skip" if is_noted else "update" if is_other else "add",
        "how": "contradicts" if is_other else None,
        "target": holder.number if holder is not None else None,
        "facet": facet,
        "content": content,
        "detail": None,
        "slot": slot or None,
        "value": value or None,
        "certainty": SURE,
        "since": None,
        "until": None,
        "source_lines": [number],
    }
