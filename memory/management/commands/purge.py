from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memory.forgetting import purging, vacuuming
from memory.models import Forgotten
from personas.models import Bond


class Command(BaseCommand):
    help = "Erase for good what has been in the trash for 30 days, and vacuum. It may be interrupted and goes on where it was."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--now", action="store_true", help="erase all that is in the trash, however new")
        parser.add_argument("--bond", type=int, metavar="ID", help="of this bond alone")
        parser.add_argument(
            "--full", action="store_true", help="write large tables anew as well, which locks each of them meanwhile"
        )

    def handle(self, *args: Any, now: bool, bond: int | None, full: bool, **options: Any) -> None:
        if bond is not None and not Bond.objects.filter(pk=bond).exists():
            raise CommandError(f"there is no bond {bond}")
        acts = Forgotten.objects.all() if now else Forgotten.objects.due(timezone.now())
        acts = acts if bond is None else acts.filter(bond=bond)
        count = acts.count()
        erased = purging.erase_all(acts, say=lambda done: self.stdout.write(f"  erased {done} of {count}"))
        self.stdout.write(f"{erased} erased")
        self.stdout.write(f"{vacuuming.vacuum(is_full=full)} tables vacuumed")
