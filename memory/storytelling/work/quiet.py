"""The talk goes first: how long after a message of a bond no model is asked about its story."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from echovessel.llm import connection
from memory.models import Message


@dataclass(frozen=True)
class Quiet:
    """How long after a message of the bond the next call may be made."""

    lasts: timedelta

    def find_end(self, *, bond_id: int, now: datetime) -> datetime | None:
        """Find when it is over; None where it is. A message of the future, by a clock that was set back, counts as of now."""
        if not self.lasts:
            return None
        newest = Message.objects.filter(bond=bond_id).order_by("-id").values_list("created_at", flat=True).first()
        if newest is None:
            return None
        end = min(newest, now) + self.lasts
        return end if end > now else None

    def is_over(self, *, bond_id: int, now: datetime) -> bool:
        return self.find_end(bond_id=bond_id, now=now) is None


def get_quiet(*, has_model: bool) -> Quiet:
    """Return how long a model is left to the talk: one near by, which has one slot and one cache, longer; the rules not at all."""
    if not has_model:
        return Quiet(timedelta(0))
    asked = connection.get_active()
    return Quiet(settings.STORY_QUIET_NEAR if asked is not None and asked.is_near else settings.STORY_QUIET)
