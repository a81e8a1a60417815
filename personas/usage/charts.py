"""Bar charts rendered as SVG by the server: they need no script, and screen readers can read them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

WIDTH = 600
HEIGHT = 160
# Room for the numbers left of the bars and the days below them.
LEFT = 48
BOTTOM = 20


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    day: date
    value: int


@dataclass(frozen=True)
class Chart:
    title: Any
    bars: list[Bar]
    most: int
    total: int

    @property
    def first(self) -> Bar:
        return self.bars[0]

    @property
    def last(self) -> Bar:
        return self.bars[-1]


def build_daily_chart(title: Any, values: Mapping[date, int], *, first: date, last: date) -> Chart:
    """Draw one bar for each day from the first to the last, including empty days."""
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    most = max([values.get(day, 0) for day in days], default=0)
    room = (WIDTH - LEFT) / len(days)
    bars = []
    for at, day in enumerate(days):
        value = values.get(day, 0)
        height = (HEIGHT - BOTTOM) * value / most if most else 0
        bars.append(
            Bar(
                x=round(LEFT + at * room, 1),
                y=round(HEIGHT - BOTTOM - height, 1),
                width=round(room * 0.8, 1),
                height=round(height, 1),
                day=day,
                value=value,
            )
        )
    return Chart(title, bars, most=most, total=sum(bar.value for bar in bars))
