"""Load conversations of the LoCoMo data set (Maharana et al. 2024) as bonds: the first speaker is the user, the second
the companion.
"""

import json
import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from echovessel import tokens
from memory.evaluation.events import build_event
from memory.models import ConceptNode, Message, NodeSource, Session, lexemes
from memory.nodes import creation
from memory.recall import embeddings
from personas.models import Bond, Persona, User

_EVIDENCE = re.compile(r"D(\d+):(\d+)")


@dataclass(frozen=True)
class LocomoQuestion:
    text: str
    category: int
    # The ids of messages.
    evidence: tuple[int, ...]


@dataclass(frozen=True)
class Conversation:
    """A bond with every message of a conversation, and its questions."""

    bond: Bond
    lines: list[Message]
    questions: list[LocomoQuestion]


def load_conversations(path: Path, *, now: datetime) -> list[Conversation]:
    """Load the file's conversations, each as a bond of its own."""
    return [import_conversation(told, now=now) for told in json.loads(path.read_text())]


def import_conversation(told: dict[str, Any], *, now: datetime) -> Conversation:
    talk = told["conversation"]
    user = User.objects.create(username=f"{told['sample_id']}-{uuid.uuid4()}", display_name=talk["speaker_a"])
    persona = Persona.objects.create(owner=user, name=talk["speaker_b"], created_at=now)
    bond = Bond.objects.create(user=user, persona=persona, created_at=now)
    ids: dict[tuple[str, str], int] = {}
    for number in range(1, len(talk)):
        if f"session_{number}" in talk:
            at = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            ids |= create_session(bond, talk[f"session_{number}"], at=at)
    embeddings.embed_bond(bond_id=bond.pk)
    messages = list(Message.objects.for_bond(bond).order_by("id"))
    return Conversation(
        bond=bond, lines=messages, questions=[q for asked in told["qa"] if (q := parse_question(asked, ids))]
    )


def write_memories(conversation: Conversation) -> dict[int, int]:
    """Write each message as a memory, word for word and with its vector. Returns the messages' ids by the memories'."""
    nodes = [build_memory(message) for message in conversation.lines]
    ConceptNode.objects.bulk_create(nodes)
    told = list(zip(nodes, conversation.lines, strict=True))
    NodeSource.objects.bulk_create(NodeSource(bond=node.bond, node=node, message=message) for node, message in told)
    return {node.pk: message.pk for node, message in told}


def build_memory(message: Message) -> ConceptNode:
    is_user = message.role == Message.Role.USER
    node = build_event(
        message.bond,
        message.content,
        subject=ConceptNode.Subject.USER if is_user else ConceptNode.Subject.PERSONA,
        session_id=message.session_id,
    )
    return creation.complete(node, vector=message.embedding, now=message.created_at)


def create_session(bond: Bond, turns: list[dict[str, Any]], *, at: datetime) -> dict[tuple[str, str], int]:
    """Store the messages of one session. Returns their ids by the numbers of the data set."""
    made = Session.objects.create(
        bond=bond, channel=Session.Channel.API, status=Session.Status.CLOSED, started_at=at, last_message_at=at
    )
    messages = [create_message(made, turn, at=at) for turn in turns]
    Message.objects.bulk_create(messages)
    made.message_count = len(messages)
    made.save(update_fields=["message_count"])
    return {parse_message_number(turn["dia_id"]): stored.pk for turn, stored in zip(turns, messages, strict=True)}


def create_message(session: Session, turn: dict[str, Any], *, at: datetime) -> Message:
    is_user = turn["speaker"] == session.bond.user.display_name
    return Message(
        bond=session.bond,
        session=session,
        role=Message.Role.USER if is_user else Message.Role.PERSONA,
        content=turn["text"],
        channel=session.channel,
        turn_id=uuid.uuid4(),
        token_count=tokens.estimate(turn["text"]),
        day=at.date(),
        created_at=at,
        search=lexemes.build_search_vector(session.bond_id, turn["text"]),
    )


def parse_question(asked: dict[str, Any], ids: dict[tuple[str, str], int]) -> LocomoQuestion | None:
    """Return None for the few whose evidence is missing or names no message."""
    named = [parse_message_number(match[0]) for text in asked["evidence"] for match in _EVIDENCE.finditer(text)]
    evidence = tuple(dict.fromkeys(ids[name] for name in named if name in ids))
    return LocomoQuestion(text=asked["question"], category=asked["category"], evidence=evidence) if evidence else None


def parse_message_number(named: str) -> tuple[str, str]:
    """Parse a number; `D1:03` and `D1:3` are the same message."""
    found = _EVIDENCE.search(named)
    assert found is not None, named
    return str(int(found[1])), str(int(found[2]))
