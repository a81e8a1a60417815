"""The shape of a slow tick's answer, read like those of `memory.answers.schemas`."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, ValidationInfo, WithJsonSchema

from memory.answers.coercion import Description, KnownDay, Number, Numbers, add_note, on_text, one_line, one_of

QUESTIONS_MOST = 3
QUESTION_CHARACTERS = 300
THOUGHTS_MOST = 3
EXPECTATIONS_MOST = 2
INTENTIONS_MOST = 1
ABOUT_CHARACTERS = 80


def parse_questions(value: Any, info: ValidationInfo) -> list[str]:
    given = value if isinstance(value, list) else []
    asked = (one_line(one)[:QUESTION_CHARACTERS] for one in given if isinstance(one, str))
    kept = list(dict.fromkeys(one for one in asked if one))
    if len(kept) > QUESTIONS_MOST:
        add_note(info, f"{len(kept) - QUESTIONS_MOST} {info.field_name} over {QUESTIONS_MOST} left out")
    return kept[:QUESTIONS_MOST]


Evidence = Annotated[Numbers, Field(min_length=1)]
# What an expectation or an intention cannot become is left out when it is read.
Outcome = Annotated[str, WithJsonSchema({"enum": ["fulfilled", "missed", "kept", "broken", "cancelled"]})]
NodeId = Annotated[Number, on_text(lambda text: text.strip(" []"))]


class TickThought(BaseModel):
    description: Description
    subject: Annotated[Literal["user", "persona"], one_of("user", "persona", otherwise="user")] = "user"
    filling: Evidence


class TickExpectation(BaseModel):
    about: Annotated[str, on_text(lambda text: one_line(text)[:ABOUT_CHARACTERS].strip(), is_loose=True)] = ""
    prediction: Description
    due_at: KnownDay = None
    filling: Evidence


class TickIntention(BaseModel):
    description: Description
    due_at: KnownDay = None
    filling: Evidence


class EntityDescription(BaseModel):
    # An id or a name.
    entity: int | str
    description: Description


class Resolved(BaseModel):
    node: NodeId
    outcome: Outcome
    filling: Numbers = []


class Questions(BaseModel):
    salient_questions: Annotated[list[str], BeforeValidator(parse_questions), Field(max_length=QUESTIONS_MOST)] = []


class SlowTickAnswer(Questions):
    """What is asked of the model; what comes back is read part by part."""

    thoughts: Annotated[list[TickThought], Field(max_length=THOUGHTS_MOST)] = []
    expectations: Annotated[list[TickExpectation], Field(max_length=EXPECTATIONS_MOST)] = []
    intentions: Annotated[list[TickIntention], Field(max_length=INTENTIONS_MOST)] = []
    entity_descriptions: list[EntityDescription] = []
    resolved: list[Resolved] = []
