import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from chat.evaluation.facts import suite as facts_suite
from chat.evaluation.mind import suite as mind_suite
from chat.evaluation.story import suite as story_suite
from echovessel.llm import provider
from echovessel.llm.errors import LLMError
from echovessel.postgres import scratch
from echovessel.postgres.server import EmbeddedPostgresError
from memory.evaluation.languages import suite as languages_suite
from memory.evaluation.locomo import suite as locomo_suite
from memory.evaluation.locomo import table as locomo_table
from memory.evaluation.narrating import suite as narrating_suite
from memory.evaluation.stories import suite as stories_suite
from memory.evaluation.tally import Evaluated
from memory.evaluation.voice import suite as voice_suite

SUITES = ("stories", "languages", "narrating", "voice", "facts", "mind", "story", "locomo")
# Outside the repository.
DEVELOPMENT_FILE = settings.BASE_DIR.parent / "shared" / "data" / "locomo-dev.json"


class Command(BaseCommand):
    help = "Evaluate what is remembered and found again, in a database of its own, and print the misses."

    def add_arguments(self, parser: CommandParser) -> None:
        named = f"of {', '.join(SUITES)}; all of them, unless named"
        parser.add_argument("suite", nargs="*", metavar="SUITE", choices=[*SUITES, []], default=[], help=named)
        parser.add_argument(
            "--data", type=Path, help="the file of `locomo`; without one the suite is left out, unless named"
        )
        parser.add_argument("--json", type=Path, help="write the figures to this file")
        parser.add_argument(
            "--live", action="store_true", help="let the model server extract and judge; its figures have no targets"
        )

    def handle(self, *args: Any, suite: list[str], live: bool, data: Path | None, **options: Any) -> None:
        llm = provider.get_llm() if live else None
        if llm is not None and llm.offline:
            raise CommandError("--live needs a model server: connect one, or set OPENAI_BASE_URL or OPENAI_API_KEY.")
        file = data or DEVELOPMENT_FILE
        if "locomo" in suite and not file.is_file():
            raise CommandError(f"{file} is not there; name a file with --data.")
        wanted = suite or [name for name in SUITES if name != "locomo" or file.is_file()]
        offline, say = provider.get_fallback_llm(), self.stdout.write
        ways: dict[str, Callable[[], Evaluated]] = {
            "stories": lambda: stories_suite.evaluate(offline=offline, live=llm, say=say),
            "languages": lambda: languages_suite.evaluate(say=say),
            "narrating": lambda: narrating_suite.evaluate(say=say),
            "voice": lambda: voice_suite.evaluate(say=say),
            "facts": lambda: facts_suite.evaluate(live=llm, say=say),
            "mind": lambda: mind_suite.evaluate(say=say),
            "story": lambda: story_suite.evaluate(offline=offline, say=say),
        }
        try:
            with scratch.use_database("evaluation", say=self.stdout.write):
                written: dict[str, Any] = {
                    name: {"figures": self.show(evaluate())} for name, evaluate in ways.items() if name in wanted
                }
                if "locomo" in wanted:
                    written["locomo"] = self.run_locomo(file, misses_beside=options["json"])
        except (EmbeddedPostgresError, LLMError) as error:
            raise CommandError(str(error)) from error
        if options["json"] is not None:
            options["json"].write_text(json.dumps(written, indent=2, ensure_ascii=False))

    def show(self, evaluated: Evaluated) -> list[dict[str, Any]]:
        for miss in evaluated.misses:
            self.stdout.write(f"  missed  {miss}")
        for figure in evaluated.figures:
            held = {True: "held", False: "MISSED", None: ""}[figure["held"]]
            target = f"target {figure['target']}" if figure["target"] else "reported"
            self.stdout.write(
                f"{figure['name']:46} {figure['lang']}  {figure['value']:.3f}  {target:14} {held}".rstrip()
            )
        return evaluated.figures

    def run_locomo(self, file: Path, *, misses_beside: Path | None) -> dict[str, Any]:
        figures = locomo_suite.evaluate(file, now=timezone.now(), say=self.stdout.write)
        questions = figures.pop("questions")
        if misses_beside is not None:
            misses_beside.with_suffix(".questions.json").write_text(json.dumps(questions, indent=2, ensure_ascii=False))
        for miss in locomo_table.format_misses(questions):
            self.stdout.write(f"  missed  {miss}")
        for line in locomo_table.format_table(figures):
            self.stdout.write(line)
        return figures
