"""What a burst shows by its words, in English and Chinese, before anything is searched.

Only the first and last 400 characters are read, by rules alone, so that this costs less than a millisecond of a turn.
"""

from dataclasses import dataclass
from datetime import date

from echovessel import chinese_script, crisis, periods, text, tokens
from echovessel import lazy_re as re
from echovessel.llm.offline.text import lexicon, sentences
from memory.knowing import answer_kinds, bearing, clauses, feedback, narrated_questions, present_questions, references
from memory.recall import query_intent
from memory.recall.query_intent import QueryIntent

READ_AT_EACH_END = 400
# A burst of fewer words or characters counts as one of so many: one word alone is not dense.
MIN_LENGTH = 4
_ADDRESS = re.compile(r"\w+://\S*[^\s?？.!,;]|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/\S*[^\s?？.!,;]", re.IGNORECASE)
_MARK = re.compile(r"[?？]")
_GREETING = re.compile(
    r"^\W*(?:(?:hi|hiya|hey|hello|howdy|yo|good (?:morning|evening|afternoon|day))(?![-\w'])|(?:morning|evening|afternoon)(?=\W*$|[,!]))"
    r"|^\W*(?:(?:你好|您好)(?=[呀啊吗哇嘛\W]|$)|嗨|哈[喽啰]|嘿(?!嘿)|在[吗么](?=\W|$)|在不在(?=\W|$)|早安|早(?:上)?好|上午好|中午好|下午好|晚上好|早(?=[啊呀哇\W]|$))",
    re.IGNORECASE,
)

_OF_USER = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b|[我咱]")
# What speaks of something that both know, as a relative who is called by that word does; Chinese has no article.
_NAMED_SO = {"mother", "father", "grandmother", "grandfather"}
_DEFINITE = re.compile(rf"\b(?:the|that|those|these)\b|[\u3400-\u9fff]|{_OF_USER.pattern}")
_GOES_ON = re.compile(r"\b(?:it|that|this|there|he|she|they|him|her|them|his|their)\b|[他她它那]", re.IGNORECASE)
_OF_SOMEBODY = re.compile(r"\b(?:he|she|his|her)\b|[他她](?!们)")


@dataclass(frozen=True, kw_only=True)
class Signals:
    """The signals of a burst; `names`, what it names of the bond's entities, is no part of them."""

    # A question mark outside addresses, and the form of a question; where a burst narrates, at its end.
    mark: bool
    interrogative: bool
    greeting: bool
    # Whether it is small talk alone: a greeting, thanks, agreement.
    bare: bool
    # What it says of the last reply: 1 praise, -1 complaint, else 0.
    feedback: int
    # Whether it speaks of what the two have shared.
    reference: bool
    # Whether it turns to another subject, or asks to keep to this one.
    shift: bool
    stay: bool
    crisis: bool
    # The share of its words (of Chinese: characters) that mean something, 0 to 1.
    density: float
    # Of the whole burst, as estimated.
    tokens: int
    asks: bool
    # Whether it asks for what was told if memory knows an answer: for a cause, or for something that both know: "the boat".
    may_ask_past: bool
    # Whether it asks for what was told, so that the reply depends on memory.
    asks_past: bool


def read(said: str, *, today: date, names_someone: bool = False) -> Signals:
    """Read the signals of a burst of `today`; `names_someone` tells whether it names an entity of the bond."""
    plain = lexicon.normalise(chinese_script.read(text.cut_to_ends(said, READ_AT_EACH_END)))
    folded = text.fold(plain)
    asked = sentences.remove_attention(narrated_questions.cut_to_question(plain))
    of_asked = text.fold(cut_to_asking(asked))
    mark = _MARK.search(_ADDRESS.sub(" ", asked)) is not None
    interrogative = clauses.is_interrogative(asked) or (names_someone and clauses.asks_of_known(asked))
    asks = mark or interrogative
    asks_shared = references.refers_to_shared_past(of_asked)
    is_of_past = asks and (asks_shared or may_ask_of_past(of_asked))
    return Signals(
        mark=mark,
        interrogative=interrogative,
        greeting=_GREETING.search(plain) is not None,
        bare=query_intent.is_small_talk(plain),
        feedback=feedback.read(folded),
        reference=references.refers_to_shared_past(folded),
        shift=references.turns_away(folded),
        stay=references.keeps_to(folded),
        crisis=crisis.is_voiced(plain),
        density=compute_density(plain),
        tokens=tokens.estimate(said),
        asks=asks,
        may_ask_past=asks and (asks_shared or is_of_something_known(of_asked)),
        asks_past=is_of_past and (asks_shared or asks_of_past(of_asked, today=today, names_someone=names_someone)),
    )


def asks_of_past(folded: str, *, today: date, names_someone: bool) -> bool:
    """Whether a question without a reference that may be one asks for what was told: it is about the user, a relative, a known
    name or days that are over, or asks of somebody for a kind of thing: "How old is she?", 她叫什么.
    """
    if present_questions.asks_cause(folded):
        return False
    if names_someone or _OF_USER.search(folded):
        return True
    if _OF_SOMEBODY.search(folded) and answer_kinds.find(folded).kinds:
        return True
    named = periods.find_periods(folded, today=today)
    return bool(named) and all(period.end < today for period in named)


def cut_to_asking(said: str) -> str:
    """Cut a text to the sentences that ask, unless these go on with one before: "My sister moved. Where is she now?"."""
    asking = " ".join(bearing.list_questions(said))
    return said if _GOES_ON.search(asking) or references.refers_to_shared_past(text.fold(said)) else asking


def may_ask_of_past(folded: str) -> bool:
    """Whether a question may ask for what was told: neither what the companion does or feels nor what is to be done now or later."""
    seeks_advice = any(query_intent.detect_intent(part) is QueryIntent.ADVICE for part in folded.split(","))
    return not (seeks_advice or present_questions.is_of_now(folded))


def is_of_something_known(folded: str) -> bool:
    """Whether a question asks of something that both know. In English it asks for a known kind of answer, and may be one of now
    where memory has that: "how often do I need my injections". Chinese leaves out "my".
    """
    is_known = _DEFINITE.search(folded) is not None or not _NAMED_SO.isdisjoint(lexicon.find_kin(folded))
    if text.has_cjk(folded):
        return is_known and may_ask_of_past(folded)
    return is_known and bool(answer_kinds.find(folded).kinds) and not present_questions.is_of_companion(folded)


def compute_density(said: str) -> float:
    """Return the share of distinct terms that are no small talk among all words; in Chinese, characters stand for words."""
    runs = text.split_runs(said)
    length = sum(len(run) if text.has_cjk(run) else 1 for run in runs)
    terms = {term for term in text.extract_terms(said) if len(term) == 1 or not text.has_cjk(term)}
    return round(len(terms - query_intent.SMALL_TALK) / max(MIN_LENGTH, length), 3)
