"""Create bonds of realistic size and shape once by COPY; later runs use them again."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from chat.evaluation.words import SentenceGenerator
from echovessel.embeddings import embedding
from echovessel.models import BondEvent, LedgerEntry
from echovessel.postgres import scratch
from echovessel.postgres.copying import copy_rows
from memory.evaluation.events import build_event
from memory.models import ConceptNode, Message, Session, lexemes
from memory.nodes import creation
from personas import onboarding
from personas.models import Bond, User

SEED = 20
MESSAGES_PER_SESSION = 40
SAMPLE = 300
# How far a copied vector lies from its original in each dimension.
SPREAD = 0.02
REMEMBERED_DAYS = 300
ANSWER_EVERY = timedelta(minutes=1)
Say = Callable[[str], None]


@dataclass(frozen=True)
class Scale:
    """How many nodes the database holds, over how many bonds, and how many messages the searched bond has."""

    nodes: int = 1_000_000
    bonds: int = 200
    messages: int = 100_000

    def __str__(self) -> str:
        return f"{self.nodes}-{self.bonds}-{self.messages}"

    def get_sizes(self) -> dict[str, tuple[int, int]]:
        """Return nodes and messages of each bond by its name. Unnamed bonds share the remaining nodes."""
        messages = min(20_000, self.messages)
        named = {
            "measured": (min(10_000, self.nodes), messages),
            "small": (min(1_000, self.nodes), messages),
            "large": (min(100_000, self.nodes), messages),
            "searched": (0, self.messages),
            "long": (min(50_000, self.nodes), min(50_000, self.messages)),
        }
        others = max(0, self.bonds - len(named))
        left = max(0, self.nodes - sum(nodes for nodes, _ in named.values()))
        return named | {f"other {at}": (left // others, 0) for at in range(others)}


class VectorSampler:
    """Real vectors of sample sentences, and copies close to them."""

    def __init__(self, words: SentenceGenerator) -> None:
        import numpy

        found = embedding.embed([words.make_sentence() for _ in range(SAMPLE)])
        self.sample = numpy.array([vector for vector in found if vector is not None], dtype="float32")
        self.random = numpy.random.default_rng(SEED)

    def draw(self) -> list[float]:
        real = self.sample[self.random.integers(len(self.sample))]
        beside = real + self.random.normal(0, SPREAD, real.shape)
        near: list[float] = beside.round(4).tolist()
        return near


@dataclass(frozen=True)
class Seeder:
    words: SentenceGenerator
    vectors: VectorSampler
    now: datetime

    @transaction.atomic
    def create_bond(self, name: str, *, nodes_count: int, lines_count: int) -> Bond:
        owner = User.objects.create(username=get_username(name))
        _, bond = onboarding.create(
            owner=owner,
            name="Marian",
            persona=self.words.make_sentence(200),
            user=self.words.make_sentence(60),
            now=self.now,
        )
        sessions = self.create_sessions(bond, count=-(-lines_count // MESSAGES_PER_SESSION))
        copy_rows(Message, (self.build_message(sessions[at // MESSAGES_PER_SESSION], at) for at in range(lines_count)))
        copy_rows(ConceptNode, (self.build_node(bond, sessions) for _ in range(nodes_count)))
        return bond

    def create_sessions(self, bond: Bond, *, count: int) -> list[Session]:
        began = [self.now - timedelta(days=REMEMBERED_DAYS * (count - at) / count) for at in range(count)]
        return Session.objects.bulk_create(
            Session(
                bond=bond,
                channel=Session.Channel.API,
                status=Session.Status.CLOSED,
                started_at=at,
                last_message_at=at + MESSAGES_PER_SESSION * ANSWER_EVERY,
                message_count=MESSAGES_PER_SESSION,
                summary=self.words.make_sentence(),
            )
            for at in began
        )

    def build_message(self, session: Session, at: int) -> Message:
        content = self.words.make_message_text(at)
        said_at = session.started_at + at % MESSAGES_PER_SESSION * ANSWER_EVERY
        is_chinese = content.endswith("。")
        return Message(
            bond=session.bond,
            session=session,
            role=Message.Role.PERSONA if at % 2 else Message.Role.USER,
            content=content,
            channel=session.channel,
            token_count=12,
            day=said_at.date(),
            created_at=said_at,
            search=lexemes.format_lexemes(session.bond_id, content),
            # As with the bundled model, which cannot read Chinese.
            embedding=None if is_chinese else self.vectors.draw(),
            embedding_model=embedding.get_model_name(),
        )

    def build_node(self, bond: Bond, sessions: list[Session]) -> ConceptNode:
        event = build_event(
            bond,
            self.words.make_sentence(),
            emotional_impact=self.words.random.randint(-9, 9),
            session=self.words.random.choice(sessions) if sessions else None,
        )
        at = self.now - timedelta(days=self.words.random.random() * REMEMBERED_DAYS)
        return creation.complete(event, vector=self.vectors.draw(), now=at)


def seed(scale: Scale, *, now: datetime, say: Say) -> None:
    """Create the bonds that do not exist yet, print how long it took, and take away what earlier runs said."""
    missing = [name for name in scale.get_sizes() if not User.objects.filter(username=get_username(name)).exists()]
    if missing:
        build_bonds(scale, missing, now=now, say=say)
    else:
        say("The database of an earlier run is used")
        remove_measured_sessions()
    scratch.update_statistics()


def build_bonds(scale: Scale, missing: list[str], *, now: datetime, say: Say) -> None:
    started = time.perf_counter()
    words = SentenceGenerator(SEED)
    seeder = Seeder(words=words, vectors=VectorSampler(words), now=now)
    for name, (nodes_count, lines_count) in _report_progress(scale, missing, say):
        seeder.create_bond(name, nodes_count=nodes_count, lines_count=lines_count)
    say(f"Built in {time.perf_counter() - started:.0f} s")


def remove_measured_sessions() -> None:
    """Delete the sessions of earlier runs with all that came of them, so that every run measures bonds of one size."""
    bonds = Bond.objects.filter(user__username__startswith=get_username(""))
    measured = Session.objects.filter(bond__in=bonds, started_at__gt=F("bond__created_at"))
    ConceptNode.objects.filter(session__in=measured).delete()
    measured.delete()
    for rows in (LedgerEntry, BondEvent):
        rows.objects.filter(bond_id__in=bonds.values("pk")).delete()


def _report_progress(scale: Scale, missing: list[str], say: Say) -> Iterator[tuple[str, tuple[int, int]]]:
    sizes = scale.get_sizes()
    for at, name in enumerate(missing, start=1):
        if at % 10 == 1 or not name.startswith("other"):
            say(f"Building bond {at} of {len(missing)}: {sizes[name][0]} memories, {sizes[name][1]} lines")
        yield name, sizes[name]


def get_username(name: str) -> str:
    return f"benchmark {name}"


def get_bond(name: str) -> Bond:
    return Bond.objects.select_related("user", "persona").get(user__username=get_username(name))
