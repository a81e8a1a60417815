import pytest

from chat.evaluation.mind import stories, suite, telling
from memory.evaluation.stories.story import load_all
from memory.evaluation.tally import LANGUAGES, Tally
from memory.models import ConceptNode
from tests.memory.evaluation.stories import small

LIFE = {
    "en": (
        "My dog is called Biscuit.",
        "What is my dog called?",
        "What is my cat called?",
        "Which song did we dance to?",
    ),
    "zh": ("我的狗叫豆豆。", "我的狗叫什么？", "我的猫叫什么？", "我们跳舞的时候放了哪首歌？"),
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_signals_meet_their_targets_in_both_halves(lang):
    counted = Tally()
    suite.count_signals(lang, counted)
    suite.count_now_and_later(lang, counted)

    figures = {name: counted.value(name) for name in counted.found}
    assert figures == dict.fromkeys(
        name + half for name in (suite.SIGNALS, suite.TRAPS, suite.NOW_AND_LATER) for half in ("", suite.KEPT_BACK)
    ) | dict.fromkeys(figures, 1.0)


@pytest.mark.parametrize("half", suite.HALVES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_list_is_as_long_as_the_design_asks(lang, half):
    life = telling.load_life(lang, half=half)

    assert len(life.told) == 30
    assert len(suite.read_lines(f"signals_{lang}.txt")) >= 120
    assert len(suite.read_lines(f"now_{lang}.txt")) == 40
    assert (len(life.answerable), len(life.near), len(life.never)) == (40, 20, 20)


@pytest.mark.parametrize(("half", "count"), [("", 28), ("_kept_back", 4)])
def test_both_languages_have_as_many_further_lives(half, count):
    english, chinese = (
        [(len(life.told), len(life.answerable), len(life.near)) for life in telling.load_lives(lang, half=half)]
        for lang in LANGUAGES
    )

    assert english == chinese
    assert len(english) == count


def test_each_story_has_as_many_questions_that_are_judged_apart():
    asked = [stories.load_kept_back(story) for story in load_all()]

    assert [(len(one.questions), len(one.untold)) for one in asked] == [(7, 4)] * 10


@pytest.mark.django_db
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_told_is_answered_and_what_was_not_is_not(lang):
    said, told, near, never = LIFE[lang]
    life = telling.ToldLife(
        lang=lang,
        user="Nora",
        persona="Iris",
        names=["Peg"],
        told=[{"said": said, "memory": said}],
        answerable=[told],
        near=[near],
        never=[never],
    )
    bond = telling.tell(life)
    counted = Tally()
    suite.count_answers(life, bond, counted)

    assert ConceptNode.objects.for_bond(bond).get().description == said
    assert {name: counted.value(name) for name in counted.found.keys() | counted.missed.keys()} == {
        suite.ANSWERED: 1.0,
        suite.ABSTAINED: 1.0,
        suite.CLAIMED: 0.0,
    }


@pytest.mark.django_db
def test_a_story_is_asked_what_stands_in_the_prompt_and_what_was_never_told():
    questions = [
        {"ask": "When does my sister Yiyang start at the ferry office?", "find": ["ferry"]},
        # It asks for nothing of the past, so that it has no state.
        {"ask": "My grandmother died.", "find": ["gran"]},
        # Its answer is not found.
        {"ask": "Which submarine did I captain?", "find": ["gran"]},
    ]
    counted = Tally()
    suite.count_story(small(questions=questions, untold=["What is my cat called?"]), counted)

    assert counted.found == {suite.STORY_ANSWERED: 1, suite.STORY_ABSTAINED: 1}
    assert counted.missed == {suite.STORY_CLAIMED: 1}


def test_a_gap_between_languages_is_a_figure_of_its_own():
    tallies = {"en": Tally(), "zh": Tally()}
    tallies["en"].count(suite.ANSWERED + suite.KEPT_BACK, found=True)
    tallies["zh"].count(suite.ANSWERED + suite.KEPT_BACK, found=False, miss="A question.")
    *figures, gap = suite.build_figures(tallies)

    assert (gap["name"], gap["value"], gap["held"]) == (suite.GAP, 1.0, False)
    assert [figure["name"] for figure in figures if figure["held"] is False and "told" not in figure["name"]] == [
        figure["name"] for figure in figures if "told" not in figure["name"]
    ]
