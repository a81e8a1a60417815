"""Which messages are to be recapped: those that leave the window before their scene is told, shortly before they do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.models import LineRecap, Message
from memory.models.story.made_by import MadeBy
from memory.story import lines
from memory.story.inclusion import included, loading
from memory.story.inclusion.included import Inclusion
from memory.story.inclusion.loading import LoadedStory
from personas.models import Bond

# How many are recapped in one call, and how many messages before each are shown with it.
MOST = 20
SHOWN_BEFORE = 3
# So many messages at the window's edge are recapped before they leave it, once it is filled so far.
EDGE = 4
FILLED = 3 / 4
# A message of more tokens is recapped before that, unless it is among the newest.
LONG_TOKENS = 400
NEWEST = 8


@dataclass(frozen=True)
class DueLine:
    """A message to recap, and the messages before it that are shown with it."""

    message: Message
    before: Sequence[Message]

    @property
    def sources(self) -> list[Message]:
        return [*self.before, self.message]

    @property
    def source_hash(self) -> str:
        return lines.hash_lines(self.sources)


def find_due_lines(bond: Bond, *, firm_tokens: int, most: int = MOST, asked_for: int | None = None) -> list[DueLine]:
    """Find the messages to recap next, oldest first: the nearest to the window; or one that a person asks for.

    What a person wrote stays, and what failed for good is left until it is asked for.
    """
    wanted = [asked_for] if asked_for else choose(bond, most=most, firm_tokens=firm_tokens)
    if not wanted:
        return []
    told = lines.load_told(bond, after=max(0, find_before(bond, min(wanted))), up_to=max(wanted))
    places = {message.pk: at for at, message in enumerate(told)}
    return [
        DueLine(told[places[pk]], told[max(0, places[pk] - SHOWN_BEFORE) : places[pk]])
        for pk in sorted(wanted)
        if pk in places
    ]


def find_before(bond: Bond, message: int) -> int:
    """Find from which message on those shown with a message are to be loaded."""
    earlier = Message.objects.for_bond(bond).told().filter(pk__lt=message).order_by("-id")
    ids = list(earlier.values_list("pk", flat=True)[: 2 * SHOWN_BEFORE])
    return ids[-1] - 1 if ids else 0


def choose(bond: Bond, *, most: int, firm_tokens: int) -> list[int]:
    loaded = loading.load(bond)
    shown = included.include(loaded, firm_tokens=firm_tokens)
    told_in_short = [message.id for message, _ in reversed(shown.line_recaps)]
    wanted = list(dict.fromkeys([*told_in_short, *find_at_edge(loaded, shown)]))
    standing = LineRecap.objects.for_bond(bond).filter(message__in=wanted)
    kept = set(standing.exclude(status=LineRecap.Status.OUTDATED).values_list("message", flat=True))
    kept |= set(standing.filter(made_by=MadeBy.PERSON).values_list("message", flat=True))
    return [pk for pk in wanted if pk not in kept][:most]


def find_at_edge(loaded: LoadedStory, shown: Inclusion) -> Iterator[int]:
    """Yield the messages that will leave the window next, and long ones, if recaps tell them then."""
    is_filled = shown.tokens["window"] >= FILLED * shown.caps.window
    leaving = [
        message
        for at, message in enumerate(shown.window)
        if (is_filled and at < EDGE) or (message.token_count > LONG_TOKENS and at < len(shown.window) - NEWEST)
    ]
    states = included.find_outside_states(loaded, leaving, shown=shown)
    return (pk for pk, state in states.items() if state is None)
