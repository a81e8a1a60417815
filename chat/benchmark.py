"""What `manage.py benchmark` measures, on synthetic data of the right shape in a database of its own."""

import random
import statistics
import time
import uuid
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pydantic import BaseModel

from chat import runner, turns
from echovessel import embedding
from echovessel.llm.ledger import Recorded
from echovessel.llm.protocol import Answer, ChatMessage, Origin, Usage
from memory import lexemes, sessions, text
from memory.consolidation import run
from memory.ingest import ingest
from memory.models import ConceptNode, Message, Session
from personas import onboarding
from personas.models import Bond, User

SEED = 20
SAMPLE = 200
SMALL_BOND = 1000
LINES_A_SESSION = 40
BATCH = 2000


@dataclass(frozen=True)
class Figure:
    name: str
    value: float
    unit: str
    target: str
    held: bool
    runs: int


class Silent:
    """A model that notes when it is asked, says one word, and finds one event in every talk."""

    offline = False

    def __init__(self) -> None:
        self.asked_at = 0.0

    def model_of(self, feature: str) -> str:
        return "none"

    async def stream(self, messages: Sequence[ChatMessage], *, origin: Origin) -> AsyncGenerator[str | Usage, None]:
        self.asked_at = time.perf_counter()
        yield "Fine."
        yield Usage()

    def answer(
        self, messages: Sequence[ChatMessage], *, feature: str, schema: type[BaseModel], origin: Origin
    ) -> Answer:
        event = '{"description": "They moved to the harbour.", "emotional_impact": 3, "source_lines": [1]}'
        answers = {
            "extraction": f'{{"events": [{event}], "session_summary": "The harbour.", "mentioned_entities": []}}',
            "reflection": '{"thoughts": []}',
        }
        return Answer(text=answers[feature], usage=Usage())


class Words:
    """Sentences of words that occur as often as words do: the n-th about 1/n as often as the first, function words first."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.words = [*sorted(text.STOP_WORDS), *(f"w{rank}" for rank in range(5000))]
        self.weights = [1 / rank for rank in range(1, len(self.words) + 1)]

    def sentence(self, length: int = 12) -> str:
        return " ".join(self.random.choices(self.words, self.weights, k=length))


def seeded_bond(*, nodes: int, lines: int, now: datetime) -> Bond:
    """A bond of that size, made once and kept for the next run."""
    name = f"benchmark-searchable-{nodes}-{lines}-{embedding.model_name()}"[:150]
    known = Bond.objects.filter(user__username=name).first()
    if known is not None:
        return known
    owner = User.objects.create(username=name)
    words = Words(SEED)
    _, bond = onboarding.create(
        owner=owner, name="Marian", persona=words.sentence(200), user=words.sentence(60), now=now
    )
    talks = Session.objects.bulk_create(
        Session(
            bond=bond, channel="api", status="closed", started_at=now, last_message_at=now, summary=words.sentence()
        )
        for _ in range(max(1, lines // LINES_A_SESSION))
    )
    known_vectors = [vector for vector in embedding.embed([words.sentence() for _ in range(SAMPLE)]) if vector]
    for start in range(0, nodes, BATCH):
        size = min(BATCH, nodes - start)
        ConceptNode.objects.bulk_create(some_node(bond, talks, known_vectors, words, now) for _ in range(size))
    for start in range(0, lines, BATCH):
        size = min(BATCH, lines - start)
        Message.objects.bulk_create(some_line(bond, talks, known_vectors, words, now) for _ in range(size))
    # As autovacuum has done in any install that has been used for a while: without statistics plans are guesses.
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return bond


def some_node(bond: Bond, talks: list[Session], vectors: list[list[float]], words: Words, now: datetime) -> ConceptNode:
    description = words.sentence()
    at = now - timedelta(days=words.random.random() * 300)
    return ConceptNode(
        bond=bond,
        type="event",
        subject="user",
        state="live",
        origin="extraction",
        confidence=0.8,
        description=description,
        emotional_impact=words.random.randint(-9, 9),
        session=words.random.choice(talks),
        valid_from=at,
        created_at=at,
        terms=sorted(set(text.terms(description))),
        embedding=[value + words.random.gauss(0, 0.02) for value in words.random.choice(vectors)],
        embedding_model=embedding.model_name(),
    )


def some_line(bond: Bond, talks: list[Session], vectors: list[list[float]], words: Words, now: datetime) -> Message:
    content = words.sentence()
    return Message(
        bond=bond,
        session=words.random.choice(talks),
        role=words.random.choice(["user", "persona"]),
        content=content,
        channel="api",
        token_count=12,
        day=now.date(),
        created_at=now,
        search=lexemes.of(bond.pk, content),
        embedding=[value + words.random.gauss(0, 0.02) for value in words.random.choice(vectors)],
        embedding_model=embedding.model_name(),
    )


@dataclass(frozen=True)
class Overhead:
    """Milliseconds from a line's arrival to the call of the model, each with the embedding's share."""

    total: list[float]
    embedding: list[float]
    queries: int

    @property
    def without_embedding(self) -> list[float]:
        return [total - share for total, share in zip(self.total, self.embedding, strict=True)]


def turn_overhead(*, bond: Bond, runs: int) -> Overhead:
    words = Words(SEED + 1)
    one_turn(bond, words.sentence(), Silent())
    found = [one_turn(bond, words.sentence(), Silent()) for _ in range(runs)]
    with CaptureQueriesContext(connection) as queries:
        one_turn(bond, words.sentence(), Silent())
    asked = [query["sql"] for query in queries.captured_queries]
    ledger = next(at for at, sql in enumerate(asked) if "echovessel_ledgerentry" in sql)
    return Overhead(total=[total for total, _ in found], embedding=[share for _, share in found], queries=ledger)


def one_turn(bond: Bond, said: str, model: Silent) -> tuple[float, float]:
    started = time.perf_counter()
    turns.receive(bond=bond, content=said, channel="api", now=timezone.now(), debounce=False)
    turn = turns.claim(bond_id=bond.pk, now=timezone.now())
    assert turn is not None
    async_to_sync(runner.run)(turn, llm=Recorded(model))
    turn.refresh_from_db()
    return (model.asked_at - started) * 1000, float(turn.timings["embed_ms"] or 0)


def sessions_a_second(*, bond: Bond, runs: int) -> float:
    """Consolidation of sessions of 40 lines, without the time of model and embedding."""
    waiting = [talked(bond) for _ in range(runs)]
    with without_embedding():
        started = time.perf_counter()
        for session in waiting:
            run.consolidate(session_id=session.pk, llm=Silent())
        return runs / (time.perf_counter() - started)


def talked(bond: Bond) -> Session:
    words = Words(SEED + 2)
    session = sessions.begin(bond=bond, channel="web", now=timezone.now())
    for at in range(LINES_A_SESSION):
        role = Message.Role.PERSONA if at % 2 else Message.Role.USER
        ingest(session=session, role=role, content=words.sentence(), turn_id=uuid_of(session, at), now=timezone.now())
    Message.objects.filter(session=session).update(embedding_model=embedding.model_name())
    return sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=timezone.now())


def uuid_of(session: Session, at: int) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_OID, f"{session.pk}:{at}")


@contextmanager
def without_embedding() -> Iterator[None]:
    backend = settings.EMBEDDING_BACKEND
    settings.EMBEDDING_BACKEND = "hash"
    try:
        yield
    finally:
        settings.EMBEDDING_BACKEND = backend


def measure(*, nodes: int, lines: int, runs: int) -> list[Figure]:
    """All figures, each a median of at least five runs where it is one of time."""
    now = timezone.now()
    embedding.embed(["warm"])
    large = turn_overhead(bond=seeded_bond(nodes=nodes, lines=lines, now=now), runs=runs)
    small = turn_overhead(bond=seeded_bond(nodes=SMALL_BOND, lines=lines, now=now), runs=runs)
    growth = statistics.median(large.without_embedding) / statistics.median(small.without_embedding)
    rate = sessions_a_second(bond=seeded_bond(nodes=SMALL_BOND, lines=lines, now=now), runs=max(5, runs // 3))
    return [
        *percentiles("turn overhead", large.total, p50=60, p95=120),
        *percentiles("turn overhead without embedding", large.without_embedding, p50=25, p95=50),
        Figure("turn overhead, queries", large.queries, "queries", "<= 14", large.queries <= 14, 1),
        Figure(f"growth from {SMALL_BOND} to {nodes} nodes", round(growth, 2), "times", "<= 3", growth <= 3, runs),
        Figure("consolidation without model and embedding", round(rate, 1), "sessions/s", ">= 5", rate >= 5, runs),
    ]


def percentiles(name: str, values: list[float], *, p50: float, p95: float) -> list[Figure]:
    middle = statistics.median(values)
    high = statistics.quantiles(values, n=20)[-1]
    return [
        Figure(f"{name}, p50", round(middle, 1), "ms", f"<= {p50}", middle <= p50, len(values)),
        Figure(f"{name}, p95", round(high, 1), "ms", f"<= {p95}", high <= p95, len(values)),
    ]


def as_json(figures: list[Figure]) -> list[dict[str, Any]]:
    return [asdict(figure) for figure in figures]
