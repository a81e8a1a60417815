"""Lives for the suite `narrating`: messages of the past, their memories, and new messages labelled with the related
memories. Recall's constants are chosen by the lives of this folder alone; those of `judged/` judge them.

All messages of one day are one session. Memories are written as a good model would extract them; nothing is extracted
here.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from pathlib import Path
from typing import Literal, Self
from uuid import uuid4

from pydantic import Field, model_validator

from echovessel.embeddings import embedding
from memory import sessions
from memory.entities import editing
from memory.evaluation import bonds
from memory.evaluation.events import build_event
from memory.evaluation.files import load_yaml
from memory.evaluation.stories.parts import Shape
from memory.evaluation.stories.telling import LINE_TAKES
from memory.messages.ingest import ingest
from memory.models import ConceptNode, Message, NodeSource, Session
from memory.nodes import creation
from memory.recall import embeddings
from personas.models import Bond

Half = Literal["development", "judged"]

FOLDER = Path(__file__).parent
FOLDERS: dict[Half, Path] = {"development": FOLDER, "judged": FOLDER / "judged"}
# Everyday events, as most memories are.
EVERYDAY = FOLDER / "everyday"
EVERYDAY_REPLY = {"en": "I see.", "zh": "嗯。"}
TOLD_AT = time(18, tzinfo=UTC)
# The messages that a long one joins, by their places.
PARTS = ((0, 20, 8), (1, 21, 9), (4, 22, 12), (5, 23, 13))


class ToldMessage(Shape):
    """A user message of a day, the reply, and its memory; none for small talk. What holds from then on is a fact."""

    id: str
    day: date
    said: str
    reply: str
    memory: str = ""
    facet: Literal["how_to_talk", ""] = ""
    impact: int = Field(default=0, ge=-10, le=10)
    names: dict[str, Literal["person", "place", "pet", "org", "other"]] = {}


class LifeQuestion(Shape):
    """A message or a question, and the ids of what a good friend would remember."""

    say: str
    find: list[str]


class Life(Shape):
    half: Half
    lang: Literal["en", "zh"]
    user: str
    persona: str
    now: date
    told: list[ToldMessage]
    messages: list[LifeQuestion]
    days: list[LifeQuestion]
    wishes: list[LifeQuestion]

    @model_validator(mode="after")
    def names_what_was_told(self) -> Self:
        known = {one.id for one in self.told}
        wanted = {id for asked in (*self.messages, *self.days, *self.wishes) for id in asked.find}
        if wanted - known:
            raise ValueError(f"Nothing is told as {', '.join(sorted(wanted - known))}.")
        return self

    @property
    def long_messages(self) -> list[LifeQuestion]:
        """Join three of the others into one message of several subjects (`PARTS`)."""
        told = [[self.messages[at] for at in parts] for parts in PARTS]
        return [
            LifeQuestion(
                say="\n\n".join(part.say for part in parts),
                find=list(dict.fromkeys(id for part in parts for id in part.find)),
            )
            for parts in told
        ]

    @property
    def asked_at(self) -> datetime:
        return datetime.combine(self.now, TOLD_AT)


class LivedBond(Shape):
    """A bond that has lived a life: the ids of its memories and of the user's messages, by what was told."""

    bond_id: int
    memories: dict[str, int]
    messages: dict[str, int]

    def find_memories(self, pks: Iterable[int]) -> list[str]:
        ids = {pk: id for id, pk in self.memories.items()}
        return [ids[pk] for pk in pks]

    def find_told(self, pks: Iterable[int]) -> list[str]:
        """Leave out the companion's own messages, which tell nothing."""
        ids = {pk: id for id, pk in self.messages.items()}
        return [ids[pk] for pk in pks if pk in ids]


def load_all() -> dict[str, Life]:
    return {
        file.stem: add_everyday(Life.model_validate(load_yaml(file) | {"half": half}))
        for half, folder in FOLDERS.items()
        for file in sorted(folder.glob("*.yaml"))
    }


def add_everyday(life: Life) -> Life:
    """Put the life among everyday events, told three days apart."""
    said = load_yaml(EVERYDAY / f"{life.lang}.yaml")
    first = min(one.day for one in life.told) + timedelta(days=1)
    everyday = [
        ToldMessage(
            id=f"everyday {at}",
            day=first + timedelta(days=3 * at),
            said=one,
            reply=EVERYDAY_REPLY[life.lang],
            memory=one,
            impact=at % 4,
        )
        for at, one in enumerate(said)
    ]
    return life.model_copy(update={"told": [*life.told, *everyday]})


def write(life: Life) -> LivedBond:
    """Write a life into a new bond."""
    bond = create_bond(life)
    days = groupby(sorted(life.told, key=lambda one: one.day), key=lambda one: one.day)
    messages = {id: pk for day, told in days for id, pk in write_session(bond, day, list(told)).items()}
    embeddings.embed_bond(bond_id=bond.pk)
    remembered = [one for one in life.told if one.memory]
    vectors = embedding.embed([one.memory for one in remembered])
    memories = {
        one.id: write_memory(bond, one, message=messages[one.id], vector=vector)
        for one, vector in zip(remembered, vectors, strict=True)
    }
    create_entities(life, bond)
    return LivedBond(bond_id=bond.pk, memories=memories, messages=messages)


def create_bond(life: Life) -> Bond:
    first = datetime.combine(min(one.day for one in life.told), TOLD_AT)
    return bonds.create(user=life.user, persona=life.persona, lang=life.lang, now=first)


def write_session(bond: Bond, day: date, told: list[ToldMessage]) -> dict[str, int]:
    """Write the messages of a day as a closed session. Returns the ids of the user's messages."""
    now = datetime.combine(day, TOLD_AT)
    session = sessions.create(bond=bond, channel=Session.Channel.WEB, now=now)
    written: dict[str, int] = {}
    for one in told:
        turn = uuid4()
        said = ingest(session=session, role=Message.Role.USER, content=one.said, turn_id=turn, now=now)
        ingest(session=session, role=Message.Role.PERSONA, content=one.reply, turn_id=turn, now=now + LINE_TAKES)
        written[one.id] = said.pk
        now += 2 * LINE_TAKES
    Session.objects.filter(pk=session.pk).update(status=Session.Status.CLOSED, closed_at=now, held_until=None)
    return written


def write_memory(bond: Bond, told: ToldMessage, *, message: int, vector: list[float] | None) -> int:
    node = build_event(
        bond,
        told.memory,
        type=ConceptNode.Type.FACT if told.facet else ConceptNode.Type.EVENT,
        facet=told.facet,
        tier=ConceptNode.Tier.STATED if told.facet else "",
        emotional_impact=told.impact,
        session_id=Message.objects.values_list("session", flat=True).get(pk=message),
    )
    creation.create(node, vector=vector, now=datetime.combine(told.day, TOLD_AT))
    NodeSource.objects.create(bond=bond, node=node, message_id=message)
    return node.pk


def create_entities(life: Life, bond: Bond) -> None:
    kinds = {name: kind for one in life.told for name, kind in one.names.items()}
    for name, kind in kinds.items():
        editing.create(bond=bond, wanted={"canonical_name": name, "kind": kind}, now=life.asked_at)
