"""In which tone something is said: by cues of the tone, else by what the sentence weighs."""

from enum import StrEnum

from echovessel.llm.offline import cueing, lexicon, sentences, weighing
from echovessel.llm.offline.weighing import Feeling


class Tone(StrEnum):
    RELIEF = "relief"
    GRIEF = "grief"
    TEASING = "teasing"
    FEAR = "fear"
    FATIGUE = "fatigue"
    ANGER = "anger"
    SADNESS = "sadness"
    JOY = "joy"
    CALM = "calm"


_OF_TAG = {
    **dict.fromkeys(("grief", "loss"), Tone.GRIEF),
    **dict.fromkeys(("fear", "anxiety", "despair", "stress"), Tone.FEAR),
    **dict.fromkeys(("sadness", "heartbreak", "loneliness", "disappointment", "pain", "shame", "hurt"), Tone.SADNESS),
    **dict.fromkeys(("relief", "reconciliation"), Tone.RELIEF),
    "anger": Tone.ANGER,
}
_FELT = 3
_NEAR = 24


def of(text: str) -> Tone:
    said = _by_cues(text)
    felt = max(_feelings(text), key=lambda feeling: abs(feeling.impact), default=None)
    if felt is None or abs(felt.impact) < _FELT:
        return said or Tone.CALM
    is_heavy = felt.impact <= -weighing.PEAK
    if said is None or (is_heavy and said in (Tone.JOY, Tone.TEASING)):
        return _OF_TAG.get(felt.tag, Tone.JOY if felt.impact > 0 else Tone.SADNESS)
    return said


def _by_cues(text: str) -> Tone | None:
    words = cueing.words(text)
    plain = lexicon.plain(text)
    for tone, pattern in words.TONES:
        if any(
            not cueing.search(words.NOT, plain[max(0, found.start() - _NEAR) : found.start()])
            for found in cueing.compiled(pattern).finditer(plain)
        ):
            return Tone(tone)
    return None


def _feelings(text: str) -> list[Feeling]:
    return [feeling for said in sentences.split(text) for feeling in weighing.feelings(said)]
