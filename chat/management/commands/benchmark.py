import json
import os
import platform
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.benchmark import measuring
from chat.benchmark.measuring import PARTS, Plan, Results
from chat.benchmark.seeding import Scale
from chat.benchmark.site import SiteError
from echovessel.embeddings import embedding
from echovessel.postgres import scratch
from echovessel.postgres.server import EmbeddedPostgresError

DEFAULT = Scale()


class Command(BaseCommand):
    help = (
        "Measure speed, in a database of its own that is kept for the next run of the same scale. A million memories take a "
        "quarter of an hour to make, and all parts as long to measure: --nodes 20000 --bonds 5 --lines 10000 is a quick look."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "parts", nargs="*", metavar="PART", help=f"what to measure, of {', '.join(PARTS)}; default all"
        )
        parser.add_argument("--nodes", type=int, default=DEFAULT.nodes, help="memories in the database")
        parser.add_argument("--bonds", type=int, default=DEFAULT.bonds, help="bonds that they are spread over")
        parser.add_argument("--lines", type=int, default=DEFAULT.messages, help="messages in the bond that is searched")
        parser.add_argument("--runs", type=int, default=30, help="turns and searches that are measured, at least 5")
        parser.add_argument("--turns", type=int, default=1000, help="turns after which memory is looked at")
        parser.add_argument("--conversations", type=int, default=100, help="conversations that stream at once")
        parser.add_argument("--json", type=Path, help="write the figures to this file")

    def handle(self, *args: Any, parts: list[str], runs: int, **options: Any) -> None:
        scale = Scale(options["nodes"], options["bonds"], options["lines"])
        at_least_one = (scale.nodes, scale.bonds, scale.messages, options["turns"], options["conversations"])
        if runs < 5 or min(at_least_one) < 1:
            raise CommandError("--runs must be 5 or more, all other numbers 1 or more")
        if unknown := set(parts) - set(PARTS):
            raise CommandError(f"There is no part {', '.join(sorted(unknown))}; choose of {', '.join(PARTS)}")
        name = f"benchmark-{scale}-{embedding.get_model_name().replace('/', '-').replace(' ', '-')}"
        plan = Plan(
            folder=settings.DATA_DIR / name,
            scale=scale,
            runs=runs,
            turns=options["turns"],
            conversations=options["conversations"],
            say=self.stdout.write,
            parts=parts or PARTS,
        )
        try:
            with scratch.use_database(name, say=self.stdout.write):
                found = measuring.measure(plan)
        except (EmbeddedPostgresError, SiteError) as error:
            raise CommandError(str(error)) from error
        self.show(found)
        if options["json"]:
            options["json"].write_text(json.dumps(serialize_results(found), indent=2))

    def show(self, found: Results) -> None:
        for figure in found.figures:
            held = "held" if figure.held else "MISSED"
            self.stdout.write(f"{figure.name:55} {figure.value:>10} {figure.unit:10} target {figure.target:8} {held}")
        for one in found.side_by_side:
            times = f"add {one.add_p50_ms} ms, search p50 {one.search_p50_ms} ms, p95 {one.search_p95_ms} ms"
            self.stdout.write(f"{one.system:30} {one.note or times}")


def serialize_results(found: Results) -> dict[str, Any]:
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "figures": [asdict(figure) for figure in found.figures],
        "side_by_side": [asdict(one) for one in found.side_by_side],
    }
