"""Words with which people leave a subject, or one another, in English and Chinese."""

import re

# What a new subject begins with.
_OPENING = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|well|right)[,. ]+)?(?:any(?:way|how|ways)\b[,. ]*(?:something else|new topic|another thing|on a different|what else|i wanted|moving on|enough)"
    r"|(?:on|to) (?:a|another) (?:different|completely different|lighter|happier|other) (?:note|subject|topic)|(?:let's|let us|can we|shall we) (?:talk about something else|change the (?:subject|topic)|move on)"
    r"|change of (?:subject|topic)|(?:totally|completely) (?:different|unrelated)|unrelated(?: but|,)|new (?:subject|topic)|something (?:else|completely different)\b[:,]?"
    r"|by the way\b|speaking of something else|enough (?:about|of) (?:that|this|me|work)|before i forget)"
    r"|^\W*(?:对了|话说|说起来|另外(?:一件事)?|换个话题|换个事|聊点别的|说点别的|不说这个了?|不聊这个了?|先不说这个|说个别的|言归正传|扯远了|顺便说(?:一句)?|还有一件事|哦对)",
    re.IGNORECASE,
)
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
