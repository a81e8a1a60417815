"""Weighs how far something told answers a question."""

from dataclasses import dataclass

from echovessel import lazy_re as re
from echovessel.llm.offline.reply.asking import asked_names, content_words, evidence, question_kinds, question_times
from echovessel.llm.offline.reply.context import Memory
from echovessel.llm.offline.reply.recall import user_statements
from echovessel.llm.offline.text import clauses, cue_matching, lexicon, mentions, names, naming, sentences

SUFFICIENT, CONCEPT_FIT = 5, 3
# "Where does Emeka work?" is not answered by all that is told of Emeka, only by what holds a place.
_OF_NUMBERS = ("when", "age", "how_many", "grade")
OF_NAMED = ("where", *_OF_NUMBERS)
_NAME_FIT, _WORD_FIT, EVIDENCE_FIT = 4, 2, 3
# Of somebody, but nothing of what is asked: "does Jo have children?".
_NAME_ALONE = 1
_OWN_ROLE = re.compile(r"\b(?:am|was|were|been) (?:i |we )?an? \w+", re.IGNORECASE)
_NONE = re.compile(r"\b(?:no|without|never had|(?:don't|haven't) (?:have|got))(?: an?| any)? \w+", re.IGNORECASE)


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
        return self.fit >= SUFFICIENT


# Where one will live is no home yet.
TO_MOVE = re.compile(
    r"\b(?:am|are|is|'m|'re|'s) moving\b[^.!?]{0,60}\b(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december|\w+ (?:weeks|months))|next (?:week|month|year|spring|summer))\b|(?:下个?月|明年|[\d一二三四五六七八九十]+月)[^，,。]{0,6}(?:要|会|打算|准备)[^，,。]{0,4}搬|(?:下个?月|明年)[^，,。]{0,4}搬(?![^，,。]{0,4}了)",
    re.IGNORECASE,
)
SUPPOSED = re.compile(
    r"\W*(?:(?:and|but|so|well|honestly|man|maybe|sometimes i think)\W+)*(?:if|imagine|suppose|what if|i wish)\b|\W*(?:要是|如果|假如|假设)",
    re.IGNORECASE,
)


def weigh(memory: Memory, question: str, kind: str, asked: set[str], kin: set[str]) -> FoundAnswer | None:
    """Weigh how far a memory answers a question of the kind that asks of these names, who are these relatives of the user."""
    text = memory.text
    is_in_question = text.casefold().strip(" .。!！") in question.casefold()
    is_echo = is_in_question and not (sentences.is_tagged(question) or lexicon.matches("MYSELF", text))
    if is_echo or _is_supposed(text, question, kind):
        return None
    if kind == "name":
        name = naming.find_in(text)
        return FoundAnswer(memory, SUFFICIENT, name) if name else None
    # Who does something with somebody is not told by what says nothing of it: 谁带乐乐.
    lacks_doing = asked and content_words.find_verb(question) not in text
    is_denied = question_kinds.WHO.search(question) and (lacks_doing or evidence.is_denied(text, question))
    if (
        is_denied
        or evidence.is_opposite(text, question)
        or evidence.lacks_asked(text, question)
        or user_statements.is_own_doing(text, question)
        or (kind == "their_job" and evidence.is_of_other_sex(text, question))
    ):
        return None
    has_evidence = evidence.has_evidence(text, kind) and not evidence.lacks_span(text, question)
    if kind in question_kinds.OWN:
        # Who may leave a job tells of none.
        has_evidence = has_evidence and not cue_matching.has_cue("UNSETTLED", text)
        return (
            FoundAnswer(memory, SUFFICIENT)
            if has_evidence
            or evidence.tells_wish(text, question)
            or clauses.tells(question_times.leave_out_time(text), user_statements.SLOTS.get(kind))
            else None
        )
    named = names.find(text)
    called = [name for name in asked if mentions.is_named(name, text)]
    called = called or asked_names.find_capitalised(question, text)
    called = called or [*(asked if kin & lexicon.find_kin(text) else ())]
    if kind == "called":
        # Who somebody is tells what introduces them.
        has_evidence = any(name.text in asked for name in named) if asked else asked_names.names_one(text, question)
        has_evidence = has_evidence or asked_names.names_doer(text, question)
    if kind == "their_job" and asked and not called and not lexicon.matches("THIRD_PERSON", text):
        return None
    fit = _score(text, question, called)
    # A single word in common says nothing of how long or where: "How long was I at my old job?"
    is_who = question_kinds.WHO.search(question) is not None
    is_many = is_who if kind == "called" else len(content_words.list_all(question)) > 1
    rest = content_words.list_all(question) - content_words.list_all(" ".join(called))
    is_in_its_words = (
        rest
        and is_many
        and not lexicon.find_concepts(question)
        and (content_words.share(text, question) == 1 or (is_who and content_words.holds_all(text, question, called)))
    )
    is_of_named = called and kind not in OF_NAMED and (kind != "their_job" or not rest)
    is_evident = has_evidence or is_of_named or kind not in question_kinds.NEEDS_EVIDENCE or is_in_its_words
    if not fit or not is_evident or (kind == "when" and called and content_words.lacks_thing(text, question)):
        return None
    if rest and not kind and not question_kinds.SAID_BY_OTHER.search(question):
        is_of_rest = bool(rest & content_words.list_all(text))
        is_whether = question_kinds.IS_SO_ENGLISH.search(question) is not None
        if asked and not called and (lexicon.find_kin(text) or is_whether or not is_of_rest):
            # One person says nothing of another.
            return None
        fit = fit if is_of_rest or not called else _NAME_ALONE
    answer = "" if called or kind != "called" else asked_names.find_one(text, question)
    return FoundAnswer(memory, fit + EVIDENCE_FIT * has_evidence, answer, is_named=bool(called))


def _is_supposed(text: str, question: str, kind: str) -> bool:
    """Whether a text only supposes something, or tells of a move to come, where a question asks how it is."""
    if kind == "home" and TO_MOVE.search(text):
        return True
    asks_how_it_is = kind in (
        *question_kinds.OWN,
        *question_kinds.NEEDS_EVIDENCE,
    ) or question_kinds.IS_SO_ENGLISH.search(question)
    return bool(asks_how_it_is and SUPPOSED.match(text) and not SUPPOSED.search(question))


def score(text: str, said: str) -> int:
    """Score how much something told has to do with what is said now."""
    return _score(text, said, [name.text for name in names.find(text) if mentions.is_named(name.text, said)])


def _score(text: str, question: str, called: list[str]) -> int:
    if evidence.is_of_another(text, question):
        return 0
    # "No pets" answers whether there is one, and not which.
    told = text if question_kinds.IS_SO.search(question) else _NONE.sub(" ", text)
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
        re.sub(
            rf"^[我他她它](?:现在|最近|正)?在?|{verb}的|{verb}[\u4e00-\u9fff]?[了过]?\W*$" if verb else "^我",
            " ",
            question,
        )
    )
    is_verb = (fit or is_all) and verb and verb in text.replace("开始", "")
    # 我在学什么 asks for no more than what the verb is of.
    fit += CONCEPT_FIT * bool(is_verb and is_all)
    # Of any pet, sibling or child every one tells.
    if shared & {"pet", "sibling", "child"} or content_words.holds_all(text, question, called):
        fit = max(fit, SUFFICIENT)
    return fit + _WORD_FIT * bool(is_verb or evidence.tells_wish(text, question))
