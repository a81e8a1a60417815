"""What becomes of each message that a prompt may tell: one function for the prompt, the pages and the API.

States are computed, not stored: a stored one would be wrong once a setting changes.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from echovessel import tokens
from memory.models import Message, Story
from memory.story.inclusion.loading import LoadedMessage
from memory.story.line_recaps import rules

# What a line of a section costs besides its text.
LINE_TOKENS = 2


class State(StrEnum):
    """The states of a message, in the order in which they are looked for: the first that holds counts."""

    IN_WINDOW = "in_window"
    # Its scene is in the story.
    COVERED = "covered"
    LEFT_OUT = "left_out"
    # Something of it was forgotten.
    FORGOTTEN = "forgotten"
    # Not for recaps: of a role that is switched off, off the record, or too short.
    SKIPPED = "skipped"
    # The recap of its scene is in the prompt.
    TOLD = "told"
    NO_RECAP = "no_recap"
    OVER_LIMIT = "over_limit"
    INCLUDED = "included"


STATES = [state.value for state in State]


class MessageTraits(NamedTuple):
    """A message, and what is known of it without looking at the others: whether the story covers it, and whether the recap of its scene
    is in the prompt. Where it has no recap of its own a sentence of it stands in.
    """

    message: LoadedMessage
    is_covered: bool
    is_told: bool


@dataclass(frozen=True, kw_only=True)
class RecapRules:
    """Which messages recaps tell."""

    user: bool = True
    persona: bool = True
    least_tokens: int = 8
    # Of all of them together.
    limit: int = 0

    @classmethod
    def read(cls, story: Story, *, limit: int) -> "RecapRules":
        return cls(user=story.recap_user, persona=story.recap_persona, least_tokens=story.recap_min_tokens, limit=limit)

    def is_skipped(self, message: LoadedMessage) -> bool:
        is_told = self.user if message.role == Message.Role.USER else self.persona
        is_said = message.role != Message.Role.SYSTEM
        return not (is_told and is_said) or message.off_record or message.token_count < self.least_tokens


@dataclass(frozen=True)
class MessageStates:
    """The states of messages by their ids, and the texts that tell those included, oldest first, with their tokens."""

    states: dict[int, State] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    tokens: int = 0


def compute_message_states(
    traits: Sequence[MessageTraits], *, window: Collection[int], recaps: RecapRules
) -> MessageStates:
    """Compute the states from the newest message back to the oldest. `window` are the ids of the messages in it, which need not be given.

    Once a recap would pass the limit, all older ones are over it, too: none is told without those behind it.
    """
    states: dict[int, State] = {}
    texts: dict[int, str] = {}
    total, is_full = 0, False
    for one in reversed(traits):
        message, state = one.message, find_plain_state(one, window=window, recaps=recaps)
        if state is None and not is_full:
            text = message.recap if message.recap is not None else rules.summarise_line(message.content)
            cost = tokens.estimate(text) + LINE_TOKENS
            is_full = total + cost > recaps.limit
            if not is_full:
                state, texts[message.id], total = State.INCLUDED, text, total + cost
        states[message.id] = state or State.OVER_LIMIT
    in_order = dict(reversed(states.items())) | dict.fromkeys(window, State.IN_WINDOW)
    return MessageStates(states=in_order, texts=dict(reversed(texts.items())), tokens=total)


def find_plain_state(traits: MessageTraits, *, window: Collection[int], recaps: RecapRules) -> State | None:
    """Find the state of a message, if it does not depend on the messages behind it."""
    message, is_covered, is_told = traits
    if message.id in window:
        return State.IN_WINDOW
    if is_covered:
        return State.COVERED
    if message.left_out:
        return State.LEFT_OUT
    if message.forgotten:
        return State.FORGOTTEN
    if recaps.is_skipped(message):
        return State.SKIPPED
    if is_told:
        return State.TOLD
    said = rules.says_something(message.content) if message.recap is None else message.recap.strip()
    return None if said else State.NO_RECAP
