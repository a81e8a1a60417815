from typing import Any

from django.core.management.base import BaseCommand

from memory import tasks


class Command(BaseCommand):
    help = "One pass of the scanner: close idle sessions, queue what is due, end expectations whose day is over."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{tasks.scan()} sessions queued")
