"""A bond that was told some thirty things, alone or among ten thousand memories of everyday life, and questions about them."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from pydantic import BaseModel, ConfigDict

from chat.evaluation.words import SentenceGenerator
from chat.models import Turn
from chat.turns.prompting import entity_cards
from chat.turns.prompting.base_context import BaseContext
from chat.turns.prompting.selection import memory_search
from chat.turns.prompting.selection.memory_search import FoundMemory
from chat.turns.prompting.selection.section_selection import Situation
from echovessel import text
from echovessel.embeddings import embedding
from echovessel.postgres.copying import copy_rows
from memory import sessions
from memory.evaluation import bonds
from memory.evaluation.events import build_event
from memory.evaluation.files import load_yaml
from memory.facts.loaded_set import LoadedSet
from memory.messages.ingest import ingest
from memory.models import ConceptNode, Entity, EntityAlias, Message, Session
from memory.nodes import creation
from memory.recall import embeddings, query_vectors
from memory.recall.prompt_memory import PromptMemory
from personas.models import Bond

FOLDER = Path(__file__).parent
# Everyday lines in which nothing is told that the questions ask for.
NEUTRAL = FOLDER.parent / "facts"
CROWD = 10_000
# How far a copied vector lies from its original in each dimension.
SPREAD = 0.02
SEED = 18
NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
BEGAN = NOW - timedelta(days=60)
LINES_PER_SESSION = 3
REPLIES = {"en": "I see. Tell me more.", "zh": "嗯，跟我多说说。"}


class ToldThing(BaseModel):
    said: str
    memory: str


class ToldLife(BaseModel):
    """What a person told, and questions whose answer was told, that come near it, or that ask for what was never told."""

    model_config = ConfigDict(extra="forbid")

    lang: str
    user: str
    persona: str
    names: list[str]
    told: list[ToldThing]
    answerable: list[str]
    near: list[str]
    never: list[str] = []
    # More that come near, for tuning alone.
    near_more: list[str] = []


def load_life(lang: str, *, half: str = "") -> ToldLife:
    """Load the life of thirty things for tuning, or that `_kept_back`."""
    return ToldLife(lang=lang, **load_yaml(FOLDER / f"told_{lang}{half}.yaml"))


def load_lives(lang: str, *, half: str = "") -> list[ToldLife]:
    """Load the further lives for tuning, or those `_kept_back`."""
    return [ToldLife(lang=lang, **life) for life in load_yaml(FOLDER / f"lives_{lang}{half}.yaml")]


def tell(life: ToldLife) -> Bond:
    """Create a bond that was told everything, in sessions of three lines, two days apart."""
    bond = bonds.create(user=life.user, persona=life.persona, lang=life.lang, now=BEGAN)
    for name in life.names:
        meet(bond, name)
    for at in range(0, len(life.told), LINES_PER_SESSION):
        play_session(
            bond, life.told[at : at + LINES_PER_SESSION], reply=REPLIES[life.lang], now=BEGAN + timedelta(days=at)
        )
    embeddings.embed_bond(bond_id=bond.pk)
    return bond


def meet(bond: Bond, name: str) -> None:
    """Let the bond know somebody by this name."""
    entity = Entity.objects.create(
        bond=bond,
        canonical_name=name,
        kind=Entity.Kind.PERSON,
        merge_status=Entity.MergeStatus.CONFIRMED,
        confirmed_at=BEGAN,
        last_mentioned_at=BEGAN,
        created_at=BEGAN,
    )
    EntityAlias.objects.create(bond=bond, entity=entity, name=name, folded=text.fold(name))


def play_session(bond: Bond, things: list[ToldThing], *, reply: str, now: datetime) -> None:
    session = sessions.create(bond=bond, channel=Session.Channel.WEB, now=now)
    vectors = embedding.embed([one.memory for one in things])
    for thing, vector in zip(things, vectors, strict=True):
        turn = uuid4()
        message = ingest(session=session, role=Message.Role.USER, content=thing.said, turn_id=turn, now=now)
        ingest(session=session, role=Message.Role.PERSONA, content=reply, turn_id=turn, now=now)
        node = creation.complete(
            build_event(bond, thing.memory, session=session, emotional_impact=2), vector=vector, now=now
        )
        node.save(force_insert=True)
        node.source_messages.add(message, through_defaults={"bond": bond})
    Session.objects.filter(pk=session.pk).update(status=Session.Status.CLOSED)


def crowd(bond: Bond, *, lang: str) -> None:
    """Give the bond ten thousand more memories: with vectors close to those of everyday lines, and words that no question has,
    since so many copies of a few hundred lines would make their words common.
    """
    import numpy

    lines = (NEUTRAL / f"neutral_{lang}.txt").read_text(encoding="utf-8").splitlines()
    vectors = [vector for vector in embedding.embed(lines) if vector is not None]
    words, chance, spread = SentenceGenerator(SEED), random.Random(SEED), numpy.random.default_rng(SEED)

    def build() -> ConceptNode:
        vector = chance.choice(vectors)
        near = (numpy.array(vector) + spread.normal(0, SPREAD, len(vector))).round(4).tolist()
        at = BEGAN + timedelta(days=59 * chance.random())
        return creation.complete(build_event(bond, words.make_sentence(), emotional_impact=2), vector=near, now=at)

    copy_rows(ConceptNode, (build() for _ in range(CROWD)))


def ask(bond: Bond, question: str, *, now: datetime = NOW) -> FoundMemory:
    """Return what a turn would find, and how sure it would be, were the question the first line after a long silence.

    It writes nothing.
    """
    [vector] = query_vectors.embed(bond, [question])
    turn = Turn(bond=bond, session=Session(bond=bond))
    turn.burst = []
    base = BaseContext(
        turn=turn,
        query=question,
        recent_messages=[],
        base_memory=PromptMemory(),
        loaded=LoadedSet(text="", ids=(), left_out=0, name="", loaded_at=now),
        cards=entity_cards.find(bond=bond, said=question),
        now=now,
        situation=Situation.read(question, today=bond.user.get_day(now), is_return=False),
    )
    return memory_search.search(base, vector)
