"""Tell a woven talk, five scenes a day: its messages at their times, and what workers do behind them."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby, pairwise
from uuid import UUID, uuid4

from django_q.models import OrmQ

from echovessel.llm.protocol import LLM
from memory import sessions
from memory.consolidation import run
from memory.evaluation import bonds
from memory.evaluation.stories.telling import IDLE, LINE_TAKES
from memory.evaluation.storytelling.weaving import WovenTalk
from memory.messages.ingest import ingest
from memory.models import Message, Session
from memory.recall import embeddings
from memory.storytelling.work import story_worker
from personas.models import Bond

BEGAN = datetime(2026, 3, 2, 17, tzinfo=UTC)
SCENES_A_DAY = 5
# Every other scene begins after a silence that ends the one before; the others follow on.
SILENCE = timedelta(minutes=50)
SEED = 20
# In a talk somebody stops to think for longer than a worker waits, after so many turns.
TURNS_AT_A_STRETCH = 20
PAUSE = timedelta(seconds=30)


@dataclass(frozen=True)
class ToldTalk:
    """A bond that was told a talk; the ids of its messages are in the order of the lines."""

    talk: WovenTalk
    bond: Bond
    messages: Sequence[int]
    ended_at: datetime


# Is called before each reply, once the user's message is there: `look(session, message, line)`.
Look = Callable[[Session, Message, int], None]


def plan_moments(talk: WovenTalk) -> list[datetime]:
    """Plan when each line is said."""
    chance = random.Random(SEED)
    moments: list[datetime] = []
    for scene, lines in groupby(talk.lines, key=lambda line: line.scene):
        if scene % SCENES_A_DAY == 0:
            now = BEGAN + timedelta(days=scene // SCENES_A_DAY)
        elif chance.random() < 0.5:
            now += SILENCE
        for _ in lines:
            moments.append(now)
            now += LINE_TAKES
    return moments


def tell(talk: WovenTalk, *, llm: LLM, look: Look) -> ToldTalk:
    """Create a bond that was told the talk, in sessions that end with silences."""
    moments = plan_moments(talk)
    bond = bonds.create(user="Robin", persona="Wren", lang=talk.lang, now=BEGAN, zone="UTC")
    told: list[int] = []
    for stretch in split(moments):
        told += play_session(talk, stretch, moments=moments, bond=bond, llm=llm, look=look)
    return ToldTalk(talk, bond, told, moments[-1])


def split(moments: Sequence[datetime]) -> Iterator[range]:
    """Yield the stretches of lines between silences."""
    ends = [at for at, (one, after) in enumerate(pairwise(moments), start=1) if after - one >= SILENCE]
    yield from (range(begin, end) for begin, end in zip([0, *ends], [*ends, len(moments)], strict=True))


def play_session(
    talk: WovenTalk, stretch: range, *, moments: Sequence[datetime], bond: Bond, llm: LLM, look: Look
) -> list[int]:
    session = sessions.create(bond=bond, channel=Session.Channel.WEB, now=moments[stretch[0]])
    told: list[int] = []
    turns: dict[int, UUID] = {}
    for at in stretch:
        line, now = talk.lines[at], moments[at]
        turn = turns.setdefault(line.turn, uuid4())
        role = Message.Role.USER if line.is_user else Message.Role.PERSONA
        message = ingest(session=session, role=role, content=line.text, turn_id=turn, now=now)
        told.append(message.pk)
        if line.is_user:
            look(session, message, at)
        elif len(turns) % TURNS_AT_A_STRETCH == 0:
            work(bond, llm=llm, now=now + PAUSE)
    ended_at = moments[stretch[-1]] + IDLE
    sessions.close(session=session, reason=Session.CloseReason.IDLE, now=ended_at)
    embeddings.embed_bond(bond_id=bond.pk)
    run.consolidate(session_id=session.pk, llm=llm, clock=lambda: ended_at)
    work(bond, llm=llm, now=moments[stretch[-1]] + SILENCE)
    return told


def work(bond: Bond, *, llm: LLM, now: datetime) -> None:
    """Do what the worker does with a story, in this process."""
    OrmQ.objects.all().delete()
    story_worker.tell(bond_id=bond.pk, llm=llm, clock=lambda: now)
