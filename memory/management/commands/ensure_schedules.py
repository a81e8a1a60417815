from typing import Any

from django.core.management.base import BaseCommand
from django_q.models import Schedule

SCHEDULES = {
    "scan": {"func": "memory.tasks.scan", "schedule_type": Schedule.MINUTES, "minutes": 1},
    "reembed": {"func": "memory.tasks.reembed", "schedule_type": Schedule.MINUTES, "minutes": 15},
    "prune": {"func": "memory.tasks.prune", "schedule_type": Schedule.HOURLY},
}


class Command(BaseCommand):
    help = "Make sure that what runs by the clock is on schedule."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, schedule in SCHEDULES.items():
            Schedule.objects.update_or_create(name=name, defaults={**schedule, "repeats": -1})
