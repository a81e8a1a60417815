import math
from datetime import date, timedelta

import pytest

from echovessel.periods import Period
from memory.recall import line_scoring
from memory.recall.line_scoring import MessageSignals, QueryTraits, ScoredMessage

DAY = date(2026, 11, 21)
ANYBODY = QueryTraits(of_user=None)
# It states enough, so that its length takes nothing.
USUAL = {
    "length": line_scoring.STATED_LENGTH,
    "cosine": None,
    "content": "x",
    "day": DAY,
    "is_user": True,
    "talk": 1,
}


def line(id, shared=0.0, **more):
    return MessageSignals(**{"id": id, "shared": shared} | USUAL | more)


def scores(*windows, asked=ANYBODY):
    return {found.message.id: round(found.score, 3) for found in line_scoring.rank_messages(windows, asked)}


def flag(*fits, weight=1, **more):
    scored = [ScoredMessage(message, fit, fit) for message, fit in fits]
    return line_scoring.flag_relevant(scored, weight=weight, **more)


def test_rarer_terms_and_nearer_meaning_weigh_more():
    assert (
        line_scoring.score_alone(line(1, shared=0.9))
        > line_scoring.score_alone(line(1, shared=0.4))
        > line_scoring.score_alone(line(1))
        == 0
    )
    assert (
        line_scoring.score_alone(line(1, cosine=0.5))
        > line_scoring.score_alone(line(1, cosine=line_scoring.USUAL_COSINE))
        == 0
        > line_scoring.score_alone(line(1, cosine=0.0))
    )


def test_a_long_message_weighs_less_for_the_same_terms():
    assert line_scoring.score_alone(line(1, shared=0.5, length=8)) > line_scoring.score_alone(
        line(1, shared=0.5, length=80)
    )


def test_messages_beside_lend_a_share_the_nearer_the_more():
    alone = line_scoring.score_alone(line(3, shared=0.5))

    found = scores([line(1), line(2), line(3, shared=0.5), line(4), line(5), line(6)])

    of_talk = (line_scoring.SESSION_SHARE + line_scoring.FIRST_SHARE) * alone
    assert found == {
        3: round(alone + of_talk, 3),
        2: round(line_scoring.SHARES_AFTER[0] * alone + of_talk, 3),
        4: round(line_scoring.SHARES_BEFORE[0] * alone + of_talk, 3),
        1: round(line_scoring.SHARES_AFTER[1] * alone + of_talk, 3),
        5: round(line_scoring.SHARES_BEFORE[1] * alone + of_talk, 3),
        6: round(of_talk, 3),
    }


def test_messages_of_another_window_lend_nothing():
    assert scores([line(1, shared=0.5)], [line(2, talk=2)])[2] == 0


def test_windows_that_overlap_are_one_stretch():
    first, middle, last = line(1), line(2, shared=0.5), line(3)

    assert scores([first, middle], [middle, last]) == scores([first, middle, last])


def test_of_equal_fit_the_newer_comes_first():
    assert list(scores([line(1)], [line(2)])) == [2, 1]


@pytest.mark.parametrize(
    ("query", "of_user"),
    [
        ("When did I see the boat?", True),
        ("What is my cat called?", True),
        ("Do you remember my cat?", True),
        ("What did Mara plant?", True),
        ("What is your favourite film?", False),
        ("Where did you grow up?", False),
        ("Where did Marian grow up?", False),
        ("What did I tell you about your garden?", None),
        ("Marian, what is my cat called?", True),
        ("what is my cat called, Marian?", True),
        ("Did Mara and Marian quarrel?", None),
        ("The boat sank.", None),
        ("Marianne has a boat.", None),
        ("我的猫叫什么？", True),
        ("你的花园怎么样？", False),
        ("我们去哪儿？", None),
        ("Do you remember Anna's boat?", None),
        ("Do you still remember your garden?", False),
        ("你还记得逸扬的琴吗？", None),
    ],
)
def test_whose_words_are_asked_for(query, of_user):
    assert line_scoring.parse_query(query, user="Mara", persona="Marian").of_user is of_user


def test_messages_of_whom_it_asks_are_preferred_and_questions_put_back():
    asked = QueryTraits(of_user=True)

    assert line_scoring.score_manner(line(1), asked) == line_scoring.SPEAKER_BONUS
    assert line_scoring.score_manner(line(1, is_user=False), asked) == -line_scoring.SPEAKER_BONUS
    question = line_scoring.score_manner(line(1, content="真的吗？ "), ANYBODY)
    assert question == pytest.approx(
        -line_scoring.QUESTION_PENALTY - line_scoring.BRIEF_PENALTY * math.log(line_scoring.STATED_LENGTH)
    )


@pytest.mark.parametrize("content", ["I moved here in spring.", "It is mine", "我三月搬来的"])
def test_messages_that_speak_of_their_speaker_are_preferred(content):
    assert line_scoring.score_manner(line(1, content=content), ANYBODY) == line_scoring.ONESELF_BONUS


@pytest.mark.parametrize(
    ("tokens", "penalty"),
    [(line_scoring.STATED_LENGTH, 0), (line_scoring.STATED_LENGTH - 1, 0), (line_scoring.STATED_LENGTH // 2 - 1, 0.45)],
)
def test_messages_that_state_little_are_put_back(tokens, penalty):
    found = line_scoring.score_manner(line(1, length=tokens), ANYBODY)

    assert found == pytest.approx(-penalty, abs=0.01)


@pytest.mark.parametrize(
    ("content", "stated"),
    [("The boat sank.", 7), ("The boat sank. Did you know?", 4), ("Did you know? 船沉了。你知道吗？", 6), ("Why?", 0)],
)
def test_questions_state_nothing(content, stated):
    assert line_scoring.measure_statements(line(1, content=content, length=7)) == stated


def test_a_question_lends_more_to_its_answer():
    alone = line_scoring.score_alone(line(1, shared=0.5))

    def lend(asking):
        found = scores([line(1, shared=0.5, content=asking), line(2)])
        return found[2] - round((line_scoring.SESSION_SHARE + line_scoring.FIRST_SHARE) * alone, 3)

    assert lend("The boat") == pytest.approx(line_scoring.SHARES_BEFORE[0] * alone, abs=0.002)
    assert lend("The boat?") == pytest.approx(
        (line_scoring.SHARES_BEFORE[0] + line_scoring.ANSWER_SHARE) * alone, abs=0.002
    )


@pytest.mark.parametrize(("days", "bonus"), [(-1, 0), (0, 4), (6, 4), (13, 4), (14, 0)])
def test_messages_of_a_named_period_are_preferred_and_those_of_the_week_after(days, bonus):
    asked = QueryTraits(of_user=None, periods=(Period(DAY, DAY + timedelta(days=6)),))

    assert line_scoring.score_day(line(1, day=DAY + timedelta(days=days)), asked) == bonus


@pytest.mark.parametrize(
    ("fits", "weight", "enough"), [(2.0, 1, True), (1.99, 1, False), (2.0, 0.5, True), (2.0, 2, False)]
)
def test_the_least_fit_of_the_best_rises_with_what_was_asked(fits, weight, enough):
    assert flag((line(1, shared=0.9), fits), weight=weight) == [enough]


@pytest.mark.parametrize(
    ("cosine", "content", "enough"),
    [
        (0.49, "the cat", True),
        (0.48, "the cat", True),
        (0.47, "the cat", False),
        (None, "the cat", True),
        (0.61, "我的猫", True),
        (0.59, "我的猫", False),
        (None, "我的猫", True),
    ],
)
def test_nearness_in_meaning_says_as_much_as_the_fit(cosine, content, enough):
    said = line(1, shared=0.9, cosine=cosine, content=content)

    assert flag((said, 2.0)) == [enough]


def test_others_need_a_share_of_the_best_ones_fit():
    fits = [(line(1, shared=0.9), 5.0), (line(2, shared=0.9), 1.75), (line(3, shared=0.9), 1.74)]

    assert flag(*fits) == [True, True, False]


def test_a_message_needs_some_fit_of_its_own():
    assert flag((line(1), 9.0)) == [False]
    assert flag((line(1), 9.0), (line(2, shared=0.9), 3.0)) == [False, True]


def test_the_day_names_and_the_best_two_of_a_session_order_messages_but_are_not_enough():
    asked = QueryTraits(of_user=None, periods=(Period(DAY, DAY),))
    alone = line_scoring.score_alone(line(1, shared=0.9))
    said = [line(1, shared=0.9, content="So Ana and Bo came"), line(2, talk=2), line(3, shared=0.6)]

    first, *_ = found = line_scoring.rank_messages([[message] for message in said], asked)

    lent = line_scoring.FIRST_SHARE * alone + line_scoring.SECOND_SHARE * line_scoring.score_alone(said[2])
    assert first.message.id == 1
    assert first.sureness == pytest.approx(alone * (1 + line_scoring.SESSION_SHARE))
    assert first.score - first.sureness == pytest.approx(
        line_scoring.PERIOD_BONUS + line_scoring.NAMES_BONUS * math.log(3) + lent
    )
    assert line_scoring.flag_relevant(found, weight=100) == [False, False, False]


@pytest.mark.parametrize(("fit", "enough"), [(1.0, True), (0.999, False)])
def test_a_share_of_the_bar_lets_less_pass(fit, enough):
    assert flag((line(1, shared=0.9), fit), share_of_bar=0.5) == [enough]
    assert flag((line(1, shared=0.9), fit)) == [False]


def test_of_nothing_nothing_is_enough():
    assert flag() == []


def test_a_message_with_names_weighs_more_the_capital_of_a_sentence_is_none():
    found = scores([line(1, content="Later Ana met Bo in York.")], [line(2, content="Later. She met them. I'm glad.")])

    # Three names: Ana, Bo, York.
    assert found == {1: round(line_scoring.NAMES_BONUS * math.log(4), 3), 2: line_scoring.ONESELF_BONUS}
