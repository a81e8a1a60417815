"""The borders between turns: only there a scene may end."""

from collections.abc import Sequence

from memory.models import Message


def find_borders(lines: Sequence[Message]) -> list[bool]:
    """Tell of each message, oldest first, whether no turn goes on behind it.

    The user may go on while a reply comes, so that a message of the next turn stands before the reply of this one.
    """
    last = {line.turn_id: at for at, line in enumerate(lines) if line.turn_id is not None}
    ends: list[bool] = []
    open_until = -1
    for at, line in enumerate(lines):
        open_until = max(open_until, last.get(line.turn_id, at) if line.turn_id is not None else at)
        ends.append(open_until <= at)
    return ends
