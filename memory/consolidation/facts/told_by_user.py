"""Decide whether the user told what an answer writes in the place of a stated fact, as they must where a tool changes it."""

from collections.abc import Collection

from echovessel.llm.offline.text import passages
from memory.consolidation.facts.parse_facts import ExtractedFact
from memory.facts.checks import wording
from memory.facts.checks.grounding import is_grounded
from memory.models import ConceptNode, Message
from memory.nodes import comparison

# How sure an answer is of what was said outright, as the prompt has it.
OUTRIGHT = 0.9


def tells(found: ExtractedFact, target: ConceptNode, *, how: str, grave_lines: Collection[int]) -> bool:
    """Whether statements of the user tell what a fact says beyond a stated one. What a grave loss says against it they are not asked
    about.
    """
    if found.draft.facet != target.facet or not found.user_lines:
        return False
    if how == "contradicts":
        return (found.draft.confidence or 0) >= OUTRIGHT and not found.user_lines.isdisjoint(grave_lines)
    content, known = found.draft.content, target.description
    lines = [message for message in found.sources if message.role == Message.Role.USER]
    said = [one for line in lines for one in passages.split_statements(line.content)]
    is_turned = wording.is_negated(content) != wording.is_negated(known)
    return (
        not is_turned
        and keeps_all(found, target)
        and is_grounded(
            content,
            [one for one in said if not passages.is_imagined(one)],
            today=lines[-1].day,
            speakers=[target.bond.user.shown_name, target.bond.persona.name],
            known=known,
        )
    )


def keeps_all(found: ExtractedFact, target: ConceptNode) -> bool:
    """Whether a fact has all names and numbers of another."""
    new, old = (
        comparison.extract_facts(said, bond=target.bond, names={}) for said in (found.draft.content, target.description)
    )
    return new.holds_all_of(old)
