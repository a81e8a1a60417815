from memory.models.consolidation import ConsolidationStep, MoodChange, ReflectionRun, SlowTickRun
from memory.models.entities import Entity, EntityAlias, EntityMerge, Mention, Separation
from memory.models.forgetting import Forgotten, Tombstone
from memory.models.imports import Import, ImportChunk, Proposal
from memory.models.kinds import Event, Expectation, Intention, Thought
from memory.models.nodes import ConceptNode, Filling, NodeSource
from memory.models.sessions import Message, Session

__all__ = [
    "ConceptNode",
    "ConsolidationStep",
    "Entity",
    "EntityAlias",
    "EntityMerge",
    "Event",
    "Expectation",
    "Filling",
    "Forgotten",
    "Import",
    "ImportChunk",
    "Intention",
    "Mention",
    "Message",
    "MoodChange",
    "NodeSource",
    "Proposal",
    "ReflectionRun",
    "Separation",
    "Session",
    "SlowTickRun",
    "Thought",
    "Tombstone",
]
