from datetime import date

import pytest

from chat.turns.prompting.selection import section_selection
from chat.turns.prompting.selection.section_selection import RECOVERED_UNDER, Rule, Section, Selection, Situation
from memory.knowing import signals

TODAY = date(2026, 11, 21)
FULL = dict.fromkeys(Section, 400)
PLAIN = "The kettle sings in every kitchen."


def situation(said=PLAIN, **more):
    return Situation(signals=signals.read(said, today=TODAY), **more)


@pytest.mark.parametrize(
    ("given", "out"),
    [
        (situation(), {}),
        (
            situation("I can't go on"),
            {"promises": "crisis", "expectations": "crisis", "doubts": "crisis", "own_thoughts": "crisis"},
        ),
        (situation("我不想活了"), dict.fromkeys(("promises", "expectations", "doubts", "own_thoughts"), "crisis")),
        (situation("hi"), {"recalled": "slight", "words": "slight"}),
        (situation("哈哈哈哈"), {"recalled": "slight", "words": "slight"}),
        (situation("so it is all of this and that to me"), {"recalled": "slight", "words": "slight"}),
        (situation("hi", names_someone=True), {}),
        (situation("hi", names_time=True), {}),
        (situation("what?"), {}),
        (situation("as I told you before"), {}),
        (situation(is_focused=True), {"doubts": "focus"}),
        (situation(is_return=True), {"doubts": "return"}),
        # Also where they say what they want to talk about.
        (situation(is_return=True, is_focused=True), {"doubts": "return"}),
        (
            situation("I can't go on", is_focused=True),
            dict.fromkeys(("promises", "expectations", "doubts", "own_thoughts"), "crisis"),
        ),
    ],
)
def test_what_is_out_whatever_the_prompt_holds(given, out):
    assert section_selection.find_hard(given) == out


@pytest.mark.parametrize(("density", "is_slight"), [(0.199, True), (0.2, False)])
def test_a_burst_is_slight_under_a_fifth_of_meaning(density, is_slight):
    given = situation()
    heard = signals.Signals(**{**vars(given.signals), "density": density})

    assert section_selection.is_slight(Situation(signals=heard)) is is_slight


@pytest.mark.parametrize(
    ("given", "out"),
    [
        (situation(), {}),
        (situation("hello there"), dict.fromkeys(("recalled", "words", "expectations"), "bare")),
        (situation("hello there", is_return=True), {}),
        (situation(warmth=0.5, streak=2), dict.fromkeys(("user_thoughts", "own_thoughts", "talks"), "flowing")),
        (situation(warmth=0.49, streak=2), {}),
        (situation(warmth=0.5, streak=1), {}),
        (situation("Is the kettle singing?", warmth=1.0, streak=5), {}),
        (situation("Like I told you, it sings.", warmth=1.0, streak=5), {}),
        (situation(warmth=1.0, streak=5, names_someone=True), {}),
        (situation(asks_advice=True), dict.fromkeys(("expectations", "doubts"), "advice")),
        (situation(asks_advice=True, is_return=True), {"doubts": "advice"}),
        (
            situation("hello there", warmth=1.0, streak=5),
            {
                **dict.fromkeys(("recalled", "words", "expectations"), "bare"),
                **dict.fromkeys(("user_thoughts", "own_thoughts", "talks"), "flowing"),
            },
        ),
    ],
)
def test_what_is_out_softly(given, out):
    assert section_selection.find_soft(given) == out


def test_a_question_of_the_past_forces_memories_and_words_in():
    heard = signals.Signals(**{**vars(situation("hello there").signals), "asks_past": True})

    assert section_selection.find_soft(Situation(signals=heard)) == {"expectations": "bare"}


def test_a_return_forces_talks_promises_and_expectations_in():
    heard = signals.Signals(**vars(situation("hello there").signals))
    given = Situation(signals=heard, is_return=True, asks_advice=True, warmth=1.0, streak=2)

    assert {*section_selection.find_soft(given)} == {"doubts", "user_thoughts", "own_thoughts"}


def test_sections_come_back_in_order_while_the_prompt_is_small():
    given = situation("well", warmth=1.0, streak=5, names_time=True)

    chosen = section_selection.select(given, dict.fromkeys(Section, 400), others=300)

    # In: promises, doubts and others with 1 100; memories come back, then there is enough.
    assert (given.signals.bare, chosen) == (
        True,
        Selection(
            out={
                Section.WORDS: Rule.BARE,
                Section.USER_THOUGHTS: Rule.FLOWING,
                Section.TALKS: Rule.FLOWING,
                Section.EXPECTATIONS: Rule.BARE,
                Section.OWN_THOUGHTS: Rule.FLOWING,
            },
            back={Section.RECALLED: Rule.BARE},
        ),
    )


@pytest.mark.parametrize(("others", "comes_back"), [(RECOVERED_UNDER - 1, True), (RECOVERED_UNDER, False)])
def test_a_section_comes_back_under_1500_tokens(others, comes_back):
    chosen = section_selection.select(situation(asks_advice=True), {Section.EXPECTATIONS: 9000}, others=others)

    assert chosen == (
        Selection(back={Section.EXPECTATIONS: Rule.ADVICE})
        if comes_back
        else Selection(out={Section.EXPECTATIONS: Rule.ADVICE})
    )


def test_doubts_do_not_come_back_and_what_is_hard_neither():
    assert section_selection.select(situation(asks_advice=True), {Section.DOUBTS: 1}).out == {"doubts": "advice"}
    chosen = section_selection.select(situation("I can't go on"), dict.fromkeys(Section, 1))
    assert ({*chosen.out}, chosen.back) == ({"promises", "expectations", "doubts", "own_thoughts"}, {})


def test_what_has_no_content_is_not_named_unless_it_was_not_searched():
    assert section_selection.select(situation("hi"), {}) == Selection(
        out={Section.RECALLED: Rule.SLIGHT, Section.WORDS: Rule.SLIGHT}
    )
    assert section_selection.select(situation("I can't go on"), {Section.PROMISES: 9}) == Selection(
        out={Section.PROMISES: Rule.CRISIS}
    )
