"""Decide whether a slow tick may begin, from what is new and what the day has cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.models import SlowTickRun

COOL_DOWN = timedelta(minutes=30)
SHOCK_IMPACT = 8
# Limits for one bond and one day in its user's zone.
RUNS_MOST = 36
TOKENS_IN_MOST = 150_000
TOKENS_OUT_MOST = 30_000
# After so many failures for one session, wait for the next session.
FAILURES_MOST = 3


@dataclass(frozen=True)
class NewMaterial:
    """What is new since the last run."""

    impacts: Sequence[int] = ()
    has_correction: bool = False
    # An entity that needs a description.
    has_undescribed: bool = False


@dataclass(frozen=True)
class Spending:
    """What the day's runs have cost, and the failures after this session since the last success."""

    runs: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    failures: int = 0


@dataclass(frozen=True)
class SlowTickDecision:
    trigger: str
    reason: str


def decide(*, new: NewMaterial, spent: Spending, last_run_at: datetime | None, now: datetime) -> SlowTickDecision:
    """Apply the gate in this order: nothing new, the day's caps, a shock, a correction, the cool-down."""
    if not new.impacts and not new.has_undescribed:
        return SlowTickDecision("", "nothing new since the last run")
    if full := find_reached_cap(spent):
        return SlowTickDecision("", full)
    if any(abs(impact) >= SHOCK_IMPACT for impact in new.impacts):
        return SlowTickDecision(SlowTickRun.Trigger.SHOCK, "an event of strong impact")
    if new.has_correction:
        return SlowTickDecision(SlowTickRun.Trigger.CORRECTION, "the user set something right")
    # After the clock was set back, a run of the future blocks nothing.
    if last_run_at is None or abs(now - last_run_at) >= COOL_DOWN:
        return SlowTickDecision(SlowTickRun.Trigger.INTERVAL, "no run for 30 minutes")
    return SlowTickDecision("", "a run in the last 30 minutes")


def find_reached_cap(spent: Spending) -> str:
    """Return the cap that is reached, or an empty string."""
    if spent.failures >= FAILURES_MOST:
        return f"{spent.failures} failures after this talk"
    if spent.runs >= RUNS_MOST:
        return f"{spent.runs} runs today"
    if spent.tokens_in >= TOKENS_IN_MOST:
        return f"{spent.tokens_in} tokens read today"
    if spent.tokens_out >= TOKENS_OUT_MOST:
        return f"{spent.tokens_out} tokens written today"
    return ""
