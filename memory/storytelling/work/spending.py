"""How many tokens a bond's story may cost in a day of its user."""

from datetime import datetime

from django.db.models import Sum
from django.db.models.functions import Coalesce

from echovessel.models import LedgerEntry
from memory.storytelling import compacting, detecting, merging, recapping, recapping_lines
from personas.models import Bond

FEATURES = [one.FEATURE for one in (compacting, detecting, merging, recapping, recapping_lines)]
TOKENS_IN_MOST = 150_000
TOKENS_OUT_MOST = 30_000


def is_spent(bond: Bond, *, now: datetime) -> bool:
    """Whether the day's tokens are used up; what a person asked for is done all the same."""
    # A step may go on for days, so its calls count.
    calls = LedgerEntry.objects.filter(user_id=bond.user_id, bond_id=bond.pk, feature__in=FEATURES)
    today = calls.filter(created_at__gte=bond.user.get_midnight(now))
    sums = today.aggregate(tokens_in=Coalesce(Sum("tokens_in"), 0), tokens_out=Coalesce(Sum("tokens_out"), 0))
    return bool(sums["tokens_in"] >= TOKENS_IN_MOST or sums["tokens_out"] >= TOKENS_OUT_MOST)
