from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from chat.transfer import restoring
from echovessel.archives.zip_files import ArchiveError, ArchiveReader
from echovessel.embeddings.embedding import EmbeddingError
from memory.recall import embeddings
from personas.models import User


class Command(BaseCommand):
    help = "Make the bonds of an exported zip anew below an account, and their vectors. All of it, or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", required=True, metavar="USERNAME", help="whose the bonds will be")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['user']!r}.")
        try:
            with options["file"].open("rb") as file:
                bonds = restoring.restore(
                    file, user=user, now=timezone.now(), reader=partial(ArchiveReader, say=self.say)
                )
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        except ArchiveError as error:
            raise CommandError(str(error)) from error
        for bond in bonds:
            self.stdout.write(f"bond {bond.pk} with {bond.persona.name}; making vectors")
            try:
                embeddings.embed_restored(bond_id=bond.pk, say=self.say)
            except EmbeddingError as error:
                self.stderr.write(f"The vectors are left to the worker: {error}")

    def say(self, name: str, count: int) -> None:
        self.stdout.write(f"  {name}: {count}")
