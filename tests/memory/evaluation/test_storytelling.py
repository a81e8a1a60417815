import pytest

from memory.evaluation.storytelling import scene_borders, weaving
from memory.evaluation.storytelling.scene_borders import BORDERS, BY_CHANCE
from memory.evaluation.storytelling.weaving import WovenLine, WovenTalk
from memory.evaluation.tally import Tally

BREAD, BOAT = "The sourdough starter and the rye flour.", "The harbour boat lost its sail."


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_scenes_of_a_woven_talk_have_12_to_40_lines_and_whole_turns(lang):
    talk = weaving.weave(lang)

    lengths = [sum(line.scene == scene for line in talk.lines) for scene in range(talk.lines[-1].scene + 1)]
    assert 1_500 < len(talk.lines) <= 2_000
    assert min(lengths) >= 11
    assert max(lengths) <= 40
    assert all(talk.lines[end].turn < talk.lines[end + 1].turn for end in talk.ends)
    assert weaving.weave(lang) == talk
    assert weaving.weave(lang, seed=1, most=100) != weaving.weave(lang, most=100)


def build_talk(*texts, scenes):
    return WovenTalk("en", [WovenLine(said, at % 2 == 0, at // 2, at // scenes) for at, said in enumerate(texts)])


def test_ends_of_scenes_near_candidates_are_counted():
    talk = build_talk(*[BREAD] * 16, *[BOAT] * 16, *[BREAD] * 24, scenes=16)
    tally = Tally()

    scene_borders.evaluate(talk, tally)

    assert (tally.found[BORDERS], tally.missed[BORDERS]) == (2, 1)
    assert tally.misses[BORDERS] == [f"en: {BREAD} | {BREAD}"]
    assert tally.found[BY_CHANCE] + tally.missed[BY_CHANCE] == 3
