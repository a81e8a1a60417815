from functools import cache

import pytest

from memory.evaluation.languages import suite as languages_suite
from memory.evaluation.languages.suite import LanguageQuestion, LanguageResult
from memory.evaluation.stories import story, telling
from memory.evaluation.stories.scripted import ScriptedLLM
from tests.memory.evaluation.stories import small


@cache
def stories():
    return {one.name: one for one in story.load_all()}


def shares(name):
    """For each question of a set, whether it shares a word with what it should find."""
    return [
        languages_suite.shares_word(one.ask, [stories()[of].find_text(id) for id in one.find])
        for of, asked in languages_suite.load_questions(name).items()
        for one in asked
    ]


@pytest.mark.parametrize("name", languages_suite.TARGETS)
def test_what_should_be_found_is_told_and_not_taken_back(name):
    for of, asked in languages_suite.load_questions(name).items():
        told = stories()[of]
        gone = {one.id for one in told.forgets}
        replaced = {id for one in told.remembered.values() for id in one.replaces}
        assert {id for one in asked for id in one.find} <= told.remembered.keys() - gone - replaced


def test_half_of_the_chinese_questions_share_no_word_with_the_memory():
    found = shares("chinese")

    assert len(found) >= 60
    assert found.count(False) >= len(found) / 2


def test_questions_across_languages_share_no_word():
    found = shares("crossed")

    assert len(found) >= 30
    assert not any(found)


@pytest.mark.parametrize(
    ("asked", "told", "shared"),
    [("猫叫什么？", ["一只猫"], False), ("白猫呢？", ["一只白猫"], True), ("Which ferry?", ["the ferries"], True)],
)
def test_a_shared_word_is_a_word_or_two_characters_that_stand_together(asked, told, shared):
    assert languages_suite.shares_word(asked, told) is shared


@pytest.mark.django_db
def test_questions_are_answered_by_what_is_recalled_first():
    told = small()
    bond = telling.tell(told, llm=ScriptedLLM(told))
    asked = [LanguageQuestion(ask="Which ferry office?", find=["ferry"]), LanguageQuestion(ask="Tides?", find=["gran"])]

    ferry, tides = languages_suite.ask(told, bond, asked)

    assert (ferry.place, ferry.is_hit, ferry.shares) == (1, True, True)
    assert (tides.place, tides.is_hit, tides.shares) == (None, False, False)
    assert languages_suite.format_miss("chinese", tides) == "chinese  small: Tides?  gran is not found; first: nothing"


def found(place, *, shares=True):
    return LanguageResult(
        story=small(), asked=LanguageQuestion(ask="?", find=["gran"]), place=place, shares=shares, first=()
    )


def test_figures_are_of_the_whole_and_of_its_parts(settings):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = "onnx", "bundled"
    made = languages_suite.build_figures("chinese", [found(3), found(4), found(1, shares=False), found(1)])

    assert [(one["name"], one["n"], one["value"], one["target"], one["held"]) for one in made] == [
        ("chinese in the first 3", 4, 0.75, ">= 0.9", False),
        ("chinese in the first 3, a word shared", 3, 0.667, None, None),
        ("chinese in the first 3, none shared", 1, 1.0, None, None),
    ]


@pytest.mark.parametrize(("backend", "target"), [("onnx", None), ("e5", ">= 0.8")])
def test_across_languages_only_a_multilingual_model_has_a_target(settings, backend, target):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = backend, "bundled"

    [whole, *_] = languages_suite.build_figures("crossed", [found(1, shares=False)])

    assert whole["target"] == target
