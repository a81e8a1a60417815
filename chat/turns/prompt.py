"""The prompt of a reply: plain values in, messages for the model out.

The order of the sections and their headings are specified. Everything before `# Earlier talks` depends on authored
text and on the facts that the session loaded, so it is identical from turn to turn and a model server can cache the
prefix. No section may name a channel: no device, no transport, no client.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import Any

from chat.turns.fact_sections import render_change_requests, render_checks, render_noted_fact, render_unmet_wish
from chat.turns.rendering import escape_when_tag, one_line, render_heading, render_list, render_section, wrap_in_tag
from echovessel import times, tokens
from echovessel.llm.inputs import Plan, RecalledMemory, ReplyInputs, SaidMessage
from echovessel.llm.protocol import ChatMessage
from echovessel.prompts import escape, render
from memory.facts import loaded_set
from memory.models import ConceptNode
from personas.models import NEUTRAL_MOOD

RULES = Path(__file__).parents[1] / "prompts" / "rules.md"
TOOL_RULES, OFF_RECORD_RULES = RULES.with_name("tools.md"), RULES.with_name("off_record.md")
# What a section costs besides its items, and a message besides its text.
SECTION_TOKENS = 12
# How many tokens kept messages have at most.
MOMENT_TOKENS = 400
# What is cut first if the prompt is too long, and from which end: 0 the first, -1 the last.
CUT_ORDER = (
    ("all_known", -1),
    ("quotes", -1),
    ("moments", -1),
    ("expectations", -1),
    ("own_thoughts", -1),
    ("about", -1),
    ("promises", -1),
    ("recalled", -1),
    ("user_thoughts", -1),
    ("recent_messages", 0),
    ("sessions", 0),
)


class PromptTooLong(Exception):
    """The parts that cannot be cut are longer than the model's context."""


@dataclass(frozen=True)
class Prompt:
    messages: list[ChatMessage]
    # What the messages were rendered from, without what was cut.
    inputs: ReplyInputs
    token_count: int
    recalled_count: int
    # How many of each kind were cut.
    cut: dict[str, int] = field(default_factory=dict)


def format_memory_time(node: ConceptNode, *, told_at: datetime, until: datetime | None = None) -> RecalledMemory:
    is_thought = node.type == ConceptNode.Type.THOUGHT
    return RecalledMemory(
        text=node.description,
        is_thought=is_thought,
        told_at=told_at,
        start=node.event_time_start,
        end=node.event_time_end,
        is_unsure=node.type == ConceptNode.Type.FACT and node.confidence < loaded_set.LOADED_FROM,
        until=until,
    )


def format_due(node: ConceptNode) -> Plan:
    return Plan(text=node.description, day=node.event_time_end)


def assemble(inputs: ReplyInputs, *, budget: int, context: int) -> Prompt:
    """Return the messages for the model, cut to `budget` tokens; what cannot be cut must fit `context`.

    Raises PromptTooLong.
    """
    firm_tokens = count_firm_tokens(inputs)
    if firm_tokens > context and inputs.loaded:
        inputs = replace(inputs, loaded="")
        firm_tokens = count_firm_tokens(inputs)
    if firm_tokens > context:
        raise PromptTooLong(
            f"Your messages and the companion's texts have about {firm_tokens} tokens; the model takes {context}. Shorten one of them."
        )
    kept, cut = fit_to_budget(inputs, budget=min(budget, context - firm_tokens))
    system = "\n\n".join(
        [
            *render_stable_sections(inputs),
            *render_memory_sections(inputs, kept),
            *render_situation(inputs, all_known=kept["all_known"]),
        ]
    )
    messages: list[ChatMessage] = [{"role": "system", "content": system}]
    messages += render_window(kept["recent_messages"], now=inputs.now)
    messages.append({"role": "user", "content": escape_when_tag("\n".join(inputs.burst))})
    count = sum(tokens.estimate(message["content"]) for message in messages)
    return Prompt(
        messages=messages,
        inputs=replace(inputs, **kept),
        token_count=count,
        recalled_count=len(kept["recalled"]),
        cut=cut,
    )


def count_firm_tokens(inputs: ReplyInputs) -> int:
    """Count the tokens of what is never cut."""
    firm = [*render_stable_sections(inputs), *render_situation(inputs), *inputs.burst]
    return sum(map(tokens.estimate, firm))


def render_stable_sections(inputs: ReplyInputs) -> list[str]:
    """The sections that stay the same from turn to turn: authored texts, and the facts that the session loaded."""
    facts = "\n".join(f"- {name.replace('_', ' ')}: {one_line(value)}" for name, value in inputs.facts.items() if value)
    return [
        *render_rules(inputs),
        *render_section("Persona", wrap_in_tag("persona", escape(inputs.persona))),
        *render_section("About the user", wrap_in_tag("user", escape(inputs.user))),
        *render_section("Style", wrap_in_tag("style", escape(inputs.style))),
        *render_section("Who you are", wrap_in_tag("facts", facts)),
        *render_section("What you know", wrap_in_tag("known", inputs.loaded)),
    ]


def render_rules(inputs: ReplyInputs) -> list[str]:
    """Render the rules that hold for every reply, then those for notes."""
    user_name = one_line(inputs.user_name)
    rules = render(RULES, persona_name=one_line(inputs.persona_name), user_name=user_name).strip()
    if inputs.off_record:
        return [f"{rules}\n{render(OFF_RECORD_RULES, user_name=user_name).strip()}"]
    return [rules, render(TOOL_RULES, user_name=user_name).strip()] if inputs.has_tools else [rules]


def render_memory_sections(inputs: ReplyInputs, kept: Mapping[str, Sequence[Any]]) -> list[str]:
    """Memories, as far as they fit."""
    texts = render_texts(inputs, kept)
    made = [
        *render_section("Earlier talks", wrap_in_tag("talks", render_list(texts["sessions"]))),
        *render_section("How you see yourself lately", wrap_in_tag("thoughts", render_list(texts["own_thoughts"]))),
        *render_section("What you have been thinking", wrap_in_tag("thoughts", render_list(texts["user_thoughts"]))),
    ]
    for (name, _), text in zip(kept["about"], texts["about"], strict=True):
        made += render_section(f"About {render_heading(name)}", wrap_in_tag("about", text))
    return [
        *made,
        *render_section("Something to clear up", render_doubt(inputs.doubt) or render_pair_question(inputs.pair)),
        *render_section("What you remember", wrap_in_tag("memories", render_list(texts["recalled"]))),
        *render_section("Their exact words", wrap_in_tag("lines", render_list(texts["quotes"]))),
        *render_section("Moments they keep", wrap_in_tag("moments", render_list(texts["moments"]))),
        *render_section("Promises you have made", wrap_in_tag("promises", render_list(texts["promises"]))),
        *render_section(
            "What you have been expecting", wrap_in_tag("expectations", render_list(texts["expectations"]))
        ),
    ]


def render_situation(inputs: ReplyInputs, *, all_known: Sequence[str] = ()) -> list[str]:
    """Mood, what was noted in this talk, and the current time."""
    now = f"It is {times.format_moment(inputs.now)} where {one_line(inputs.user_name)} is."
    if inputs.last_message_at is None:
        now += " This is your first talk."
    else:
        now += f" The last words between you were {times.format_elapsed(inputs.last_message_at, inputs.now)} ago."
    noted = [*map(render_noted_fact, inputs.noted), *map(render_unmet_wish, inputs.unmet)]
    return [
        *render_section("How you feel right now", render_mood(inputs.mood)),
        *render_section("Noted in this talk", wrap_in_tag("noted", render_list(noted))),
        *render_section("Check first", render_checks(inputs.checks)),
        *render_section("They want to change this", render_change_requests(inputs.wants_to_change)),
        *render_section("All you know", wrap_in_tag("known", render_list(map(one_line, all_known)))),
        *render_section("Right now", now),
    ]


def render_mood(mood: Mapping[str, Any]) -> str:
    if mood["mood"] == NEUTRAL_MOOD:
        return ""
    signal = f" The user last seemed {mood['last_user_signal']}." if mood["last_user_signal"] else ""
    return f"<mood>{one_line(mood['mood'])}</mood>, energy {mood['energy']} of 10.{signal}"


def render_doubt(doubt: tuple[str, str] | None) -> str:
    if doubt is None:
        return ""
    this, that = map(render_heading, doubt)
    if not that:
        return f"You are not sure whether this holds: <fact>{this}</fact> If it fits, ask once, naturally."
    return (
        f"They told you <fact>{that}</fact> and it also seemed that <fact>{this}</fact> Both may not hold. If it fits, ask "
        "once, naturally, which is so. Until they answer, go on as if the first holds."
    )


def render_pair_question(pair: tuple[str, str] | None) -> str:
    if pair is None:
        return ""
    a, b = map(render_heading, pair)
    return (
        f"You are not sure whether <name>{a}</name> and <name>{b}</name> are the same. If it fits, ask once, naturally."
    )


def render_texts(inputs: ReplyInputs, kept: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
    """Render each kept item as the text it has in the prompt."""
    now = inputs.now
    return {
        "sessions": [
            f"({times.format_stretch(session.at, now)}) {one_line(session.text)}" for session in kept["sessions"]
        ],
        "own_thoughts": [one_line(text) for text in kept["own_thoughts"]],
        "user_thoughts": [one_line(text) for text in kept["user_thoughts"]],
        "about": [escape(text) for _, text in kept["about"]],
        "recalled": [render_memory(node, now) for node in kept["recalled"]],
        "quotes": [render_quote(message, now) for message in kept["quotes"]],
        "moments": [render_quote(message, now) for message in kept["moments"]],
        "promises": [render_promise(promise, now) for promise in kept["promises"]],
        "expectations": [render_due_item(expectation, now) for expectation in kept["expectations"]],
        "recent_messages": [message.text for message in kept["recent_messages"]],
        "all_known": [one_line(text) for text in kept["all_known"]],
    }


def render_memory(node: RecalledMemory, now: datetime) -> str:
    when = times.format_remembered(node.start, node.end, told_at=node.told_at, now=now)
    until = f"until {node.until:%B %Y}: " if node.until else ""
    unsure = "not sure: " if node.is_unsure else ""
    return f"({'your own thought, ' if node.is_thought else ''}{when}) {until}{unsure}{one_line(node.text)}"


def render_quote(message: SaidMessage, now: datetime) -> str:
    return f"({times.format_ago(message.at, now)}) {'user' if message.is_user else 'you'}: {one_line(message.text)}"


def render_promise(promise: Plan, now: datetime) -> str:
    if promise.day is None or promise.day >= now.date():
        return render_due_item(promise, now)
    return f"(overdue, due {times.format_due(promise.day, now.date())}) {one_line(promise.text)}"


def render_due_item(thing: Plan, now: datetime) -> str:
    if thing.day is None:
        return one_line(thing.text)
    return f"({times.format_due(thing.day, now.date())}) {one_line(thing.text)}"


def fit_to_budget(inputs: ReplyInputs, *, budget: int) -> tuple[dict[str, Any], dict[str, int]]:
    """Return what fits into the budget, and how many of each kind were cut."""
    kept: dict[str, Any] = {name: list(getattr(inputs, name)) for name, _ in CUT_ORDER}
    kept["moments"] = kept["moments"][: count_fitting(render_texts(inputs, kept)["moments"], most=MOMENT_TOKENS)]
    costs = {name: [tokens.estimate(text) + 2 for text in texts] for name, texts in render_texts(inputs, kept).items()}
    total = sum(sum(cost) + SECTION_TOKENS for cost in costs.values() if cost)
    cut: dict[str, int] = {}
    for name, end in CUT_ORDER:
        while total > budget and kept[name]:
            kept[name].pop(end)
            total -= costs[name].pop(end)
            cut[name] = cut.get(name, 0) + 1
            if not kept[name]:
                total -= SECTION_TOKENS
    return kept, cut


def count_fitting(rendered: Iterable[str], *, most: int) -> int:
    """Count the first texts that have at most so many tokens together."""
    return sum(total <= most for total in accumulate(tokens.estimate(text) + 2 for text in rendered))


def render_window(messages: Iterable[SaidMessage], *, now: datetime) -> list[ChatMessage]:
    """Render the recent messages.

    Consecutive ones of a role are joined, and each stretch begins with a tag of its time.
    """
    rendered: list[ChatMessage] = []
    last_bucket = ""
    for message in messages:
        role = "user" if message.is_user else "assistant"
        bucket = times.format_stretch(message.at, now)
        said = escape_when_tag(message.text)
        text = said if bucket == last_bucket else f"<when>{bucket}</when>\n{said}"
        last_bucket = bucket
        if rendered and rendered[-1]["role"] == role:
            rendered[-1]["content"] += f"\n{text}"
        elif role == "user":
            rendered.append({"role": "user", "content": text})
        else:
            rendered.append({"role": "assistant", "content": text})
    return rendered
