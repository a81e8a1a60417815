"""Words around a statement that tell nothing: "Also I'm vegetarian btw" tells "I'm vegetarian", and 对了我不吃香菜 tells 我不吃香菜."""

from echovessel import lazy_re as re

_NEEDS = r"(?:really |just |so |kinda )?(?:need|have|want|got|gotta|wanna)(?: to)?"
# They only begin a talk: "I need to vent", "long story short", "guess what".
_BEGINS_TALK = (
    rf"(?:to cut a )?long story short|guess what|(?:do )?you know what|(?:you(?:'ll| will) never (?:guess|believe) (?:what|this)(?: happened)?)|listen to this|get this|so basically"
    rf"|i(?:'ve)? {_NEEDS} (?:a )?(?:vent|rant|moan)(?: about (?:something|this|my day))?|i(?:'ve)? {_NEEDS} (?:to )?(?:tell|ask) (?:you|u) (?:something|sth|this)|can i (?:just )?(?:vent|rant|moan)(?: for a (?:sec|second|minute|bit))?"
)
_GREETS = r"(?:hi+|hey+|hello|hiya|good (?:morning|evening|afternoon))(?: (?-i:[A-Z])[^\W\d_]+){0,2}"
_WORDS = (
    rf"{_GREETS}(?=\s*[,.!])|{_BEGINS_TALK}|"
    r"also|p\.?s\.?|any(?:way|how)|actually|honestly|seriously|btw|by the way|lol|lmao|ha(?:ha)+|omg|ugh|oh|oops|ah|u[mh]+|hm+|well|so|and|n|but|plus|tbh|ngl|fyi|to be honest|"
    r"yes|yeah|yep|no|nope|ok(?:ay)?|right|all right|alright|fine|sure|true|that['’]s (?:right|true)|finally|hey|hi|hello|sorry|wait|look|listen|please|(?:just )?in case i forget"
)
# Without a mark they may belong to what follows: "so happy", "no dogs".
_SUBJECT = r"(?:i|we|my|our|he|she|they|his|her|their|it|there)(?:['’]\w+)?\b"
_LEADING = re.compile(rf"^\W*(?:(?:{_WORDS})(?:\s*[,.:;!…–—-]+\s*|\s+(?={_SUBJECT}|(?:{_WORDS})\b)))+", re.IGNORECASE)
_CHINESE_BEGINS_TALK = r"(?:你好|您好|嗨|哈[喽啰]|早上好|下午好|晚上好|早安|晚安)[呀啊]?|(?:我)?(?:[跟和给]你[说讲聊]|告诉你)一?[个件](?:小|好|大)?(?:事儿?|事情|消息|秘密)|长话短说|说来话长|你猜怎么着"
_CHINESE_WORDS = rf"{_CHINESE_BEGINS_TALK}|[唉哎嗯哦啊诶欸噢喔好对]+|哈哈+|算了|对了|好吧|好的|是的?|那个|总之|反正|顺便(?:说一?下|提一?句)?|另外|还有|其实|不过|话说|说真的|说实话|老实说|[瞒怕愁]啥"
_CHINESE_LEADING = re.compile(
    rf"^\W*(?:(?:{_CHINESE_WORDS})(?:[，,、。！!…\s]+|(?=我|(?:{_CHINESE_WORDS})[，,、])))+(?=\w)"
)
_ONLY = re.compile(
    rf"\W*(?>(?:{_BEGINS_TALK}|{_WORDS})\b\W*)+|\W*(?>(?:{_CHINESE_BEGINS_TALK}|{_CHINESE_WORDS})[，,、。！!…\s]*)+",
    re.IGNORECASE,
)
# "Actually, that is her cat", "No, it's Tuesday" sets right what was said.
_SETS_RIGHT = re.compile(
    r"\W*(?:(?:oh|ah|so|well|sorry|wait)\W+)*(?:actually|nope?|wait|sorry)\b|\W*(?:其实|不|错)", re.IGNORECASE
)
_ENDING = re.compile(
    r"[\s,]+(?:btw|by the way|lol|haha+|tbh|fyi|though|tho|ok(?:ay)?|of course|obviously|obvs)[\s.!]*$", re.IGNORECASE
)
_WITHIN = re.compile(r",?\s+(?:by the way|btw)\b(?=,|\s+(?:and|but)\b)", re.IGNORECASE)


def strip_leading(said: str) -> str:
    """Return a statement without the fillers that it begins with; one of fillers alone as it is."""
    return _CHINESE_LEADING.sub("", _LEADING.sub("", said)) or said


def strip_opening(said: str) -> str:
    """Return a statement as `strip_leading` does, but with what says that it sets another right."""
    return said if _SETS_RIGHT.match(said) else strip_leading(said)


def is_filler(said: str) -> bool:
    """Whether a sentence tells nothing, and only begins a talk: "ok so I need to vent."."""
    return not _SETS_RIGHT.match(said) and _ONLY.fullmatch(said.replace("’", "'")) is not None


def strip(said: str) -> str:
    """Return a statement without the fillers around and within it."""
    return _WITHIN.sub("", _ENDING.sub("", strip_leading(said)))
