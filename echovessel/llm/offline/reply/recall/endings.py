"""Finds what was told last that says that something holds no longer: a death, a parting, another job."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from echovessel import lazy_re as re
from echovessel.llm.offline import pronouns
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.reply.asking import content_words, evidence, question_kinds, question_times
from echovessel.llm.offline.reply.context import JUST_TOLD, Memory, ReplyContext
from echovessel.llm.offline.reply.hearing import corrections
from echovessel.llm.offline.reply.recall import user_statements, weighing
from echovessel.llm.offline.text import changes, cue_matching, lexicon, mentions, names, sentences, slots

_OF_LOVE = re.compile(r"married|\bsingle\b|单身|脱单|谈恋爱")
_OF_WEDDING = re.compile(r"\b(?:wedding|getting married)\b|婚", re.IGNORECASE)
# Of whoever died, these days are still asked for.
_OUTLIVES = re.compile(
    r"\b(?:birthday|anniversary|funeral|burial|memorial|wake)\b|生日|忌日|周年|葬礼|追悼", re.IGNORECASE
)
_OF_BOTH = re.compile(r"\b(?:with|dumped|left) me\b|\bwe\b|\b(?:and i|me and)\b", re.IGNORECASE)
_PARTS = re.compile(r"[,，;；。.!！?？]+")
_STILL = re.compile(
    r"^\W*(?:is|are)\b.* still\b|^[\u4e00-\u9fff]{2,4}(?:现在)?还[^，,。]{1,8}[吗么]\W*$", re.IGNORECASE
)
_OF_COMING = re.compile(
    r"\b(?:com(?:e|ing)|visit(?:ing)?)\b|(?<![起出原本后看上下])来(?!着)|(?<![上下一每几])回(?![事合答])", re.IGNORECASE
)
# "What's my chess rating?"
_OF_PART = re.compile(r"^\W*what(?:'s| is| was) (?:my|our|the) (?:[\w'-]+ )+([\w-]{3,})\W*$", re.IGNORECASE)
# What says that it is otherwise since than a question of the kind was answered.
_TOLD_LATER: dict[str, Callable[[str], object]] = {
    "where": re.compile(
        r"\b(?:back|(?:came|come|gone|got) home|gone|left|moved|moving|returned)\b|[回走搬]|去了|出差|找(?:到|着)|丢了|来了|到了",
        re.IGNORECASE,
    ).search,
    "went": re.compile(
        r"\b(?:got (?:in|it|the|through|a)|passed|won|lost|failed|accepted|rejected|went (?:\w+ )?(?:well|badly|fine|ok(?:ay)?)|didn't (?:get|make|pass))\b|[过赢输挂]了|考上|录取|没考上|通过|拿到",
        re.IGNORECASE,
    ).search,
    "age": partial(evidence.has_evidence, kind="age"),
    "medicine": re.compile(
        r"\b(?:came|come|taken|took|been) (?:me )?off\b|\bhalved\b|\bdose\b|药[^，,。]{0,4}(?:减|停|加量|换|断)|(?:减|停|换)[了掉]?药",
        re.IGNORECASE,
    ).search,
}
# What is noted of an age holds until somebody turns another.
_NUMBER = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?)\b"
_TURNED = re.compile(
    rf"\bturn(?:ed|s)(?: just)? {_NUMBER}|(?:\bis|'s) {_NUMBER} now\b|(?:满|过完|到)[^，,。]{{0,6}}岁|岁了|岁生日",
    re.IGNORECASE,
)
# That a thing is off, elsewhere, paid or otherwise.
_CHANGED = re.compile(
    r"\b(?:cancel\w*|called off|(?:is|are|'s|'re) (?:off|out)|no longer|any ?more|moved|changed|switched|swapped|instead|quit|left|packed in|paid|postponed|put (?:back|off)|brought forward|fell through|gone (?:up|down|off)|sold|died|refused|stopped|after all|benign|all clear|(?:took|gave|brought|got) [\w' ]{2,20} back|new \w+ (?:is|called|named))\b|\b(?:can't|cannot|won't|couldn't) (?:do|make|come|go|be)\b|\bn(?:o|')t (?:going|coming|happening)\b"
    r"|去不[成了]|来不了|挪到|换地方|放到|转[去到行]|良性|没事了|同意[^，,。]{0,3}了|不反对了|抢着了|买到了|不是[^，,。]{1,8}了|取消|黄了|泡汤|被[^，,。]{0,3}(?:开除|辞退|炒)|改(?:签|到|成|去|在|为|了)|换[了成]|搬[走到去]|辞了|还[清了]|退了|卖了|推迟|提前|不(?:再)?[去来做住学养吃喝]了|分手|关了|倒闭",
    re.IGNORECASE,
)
_AND = re.compile(r"\band\b|[,，;；]")
# So many words tell how something went and no more.
_OUTCOME_MOST = 4
_DAY_OR_NUMBER = re.compile(
    r"\d|^(?:janu|febru|march|april|june|jul[iy]|august|septemb|octob|novemb|decemb)|day$|[一二三四五六七八九十年月日号周]"
)
_NO_THINGS = frozenset(("user", "用户", "week", "month", "year", "time", "home", "tomorrow"))
# 车停在B2层 and 车挪到B1层了: of one character, which no pair holds.
_BARE_THING = re.compile(r"(?:^|[，,我把的])([车店房伞猫狗])(?=[停挪放在开搬换丢卖修关移寄])")
_SHARED_HAN = 2
_LATER_THAN_NOTED: dict[str, Callable[[str], object]] = {
    "age": _TURNED.search,
    "medicine": re.compile(
        r"加了[^，,。]{0,6}药|又开了|\b(?:added|also (?:put|got|started) me on)\b", re.IGNORECASE
    ).search,
}
_INNER_NAME = re.compile(r"(?<=\w )[A-Z][a-z]+|(?<=, )[A-Z][a-z]+")
# No other job or home says anything of these.
_NEVER_OVER = ("name", "origin", "own_age")


def find_end(context: ReplyContext, question: str, kind: str) -> Memory | None:
    """Return what was told last of somebody or something asked about, if they are gone, or will not come, or if it is granted or refused:
    "We broke up", 我婆婆不来了, "the visa was refused".
    """
    concepts = lexicon.find_concepts(question) | (changes.LOVES if _OF_LOVE.search(question) else set())
    told = [
        *user_statements.list_written(context),
        *user_statements.list_said((*context.quotes, *context.user_messages)),
    ]
    remembered = [*user_statements.list_told(context)]
    known = {name.text for one in remembered for name in names.find(one.text)}
    asked_of = {name for name in known if mentions.is_named(name, question)}
    bearing = [
        one
        for one in _list_bearing(told, question, concepts)
        if not (asked_of and changes.tells_death(one.text)) or _tells_death_of(one.text, asked_of, known - asked_of)
    ]
    asked = content_words.list_all(question)
    # Who made it up with a room-mate has no boyfriend by that.
    is_parted = any(changes.ends(one.text, concepts, is_planned=False) for one in bearing)
    is_of_love = concepts & changes.LOVES
    if is_of_love and is_parted and (reunited := [memory for memory in told if changes.reunites(memory.text)]):
        return reunited[-1]
    # Of "Sophie broke up with me" nothing else needs to tell who she was.
    parted = [one for one in told if changes.ends(one.text, concepts) and _OF_BOTH.search(lexicon.normalise(one.text))]
    if concepts & changes.LOVES and parted and not bearing:
        return parted[-1]
    if _OF_WEDDING.search(question) and (off := [memory for memory in told if changes.calls_off_wedding(memory.text)]):
        return off[-1]
    settled = [at for at, one in enumerate(told) if asked & content_words.list_all(changes.find_settled(one.text))]
    # "Counselling came through! Starts on the 9th" tells when in its next sentence.
    behind = told[settled[-1] + 1 : settled[-1] + 2] if settled and kind == "when" else []
    if settled and not any(evidence.has_evidence(one.text, kind) for one in behind):
        return told[settled[-1]]
    if _OUTLIVES.search(question):
        return None
    if _STILL.search(question) and bearing and changes.tells_end(bearing[-1].text):
        return bearing[-1]
    dead = [one for one in _list_bearing(remembered, question, concepts) if changes.tells_death(one.text)]
    dead = [one for one in dead if _tells_death_of(one.text, asked_of, known - asked_of)]
    if passed := [*dead, *(one for one in told if changes.tells_passing(one.text, [of.text for of in bearing]))]:
        return passed[-1]
    is_planned = kind == "when" or _OF_COMING.search(question) is not None
    return bearing[-1] if bearing and changes.ends(bearing[-1].text, concepts, is_planned=is_planned) else None


def _tells_death_of(text: str, asked: set[str], others: set[str]) -> bool:
    """Whether a text that tells of a death names one of those asked for, and of "Biscuit died, Idris is heartbroken" not who mourns."""
    dying = [part for part in _PARTS.split(text) if changes.tells_death(part)]
    is_asked, is_other = (any(mentions.is_named(name, part) for name in of for part in dying) for of in (asked, others))
    if not asked:
        # "Is my dad still alive?" names nobody.
        return not is_other
    is_named = any(mentions.is_named(name, text) for name in asked)
    return is_asked or (is_named and not (is_other or any(map(lexicon.find_concepts, dying))))


def _list_bearing(told: Sequence[Memory], question: str, concepts: set[str]) -> Iterator[Memory]:
    """Yield what tells of whom a question asks about, by these concepts or by name.

    Of a visit that is whatever was told of the family's coming, of 朵朵 also 儿子不回来了; of an animal also that one was put to sleep,
    whoever was spoken of in between.
    """
    asked = [name for one in told for name in names.find(one.text) if mentions.is_named(name.text, question)]
    is_of_coming, kin = _OF_COMING.search(question) is not None, lexicon.find_kin(question)
    is_of_pet = bool(concepts & {*english.PETS}) or any(name.kind == "pet" for name in asked)
    about = [(memory, lexicon.find_own_concepts(memory.text)) for memory in told]
    called = {name.text for memory, of_text in about if of_text & concepts for name in names.find(memory.text)}
    called |= {name.text for name in asked if name.kind in ("pet", "person")}
    for memory, of_text in about:
        if (
            of_text & concepts
            or any(mentions.is_named(name, memory.text) for name in called)
            or (
                is_of_coming
                and "family" in (wide := lexicon.widen(of_text))
                and (not kin or kin & wide)
                and _OF_COMING.search(memory.text)
            )
            or (is_of_pet and not of_text and changes.puts_down(memory.text))
        ):
            yield memory


def find_slot(question: str, kind: str) -> str:
    """Return "job" or "home" where a question asks for it or whether it still is so; else ""."""
    still = (slot for slot, pattern in question_kinds.STILL_SO.items() if pattern.search(question))
    return kind if kind in user_statements.SLOTS else next(still, "")


def find_change(context: ReplyContext, kind: str) -> Memory | None:
    """Return what this talk told last of another job or home: what is noted of it holds no longer, but for what was undone."""
    undone = {pronouns.address(one.text) for one in context.inputs.noted if one.is_undone and one.text}
    lately = [line for line in context.user_messages if line.age and line.age.unit in JUST_TOLD]
    told = [
        one
        for one in user_statements.list_said(lately)
        if kind in user_statements.SLOTS
        and not any(text in pronouns.address_told(one.text) for text in undone)
        and (changes.changes_slot(one.text, kind) or _fills(one.text, user_statements.SLOTS[kind]))
        and not cue_matching.has_cue("UNSETTLED", one.text)
        and not (weighing.TO_MOVE.search(one.text) or weighing.SUPPOSED.match(one.text))
    ]
    return told[-1] if told else None


def find_told_later(told: Sequence[Memory], best: Memory, question: str, kind: str) -> str:
    """Find what was told last of the same one after the answer, and says where they are or how old since: 大宝飞回来了; what one takes
    no more of; or that the thing itself is off, elsewhere or otherwise.
    """
    is_of = (_LATER_THAN_NOTED if best.is_noted else _TOLD_LATER).get(kind)
    if (best.at is None and not best.is_noted) or question_times.asks_of_past(question):
        return ""
    place = next((at for at, one in enumerate(told) if best.text in one.text), 0)
    later = [
        one
        for at, one in enumerate(told)
        if one.at
        and (best.at is None or (one.at, at) > (best.at, place))
        and not one.is_joined
        and one.text not in best.text
        # A memory of what was said tells nothing later.
        and best.text.rstrip(" .。!！").casefold() not in one.text.casefold()
    ]
    found = next(filter(is_of, _list_of_them(later, told, best, question, kind)), "") if is_of else ""
    is_name = kind in ("name", "called") and not question_kinds.WHO.search(question)
    return found or ("" if is_name else _find_change_of(later, best, question))


def _list_of_them(
    later: Sequence[Memory], told: Sequence[Memory], best: Memory, question: str, kind: str
) -> Iterator[str]:
    """Yield what was told later of those of whom the answer is, the newest first."""
    kin = lexicon.find_kin(question)
    called = {one.text for one in names.find(best.text)} | {one.text for one in names.find(question)}
    called |= {one.text for memory in told for one in names.find(memory.text) if mentions.is_named(one.text, question)}
    # "Maisie's 9 and Jacob's 6"
    called |= {*_INNER_NAME.findall(best.text)} if kind == "age" else set()
    # Of two who are noted together the one is asked for.
    called = {name for name in called if mentions.is_named(name, question)} or called
    for one in reversed(later):
        is_of_them = any(mentions.is_named(name, one.text) for name in called) or kin & lexicon.find_kin(one.text)
        # "I passed!" says no more.
        is_bare = kind == "went" and lexicon.count_words(one.text) <= _OUTCOME_MOST and not names.find(one.text)
        if is_of_them or ((kind == "medicine" or is_bare) and not lexicon.find_kin(one.text)):
            yield one.text


def _list_things(text: str) -> set[str]:
    """List the words that carry meaning, but for days, numbers and what only says that something is otherwise."""
    words = content_words.list_all(_CHANGED.sub(" ", text)) - _NO_THINGS
    return {word for word in words if not _DAY_OR_NUMBER.search(word)}


def _choose_clauses(text: str, question: str) -> str:
    """Return of "choir on Wednesdays and bridge on Mondays" the clause with words of the question; all of it where none has, or all have."""
    asked = content_words.list_all(question)
    bearing = [one for one in _AND.split(text) if asked & content_words.list_all(one)]
    return " ".join(bearing) or text


def _find_change_of(later: Sequence[Memory], best: Memory, question: str) -> str:
    """Return what this chat told last of a thing of the answer, and says that it is off or otherwise: 三亚去不成了，改去桂林."""
    things = _list_things(_choose_clauses(best.text, question))
    for one in reversed(later):
        # What is noted may have been noted after what an earlier chat told.
        is_new = best.at is not None or (one.age is not None and one.age.unit in JUST_TOLD)
        shared = things & _list_things(one.text)
        # 居酒屋 shares two pairs, and 还清 nothing but whom a question is about.
        least = _SHARED_HAN if lexicon.is_chinese(one.text) and not shared & content_words.list_all(question) else 1
        named = [name.text for name in names.find(best.text) if mentions.is_named(name.text, one.text)]
        named += lexicon.find_kin(best.text) & lexicon.find_kin(one.text)
        named += {*_BARE_THING.findall(best.text)} & {*_BARE_THING.findall(one.text)}
        if (
            is_new
            and _CHANGED.search(one.text)
            and (named or len(shared) >= least)
            and not sentences.is_question(one.text)
        ):
            return one.text
    return ""


def _fills(text: str, slot: str) -> bool:
    return any(slot == filled for filled, _ in slots.read_slots(text))


def find_what_supersedes(best: Sequence[Memory], told: Sequence[Memory], question: str) -> Memory | None:
    """Return what was told last and after the best answer that says that it holds no longer; what is noted holds, and a name
    unless it is another's now.
    """
    told = [one for one in told if one in best or not weighing.SUPPOSED.match(one.text)]
    kind, part = question_kinds.classify_question(question), _OF_PART.match(question)
    if not best or best[0].is_noted or kind in _NEVER_OVER:
        return None
    since = told[told.index(best[0]) + 1 :]
    alone = (one for one in reversed(since) if not (one.is_joined or best[0].text in one.text))
    if part and part[1] in best[0].text:
        # Who plays no longer still has the rating.
        alone = (one for one in alone if part[1] in one.text)
    if asked := lexicon.find_concepts(question):
        # What the user does otherwise changes nothing of a relative.
        own = partial(lexicon.matches, "MYSELF")
        alone = (one for one in alone if asked & lexicon.widen(lexicon.find_concepts(one.text)) or not own(one.text))
    if kind in question_kinds.NEEDS_EVIDENCE and not changes.ends(best[0].text, changes.LOVES):
        # Who has left tells nothing of where they work.
        alone = (one for one in alone if not changes.ends(one.text, changes.LOVES))
    may_be = (one for one in alone if kind != "called" or changes.tells_other(one.text, question))
    found = (
        one
        for one in may_be
        if changes.supersedes(one.text, best[0].text) or corrections.turns_taste(one.text, best[0].text)
    )
    return next((one for one in found if not cue_matching.has_cue("UNSETTLED", one.text)), None)
