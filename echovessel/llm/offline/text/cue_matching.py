"""Matches the cue patterns of the text's language."""

from functools import cache
from types import ModuleType

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import cues as chinese_cues
from echovessel.llm.offline.english import cues as english_cues
from echovessel.llm.offline.text import lexicon

_INDIRECT = re.compile(
    r"(?:\b(?:remember|know|recall|tell me|remind me)(?: again)? |^\W*)(where|what|when|which \w+|how \w+) (i|we)"
    r" ((?:work|live|do|come from|study|drive|keep|sleep|train|play|teach|park|buy|get|go)\b[^?!]*)",
    re.IGNORECASE,
)

_ASKS_FACT = re.compile(
    r"^\W*(?:(?:and|so|but)\W+)?(?:who|whose|when|where|which|what(?:'?s| is| was| (?:am|was) i (?:so )?(?:afraid|scared|frightened)| (?:upset|made|hurt|[a-z]+ed) (?:me|us)\b(?!.* is\b))|how (?:old|many|long|did i))\b(?!.*\b(?:will|should|can|could)\b)"
    r"|谁|为(?:什么|啥).{1,12}的\W*$|什么时候|哪[年天里儿个]|几[岁月号年]|我[最会]?怕(?:什么|啥|[^，,。]{1,5}吗)",
    re.IGNORECASE,
)


def choose_cues(text: str) -> ModuleType:
    return chinese_cues if lexicon.is_chinese(text) else english_cues


def has_cue(name: str, text: str) -> bool:
    return search(getattr(choose_cues(text), name), text) is not None


def find_product_kind(text: str) -> str:
    """Return which question about memory and this server a text asks, as "readers"; "" for none."""
    kinds = choose_cues(text).PRODUCT.items()
    return next((kind for kind, pattern in kinds if search(pattern, text)), "")


def find_asked_slots(question: str) -> list[str]:
    """Return the slots of facts that a question about the user's name, job, home and the like asks for."""
    return [slot for slot, pattern in choose_cues(question).ASKS_SLOT if search(pattern, question)]


def make_direct(question: str) -> str:
    """Return "do you remember where I work?" as "where do I work?": what is asked about, as most people ask it."""
    match = _INDIRECT.search(lexicon.normalise(question))
    return f"{match[1]} do {match[2]} {match[3]}?" if match else question


def asks_fact(text: str) -> bool:
    """Whether it asks for somebody, a day, a place or a number."""
    return _ASKS_FACT.search(text) is not None


def search(pattern: str, text: str) -> re.Match[str] | None:
    return compile_cue(pattern).search(lexicon.normalise(text))


@cache
def compile_cue(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
