"""The prompt of a reply: plain values in, messages for the model out.

The order of the sections and their headings are specified. Everything before `# Earlier talks` depends on authored
text and on the facts that the session loaded, so it is identical from turn to turn and a model server can cache the
prefix. No section may name a channel: no device, no transport, no client.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from chat.turns.prompting import fitting
from chat.turns.prompting.fitting import Fitted
from chat.turns.prompting.sections.certainty_sections import render_certainty
from chat.turns.prompting.sections.fact_sections import (
    render_all_known,
    render_change_requests,
    render_checks,
    render_doubt,
    render_noted,
    render_unmet_wish,
)
from chat.turns.prompting.sections.memory_sections import RENDERERS, render_mood
from chat.turns.prompting.sections.present import render_present
from chat.turns.prompting.sections.rendering import (
    escape_own_tags,
    escape_when_tag,
    one_line,
    render_list,
    render_section,
    wrap_in_tag,
)
from chat.turns.prompting.sections.story_sections import join, render_told
from chat.turns.prompting.sections.window import render_steady_window, render_window
from echovessel import tokens
from echovessel.llm.inputs import Plan, ReplyInputs
from echovessel.llm.protocol import ChatMessage
from echovessel.prompts import escape, render
from echovessel.text import MASK
from memory.models import ConceptNode

RULES = Path(__file__).parents[2] / "prompts" / "rules.md"
TOOL_RULES, OFF_RECORD_RULES = RULES.with_name("tools.md"), RULES.with_name("off_record.md")
NOTES_RULES = RULES.with_name("notes.md")
# Whether what changes from turn to turn stands in the last message, where prompts hold a story: so that what stands before it
# only grows, and a model server can cache that. `evaluate story` measures both places.
NOTES_LAST = True
# Of so many tokens that can be cut none is kept where a prompt is too long.
LITTLE_LEFT = 500

SECTIONS_APART = "\n\n"
EXAMPLES_HEAD = "How you may sound. Nothing of it was said between you."
# What a persona's owner wants of all its replies.
LENGTHS = {
    "short": "Reply briefly: one to three sentences, whatever the style says.",
    "long": "Take your time: reply at length, in several paragraphs where there is something to say.",
}


class PromptTooLong(Exception):
    """The parts that cannot be cut are longer than the model's context."""


@dataclass(frozen=True)
class Prompt:
    messages: list[ChatMessage]
    # What the messages were rendered from, without what was cut.
    inputs: ReplyInputs
    token_count: int
    # How many of each kind were cut.
    cut: dict[str, int] = field(default_factory=dict)


def build_plan(node: ConceptNode) -> Plan:
    is_expected = node.type == ConceptNode.Type.EXPECTATION
    return Plan(text=node.description, day=node.event_time_end, is_expected=is_expected)


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
    fitted = fitting.fit_to_budget(inputs, budget=min(budget, context - firm_tokens))
    messages = render_told_messages(inputs, fitted) if inputs.has_story else render_messages(inputs, fitted)
    count = sum(tokens.estimate(message["content"]) for message in messages)
    return Prompt(
        messages=messages,
        inputs=replace(inputs, **fitted.kept),
        token_count=count,
        cut=fitted.cut,
    )


def shorten(prompt: Prompt) -> Prompt:
    """Return the same prompt with a third of what can be cut, or without it where that is little."""
    left = prompt.token_count - count_firm_tokens(prompt.inputs)
    budget = left // 3 if left > LITTLE_LEFT else 0
    return assemble(prompt.inputs, budget=budget, context=prompt.token_count)


def render_messages(inputs: ReplyInputs, fitted: Fitted) -> list[ChatMessage]:
    """Render the messages of a prompt without a story: all sections stand in the first one."""
    system = [*render_stable_sections(inputs, examples=fitted.kept["examples"]), *render_notes(inputs, fitted)]
    return [
        {"role": "system", "content": SECTIONS_APART.join(system)},
        *render_window(fitted.kept["recent_messages"], now=inputs.now),
        {"role": "user", "content": escape_when_tag("\n".join(inputs.burst))},
    ]


def render_told_messages(inputs: ReplyInputs, fitted: Fitted) -> list[ChatMessage]:
    """Render the messages of a prompt with a story: what changes from turn to turn stands in the last one."""
    system = render_stable_sections(inputs, examples=fitted.kept["examples"])
    system += render_told(fitted.kept["story"], fitted.texts["scenes"], fitted.texts["line_recaps"])
    notes = render_notes(inputs, fitted)
    burst = escape_own_tags("\n".join(inputs.burst))
    if inputs.has_notes_last:
        burst = f"{wrap_in_tag('notes', SECTIONS_APART.join(notes))}\n{burst}"
    else:
        system += notes
    return [
        {"role": "system", "content": SECTIONS_APART.join(system)},
        *render_steady_window(fitted.kept["recent_messages"]),
        {"role": "user", "content": burst},
    ]


def render_notes(inputs: ReplyInputs, fitted: Fitted) -> list[str]:
    """Render what changes from turn to turn: memories, and how things stand now."""
    memories = render_memory_sections(inputs, fitted.texts)
    return [*memories, *render_situation(inputs, all_known=fitted.kept["all_known"])]


def count_firm_tokens(inputs: ReplyInputs) -> int:
    """Count the tokens of what is never cut."""
    firm = [*render_stable_sections(inputs), *render_situation(inputs), *inputs.burst]
    return sum(map(tokens.estimate, firm))


def render_stable_sections(inputs: ReplyInputs, *, examples: Sequence[str] = ()) -> list[str]:
    """The sections that stay the same from turn to turn: authored texts, with as many examples as fit, and the facts that the
    session loaded.
    """
    facts = "\n".join(f"- {name.replace('_', ' ')}: {one_line(value)}" for name, value in inputs.facts.items() if value)
    return [
        *render_rules(inputs),
        *render_section("Persona", wrap_in_tag("persona", escape(inputs.persona))),
        *render_section("Scenario", wrap_in_tag("scenario", escape(inputs.scenario))),
        *render_section("About the user", wrap_in_tag("user", escape(inputs.user))),
        *render_section("Style", render_style(inputs)),
        *render_section("Example dialogue", join(EXAMPLES_HEAD, render_examples(examples))),
        *render_section("Who you are", wrap_in_tag("facts", facts)),
        *render_section("What you know", wrap_in_tag("known", inputs.loaded)),
    ]


def render_examples(examples: Sequence[str]) -> str:
    return "\n".join(wrap_in_tag("example", escape(one)) for one in examples)


def render_style(inputs: ReplyInputs) -> str:
    parts = [wrap_in_tag("style", escape(inputs.style)), LENGTHS.get(inputs.length, "")]
    return "\n".join(part for part in parts if part)


def render_rules(inputs: ReplyInputs) -> list[str]:
    """Render the rules that hold for every reply, then those for notes."""
    user_name = one_line(inputs.user_name)
    names = {"persona_name": one_line(inputs.persona_name), "user_name": user_name}
    other_name = f", or “{one_line(inputs.other_name)}”," if inputs.other_name else ""
    rules = render(RULES, other_name=other_name, **names).strip()
    if inputs.has_story and inputs.has_notes_last:
        rules += f"\n{render(NOTES_RULES, user_name=user_name).strip()}"
    if inputs.off_record:
        return [f"{rules}\n{render(OFF_RECORD_RULES, user_name=user_name).strip()}"]
    return [rules, render(TOOL_RULES, user_name=user_name).strip()] if inputs.has_tools else [rules]


def render_memory_sections(inputs: ReplyInputs, texts: Mapping[str, Sequence[str]]) -> list[str]:
    """Memories, as far as they fit."""
    return [
        *render_section("Earlier talks", wrap_in_tag("talks", render_list(texts["sessions"]))),
        *render_section("How you see yourself lately", wrap_in_tag("thoughts", render_list(texts["own_thoughts"]))),
        *render_section("What you have been thinking", wrap_in_tag("thoughts", render_list(texts["user_thoughts"]))),
        *texts["about"],
        *render_section("What is known here", wrap_in_tag("lore", "\n\n".join(texts["lore"]))),
        *render_section("Something to clear up", render_doubt(inputs.doubt)),
        *render_section("What you remember", wrap_in_tag("memories", render_list(texts["recalled"]))),
        *render_section("Their exact words", wrap_in_tag("lines", render_list(texts["quotes"]))),
        *render_section("Moments they keep", wrap_in_tag("moments", render_list(texts["moments"]))),
        *render_section("Promises you have made", wrap_in_tag("promises", render_not_due(inputs, texts, "promises"))),
        *render_section(
            "What you have been expecting", wrap_in_tag("expectations", render_not_due(inputs, texts, "expectations"))
        ),
    ]


def render_not_due(inputs: ReplyInputs, texts: Mapping[str, Sequence[str]], name: str) -> str:
    """List plans without those that the last section takes up."""
    due = {RENDERERS[name](plan, inputs.now) for plan in inputs.due}
    return render_list(text for text in texts[name] if text not in due)


def render_situation(inputs: ReplyInputs, *, all_known: Sequence[str] = ()) -> list[str]:
    """Mood, what was noted in this talk, and the current time."""
    noted = [*render_noted(inputs.noted), *map(render_unmet_wish, inputs.unmet)]
    said = {one.text for one in inputs.noted}
    return [
        *render_section("How you feel right now", render_mood(inputs.mood)),
        *render_section("Noted in this talk", wrap_in_tag("noted", render_list(noted))),
        *render_section("Check first", render_checks(inputs.checks)),
        *render_section("They want to change this", render_change_requests(inputs.wants_to_change)),
        *render_section("All you know", render_all_known([one for one in all_known if one not in said])),
        *render_section("How sure you are", render_certainty(inputs)),
        *render_section("What you do not keep", render_not_kept(inputs)),
        *render_section("Right now", render_present(inputs)),
    ]


def render_not_kept(inputs: ReplyInputs) -> str:
    """Say what the mark of a secret is, where something that was told before holds one."""
    told = [one.text for one in (*inputs.quotes, *inputs.line_recaps, *inputs.recent_messages)]
    told += [one.text for one in inputs.recalled]
    if not any(MASK in text for text in told):
        return ""
    return (
        f"{MASK} stands for a password, a PIN or a key. You do not keep such things: say so when you are asked for one."
    )
