from collections.abc import Iterable

from django.conf import settings

from memory.models import Message

# Words after which even a single line is kept. Seed 000 lists them; matched anywhere in the line, in any case.
_CHINESE = "走了 去世 死了 离世 葬礼 没了 撑不住 不想活 活不下去 自杀 崩溃 分手 离婚 被裁"
_ENGLISH = "died, passed away, funeral, can't go on, suicide, breakdown, breakup, divorce, fired"
STRONG_WORDS = (*_CHINESE.split(), *_ENGLISH.split(", "))


def trivial_because(lines: Iterable[Message]) -> str:
    """Why these lines are not worth extracting, or nothing if they are.

    Both counts must be small, and no user line may hold a word of strong emotion.
    """
    lines = list(lines)
    token_count = sum(line.token_count for line in lines)
    if len(lines) >= settings.TRIVIAL_MESSAGE_COUNT or token_count >= settings.TRIVIAL_TOKEN_COUNT:
        return ""
    if any(has_strong_emotion(line.content) for line in lines if line.role == Message.Role.USER):
        return ""
    return f"{len(lines)} messages and {token_count} tokens without a word of strong emotion"


def has_strong_emotion(content: str) -> bool:
    folded = content.lower().replace("’", "'")
    return any(word in folded for word in STRONG_WORDS)
