"""Reads the inputs of a reply: what was told, what was said just before, what is said now."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from echovessel import times
from echovessel.llm.inputs import DoubtQuestion, Plan, ReplyInputs, SaidMessage
from echovessel.llm.offline.reply.asking import question_times
from echovessel.llm.offline.text import changes, lexicon, unwelcome
from echovessel.times import Age, OwnTime

# The age of a message of this session that is not among the newest of the window.
EARLIER = Age("chat")
OLDER = Age("older")  # Of what has no known age.
# The ages of what was told in this chat.
JUST_TOLD = ("now", "chat")
# The newest messages of the window: what they say was a moment ago. A window with a story is longer.
NEWEST_MESSAGES = 20
SIDE_CHARACTERS = 80
_NEUTRAL_MOOD = "neutral"
# So many words alone may be of any language.
_HARDLY_WORDS = 2
_GREETS = re.compile(r"\b(?:hi+|hello|hey|ok|bye|gn|nn|mua|lol|emo|yes|no|thx)\b", re.IGNORECASE)
_LOADED_LINE = re.compile(r"^\s*- (?:~ ?)?(?P<fact>.+?)(?: \(said since: (?P<since>.+)\))?$", re.MULTILINE)
_ABOUT_USER = re.compile(r"\b[Tt]he user(?:'s)?\b|用户的?")
# "Night Marian x", not "are you called Marian".
_CALLS_AT_END = re.compile(
    r"^(?P<said>(?!.*\b(?:you|your|called|name|is|am|are)\b)\w+(?: \w+){0,2}?),? (?P<name>\w+)(?P<end>\W*| x+\W*)$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[:：] ?“([^“”]+)”?$")
# For how many days after its day a promise stays due.
_DUE_DAYS = 3


@dataclass(frozen=True)
class Memory:
    """Something told: how long ago (None for what the user wrote about themselves), and its own time if that differs."""

    age: Age | None
    text: str
    own_time: OwnTime | None = None
    # Whether it joins what several messages tell; whether it is a fact that every prompt of the session holds.
    is_joined: bool = False
    is_noted: bool = False
    # When it was told, where that is known.
    at: datetime | None = None


@dataclass(frozen=True)
class Promise:
    text: str
    is_due: bool
    day: date | None


@dataclass(frozen=True)
class DueEvent:
    """What the user told of before its day; it is past, today or ahead by so many days."""

    text: str
    day: date
    days_ahead: int


@dataclass(frozen=True)
class ReplyContext:
    inputs: ReplyInputs  # What is read as it is given.
    persona_name: str
    user_name: str
    persona: str
    account: str
    facts: Mapping[str, str]
    today: date
    time: str  # The user's clock: "20:05".
    memories: tuple[Memory, ...]
    quotes: tuple[Memory, ...]
    promises: tuple[Promise, ...]
    due: tuple[DueEvent, ...]
    # What the companion may ask about.
    doubt: DoubtQuestion | None
    # The user's messages in the window, oldest first, neighbours joined.
    earlier: tuple[str, ...]
    burst: str
    is_first_session: bool
    # Whether the burst begins a chat.
    is_opening: bool
    # The user's messages before this one, one by one, each with when it was said.
    user_messages: tuple[Memory, ...]
    # The companion's replies before this one, oldest first.
    replies: tuple[str, ...]
    # The noted facts that hold, loaded or changed in this session.
    loaded: tuple[str, ...]
    said_since: Mapping[str, str]  # What was said since that may change a loaded fact, by its text.
    # What the user asked not to bring up.
    unwelcome: tuple[str, ...]
    # How the companion feels; "" where that is as always.
    mood: str

    @property
    def is_in_chinese(self) -> bool:
        """Whether the burst is in Chinese; a word or two in other letters, such as "ok" or "hi 在吗", are of the chat's language."""
        said = self.burst.replace(self.persona_name, " ") if self.persona_name else self.burst
        if lexicon.count_words(said) > _HARDLY_WORDS:
            return lexicon.is_chinese(said)
        before = next((text for text in reversed(self.earlier) if lexicon.count_words(text) > _HARDLY_WORDS), "")
        if not lexicon.has_words(before or said):
            return lexicon.is_chinese(self.persona)
        return lexicon.is_chinese(before or said) or lexicon.is_chinese(_GREETS.sub(" ", said))

    def is_unwelcome(self, text: str) -> bool:
        return _is_unwelcome(text, self.unwelcome)

    def list_saved(self) -> list[str]:
        """List the facts that this session noted anew and that still hold."""
        past = question_times.list_over(self.inputs.noted)
        return [
            one.text
            for one in self.inputs.noted
            if one.op == "saved" and one.text and not one.is_undone and one.text not in past
        ]


def read(inputs: ReplyInputs) -> ReplyContext:
    now = inputs.now
    in_window = [*_read_window(inputs)]
    replies = [*_join_neighbours(inputs.recent_messages, is_user=False)]
    loaded = tuple(_read_loaded(inputs))
    noted = [one.text for one in inputs.noted if one.op == "saved" and not one.is_undone]
    subjects = tuple(filter(None, map(unwelcome.read_subject, (*loaded, *noted))))
    # Who asks of before is told what is over.
    past = (
        set()
        if question_times.asks_of_past("".join(inputs.burst))
        else question_times.list_over(inputs.noted) | _leave_out_told(inputs.over, (*loaded, *noted))
    )
    quotes = [
        Memory(times.measure_age(one.at, now), _flatten(one.text), at=one.at) for one in inputs.quotes if one.is_user
    ]
    before_of_user = _find_missing(inputs.session_messages, [memory.text for memory in in_window], is_user=True)
    return ReplyContext(
        inputs=inputs,
        persona_name=_flatten(inputs.persona_name),
        user_name=_flatten(inputs.user_name),
        persona=inputs.persona.strip(),
        account=inputs.user.strip(),
        facts={name: _flatten(value) for name, value in inputs.facts.items() if value},
        today=now.date(),
        time=f"{now:%H:%M}",
        # Nobody told the companion's own thoughts.
        memories=tuple(_leave_out_past(_read_memories(inputs), past)),
        quotes=tuple(_leave_out_past(quotes, past)),
        promises=tuple(
            _read_promise(plan, now.date()) for plan in inputs.promises if not _is_unwelcome(plan.text, subjects)
        ),
        due=tuple(event for event in _read_due(inputs) if not _is_unwelcome(event.text, subjects)),
        doubt=_read_doubt(inputs.doubt),
        earlier=tuple(_join_neighbours(inputs.recent_messages, is_user=True)),
        burst=_strip_name("\n".join(inputs.burst).strip(), inputs.persona_name),
        is_first_session=not inputs.recent_messages and not inputs.sessions,
        is_opening=not inputs.session_messages,
        user_messages=tuple(_leave_out_past([*(Memory(EARLIER, text) for text in before_of_user), *in_window], past)),
        replies=(*_find_missing(inputs.session_messages, replies, is_user=False), *replies),
        loaded=loaded,
        said_since={match[1]: match["since"] for match in _LOADED_LINE.finditer(inputs.loaded) if match["since"]},
        unwelcome=subjects,
        mood=_read_mood(inputs),
    )


def _read_memories(inputs: ReplyInputs) -> Iterator[Memory]:
    now = inputs.now
    for one in inputs.recalled:
        if not one.is_thought:
            own_time = times.find_own_time(one.start, one.end, told_at=one.told_at, now=now)
            yield Memory(times.measure_age(one.told_at, now), _flatten(one.text), own_time, at=one.told_at)


def _is_unwelcome(text: str, subjects: Iterable[str]) -> bool:
    return any(unwelcome.is_about(text, subject) for subject in subjects)


def _read_loaded(inputs: ReplyInputs) -> Iterator[str]:
    """Yield the loaded facts but for those that this session changed or ended, and what it changed them to, which no message may tell whole."""
    over = question_times.list_over(inputs.noted)
    facts = [match[1] for match in _LOADED_LINE.finditer(inputs.loaded)]
    # What was changed and then forgotten has no text any more.
    changed = [one.text for one in inputs.noted if one.op == "changed" and one.text and not one.is_undone]
    return (fact for fact in dict.fromkeys((*facts, *changed)) if fact not in over)


def _leave_out_told(over: Iterable[str], facts: Iterable[str]) -> set[str]:
    """Leave out of what is over what a fact that holds tells with more: a bakery, and the bakery Hobbs."""
    held = [lexicon.stem_content(fact) for fact in facts]
    return {one for one in over if not any(lexicon.stem_content(one) <= words for words in held)}


def _leave_out_past(messages: Iterable[Memory], over: Iterable[str]) -> Iterator[Memory]:
    """Yield what was told but for what says facts that are over."""
    # In the user's words: "I don't", not "the user doesn't".
    facts = (re.sub(r"\bdoesn't\b", "don't", _ABOUT_USER.sub("", fact)) for fact in over)
    past = [lexicon.stem_content(fact) for fact in facts]
    for message in messages:
        told = lexicon.stem_content(message.text)
        is_past = any(words and words <= told for words in past) and not changes.is_change(message.text)
        if not is_past:
            yield message


def _read_mood(inputs: ReplyInputs) -> str:
    mood = _flatten(str(inputs.mood.get("mood") or ""))
    return "" if mood == _NEUTRAL_MOOD else mood


def _read_doubt(doubt: DoubtQuestion | None) -> DoubtQuestion | None:
    if doubt is None:
        return None
    this, that = (_shorten_side(_flatten(side)) for side in (doubt.this, doubt.that))
    return DoubtQuestion(doubt.kind, this, that)


def _shorten_side(side: str) -> str:
    """Return of a thought of the rules the words of the user that it quotes, of a long side its beginning."""
    said = quoted[1] if (quoted := _QUOTED.search(side)) else side
    return said if len(said) <= SIDE_CHARACTERS else f"{said[: SIDE_CHARACTERS - 1].rstrip()}…"


def _read_promise(plan: Plan, today: date) -> Promise:
    is_due = plan.day is not None and 0 <= (today - plan.day).days <= _DUE_DAYS
    return Promise(_flatten(plan.text), is_due, plan.day)


def _read_due(inputs: ReplyInputs) -> Iterator[DueEvent]:
    """Yield what is due, besides promises of the companion."""
    promised = {plan.text for plan in inputs.promises}
    for plan in inputs.due:
        if plan.day is not None and plan.text not in promised:
            yield DueEvent(_flatten(plan.text), plan.day, (plan.day - inputs.now.date()).days)


def _read_window(inputs: ReplyInputs) -> Iterator[Memory]:
    """Yield the user's messages in the window, line by line; of long windows what this chat began with is said earlier in it."""
    newest = len(inputs.recent_messages) - NEWEST_MESSAGES
    of_chat = {message.text for message in inputs.session_messages}
    for at, message in enumerate(inputs.recent_messages):
        if message.is_user:
            is_earlier = at < newest and message.text in of_chat
            age = EARLIER if is_earlier else times.measure_age(message.at, inputs.now)
            yield from (Memory(age, line.strip(), at=message.at) for line in message.text.split("\n") if line.strip())


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


def _strip_name(burst: str, name: str) -> str:
    """Leave out the companion's name where it is called by it first or last: 小满你好, "night Marian"."""
    if not name:
        return burst
    called = _CALLS_AT_END.match(burst)
    if called and called["name"].casefold() in (name.casefold(), name.partition(" ")[0].casefold()):
        return f"{called['said']}{called['end']}".strip()
    return re.sub(rf"^{re.escape(name)}(?:[,，!！]\s*|(?=你))(?=.)", "", burst)


def _flatten(text: str) -> str:
    return " ".join(text.split())
