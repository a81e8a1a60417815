import pytest

from memory.models import Story
from memory.story.inclusion import message_states
from memory.story.inclusion.loading import LoadedMessage
from memory.story.inclusion.message_states import MessageTraits, RecapRules, State


def line(pk, content="She spoke of the old harbour.", *, is_covered=False, is_told=False, **known):
    usual = {"session_id": 1, "role": "user", "turn_id": None, "token_count": 8, "said_at": "", "recap": None}
    usual |= dict.fromkeys(("left_out", "forgotten", "off_record"), False)
    return MessageTraits(LoadedMessage(id=pk, content=content, **usual | known), is_covered, is_told)


def take(*messages, window=(), limit=1000, **rules):
    return message_states.compute_message_states(messages, window=window, recaps=RecapRules(limit=limit, **rules))


@pytest.mark.parametrize(
    ("message", "state"),
    [
        (line(1), State.INCLUDED),
        (line(1, is_covered=True), State.COVERED),
        (line(1, left_out=True), State.LEFT_OUT),
        (line(1, forgotten=True), State.FORGOTTEN),
        (line(1, role="system"), State.SKIPPED),
        (line(1, off_record=True), State.SKIPPED),
        (line(1, token_count=7), State.SKIPPED),
        (line(1, is_told=True), State.TOLD),
        (line(1, recap=""), State.NO_RECAP),
        (line(1, "🎉🎉🎉"), State.NO_RECAP),
        (line(1, recap="word " * 900), State.OVER_LIMIT),
    ],
)
def test_each_state(message, state):
    assert take(message).states == {1: state}


def test_the_first_state_that_holds_counts():
    everything = {
        "is_covered": True,
        "left_out": True,
        "forgotten": True,
        "role": "system",
        "is_told": True,
        "recap": "",
    }
    seen = [take(line(1, **everything), window={1}).states[1]]
    for name in [*everything]:
        seen.append(take(line(1, **everything)).states[1])
        del everything[name]
    seen.append(take(line(1)).states[1])

    assert seen == [
        State.IN_WINDOW,
        State.COVERED,
        State.LEFT_OUT,
        State.FORGOTTEN,
        State.SKIPPED,
        State.TOLD,
        State.NO_RECAP,
        State.INCLUDED,
    ]


@pytest.mark.parametrize(("role", "rules"), [("user", {"user": False}), ("persona", {"persona": False})])
def test_a_role_may_be_switched_off(role, rules):
    assert take(line(1, role=role), **rules).states == {1: State.SKIPPED}
    assert take(line(1, role=role)).states == {1: State.INCLUDED}


def test_the_limit_latches():
    # 24 tokens and 2 each, but for the short one.
    long, short = "x" * 96, "A short one."
    found = take(line(1, recap=short), line(2, recap=long), line(3, recap=long), limit=51)

    assert found.states == {1: State.OVER_LIMIT, 2: State.OVER_LIMIT, 3: State.INCLUDED}
    assert take(line(2, recap=long), line(3, recap=long), limit=52).states == {2: State.INCLUDED, 3: State.INCLUDED}


def test_what_is_over_the_limit_hides_no_other_state():
    found = take(line(1, left_out=True), line(2, recap=""), line(3, "🎉"), line(4), line(5), limit=0)

    assert found.states == {
        1: State.LEFT_OUT,
        2: State.NO_RECAP,
        3: State.NO_RECAP,
        4: State.OVER_LIMIT,
        5: State.OVER_LIMIT,
    }


def test_the_walk_goes_on_over_what_has_no_recap():
    found = take(line(1), line(2, recap=" "), line(3), limit=100)

    assert [*found.states.values()] == [State.INCLUDED, State.NO_RECAP, State.INCLUDED]


def test_what_is_included_is_told_oldest_first_by_its_recap_or_a_sentence_of_its_own():
    found = take(line(1, "Hello there, my friend."), line(2, recap="She asked for the harbour."))

    assert found.texts == {1: "Hello there, my friend.", 2: "She asked for the harbour."}
    assert list(found.texts) == [1, 2]
    assert found.tokens == 6 + 2 + 7 + 2


def test_each_variant_is_told_by_its_own_recap():
    first, second = line(1, recap="It was red."), line(2, recap="It was blue.")

    assert (take(first).texts, take(second).texts) == ({1: "It was red."}, {2: "It was blue."})


def test_the_rules_are_those_of_the_story():
    story = Story(recap_user=False, recap_persona=True, recap_min_tokens=20)

    assert RecapRules.read(story, limit=819) == RecapRules(user=False, persona=True, least_tokens=20, limit=819)


def test_the_limit_of_819_tokens_holds_819():
    # Each has 39 tokens and 2.
    messages = [line(pk, recap="x" * 156) for pk in range(1, 31)]
    found = take(*messages, limit=819)

    assert (found.tokens, len(found.texts), min(found.texts)) == (19 * 41, 19, 12)
    assert (take(*messages, limit=820).tokens, take(*messages, limit=819).tokens) == (820, 779)
