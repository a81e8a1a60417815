"""What a line is about, as far as there are sayings for it, and the word of the user's that names it."""

from dataclasses import dataclass

from echovessel.llm.offline import cueing, lexicon
from echovessel.llm.offline.tones import Tone

_GOOD = (Tone.JOY, Tone.RELIEF, Tone.CALM)
_HARD = (Tone.FEAR, Tone.SADNESS, Tone.ANGER, Tone.CALM)
# In which tones a matter has words of its own; in others those of the tone say more.
_FITS = {
    "medical": (Tone.FEAR, Tone.SADNESS, Tone.CALM),
    "accident": _HARD,
    "birth": _GOOD,
    "baby_step": _GOOD,
    "wedding": (Tone.JOY, Tone.CALM),
    "success": _GOOD,
    "parting": (Tone.SADNESS, Tone.CALM),
    "unheard": _HARD,
    "quarrel": _HARD,
    "longing": _HARD,
    "ill": (Tone.FEAR, Tone.SADNESS, Tone.CALM, Tone.FATIGUE),
    "birthday": _GOOD,
    "habit": _GOOD,
    "farness": (Tone.SADNESS,),
    "job_lost": _HARD,
    "secret": _HARD,
    "neighbour": (Tone.ANGER, Tone.CALM),
    "pet": (Tone.CALM, Tone.JOY),
    "music": (Tone.CALM, Tone.JOY),
    "travel": (Tone.CALM, Tone.JOY),
    "garden": (Tone.CALM, Tone.JOY),
    "sleep": (Tone.CALM, Tone.FATIGUE),
}
_ELSE = (Tone.CALM,)


@dataclass(frozen=True)
class Matter:
    kind: str
    word: str


def of(text: str, tone: Tone) -> Matter | None:
    plain = lexicon.plain(text)
    for kind, pattern in cueing.words(text).MATTERS.items():
        if tone in _FITS.get(kind, _ELSE) and (found := [*cueing.compiled(pattern).finditer(plain)]):
            # Of several the last says most: "a lump, and now a biopsy".
            return Matter(kind, (found[-1][1] or "").lower() if found[-1].re.groups else "")
    return None
