"""Format the figures of `locomo`: shares among the first so many by category, targets held or missed, and the misses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memory.evaluation.locomo.suite import CATEGORIES, DEPTHS, TARGET_DEPTH, TURN_QUOTES

DEPTH = str(TARGET_DEPTH)
WHOLE = "1-4"
LINES_LEAST, SESSIONS_LEAST, TURN_LEAST = 0.83, 0.95, 0.76
# How far quotes must be ahead of the best baseline of the run.
MIN_LEADS = {WHOLE: 0.12, "1": 0.08, "3": 0.08}
# How far memories that say the same must be ahead of each of them.
MEMORIES_LEAD = 0.08


@dataclass(frozen=True)
class JudgedFigure:
    what: str
    value: float
    target: float

    @property
    def is_held(self) -> bool:
        # Shares are rounded to four places.
        return round(self.value - self.target, 6) >= 0

    def __str__(self) -> str:
        return f"{self.what}: {self.value:.3f}  target >= {self.target}  {'held' if self.is_held else 'MISSED'}"


def format_table(evaluated: dict[str, Any]) -> list[str]:
    line, session, baselines = evaluated["line"], evaluated["session"], evaluated["baselines"]
    rows = {f"lines @{depth}": line["recall"][str(depth)] for depth in DEPTHS}
    rows |= {f"any line @{DEPTH}": line["hit"][DEPTH], f"lines told @{DEPTH}": line["recall_told"][DEPTH]}
    rows |= {
        f"told in a turn @{TURN_QUOTES}": evaluated["turn"]["recall"][str(TURN_QUOTES)],
        f"memories @{DEPTH}": evaluated["memory"]["recall"][DEPTH],
    }
    rows |= {f"talks @{depth}": session["recall"][str(depth)] for depth in DEPTHS[:2]}
    rows |= {f"{name} @{DEPTH}": shares[DEPTH] for name, shares in baselines.items()}
    head = "".ljust(18) + "".join(name.rjust(8) for name in CATEGORIES)
    body = [name.ljust(18) + "".join(f"{row[category]:8.3f}" for category in CATEGORIES) for name, row in rows.items()]
    ranks = f"mean reciprocal rank: lines {line['mrr']:.3f}, talks {session['mrr']:.3f}"
    return [format_counts(evaluated), head, *body, ranks, *map(str, judge_figures(evaluated))]


def format_counts(evaluated: dict[str, Any]) -> str:
    of_categories = ", ".join(f"{count} of category {number}" for number, count in evaluated["counts"].items())
    return f"{evaluated['n']} questions: {of_categories}"


def judge_figures(evaluated: dict[str, Any]) -> Iterator[JudgedFigure]:
    lines = evaluated["line"]["recall"][DEPTH]
    yield JudgedFigure(f"lines @{DEPTH}, categories {WHOLE}", lines[WHOLE], LINES_LEAST)
    for name, least in MIN_LEADS.items():
        best = max(shares[DEPTH][name] for shares in evaluated["baselines"].values())
        yield JudgedFigure(
            f"lines @{DEPTH} ahead of the best baseline, {format_categories(name)}", lines[name] - best, least
        )
    remembered = evaluated["memory"]["recall"][DEPTH][WHOLE]
    for name in ("bm25", "dense"):
        lead = remembered - evaluated["baselines"][name][DEPTH][WHOLE]
        yield JudgedFigure(f"memories @{DEPTH} ahead of {name}, categories {WHOLE}", lead, MEMORIES_LEAD)
    told = evaluated["turn"]["recall"][str(TURN_QUOTES)][WHOLE]
    yield JudgedFigure(f"lines told in a turn @{TURN_QUOTES}, categories {WHOLE}", told, TURN_LEAST)
    yield JudgedFigure(
        f"talks @{DEPTH}, categories {WHOLE}", evaluated["session"]["recall"][DEPTH][WHOLE], SESSIONS_LEAST
    )


def format_categories(categories: str) -> str:
    return f"categories {categories}" if "-" in categories else f"category {categories}"


def format_misses(questions: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Format a line for each piece of evidence that is not among the first."""
    for one in questions:
        for line in one["missed_lines"]:
            yield f"category {one['category']}: {one['question']}  does not find: {line}"
