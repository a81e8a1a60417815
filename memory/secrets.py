"""Keeps secrets out of what is distilled: they stay in the line they were said in and go no further."""

import re

MASK = "[secret]"
_CARD = re.compile(r"(?<!\d)(?:\d[ -]?){13,19}(?!\d)")
_TOKEN = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs]|AKIA|ASIA|AIza|eyJ)[-_A-Za-z0-9.]{12,}"
    r"|\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{32,}\b"
)
_NAMED = re.compile(
    r"(?i)((?:password|passcode|passwd|pin code|one[- ]time code|verification code|security code|otp|密码|口令|验证码)"
    r"\s*(?:is|was|=|:|：|是|为)?\s*[\"'“「]?)([^\s\"'”」，。,;；]{3,})"
)
_CODE = re.compile(r"\d|[^\w\s]|[A-Z].*[a-z]|[a-z].*[A-Z]")


def mask(text: str) -> str:
    """The text with card numbers, keys, one-time codes and passwords replaced by `[secret]`."""
    text = _CARD.sub(lambda match: MASK if _luhn(match.group()) else match.group(), text)
    text = _TOKEN.sub(MASK, text)
    return _NAMED.sub(lambda match: match.group(1) + (MASK if _CODE.search(match.group(2)) else match.group(2)), text)


def _luhn(number: str) -> bool:
    digits = [int(character) for character in number if character.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
