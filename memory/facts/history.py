"""The versions of a fact: what it replaced and what replaced it."""

from collections.abc import Collection

from django.db.models.expressions import RawSQL

from memory.models import ConceptNode
from memory.models.nodes import ConceptNodeQuerySet
from personas.models import Bond

# What was only told in other words is not over.
SAME = ("merged",)
OVER_MOST = 60
_VERSIONS = """
    WITH RECURSIVE version (id, newer) AS (
        SELECT id, superseded_by_id FROM memory_conceptnode WHERE id = %s
        UNION
        SELECT node.id, node.superseded_by_id FROM memory_conceptnode node
            JOIN version ON node.id = version.newer OR node.superseded_by_id = version.id
    )
    SELECT id FROM version
"""


def filter_versions(node: ConceptNode) -> ConceptNodeQuerySet:
    """Filter the fact and all that led to it or came of it, as far as they were not forgotten."""
    own = ConceptNode.objects.for_bond(node.bond).facts().not_deleted()
    return own.filter(pk__in=RawSQL(_VERSIONS, [node.pk]))


def find_over(bond: Bond, texts: Collection[str]) -> set[str]:
    """Find which of these texts are those of facts that hold no longer, and of none that does."""
    told = ConceptNode.objects.for_bond(bond).facts().not_deleted().filter(description__in=texts)
    rows = list(told.values_list("description", "state"))
    return {text for text, _ in rows} - {text for text, state in rows if state != ConceptNode.State.SUPERSEDED}


def list_over(bond: Bond) -> list[str]:
    """List the newest facts that ended, were wrong or replaced, as far as none that holds says the same."""
    over = ConceptNode.objects.for_bond(bond).facts().not_deleted().filter(state=ConceptNode.State.SUPERSEDED)
    told = over.exclude(state_reason__in=SAME).order_by("-id").values_list("description", flat=True)[:OVER_MOST]
    return sorted(find_over(bond, [*told]))
