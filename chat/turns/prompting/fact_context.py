"""What a turn does about facts beside the loaded ones: what to make sure of, what the user wants to change, all that is known."""

from dataclasses import dataclass, field
from typing import TypedDict

from chat.models import Turn
from echovessel.llm.inputs import ChangeRequest
from memory.facts import loaded_set
from memory.facts.loaded_set import LoadedSet
from memory.facts.rules import reading
from memory.models import ConceptNode
from memory.recall.memories import RecallResult, ScoredNode
from personas.models import Bond

# From this relevance on, a fact about health or safety is touched by what the user says.
CHECKED_FROM = 0.4
# The characters of a fact's detail that a prompt shows where the user wants to change it.
DETAIL_SHOWN = 2000


class FactsInMind(TypedDict):
    """Fields of `ReplyInputs`."""

    checks: list[str]
    wants_to_change: list[ChangeRequest]
    all_known: list[str]


@dataclass(frozen=True)
class FactContext:
    checks: list[ConceptNode] = field(default_factory=list)
    wants_to_change: list[ConceptNode] = field(default_factory=list)
    all_known: list[ConceptNode] = field(default_factory=list)

    def read_facts(self) -> FactsInMind:
        """Return the same as plain values."""
        return FactsInMind(
            checks=[node.description for node in self.checks],
            wants_to_change=[
                ChangeRequest(fact.description, fact.detail[:DETAIL_SHOWN]) for fact in self.wants_to_change
            ],
            all_known=[node.description for node in self.all_known],
        )


def load(turn: Turn, *, query: str, recalled: RecallResult, loaded: LoadedSet) -> FactContext:
    """Load the facts of a turn. It asks the database only where a message is about a fact, or asks for all of them."""
    about = [message.about_id for message in turn.burst if message.about_id is not None]
    return FactContext(
        checks=[] if turn.session.off_record else find_checks(turn, recalled),
        wants_to_change=load_wanted(turn.bond, about) if about else [],
        all_known=loaded_set.list_further(turn.bond, but=loaded.ids) if reading.asks_what_is_known(query) else [],
    )


def find_checks(turn: Turn, recalled: RecallResult) -> list[ConceptNode]:
    """Find grave facts that the burst touches and that were neither said, confirmed nor asked about in this session."""
    return [item.node for item in recalled.items if is_touched(item) and is_due(item.node, turn)]


def is_touched(item: ScoredNode) -> bool:
    return item.node.grave and (bool(item.anchored_by) or item.terms.relevance >= CHECKED_FROM)


def is_due(node: ConceptNode, turn: Turn) -> bool:
    session = turn.session
    settled_at = max(node.created_at, node.last_confirmed_at or node.created_at)
    return settled_at < session.started_at and node.pk not in session.checked_ids


def load_wanted(bond: Bond, ids: list[int]) -> list[ConceptNode]:
    return list(ConceptNode.objects.for_bond(bond).not_deleted().filter(pk__in=ids).without_heavy_columns("terms"))
