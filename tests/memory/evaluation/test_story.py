from datetime import UTC, date, datetime

import pytest
from pydantic import ValidationError

from memory.evaluation.stories import story
from memory.evaluation.stories.parts import StoryQuestion
from tests.memory.evaluation.stories import raw, small


def test_story_knows_its_moments():
    told = small()

    assert told.moment(told.talks[1]) == datetime(2026, 3, 4, 22, 40, tzinfo=UTC)
    assert told.asked_at() == datetime(2026, 3, 5, 22, 40, tzinfo=UTC)
    assert told.asked_at(StoryQuestion(ask="And then?", find=["gran"], day=9, at="08:00")) == datetime(
        2026, 3, 10, 8, 0, tzinfo=UTC
    )
    assert told.remembered["ferry"].when == (date(2026, 3, 3), date(2026, 3, 3))


def test_things_are_about_threads_and_people_and_thoughts_about_what_they_rest_on():
    told = small()

    assert told.collect_threads("fond") == told.collect_threads("ferry") == {"sister", "Yiyang"}
    assert told.collect_threads("ask-wednesday") == {"sister"}
    assert told.collect_related(told.questions[0]) == {"job"}
    assert told.collect_related(StoryQuestion(ask="And Yiyang?", find=["gran"])) == {"gran", "Yiyang"}


def talks_with(**remembered):
    told = raw()
    told["talks"][0]["remembered"][0] |= remembered
    return told["talks"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"talks": talks_with(**{"from": ["never said"]})}, "'never said' is in 0 lines"),
        ({"talks": talks_with(**{"from": ["a"]})}, "'a' is in 3 lines"),
        ({"talks": talks_with(peak=["starts"])}, "ferry is a peak of impact 3"),
        ({"talks": talks_with(id="gran")}, "twice \\['gran'\\]"),
        ({"talks": talks_with(mood="odd")}, "Extra inputs are not permitted"),
        ({"questions": [{"ask": "Who?", "find": ["nobody"]}]}, "unknown \\['nobody'\\]"),
        ({"questions": [{"ask": "Who?", "find": ["gran"], "about": ["tax"]}]}, "threads of nothing \\['tax'\\]"),
        ({"questions": [{"ask": "Where?", "find": ["key"]}]}, "forgotten and asked for"),
        ({"talks": raw()["talks"][::-1]}, "not in the order of their times"),
        ({"talks": [raw()["talks"][0] | {"lines": [{"u": "a", "p": "b"}]}]}, "either u or p"),
    ],
)
def test_story_that_does_not_hang_together_is_refused(changes, said):
    with pytest.raises(ValidationError, match=said):
        small(**changes)


@pytest.mark.parametrize("name", [path.name for path in sorted(story.FOLDER.glob("*.yaml"))])
def test_story_of_the_suite_has_all_that_is_asked_of_one(name):
    told = story.load(story.FOLDER / name)
    by = [question.by for question in told.questions]
    subjects = [one.subject for one in told.remembered.values()]
    replaced = {old for one in told.remembered.values() for old in one.replaces}
    peaks = {id for id, one in told.remembered.items() if one.peak} - replaced
    asked = {id for question in told.questions if question.by == "peak" for id in question.find}
    ends = told.ends.states.values()

    assert len(told.talks) >= 13
    assert told.talks[-1].day <= 16
    assert {talk.channel for talk in told.talks} == {"web", "api"}
    assert all(any(line.p for line in talk.lines) for talk in told.talks)
    assert len(peaks) >= 2
    assert peaks - {one.id for one in told.forgets} == asked
    assert len(told.forgets) >= 1
    assert any(one.replaces for one in told.remembered.values())
    assert sum(one.when is not None and one.subject != "persona" for one in told.remembered.values()) >= 3
    assert subjects.count("persona") >= 2
    assert {"kept", "broken", "superseded"} <= set(ends)
    assert any(talk.cleared for talk in told.talks)
    assert any(len(names) >= 3 for names in told.ends.same)
    assert told.ends.different
    assert len(told.questions) >= 12
    assert min(by.count("alias"), by.count("dated")) >= 3
    assert len(told.unrelated) >= 8
    assert len(told.untold) >= 8
