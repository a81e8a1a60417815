"""Finds what holds of the user until further notice: slots such as home and job, what they are, like and have."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, takewhile
from types import ModuleType

from pydantic import JsonValue

from echovessel import lazy_re as re
from echovessel.llm.inputs import ExtractionInputs, NumberedFact
from echovessel.llm.offline import restating
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.extraction import fact_patterns, left_out
from echovessel.llm.offline.text import (
    changes,
    clauses,
    lexicon,
    names,
    naming,
    passages,
    referents,
    slots,
    third_person,
)

# What harms is told first, then what is sure.
FACTS_MOST = 6
_HARMS = re.compile(
    rf"{fact_patterns.REACTION}|{fact_patterns.BEARS_NOT}|\ballergic\b|\ballerg(?:y|ies)\b|\bcoeliac\b|\bceliac\b|\bintoleran\w+|过敏|不耐|糖尿病|癫痫|哮喘",
    re.IGNORECASE,
)
SURE, UNSURE = 0.75, 0.5
# Longer statements tell more than one thing.
_LONGEST, _LONGEST_CHINESE = 100, 32
_ENDS = "。.!！~～ "
_LOVE = re.compile(fact_patterns.LOVE, re.IGNORECASE)
# Whose name is told in the line itself or in the lines before it.
_LINES_BEFORE = 2
_IN_FULL = {"bf": "boyfriend", "gf": "girlfriend"}
_SPOKEN_OF = re.compile(
    rf"\bmy (bf|gf|{fact_patterns.RELATIVE}|{names.ROLE}|cat|dog)\b|({fact_patterns.KIN})",
    re.IGNORECASE,
)
_OF_OTHER_SEX = (
    ("他", re.compile(r"[妈姐妹奶婆姑姨妻]|女儿|女友|女朋友")),
    ("她", re.compile(r"[爸哥弟爷叔舅]|公公|外公|老公|丈夫|儿子|男友|男朋友")),
)
_IN_LOVE = re.compile(
    r"脱单了|(?:有|找到)对象了|谈恋爱了|\bi(?:'ve| have)? (?:just )?(?:met|found) someone\b|\bi'm seeing someone\b",
    re.IGNORECASE,
)
_THEIR_NAME = re.compile(
    r"\b(?P<english>(?:his|her|their) name(?:'s| is)|(?:he's|she's|they're) called)(?= (?-i:[A-Z]))|(?<![给管你我])[他她]叫(?!我|你|他|她|车|外|了)",
    re.IGNORECASE,
)
_LIKES_OR_TAKES = re.compile(
    rf"^(?=一?(?:吃|喝|碰|闻)[\u4e00-\u9fff]{{1,6}}(?:就|会|都会)(?:起|过敏|拉肚|肿|胃疼|喘|吐)|(?:平时|平常|最|很|特别|从小|就|也)*(?:喜欢|爱)[吃喝听看玩打跑游唱跳画读写弹养钓爬做逛]|(?:现在|目前)?全职在家带(?:娃|孩子)|(?:现在|最近)*在(?:自)?学(?![校会生长院期业习着])|(?:昨天|今天|刚)?借给了?[\u4e00-\u9fffA-Za-z]{{1,4}}?[\d一二两三四五六七八九十百千万半]+|(?:每天|每晚|早上|晚上|早晚|长期|一直|在)+(?:吃|服用|打){fact_patterns.MEDICINE_CHINESE})"
)
_FAVOURITE = re.compile(
    r"favou?rite (?:film|movie|novel|book|character|song|game)|最(?:喜欢|爱)的(?:小说|电影|角色|游戏)", re.IGNORECASE
)
_OF_LOVE = re.compile(
    rf"my (?:{fact_patterns.LOVE}),? \w+,? (?:is|works|has|was diagnosed|can't|cannot|suffers) |我(?:的)?(?:{fact_patterns.LOVE})[\u4e00-\u9fff]{{2,3}}(?:是|在)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[，,；;]\s*|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_TURNS = re.compile(
    r"[我你]|^(?:昨|今|前)[天晚]|^(?:所以|但|不过|记|别|求|请|哈|呵|让|建议|嘱咐)|^[\u4e00-\u9fff]{0,5}(?:难[受过的熬]|累|压力|烦|辛苦|不容易|心疼|开心|高兴|崩溃|害怕|担心|揪心|折腾)"
)
_SOMEBODY = re.compile(rf"{fact_patterns.KIN}|{fact_patterns.PETS}|孙|叫|[他她它]")
_UNNAMED = re.compile(r"\b(?:him|her|he|she)\b|(?<![吉其])[他她](?!汀)", re.IGNORECASE)
# What "it" is, the clause before says: "my favourite tea is oolong, I have it every day".
_IT = re.compile(
    r"\b(?:has|loves|likes|hates|drinks|eats|takes|uses|plays|wears|watches|reads|does|enjoys|keeps|needs) (?:it|them)\b(?! (?:when|that|if|here|there))|(?<![其])它",
    re.IGNORECASE,
)
# Since or at which age holds as well: "asthmatic since I was six".
_AT_AGE = re.compile(
    r",? (?:(?:he|she|they) (?:was|were) )?diagnosed (?:about )?(?:\w+ ){1,3}ago\b|,? (?:since|when) i was (?:\w+|in (?:\w+ )?\w+)(?=\W*$|,)|在?我[\u4e00-\u9fff\d]{1,4}岁那年",
    re.IGNORECASE,
)
# Who one is holds, whatever the rest of the sentence tells.
_WHO_ONE_IS = re.compile(
    rf"^\W*(?:i(?:'m| am) (?:\d{{1,2}}\W*$|from )|i was born in |i take {fact_patterns.MEDICINE}\b|i (?:don't|no longer) (?:drink|smoke|gamble|eat \w+)\b(?= any|,|\W*$))|^我是[\u4e00-\u9fff]{{2,4}}人$|^我(?:的)?老家(?:就)?[是在][\u4e00-\u9fff]{{2,6}}(?=[，,]|$)|{fact_patterns.LOSS}|{fact_patterns.BEARS_NOT}|{fact_patterns.PUT_ON}|{fact_patterns.DIAGNOSED}|{fact_patterns.DIAGNOSED_CHINESE}|{fact_patterns.EXPECTING}|{fact_patterns.SETTLED}|{fact_patterns.ENGAGED}|{fact_patterns.CANNOT_EAT_NOW}|^我(?:已经|都)*离[婚异](?:快|都|有)?[一二两三四五六七八九十\d]+多?年",
    re.IGNORECASE,
)
_BORN = re.compile(r"\bi was (?=born\b)", re.IGNORECASE)
# 我现在是养蜂人了: 了 says since now.
_NOW_IS = re.compile(r"(?<=[人师员工手长年岁])了$")
_PLACE_OF_WORK = re.compile(r"(?:\b(?:at|in|for)(?: the| an?)?|在(?:一[家个间])?)\s*$", re.IGNORECASE)
_JOB_BEHIND = re.compile(r"^[^，,]*[做当](?!$)[\u4e00-\u9fff]|\bas an?\b")
# "I'm vegan too"
_TOO = re.compile(r"^([^,]+?) (?:too|as well)\.$")
_LONG_AGO = re.compile(r"年前|那年|小时候")


def find_facts(
    said: Iterable[tuple[int, str]], inputs: ExtractionInputs, *, before: Mapping[int, int] | None = None
) -> list[JsonValue]:
    """Return facts from numbered lines of the user, what is new and surest first, in the shape of an extraction's answer; `before` has the
    line that each of these sets right.
    """
    found: dict[str, tuple[bool, bool, float, int, str, JsonValue]] = {}
    near: deque[str] = deque(maxlen=_LINES_BEFORE)
    held = next(((fact.text, fact.value) for fact in inputs.facts if fact.slot == "work"), ("", ""))
    for number, line in said:
        found = {key: one for key, one in found.items() if not changes.corrects(line, one[-2])}
        whole = f"{near[-1]} {line}" if near and referents.tells_answer(line) else line
        text = _name_spoken_of(_add_subject(whole, " ".join(near)), " ".join(near))
        near.append(line)
        lines = restating.list_sources([number], before or {})
        filled: set[str] = set()
        for part, certainty, read in _read_clauses(text):
            # "I work nights at a care home. I'm a nurse really" tells of no change, nor does what one does of where one works.
            is_kept = read[0] in filled or (read[0] == "work" and _goes_with(part, read[1], held))
            slot, value = ("", "") if is_kept and not changes.is_change(text) else read
            held = (part, value) if slot == "work" else held
            filled |= {slot} - {""}
            if (content := _word(part, slot, value)) and (slot or not _speaks_of_unnamed(content)):
                fact = _write(content, lines, certainty, slot, value, inputs.facts)
                is_known, is_mild = fact["op"] == "skip", not _HARMS.search(content)
                found[content.casefold()] = (is_known, is_mild, -certainty, number, content, fact)
    best = sorted(found.values(), key=lambda one: one[:-2])
    return [fact for *_, fact in best[:FACTS_MOST]]


def _goes_with(clause: str, value: str, held: tuple[str, str]) -> bool:
    """Whether of two statements about work one names the place and the other what is done there: 在厦门工作 and 做电商."""
    told, known = held
    return bool(known) and _is_place(told, known) != _is_place(clause, value)


def _is_place(clause: str, value: str) -> bool:
    found = clause.find(value)
    return _PLACE_OF_WORK.search(clause[:found]) is not None and not _JOB_BEHIND.search(clause[found:])


def _add_subject(text: str, before: str) -> str:
    """Return 喜欢听秦腔 and 每天吃阿司匹林 with its subject where nobody else was spoken of just before."""
    return text if _SOMEBODY.search(before) else _LIKES_OR_TAKES.sub("我", text)


def _name_spoken_of(text: str, before: str) -> str:
    """Return a line that says whose name it tells: "his name is Dan" behind "my bf isn't sure", 我老公叫王磊 for 老公还不知道，他叫王磊."""

    def tell(match: re.Match[str]) -> str:
        spoken_of = _SPOKEN_OF.finditer(f"{before} {text[: match.start()]}")
        known = {_IN_FULL.get(one := (found[1] or found[2]).lower(), one) for found in spoken_of}
        found_love = _IN_LOVE.search(f"{before} {text[: match.start()]}")
        head = text[: match.start()]
        if match["english"] and (pets := lexicon.find_pets(head)) and not lexicon.find_kin(head):
            return f"my {min(pets)}'s name is"
        is_named = any(re.search(rf"\b{one},? (?-i:[A-Z])[a-z]", f"{before} {head}", re.IGNORECASE) for one in known)
        if (
            is_named
            or changes.ends(f"{before} {text}", changes.LOVES)
            or not (len(known) == 1 or (found_love and not known))
        ):
            return match[0]
        if any(their in match[0] and of_other.search(one) for their, of_other in _OF_OTHER_SEX for one in known):
            return match[0]
        [somebody] = known or ("对象" if lexicon.is_chinese(text) else "partner",)
        return f"my {somebody}'s name is" if match["english"] else f"我{somebody}叫"

    return _THEIR_NAME.sub(tell, text, count=1)


def tells_fact(text: str) -> bool:
    """Whether a sentence tells something of the user that lasts: "I have a dog called Max"."""
    return any(_word(part, slot, value) for part, _, (slot, value) in _read_clauses(text))


def tells_of_harm(text: str) -> bool:
    """Whether a line tells for good of what harms the user."""
    return any(_HARMS.search(part) for part, *_ in _read_clauses(text))


# "Yeah right, I love Mondays", a song, a boast that is laughed at.
_IRONIC = re.compile(
    r"^\W*(?:yeah,? right|oh,? (?:great|joy|brilliant|lovely|fantastic|wonderful|fab)|as if)\b|[♪♫🎵🎶]|\b(?:millionaire|billionaire|genius|superstar|queen|king|legend)\b[^.!?]*\b(?:lol|lmao|haha\w*)\b|^\W*呵呵",
    re.IGNORECASE,
)


def _read_clauses(text: str) -> Iterator[tuple[str, float, tuple[str, str]]]:
    """Yield each clause of a line that holds until further notice, how sure that is, and its slot with the value."""
    for raw in () if _IRONIC.search(text) else passages.split_statements(left_out.separate(text)):
        statement = left_out.trim(raw, longest=_LONGEST)
        holds = not _is_passing(_AT_AGE.sub("", statement))
        for part in clauses.split(statement):
            slot = _read_slot(part, within=statement) or ("", "")
            is_harm = _HARMS.search(part) and not _is_passing(_SEPARATOR.split(part)[0])
            stands = holds or part not in statement or _WHO_ONE_IS.match(part) or is_harm
            certainty = _weigh(_cut(part)) if stands else 0.0
            if slot[0]:
                yield part, SURE, slot
            # "My wife Sarah is a lawyer" tells more than her name.
            if certainty and (not slot[0] or (slot[0] == "partner" and certainty == SURE and _OF_LOVE.match(part))):
                yield part, certainty, ("", "")


def _speaks_of_unnamed(content: str) -> bool:
    """Whether a fact alone does not tell who "her" is: 用户每周六接她."""
    is_named = bool(lexicon.find_concepts(content) or names.find(content))
    return bool(_IT.search(content)) or (bool(_UNNAMED.search(content)) and not is_named)


def _word(clause: str, slot: str, value: str) -> str:
    """Return a clause as a fact says it, of what fills a slot that alone: 我跟我对象异地，叫许航 tells the name of 用户的对象."""
    if slot == "preferred_name" and (called := naming.find(lexicon.normalise(clause))):
        return called.content
    is_chinese = lexicon.is_chinese(clause)
    if slot == "partner" and (kin := _LOVE.search(clause)):
        who = _IN_FULL.get(kin[0].lower(), kin[0].lower())
        return f"用户的{who}叫{value}。" if is_chinese else f"The user's {who} is {value}."
    told = _cut_to(value, clause) if slot and is_chinese else _cut(clause)
    content = third_person.turn(lexicon.remove("SHIFTS", told).lstrip(",， "))
    return _TOO.sub(r"\1.", content)


def _cut_to(value: str, clause: str) -> str:
    """Return the part of a Chinese clause that tells a value, as the user's own: 住铁西 of 老伴前年走的，剩我一个人住铁西."""
    part = next((one for one in _SEPARATOR.split(clause) if value in one), clause)
    return part[part.index("我") :] if "我" in part else f"我{part}"


def _cut(clause: str) -> str:
    """Return a Chinese clause up to where it turns to something else: 养了只乌龟，叫慢慢 without 放在我这儿."""
    head, *more = _SEPARATOR.split(clause)
    behind = takewhile(lambda part: not _TURNS.search(part), more)
    return "，".join((head, *behind)) if more and lexicon.is_chinese(clause) else clause


def _read_slot(clause: str, *, within: str) -> tuple[str, str] | None:
    is_told = not passages.is_imagined(within) and not _LONG_AGO.search(within)
    found = slots.read_slot(clause) if is_told else None
    # 我跟女朋友分手了，她叫沈月 names nobody that the user is with.
    return None if found and found[0] == "partner" and changes.ends(within, changes.LOVES) else found


def _is_passing(statement: str) -> bool:
    """Whether a statement was so, will be, or holds this once."""
    plain = _BORN.sub("i ", _NOW_IS.sub("", statement.rstrip(_ENDS)))
    passing = fact_patterns.PASSING_CHINESE if lexicon.is_chinese(plain) else fact_patterns.PASSING
    return bool(passing.search(plain)) or passages.is_imagined(_FAVOURITE.sub("", plain))


def _weigh(clause: str) -> float:
    """Return how sure it is that a clause holds until further notice; 0 where it says nothing of the kind."""
    plain = _NOW_IS.sub("", clause.rstrip(_ENDS))
    if len(plain) > (_LONGEST_CHINESE if lexicon.is_chinese(plain) else _LONGEST):
        return 0.0
    if _shows(plain, is_sure=True):
        return SURE
    return UNSURE if _shows(plain, is_sure=False) else 0.0


def _shows(plain: str, *, is_sure: bool) -> bool:
    patterns = (_compile(words, is_sure=is_sure) for words in lexicon.list_vocabularies(plain))
    return any(pattern.search(plain) for pattern in chain.from_iterable(patterns))


@cache
def _compile(words: ModuleType, *, is_sure: bool) -> list[re.Pattern[str]]:
    # When the first text is read: it takes a tenth of a second, and most programs read none.
    sure, unsure = (
        (fact_patterns.ENGLISH_SURE, fact_patterns.ENGLISH_UNSURE)
        if words is english
        else (fact_patterns.CHINESE_SURE, fact_patterns.CHINESE_UNSURE)
    )
    return [re.compile(pattern, re.IGNORECASE) for pattern in (sure if is_sure else unsure)]


def _write(
    content: str, lines: list[int], certainty: float, slot: str, value: str, noted: Sequence[NumberedFact]
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
        "facet": "about_you",
        "content": content,
        "detail": None,
        "slot": slot or None,
        "value": value or None,
        "certainty": certainty,
        "since": None,
        "until": None,
        "source_lines": [*lines],
    }
