"""Which of the recalled memories a prompt holds under `# What you remember`, so that nothing is in it twice."""

from chat.turns.prompting.base_context import BaseContext
from memory.facts import loaded_set
from memory.models import ConceptNode, FactWrite
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
        elif item.node.type == ConceptNode.Type.FACT and item.node.confidence < loaded_set.RECALLED_FROM:
            reasons[item.node.pk] = "unsure"
        elif item.node.type == ConceptNode.Type.FACT and events.intersection(item.cites):
            reasons[item.node.pk] = "told_by_event"
    return reasons
