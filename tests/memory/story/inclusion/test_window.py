from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

import pytest

from memory.story.inclusion import window
from memory.story.inclusion.window import Break, WindowLimits

PLENTY = WindowLimits(keep_scenes=2, least=0, cap=100_000)
# Behind the messages 10, 30, 50, 70 and 90 of 0 to 99.
BREAKS = [Break(number, last, in_story=True) for number, last in enumerate((10, 30, 50, 70, 90), 1)]


class Said(NamedTuple):
    id: int
    token_count: int
    turn_id: UUID | None


def build_messages(count, *, tokens=10, turn_size=1, first=0):
    return [Said(first + at, tokens, UUID(int=at // turn_size)) for at in range(count)]


def begin(messages, **limits):
    fold, is_whole = limits.pop("fold", -1), limits.pop("is_whole", True)
    limits = WindowLimits(**{"keep_scenes": 2, "least": 0} | limits)
    at = window.find_start(messages, fold=fold, limits=limits, is_whole=is_whole)
    return messages[at].id


@pytest.mark.parametrize(
    ("breaks", "keep", "is_open", "folded"),
    [
        pytest.param(BREAKS, 2, True, 70, id="two scenes stay"),
        pytest.param(BREAKS, 0, True, 0, id="nothing folds"),
        pytest.param(BREAKS, 1, True, 90, id="the open one stays"),
        pytest.param([*BREAKS, Break(6, 99, in_story=True)], 1, False, 90, id="a break at the last message"),
        pytest.param([*BREAKS, Break(6, 99, in_story=True)], 2, False, 70, id="no message is open, two stay"),
        pytest.param(BREAKS[:1], 2, True, 0, id="fewer breaks than that"),
        pytest.param([], 2, True, 0, id="no break"),
        pytest.param(BREAKS, 6, True, 0, id="six stay of five and the open one"),
        pytest.param(BREAKS, 5, True, 10, id="five stay"),
        pytest.param([*BREAKS[:3], *[one._replace(in_story=False) for one in BREAKS[3:]]], 2, True, 50, id="untold"),
        pytest.param([one._replace(in_story=one.scene == 2) for one in BREAKS], 2, True, 30, id="told between untold"),
        pytest.param([one._replace(in_story=False) for one in BREAKS], 2, True, 0, id="no story"),
    ],
)
def test_folded_is_what_the_story_tells_with_enough_scenes_behind_it(breaks, keep, is_open, folded):
    assert window.find_fold(breaks, keep_scenes=keep, is_open=is_open) == folded


def test_the_window_begins_behind_the_fold():
    assert begin(build_messages(100), fold=70, cap=100_000) == 71


def test_all_messages_are_in_the_window_where_nothing_folds():
    assert begin(build_messages(100), cap=100_000) == 0


@pytest.mark.parametrize(("count", "first"), [(19, 51), (20, 71), (21, 71)])
def test_with_too_few_messages_behind_the_fold_it_begins_so_many_before(count, first):
    assert begin(build_messages(71 + count), fold=70, least=20, cap=100_000) == first


def test_it_is_the_same_until_there_are_enough_messages():
    begins = [begin(build_messages(71 + count), fold=70, least=20, cap=100_000) for count in range(1, 40)]

    assert begins == [51] * 19 + [71] * 20


def test_with_fewer_messages_than_that_all_are_in_it():
    assert begin(build_messages(12), fold=5, least=20, cap=100_000) == 0


def test_a_turn_is_never_parted_where_it_begins_earlier():
    assert begin(build_messages(75, turn_size=4), fold=71, least=21, cap=100_000) == 48


@pytest.mark.parametrize(("count", "first"), [(40, 0), (41, 10), (50, 10), (51, 20), (60, 20), (61, 30)])
def test_over_the_cap_messages_leave_in_steps_of_a_quarter_of_it(count, first):
    assert begin(build_messages(count), cap=400) == first


def test_steps_end_where_a_turn_does():
    assert begin(build_messages(50, turn_size=3), cap=400) == 12


def test_messages_without_a_turn_are_parted():
    messages = [message._replace(turn_id=None) for message in build_messages(41)]

    assert begin(messages, cap=400) == 10


def test_six_messages_stay_however_long_they_are():
    assert begin(build_messages(30, tokens=5000), cap=400) == 24
    assert begin(build_messages(5, tokens=5000), cap=400) == 0


def test_the_newest_turn_stays_whole():
    assert begin(build_messages(16, tokens=5000, turn_size=8), cap=400) == 8


def test_nothing_of_no_messages():
    assert window.find_start([], fold=0, limits=PLENTY) == 0


def test_what_stands_behind_the_break_is_never_more_than_the_cap_and_seldom_moves():
    begins = [begin(build_messages(71 + count), fold=70, least=20, cap=400) for count in range(20, 200)]

    assert all((71 + count - first) * 10 <= 400 for count, first in zip(range(20, 200), begins, strict=True))
    assert begins == sorted(begins)
    assert len(set(begins)) == 17


@pytest.mark.parametrize("apart", [1, 7], ids=["one bond", "among others"])
def test_of_more_messages_than_are_looked_at_the_window_seldom_moves(apart):
    every = [message._replace(id=message.id * apart) for message in build_messages(1000, turn_size=2)]
    seen = [every[end - 600 : end] for end in range(600, 1000, 2)]

    begins = [begin(messages, cap=4000, is_whole=False) for messages in seen]

    assert sum(one != after for one, after in pairwise(begins)) <= 400 / window.ANCHORS_APART + 1
    held = [
        sum(message.token_count for message in messages if message.id >= first)
        for messages, first in zip(seen, begins, strict=True)
    ]
    assert (min(held) >= 3000 - 20, max(held) <= 4000) == (True, True)


def test_without_a_message_that_stays_the_steps_are_counted_from_the_first():
    messages = [message._replace(id=message.id * 29 + 1) for message in build_messages(600)]

    assert begin(messages, cap=4000, is_whole=False) == begin(messages, cap=4000)
