import pytest
from django.core.management import CommandError, call_command

from echovessel.llm import voices
from memory.evaluation import stories_suite
from memory.evaluation.stories_suite import Tally
from personas.models import Bond


@pytest.mark.django_db
def test_stories_are_told_asked_about_and_counted():
    figures, misses = stories_suite.evaluate(llm=voices.fallback())

    assert [(figure["name"], figure["lang"], figure["target"]) for figure in figures] == [
        (name, lang, target)
        for lang in ("en", "zh")
        for name, target in (("factual recall", ">= 0.8"), ("peak retention", ">= 0.9"), ("false peaks", "<= 0.2"))
    ]
    assert {figure["value"] for figure in figures if figure["name"] == "peak retention"} == {1.0}
    assert all(figure["held"] for figure in figures if figure["name"] != "factual recall")
    assert Bond.objects.count() == len(stories_suite.stories()) == 4
    assert all(": " in miss for miss in misses)


@pytest.mark.parametrize(
    ("name", "hits", "held"),
    [("factual recall", 8, True), ("factual recall", 7, False), ("false peaks", 2, True), ("false peaks", 3, False)],
)
def test_figure_holds_at_its_target(name, hits, held):
    tally = Tally()
    for at in range(10):
        tally.count(name, hit=at < hits)

    assert stories_suite.figure(name, "en", tally)["held"] is held


def test_live_needs_a_model_server():
    with pytest.raises(CommandError, match="--live needs a model server"):
        call_command("evaluate", live=True)
