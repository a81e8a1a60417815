from collections.abc import Iterable

from django.conf import settings

from echovessel.llm.offline.extraction import facts
from echovessel.llm.offline.text import feelings, sentences, slots
from memory.models import Message


def find_trivial_reason(lines: Iterable[Message]) -> str:
    """Return why these messages are not worth extracting, or an empty string.

    They are trivial where both counts are small, and no user message holds a word of strong emotion or tells of what weighs much, or the user's
    name, home, job and the like, or what harms them: "I'm allergic to peanuts".
    """
    lines = list(lines)
    token_count = sum(message.token_count for message in lines)
    if len(lines) >= settings.TRIVIAL_MESSAGE_COUNT or token_count >= settings.TRIVIAL_TOKEN_COUNT:
        return ""
    said = [message.content for message in lines if message.role == Message.Role.USER]
    if any(
        has_strong_emotion(one) or tells_of_peak(one) or slots.read_slots(one) or facts.tells_of_harm(one)
        for one in said
    ):
        return ""
    return f"{len(lines)} messages and {token_count} tokens without a word of strong emotion"


def tells_of_peak(content: str) -> bool:
    """Whether a sentence tells of what weighs much: "nan didn't make it"."""
    felt = (feeling.impact for said in sentences.split(content) for feeling in feelings.find_feelings(said))
    return any(abs(impact) >= feelings.PEAK for impact in felt)


def has_strong_emotion(content: str) -> bool:
    folded = content.lower().replace("’", "'")
    return any(word in folded for word in settings.STRONG_WORDS)
