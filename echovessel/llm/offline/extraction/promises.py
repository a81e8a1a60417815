"""Finds the persona's promises: in the first person, with a day, and not refused by the user."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from echovessel import lazy_re as re
from echovessel.llm.inputs import ExtractionInputs
from echovessel.llm.offline import event_dates
from echovessel.llm.offline.text import lexicon, sentences
from echovessel.periods import Leaning

_PROMISE = re.compile(
    r"\b(?:i'll|i will|i promise|i'm going to|i shall|let me)\b(?! (?:be here|not be|always|never|have to|bet|admit|say|guess|remember that|keep (?:that|it|this) in mind))"
    r"|(?:我|咱)(?:到时候|一定|保证|答应你?|会|来|就|再|去|给你|帮你|陪你|提醒你|问你|想着)",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"^\W*(?:no\b(?!t? (?:way|problem|idea|worries))|nope|nah|please don'?t|don'?t\b(?! (?:forget|be late))|you don'?t (?:have|need) to|not necessary|rather not|i'?d rather you didn'?t|never ?mind|stop\b)"
    r"|\bno need\b|\bdon'?t (?:bother|ask|remind)|^\W*(?:不用|别|不必|不要|算了|不需要|还是别)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:好的?|嗯|行|没问题)[，,。]\s*|^(?:okay|ok|sure|all right|of course|yes)[,.] ", re.IGNORECASE)
# What the companion repeats of the user's words, also where it was cut off.
_QUOTED = re.compile(r"“[^”]*(?:”|$)|「[^」]*(?:」|$)")


@dataclass(frozen=True)
class Promise:
    text: str
    line: int
    start: date
    end: date


def find_promises(inputs: ExtractionInputs) -> list[Promise]:
    """Return the persona's promises in the order they were made."""
    return list(_find(inputs))


def _find(inputs: ExtractionInputs) -> Iterator[Promise]:
    for at, line in enumerate(inputs.lines):
        answer = next((later.text for later in inputs.lines[at + 1 :] if later.is_user), "")
        if line.is_user or _REFUSED.search(lexicon.normalise(answer)):
            continue
        for sentence in sentences.split(_QUOTED.sub("…", line.text)):
            plain = lexicon.normalise(sentence)
            day = event_dates.find_days(plain, said_on=line.said_at.date(), leaning=Leaning.FUTURE)
            if day and day.end >= line.said_at.date() and _PROMISE.search(plain) and not sentences.is_question(plain):
                yield Promise(_LEAD.sub("", sentence), line.number, day.start, day.end)
