"""Facts, their changes, and a doubt of each kind, for the sample."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from memory.doubts import settling
from memory.models import ConceptNode, Doubt, FactWrite, Message
from memory.models.fact_columns import SUBJECTS
from personas.models import Bond
from tests.support.factories import ConceptNodeFactory, FactFactory

FACTS = (
    ("about_you", "stated", "Mara cannot eat nuts.", "diet", "no nuts", True),
    ("about_you", "stated", "Mara lives in Vienna.", "home", "Vienna", False),
    ("about_you", "extracted", "Mara's workshop is near the river.", "", "", False),
    ("about_us", "stated", "On Saturdays they talk about the week.", "", "", False),
    ("how_to_talk", "stated", "Mara likes short answers in the morning.", "", "", False),
    ("persona_canon", "extracted", "Marian once kept bees.", "", "", False),
)

# How a fact was before it was confirmed.
BEFORE = {"tier": "stated", "confidence": 1.0, "mention_count": 1, "last_confirmed_at": None}


def note(bond: Bond, lines: list[Message], nodes: dict[str, ConceptNode], words: Callable[[str], str]) -> None:
    """Note facts with a change of each kind, and open doubts: one of each kind, one let go, one settled."""
    now = timezone.now()
    facts = [
        FactFactory(
            bond=bond,
            session=lines[0].session,
            facet=facet,
            subject=SUBJECTS[ConceptNode.Facet(facet)],
            tier=tier,
            description=words(text)[:600],
            detail=words("By the river, since the spring.") if slot == "home" else "",
            slot=slot,
            value=words(value)[:80] if slot else "",
            grave=grave,
            sources=[lines[number]],
            created_at=now - timedelta(days=8 - number),
        )
        for number, (facet, tier, text, slot, value, grave) in enumerate(FACTS)
    ]
    past = FactFactory(bond=bond, description=words("Mara lives in Graz."), state="superseded", superseded_by=facts[1])
    writes: tuple[tuple[ConceptNode, str, str, dict[str, Any]], ...] = (
        (facts[0], "saved", "rule", {}),
        (facts[1], "changed", "tool", {"old": [past.pk]}),
        (facts[2], "saved", "close", {"undone_at": now - timedelta(hours=1)}),
        (facts[3], "saved", "tool", {}),
        (facts[1], "confirmed", "tool", {"before": BEFORE}),
        (facts[4], "saved", "person", {}),
    )
    for number, (node, op, by, columns) in enumerate(writes):
        at = now - timedelta(days=len(writes) - number)
        FactWrite.objects.create(
            bond=bond, node=node, op=op, by=by, session=lines[0].session, created_at=at, **{"old": []} | columns
        )
    doubt(bond, facts[1], nodes, words, now)


def doubt(
    bond: Bond, home: ConceptNode, nodes: dict[str, ConceptNode], words: Callable[[str], str], now: datetime
) -> list[Doubt]:
    """Doubt a memory in each way; a pair of people is in doubt already."""
    other = uncertain(bond, words("Mara lives in Linz."), against=home)
    read = ConceptNodeFactory(
        bond=bond,
        description=words("Mara studied in Cremona."),
        origin="import",
        relational_tags=["identity-bearing"],
        source_quote=words("In Cremona I learned to listen to wood."),
        created_at=now - timedelta(days=31),
    )
    let_go = uncertain(bond, words("Mara is afraid of bees."), against=nodes["work"])
    settled = uncertain(bond, words("Mara has two cats."), against=nodes["cat"])
    yesterday = now - timedelta(days=1)
    made = [
        Doubt.objects.open_about_nodes(kind="contradiction", this=other, that=home, by="close", now=yesterday),
        Doubt.objects.open_about_nodes(kind="unverified", this=read, that=None, by=Doubt.BY_CLOCK, now=yesterday),
        Doubt.objects.open_about_nodes(kind="stale", this=nodes["work"], that=None, by=Doubt.BY_CLOCK, now=yesterday),
        Doubt.objects.open_about_nodes(
            kind="contradiction", this=let_go, that=nodes["work"], by="close", now=yesterday
        ),
        Doubt.objects.open_about_nodes(
            kind="contradiction", this=settled, that=nodes["cat"], by="close", now=yesterday
        ),
    ]
    settling.let_be(doubt=made[-2])
    made[-1].settle(outcome=Doubt.Outcome.THAT, now=now)
    Doubt.objects.filter(pk=made[0].pk).update(asked_in=[nodes["work"].session_id])
    return made


def uncertain(bond: Bond, text: str, *, against: ConceptNode) -> ConceptNode:
    return FactFactory(
        bond=bond, description=text, state="uncertain", tier="extracted", confidence=0.6, conflicts_with=against
    )
