from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memory import sessions


class Command(BaseCommand):
    help = "One pass of the idle scanner: close idle sessions and queue what is due."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{sessions.scan(now=timezone.now())} sessions queued")
