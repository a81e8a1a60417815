"""The loaded set: the facts that every prompt of a session holds, the same from its first turn to its end."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db.models import BooleanField, Case, ExpressionWrapper, F, Func, IntegerField, Q, Value, When

from echovessel import tokens
from echovessel.prompts import escape
from memory.models import ConceptNode, Doubt, Session
from memory.models.nodes import ConceptNodeQuerySet
from memory.nodes import links
from personas.models import Bond

Facet = ConceptNode.Facet
LOADED_FROM = 0.70
RECALLED_FROM = 0.40
LINES_MOST = 60
FURTHER_MOST = 15
# The characters of what was said since.
SINCE_MOST = 160
# The tokens of each facet, where FACT_TOKENS is their sum.
FACET_TOKENS = {Facet.ABOUT_YOU: 600, Facet.ABOUT_US: 400, Facet.HOW_TO_TALK: 250, Facet.PERSONA_CANON: 250}
DEFAULT_TOKENS = sum(FACET_TOKENS.values())


class LoadableFact(NamedTuple):
    """The columns of a live fact that the loaded set is made from: a bond may have a thousand, and rows cost more."""

    id: int
    facet: str
    tier: str
    slot: str
    value: str
    description: str
    is_disputed: bool
    # What was told since that may change it.
    said_since: str = ""


@dataclass(frozen=True)
class LoadedSet:
    """The text of the section `# What you know`, the ids of its facts, and how many there was no room for."""

    text: str
    ids: tuple[int, ...]
    left_out: int
    # What the user wants to be called, or nothing.
    name: str
    loaded_at: datetime

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def load(session: Session, *, bond: Bond, now: datetime) -> LoadedSet:
    """Load what the session's prompts know. Its first turn builds and stores it; later ones have it with the session.

    A session that ended while a turn waited stores nothing more.
    """
    if session.loaded_at is not None:
        return LoadedSet(
            text=session.loaded_text,
            ids=tuple(session.loaded_ids),
            left_out=session.loaded_left,
            name=session.loaded_name,
            loaded_at=session.loaded_at,
        )
    built = build(bond, now=now)
    columns = {
        "loaded_text": built.text,
        "loaded_hash": built.hash,
        "loaded_ids": list(built.ids),
        "loaded_left": built.left_out,
        "loaded_name": built.name,
        "loaded_at": built.loaded_at,
    }
    Session.objects.filter(pk=session.pk, status=Session.Status.OPEN).update(**columns)
    for name, value in columns.items():
        setattr(session, name, value)
    return built


def build(bond: Bond, *, now: datetime) -> LoadedSet:
    """Build the loaded set of a bond as it stands now."""
    # What the user is called is always taken, since a heading tells it: to forget it drops the set.
    facts = sorted(list_loadable(bond), key=lambda fact: fact.slot != ConceptNode.Slot.PREFERRED_NAME)
    name = facts[0].value if facts and facts[0].slot == ConceptNode.Slot.PREFERRED_NAME else ""
    taken = take_what_fits(facts)
    left_out = len(facts) - len(taken)
    return LoadedSet(
        text=render(taken, left_out=left_out, user_name=name or bond.user.shown_name),
        ids=tuple(sorted(fact.id for fact in taken)),
        left_out=left_out,
        name=name,
        loaded_at=now,
    )


def list_loadable(bond: Bond) -> list[LoadableFact]:
    """List the live facts that are told, or sure enough to be taken for told, in the order in which they are taken."""
    sure = Q(tier=ConceptNode.Tier.STATED) | Q(confidence__gte=LOADED_FROM)
    open_doubts = Doubt.objects.for_bond(bond).open()
    # Lists of ids are read once a statement; a correlated subquery would run for each fact.
    disputed = Q(pk__in=open_doubts.exclude(a_node=None).values("a_node")) | Q(
        pk__in=open_doubts.exclude(b_node=None).values("b_node")
    )
    facts = filter_live_facts(bond).filter(sure)
    facts = facts.annotate(is_disputed=ExpressionWrapper(disputed, output_field=BooleanField()))
    said_since = links.load_said_since(bond)
    rows = sort_by_trust(facts).values_list(*LoadableFact._fields[:-1])
    return [LoadableFact._make((*row, said_since.get(row[0], ""))) for row in rows]


def filter_live_facts(bond: Bond) -> ConceptNodeQuerySet:
    return ConceptNode.objects.for_bond(bond).current().filter(type=ConceptNode.Type.FACT)


def sort_by_trust(facts: ConceptNodeQuerySet) -> ConceptNodeQuerySet:
    """Sort facts in the order in which they are taken: stated first, then newest, then surest."""
    stated_first = Case(
        When(tier=ConceptNode.Tier.STATED, then=Value(0)), default=Value(1), output_field=IntegerField()
    )
    return facts.order_by(stated_first, "-created_at", "-confidence", "id")


def take_what_fits(facts: Sequence[LoadableFact]) -> list[LoadableFact]:
    """Take facts in their order until there are LINES_MOST or the tokens of their facet are used up."""
    taken: list[LoadableFact] = []
    used: Counter[str] = Counter()
    full: set[str] = set()
    for fact in facts:
        if len(taken) == LINES_MOST:
            break
        if fact.facet in full:
            continue
        cost = tokens.estimate(render_fact(fact))
        if used[fact.facet] + cost > get_most_tokens(fact.facet):
            full.add(fact.facet)
            continue
        used[fact.facet] += cost
        taken.append(fact)
    return taken


def get_most_tokens(facet: str) -> float:
    return FACET_TOKENS[Facet(facet)] * settings.FACT_TOKENS / DEFAULT_TOKENS


def render(facts: Sequence[LoadableFact], *, left_out: int, user_name: str) -> str:
    """Render facts by facet, in the order of their ids."""
    headings = {
        Facet.ABOUT_YOU: f"About {escape(' '.join(user_name.split()))}",
        Facet.ABOUT_US: "About the two of you",
        Facet.HOW_TO_TALK: "How to talk",
        Facet.PERSONA_CANON: "What you said of yourself",
    }
    parts = []
    for facet, heading in headings.items():
        lines = [render_fact(fact) for fact in sorted(facts, key=lambda fact: fact.id) if fact.facet == facet]
        if lines:
            parts.append("\n".join([f"## {heading}", *lines]))
    if left_out:
        parts.append(f"({left_out} more that are not written here)")
    return "\n".join(parts)


def render_fact(fact: LoadableFact) -> str:
    """Render a fact as a line: `~` marks what was not stated, and what was said since stands behind it."""
    guess = "" if fact.tier == ConceptNode.Tier.STATED else "~ "
    disputed = " (may have changed)" if fact.is_disputed else ""
    said_since = f" (said since: {render_text(fact.said_since[:SINCE_MOST])})" if fact.said_since else ""
    return f"- {guess}{render_text(fact.description)}{disputed}{said_since}"


def render_text(said: str) -> str:
    return escape(" ".join(said.split()))


def list_further(bond: Bond, *, but: Iterable[int]) -> list[ConceptNode]:
    """List live facts beyond the loaded ones, best first, for "what do you know about me?"."""
    further = filter_live_facts(bond).filter(confidence__gte=RECALLED_FROM).exclude(pk__in=list(but))
    further = further.only("id", "description", "tier", "confidence", "created_at")
    return list(sort_by_trust(further)[:FURTHER_MOST])


def mark_checked(*, session_id: int, facts: Sequence[int]) -> None:
    """Store that the persona was told to make sure of these facts: it is told once a session."""
    appended = Func(F("checked_ids"), list(facts), function="array_cat")
    Session.objects.filter(pk=session_id).update(checked_ids=appended)
