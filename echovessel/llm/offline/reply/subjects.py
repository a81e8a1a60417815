"""Finds the subject of a message for which there are sayings."""

from echovessel.llm.offline.reply.tones import Tone
from echovessel.llm.offline.text import cue_matching

_GOOD = (Tone.JOY, Tone.RELIEF, Tone.CALM)
_HARD = (Tone.FEAR, Tone.SADNESS, Tone.ANGER, Tone.CALM)
# The tones in which a subject has its own sayings; in others those of the tone fit better.
_FITS = {
    "sadness": _HARD,
    "worry": (Tone.FEAR, Tone.SADNESS, Tone.CALM, Tone.FATIGUE),
    "birthday": _GOOD,
    "news": _GOOD,
    "secret": _HARD,
    "funny": (Tone.CALM, Tone.JOY, Tone.TEASING),
}
# Others are answered before a new name is: "I had a row with my brother Emil".
LIGHT = ("funny",)


def find_subject(text: str, tone: Tone) -> str:
    """Return the subject of a text that may be answered in its tone; "" where it has none."""
    # Nobody is wished well on what is off, denied or only hoped for.
    is_dampened = cue_matching.has_cue("DAMPENED", text)
    found = (
        kind
        for kind, pattern in cue_matching.choose_cues(text).SUBJECTS.items()
        if tone in _FITS[kind] and not (is_dampened and kind == "news") and cue_matching.search(pattern, text)
    )
    return next(found, "")
