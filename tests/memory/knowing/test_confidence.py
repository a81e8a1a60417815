import pytest

from echovessel.llm.inputs import Certainty
from memory.knowing import confidence
from memory.knowing.confidence import CHINESE, ENGLISH, Bearing, Grounds, Knowing, assess

# How little is added or taken to be on the other side of a bound.
LITTLE = 0.001


def of_f(f):
    """The relevance of one memory alone that makes this f."""
    return confidence.NEARNESS_FLOOR + f * confidence.FOK_MOST / confidence.FOK_STEEPNESS


def test_nothing_is_no_confidence():
    found = assess(Grounds(), asks_past=True)

    assert (found.g, found.fok, found.f, found.confidence, found.state) == (0.0, 0.0, 0.0, 0.0, Certainty.UNKNOWN)


@pytest.mark.parametrize(("is_new", "expected"), [(False, 1.0), (True, 0.7)])
def test_all_there_is_makes_full_confidence_and_less_on_a_new_topic(is_new, expected):
    grounds = Grounds(relevances=[of_f(1.0)], lines=4, is_due=True, shown=6, is_new_topic=is_new)

    assert assess(grounds, asks_past=False).confidence == expected


@pytest.mark.parametrize(
    ("relevances", "g"),
    [
        ([], 0.0),
        ([0.5], 0.5),
        ([0.4, 0.6], 0.7),
        ([0.4, 0.6, 0.3], 0.75),
        ([0.6, 0.5, 0.5, 0.5, 0.4, 0.1], 0.7),
    ],
)
def test_nearness_is_the_best_and_half_of_how_it_stands_out(relevances, g):
    assert confidence.compute_nearness(relevances) == pytest.approx(g)


@pytest.mark.parametrize(
    ("above", "fok"), [(-0.5, 0.0), (-LITTLE, 0.0), (0.0, 0.0), (1.0, 1.0), (5.0, 5.0), (5.0 + LITTLE, 5.0), (9.0, 5.0)]
)
def test_the_feeling_of_knowing_is_bound(above, fok):
    nearness = confidence.NEARNESS_FLOOR + above / confidence.FOK_STEEPNESS
    assert confidence.compute_fok(nearness) == pytest.approx(fok)


@pytest.mark.parametrize(
    ("bearing", "g"),
    [
        (Bearing(relevance=0.6), 0.7 + ENGLISH.answering),
        (Bearing(relevance=0.6, held=0.5), 0.7 + ENGLISH.answering + 0.5 * ENGLISH.held),
        (Bearing(relevance=0.6, is_of_nothing=True), 0.7 - ENGLISH.nothing),
        # Of a Chinese question less is known that a text must tell.
        (Bearing(relevance=0.6, held=0.5, is_chinese=True), 0.7 + CHINESE.answering + 0.5 * CHINESE.held),
        (Bearing(relevance=0.6, is_of_nothing=True, is_chinese=True), 0.7 - CHINESE.nothing),
        # The best memory cannot answer: the best that could stands out less.
        (Bearing(relevance=0.5), 0.55 + ENGLISH.answering),
        (Bearing(held=1.0), ENGLISH.answering + ENGLISH.held),
        (Bearing(is_of_nothing=True), 0.0),
    ],
)
def test_nearness_to_a_question_is_that_of_what_could_answer(bearing, g):
    found = assess(Grounds(relevances=[0.6, 0.4], bearings=[bearing]), asks_past=True)

    assert found.g == pytest.approx(g)


def test_of_several_questions_the_surest_counts():
    grounds = Grounds(relevances=[0.6, 0.4], bearings=[Bearing(is_of_nothing=True), Bearing(relevance=0.6)])

    assert assess(grounds, asks_past=True).g == pytest.approx(0.7 + ENGLISH.answering)


@pytest.mark.parametrize(
    ("lines", "is_due", "warmth"),
    [(0, False, 0.0), (2, False, 0.25), (4, False, 0.5), (9, False, 0.5), (3, True, 0.875)],
)
def test_warmth_is_of_the_talk_and_of_what_is_due(lines, is_due, warmth):
    assert confidence.compute_warmth(lines, is_due=is_due) == warmth


@pytest.mark.parametrize(("shown", "stock"), [(0, 0.0), (3, 0.5), (6, 1.0), (7, 1.0)])
def test_stock_is_full_with_six(shown, stock):
    assert confidence.compute_stock(shown) == stock


@pytest.mark.parametrize(
    ("f", "sure", "state"),
    [
        (confidence.KNOWN_F, 0.0, Certainty.KNOWN),
        (confidence.KNOWN_F - LITTLE, 0.0, Certainty.UNSURE),
        (confidence.UNSURE_F, confidence.KNOWN_CONFIDENCE, Certainty.KNOWN),
        (confidence.UNSURE_F, confidence.KNOWN_CONFIDENCE - LITTLE, Certainty.UNSURE),
        (confidence.UNSURE_F, 0.0, Certainty.UNSURE),
        (confidence.UNSURE_F - LITTLE, 1.0, Certainty.TIP),
        (confidence.TIP_F, 0.0, Certainty.TIP),
        (confidence.TIP_F - LITTLE, 1.0, Certainty.UNKNOWN),
    ],
)
def test_each_bound_of_a_state_from_both_sides(f, sure, state):
    assert confidence.choose_state(f=f, confidence=sure) == state


def test_what_stands_in_the_prompt_is_here_however_little_is_found():
    assert confidence.choose_state(f=0.0, confidence=0.0, is_here=True) == Certainty.HERE


@pytest.mark.parametrize(
    ("f", "lines", "widens"),
    [
        (confidence.WIDEN_BELOW_F - LITTLE, 4, True),
        (confidence.WIDEN_BELOW_F + LITTLE, 4, False),
    ],
)
def test_a_question_looks_again_where_little_is_near(f, lines, widens):
    found = assess(Grounds(relevances=[of_f(f)], lines=lines), asks_past=True)

    assert confidence.needs_widening(found) is widens


def test_nothing_is_looked_for_again_without_a_question_or_with_its_answer_here():
    assert not confidence.needs_widening(assess(Grounds(), asks_past=False))
    assert not confidence.needs_widening(assess(Grounds(), asks_past=True, is_here=True))


def test_exact_words_make_f_a_half_at_least():
    near = Grounds(relevances=[of_f(0.05)], are_words_near=True)
    nearer = Grounds(relevances=[of_f(0.8)], are_words_near=True)

    assert assess(near, asks_past=True).f == confidence.WORDS_F
    assert assess(nearer, asks_past=True).f == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("lines", "shown", "is_believed"),
    [(4, 3, False), (4, 2, True), (0, 1, True), (0, 0, False)],
)
def test_memories_nobody_asked_for_are_believed_under_a_bound(lines, shown, is_believed):
    found = assess(Grounds(lines=lines, shown=shown), asks_past=False)

    assert found.is_only_believed == is_believed


def test_an_asked_question_has_its_own_sentence_instead():
    assert not assess(Grounds(), asks_past=True).is_only_believed


@pytest.mark.parametrize(
    ("is_of_kind", "bar"), [(True, confidence.ANSWERED_NEARNESS), (False, confidence.ANSWERED_NEARNESS_OF_ANY)]
)
def test_an_answer_shows_a_question_from_the_bar_on(is_of_kind, bar):
    answered = [
        confidence.is_answered(Knowing(g=g, fok=5, f=1, warmth=0, stock=0, confidence=0.5), is_of_kind=is_of_kind)
        for g in (bar, bar - LITTLE)
    ]

    assert answered == [True, False]
