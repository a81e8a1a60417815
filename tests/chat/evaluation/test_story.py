import pytest

from chat.evaluation.story import suite
from chat.evaluation.story.asking import FULL, WITH_RECALL, count_shared
from chat.evaluation.story.suite import RULES, SCRIPTED
from echovessel.llm import provider
from memory.evaluation.stories import story
from memory.evaluation.storytelling import weaving
from personas.models import Bond


@pytest.mark.django_db
def test_a_short_talk_is_told_in_both_ways_and_asked_about(monkeypatch):
    monkeypatch.setattr(suite, "LOOKED_AT_EVERY", 1)
    talk = weaving.weave("en", most=110, stories=[story.load(story.FOLDER / "kiln.yaml")])
    said = []

    evaluated = suite.evaluate(offline=provider.get_fallback_llm(), say=said.append, talks=[talk])

    values = {one["name"]: one["value"] for one in evaluated.figures}
    assert said == [f"Telling {len(talk.lines)} lines, {way}, en" for way in (SCRIPTED, RULES)]
    for way in (SCRIPTED, RULES):
        assert values[f"{way}, {WITH_RECALL}, {FULL}"] == 1.0
        assert [values[f"{way}, {name}"] for name in (suite.PROMPT, suite.VERSIONS, suite.DUMP, suite.UNCOVERED)] == [
            0
        ] * 4
        assert 0.3 < values[f"{way}, {suite.REPEATED_BEFORE}"] < values[f"{way}, {suite.REPEATED}"] < 1
        assert 0 < values[f"{way}, {suite.RATIO}"] < 1
    assert values[f"{SCRIPTED}, {suite.WORK}"] > values[f"{RULES}, {suite.WORK}"] == 0
    assert all(miss.startswith(("en", "scripted, en: ", "rules alone, en: ")) for miss in evaluated.misses)
    assert not Bond.objects.exists()


@pytest.mark.parametrize(
    ("before", "after", "share"),
    [(b"abcd", b"abxy", 0.5), (b"ab", b"abcd", 0.5), (b"abcd", b"ab", 1.0), (b"x", b"ab", 0.0)],
)
def test_a_prompt_repeats_what_the_last_one_began_with(before, after, share):
    assert count_shared(before, after) == share


def test_chinese_is_compared_where_more_is_better():
    values = {
        "en": {suite.HELD_BY_STORY: 0.9, suite.STRONG: 0.95},
        "zh": {suite.HELD_BY_STORY: 0.95, suite.STRONG: 0.88},
    }
    values["en"]["folded facts asked about, in the prompt, last 20 lines"] = 0.5
    values["zh"]["folded facts asked about, in the prompt, last 20 lines"] = 0.96

    made = {(one["name"], one["lang"]): (one["target"], one["held"]) for one in suite.build_figures(RULES, values)}

    assert made[f"{RULES}, {suite.GAP}", "zh"] == ("<= 0.05", False)
    assert made[f"{RULES}, {suite.STRONG}", "zh"] == (">= 0.6", True)
    assert made[f"{RULES}, {suite.HELD_BY_STORY}", "en"] == (">= 0.5", True)
    assert made[f"{RULES}, {suite.HELD_BY_STORY}", "zh"] == (">= 0.96", False)


@pytest.mark.parametrize(("zh", "held"), [(0.95, True), (0.949, False)])
def test_chinese_may_be_five_hundredths_behind(zh, held):
    of = {
        lang: {f"{suite.WITH_RECALL}, {suite.LAST}": 0.0, suite.STRONG: value}
        for lang, value in (("en", 1.0), ("zh", zh))
    }

    *_, gap = suite.build_figures(RULES, of)

    assert (gap["name"], gap["held"]) == (f"{RULES}, {suite.GAP}", held)
