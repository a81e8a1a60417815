"""Applies the selection of sections to the inputs of a reply."""

from dataclasses import replace
from typing import Any

from chat.turns.prompting import fitting
from chat.turns.prompting.sections.memory_sections import render_texts
from chat.turns.prompting.selection import section_selection
from chat.turns.prompting.selection.section_selection import Section, Selection, Situation
from echovessel.llm.inputs import ReplyInputs

# The field of each section that is read with the prompt's memory or searched.
FIELDS = {
    Section.RECALLED: "recalled",
    Section.WORDS: "quotes",
    Section.USER_THOUGHTS: "user_thoughts",
    Section.TALKS: "sessions",
    Section.PROMISES: "promises",
    Section.EXPECTATIONS: "expectations",
    Section.OWN_THOUGHTS: "own_thoughts",
}
# Sections that are never out and count towards those in the prompt.
OTHERS = ("about", "moments")


def select(inputs: ReplyInputs, situation: Situation, *, is_doubt_out: bool) -> Selection:
    """Select the sections of a reply; `is_doubt_out` tells that a doubt was not asked about."""
    counted = {name: getattr(inputs, name) for name in (*FIELDS.values(), *OTHERS)}
    costs = {name: fitting.count_each(texts) for name, texts in render_texts(counted, inputs.now).items()}
    held = {section: sum(costs[name]) + fitting.SECTION_TOKENS for section, name in FIELDS.items() if costs[name]}
    if is_doubt_out:
        held[Section.DOUBTS] = 0
    others = sum(sum(costs[name]) + fitting.SECTION_TOKENS for name in OTHERS if costs[name])
    return section_selection.select(situation, held, others=others)


def leave_out(inputs: ReplyInputs, selection: Selection) -> ReplyInputs:
    emptied: dict[str, Any] = {FIELDS[section]: [] for section in selection.out if section in FIELDS}
    return replace(inputs, **emptied)
