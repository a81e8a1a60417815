import pytest

from memory.models import Story
from memory.story.inclusion import budget
from memory.story.inclusion.budget import Caps


@pytest.mark.parametrize(
    ("context", "firm", "expected"),
    [
        (128_000, 3000, 12_000),
        (7000, 1500, 5000),
        (7000, 1501, 4500),
        (15_500, 3000, 12_000),
        (15_499, 3000, 11_500),
        (1000, 3000, 0),
    ],
)
def test_the_budget_is_what_is_left_of_the_window_in_steps(settings, context, firm, expected):
    settings.CONTEXT_TOKENS = context

    assert budget.compute_budget(firm) == expected


def test_caps_of_the_usual_budget():
    caps = Caps(budget=12_000, story=1200, scenes=900, recaps=1500, window=4800, cards=800)

    assert budget.compute_caps(12_000, Story()) == caps


def test_caps_of_a_small_model(settings):
    settings.CONTEXT_TOKENS = 7000
    caps = Caps(budget=5000, story=750, scenes=400, recaps=700, window=2000, cards=350)

    assert budget.compute_caps(5000, Story()) == caps


@pytest.mark.parametrize(
    ("kind", "limit", "context", "expected"),
    [
        ("percent", 10, 8192, 819),
        ("percent", 100, 128_000, 1500),
        ("percent", 0, 128_000, 0),
        ("absolute", 819, 1000, 819),
        ("absolute", 1499, 128_000, 1499),
        ("absolute", 1501, 128_000, 1500),
    ],
)
def test_the_limit_of_line_recaps_has_a_ceiling(settings, kind, limit, context, expected):
    settings.CONTEXT_TOKENS = context
    story = Story(recap_limit=limit, recap_limit_kind=kind)

    assert budget.compute_caps(12_000, story).recaps == expected


def test_line_recaps_have_a_sixth_of_the_budget_at_most():
    assert budget.compute_caps(5000, Story(recap_limit=100)).recaps == 833
