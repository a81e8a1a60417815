"""The items of the sections about memories, each as the line it is in a prompt."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from chat.turns.prompting.sections.present import render_due_item
from chat.turns.prompting.sections.rendering import one_line, render_heading, render_section, wrap_in_tag
from chat.turns.prompting.sections.story_sections import render_line_recap, render_point, render_scene
from echovessel import times
from echovessel.llm.inputs import EntityCard, Plan, RecalledMemory, ReplyInputs, SaidMessage
from echovessel.prompts import escape
from personas.models import NEUTRAL_MOOD


def render_mood(mood: Mapping[str, Any]) -> str:
    if mood["mood"] == NEUTRAL_MOOD:
        return ""
    signal = f" The user last seemed {mood['last_user_signal']}." if mood["last_user_signal"] else ""
    return f"<mood>{one_line(mood['mood'])}</mood>, energy {mood['energy']} of 10.{signal}"


def render_texts(inputs: ReplyInputs, kept: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
    """Render each kept item as the text it has in the prompt."""
    now = inputs.now
    return {
        "sessions": [
            f"({times.format_stretch(session.at, now)}) {one_line(session.text)}" for session in kept["sessions"]
        ],
        "own_thoughts": [one_line(text) for text in kept["own_thoughts"]],
        "user_thoughts": [one_line(text) for text in kept["user_thoughts"]],
        "about": [render_card(card) for card in kept["about"]],
        "examples": [escape(text) for text in kept["examples"]],
        "lore": [escape(text) for text in kept["lore"]],
        "recalled": [render_memory(node, now) for node in kept["recalled"]],
        "quotes": [render_quote(message, now) for message in kept["quotes"]],
        "moments": [render_quote(message, now) for message in kept["moments"]],
        "promises": [render_promise(promise, now) for promise in kept["promises"]],
        "expectations": [render_due_item(expectation, now) for expectation in kept["expectations"]],
        "recent_messages": [message.text for message in kept["recent_messages"]],
        "all_known": [one_line(text) for text in kept["all_known"]],
        "scenes": [render_scene(scene) for scene in kept.get("scenes", ())],
        "line_recaps": [render_line_recap(said) for said in kept.get("line_recaps", ())],
        "story": [render_point(point) for point in kept.get("story", ())],
    }


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
    return f"(overdue, due {times.format_due(promise.day, now.date())}) {one_line(promise.text)}"
