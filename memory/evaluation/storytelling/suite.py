"""Evaluate what tells long talks: the gate of the detector, on the stories woven with small talk."""

from collections.abc import Iterable

from memory.evaluation.storytelling import scene_borders
from memory.evaluation.storytelling.scene_borders import BORDERS, BY_CHANCE
from memory.evaluation.storytelling.weaving import WovenTalk
from memory.evaluation.tally import Evaluated, Tally, build_figure

TARGET = (">=", 0.5)


def evaluate(talks: Iterable[WovenTalk]) -> Evaluated:
    evaluated = Evaluated()
    for talk in talks:
        tally = Tally()
        scene_borders.evaluate(talk, tally)
        evaluated.figures.append(build_figure(BORDERS, talk.lang, tally.value(BORDERS), target=TARGET))
        evaluated.figures.append(build_figure(BY_CHANCE, talk.lang, tally.value(BY_CHANCE)))
        evaluated.misses += tally.misses[BORDERS]
    return evaluated
