from typing import Any

from django.core.management.base import BaseCommand, CommandError

from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from memory.recall import embeddings


class Command(BaseCommand):
    help = "Make the vectors anew of rows that another embedding model made. It may be interrupted and goes on where it was."

    def handle(self, *args: Any, **options: Any) -> None:
        waiting = {kind: rows.count() for kind, rows in embeddings.find_outdated_rows().items()}
        self.stdout.write(
            f"with {embedding.get_model_name()}: " + ", ".join(f"{n} {kind}" for kind, n in waiting.items())
        )

        def say(kind: str, count: int) -> None:
            self.stdout.write(f"  {kind}: {count} of {waiting[kind]}")

        try:
            made = embeddings.reembed(say=say)
        except EmbeddingError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{made} made anew")
