"""Lines of a talk as prompts of the story show them, of a bounded length."""

from collections.abc import Sequence

from echovessel.llm.inputs import TranscriptLine
from memory.messages import secrets
from memory.models import Message
from personas.models import Bond

# Of lines that are only to be understood this much stands at their beginning and at their end.
ENDS = 150


def number_lines(lines: Sequence[Message], *, bond: Bond) -> tuple[TranscriptLine, ...]:
    """Number lines, with the local time and the name of who speaks. Secrets are masked."""
    zone = bond.user.zone
    return tuple(
        TranscriptLine(number, line.created_at.astimezone(zone), line.role, secrets.mask(line.content))
        for number, line in enumerate(lines, start=1)
    )


def cut_middle(said: str, *, begins: int = ENDS, ends: int = ENDS) -> str:
    """Cut a text to its beginning and its end."""
    return said if len(said) <= begins + ends + 3 else f"{said[:begins]} … {said[-ends:]}"


def name_speaker(line: TranscriptLine, speakers: tuple[str, str]) -> str:
    """Return who speaks, of the names of the user and the persona."""
    return " ".join(speakers[not line.is_user].split())
