"""The items of the sections about memories, each as the line it is in a prompt."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from chat.turns.prompting.sections.present import render_due_item
from chat.turns.prompting.sections.rendering import one_line, render_heading, render_section, wrap_in_tag
from chat.turns.prompting.sections.story_sections import render_line_recap, render_point, render_scene
from echovessel import times
from echovessel.llm.inputs import EntityCard, Plan, RecalledMemory, SaidMessage, SessionSummary
from echovessel.prompts import escape
from personas.models import NEUTRAL_MOOD


def render_mood(mood: Mapping[str, Any]) -> str:
    if mood["mood"] == NEUTRAL_MOOD:
        return ""
    signal = f" The user last seemed {mood['last_user_signal']}." if mood["last_user_signal"] else ""
    return f"<mood>{one_line(mood['mood'])}</mood>, energy {mood['energy']} of 10.{signal}"


def render_texts(kept: Mapping[str, Sequence[Any]], now: datetime) -> dict[str, list[str]]:
    """Render each kept item as the text it has in the prompt."""
    return {name: [RENDERERS[name](item, now) for item in items] for name, items in kept.items()}


def render_card(card: EntityCard) -> str:
    """Render a section about a person or a thing: its description, then remarks."""
    told = [escape(card.description)] if card.description else []
    told += [f"- {one_line(remark)}" for remark in card.remarks]
    [section] = render_section(f"About {render_heading(card.name)}", wrap_in_tag("about", "\n".join(told)))
    return section


def render_memory(node: RecalledMemory, now: datetime) -> str:
    when = times.format_remembered(node.start, node.end, told_at=node.told_at, now=now)
    until = f"until {node.until:%B %Y}: " if node.until else ""
    unsure = "not sure: " if node.is_unsure else ""
    doubted = " (in doubt)" if node.is_in_doubt else ""
    return f"({'your own thought, ' if node.is_thought else ''}{when}) {until}{unsure}{one_line(node.text)}{doubted}"


def render_quote(message: SaidMessage, now: datetime) -> str:
    return f"({times.format_ago(message.at, now)}) {'user' if message.is_user else 'you'}: {one_line(message.text)}"


def render_promise(promise: Plan, now: datetime) -> str:
    if promise.day is None or promise.day >= now.date():
        return render_due_item(promise, now)
    return f"(was due {times.format_due(promise.day, now.date())}) {one_line(promise.text)}"


def render_session(session: SessionSummary, now: datetime) -> str:
    return f"({times.format_ago(session.at, now)}) {one_line(session.text)}"


# How the items of each list are rendered.
RENDERERS: Mapping[str, Callable[[Any, datetime], str]] = {
    "sessions": render_session,
    "own_thoughts": lambda text, _: one_line(text),
    "user_thoughts": lambda text, _: one_line(text),
    "about": lambda card, _: render_card(card),
    "examples": lambda text, _: escape(text),
    "lore": lambda text, _: escape(text),
    "recalled": render_memory,
    "quotes": render_quote,
    "moments": render_quote,
    "promises": render_promise,
    "expectations": render_due_item,
    "recent_messages": lambda message, _: message.text,
    "all_known": lambda text, _: one_line(text),
    "scenes": lambda scene, _: render_scene(scene),
    "line_recaps": lambda said, _: render_line_recap(said),
    "story": lambda point, _: render_point(point),
}
