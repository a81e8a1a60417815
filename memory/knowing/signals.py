"""What a burst shows by its words, in English and Chinese, before anything is searched.

Only the first and last 400 characters are read, by rules alone, so that this costs less than a millisecond of a turn.
"""

import re
from dataclasses import dataclass
from datetime import date

from echovessel import chinese_script, crisis, periods, tokens
from echovessel.llm.offline.text import sentences
from memory import text
from memory.knowing import answer_kinds, clauses, feedback, narrated_questions, present_questions, references
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
    # Whether it asks for what was told, so that the reply depends on memory.
    asks_past: bool


def read(said: str, *, today: date, names_someone: bool = False) -> Signals:
    """Read the signals of a burst of `today`; `names_someone` tells whether it names an entity of the bond."""
    plain = chinese_script.simplify(cut_to_ends(said)).replace("’", "'")
    folded = text.fold(plain)
    asked = sentences.remove_attention(narrated_questions.cut_to_question(plain))
    of_asked = text.fold(asked)
    mark = _MARK.search(_ADDRESS.sub(" ", asked)) is not None
    interrogative = clauses.is_interrogative(asked)
    asks = mark or interrogative
    asks_shared = references.refers_to_shared_past(of_asked)
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
        asks_past=asks and (asks_shared or asks_of_past(of_asked, today=today, names_someone=names_someone)),
    )


def asks_of_past(folded: str, *, today: date, names_someone: bool) -> bool:
    """Whether a question without a reference asks for what was told: it is about the user, a known name or days that are over,
    or asks of somebody for a kind of thing: "How old is she?", 她叫什么.

    Not so where it asks what the companion does or feels, or what is to be done now or later.
    """
    if present_questions.is_of_now(folded):
        return False
    if query_intent.detect_intent(folded, names_someone=names_someone) is QueryIntent.MEMORY:
        return True
    if _OF_SOMEBODY.search(folded) and answer_kinds.find(folded).kinds:
        return True
    named = periods.find_periods(folded, today=today)
    return bool(named) and all(period.end < today for period in named)


def cut_to_ends(said: str) -> str:
    if len(said) <= 2 * READ_AT_EACH_END:
        return said
    return f"{said[:READ_AT_EACH_END]}\n{said[-READ_AT_EACH_END:]}"


def compute_density(said: str) -> float:
    """Return the share of distinct terms that are no small talk among all words; in Chinese, characters stand for words."""
    runs = text.split_runs(said)
    length = sum(len(run) if text.has_cjk(run) else 1 for run in runs)
    terms = {term for term in text.extract_terms(said) if len(term) == 1 or not text.has_cjk(term)}
    return round(len(terms - query_intent.SMALL_TALK) / max(MIN_LENGTH, length), 3)
