"""Which bonds have facts to put in order: enough that were picked up, and a change since the last time."""

from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from memory.consolidation.slow_tick.run import KEPT_FOR
from memory.models import ConceptNode, FactWrite, SlowTickRun
from personas.models import Bond

EXTRACTED_LEAST = 8
Trigger, Outcome = SlowTickRun.Trigger, SlowTickRun.Outcome


def find_due(*, now: datetime) -> list[int]:
    """Find the bonds to sweep."""
    return sorted(filter_due(now).values_list("bond", flat=True))


def is_due(bond: Bond, *, now: datetime) -> bool:
    return filter_due(now).filter(bond=bond).exists()


def filter_due(now: datetime) -> QuerySet[ConceptNode, Any]:
    """Group the facts of the bonds to sweep by bond. A run that failed does not count, so its bond is due again."""
    swept = SlowTickRun.objects.filter(
        bond=OuterRef("bond"), trigger=Trigger.SWEEP, outcome__in=[Outcome.DONE, Outcome.EMPTY]
    )
    # Runs are kept for so long: what changed before was swept, or is not worth a call by now.
    changes = FactWrite.objects.filter(created_at__gt=now - KEPT_FOR).exclude(by=FactWrite.By.SWEEP)
    fresh = changes.filter(~Exists(swept.filter(created_at__gte=OuterRef("created_at"))))
    extracted = Count("pk", filter=Q(tier=ConceptNode.Tier.EXTRACTED))
    facts = ConceptNode.objects.live_facts().filter(bond__in=fresh.values("bond"))
    return facts.values("bond").annotate(extracted=extracted).filter(extracted__gte=EXTRACTED_LEAST)
