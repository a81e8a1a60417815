"""What of a prompt fits its budget, and what is cut first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from chat.turns.prompting.sections.memory_sections import render_texts
from echovessel import tokens
from echovessel.llm.inputs import ReplyInputs

# What a section costs besides its items, and a message besides its text.
SECTION_TOKENS = 12
# How many tokens kept messages have at most.
MOMENT_TOKENS = 400
# So many of the newest messages stay while anything else can be cut.
MESSAGES_IN_NEED = 6


class Cut(NamedTuple):
    """Cut a list from the first (0) or the last (-1), or by the key of its items (None), down to so many."""

    name: str
    end: int | None
    least: int = 0

    def find_next(self, items: Sequence[Any]) -> int:
        return self.end if self.end is not None else min(range(len(items)), key=lambda at: items[at].cut_key)


# What is cut first if the prompt is too long.
_MEMORY_FIRST_TEXT = (
    "examples all_known quotes moments expectations own_thoughts about lore promises recalled user_thoughts"
)
_MEMORY_FIRST = tuple(Cut(name, -1) for name in _MEMORY_FIRST_TEXT.split())
CUT_ORDER = (*_MEMORY_FIRST, Cut("recent_messages", 0), Cut("sessions", 0))
# Of the story, the lightest goes first.
STORY_CUT_ORDER = (
    *_MEMORY_FIRST,
    Cut("sessions", 0),
    Cut("line_recaps", 0),
    Cut("scenes", 0),
    Cut("recent_messages", 0, MESSAGES_IN_NEED),
    Cut("story", None),
    Cut("recent_messages", 0),
)


@dataclass(frozen=True)
class Fitted:
    """What of a prompt fits: the items and the texts of each list, and how many of each were cut."""

    kept: dict[str, Any]
    texts: dict[str, list[str]]
    cut: dict[str, int]


def fit_to_budget(inputs: ReplyInputs, *, budget: int) -> Fitted:
    order: Sequence[Cut] = STORY_CUT_ORDER if inputs.has_story else CUT_ORDER
    kept: dict[str, Any] = {cut.name: list(getattr(inputs, cut.name)) for cut in order}
    texts = render_texts(kept, inputs.now)
    costs = {name: count_each(items) for name, items in texts.items()}
    moments = count_fitting(costs["moments"], most=MOMENT_TOKENS)
    lists: tuple[dict[str, list[Any]], ...] = (kept, texts, costs)
    for of_kind in lists:
        del of_kind["moments"][moments:]
    total = sum(sum(cost) + SECTION_TOKENS for cost in costs.values() if cost)
    cut: dict[str, int] = {}
    for one in order:
        name = one.name
        while total > budget and len(kept[name]) > one.least:
            at = one.find_next(kept[name])
            total -= costs[name][at]
            for of_kind in lists:
                of_kind[name].pop(at)
            cut[name] = cut.get(name, 0) + 1
            if not kept[name]:
                total -= SECTION_TOKENS
    return Fitted(kept, texts, cut)


def count_each(rendered: Iterable[str]) -> list[int]:
    return [tokens.estimate(text) + 2 for text in rendered]


def count_fitting(costs: Iterable[int], *, most: int) -> int:
    """Count the first items that have at most so many tokens together."""
    return sum(total <= most for total in accumulate(costs))
