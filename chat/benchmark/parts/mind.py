"""Measure what knowing costs a turn: its signals, how sure it is, a second and wider look, and its statements."""

import operator
from collections.abc import Callable, Iterator
from functools import partial
from uuid import uuid4

from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.benchmark import figures
from chat.benchmark.competitors.task import time_each
from chat.benchmark.figures import Figure
from chat.benchmark.parts import facts, turns
from chat.benchmark.seeding import SEED, get_bond
from chat.evaluation.mind import suite
from chat.evaluation.words import SentenceGenerator
from chat.models import Turn
from chat.turns.prompting import entity_cards
from chat.turns.prompting.base_context import BaseContext
from chat.turns.prompting.selection import memory_search
from chat.turns.prompting.selection.section_selection import Situation
from echovessel.embeddings import embedding
from memory.evaluation.tally import LANGUAGES
from memory.facts import loaded_set
from memory.knowing import signals
from memory.messages import window
from memory.models import Message, Session
from memory.recall import prompt_memory
from personas.models import Bond

SIGNALS_MS, KNOWING_MS, WIDENED_MS, WIDENED_STATEMENTS = 1, 3, 45, 1


def measure(*, runs: int) -> list[Figure]:
    bond = get_bond("measured")
    first, later = facts.count_turn_queries(bond)
    plain, wide = list(time_searches(bond, runs=runs, asks=False)), list(time_searches(bond, runs=runs, asks=True))
    statements = count_statements(bond, search=memory_search.search) - count_statements(bond, search=search_narrowly)
    return [
        figures.p95("signals of a line", time_signals(), limit=SIGNALS_MS),
        figures.median("knowing, added to a turn", plain, limit=KNOWING_MS),
        figures.median("a wider look, added to a turn", wide, limit=WIDENED_MS),
        figures.at_most("a wider look", statements, limit=WIDENED_STATEMENTS, unit="statements", runs=1),
        figures.at_most("turn with knowing, queries", later, limit=turns.QUERIES_MOST, unit="queries", runs=1),
        figures.at_most(
            "first turn with knowing, queries", first, limit=facts.FIRST_TURN_QUERIES, unit="queries", runs=1
        ),
    ]


def time_signals() -> list[float]:
    """Return the milliseconds of each labelled line of both languages."""
    today = timezone.now().date()
    lines = [line for lang in LANGUAGES for line in suite.read_lines(f"signals_{lang}.txt")]
    return time_each(lambda line: signals.read(line, today=today), lines)


def time_searches(bond: Bond, *, runs: int, asks: bool) -> Iterator[float]:
    """Yield by how many milliseconds the search of a turn is longer than without knowing; a question finds nothing and
    looks wider.
    """
    for said in make_lines(runs, asks=asks):
        base, vector = load_base(bond, said), embedding.embed([said], of_question=True)[0]
        searches = [
            partial(search, base, vector) for search in (search_narrowly, search_narrowly, memory_search.search)
        ]
        # What both search for is in the cache from the first time on.
        _, narrow, whole = time_each(operator.call, searches)
        yield whole - narrow


def search_narrowly(base: BaseContext, vector: list[float] | None) -> None:
    memory_search.search_narrowly(base, vector, base.situation)


def count_statements(bond: Bond, *, search: Callable[[BaseContext, list[float] | None], object]) -> int:
    [said] = make_lines(1, asks=True)
    base, [vector] = load_base(bond, said), embedding.embed([said], of_question=True)
    with CaptureQueriesContext(connection) as queries:
        search(base, vector)
    return len(queries)


def make_lines(count: int, *, asks: bool) -> Iterator[str]:
    words = SentenceGenerator(SEED + 2)
    for at in range(count):
        # The memories hold made-up words, so that none is near.
        yield f"Which submarine did my uncle captain in Norway, number {at}?" if asks else words.make_sentence()


def load_base(bond: Bond, said: str) -> BaseContext:
    """Load what a turn reads before its burst, as if a new session began with it. It writes nothing."""
    now, turn_id = timezone.now(), uuid4()
    newest = Message.objects.for_bond(bond).order_by("-id").values_list("pk", flat=True).first() or 0
    turn = Turn(bond=bond, session=Session(bond=bond))
    turn.burst = []
    return BaseContext(
        turn=turn,
        query=said,
        recent_messages=window.load_recent(bond=bond, most=settings.RECENT_WINDOW_SIZE, turn_id=turn_id, up_to=newest),
        base_memory=prompt_memory.load(bond=bond, now=now, loaded_at=now, turn_id=turn_id),
        loaded=loaded_set.build(bond, now=now),
        cards=entity_cards.find(bond=bond, said=said),
        now=now,
        situation=Situation.read(said, today=bond.user.get_day(now), is_return=False),
    )
