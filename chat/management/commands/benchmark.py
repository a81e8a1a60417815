import json
import os
import platform
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat import benchmark
from echovessel import scratch
from echovessel.embedded import EmbeddedError


class Command(BaseCommand):
    help = (
        "Measure turn overhead, its growth and consolidation, in a database of its own that is kept for the next run."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--nodes", type=int, default=10_000, help="events in the bond that is measured")
        parser.add_argument("--lines", type=int, default=20_000, help="lines in the bond that is measured")
        parser.add_argument("--runs", type=int, default=30, help="turns that are measured, at least 5")
        parser.add_argument("--json", type=Path, help="write the figures to this file")

    def handle(self, *args: Any, nodes: int, lines: int, runs: int, **options: Any) -> None:
        if runs < 5 or nodes < 1 or lines < 1:
            raise CommandError("--runs must be 5 or more, --nodes and --lines 1 or more")
        self.stdout.write("Preparing the database; data of a new size takes a while to make")
        try:
            with scratch.database("benchmark", say=self.stdout.write):
                figures = benchmark.measure(nodes=nodes, lines=lines, runs=runs)
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
        self.show(figures, options["json"])

    def show(self, figures: list[benchmark.Figure], out: Path | None) -> None:
        for figure in figures:
            held = "held" if figure.held else "MISSED"
            self.stdout.write(f"{figure.name:45} {figure.value:>10} {figure.unit:10} target {figure.target:8} {held}")
        if out is not None:
            machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
            written = {"machine": machine, "figures": benchmark.as_json(figures), "side_by_side": []}
            out.write_text(json.dumps(written, indent=2))
