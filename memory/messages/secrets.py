"""Mask secrets before extraction, and in what later chats are told: they stay in their message and go no further.

A turn masks hundreds of messages, most of them without any: each pattern is tried only where a text may hold what it finds.
"""

from echovessel import lazy_re as re
from echovessel import text as texts

MASK = texts.MASK
_CARD = re.compile(r"\d(?<!\d\d)(?:[ -]?\d){12,18}(?!\d)")
_KEY = re.compile(r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs]|AKIA|ASIA|AIza|eyJ)[-_A-Za-z0-9.]{12,}")
_LONG_WORD = 14  # the shortest of the two above and below, which hold no space
_RUN = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{32,}")
_WORD_PATTERNS = (
    "passwords?", "passcode", "passwd", "passphrase", "one[- ]time code", "verification code", "security code", r"\botp\b", r"\bcv[vc]\b",
    r"\bpin\b(?: code| number)?", r"\bpwd\b", r"\bpass(?=\s{0,3}[:=：])", "密码", "口令", "验证码",
)  # fmt: skip
_WORDS = "|".join(_WORD_PATTERNS)
# The characters that one of them begins with: most places of a text have none.
_BEGINNINGS = {word.removeprefix(r"\b")[0] for word in _WORD_PATTERNS}
# Without case; each of these words, and what else names a code, holds one of them.
_HINTS = ("pass", "pin", "pwd", "otp", "cv", "code", "密码", "口令", "验证码")
_BEGINS = f"(?=[{''.join(sorted(_BEGINNINGS))}])"
_LINK = r"is\b|was\b|['’]s\b|=|:|：|是|为"
_QUOTED = re.compile(
    rf"{_BEGINS}((?:{_WORDS})\s{{0,3}}(?:{_LINK})\s{{0,3}}[\"'“‘「])[^\"'“”‘’「」\n]{{1,200}}(?=[\"'”’」])",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"{_BEGINS}((?:{_WORDS})\s{{0,3}}(?P<link>{_LINK})?\s{{0,3}}[\"'“‘「]?)"
    r"(\d[\d -]{1,30}\d|[^\s\"'”’」，。,;；!?]{3,200})",
    re.IGNORECASE,
)
# "The PIN of my bicycle lock is 4471": a code, since other words stand between.
_OF = re.compile(
    rf"{_BEGINS}((?:{_WORDS})[^.!?。！？\n\d]{{1,40}}?(?:{_LINK})\s{{0,3}}[\"'“‘「]?)"
    r"(?=[A-Za-z_@#$%^&*+-]{0,30}\d)[\w@#$%^&*+-]{4,200}(?!年)",
    re.IGNORECASE | re.ASCII,
)
# A one-time code, not a post or area code.
_SENT = re.compile(
    r"(?=c)((?<!zip )(?<!post )(?<!postal )(?<!area )(?<!country )\bcode\b[^.!?\n\d]{0,40}?(?:\bis|\bwas|:|：)\s{0,3})"
    r"\d(?:[ -]?\d){5,7}(?![\d-])",
    re.IGNORECASE,
)
_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z)", re.DOTALL
)
_CODE = re.compile(r"\d|[^\w\s]|[A-Z].*[a-z]|[a-z].*[A-Z]")
# Words about a password, rather than the password.
_SAID = (
    "wrong right correct incorrect weak strong safe secure lost gone expired forgotten required still not now again always "
    "the his her their our your too very that what something never only just easy hard long short different same"
)
_SAID_OF_IT = frozenset(_SAID.split())


def mask(text: str) -> str:
    """Replace card numbers, keys, one-time codes and passwords by `[secret]`."""
    text = _KEY_BLOCK.sub(MASK, text)
    text = _CARD.sub(lambda match: MASK if _passes_luhn(match.group()) else match.group(), text)
    if any(len(word) >= _LONG_WORD for word in text.split()):
        text = _KEY.sub(MASK, text)
        text = _RUN.sub(lambda match: MASK if _is_random(match.group()) else match.group(), text)
    folded = text.casefold()
    if not any(hint in folded for hint in _HINTS):
        return text
    text = _SENT.sub(rf"\1{MASK}", text)
    text = _QUOTED.sub(rf"\1{MASK}", text)
    text = _NAMED.sub(_mask_value, text)
    return _OF.sub(rf"\1{MASK}", text)


def _mask_value(match: re.Match[str]) -> str:
    before, value = match.group(1), match.group(3)
    secret = value.rstrip(".")
    is_secret = _is_secret(secret, link=(match.group("link") or "").lower())
    return before + MASK + value[len(secret) :] if is_secret else match.group()


def _is_secret(value: str, *, link: str) -> bool:
    """Whether the word after "password" is one: it looks like a code, follows a colon, or is no common word."""
    if _CODE.search(value) or link in ("=", ":", "："):
        return True
    return bool(link) and value.isascii() and value.lower() not in _SAID_OF_IT


def _is_random(run: str) -> bool:
    return any(character.isdigit() for character in run) and any(character.isalpha() for character in run)


def _passes_luhn(number: str) -> bool:
    digits = [int(character) for character in number if character.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
