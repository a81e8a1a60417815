"""Removes questions that only ask for attention before something else: "guess what? I got the job"."""

import re

# Questions that only begin a talk or a piece of news: "can you talk?", "guess what?", 在吗.
_ATTENTION = re.compile(
    r"^\W*(?:(?:hey|hi|hello|yo|so|well|ok|okay|oh|ugh|omg)\b\W*)*(?:"
    r"(?:are )?(?:you|u|ya) (?:still )?(?:there|up|awake|around|free|busy)(?: right now| now)?"
    r"|(?:can|could) (?:we|i|you) (?:talk|chat|vent)(?: to you)?(?: for a (?:sec|second|minute|moment|bit))?"
    r"|(?:do (?:you|u) have|have (?:you|u) got|you got|got) a (?:sec|second|minute|moment)"
    r"|guess what|(?:do )?(?:you|u) know what|how(?:'s| is| are) (?:it going|you|things|everything)(?: doing)?(?: today)?|what(?:'s| is) up"
    r")\s*(?:[?,.!;:…\n]|-|–)+\W*"
    r"|^\W*(?:(?:嘿|嗨|哈喽|你好|喂|哎|诶)\W*)*(?:你|您)?(?:在(?:吗|么|不在|不)|(?:睡|吃|忙|下班)[了完]?(?:吗|没有?)|有空(?:吗|没有?)|方便(?:聊聊?|说话)?吗|知道(?:吗|不)"
    r"|猜(?:怎么着|怎么样|猜看))[\s，。？！?!,~～…]+",
    re.IGNORECASE,
)


def remove_attention(plain: str) -> str:
    """Remove such questions from the beginning of a text; one that says nothing else stays as it is."""
    while (rest := _ATTENTION.sub("", plain)) and rest != plain:
        plain = rest
    return plain
