from typing import Any

from echovessel.embeddings import embedding
from memory.models import ConceptNode
from personas.models import Bond
from tests.support.factories import BondFactory, ConceptNodeFactory, EntityFactory, FillingFactory


def acquainted() -> dict[str, Any]:
    """A bond with known and uncertain entities, and thoughts with evidence. Returns its rows by name."""
    bond = BondFactory(user__username="mara")
    cat = event_of(bond, "The user has a cat called Nimbus.")
    told = [cat, event_of(bond, "The cat Nimbus is white."), event_of(bond, "Nimbus sleeps by day.")]
    own = event_of(bond, "The user lives at the sea.", origin="user", confidence=1.0)
    yiyang = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    EntityFactory(bond=bond, canonical_name="Scott", kind="person", merge_status="uncertain", merge_target=yiyang)
    for name in ("Anna", "Annie"):
        EntityFactory(bond=bond, canonical_name=name, kind="person")
    rest = {
        name: ConceptNodeFactory(bond=bond, type=type, subject="persona", origin="slow_tick", evidence=[cat])
        for name, type in (("thought", "thought"), ("awaited", "expectation"), ("promised", "intention"))
    }
    FillingFactory(parent=rest["thought"], child=own)
    nimbus = EntityFactory(bond=bond, canonical_name="Nimbus", nodes=told)
    return {"bond": bond, "cat": cat, "own": own, "nimbus": nimbus, **rest}


def event_of(bond: Bond, description: str, *, origin: str = "import", **more: Any) -> ConceptNode:
    [vector] = embedding.embed([description])
    stored = {"embedding": vector, "embedding_model": embedding.get_model_name()}
    return ConceptNodeFactory(bond=bond, description=description, emotional_impact=2, origin=origin, **stored, **more)
