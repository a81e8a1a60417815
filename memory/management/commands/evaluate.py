import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from echovessel import scratch
from echovessel.embedded import EmbeddedError
from echovessel.llm import voices
from echovessel.llm.errors import LLMError
from memory.evaluation import stories_suite

SUITES = ("stories",)


class Command(BaseCommand):
    help = "Evaluate what is remembered and found again, in a database of its own, and print the misses."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("suite", nargs="*", choices=[*SUITES, []], default=[], help="all of them, unless named")
        parser.add_argument("--json", type=Path, help="write the figures to this file")
        parser.add_argument(
            "--live", action="store_true", help="let the model server extract and judge; its figures have no targets"
        )

    def handle(self, *args: Any, live: bool, **options: Any) -> None:
        llm = voices.current()
        if live and llm.offline:
            raise CommandError("--live needs a model server: set OPENAI_BASE_URL or OPENAI_API_KEY.")
        try:
            with scratch.database("evaluation", say=self.stdout.write):
                evaluated = stories_suite.evaluate(
                    offline=voices.fallback(), live=llm if live else None, say=self.stdout.write
                )
        except (EmbeddedError, LLMError) as error:
            raise CommandError(str(error)) from error
        self.show(evaluated.figures, evaluated.misses)
        if options["json"] is not None:
            written = {"stories": {"figures": evaluated.figures}}
            options["json"].write_text(json.dumps(written, indent=2, ensure_ascii=False))

    def show(self, figures: list[dict[str, Any]], misses: list[str]) -> None:
        for miss in misses:
            self.stdout.write(f"  missed  {miss}")
        for figure in figures:
            held = {True: "held", False: "MISSED", None: ""}[figure["held"]]
            target = f"target {figure['target']}" if figure["target"] else "reported"
            self.stdout.write(f"{figure['name']:28} {figure['lang']}  {figure['value']:.3f}  {target:14} {held}")
