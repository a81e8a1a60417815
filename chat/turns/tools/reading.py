"""The tools that list and search what is noted."""

from collections.abc import Sequence

from chat.turns.tools import rows
from chat.turns.tools.arguments import LIST_MOST, RECALL_MOST, ListArguments, RecallArguments
from chat.turns.tools.calls import CallContext, ToolAnswer
from echovessel import text
from memory.facts.drafts import FactError
from memory.models import ConceptNode
from memory.models.nodes import ConceptNodeQuerySet
from memory.recall import memories
from memory.recall.candidates import pick_rarest

State = ConceptNode.State


def list_facts(call: CallContext, asked: ListArguments) -> ToolAnswer:
    """List the facts that hold or are in doubt, newest first."""
    if asked.facet and asked.facet not in ConceptNode.Facet.values:
        raise FactError("invalid", f"The facet is one of {', '.join(ConceptNode.Facet.values)}.")
    facts = filter_facts(call).filter(state__in=[State.LIVE, State.UNCERTAIN])
    if asked.facet:
        facts = facts.filter(facet=asked.facet)
    found = [rows.render_fact(node) for node in facts.order_by("-id")[:LIST_MOST]]
    left_out = facts.count() - LIST_MOST if len(found) == LIST_MOST else 0
    return ToolAnswer(ok=True, code="listed", text=rows.render_rows(found, left_out=left_out))


def recall_facts(call: CallContext, asked: RecallArguments) -> ToolAnswer:
    """Search facts and events, best first, with details; with `past` also facts that hold no longer."""
    limit = max(1, min(RECALL_MOST, asked.limit))
    result = memories.search(bond=call.bond, query=asked.query, vector=call.vector, now=call.now)
    ranked = sorted((item for item in result.items if item.is_above_floor), key=memories.build_sort_key)
    found = load_in_order(call, [item.node.pk for item in ranked])
    if asked.past:
        found += find_past(call, asked.query)
    told = [
        rows.render_fact(node, with_detail=True) if node.type == ConceptNode.Type.FACT else rows.render_memory(node)
        for node in found[:limit]
    ]
    answer = rows.render_rows(told, left_out=max(0, len(found) - limit), nothing="Nothing is noted about that.")
    return ToolAnswer(ok=True, code="found", text=answer)


def load_in_order(call: CallContext, ids: Sequence[int]) -> list[ConceptNode]:
    """Load nodes with the columns that recall leaves out; the persona's own thoughts are not what was told."""
    rest = ConceptNode.objects.for_bond(call.bond).not_deleted().exclude(type=ConceptNode.Type.THOUGHT)
    known = {node.pk: node for node in rest.without_heavy_columns("terms").filter(pk__in=ids)}
    return [known[pk] for pk in ids if pk in known]


def find_past(call: CallContext, query: str) -> list[ConceptNode]:
    """Find facts that hold no longer and share a term with the query, newest first."""
    terms = pick_rarest(set(text.extract_terms(query)))
    if not terms:
        return []
    past = filter_facts(call).filter(state=State.SUPERSEDED).sharing(call.bond.pk, terms)
    return list(past.order_by("-id")[:RECALL_MOST])


def filter_facts(call: CallContext) -> ConceptNodeQuerySet:
    return ConceptNode.objects.for_bond(call.bond).not_deleted().facts().without_heavy_columns("terms")
