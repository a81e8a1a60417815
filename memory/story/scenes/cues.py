"""Words with which people leave a subject, or one another, in English and Chinese."""

from echovessel import lazy_re as re
from echovessel.llm.offline import subject_openers

# What a new subject begins with.
_OPENING = re.compile(f"{subject_openers.ENGLISH}|{subject_openers.CHINESE}", re.IGNORECASE)
# What a talk ends with.
_CLOSING = re.compile(
    r"\b(?:good ?night|sleep well|sweet dreams|(?:talk|see|speak) (?:to )?you (?:soon|later|tomorrow|again|next)|bye(?:-?bye)?|goodbye|(?:i(?:'ve| have)? (?:got to|gotta|have to|need to|should|must) "
    r"(?:go|run|leave|sleep|get going|head (?:out|off|home|to bed))|heading (?:out|off|to bed|home))\b|(?:off|going) to (?:bed|sleep)|ttyl|brb|that's all for (?:now|today))\b"
    r"|晚安|再见|拜拜|明天(?:再)?[聊见]|回头(?:再)?[聊见说]|下次(?:再)?[聊见说]|先(?:睡|走|下|忙|去忙|这样)了?|我(?:得|要|该)?(?:去)?睡(?:觉)?了|去睡了|先到这|就到这",
    re.IGNORECASE,
)
READ_CHARACTERS = 300


def opens_subject(said: str) -> bool:
    """Whether a message begins with a change of subject."""
    return _OPENING.search(said[:READ_CHARACTERS]) is not None


def closes_talk(said: str) -> bool:
    """Whether a message says goodbye."""
    return _CLOSING.search(said[-READ_CHARACTERS:]) is not None
