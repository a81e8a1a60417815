import pytest

from memory.evaluation import tally
from memory.evaluation.tally import Tally


def counted(name, *, found, missed):
    made = Tally()
    for hit in [True] * found + [False] * missed:
        made.count(name, found=hit, miss="one")
    return made


@pytest.mark.parametrize(
    ("name", "found", "held"),
    [
        ("alias recall", 9, True),
        ("alias recall", 8, False),
        ("offline false peaks", 2, True),
        ("offline false peaks", 3, False),
        ("deletion compliance", 10, True),
        ("deletion compliance", 9, False),
    ],
)
def test_figure_holds_at_its_target(name, found, held):
    made = counted(name, found=found, missed=10 - found)

    [figure] = tally.build_figures({"en": made}, names=[name])

    sense, target = tally.TARGETS[name]
    assert figure == {"name": name, "lang": "en", "value": found / 10, "target": f"{sense} {target}", "held": held}


def test_f1_counts_what_is_missing_and_what_is_beside():
    made = counted("factual recall F1", found=4, missed=1)
    made.add_beside("factual recall F1", miss="the weather")

    assert made.value("factual recall F1") == pytest.approx(8 / 10)
    assert made.misses["factual recall F1"] == ["one", "the weather"]


def test_a_fault_is_missed_where_it_is_found():
    made = Tally()
    for hit in (True, False):
        made.count_fault("over-recall", found=hit, miss="the weather")

    assert (made.value("over-recall"), made.misses["over-recall"]) == (0.5, ["the weather"])


def test_chinese_is_compared_with_english_in_the_figure_that_is_furthest_behind():
    en, zh = counted("alias recall", found=10, missed=0), counted("alias recall", found=9, missed=1)
    for hit in (True, False, False, False, False):
        zh.count("over-recall", found=hit)
        en.count("over-recall", found=False)

    senses = {"alias recall": ">=", "over-recall": "<="}
    assert tally.compute_worst_gap({"en": en, "zh": zh}, senses=senses) == pytest.approx(0.2)
    assert tally.compute_worst_gap({"en": zh, "zh": en}, senses=senses) == 0.0
    assert tally.compute_worst_gap({"en": en}, senses=senses) is None


def test_reported_figures_have_no_target():
    made = counted("live false peaks", found=1, missed=3)

    assert tally.build_figures({"en": made}, names=["live false peaks", "alias recall"], reported=True) == [
        {"name": "live false peaks", "lang": "en", "value": 0.25, "target": None, "held": None}
    ]
