"""Reads what the lines of a burst ask to remember, to forget, to be called, and what they set right. No database here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from echovessel import lazy_re as re
from echovessel import text
from echovessel.llm.offline import fillers
from echovessel.llm.offline.text import clauses, lexicon, naming, passages, referents, slots, third_person, unwelcome
from echovessel.llm.offline.text.passages import Passage
from memory.facts.rules import (
    changed,
    chinese,
    correcting,
    english,
    letting_go,
    over,
    plain_wishes,
    requests,
    told_before,
    yes_and_no,
)
from memory.facts.rules.acts import Kind, Op, RuleAct
from memory.facts.rules.changed import Change
from memory.facts.rules.over import Ending
from memory.facts.rules.requests import Forgetting, Remembering

# What every act has in it, in lower case: sentences without it are not read. Where none can begin, none is looked for.
_WANTED = re.compile(
    r"\b(?=[a-z])(?:remember|forg[eo]t|forgetting|deleting|erasing|get rid|out of your|off your|from your|in mind|note|delete|erase|(?:don['’]?t|do not|no need to|need(?:n['’]?t)?(?: to)?|have to) (?:keep|store|save|hold|hang)|never mind what|never mind the|scratch (?:the|that|what)|strike|drop (?:the|that|what|everything|all)|wipe|remove|clear|unlearn|ignore|disregard|pretend|as if i never|take (?:back|out|the)|write down|jot down|put down|"
    r"(?:put|add|have) (?:it|this|that) back|(?:save|store|log|record|hang on to|know) (?:it|this|that)|for you to know|(?:future|your) reference|jot (?:it|this|that)|(?:the|your) diary|(?:hold|keep)(?: hold of| on to)? (?:this|that|it)\b|stop (?:keeping|holding|hanging|storing|saving)|(?:stop|quit|keep) (?:bringing|mentioning|talking|asking|speaking|going)|bring up|mention|(?:talk|ask)(?: me)? about|speak of|from now on|name(?:['’]s| is)|call(?:ing)? me|refer to me|i go by|known as|"
    r"called|actually|in fact|wrong|misspoke|moved|relocated|settled|now\b|these days|quit|notice|resigned|retired|fired|laid off|redundant|job\b|packed|jacked|started|began|switched|changed|became|hired|retrained|stopped working|stopped being|gave up|given up|sacked|let me go|"
    r"again\b|after all|promoted|made me\b|left\b|dumped|together\b|(?:over|finished) (?:with|between)|(?:and (?:i|me)|me and \w+) are\b|called it|broke up|broken up|split up|divorced|separated|married|engaged)"
    r"|(?=[\u4e00-\u9fff])(?:记|忘|备注|存[上着下回]|留[着下]|[补录]上|[补录加写]回|别删|[别要许准用以不][再老总一动]|[别要用甭][提问聊说讲]|以后|往后|今后|从现在|从今|删|别再?[存留保]|不要再?[存留保]|不用再?[存留保]|清[掉除空]|抹[掉去]|去掉|划掉|收回|当我?[作做]?[没从]|叫|喊我|的名字|改名|称呼我"
    r"|其实|事实上|准确地说|不对|[说弄搞]错|搬|改行|转行|租到|当上|当了|成为|找到|开除|炒|被|分开?了|散了|掰了|定居|落户|换了|跳槽|入职|辞|离职|退休|被裁|失业|离开|分手|离婚|换工作|升|提拔|现在|吃肉|吃荤|开荤|去了|已经在)"
)
# What a change or an end has in it that is told outside slots, in lower case.
TOLD = re.compile(
    r"\b(?:no longer|any ?more|any longer|sold|gave|given|quit|stopped|rid of|cancell?ed|called off|dropped out|got|had|left|packed in|pulled out|got over|gotten over|i(?:['’]?m| am) over|recovered|came off|threw|thrown|donated|unsubscribed|"
    r"stepped down|cured|healed|done with|finished with|gone|called off|history|stolen|again|instead|rather than|not|hate|stand|dislike|loathe|dropped|moved|changed|shifted|rescheduled|postponed|switched|swapped|traded|exchanged|replaced|pushed|"
    r"sorry|oops|no wait|wait no|broke up|broken up|split up|divorced|separated|now|nowadays|these days|actually|in fact|correction|meant|turns out|got it wrong|got that wrong|misspoke|"
    r"forget|told|said|mentioned|favou?rite|best|new|put|went|goes|brought|raised|increased|reduced|cut|since|after all|shut|closed|came|off|bought|found|passed|finished|paid|died|dead|lost|dumped|passed away|flogged|binned|ditched|scrapped|shelved|jacked|swore|sworn|axed|disbanded|folded|bust|away|missing)\b|n['’]t\b"
    r"|了|不|没|改|换|最|挪|推|提前|调到|现在|如今|目前|其实|更正|纠正|原来|说错|记错|弄错|搞错|新|涨|升|降|减|起|给"
)
# It is told in a short sentence, and near the end of a long line.
_LONGEST_TOLD, _LAST_TOLD = 300, 2000
_MOST_CORRECTIONS = 2
LONGEST, _LAST_WORDS = 600, 1000
# That it was told before says nothing of what is told: "As I told you weeks ago, I sleepwalk", 这事我早跟你讲过.
_TOLD_BEFORE = re.compile(
    r"^\W*(?:as )?i(?:['’]ve| have)?(?: already| just| once)? (?:told you|said|mentioned)(?: to you)?(?: (?:before|earlier|already|once|\w+ ago|last \w+))*(?:,| that)?\s+(?=(?:i|my|we|our)\b)"
    r"|(?:[\s,]*\byou(?:['’]re| are) the (?:first|only) (?:one |person )?(?:to know|who knows|i(?:['’]ve)? told)|[，,]?你是(?:第一个|唯一)[^，,。！!]{0,6}的)\W*(?=$|[，,])"
    r"|[，,]?(?:这件?事)?我?(?:早就?|之前|以前|已经|前面|上次)+(?:[跟和对]你)?[讲说]过了?的?(?=[，,。！!]|$)",
    re.IGNORECASE,
)
_OPENING = 160  # "Hi! I'm Alex." stands at the beginning of a line.
_SPEAKS_ON = re.compile(r"i (?!was\b)|my\b|an?\b|i'm an?\b", re.IGNORECASE)
_IS_OF_SELF = re.compile(r"\bi(?:['’]?m| am)\b|我是", re.IGNORECASE)
_INTRODUCES = re.compile(r"\b(?:i(?:['’]?m| am)|it['’]?s|this is) \w|\w here\b|我是", re.IGNORECASE)


def read_acts(burst: Sequence[str], previous: Sequence[str], slot_values: Mapping[str, str]) -> list[RuleAct]:
    """Return the acts that the lines of a burst ask for.

    `previous` are the user's lines before the burst, oldest first; `slot_values` the live values by slot. A burst that only
    says yes asks for the forgetting that the line before it asked for.
    """
    said = [*previous, *map(plain_wishes.say, burst)]
    if previous and yes_and_no.is_assent("\n".join(burst)):
        at = len(previous) - 1
        asked = [*_read_forgetting(passages.find(said[at], _WANTED), said[: at + 1], at)] or _read_let_go(said, at)
        return [replace(act, lines=(at, *range(at + 1, len(said))), is_agreed=True) for act in asked]
    return [act for at in range(len(previous), len(said)) for act in _read_line(said, at, slot_values)]


def read_told(burst: Sequence[str], previous: Sequence[str] = (), *, at: int = 0) -> list[RuleAct]:
    """Return what the lines of a burst tell outside slots: that something changed, or is over; and what they let go of.

    These act on a fact that stands, and do nothing where there is none; `at` is the position of the first line, `previous` the
    lines before it that belong to the same talk.
    """
    said = [*previous, *(plain_wishes.split_kept(line)[0] for line in burst)]
    return [
        act
        for place in range(len(previous), len(said))
        for act in _read_told_or_let_go(said, place, at - len(previous))
    ]


def _read_told_or_let_go(said: Sequence[str], place: int, shift: int) -> list[RuleAct]:
    told = [*_read_told_line(said[place], place + shift)]
    let_go = _read_let_go(said, place, shift)
    # "Remember that I'm vegan" is answered, and not asked about.
    asked = read_acts(said[place : place + 1], said[:place], {}) if let_go else []
    is_unsure = all(act.is_unsure for act in let_go)
    is_read = any(act.op == Op.FORGET for act in (*told, *asked)) or (is_unsure and asked)
    return let_go if let_go and not is_read else told


def _read_let_go(said: Sequence[str], place: int, shift: int = 0) -> list[RuleAct]:
    """Return what a line lets go of in free words; only one thing where it is not sure, and what was told last where it names none."""
    found = [*letting_go.read(said[place][-_LAST_TOLD:])]
    named = ["" if chinese.points_at_last(one.words) else one.words for one in found]
    meant = [
        (one, told_before.find_announced(said[place]) or words or told_before.find_last(one.before, said[:place][-1:]))
        for one, words in zip(found, named, strict=True)
    ]
    sure = [(one, words) for one, words in meant if words and not one.is_unsure]
    return [
        RuleAct(
            kind=Kind.FORGET,
            op=Op.FORGET,
            content=words,
            lines=(place + shift,),
            is_unsure=not sure,
        )
        for _, words in sure or meant[:1]
    ]


def _read_told_line(line: str, at: int) -> Iterator[RuleAct]:
    for passage in passages.find(line[-_LAST_TOLD:], TOLD):
        said = changed.leave_out_source(passage.text)
        if len(said) > _LONGEST_TOLD or _is_wish(passage) or requests.OF_A_TEXT.search(said):
            continue
        if (wanted := english.read_order(said)) and not letting_go.points_at_last(wanted):
            yield RuleAct(kind=Kind.FORGET, op=Op.FORGET, content=wanted, lines=(at,), is_told=True)
            continue
        if passage.is_question or passages.is_imagined(said) or passages.is_reported(said):
            continue
        kept, change = changed.read_told(said)
        told = _read_endings(said)
        if told and (change is None or not change.is_sure):
            content = third_person.turn(said)
            yield RuleAct(kind=Kind.CORRECTION, op=Op.FINISH, content=content, lines=(at,), endings=told)
        if change is not None:
            content = third_person.turn(kept)
            yield RuleAct(kind=Kind.CORRECTION, op=Op.CHANGE, content=content, lines=(at,), change=change, endings=told)


def _read_endings(said: str) -> tuple[Ending, ...]:
    return tuple(one for one in over.read(changed.strip_lead(said)) if text.extract_terms(one.words))


def _is_wish(passage: Passage) -> bool:
    """Whether a sentence asks for something: what it tells besides is read with the wish."""
    return any(
        read(passage) is not None
        for language in (english, chinese)
        for read in (language.read_remembering, language.read_forgetting)
    )


def asks_what_is_known(said: str) -> bool:
    """Whether the user asks for all that is known of them."""
    return lexicon.matches("ASKS_WHAT_IS_KNOWN", said[-_LAST_WORDS:])


def state(lines: Sequence[str]) -> str:
    """Return what lines of the user ask to remember, or else say last, as a fact would say it."""
    asked = [act.content for act in read_acts(lines, [], {}) if act.kind == Kind.REMEMBER]
    said = [*map(told_before.find_statement, lines), *lines[-1:]]
    return next(iter(asked), "") or third_person.turn(next(filter(None, said), ""))[:LONGEST]


def _read_line(said: Sequence[str], at: int, slot_values: Mapping[str, str]) -> list[RuleAct]:
    found, earlier = passages.find(said[at], _WANTED, slot_values.values()), said[:at]
    names = list(_read_names([*_find_opening(said[at]), *found], said[: at + 1], slot_values))
    # "Call me Sam from now on" only says the name again.
    again = [name.value.casefold() for name in names]
    wishes = _read_remembering(found, earlier, at)
    remembered = [act for act in wishes if not any(name in act.content.casefold() for name in again)]
    forgotten = list(_read_forgetting(found, said[: at + 1], at))
    taken = {act.slot for act in (*names, *remembered)}
    corrections = (
        [] if forgotten else [act for act in _read_corrections(found, slot_values, at) if act.slot not in taken]
    )
    return [*names, *remembered, *forgotten, *corrections[:_MOST_CORRECTIONS]]


def _find_opening(line: str) -> list[Passage]:
    """Return the sentences with which somebody may introduce themselves: the first two."""
    opening = line[:_OPENING]
    if not _INTRODUCES.search(opening):
        return []
    told = passages.split_statements(opening)
    whole = told if len(line) <= _OPENING else told[:-1]
    said = [part for sentence in whole[:2] for part in (sentence, *clauses.split(sentence))]
    # "Hi Marian. I'm Mara, I moved to Leeds."
    greeted = [f"{whole[0]} {part}" for part in [*clauses.split(whole[1])][:1]] if len(whole) > 1 else []
    # Who goes on with what they are has begun with their name: "I'm Tomasz, 38, from Berlin".
    parts = [*clauses.split(whole[0])] if whole else []
    greeted += [f"Hi, {parts[0]}"] if len(parts) > 1 and not _SPEAKS_ON.match(parts[1]) else []
    # "This is Jack, he's twelve" tells of another.
    of_self = [part for part in greeted if _IS_OF_SELF.search(part)]
    return [Passage(lexicon.normalise(part), "") for part in (*said, *of_self)]


def _read_names(found: Sequence[Passage], said: Sequence[str], slot_values: Mapping[str, str]) -> Iterator[RuleAct]:
    called = [naming.find(passage.text) for passage in found if not passage.is_question]
    last = next((one for one in reversed(called) if one), None) or naming.find_set_right(*said[-2:])
    known = slot_values.get("preferred_name")
    if last and last.name != known and not (known and last.is_introduction):
        yield RuleAct(
            kind=Kind.NAME,
            op=Op.SAVE,
            content=last.content,
            lines=(len(said) - 1,),
            slot="preferred_name",
            value=last.name,
        )


def _read_remembering(found: Sequence[Passage], earlier: Sequence[str], at: int) -> Iterator[RuleAct]:
    for found_passage in found:
        passage = replace(found_passage, text=_TOLD_BEFORE.sub("", found_passage.text))
        asked = english.read_remembering(passage) or chinese.read_remembering(passage)
        if asked is None or (asked.facet == "how_to_talk" and _asks_to_keep_nothing(passage)):
            continue
        content, told_at = told_before.find(asked, passage.before, earlier)
        content = referents.name_value(content, before=passage.before)
        content = referents.name_referent(content, before=passage.before, earlier=earlier)
        parts, lines = _split(content), (at,) if told_at is None else (told_at, at)
        # 换座位了，我同桌叫丁一诺
        is_changed = len(parts) > 1 and changed.read(content)[1] is not None
        for told in parts if asked.facet == "about_you" else _leave_out_reasons(parts):
            yield from _save(told, asked, lines=lines, is_changed=is_changed)


def _asks_to_keep_nothing(passage: Passage) -> bool:
    """Whether a wish of manner is one to forget: "from now on don't keep the recipe"; not "don't bring it up any more"."""
    return not unwelcome.read_subject(passage.text) and any(letting_go.read(passage.text))


def _split(content: str) -> list[str]:
    """Split what tells several things into a statement for each, so that each can be changed and forgotten alone."""
    content = fillers.strip_leading(content)
    parts = [*clauses.split(content)]
    # After a greeting a name need not be known as one.
    stand_alone = all(told_before.says_something(part) or naming.find(f"Hi, {part}") for part in parts)
    return parts if parts and stand_alone else [content]


def _leave_out_reasons(parts: Sequence[str]) -> list[str]:
    """Leave out of a wish how to talk what gives its reason: "Don't mention the fall, I'd rather not think of it"."""
    first, *more = parts
    return [first, *(part for part in more if told_before.OF_SELF.match(first) or not told_before.OF_SELF.match(part))]


def _save(told: str, asked: Remembering, *, lines: tuple[int, ...], is_changed: bool) -> Iterator[RuleAct]:
    slot, value = slots.read_slot(told) or ("", "") if asked.facet == "about_you" else ("", "")
    kept, change = (told, None) if slot else changed.read(changed.strip_lead(told))
    if asked.is_instead and not slot and not (change and change.is_sure):
        change = Change()
    elif is_changed and not slot and change is None:
        change = Change(is_sure=False)
    made = third_person.turn(kept)
    if text.extract_terms(kept) and len(made) <= LONGEST:
        yield RuleAct(
            kind=Kind.REMEMBER,
            op=Op.SAVE,
            content=made,
            lines=lines,
            facet=asked.facet,
            slot=slot,
            value=value,
            change=change,
            endings=() if slot or asked.facet != "about_you" else _read_endings(told),
            is_end=change is not None and change.is_end and changed.is_one_clause(told),
        )


def _read_forgetting(found: Sequence[Passage], said: Sequence[str], at: int) -> Iterator[RuleAct]:
    for passage in found:
        is_of_told = not requests.OF_A_TEXT.search(passage.text)
        asked = (english.read_forgetting(passage) or chinese.read_forgetting(passage)) if is_of_told else None
        words = (told_before.find_announced(said[-1]) or _find_forgotten(asked, passage, said[:-1])) if asked else ""
        if (asked and asked.is_everything) or text.extract_terms(words):
            slot, is_whole = slots.find_named(words), bool(asked and asked.is_whole)
            yield RuleAct(kind=Kind.FORGET, op=Op.FORGET, content=words, lines=(at,), slot=slot, is_whole=is_whole)


def _find_forgotten(asked: Forgetting, passage: Passage, earlier: Sequence[str]) -> str:
    # What was read behind it may be the reason: "about Grace, forget what I said, she cried".
    fronted = letting_go.find_fronted(passage.text)
    if fronted and {*letting_go.list_words(fronted)}.isdisjoint(letting_go.list_words(asked.words)):
        return fronted
    points = any(not (one.words or one.is_unsure) for one in letting_go.read(passage.text))
    if not asked.is_latest and not points:
        return letting_go.name_pointed(asked.words, passage)
    said = letting_go.MARK.split(passage.text)[:-1]
    named = (one for one in said if letting_go.is_of_telling(one) and letting_go.list_words(one))
    return told_before.find_lead(said) or next(named, "") or told_before.find_last(passage.before, earlier)


def _read_corrections(found: Sequence[Passage], slot_values: Mapping[str, str], at: int) -> Iterator[RuleAct]:
    for passage in found:
        for act in correcting.read(passage, slot_values):
            yield replace(act, lines=(at,))
