"""Whether a message says no more than yes or no."""

from echovessel import lazy_re as re

_ASSENT = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|right|ok(?:ay)?|please|do|do it|go ahead|of course|exactly|correct|that one|"
    r"是的?|对的?|好的?|嗯+|行|可以|没错|就是|当然|请|删吧|忘吧|忘掉吧)(?:[\W_]+(?:please|do|do it|that|that's right|thanks|thank you|的|吧|呀|啊|谢谢))*\W*$",
    re.IGNORECASE,
)
# A no, with what may stand beside it.
_DENIAL = re.compile(
    r"^\W*(?:no|nope|nah|neither|none of (?:them|those)|wrong one|(?:it's |that's )?not (?:that|this|it)\b|that's not it|"
    r"(?:the |an)other (?:one|thing)|something else|都?不(?:是|对|行)?|没有|别的|另一?个)"
    r"(?:\W*(?:no|not (?:that|this|it)\b|that's not it|one|(?:the |an)other (?:one|thing)|something else|thanks|thank you|"
    r"不是|是?别的|是?另一?个|[这那]个|[这那]件事?|的|啊|呀|吧|哦))*\W*$",
    re.IGNORECASE,
)


def is_assent(line: str) -> bool:
    return _ASSENT.match(line) is not None


def is_denial(line: str) -> bool:
    return _DENIAL.match(line) is not None
