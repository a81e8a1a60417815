"""The structured inputs of each kind of call.

A caller renders the prompt from these and passes both: a model reads the prompt, the offline voice reads the inputs.
"""

from echovessel.llm.inputs.consolidation import (
    DraftInputs,
    ExtractionInputs,
    ImportInputs,
    KnownEntity,
    NumberedDoubt,
    NumberedEvent,
    NumberedFact,
    ReflectedEvent,
    ReflectionInputs,
    TitleInputs,
    TranscriptLine,
)
from echovessel.llm.inputs.replies import (
    Certainty,
    ChangeRequest,
    DoubtQuestion,
    EntityCard,
    NotedFact,
    Plan,
    RecalledMemory,
    ReplyInputs,
    SaidMessage,
    SceneDigest,
    SessionSummary,
    StoryLine,
    UnmetWish,
)
from echovessel.llm.inputs.story import (
    BreakCandidate,
    LineRecapInputs,
    LineToRecap,
    RecappedScene,
    SceneBreakInputs,
    SceneRecapInputs,
    StoryCompactInputs,
    StoryMergeInputs,
    StoryPoint,
    WeighedText,
    build_cut_key,
)

AnswerInputs = (
    ExtractionInputs
    | ReflectionInputs
    | ImportInputs
    | DraftInputs
    | TitleInputs
    | SceneBreakInputs
    | SceneRecapInputs
    | StoryMergeInputs
    | StoryCompactInputs
    | LineRecapInputs
)
Inputs = ReplyInputs | AnswerInputs

__all__ = [
    "AnswerInputs", "BreakCandidate", "Certainty", "ChangeRequest", "DoubtQuestion", "DraftInputs", "EntityCard",
    "ExtractionInputs", "ImportInputs", "Inputs", "KnownEntity", "LineRecapInputs", "LineToRecap", "NotedFact",
    "NumberedDoubt", "NumberedEvent", "NumberedFact", "Plan", "RecalledMemory", "RecappedScene", "ReflectedEvent",
    "ReflectionInputs", "ReplyInputs", "SaidMessage", "SceneBreakInputs", "SceneDigest", "SceneRecapInputs",
    "SessionSummary", "StoryCompactInputs", "StoryLine", "StoryMergeInputs", "StoryPoint", "TitleInputs",
    "TranscriptLine", "UnmetWish", "WeighedText", "build_cut_key",
]  # fmt: skip
