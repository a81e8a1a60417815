from memory.models.consolidation import ConsolidationStep, MoodChange, ReflectionRun, SlowTickRun
from memory.models.doubts import Doubt
from memory.models.edges import Filling, NodeLink, NodeSource
from memory.models.entities import Entity, EntityAlias, EntityMerge, Mention, Separation
from memory.models.facts import FactWrite
from memory.models.forgetting import Forgotten, Tombstone
from memory.models.imports import Import, ImportChunk, Proposal
from memory.models.kinds import Event, Expectation, Fact, Intention, Thought
from memory.models.messages import Message
from memory.models.nodes import ConceptNode
from memory.models.sessions import Session

__all__ = [
    "ConceptNode",
    "ConsolidationStep",
    "Doubt",
    "Entity",
    "EntityAlias",
    "EntityMerge",
    "Event",
    "Expectation",
    "Fact",
    "FactWrite",
    "Filling",
    "Forgotten",
    "Import",
    "ImportChunk",
    "Intention",
    "Mention",
    "Message",
    "MoodChange",
    "NodeLink",
    "NodeSource",
    "Proposal",
    "ReflectionRun",
    "Separation",
    "Session",
    "SlowTickRun",
    "Thought",
    "Tombstone",
]
