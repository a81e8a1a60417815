from memory.models.consolidation import ConsolidationStep, MoodChange, ReflectionRun, SlowTickRun
from memory.models.doubts import Doubt
from memory.models.edges import Filling, NodeLink, NodeSource
from memory.models.entities import Entity, EntityAlias, EntityMerge, Mention, Separation
from memory.models.facts import FactWrite
from memory.models.forgetting import Forgotten, Tombstone
from memory.models.imports import Import, ImportChunk, Proposal
from memory.models.kinds import Event, Expectation, Fact, Intention, Thought
from memory.models.messages import MainDirections, Message
from memory.models.nodes import ConceptNode
from memory.models.sessions import Session
from memory.models.story import EntityRemark, LineRecap, Scene, SceneRecap, Story, StoryStep, StoryVersion
from memory.models.topics import Topic

__all__ = [
    "ConceptNode", "ConsolidationStep", "Doubt", "Entity", "EntityAlias", "EntityMerge", "EntityRemark", "Event",
    "Expectation", "Fact", "FactWrite", "Filling", "Forgotten", "Import", "ImportChunk", "Intention", "LineRecap",
    "MainDirections", "Mention", "Message", "MoodChange", "NodeLink", "NodeSource", "Proposal", "ReflectionRun",
    "Scene", "SceneRecap", "Separation", "Session", "SlowTickRun", "Story", "StoryStep", "StoryVersion", "Thought",
    "Tombstone", "Topic",
]  # fmt: skip
