import pytest

from chat.benchmark import figures
from chat.benchmark.figures import Figure


@pytest.mark.parametrize(("value", "held"), [(60, True), (60.004, True), (60.01, False)])
def test_a_figure_that_must_stay_below_says_whether_it_does(value, held):
    figure = figures.at_most("turn", value, limit=60, unit="ms", runs=5)

    assert figure == Figure("turn", round(value, 2), "ms", "<= 60", held=held, runs=5)


@pytest.mark.parametrize(("value", "held"), [(5, True), (4.99, False)])
def test_a_figure_that_must_reach_something_says_whether_it_does(value, held):
    figure = figures.at_least("rate", value, limit=5, unit="a second", runs=7)

    assert figure == Figure("rate", value, "a second", ">= 5", held=held, runs=7)


def test_middle_and_slowest_of_a_hundred():
    values = list(range(101))

    assert [figures.median("turn", values, limit=50), figures.p95("turn", values, limit=90)] == [
        Figure("turn, p50", 50, "ms", "<= 50", held=True, runs=101),
        Figure("turn, p95", 95, "ms", "<= 90", held=False, runs=101),
    ]
