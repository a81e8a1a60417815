"""Facts and other memories as a model reads them in the answer of a tool."""

import re
from collections.abc import Iterable, Sequence
from datetime import date

from echovessel import tokens
from echovessel.prompts import escape
from memory.answers.coercion import one_line
from memory.facts.drafts import FactError
from memory.facts.standing import KNOWN_BY
from memory.models import ConceptNode

Tier = ConceptNode.Tier
# Of one answer, so that a model can still act on it.
TOKENS_MOST = 3_000
_NUMBER = re.compile(r"^- (\d+) \[", re.MULTILINE)


def render_fact(node: ConceptNode, *, with_detail: bool = False) -> str:
    about = [KNOWN_BY[Tier(node.tier)], node.facet]
    if node.tier == Tier.EXTRACTED:
        about[0] += f" {node.confidence:.2f}"
    if node.state == ConceptNode.State.UNCERTAIN:
        about.append("not certain")
    if node.state == ConceptNode.State.SUPERSEDED:
        about.append(f"no longer: {node.state_reason}" if node.state_reason else "no longer")
    about += _render_days(node.event_time_start, node.event_time_end)
    detail = f" ({escape(one_line(node.detail))})" if with_detail and node.detail else ""
    return f"- {node.pk} [{', '.join(about)}] {escape(one_line(node.description))}{detail}"


def read_numbers(answer: str) -> set[int]:
    """Read the numbers of the facts that an answer shows."""
    return set(map(int, _NUMBER.findall(answer)))


def render_memory(node: ConceptNode) -> str:
    """Render a memory that is no fact: it has no number, since no tool changes it."""
    about = [node.get_type_display().lower(), *_render_days(node.event_time_start, node.event_time_end)]
    return f"- [{', '.join(about)}] {escape(one_line(node.description))}"


def render_rows(rows: Sequence[str], *, left_out: int = 0, nothing: str = "Nothing is noted.") -> str:
    """Render rows up to a number of tokens, and say how many are left out."""
    kept, used = 0, 0
    for row in rows:
        used += tokens.estimate(row)
        if used > TOKENS_MOST:
            break
        kept += 1
    left_out += len(rows) - kept
    told = "\n".join(["<facts>", *rows[:kept], "</facts>"]) if kept else nothing
    return f"{told}\n{left_out} more are left out." if left_out else told


def render_refusal(error: FactError) -> str:
    """Say why an act was refused, with the facts that were meant or are near."""
    return "\n".join([error.detail, *map(render_fact, error.candidates)])


def _render_days(start: date | None, end: date | None) -> Iterable[str]:
    return [f"{word} {day}" for word, day in (("since", start), ("until", end)) if day is not None]
