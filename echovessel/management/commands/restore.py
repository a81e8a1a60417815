from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from echovessel.archives import backups
from echovessel.runtime.supervisor import interrupt_on_signals


class Command(BaseCommand):
    help = "Put what `backup` wrote into an empty data folder, and into an empty database where DATABASE_URL names one."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="what `backup` wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        interrupt_on_signals()
        try:
            backups.restore(options["file"], say=self.stdout.write)
        except KeyboardInterrupt:
            raise CommandError("Interrupted; nothing is left of it.") from None
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Restored into {settings.DATA_DIR}. Start it as always: its tables are brought up to date then."
        )
