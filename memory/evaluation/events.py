"""Events as an extraction makes them, for suites and benchmarks that run none."""

from typing import Any

from memory.models import ConceptNode
from personas.models import Bond


def build_event(bond: Bond, description: str, **columns: Any) -> ConceptNode:
    """Build an event about the user, unless `columns` tell otherwise."""
    usual = {
        "type": ConceptNode.Type.EVENT,
        "subject": ConceptNode.Subject.USER,
        "origin": ConceptNode.Origin.EXTRACTION,
        "confidence": 0.8,
    }
    return ConceptNode(bond=bond, description=description, **usual | columns)
