"""What a turn reads before its burst is looked at: the burst, the recent messages, what is in every prompt."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings

from chat.models import Turn
from chat.turns.prompting import entity_cards, told_talks
from chat.turns.prompting.entity_cards import EntityCards
from chat.turns.prompting.selection.section_selection import Situation
from echovessel.llm.inputs import NotedFact, UnmetWish
from memory.facts import loaded_set
from memory.facts.loaded_set import LoadedSet
from memory.knowing import confidence
from memory.messages import window
from memory.messages.window import RecentMessage
from memory.models import Message
from memory.recall import prompt_memory
from memory.recall.prompt_memory import PromptMemory
from memory.story.inclusion.included import Inclusion
from memory.story.inclusion.loading import LoadedStory

# The messages before the burst in which keys of lore are looked for.
LORE_MESSAGES = 4


class EmptyBurst(Exception):
    """All messages of a turn were deleted before it was claimed."""


def join_burst(burst: Sequence[Message]) -> str:
    """Return the text of a turn's messages. Raises EmptyBurst."""
    if not burst:
        raise EmptyBurst("The messages have been deleted, so there is nothing to reply to.")
    return "\n".join(message.content for message in burst)


def join_said(recent: Sequence[RecentMessage], burst: Sequence[Message]) -> str:
    """Return the burst and the last messages before it, in which keys of lore are looked for."""
    return "\n".join(message.content for message in (*recent[-LORE_MESSAGES:], *burst))


@dataclass(frozen=True, kw_only=True)
class BaseContext:
    """What a turn reads that does not depend on the vector of its burst."""

    turn: Turn
    query: str
    recent_messages: Sequence[RecentMessage]
    base_memory: PromptMemory
    loaded: LoadedSet
    cards: EntityCards
    now: datetime
    situation: Situation
    # The silence between the bond's last message and the burst; None before the first.
    gap: timedelta | None = None
    # What the rules noted of the burst, and of its wishes did not.
    noted: Sequence[NotedFact] = ()
    unmet: Sequence[UnmetWish] = ()
    # What is told of the talks before the recent messages; None where prompts hold no story.
    inclusion: Inclusion | None = None

    @property
    def today(self) -> date:
        return self.turn.bond.user.get_day(self.now)

    @property
    def is_return(self) -> bool:
        return is_return(self.gap)

    @property
    def due_since(self) -> date | None:
        return find_due_since(self.turn, self.gap)


def load(turn: Turn, now: datetime) -> BaseContext:
    """Load what is in every prompt and the recent messages. Raises EmptyBurst."""
    query = join_burst(turn.burst)
    loaded = loaded_set.load(turn.session, bond=turn.bond, now=now)
    talks = told_talks.load(turn) if settings.STORY_ENABLED else None
    recent = load_recent(turn, talks)
    gap = measure_gap(turn.burst, recent)
    is_told = talks is not None and talks.is_told
    if not is_told:
        recent = window.add_own(recent, bond=turn.bond, session=turn.session, before=turn.burst[0].pk)
    base_memory = prompt_memory.load(
        bond=turn.bond,
        now=now,
        loaded_at=loaded.loaded_at,
        turn_id=turn.pk,
        session_id=turn.session_id,
        due_since=find_due_since(turn, gap),
        off_record=turn.session.off_record,
        said=join_said(recent, turn.burst),
    )
    topic, inclusion = base_memory.topics.current, None
    of_topic = topic.entity_ids if topic is not None else []
    if talks is not None and is_told:
        inclusion = told_talks.include(talks, turn=turn, blocks=base_memory.blocks, known=loaded.text)
        recent = told_talks.build_window(inclusion, turn)
        cards = entity_cards.find_told(turn=turn, said=query, of_topic=of_topic, talks=talks, most=inclusion.caps.cards)
    else:
        cards = entity_cards.find(bond=turn.bond, said=query, of_topic=of_topic)
    return BaseContext(
        turn=turn,
        query=query,
        recent_messages=recent,
        base_memory=base_memory,
        loaded=loaded,
        cards=cards,
        now=now,
        situation=Situation.read(query, today=turn.bond.user.get_day(now), is_return=is_return(gap)),
        gap=gap,
        inclusion=inclusion,
    )


def load_recent(turn: Turn, talks: LoadedStory | None) -> Sequence[RecentMessage]:
    """Return the newest messages of the bond: of those loaded with the story, if there is one."""
    most = settings.RECENT_WINDOW_SIZE
    if talks is not None:
        return told_talks.find_newest(talks, most=most)
    return window.load_recent(bond=turn.bond, most=most, turn_id=turn.pk, up_to=turn.burst[-1].pk)


def measure_gap(burst: Sequence[Message], earlier: Sequence[RecentMessage]) -> timedelta | None:
    """Measure the silence between the bond's last message and the burst; None where there is none before it."""
    if not earlier:
        return None
    return burst[0].created_at - max(message.created_at for message in earlier)


def is_return(gap: timedelta | None) -> bool:
    return gap is not None and gap >= confidence.RETURN_AFTER


def find_due_since(turn: Turn, gap: timedelta | None) -> date | None:
    """Find the user's day of the bond's last message, on a return."""
    if gap is None or not is_return(gap):
        return None
    return turn.bond.user.get_day(turn.burst[0].created_at - gap)
