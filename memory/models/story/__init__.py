from memory.models.story.recaps import LineRecap, SceneRecap
from memory.models.story.remarks import EntityRemark
from memory.models.story.scenes import Scene
from memory.models.story.steps import StoryStep
from memory.models.story.versions import Story, StoryVersion

__all__ = ["EntityRemark", "LineRecap", "Scene", "SceneRecap", "Story", "StoryStep", "StoryVersion"]
