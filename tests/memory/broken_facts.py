"""Each rule that the tables of facts and doubts keep by themselves, broken once: see `test_constraints`."""

from memory.models import Doubt, FactWrite, NodeLink, Proposal
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory, FactFactory


def fact_write(**more):
    node = FactFactory()
    fields = {"bond": node.bond, "node": node, "op": "saved", "by": "tool", "created_at": NOW}
    return FactWrite.objects.create(**(fields | more))


def link(a, b, relation="belongs to"):
    return NodeLink.objects.create(bond=a.bond, a=a, b=b, relation=relation, created_at=NOW)


def two_facts():
    first = FactFactory()
    return first, FactFactory(bond=first.bond, description="The user lives in Leeds.")


def linked_twice():
    a, b = two_facts()
    for _ in range(2):
        link(a, b)


def linked_with_itself():
    a, _ = two_facts()
    link(a, a)


def linked_without_words():
    a, b = two_facts()
    link(a, b, relation="")


def two_homes():
    first = FactFactory(slot="home", value="Leeds")
    FactFactory(bond=first.bond, slot="home", value="York")


def doubt(**more):
    fields = {"kind": "contradiction", "severity": 1.0, "opened_by": "extraction", "opened_at": NOW}
    return Doubt.objects.create(**(fields | more))


def doubted_twice():
    a, b = two_facts()
    for _ in range(2):
        doubt(bond=a.bond, a_node=a, b_node=b)


def one_doubted_twice():
    node = FactFactory()
    for _ in range(2):
        doubt(bond=node.bond, a_node=node)


def entity_doubted_twice():
    entity = EntityFactory()
    for _ in range(2):
        doubt(bond=entity.bond, a_entity=entity)


def doubt_about(**more):
    node = FactFactory()
    return doubt(**({"bond": node.bond, "a_node": node} | more))


def doubted_against_itself():
    node = FactFactory()
    doubt(bond=node.bond, a_node=node, b_node=node)


def proposed_by_nobody():
    Proposal.objects.create(bond=BondFactory(), content="Likes tea.", source_quote="", created_at=NOW)


BROKEN_FACTS = {
    "node_facet_of_facts": lambda: ConceptNodeFactory(facet="about_you"),
    "node_fact_has_tier": lambda: FactFactory(tier=""),
    "node_slot_with_value": lambda: FactFactory(slot="home"),
    "node_fact_content_length": lambda: FactFactory(description="x" * 601),
    "node_detail_length": lambda: FactFactory(detail="x" * 4001),
    "node_one_live_fact_per_slot": two_homes,
    "fact_write_op_known": lambda: fact_write(op="eaten"),
    "fact_write_by_known": lambda: fact_write(by="cat"),
    "node_link_once": linked_twice,
    "node_link_of_two": linked_with_itself,
    "node_link_has_relation": linked_without_words,
    "doubt_one_open_about_nodes": doubted_twice,
    "doubt_one_open_about_entities": entity_doubted_twice,
    "doubt_of_one_sort": lambda: doubt(bond=BondFactory()),
    "doubt_of_two": doubted_against_itself,
    "doubt_kind_known": lambda: doubt_about(kind="cat"),
    "doubt_outcome_once_settled": lambda: doubt_about(outcome="this"),
    "proposal_of_file_or_fact": proposed_by_nobody,
}
# The same rules in other cases.
ALSO_BROKEN = [
    ("node_facet_of_facts", lambda: FactFactory(facet="about_us")),
    ("node_facet_of_facts", lambda: FactFactory(facet="persona_canon", subject="shared")),
    ("node_facet_of_facts", lambda: ConceptNodeFactory(grave=True)),
    ("node_state_fits_type", lambda: ConceptNodeFactory(state="uncertain")),
    ("node_slot_with_value", lambda: FactFactory(value="Leeds")),
    ("node_slot_with_value", lambda: FactFactory(slot="shoe size", value="43")),
    ("doubt_one_open_about_nodes", one_doubted_twice),
]
