"""Divide facts into stretches that one call reads."""

from collections.abc import Sequence

from memory.models import ConceptNode

CHARACTERS_MOST = 32_000
ALIKE_FROM = 0.5


def divide(facts: Sequence[ConceptNode], *, most: int = CHARACTERS_MOST) -> list[list[ConceptNode]]:
    """Divide the facts of a facet: all in one where they fit, else those that are alike, and no others."""
    if sum(len(fact.description) for fact in facts) <= most:
        return [list(facts)] if len(facts) > 1 else []
    parts: list[list[ConceptNode]] = []
    room = 0
    for cluster in group_alike(facts):
        length = sum(len(fact.description) for fact in cluster)
        if length > most:
            continue
        if length > room:
            parts.append([])
            room = most
        parts[-1] += cluster
        room -= length
    return parts


def group_alike(facts: Sequence[ConceptNode]) -> list[list[ConceptNode]]:
    """Group facts that share half of their terms with the first of the group; those that are alone are left out."""
    groups: list[list[ConceptNode]] = []
    for fact in facts:
        home = next((group for group in groups if compute_likeness(group[0], fact) >= ALIKE_FROM), None)
        if home is None:
            groups.append([fact])
        else:
            home.append(fact)
    return [group for group in groups if len(group) > 1]


def compute_likeness(a: ConceptNode, b: ConceptNode) -> float:
    """The share of terms that two facts have in common (Jaccard)."""
    both, either = set(a.terms) & set(b.terms), set(a.terms) | set(b.terms)
    return len(both) / len(either) if either else 0.0
