"""Reads the inputs of a reply: what was told, what was said just before, what is said now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from echovessel import times
from echovessel.llm.inputs import NotedFact, Plan, ReplyInputs, SaidMessage, UnmetWish
from echovessel.times import Age, OwnTime

# The age of a message before the window, in the same session.
EARLIER = Age("chat")
NAME_CHARACTERS = 80
# For how many days after its day a promise stays due.
_DUE_DAYS = 3


@dataclass(frozen=True)
class Memory:
    """Something told: how long ago (None for what the user wrote about themselves), and its own time if that differs."""

    age: Age | None
    text: str
    own_time: OwnTime | None = None


@dataclass(frozen=True)
class Promise:
    text: str
    is_due: bool


@dataclass(frozen=True)
class ReplyContext:
    persona_name: str
    user_name: str
    persona: str
    account: str
    facts: Mapping[str, str]
    today: date
    memories: tuple[Memory, ...]
    quotes: tuple[Memory, ...]
    promises: tuple[Promise, ...]
    # Two names: the companion may ask whether they mean the same person.
    clear_up: tuple[str, ...]
    # The user's messages in the window, oldest first, neighbours joined.
    earlier: tuple[str, ...]
    burst: str
    is_first_session: bool
    # The user's messages before this one, one by one, each with when it was said.
    user_messages: tuple[Memory, ...]
    # The companion's replies before this one, oldest first.
    replies: tuple[str, ...]
    # What is noted of the user: the loaded set, facts by slot, more facts where they ask for all; what this burst changed.
    loaded: str
    slots: Mapping[str, str]
    all_known: tuple[str, ...]
    noted: tuple[NotedFact, ...]
    unmet: tuple[UnmetWish, ...]


def read(inputs: ReplyInputs) -> ReplyContext:
    now = inputs.now
    in_window = [*_read_window(inputs)]
    replies = [*_join_neighbours(inputs.recent_messages, is_user=False)]
    before_of_user = _find_missing(inputs.session_messages, [memory.text for memory in in_window], is_user=True)
    return ReplyContext(
        persona_name=_flatten(inputs.persona_name),
        user_name=_flatten(inputs.user_name),
        persona=inputs.persona.strip(),
        account=inputs.user.strip(),
        facts={name: _flatten(value) for name, value in inputs.facts.items() if value},
        today=now.date(),
        # Nobody told the companion's own thoughts.
        memories=tuple(
            Memory(
                times.measure_age(one.told_at, now),
                _flatten(one.text),
                times.find_own_time(one.start, one.end, told_at=one.told_at, now=now),
            )
            for one in inputs.recalled
            if not one.is_thought
        ),
        quotes=tuple(
            Memory(times.measure_age(one.at, now), _flatten(one.text)) for one in inputs.quotes if one.is_user
        ),
        promises=tuple(_read_promise(plan, now.date()) for plan in inputs.promises),
        clear_up=tuple(_flatten(name)[:NAME_CHARACTERS] for name in inputs.pair or ()),
        earlier=tuple(_join_neighbours(inputs.recent_messages, is_user=True)),
        burst="\n".join(inputs.burst).strip(),
        is_first_session=not inputs.recent_messages and not inputs.sessions,
        user_messages=(*(Memory(EARLIER, text) for text in before_of_user), *in_window),
        replies=(*_find_missing(inputs.session_messages, replies, is_user=False), *replies),
        loaded=inputs.loaded,
        slots=inputs.slots,
        all_known=tuple(inputs.all_known),
        noted=tuple(inputs.noted),
        unmet=tuple(inputs.unmet),
    )


def _read_promise(plan: Plan, today: date) -> Promise:
    is_due = plan.day is not None and 0 <= (today - plan.day).days <= _DUE_DAYS
    return Promise(_flatten(plan.text), is_due)


def _read_window(inputs: ReplyInputs) -> Iterator[Memory]:
    """Yield the user's messages in the window, line by line."""
    for message in inputs.recent_messages:
        if message.is_user:
            age = times.find_stretch(message.at, inputs.now)
            yield from (Memory(age, line.strip()) for line in message.text.split("\n") if line.strip())


def _join_neighbours(messages: Iterable[SaidMessage], *, is_user: bool) -> Iterator[str]:
    """Join neighbouring messages of the user, or of the companion."""
    for by_user, group in groupby(messages, key=lambda message: message.is_user):
        if by_user == is_user:
            yield "\n".join(message.text for message in group).strip()


def _find_missing(before: Iterable[SaidMessage], window: Sequence[str], *, is_user: bool) -> list[str]:
    """Return messages of this session, of the user or of the companion, that are not in the window."""
    known = {_flatten(text) for text in window}
    said = (_flatten(message.text) for message in before if message.is_user == is_user)
    return [text for text in said if text and text not in known]


def _flatten(text: str) -> str:
    return " ".join(text.split())
