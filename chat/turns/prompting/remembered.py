"""Which of the recalled memories a prompt holds under `# What you remember`, so that nothing is in it twice."""

from chat.turns.prompting.base_context import BaseContext
from memory.facts import loaded_set
from memory.models import ConceptNode, FactWrite
from memory.recall import scoring
from memory.recall.memories import RecallResult, ScoredNode


def list_extra(base: BaseContext, recalled: RecallResult) -> list[ScoredNode]:
    """Return recalled memories that are not in every prompt."""
    thoughts = {node.pk for node in (*base.base_memory.own_thoughts, *base.base_memory.user_thoughts)}
    elsewhere = thoughts | {*find_not_repeated(base, recalled)}
    return [item for item in recalled.kept if item.node.pk not in elsewhere]


def find_not_repeated(base: BaseContext, recalled: RecallResult) -> dict[int, str]:
    """Return the recalled facts that are left out, each with the reason."""
    kept = recalled.kept
    events = {item.node.pk for item in kept if item.node.type == ConceptNode.Type.EVENT}
    noted = {one.text for one in base.noted if one.op != FactWrite.Op.ENDED and not one.is_undone}
    reasons: dict[int, str] = {}
    for item in kept:
        if item.node.pk in base.loaded.ids:
            reasons[item.node.pk] = "loaded"
        elif item.node.type == ConceptNode.Type.FACT and item.node.description in noted:
            reasons[item.node.pk] = "noted"
        elif item.node.type == ConceptNode.Type.FACT and is_too_unsure(item):
            reasons[item.node.pk] = "unsure"
        elif item.node.type == ConceptNode.Type.FACT and events.intersection(item.cites):
            reasons[item.node.pk] = "told_by_event"
    return reasons


def is_too_unsure(item: ScoredNode) -> bool:
    """Whether a fact is too little trusted for what was asked: a guess must be near itself, not only the nearest there is."""
    is_guess = item.node.confidence < loaded_set.LOADED_FROM
    return item.node.confidence < loaded_set.RECALLED_FROM or (
        is_guess and item.plain_relevance < scoring.RELEVANCE_FLOOR
    )
