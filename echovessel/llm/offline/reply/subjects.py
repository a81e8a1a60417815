"""Finds the subject of a message for which there are sayings, and the user's word for it."""

from dataclasses import dataclass

from echovessel.llm.offline.reply.tones import Tone
from echovessel.llm.offline.text import cue_matching, lexicon

_GOOD = (Tone.JOY, Tone.RELIEF, Tone.CALM)
_HARD = (Tone.FEAR, Tone.SADNESS, Tone.ANGER, Tone.CALM)
# The tones in which a subject has its own sayings; in others those of the tone fit better.
_FITS = {
    "medical": (Tone.FEAR, Tone.SADNESS, Tone.CALM),
    "accident": _HARD,
    "birth": _GOOD,
    "expecting": (Tone.JOY,),
    "baby_step": _GOOD,
    "wedding": (Tone.JOY, Tone.CALM),
    "success": _GOOD,
    "parting": (Tone.SADNESS, Tone.CALM),
    "unheard": _HARD,
    "overlooked": _HARD,
    "quarrel": _HARD,
    "longing": _HARD,
    "ill": (Tone.FEAR, Tone.SADNESS, Tone.CALM, Tone.FATIGUE),
    "birthday": _GOOD,
    "habit": _GOOD,
    "farness": (Tone.SADNESS,),
    "job_lost": _HARD,
    "secret": _HARD,
    "neighbour": (Tone.ANGER,),
    "pet": (Tone.CALM, Tone.JOY),
    "music": (Tone.CALM, Tone.JOY),
    "travel": (Tone.CALM, Tone.JOY),
    "garden": (Tone.CALM, Tone.JOY),
    "sleep": (Tone.CALM, Tone.FATIGUE),
    "sleepless": (Tone.CALM, Tone.FATIGUE, Tone.SADNESS, Tone.FEAR),
    "funny": (Tone.CALM, Tone.JOY, Tone.TEASING),
}
_ELSE = (Tone.CALM,)
# Nobody is wished well on what is off, denied or only hoped for.
_CHEERED = ("birth", "expecting", "wedding", "success", "habit")
# Others of those are answered before a new name is: "I had a row with my brother Emil".
_LIGHT = ("neighbour", "pet", "music", "travel", "garden", "sleep", "funny")


@dataclass(frozen=True)
class Subject:
    kind: str
    word: str

    @property
    def is_light(self) -> bool:
        """Whether it may wait until a name that was told is taken up."""
        return self.kind not in _FITS or self.kind in _LIGHT


def find_subject(text: str, tone: Tone) -> Subject | None:
    plain = lexicon.normalise(text)
    is_dampened = cue_matching.has_cue("DAMPENED", text)
    for kind, pattern in cue_matching.choose_cues(text).SUBJECTS.items():
        if is_dampened and kind in _CHEERED:
            continue
        if tone in _FITS.get(kind, _ELSE) and (found := [*cue_matching.compile_cue(pattern).finditer(plain)]):
            # Of several the last says most: "a lump, and now a biopsy".
            return Subject(kind, (found[-1][1] or "").lower() if found[-1].re.groups else "")
    return None
