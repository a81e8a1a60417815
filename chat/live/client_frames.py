"""The frames that a client sends over the socket. Without its `type`, each must fit its model."""

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from echovessel.errors import CodedError
from echovessel.text import strip_unstorable

# How much of a client's text an error message repeats.
NAMED_CHARACTERS = 200


FrameT = TypeVar("FrameT", bound="ClientFrame")


class BadFrame(CodedError):
    """A frame that cannot be handled."""


class ClientFrame(BaseModel):
    """A frame without further fields. A field's description ends the sentence about a wrong value: it "must be ..."."""

    model_config = ConfigDict(strict=True)


class MessageFrame(ClientFrame):
    # Checked where messages of every channel are: `receiving.receive`.
    content: object = None
    client_id: str = Field(description="a text that is unique for each message")
    session: int | None = Field(None, description="the id of a session")
    about: int | None = Field(None, description="the id of a memory that the message asks to change")
    greeting: str | None = Field(None, description="the id of the greeting that the message answers")


class EditFrame(ClientFrame):
    message: int = Field(description="the id of a message")
    content: object = None
    client_id: str = Field(description="a text that is unique for each message")


class ResumeFrame(ClientFrame):
    after: int = Field(ge=0, description="the number of your last event, 0 or more")


def parse_frame(text: str | None) -> tuple[str, dict[str, Any]]:
    """Return the type of a frame and its other fields. Raises BadFrame."""
    try:
        frame = json.loads(text or "")
    except (ValueError, RecursionError) as error:
        raise BadFrame("invalid", "A frame must be a JSON object.") from error
    if not isinstance(frame, dict):
        raise BadFrame("invalid", "A frame must be a JSON object.")
    type = frame.pop("type", None)
    if not isinstance(type, str):
        raise BadFrame("invalid", "A frame must have a type.")
    return type, frame


def parse_after(text: str) -> tuple[int | None, dict[str, Any] | None]:
    """Return from which event on a socket is opened, and the error frame about a number that is none.

    A client that resumes only once its socket is open may get a new event first, and takes those before it for old ones.
    """
    if not text:
        return None, None
    try:
        return ResumeFrame.model_validate({"after": text}, strict=False).after, None
    except ValidationError:
        return None, build_error(BadFrame("invalid", f"after must be {ResumeFrame.model_fields['after'].description}."))


def build_error(error: CodedError, *, client_id: object = None) -> dict[str, Any]:
    """Build the answer to a frame that cannot be handled; it names the message that was refused as the frame did."""
    named = strip_unstorable(client_id)[:NAMED_CHARACTERS] if isinstance(client_id, str) else None
    return {"type": "error", "code": error.code, "detail": error.detail, "client_id": named}


def check_fields(model: type[FrameT], fields: dict[str, Any]) -> FrameT:
    """Raises BadFrame for fields that this type of frame does not have, and for wrong values."""
    if unknown := sorted(fields.keys() - model.model_fields.keys()):
        named = strip_unstorable(", ".join(unknown))[:NAMED_CHARACTERS]
        known = ", ".join(model.model_fields) or "none"
        raise BadFrame("unknown_field", f"This type of frame has no field {named}; its fields: {known}.")
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        raise BadFrame("invalid", f"{name} must be {model.model_fields[name].description}.") from error
