import shutil
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from chat.transfer import exporting
from echovessel.archives import backups
from personas.models import Bond, User


class Command(BaseCommand):
    help = "Write everything of an account, or of one of its bonds, into a zip that `import_bond` reads."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--bond", type=int, help="only this bond of the account's")
        parser.add_argument("--output", type=Path, help="the file to write; echovessel-USERNAME.zip here by default")
        parser.add_argument("--force", action="store_true", help="write over a file that is there")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['username']!r}.")
        output = options["output"] or Path(f"echovessel-{user.username}.zip")
        if output.is_dir():
            raise CommandError(f"{output} is a folder. Name a file in it.")
        if output.exists() and not options["force"]:
            raise CommandError(f"{output} already exists. Name another file, or write over it with --force.")
        try:
            with self.build_archive(user, options["bond"]) as file, backups.open_atomically(output) as out:
                shutil.copyfileobj(file, out)
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{output}: {output.stat().st_size} bytes")

    def build_archive(self, user: User, bond_id: int | None) -> IO[bytes]:
        if bond_id is None:
            return exporting.export_account(user, now=timezone.now(), say=self.say)
        bond = Bond.objects.for_user(user).select_related("persona", "user").filter(pk=bond_id).first()
        if bond is None:
            raise CommandError(f"{user.username} has no bond {bond_id}.")
        return exporting.export_bond(bond, now=timezone.now(), say=self.say)

    def say(self, name: str, count: int) -> None:
        self.stdout.write(f"  {name}: {count}")
