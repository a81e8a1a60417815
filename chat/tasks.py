"""What the worker runs for conversations and exports. Tasks take ids; each may run twice."""

from django.utils import timezone

from chat.transfer import restorations


def restore(restoration_id: int) -> None:
    restorations.run(restoration_id=restoration_id, now=timezone.now())


def prune() -> int:
    return restorations.prune(now=timezone.now())
