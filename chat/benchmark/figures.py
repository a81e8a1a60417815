"""Print what was measured beside its target."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    name: str
    value: float
    unit: str
    target: str
    held: bool
    runs: int


def at_most(name: str, value: float, *, limit: float, unit: str, runs: int) -> Figure:
    value = round(value, 2)
    return Figure(name, value, unit, f"<= {limit:g}", held=value <= limit, runs=runs)


def at_least(name: str, value: float, *, limit: float, unit: str, runs: int) -> Figure:
    value = round(value, 2)
    return Figure(name, value, unit, f">= {limit:g}", held=value >= limit, runs=runs)


def median(name: str, values: Sequence[float], *, limit: float) -> Figure:
    return at_most(f"{name}, p50", statistics.median(values), limit=limit, unit="ms", runs=len(values))


def p95(name: str, values: Sequence[float], *, limit: float) -> Figure:
    return at_most(f"{name}, p95", percentile_95(values), limit=limit, unit="ms", runs=len(values))


def percentile_95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1]
