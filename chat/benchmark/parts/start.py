"""Measure how long the second start of an install takes until its first page."""

import statistics
import time
from pathlib import Path

from chat.benchmark import figures, site
from chat.benchmark.figures import Figure

RUNS = 5
LIMIT_SECONDS = 12
FIRST_PAGE = "/accounts/login/"


def measure(folder: Path) -> Figure:
    """Start and stop a whole install in the folder. Raises SiteError."""
    folder.mkdir(mode=0o711, parents=True, exist_ok=True)
    time_start(folder)
    seconds = [time_start(folder) for _ in range(RUNS)]
    name = "second start to first page"
    return figures.at_most(name, statistics.median(seconds), limit=LIMIT_SECONDS, unit="s", runs=RUNS)


def time_start(folder: Path) -> float:
    port = site.find_free_port()
    env = site.build_environment(folder) | {"DJANGO_SETTINGS_MODULE": "echovessel.settings"}
    before = time.perf_counter()
    with site.run_process(["-m", "django", "serve", "--port", str(port)], env=env, log=folder / "serve.log") as serve:
        site.wait_until_ready(port, FIRST_PAGE, process=serve)
        return time.perf_counter() - before
