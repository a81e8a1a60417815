from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from echovessel.archives import backups
from echovessel.runtime.supervisor import interrupt_on_signals


class Command(BaseCommand):
    help = "Write the whole install into one file, while it runs or not: database, pictures, secret key. `restore` reads it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write, which must not be there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        interrupt_on_signals()
        try:
            backups.write(file, now=timezone.now(), say=self.stdout.write)
        except KeyboardInterrupt:
            raise CommandError("Interrupted; nothing is left of it.") from None
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{file}: {file.stat().st_size / 2**20:.1f} MiB. It holds the secret key: keep it where nobody else reads it."
        )
