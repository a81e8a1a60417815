"""Evaluate what tells long talks: the gate of the detector, on the stories woven with small talk."""

from collections.abc import Iterable
from typing import Any

from memory.evaluation.storytelling import scene_borders
from memory.evaluation.storytelling.scene_borders import BORDERS, BY_CHANCE
from memory.evaluation.storytelling.weaving import WovenTalk
from memory.evaluation.tally import Tally, build_compared_figure, build_figure

LANGUAGES = ("en", "zh")
TARGET = (">=", 0.5)


def evaluate(talks: Iterable[WovenTalk]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the figures by language, and the misses."""
    figures: list[dict[str, Any]] = []
    misses: list[str] = []
    for talk in talks:
        tally, lang = Tally(), talk.lang
        scene_borders.evaluate(talk, tally)
        figures.append(build_compared_figure(BORDERS, lang, tally.value(BORDERS), target=TARGET))
        figures.append(build_figure(BY_CHANCE, lang, tally.value(BY_CHANCE), reported=True))
        misses += tally.misses[BORDERS]
    return figures, misses
