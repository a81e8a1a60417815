from memory.models.consolidation import ConsolidationStep, MoodChange, ReflectionRun
from memory.models.entities import Entity, EntityAlias, Mention
from memory.models.nodes import ConceptNode, Filling, NodeSource
from memory.models.sessions import Message, Session

__all__ = [
    "ConceptNode",
    "ConsolidationStep",
    "Entity",
    "EntityAlias",
    "Filling",
    "Mention",
    "Message",
    "MoodChange",
    "NodeSource",
    "ReflectionRun",
    "Session",
]
