import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from chat.evaluation.facts import suite as facts_suite
from chat.evaluation.mind import suite as knowing_suite
from chat.evaluation.story import suite as story_suite
from echovessel.llm import provider
from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import LLM
from echovessel.postgres import scratch
from echovessel.postgres.server import EmbeddedPostgresError
from memory.evaluation.languages import suite as languages_suite
from memory.evaluation.locomo import suite as locomo_suite
from memory.evaluation.locomo import table as locomo_table
from memory.evaluation.mind import suite as mind_suite
from memory.evaluation.narrating import suite as narrating_suite
from memory.evaluation.stories import suite as stories_suite
from memory.evaluation.voice import suite as voice_suite

SUITES = ("stories", "languages", "narrating", "voice", "facts", "mind", "story", "locomo")
# Outside the repository.
DEVELOPMENT_FILE = settings.BASE_DIR.parent / "shared" / "data" / "locomo-dev.json"


class Command(BaseCommand):
    help = "Evaluate what is remembered and found again, in a database of its own, and print the misses."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("suite", nargs="*", choices=[*SUITES, []], default=[], help="all of them, unless named")
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
        if "locomo" in suite and not file.exists():
            raise CommandError(f"{file} is not there; name a file with --data.")
        wanted = suite or [name for name in SUITES if name != "locomo" or file.exists()]
        ways: dict[str, Callable[[], dict[str, Any]]] = {
            "stories": lambda: {"figures": self.run_stories(llm)},
            "languages": lambda: {"figures": self.run_languages()},
            "narrating": lambda: {"figures": self.run_narrating()},
            "voice": lambda: {"figures": self.run_voice()},
            "facts": lambda: {"figures": self.run_facts(llm)},
            "mind": lambda: {"figures": self.run_mind()},
            "story": lambda: {"figures": self.run_story()},
            "locomo": lambda: self.run_locomo(file, misses_beside=options["json"]),
        }
        try:
            with scratch.use_database("evaluation", say=self.stdout.write):
                written = {name: ways[name]() for name in SUITES if name in wanted}
        except (EmbeddedPostgresError, LLMError) as error:
            raise CommandError(str(error)) from error
        if options["json"] is not None:
            options["json"].write_text(json.dumps(written, indent=2, ensure_ascii=False))

    def run_stories(self, live: LLM | None) -> list[dict[str, Any]]:
        evaluated = stories_suite.evaluate(offline=provider.get_fallback_llm(), live=live, say=self.stdout.write)
        self.print_figures(evaluated.figures, evaluated.misses)
        return evaluated.figures

    def run_languages(self) -> list[dict[str, Any]]:
        evaluated = languages_suite.evaluate(say=self.stdout.write)
        self.print_figures(evaluated["figures"], evaluated["misses"])
        return evaluated["figures"]

    def run_voice(self) -> list[dict[str, Any]]:
        figures, misses = voice_suite.evaluate(say=self.stdout.write)
        self.print_figures(figures, misses)
        return figures

    def run_facts(self, live: LLM | None) -> list[dict[str, Any]]:
        evaluated = facts_suite.evaluate(offline=provider.get_fallback_llm(), live=live, say=self.stdout.write)
        self.print_figures(evaluated.figures, evaluated.misses)
        return evaluated.figures

    def run_mind(self) -> list[dict[str, Any]]:
        evaluated = knowing_suite.evaluate(say=self.stdout.write)
        boundaries, misses = mind_suite.evaluate()
        figures, misses = [*evaluated.figures, *boundaries], [*evaluated.misses, *misses]
        self.print_figures(figures, misses)
        return figures

    def run_story(self) -> list[dict[str, Any]]:
        figures, misses = story_suite.evaluate(offline=provider.get_fallback_llm(), say=self.stdout.write)
        self.print_figures(figures, misses)
        return figures

    def run_narrating(self) -> list[dict[str, Any]]:
        evaluated = narrating_suite.evaluate(say=self.stdout.write)
        self.print_figures(evaluated["figures"], evaluated["misses"])
        return evaluated["figures"]

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

    def print_figures(self, figures: list[dict[str, Any]], misses: list[str]) -> None:
        for miss in misses:
            self.stdout.write(f"  missed  {miss}")
        for figure in figures:
            held = {True: "held", False: "MISSED", None: ""}[figure["held"]]
            target = f"target {figure['target']}" if figure["target"] else "reported"
            self.stdout.write(
                f"{figure['name']:46} {figure['lang']}  {figure['value']:.3f}  {target:14} {held}".rstrip()
            )
