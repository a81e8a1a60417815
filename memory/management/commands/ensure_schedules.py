from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django_q.models import Schedule

SCHEDULES = {
    "scan": {"func": "memory.tasks.scan", "schedule_type": Schedule.MINUTES, "minutes": 1},
    "reembed": {"func": "memory.tasks.reembed", "schedule_type": Schedule.MINUTES, "minutes": 15},
    "catch_up": {"func": "memory.tasks.catch_up", "schedule_type": Schedule.HOURLY},
    "prune": {"func": "memory.tasks.prune", "schedule_type": Schedule.HOURLY},
    "sweep_files": {"func": "memory.tasks.sweep_files", "schedule_type": Schedule.DAILY},
    "prune_restorations": {"func": "chat.tasks.prune", "schedule_type": Schedule.MINUTES, "minutes": 1},
    "archive": {"func": "memory.tasks.archive", "schedule_type": Schedule.DAILY},
    "decay_facts": {"func": "memory.tasks.decay_facts", "schedule_type": Schedule.DAILY},
    "sweep_facts": {"func": "memory.tasks.queue_fact_sweeps", "schedule_type": Schedule.DAILY},
    "clear_sign_ins": {"func": "memory.tasks.clear_sign_ins", "schedule_type": Schedule.DAILY},
    "purge": {"func": "memory.tasks.purge", "schedule_type": Schedule.DAILY},
}


class Command(BaseCommand):
    help = "Make sure that what runs by the clock is on schedule."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, schedule in SCHEDULES.items():
            always = {**schedule, "repeats": -1}
            first = {"next_run": find_next_night(timezone.now())} if schedule["schedule_type"] == Schedule.DAILY else {}
            Schedule.objects.update_or_create(name=name, defaults=always, create_defaults=always | first)


def find_next_night(now: datetime) -> datetime:
    """Return the next three o'clock in the morning."""
    at_three = now.replace(hour=3, minute=0, second=0, microsecond=0)
    return at_three if at_three > now else at_three + timedelta(days=1)
