"""What a session noted or took back while it was open: the close learns none of it a second time."""

from dataclasses import dataclass

from memory import text
from memory.consolidation.parse_facts import ExtractedFact
from memory.facts import standing
from memory.facts.grounding import THIRD_PERSON
from memory.models import ConceptNode, FactWrite, NodeSource, Session


@dataclass(frozen=True)
class NotedFacts:
    """The facts that a session's writes made, also those that were undone, each with its lines."""

    facts: list[ConceptNode]
    lines: dict[int, set[int]]
    # The ids of those that were undone.
    undone: frozenset[int]

    @classmethod
    def load(cls, session: Session) -> "NotedFacts":
        writes = FactWrite.objects.filter(bond=session.bond_id, session=session)
        noted = writes.filter(op__in=[FactWrite.Op.SAVED, FactWrite.Op.CHANGED])
        nodes = ConceptNode.objects.filter(pk__in=noted.values("node")).without_heavy_columns().select_related("bond")
        lines: dict[int, set[int]] = {}
        edges = NodeSource.objects.filter(bond=session.bond_id, node__in=nodes)
        for node, message in edges.values_list("node", "message"):
            lines.setdefault(node, set()).add(message)
        undone = frozenset(noted.exclude(undone_at=None).values_list("node", flat=True))
        return cls(facts=list(nodes.order_by("id")), lines=lines, undone=undone)

    def holds(self, found: ExtractedFact) -> bool:
        """Whether a fact of an answer says from the same lines what was noted: the same value, or nearly the same text."""
        cited = {message.pk for message in found.sources}
        of_lines = [fact for fact in self.facts if self.lines.get(fact.pk, set()) & cited]
        if not of_lines:
            return False
        draft = found.draft
        said = standing.fold_content(draft.content)
        if any(
            standing.fold_content(fact.description) == said
            or (draft.slot and draft.slot == fact.slot and standing.is_same_value(draft.value, fact.value))
            for fact in of_lines
        ):
            return True
        rows = ConceptNode.objects.for_bond(of_lines[0].bond).filter(pk__in=[fact.pk for fact in of_lines])
        return standing.find_near_among(rows, bond=of_lines[0].bond, fact=found.prepared) is not None

    def is_undone(self, event: str, *, user_lines: set[int]) -> bool:
        """Whether an event tells, from the same lines of the user, what was noted of them and undone."""
        terms = set(text.extract_terms(event))
        of_lines = [
            fact for fact in self.facts if fact.pk in self.undone and user_lines <= self.lines.get(fact.pk, set())
        ]
        return bool(user_lines) and any(set(fact.terms) - THIRD_PERSON <= terms for fact in of_lines)
