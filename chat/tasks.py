"""Tasks of the worker for exports. They take ids, and each may run twice."""

from django.utils import timezone

from chat.transfer import restorations


def restore(restoration_id: int) -> None:
    restorations.run(restoration_id=restoration_id, now=timezone.now())


def prune() -> int:
    now = timezone.now()
    return restorations.prune(now=now) + restorations.requeue(now=now)
