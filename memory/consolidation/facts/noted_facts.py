"""What a session noted or took back while it was open: the close learns none of it a second time."""

from dataclasses import dataclass

from echovessel import text
from memory.consolidation.facts.parse_facts import ExtractedFact
from memory.facts import changing, standing
from memory.facts.checks.grounding import extract_own_terms
from memory.models import ConceptNode, FactWrite, NodeSource, Session
from memory.nodes import comparison, links


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
        noted = writes.filter(op__in=[FactWrite.Op.SAVED, FactWrite.Op.CHANGED]).values_list("node", "undone_at")
        undone = frozenset(node for node, undone_at in noted if undone_at is not None)
        lines: dict[int, set[int]] = {node: set() for node, _ in noted}
        if not lines:
            return cls(facts=[], lines=lines, undone=undone)
        edges = NodeSource.objects.filter(bond=session.bond_id, node__in=lines)
        for node, message in edges.values_list("node", "message"):
            lines[node].add(message)
        nodes = ConceptNode.objects.filter(pk__in=lines).without_heavy_columns().select_related("bond")
        return cls(facts=list(nodes.order_by("id")), lines=lines, undone=undone)

    def holds(self, found: ExtractedFact) -> bool:
        """Whether a fact of an answer says from the same lines what was noted: the same value, nearly the same text, or, from
        no other lines, half of its terms without another name or number.
        """
        cited = {message.pk for message in found.sources}
        of_lines = [fact for fact in self.facts if self.lines[fact.pk] & cited]
        if not of_lines:
            return False
        draft = found.draft
        said = standing.fold_content(draft.content)
        if any(
            standing.fold_content(fact.description) == said
            or (draft.slot and draft.slot == fact.slot and standing.is_same_value(draft.value, fact.value))
            or (cited <= self.lines[fact.pk] and rewords(found, fact))
            for fact in of_lines
        ):
            return True
        rows = ConceptNode.objects.for_bond(of_lines[0].bond).filter(pk__in=[fact.pk for fact in of_lines])
        return standing.find_near_among(rows, bond=of_lines[0].bond, fact=found.prepared) is not None

    def is_worded_anew(self, found: ExtractedFact) -> bool:
        """Whether a fact of an answer refines what was noted of its lines, with all of its names and numbers, and denies no more."""
        old = next((fact for fact in self.facts if fact == found.target and fact.pk not in self.undone), None)
        if old is None or found.how != links.REFINES or not found.user_lines <= self.lines[old.pk]:
            return False
        new, told = (
            comparison.extract_facts(said, bond=old.bond, names={}) for said in (found.draft.content, old.description)
        )
        return found.draft.facet == old.facet and new.is_negated == told.is_negated and new.holds_all_of(told)

    def is_undone(self, event: str, *, user_lines: set[int]) -> bool:
        """Whether an event tells, also from these lines of the user, what was noted of one of them, undone, and not said anew."""
        terms = set(text.extract_terms(event))
        of_lines = [fact for fact in self.facts if user_lines & self.lines[fact.pk]]
        standing_terms = [set(fact.terms) for fact in of_lines if fact.pk not in self.undone]
        for fact in of_lines:
            own = set(extract_own_terms(fact.description))
            is_told = own <= terms or (user_lines <= self.lines[fact.pk] and tells_most(event, fact))
            if fact.pk in self.undone and is_told and not any(own <= others for others in standing_terms):
                return True
        return False


def tells_most(said: str, fact: ConceptNode) -> bool:
    """Whether a text has the names and numbers of a fact, and more than half of its terms."""
    own = {*extract_own_terms(fact.description)}
    if len(own & {*text.extract_terms(said)}) <= changing.SHARED_TERMS * len(own):
        return False
    new, old = (comparison.extract_facts(one, bond=fact.bond, names={}) for one in (said, fact.description))
    return new.is_negated == old.is_negated and new.holds_all_of(old)


def rewords(found: ExtractedFact, fact: ConceptNode) -> bool:
    """Whether a fact of an answer tells in other words what a noted one of its facet does."""
    draft = found.draft
    new, old = (comparison.extract_facts(said, bond=fact.bond, names={}) for said in (draft.content, fact.description))
    return (
        draft.facet == fact.facet
        and new.is_negated == old.is_negated
        and new.capitalised <= {*old.words}
        and {*new.numbers} <= {*old.numbers}
        and changing.tells_same(extract_own_terms(draft.content), fact.terms)
    )
