from datetime import timedelta

import pytest

from memory.knowing import topics
from memory.knowing.topics import Evidence, Subject
from memory.models import Topic
from memory.recall.recent_topics import RecentTopics
from tests.support.factories import NOW

PEG, LIN, HARBOUR, DOG = 1, 2, 3, 4
# Unit vectors: the second has a cosine of 0.2 to the first, the third of 0.3.
EAST, UNLIKE, BETWEEN = [1.0, 0.0], [0.2, 0.96**0.5], [0.3, 0.91**0.5]
SENTENCES = (
    "Lamps glow along many narrow alleys tonight.",
    "Tigers swim across seven wide muddy rivers.",
    "Clocks chime above four empty market squares.",
)
PLAIN = "The kettle sings in every kitchen of the street."


def topic(**values):
    values = {"entity_ids": [PEG], "terms": ["violin"], "began_at": NOW, "last_turn_at": NOW} | values
    if "centre" in values:
        values |= {"centre_model": "m", "centre_count": 20}
    return Topic(pk=7, **values)


def said(text=PLAIN, **values):
    return Subject(said=text, model="m", named=frozenset(values.pop("named", ())), **values)


def step(current, subject, *, beside=(), earlier=(), is_return=False, now=NOW):
    known = RecentTopics(current=current, beside=frozenset(beside), earlier=earlier)
    return topics.take_step(known, subject, is_return=is_return, now=now)


@pytest.mark.parametrize(
    ("subject", "evidence"),
    [
        (said(shift=True), Evidence(shift=0.6)),
        (said("Let's change the subject of this evening now."), Evidence(shift=0.6)),
        (said("我们还是换个话题吧今天天气"), Evidence(shift=0.6, brief=-0.3)),
        (said(named=[LIN]), Evidence(names=0.6)),
        (said(named=[LIN, HARBOUR]), Evidence()),
        (said(named=[HARBOUR]), Evidence()),
        (said(named=[PEG, LIN]), Evidence(names=-0.6)),
        (said(vector=UNLIKE), Evidence(likeness=0.4)),
        (said(vector=BETWEEN), Evidence()),
        (said(vector=EAST), Evidence(likeness=-0.4)),
        (said("The kettle sings in one"), Evidence(brief=-0.3)),
        (said("The kettle sings in one street"), Evidence()),
        (said("She sings in one street of six"), Evidence(brief=-0.3)),
        (said("But the kettle sings in one street"), Evidence(brief=-0.3)),
        (said("Shelly sings in one street of six"), Evidence()),
        (said("水壶在厨唱"), Evidence(brief=-0.3)),
        (said("水壶在厨房唱"), Evidence()),
        (said("她在厨房里唱歌"), Evidence(brief=-0.3)),
        (said("不过水壶在厨房唱歌"), Evidence(brief=-0.3)),
    ],
)
def test_each_piece_of_evidence(subject, evidence):
    found = step(topic(centre=EAST), subject, beside=[PEG, HARBOUR]).evidence

    assert found == evidence


@pytest.mark.parametrize(
    ("cosine", "weight"), [(0.2499, 0.4), (0.25, 0.0), (0.3999, 0.0), (0.4, -0.4)], ids=["<0.25", "0.25", "<0.4", "0.4"]
)
def test_likeness_counts_below_a_quarter_and_from_two_fifths_on(cosine, weight):
    assert topics.weigh_likeness(cosine) == weight


def test_shared_terms_count_half():
    likeness = topics.compute_likeness(topic(centre=EAST), said("A violin, a kettle.", vector=UNLIKE))

    assert likeness == pytest.approx(0.2 + 0.5 * 0.5)


@pytest.mark.parametrize(
    ("centre", "subject"),
    [
        ({}, said(vector=EAST)),
        ({"centre": EAST}, said()),
        ({"centre": EAST}, Subject(said=PLAIN, vector=EAST, model="n")),
    ],
    ids=["no centre", "no vector", "another model"],
)
def test_without_vectors_of_one_model_likeness_says_nothing(centre, subject):
    found = step(topic(**centre), subject)

    assert (found.likeness, found.evidence) == (None, Evidence())


def test_a_first_name_ends_a_topic_without_names():
    assert step(topic(entity_ids=[]), said(named=[LIN])).is_new is True


def test_one_odd_message_keeps_a_topic_and_two_end_it():
    first = step(topic(centre=EAST), said(vector=UNLIKE))
    second = step(first.topic, said(vector=[-1.0, 0.0]))

    assert (first.is_new, first.topic.acc) == (False, 0.4)
    assert (second.is_new, second.topic.acc, second.topic.streak) == (True, 0.0, 1)


def test_an_odd_message_is_forgiven_by_those_that_fit():
    found = topic(centre=EAST)
    for text, vector in zip(SENTENCES, (UNLIKE, EAST, UNLIKE), strict=True):
        found = step(found, said(text, vector=vector)).topic

    assert (found.turn_count, found.acc) == (4, 0.4)


@pytest.mark.parametrize(
    ("focus", "acc", "is_new"),
    [
        ("", 0.0, True),
        ("", -0.4, True),
        ("inferred", 0.9, False),
        ("inferred", 1.0, True),
        ("explicit", 1.9, False),
        ("explicit", 2.0, True),
    ],
)
def test_a_focus_needs_more_to_end(focus, acc, is_new):
    found = step(topic(acc=acc, focus=focus, focus_at=NOW if focus else None), said(named=[LIN]))

    assert found.is_new is is_new


def test_what_is_under_the_threshold_keeps_the_topic():
    assert step(topic(acc=0.38, centre=EAST), said(vector=UNLIKE)).topic.acc == 0.59
    assert step(topic(acc=0.4, centre=EAST), said(vector=UNLIKE)).is_new is True


def test_a_name_that_leads_away_does_not_become_one_of_the_topic():
    focused = topic(focus="explicit", focus_at=NOW)

    assert step(focused, said(named=[LIN])).topic.entity_ids == [PEG]
    assert step(focused, said(named=[HARBOUR]), beside=[HARBOUR]).topic.entity_ids == [PEG, HARBOUR]


def test_a_topic_without_names_takes_in_those_of_a_turn_that_goes_on_with_it():
    nameless = topic(entity_ids=[], centre=EAST)

    assert step(nameless, said(named=[LIN], vector=EAST)).topic.entity_ids == []
    assert step(nameless, said("And Lin again?", named=[LIN], vector=EAST)).topic.entity_ids == [LIN]


def test_five_turns_in_a_row_infer_a_focus():
    found = topics.begin(said(), now=NOW)
    focuses = []
    for _ in range(5):
        focuses.append(found.focus)
        found = step(found, said()).topic

    assert (focuses, found.streak) == (["", "", "", "", "inferred"], 6)


def test_a_turn_that_leads_away_begins_the_count_anew():
    found = step(topic(streak=4, centre=EAST), said(vector=UNLIKE)).topic

    assert (found.streak, found.turns_off, found.focus, topics.is_first_turn(found)) == (1, 1, "", False)


def test_an_explicit_focus_is_not_replaced_by_an_inferred_one():
    found = step(topic(streak=4, focus="explicit", focus_at=NOW), said()).topic

    assert (found.streak, found.focus) == (5, "explicit")


@pytest.mark.parametrize(
    ("seconds", "focus"), [(7199, "explicit"), (7200, ""), (-1, "")], ids=["before 2 h", "2 h", "clock set back"]
)
def test_a_focus_lasts_two_hours(seconds, focus):
    found = step(topic(focus="explicit", focus_at=NOW), said(), now=NOW + timedelta(seconds=seconds))

    assert found.topic.focus == focus


def test_a_wish_to_talk_about_something_sets_the_focus_anew():
    later = NOW + timedelta(hours=1)
    found = step(topic(focus="inferred", focus_at=NOW), said(stay=True), now=later).topic

    assert (found.focus, found.focus_at) == ("explicit", later)


def test_changing_the_subject_ends_a_focus_and_the_topic():
    found = step(topic(focus="explicit", focus_at=NOW), said("Let's talk about something else for a bit."))

    assert (found.is_new, found.topic.focus) == (True, "")


def test_a_return_ends_topic_and_focus():
    found = step(topic(focus="explicit", focus_at=NOW), said(named=[PEG]), is_return=True)

    assert (found.is_new, found.topic.pk, found.topic.focus) == (True, None, "")


def test_two_turns_off_an_explicit_focus_are_noticed_once():
    found = topic(focus="explicit", focus_at=NOW, centre=EAST)
    left = []
    for text in SENTENCES:
        found = step(found, said(text, vector=UNLIKE)).topic
        left.append(found.turns_off)

    assert left == [1, 2, 3]
    assert [
        topics.Step(topic=topic(focus="explicit", turns_off=n), is_new=False).has_left_focus for n in (1, 2, 3)
    ] == [
        False,
        True,
        False,
    ]


def test_a_change_goes_on_with_an_earlier_topic_that_shares_half_of_its_entities():
    half = topic(entity_ids=[LIN, DOG], turn_count=3, streak=3, acc=0.5, terms=["lin"])
    less = topic(entity_ids=[LIN, DOG, HARBOUR])

    found = step(topic(), said(named=[LIN]), earlier=[less, half])

    assert (found.is_new, found.is_resumed, found.topic) == (True, True, half)
    assert (half.turn_count, half.streak, half.acc, half.entity_ids) == (4, 1, 0.0, [LIN, DOG])


def test_the_centre_is_a_mean_that_holds_still_after_twenty():
    found = topics.begin(said(vector=EAST), now=NOW)
    topics.take_in(found, said(vector=[0.0, 1.0]), now=NOW)
    assert (found.centre, found.centre_count) == ([0.5, 0.5], 2)

    found.centre_count = 20
    topics.take_in(found, said(vector=EAST), now=NOW)
    assert (found.centre, found.centre_count) == ([0.5, 0.5], 20)


def test_a_topic_has_the_newest_twelve_terms():
    found = topics.begin(said("one kettle two lamps"), now=NOW)
    topics.take_in(found, said(" ".join(f"word{n}" for n in range(11))), now=NOW)

    assert (len(found.terms), found.terms[0], found.terms[-1]) == (12, "word0", "kettl")


@pytest.mark.parametrize("text", ["", "?!", "word " * 4000], ids=["blank", "no terms", "20 000 characters"])
def test_any_text_takes_a_step(text):
    assert step(topic(centre=EAST), said(text, vector=EAST)).is_new is False
