"""The columns of rows that one worker at a time works on, and of its failures. `memory.jobs.lease` takes such a row.

A reservation ends a known time ahead of now. One that ends later was made by a wrong clock and is over too: otherwise
it would block work for as long as the clock was set back.
"""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q

# The lease of a session, an import or a slow tick.
LEASE = timedelta(minutes=10)
# The hold of a session while a turn may add its reply: longer than any turn. A dead process lets it run out.
HOLD = timedelta(minutes=10)
# Retries after a failure; later only a person retries.
RETRY_AFTER = (timedelta(hours=1), timedelta(hours=6), timedelta(hours=24))
# The clocks of two machines may differ by this much.
SLACK = timedelta(minutes=1)


class LeasedModel(models.Model):
    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    # The process that holds the lease, see `memory.jobs.workers`.
    lease_holder = models.CharField(max_length=200, blank=True)
    # How often a worker took it up without ending what it began.
    attempt_count = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True

    def release(self) -> None:
        self.lease_token = self.lease_until = None
        self.lease_holder = ""
        self.attempt_count = 0


class RetriedModel(LeasedModel):
    failure_code = models.CharField(max_length=32, blank=True)
    failure_detail = models.CharField(max_length=500, blank=True)
    failure_count = models.PositiveSmallIntegerField(default=0)
    # Empty when only a person retries.
    failure_next_try_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def fail(self, *, code: str, detail: str, now: datetime, again: bool = True) -> None:
        """Release it as failed; with `again` it is tried again after 1, 6 and 24 hours, then only by hand."""
        waits = RETRY_AFTER[self.failure_count : self.failure_count + 1] if again else ()
        self.failure_code = code
        self.failure_detail = detail[:500]
        self.failure_count += 1
        self.failure_next_try_at = now + waits[0] if waits else None
        self.release()

    def reset_failures(self) -> None:
        self.failure_code = self.failure_detail = ""
        self.failure_count = 0
        self.failure_next_try_at = None


def filter_expired(field: str, *, now: datetime, most: timedelta) -> Q:
    """Filter rows whose time has run out or is too far ahead."""
    return Q(**{f"{field}__lt": now}) | filter_too_far(field, now=now, most=most)


def filter_too_far(field: str, *, now: datetime, most: timedelta) -> Q:
    return Q(**{f"{field}__gt": now + most + SLACK})


def is_expired(until: datetime, *, now: datetime, most: timedelta) -> bool:
    """The same as `filter_expired`, for one time."""
    return not now <= until <= now + most + SLACK


def build_lease_constraint(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q(lease_token=None, lease_until=None) | Q(lease_token__isnull=False, lease_until__isnull=False),
        name=name,
    )


def filter_free(now: datetime) -> Q:
    """Filter rows that no worker has."""
    return Q(lease_until=None) | filter_expired("lease_until", now=now, most=LEASE)


def filter_retry_due(now: datetime) -> Q:
    return Q(failure_next_try_at__lte=now) | filter_too_far("failure_next_try_at", now=now, most=RETRY_AFTER[-1])
