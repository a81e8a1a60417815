"""Words around a statement that tell nothing: "Also I'm vegetarian btw" tells "I'm vegetarian", and 对了我不吃香菜 tells 我不吃香菜."""

from echovessel import lazy_re as re

_WORDS = (
    r"also|p\.?s\.?|any(?:way|how)|actually|honestly|seriously|btw|by the way|lol|lmao|ha(?:ha)+|omg|ugh|oh|oops|ah|u[mh]+|hm+|well|so|and|n|but|plus|tbh|ngl|fyi|to be honest|"
    r"yes|yeah|yep|no|nope|ok(?:ay)?|right|all right|alright|fine|sure|true|that['’]s (?:right|true)|finally|hey|hi|hello|sorry|wait|look|listen|please|(?:just )?in case i forget"
)
# Without a mark they may belong to what follows: "so happy", "no dogs".
_SUBJECT = r"(?:i|we|my|our|he|she|they|his|her|their|it|there)(?:['’]\w+)?\b"
_LEADING = re.compile(rf"^\W*(?:(?:{_WORDS})(?:\s*[,.:;!…–—-]+\s*|\s+(?={_SUBJECT}|(?:{_WORDS})\b)))+", re.IGNORECASE)
_CHINESE_WORDS = r"[唉哎嗯哦啊诶欸噢喔好对]+|哈哈+|算了|对了|好吧|好的|是的?|那个|总之|反正|顺便(?:说一?下|提一?句)?|另外|还有|其实|不过|话说|说真的|说实话|老实说|[瞒怕愁]啥"
_CHINESE_LEADING = re.compile(
    rf"^\W*(?:(?:{_CHINESE_WORDS})(?:[，,、。！!…\s]+|(?=我|(?:{_CHINESE_WORDS})[，,、])))+(?=\w)"
)
_ENDING = re.compile(r"[\s,]+(?:btw|by the way|lol|haha+|tbh|fyi|though|tho|ok(?:ay)?)[\s.!]*$", re.IGNORECASE)
_WITHIN = re.compile(r",?\s+(?:by the way|btw)\b(?=,|\s+(?:and|but)\b)", re.IGNORECASE)


def strip_leading(said: str) -> str:
    """Return a statement without the fillers that it begins with; one of fillers alone as it is."""
    return _CHINESE_LEADING.sub("", _LEADING.sub("", said)) or said


def strip(said: str) -> str:
    """Return a statement without the fillers around and within it."""
    return _WITHIN.sub("", _ENDING.sub("", strip_leading(said)))
