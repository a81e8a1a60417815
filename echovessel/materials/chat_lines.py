"""Reads a chat that was pasted as text: lines that begin with who speaks become paragraphs as in ChatGPT's exports."""

from echovessel import lazy_re as re

_SPEAKER = re.compile(
    r"^[ \t*]{0,4}(?:(?P<user>User|Human|You|Me|我|用户)|(?P<program>Assistant|AI|Bot|ChatGPT|Claude|助手))(?: said)?\*{0,2}[:：]\*{0,2}\s*",
    re.IGNORECASE | re.MULTILINE,
)
# One such line may be part of any text.
MESSAGES_LEAST = 2


def mark_speakers(text: str) -> str:
    """Return a chat with each message as a paragraph of its speaker, "User: " or "Assistant: "; "" where the text is no chat."""
    speakers = [match.lastgroup for match in _SPEAKER.finditer(text)]
    if min(speakers.count("user"), speakers.count("program")) < MESSAGES_LEAST:
        return ""
    return _SPEAKER.sub(lambda match: f"\n\n{'User' if match['user'] else 'Assistant'}: ", text).strip()
