"""Draw a bond's first facts from what it remembered before there were any, once.

All calls come first and one transaction writes everything, with the mark that it is done: a kill at any moment leaves
all of it or none.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import LLM, Origin
from echovessel.prompts import escape, render
from memory.answers.fact_sweep_schema import FACTS_MOST, DrawnFact, FactBackfillAnswer
from memory.answers.schemas import parse_parts
from memory.consolidation.asking import Asker
from memory.consolidation.slow_tick.run import Clock
from memory.facts import acts, drafts, writing
from memory.facts.checks import forgotten, grounding
from memory.facts.drafts import FactDraft, FactError, PreparedFact
from memory.facts.writers import Writer
from memory.jobs.queue import enqueue
from memory.models import ConceptNode, FactWrite, Message, Session
from memory.models.nodes import ConceptNodeQuerySet
from personas.models import Bond

PROMPT = Path(__file__).parents[2] / "prompts" / "fact_backfill.md"
EVENTS_MOST = 200
EVENTS_A_CALL = 40
CONFIDENCE_MOST = 0.8
logger = logging.getLogger("echovessel.consolidation")


def filter_sources(bond: Bond) -> ConceptNodeQuerySet:
    """Filter the events that tell who the user is."""
    events = ConceptNode.objects.for_bond(bond).current().events()
    return events.filter(relational_tags__contains=["identity-bearing"])


def find_due() -> list[int]:
    """Find the bonds from whose events no facts were drawn yet."""
    events = ConceptNode.objects.current().events().filter(relational_tags__contains=["identity-bearing"])
    return sorted(set(events.filter(bond__facts_drawn_at=None).values_list("bond", flat=True)))


def begin(*, session: Session, now: datetime) -> None:
    """At a bond's first close with a model: queue the drawing, or mark it as done where nothing was remembered before this session.

    The session's own facts come from its extraction.
    """
    bond = session.bond
    if filter_sources(bond).exclude(session=session).exists():
        enqueue("memory.tasks.draw_facts", bond.pk)
    else:
        Bond.objects.filter(pk=bond.pk, facts_drawn_at=None).update(facts_drawn_at=now)


def run(*, bond_id: int, llm: LLM, clock: Clock = timezone.now, asker: Callable[..., Asker] = Asker) -> int:
    """Draw the facts of a bond, unless it was done. Returns how many were written. Raises Bond.DoesNotExist.

    A model that fails writes nothing; the next night asks again.
    """
    bond = Bond.objects.select_related("user", "persona").get(pk=bond_id)
    if llm.offline or not settings.FACT_SWEEP_ENABLED or bond.facts_drawn_at is not None:
        return 0
    asks = asker(llm=llm, origin=Origin(user_id=bond.user_id, bond_id=bond_id), before_call=lambda: None)
    newest = filter_sources(bond).without_heavy_columns().order_by("-created_at", "-id")[:EVENTS_MOST]
    events = list(reversed(newest))
    parts = [events[at : at + EVENTS_A_CALL] for at in range(0, len(events), EVENTS_A_CALL)]
    try:
        found = [fact for part in parts for fact in ask(asks, bond, part)]
    except LLMError as error:
        logger.info("no facts are drawn from the events of bond %s yet: %s", bond_id, error)
        return 0
    return write(bond, found, now=clock())


def ask(asker: Asker, bond: Bond, events: Sequence[ConceptNode]) -> list[PreparedFact]:
    """Ask about a stretch of events. Returns what its texts say, with vectors. Raises LLMError."""
    asked = asker.ask(render_prompt(bond, events), feature="fact_sweep", schema=FactBackfillAnswer)
    parts, _notes = parse_parts(asked.parsed.get("facts"), DrawnFact, what="facts", most=FACTS_MOST)
    given = {event.pk: event for event in events}
    ready: list[PreparedFact] = []
    for part in parts:
        cited = [given[pk] for pk in dict.fromkeys(part.events) if pk in given]
        if not cited or not grounding.is_grounded(part.content, [event.description for event in cited]):
            continue
        draft = FactDraft(
            content=part.content,
            facet=part.facet,
            confidence=min(part.confidence, CONFIDENCE_MOST),
            filling=tuple(event.pk for event in cited),
        )
        try:
            ready += drafts.prepare([draft])
        except FactError as error:
            logger.info("a fact of bond %s is not drawn: %s", bond.pk, error.code)
    return ready


def render_prompt(bond: Bond, events: Sequence[ConceptNode]) -> str:
    zone = bond.user.zone
    lines = [
        f"[{event.pk}] ({event.created_at.astimezone(zone):%Y-%m-%d}) {escape(event.description)}" for event in events
    ]
    names = {"persona_name": escape(bond.persona.name), "user_name": escape(bond.user.shown_name)}
    return render(PROMPT, events="\n".join(lines), **names)


def write(bond: Bond, facts: Sequence[PreparedFact], *, now: datetime) -> int:
    """Write the facts whose events still stand, and mark the bond. Returns how many."""
    writer = Writer(by=FactWrite.By.SWEEP, tier=ConceptNode.Tier.EXTRACTED, now=now)
    count = 0
    with acts.open_transaction(bond, writer):
        if not Bond.objects.filter(pk=bond.pk, facts_drawn_at=None).update(facts_drawn_at=now):
            return 0
        standing = set(filter_sources(bond).values_list("pk", flat=True))
        for fact in facts:
            if standing.issuperset(fact.draft.filling) and not is_forgotten(bond, fact):
                count += save(bond, fact, writer)
    return count


def is_forgotten(bond: Bond, fact: PreparedFact) -> bool:
    """Whether this was forgotten before, and not told since."""
    messages = Message.objects.for_bond(bond).filter(nodes__in=fact.draft.filling).without_heavy_columns().distinct()
    return forgotten.are_forgotten(bond=bond, told=[(fact.draft.content, [*messages])])[0]


def save(bond: Bond, fact: PreparedFact, writer: Writer) -> int:
    """Save a fact; one that is noted in other words, or for which there is no room, is left out. Returns 1 or 0."""
    try:
        return int(writing.save(bond=bond, fact=fact, writer=writer) is not None)
    except FactError as error:
        logger.info("a fact of bond %s is not drawn: %s", bond.pk, error.code)
        return 0
