"""Measure how many sessions a worker consolidates in a second, without the time of model and embedding."""

import time
from uuid import uuid4

from django.test.utils import override_settings
from django.utils import timezone

from chat.benchmark import figures
from chat.benchmark.figures import Figure
from chat.benchmark.quiet_model import QuietModel
from chat.benchmark.seeding import MESSAGES_PER_SESSION, SEED, get_bond
from chat.evaluation.words import SentenceGenerator
from echovessel.embeddings import embedding
from memory import sessions
from memory.consolidation import run
from memory.messages.ingest import ingest
from memory.models import Message, Session
from personas.models import Bond

RUNS_LEAST = 5


def measure(*, runs: int) -> Figure:
    runs = max(RUNS_LEAST, runs // 3)
    bond = get_bond("measured")
    waiting = [create_closed_session(bond) for _ in range(runs)]
    # Without the time of the embedding.
    with override_settings(EMBEDDING_BACKEND="hash"):
        started = time.perf_counter()
        for session in waiting:
            run.consolidate(session_id=session.pk, llm=QuietModel())
        rate = runs / (time.perf_counter() - started)
    return figures.at_least("consolidation", rate, limit=5, unit="sessions/s", runs=runs)


def create_closed_session(bond: Bond) -> Session:
    words = SentenceGenerator(SEED + 2)
    session = sessions.create(bond=bond, channel=Session.Channel.WEB, now=timezone.now())
    for at in range(MESSAGES_PER_SESSION):
        role = Message.Role.PERSONA if at % 2 else Message.Role.USER
        ingest(session=session, role=role, content=words.make_sentence(), turn_id=uuid4(), now=timezone.now())
    Message.objects.filter(session=session).update(embedding_model=embedding.get_model_name())
    return sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=timezone.now())
