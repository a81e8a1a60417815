import uuid
from datetime import date

import pytest

from memory.models import Message
from memory.story.scenes import cues, detection
from memory.story.scenes.detection import Candidate, Talk

DAY = date(2026, 11, 21)
BREAD = "The sourdough starter and the rye flour are in the oven."
BOAT = "The harbour boat lost its sail near the lighthouse."


def build_talk(*texts, turn=2, begins=0, roles="up"):
    """Build a talk whose turns have `turn` messages each."""
    turns = [uuid.uuid4() for _ in range(len(texts))]
    return Talk(
        [
            Message(
                pk=at + 1,
                role="user" if roles[at % len(roles)] == "u" else "persona",
                content=said,
                turn_id=turns[at // turn],
                day=DAY,
            )
            for at, said in enumerate(texts)
        ],
        begins=begins,
    )


def find(talk, **more):
    return [one.at for one in detection.find_candidates(talk, **more)]


def test_the_border_between_two_subjects_is_the_deepest():
    talk = build_talk(*[BREAD] * 16, *[BOAT] * 16)

    assert find(talk)[0] == 15


def test_one_subject_has_no_candidate():
    assert find(build_talk(*[BREAD] * 40)) == []


@pytest.mark.parametrize(("behind", "eligible"), [(9, False), (10, True)])
def test_a_scene_has_ten_lines_behind_the_break_before_it(behind, eligible):
    talk = build_talk(*[BREAD] * 30, turn=1, begins=5)

    assert (5 + behind - 1 in talk.find_eligible()) is eligible


@pytest.mark.parametrize(("newer", "eligible"), [(7, False), (8, True)])
def test_the_newest_eight_lines_are_not_judged(newer, eligible):
    talk = build_talk(*[BREAD] * 30, turn=1)

    assert (30 - newer - 1 in talk.find_eligible()) is eligible


def test_only_the_last_lines_of_turns_are_borders():
    assert build_talk(*[BREAD] * 24).find_eligible() == [9, 11, 13, 15]
    assert build_talk(*[BREAD] * 24).find_eligible(past=12) == [13, 15]


def test_a_goodbye_another_subject_in_words_and_another_day_are_candidates():
    texts = [BREAD] * 40
    texts[13], texts[20] = "Good night, dear.", "Anyway, something else: my boots."
    talk = build_talk(*texts)
    for line in talk.lines[28:]:
        line.day = date(2026, 11, 22)

    assert sorted(find(talk)) == [13, 19, 27]


def test_at_most_three_candidates_are_sent_and_forced_ones_need_no_valley():
    talk = build_talk(*[BREAD] * 40)

    assert find(talk) == []
    assert len(find(talk, forced=True)) == 3


@pytest.mark.parametrize(
    "said",
    [
        "Anyway, something else.",
        "Change of subject!",
        "换个话题，你吃了吗",
        "对了，我的猫",
        "By the way, Lin came.",
        "Btw Lin came",
    ],
)
def test_words_that_begin_another_subject(said):
    assert cues.opens_subject(said)


@pytest.mark.parametrize("said", ["Good night!", "I've got to go now.", "晚安", "那我先睡了", "Talk to you tomorrow."])
def test_words_with_which_people_part(said):
    assert cues.closes_talk(said)


@pytest.mark.parametrize(
    "said", ["It was a good day anyway.", "The night was cold.", "我们聊聊面包吧", "I said so something"]
)
def test_other_words_are_no_cues(said):
    assert not cues.opens_subject(said)
    assert not cues.closes_talk(said)


SENT = [Candidate(at=11, depth=1.0), Candidate(at=15, depth=0.5)]


def check(number, quote="harbour boat", reason="They turn to another subject."):
    texts = [BREAD] * 12 + ["The harbour boat came in."] + [BREAD] * 20
    chosen, refused = detection.check_answer(build_talk(*texts), SENT, break_after=number, quote=quote, reason=reason)
    return chosen, refused


@pytest.mark.parametrize("quote", ["HARBOUR boat", "sourdough starter"])
def test_a_quote_of_the_line_or_the_next_is_believed(quote):
    assert check(1, quote) == (SENT[0], "")


@pytest.mark.parametrize(
    ("number", "quote", "refused"),
    [
        (None, "", "no scene ends"),
        (0, "harbour boat", "not sent"),
        (3, "harbour boat", "not sent"),
        (-1, "harbour boat", "not sent"),
        (2, "harbour boat", "quote"),
        (1, "the lighthouse", "quote"),
        (1, "", "quote"),
    ],
)
def test_what_was_not_sent_or_is_not_there_is_refused(number, quote, refused):
    chosen, why = check(number, quote)

    assert chosen is None
    assert refused in why


@pytest.mark.parametrize(
    ("reason", "is_refused"),
    [
        ("There is a line of dashes (---).", True),
        ("a separator", True),
        ("The mood becomes warmer while the subject stays the same.", True),
        ("She decides to call him.", True),
        ("They make a plan, the topic remains.", True),
        ("情绪变了，话题不变", True),
        ("他们做了决定", True),
        ("The mood changes and they turn to another subject.", False),
        ("They say goodbye.", False),
        ("Tom arrives.", False),
        ("换了话题", False),
        ("", False),
    ],
)
def test_formatting_moods_plans_and_decisions_end_no_scene(reason, is_refused):
    assert (check(1, reason=reason)[0] is None) is is_refused


def test_a_scene_that_is_too_long_ends_at_the_deepest_valley_else_near_the_middle():
    talk = build_talk(*[BREAD] * 20)

    assert detection.force(talk, SENT) == 11
    assert detection.force(talk, [Candidate(at=11, depth=0.0)]) == 9
    assert detection.force(talk, []) == 9
    assert detection.force(build_talk(*[BREAD] * 4, turn=4), []) is None
