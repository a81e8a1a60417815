"""Finds answers to questions in what was told: messages, memories, and what the user wrote about themselves."""

import re
from dataclasses import dataclass, replace

from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.reply.asking import content_words, question_kinds, question_times
from echovessel.llm.offline.reply.context import Memory, ReplyContext
from echovessel.llm.offline.reply.recall import user_statements
from echovessel.llm.offline.text import (
    changes,
    clauses,
    cue_matching,
    lexicon,
    mentions,
    names,
    naming,
    referents,
    sentences,
)

_SUFFICIENT, CONCEPT_FIT = 5, 3
_NAME_FIT, _WORD_FIT, _EVIDENCE_FIT = 4, 2, 3
# Of somebody, but nothing of what is asked: "does Jo have children?".
_NAME_ALONE = 1
# "Where does Emeka work?" is not answered by all that is told of Emeka, only by what holds a place.
_OF_NUMBERS = ("when", "age", "how_many")
_OF_NAMED = ("where", *_OF_NUMBERS)

# Asks whether something is so, or how somebody is: "Do I have a dog?"
IS_SO_ENGLISH = re.compile(r"^\W*(?:(?:and|so|but|well) )?(?:do|does|am|is|are|have|has)\b(?! you\b)", re.IGNORECASE)
OF_SELF = re.compile(r"\bI\b", re.IGNORECASE)
_IS_SO = re.compile(
    rf"{IS_SO_ENGLISH.pattern}|^\W*(?:(?:and|so|but) )?how(?:'?s| is| are)\b|吗|怎么样|有没有|是不是|还有",
    re.IGNORECASE,
)
# How somebody is, or all that was told of them.
_OF_ALL = re.compile(rf"(?i)(?!^\W*do (?:i|we) (?:still )?have\b)(?:{_IS_SO.pattern}|\b(?:know|remember|tell me)\b)")
_OWN_ROLE = re.compile(r"\b(?:am|was|were|been) (?:i |we )?an? \w+", re.IGNORECASE)
# 我女儿的男朋友 is the boyfriend.
_OWNER = re.compile(rf"我?(?:{'|'.join(chinese.KIN.values())})的(?={'|'.join(chinese.KIN.values())})")
_NONE = re.compile(r"\b(?:no|without|never had|(?:don't|haven't) (?:have|got))(?: an?| any)? \w+", re.IGNORECASE)
_COUNTED = re.compile(r"\bhow many ([a-z]+?)s?\b", re.IGNORECASE)
_OF_NOW = re.compile(r"\b(?:now|nowadays|these days|currently|at the moment)\b|现在|如今|目前", re.IGNORECASE)
# How it stands what was told last tells.
_HOW, _OF_WHOM = re.compile(r"怎么样|咋样|怎样了"), re.compile(r"记得|知道|印象")
_OF_BEFORE = re.compile(r"\bbefore\b|之前|以前|原来|原先")
_ASKS_WHO = re.compile(r"^\W*(?![你我他她它])([\u4e00-\u9fff]{2,4})是谁\W*$")
_OF_SOMEBODY = re.compile(r"\W*(?:she|he|they)\b|[他她]", re.IGNORECASE)
# A sentence of more letters is cut to so many clauses.
_LONG, _KEPT, _BARE = 240, 2, 3
_CLAUSE = re.compile(r"(?<=[,，;；])")


@dataclass(frozen=True)
class FoundAnswer:
    """Something told that answers a question; `answer` is a single word where one is enough."""

    memory: Memory
    fit: int
    answer: str = ""
    # Whether it tells of somebody whom the question names; whether it tells that what is asked about is over.
    is_named: bool = False
    is_over: bool = False

    @property
    def is_noted(self) -> bool:
        """Whether it is a fact that every prompt of the session holds."""
        return self.memory.is_noted

    @property
    def is_related(self) -> bool:
        """Whether it shares more with the question than a word."""
        return self.fit >= CONCEPT_FIT

    @property
    def has_name_alone(self) -> bool:
        return self.is_named and self.fit == _NAME_ALONE

    @property
    def is_sufficient(self) -> bool:
        return self.fit >= _SUFFICIENT


def find_answers(context: ReplyContext, question: str) -> list[FoundAnswer]:
    """Return what answers the question, the best first; of equals a noted fact with all its words, which holds now, and then the newest.

    Where a name or the like is asked for, a single sentence says it better than several.
    """
    question = _OWNER.sub("我", lexicon.normalise(question))
    kind = question_kinds.classify_question(question)
    told = [*user_statements.list_told(context)]
    known = {name.text for memory in told for name in names.find(memory.text)}
    asked = {name for name in known if mentions.is_named(name, question)}
    # 张姐 is somebody, though no words around it say so.
    asked |= {*_ASKS_WHO.findall(question)}
    if kind != "called":
        # Who asks for their wife's birthday told of Hannah's.
        asked |= referents.find_introduced(lexicon.find_kin(question), [memory.text for memory in told])
    kin = referents.find_kin_of(asked, [memory.text for memory in told])
    found = [one for memory in told if (one := _weigh(memory, question, kind, asked, kin)) and one.fit]
    found = question_times.choose(found, question, kind, read=lambda one: one.memory.text)
    newest_first = found if _OF_BEFORE.search(question) else found[::-1]
    is_brief = kind in (*question_kinds.OWN, "called")
    newest_first.sort(key=lambda one: is_brief and _is_long_or_of_somebody(one.memory.text))
    # What several messages tell is of use where one asks of somebody; else the others tell of another day or thing.
    is_of_one = kind in _OF_NAMED or not (kind or _OF_ALL.search(question))
    newest_first.sort(key=lambda one: one.memory.is_joined and is_of_one and not one.has_name_alone)
    newest_first.sort(
        # Asked whether it remembers somebody, a companion tells what happened rather than that they are there.
        key=lambda one: (
            -one.fit,
            not _holds_now(one, kind, question),
            not kind and -content_words.count_exact(one.memory.text, question),
        )
    )
    if _HOW.search(question):
        newest_first.sort(key=lambda one: (not one.is_related, one.memory.is_joined, -told.index(one.memory)))
    elif not kind and lexicon.is_chinese(question) and not _OF_WHOM.search(question):
        newest_first.sort(key=lambda one: one.memory.is_joined or content_words.share(one.memory.text, question) < 1)
    if question_kinds.WHO.search(question) and (verb := content_words.find_verb(question)):
        newest_first.sort(key=lambda one: verb not in one.memory.text)
    newest_first.sort(key=lambda one: user_statements.is_of_anybody(one.memory.text, question))
    if kind == "called" and question_kinds.WHO.search(question):
        newest_first.sort(key=lambda one: not _introduces_asked(one.memory.text, question, asked))
    if kind == "when":
        # Of a day that was put off the newest holds.
        newest_first.sort(key=lambda one: not (one.is_related and changes.puts_off(one.memory.text)))
    if counted := _COUNTED.search(question):
        newest_first.sort(
            key=lambda one: re.search(rf"\d(?:st|nd|rd|th)? (?:\w+ )??{counted[1]}", one.memory.text) is None
        )
    if _OF_NOW.search(question):
        # "She's switched to Newcastle" holds now, where she studied before does not.
        newest_first.sort(key=lambda one: not (one.is_named and changes.tells_end(one.memory.text)))
    is_of_love = changes.LOVES & lexicon.find_concepts(question)
    is_of_name = kind == "called" and not question_kinds.WHO.search(question)
    may_be_over = not is_of_name and (is_of_love or kind == "when" or _IS_SO.search(question))
    ended = user_statements.find_end(context, question, kind) if may_be_over else None
    if not (ended or question_times.asks_of_past(question)):
        change = None if may_be_over else user_statements.find_change(context, kind)
        ended = change or user_statements.find_what_supersedes([one.memory for one in newest_first[:1]], told, question)
    best = (
        [FoundAnswer(ended, _SUFFICIENT, is_over=True)]
        if ended
        else [one if _HOW.search(question) else _narrow(one, question, kind) for one in newest_first[:1]]
    )
    return best + newest_first[1:]


def _introduces_asked(text: str, question: str, asked: set[str]) -> bool:
    meant = asked or question_kinds.find_capitalised(question, text)
    return any(referents.introduces(text, name) for name in meant)


def _is_long_or_of_somebody(text: str) -> int:
    """Weigh whether a text of more than one sentence says it less briefly, or one that only says "she" not of whom."""
    return 1 if len(sentences.split(text)) > 1 else 2 * bool(_OF_SOMEBODY.match(lexicon.normalise(text)))


def _holds_now(one: FoundAnswer, kind: str, question: str) -> bool:
    """Whether it is a noted fact that answers: about the user themselves, or with all words of the question."""
    is_answer = kind in question_kinds.OWN or content_words.share(one.memory.text, question) == 1
    return bool(kind) and one.is_noted and is_answer


def _narrow(told: FoundAnswer, question: str, kind: str) -> FoundAnswer:
    """Leave out the sentences of an answer that have nothing to do with the question; "he is called Nimbus" goes with those before."""
    said = sentences.split(told.memory.text)
    if sentences.is_question(said[0]):
        # A question and its answer, and nothing that was said later.
        text = told.memory.text if len(said) < _BARE or not told.memory.is_joined else " ".join(said[:2])
        return replace(told, memory=replace(told.memory, text=text))
    bearing: list[str] = []
    if alone := question_kinds.find_whole_answer(said, told.memory.text, question, kind):
        text = alone if kind else sentences.add_fragments(alone, said)
        return replace(told, memory=replace(told.memory, text=text))
    asked = content_words.list_all(question)
    # A day or a name in another sentence says nothing where the one that bears on the question has its own.
    standing = [one for one in said if score(one, question) and not changes.tells_end(one)]
    is_said = any(question_kinds.has_evidence(one, kind) for one in standing)
    for at, one in enumerate(said):
        is_near = bearing[-1:] == said[at - 1 : at] or asked & content_words.list_all(one)
        is_reply = question_kinds.SAID_BY_OTHER.search(question) and question_kinds.SAYING.search(one)
        goes_on = bool(bearing and is_near) and (
            is_reply or referents.refers_to(bearing[-1], one, is_named=told.is_named)
        )
        is_beside = is_said and not (changes.is_correction(one) or changes.puts_off(one))
        has_evidence = question_kinds.has_evidence(one, kind)
        bears = score(one, question) and (has_evidence or not (is_beside and kind in question_kinds.NEEDS_EVIDENCE))
        if bears or (not is_beside and has_evidence) or goes_on:
            is_who = question_kinds.WHO.search(question) and _OF_SOMEBODY.match(one)
            is_of_last = is_who or question_kinds.SAYS_OF_WHAT.search(one)
            if at and is_of_last and said[at - 1] not in bearing:
                bearing.append(said[at - 1])
            bearing.append(one)
    verb = content_words.find_verb(question)
    if verb and (doing := [one for one in bearing if verb in one or changes.is_correction(one)]):
        before = bearing[: bearing.index(doing[0])] if not score(doing[0], question) else []
        bearing = [*[one for one in before if score(one, question)][-1:], *doing]
    gap = "" if lexicon.is_chinese(told.memory.text) else " "
    text = gap.join(_cut_out(one, question, kind) for one in bearing or said)
    # "So the camping." says nothing without what follows.
    is_bare = lexicon.count_words(text) <= _BARE and not question_kinds.has_evidence(text, kind)
    is_whole = is_bare or (len(bearing) in (0, len(said)) and all(one in text for one in said))
    return told if is_whole else replace(told, memory=replace(told.memory, text=text))


def _cut_out(sentence: str, question: str, kind: str) -> str:
    """Return of a very long sentence what bears on the question: the clause that says most of it, and what follows."""
    if sentences.measure_width(sentence) <= _LONG:
        return sentence
    clauses_of = _CLAUSE.split(sentence)
    fits = [score(one, question) + _EVIDENCE_FIT * question_kinds.has_evidence(one, kind) for one in clauses_of]
    at = fits.index(max(fits))
    return "".join(clauses_of[at : at + _KEPT]).strip(" ,，;；") if fits[at] else sentence


def _weigh(memory: Memory, question: str, kind: str, asked: set[str], kin: set[str]) -> FoundAnswer | None:
    """Weigh how far a memory answers a question of the kind that asks of these names, who are these relatives of the user."""
    text = memory.text
    is_in_question = text.casefold().strip(" .。!！") in question.casefold()
    if is_in_question and not (sentences.is_tagged(question) or lexicon.matches("MYSELF", text)):
        return None
    if kind == "name":
        name = naming.find_in(text)
        return FoundAnswer(memory, _SUFFICIENT, name) if name else None
    # Who does something with somebody is not told by what says nothing of it: 谁带乐乐.
    lacks_doing = asked and content_words.find_verb(question) not in text
    is_denied = question_kinds.WHO.search(question) and (lacks_doing or question_kinds.is_denied(text, question))
    if is_denied or question_kinds.lacks_asked(text, question) or user_statements.is_own_doing(text, question):
        return None
    has_evidence = question_kinds.has_evidence(text, kind)
    if kind in question_kinds.OWN:
        # Who may leave a job tells of none.
        has_evidence = has_evidence and not cue_matching.has_cue("UNSETTLED", text)
        return (
            FoundAnswer(memory, _SUFFICIENT)
            if has_evidence or clauses.tells(question_times.leave_out_time(text), user_statements.SLOTS.get(kind))
            else None
        )
    named = names.find(text)
    called = [name for name in asked if mentions.is_named(name, text)]
    called = called or question_kinds.find_capitalised(question, text)
    called = called or [*(asked if kin & lexicon.find_kin(text) else ())]
    if kind == "called":
        # Who somebody is tells what introduces them.
        has_evidence = any(name.text in asked for name in named) if asked else question_kinds.names_one(text, question)
        has_evidence = has_evidence or question_kinds.names_doer(text, question)
    if kind == "their_job" and asked and not called and not lexicon.matches("THIRD_PERSON", text):
        return None
    fit = _score(text, question, called)
    # A single word in common says nothing of how long or where: "How long was I at my old job?"
    is_who = question_kinds.WHO.search(question) is not None
    is_many = is_who if kind == "called" else len(content_words.list_all(question)) > 1
    rest = content_words.list_all(question) - content_words.list_all(" ".join(called))
    is_in_its_words = (
        rest and content_words.share(text, question) == 1 and is_many and not lexicon.find_concepts(question)
    )
    is_of_named = called and kind not in _OF_NAMED and (kind != "their_job" or not rest)
    is_evident = has_evidence or is_of_named or kind not in question_kinds.NEEDS_EVIDENCE or is_in_its_words
    if not fit or not is_evident or (kind == "when" and called and content_words.lacks_thing(text, question)):
        return None
    if rest and not kind and not question_kinds.SAID_BY_OTHER.search(question):
        is_of_rest = bool(rest & content_words.list_all(text))
        is_whether = IS_SO_ENGLISH.search(question) is not None
        if asked and not called and (lexicon.find_kin(text) or is_whether or not is_of_rest):
            # One person says nothing of another.
            return None
        fit = fit if is_of_rest or not called else _NAME_ALONE
    answer = "" if called or kind != "called" else question_kinds.find_one(text, question)
    return FoundAnswer(memory, fit + _EVIDENCE_FIT * has_evidence, answer, is_named=bool(called))


def score(text: str, said: str) -> int:
    """Score how much something told has to do with what is said now."""
    return _score(text, said, [name.text for name in names.find(text) if mentions.is_named(name.text, said)])


def _score(text: str, question: str, called: list[str]) -> int:
    if question_kinds.is_of_another(text, question):
        return 0
    # "No pets" answers whether there is one, and not which.
    told = text if _IS_SO.search(question) else _NONE.sub(" ", text)
    # Who asks how long they were a teacher speaks of no other.
    asked, spoken = lexicon.find_concepts(_OWN_ROLE.sub(" ", question)), lexicon.widen(lexicon.find_concepts(told))
    shared = asked & spoken
    words = len(content_words.list_all(question) & content_words.list_told(text))
    if asked and not shared and not called and (lexicon.find_concepts(text) or words < 2):
        # A sister's exam is not one's own, and a cat is no dog.
        return 0
    fit = _NAME_FIT * len(called) + CONCEPT_FIT * len(shared) + _WORD_FIT * words
    verb = content_words.find_verb(question)
    is_all = not content_words.list_all(
        re.sub(rf"^[我他她它]|{verb}的|{verb}[\u4e00-\u9fff]?[了过]?\W*$" if verb else "^我", " ", question)
    )
    return fit + _WORD_FIT * bool((fit or is_all) and verb and verb in text)
