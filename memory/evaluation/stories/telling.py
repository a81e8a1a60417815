"""Tell a story: store its messages at their times, consolidate each session, forget what is taken back."""

from datetime import datetime, timedelta
from uuid import uuid4

from django_q.models import OrmQ

from echovessel.llm.protocol import LLM
from memory import sessions
from memory.consolidation import run
from memory.consolidation.slow_tick import run as slow_tick
from memory.evaluation import bonds
from memory.evaluation.stories import matching
from memory.evaluation.stories.parts import StoryForgetting, StorySession
from memory.evaluation.stories.scripted import ScriptedLLM
from memory.evaluation.stories.story import Story
from memory.forgetting import removal
from memory.messages.ingest import ingest
from memory.models import Message, Session
from memory.nodes import outcomes
from memory.recall import embeddings
from personas.models import Bond

LINE_TAKES = timedelta(seconds=40)
# A session is consolidated when it has been idle for so long.
IDLE = timedelta(minutes=30)


def tell(story: Story, *, llm: LLM) -> Bond:
    """Create a bond that has lived through the story."""
    bond = create_bond(story)
    moments: list[StorySession | StoryForgetting] = [*story.talks, *story.forgets]
    for moment in sorted(moments, key=story.moment):
        if isinstance(moment, StorySession):
            play_session(story, moment, bond=bond, llm=llm)
        else:
            for node in matching.find_nodes(moment.id, story=story, bond=bond):
                removal.forget_node(
                    node=node, dependents=moment.dependents, lines=moment.lines, now=story.moment(moment)
                )
    return bond


def create_bond(story: Story) -> Bond:
    return bonds.create(
        user=story.user,
        persona=story.persona,
        lang=story.lang,
        now=story.moment(story.talks[0]),
        zone=story.zone,
        about_user=story.user_block,
        about_persona=story.persona_block,
    )


def play_session(story: Story, talk: StorySession, *, bond: Bond, llm: LLM) -> None:
    now = story.moment(talk)
    outcomes.expire(now=now)
    session = sessions.create(bond=bond, channel=talk.channel, now=now)
    turn = uuid4()
    for message in talk.lines:
        role = Message.Role.USER if message.u else Message.Role.PERSONA
        ingest(session=session, role=role, content=message.text, turn_id=turn, now=now)
        if role == Message.Role.PERSONA:
            turn = uuid4()
        now += LINE_TAKES
    now += IDLE
    sessions.close(session=session, reason=Session.CloseReason.IDLE, now=now)
    embeddings.embed_bond(bond_id=bond.pk)
    if isinstance(llm, ScriptedLLM):
        llm.talk = talk
    consolidate(session, llm=llm, now=now)


def consolidate(session: Session, *, llm: LLM, now: datetime) -> None:
    """Do what the worker does with a closed session, in this process."""
    OrmQ.objects.all().delete()
    run.consolidate(session_id=session.pk, llm=llm, clock=lambda: now)
    session.refresh_from_db()
    if session.status == Session.Status.CLOSED and not session.trivial:
        slow_tick.run(session_id=session.pk, llm=llm, clock=lambda: now)
