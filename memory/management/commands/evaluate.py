import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from echovessel import scratch
from echovessel.embedded import EmbeddedError
from echovessel.llm import voices
from memory.evaluation import stories_suite

SUITES = ("stories",)


class Command(BaseCommand):
    help = "Evaluate what is remembered and found again, in a database of its own, and print the misses."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("suite", nargs="*", choices=[*SUITES, []], default=[], help="all of them, unless named")
        parser.add_argument("--json", type=Path, help="write the figures to this file")
        parser.add_argument(
            "--live", action="store_true", help="let the model server extract, instead of the offline voice"
        )

    def handle(self, *args: Any, live: bool, **options: Any) -> None:
        llm = voices.current() if live else voices.fallback()
        if live and llm.offline:
            raise CommandError("--live needs a model server: set OPENAI_BASE_URL or OPENAI_API_KEY.")
        try:
            with scratch.database("evaluation", say=self.stdout.write):
                figures, misses = stories_suite.evaluate(llm=llm)
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
        self.show(figures, misses)
        if options["json"] is not None:
            written = {"stories": {"figures": figures}}
            options["json"].write_text(json.dumps(written, indent=2, ensure_ascii=False))

    def show(self, figures: list[dict[str, Any]], misses: list[str]) -> None:
        for figure in figures:
            held = "held" if figure["held"] else "MISSED"
            self.stdout.write(
                f"{figure['name']:18} {figure['lang']}  {figure['value']:.3f}  target {figure['target']:8} {held}"
            )
        for miss in misses:
            self.stdout.write(f"  missed  {miss}")
