"""Where the messages begin that a prompt holds word for word.

It depends on nothing but the messages, the breaks and the caps, so that it is the same from turn to turn until a scene is
told or a step is reached: what stands before in the prompt only grows, and a model server can cache it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memory.story.inclusion.loading import LoadedMessage

# The window keeps so many messages, however long they are.
IN_NEED = 6
# Over its cap, messages leave in steps of so many parts of it.
STEPS = 4
# Where not all messages behind the fold are given, steps are counted from the first whose id is a multiple of this, which stays
# the same from turn to turn; it is looked for in the first quarter of them.
ANCHORS_APART, ANCHORED_PARTS = 29, 4


class Break(NamedTuple):
    """The end of a scene, and whether the story tells that scene."""

    scene: int
    last_message: int
    in_story: bool


@dataclass(frozen=True, kw_only=True)
class WindowLimits:
    """How many scenes stay verbatim (0: all), how many messages the window has at least, and how many tokens at most."""

    keep_scenes: int
    least: int
    cap: int


def find_fold(breaks: Sequence[Break], *, keep_scenes: int, is_open: bool) -> int:
    """Find the newest break that is in the story and has enough scenes behind it; return its last message, or 0.

    `breaks` are in order. The open scene counts where a message stands past the last break. With 0 scenes nothing folds.
    """
    if keep_scenes <= 0:
        return 0
    behind = int(is_open)
    for one in reversed(breaks):
        if one.in_story and behind >= keep_scenes:
            return one.last_message
        behind += 1
    return 0


def find_start(messages: Sequence[LoadedMessage], *, fold: int, limits: WindowLimits, is_whole: bool = True) -> int:
    """Find the index of the window's first message among these, which are in order.

    It begins behind the break `fold`. While fewer than the least messages stand there, it begins so many earlier, which all
    leave at once. Over its cap, messages leave in steps of a quarter of it, counted from there, at the borders of turns.
    Where there are more than these (`is_whole` is false), the steps are counted from a message that stays.
    """
    first = next((at for at, message in enumerate(messages) if message.id > fold), len(messages))
    if first == 0 and not is_whole:
        first = find_turn_start(messages, find_anchor(messages))
    if len(messages) - first < limits.least:
        first = find_turn_start(messages, max(0, first - limits.least))
    return leave_in_steps(messages, first, cap=limits.cap)


def find_anchor(messages: Sequence[LoadedMessage]) -> int:
    """Find the index of a message that is found again in the next turns; 0 where there is none."""
    among = messages[: len(messages) // ANCHORED_PARTS]
    return next((at for at, message in enumerate(among) if message.id % ANCHORS_APART == 0), 0)


def leave_in_steps(messages: Sequence[LoadedMessage], first: int, *, cap: int) -> int:
    """Return the index from which on the messages fit the cap."""
    over = sum(message.token_count for message in messages[first:]) - cap
    if over <= 0:
        return first
    step = max(1, cap // STEPS)
    leaving = -(-over // step) * step
    at, left = first, 0
    last = max(first, len(messages) - IN_NEED)
    while at < last and (left < leaving or not is_turn_start(messages, at)):
        left += messages[at].token_count
        at += 1
    return find_turn_start(messages, at)


def is_turn_start(messages: Sequence[LoadedMessage], at: int) -> bool:
    """Whether a turn, or a message that belongs to none, begins at this index."""
    return at == 0 or messages[at].turn_id is None or messages[at].turn_id != messages[at - 1].turn_id


def find_turn_start(messages: Sequence[LoadedMessage], at: int) -> int:
    """Find the index at which the turn of a message begins."""
    while 0 < at < len(messages) and not is_turn_start(messages, at):
        at -= 1
    return at
