"""Count trials towards the figures of an evaluation, each with its target and its misses."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

LANGUAGES = ("en", "zh")
# The least or the most that a figure may be.
Target = tuple[str, float]
# The targets of `quality.md`. The last is our own: the state at the end of the story.
TARGETS: dict[str, Target] = {
    "factual recall F1": (">=", 0.8),
    "emotional peak retention": (">=", 0.95),
    "over-recall": ("<=", 0.15),
    "deletion compliance": (">=", 1.0),
    "alias recall": (">=", 0.9),
    "dated recall": (">=", 0.9),
    "things as they stand": (">=", 1.0),
    "worst gap between zh and en": ("<=", 0.05),
    "offline peak retention": (">=", 0.9),
    "offline false peaks": ("<=", 0.2),
    "replies said twice": ("<=", 0.0),
    "replies that speak of models": ("<=", 0.0),
    "right tone": (">=", 0.8),
    "right tone, kept back": (">=", 0.8),
    "answers of what was told": (">=", 0.9),
    "answers of what was told, kept back": (">=", 0.9),
    "topic boundaries F1": (">=", 0.65),
    "topic boundaries, kept back F1": (">=", 0.65),
}
GAP = "worst gap between zh and en"
# The figures in which the languages are compared.
COMPARED = (
    "factual recall F1",
    "emotional peak retention",
    "over-recall",
    "deletion compliance",
    "alias recall",
    "dated recall",
)


@dataclass
class Evaluated:
    """The figures of a suite, each with its target and whether it held, and its misses."""

    figures: list[dict[str, Any]] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)


@dataclass
class Tally:
    """The found and the wanted by figure, for one language; `beside` counts found items that are unrelated."""

    found: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    beside: Counter[str] = field(default_factory=Counter)
    misses: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def count(self, name: str, *, found: bool, miss: str = "") -> None:
        """Count one trial. `miss` tells what was not found."""
        (self.found if found else self.missed)[name] += 1
        if miss and not found:
            self.misses[name].append(miss)

    def count_fault(self, name: str, *, found: bool, miss: str = "") -> None:
        """Count one trial of what should not be found. `miss` tells what was."""
        (self.found if found else self.missed)[name] += 1
        if miss and found:
            self.misses[name].append(miss)

    def add_beside(self, name: str, *, miss: str) -> None:
        self.beside[name] += 1
        self.misses[name].append(miss)

    def add(self, other: "Tally") -> None:
        self.found += other.found
        self.missed += other.missed
        self.beside += other.beside
        for name, misses in other.misses.items():
            self.misses[name] += misses

    def value(self, name: str) -> float:
        """Return F1 for figures that can have unrelated items; else the share that was found."""
        found = self.found[name]
        if name.endswith("F1"):
            whole = 2 * found + self.missed[name] + self.beside[name]
            return 2 * found / whole if whole else 0.0
        trials = found + self.missed[name]
        return found / trials if trials else 0.0


def build_figures(tallies: dict[str, Tally], *, names: Sequence[str], reported: bool = False) -> list[dict[str, Any]]:
    """Build the figures of each language; those only reported have no target."""
    made = [
        build_figure(name, lang, tally.value(name), target=None if reported else TARGETS[name])
        for lang, tally in sorted(tallies.items())
        for name in names
        if tally.found[name] + tally.missed[name]
    ]
    gap = compute_worst_gap(tallies, senses={name: TARGETS[name][0] for name in COMPARED})
    return made if gap is None or GAP not in names else [*made, build_figure(GAP, "zh", gap, target=TARGETS[GAP])]


def build_figure(name: str, lang: str, value: float, *, target: Target | None = None) -> dict[str, Any]:
    """Build a figure; one without a target is only reported."""
    figure = {"name": name, "lang": lang, "value": round(value, 3), "target": None, "held": None}
    if target is None:
        return figure
    sense, bound = target
    return {**figure, "target": f"{sense} {bound}", "held": value >= bound if sense == ">=" else value <= bound}


def compute_worst_gap(tallies: Mapping[str, Tally], *, senses: Mapping[str, str]) -> float | None:
    """Return by how much Chinese is behind English in the worst of some figures, each with the sense of its target."""
    if not tallies.keys() >= set(LANGUAGES):
        return None
    behind = [
        (tallies["en"].value(name) - tallies["zh"].value(name)) * (1 if sense == ">=" else -1)
        for name, sense in senses.items()
    ]
    return max(0.0, *behind)
