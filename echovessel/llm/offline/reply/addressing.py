"""Turns a noted fact from the third person to the second, in the present: "The user lives in York" becomes "you live in York"."""

import re

from echovessel.llm.offline.text import lexicon

_ADVERBS = (
    r"(?:(?: (?:no longer|also|always|never|still|often|usually|really|just|only|sometimes|actually|now|even|\w+ly))*)"
)
_USER = re.compile(rf"\b[Tt]he user(?P<adverbs>{_ADVERBS}) (?P<verb>[a-z]+(?:n't)?)\b(?!')")
_OWNED = re.compile(r"\b[Tt]he user's\b")
_BARE = re.compile(r"\b[Tt]he user\b")
_SECOND_VERB = re.compile(r"\b(and|but)((?: (?:also|never|always|still|mostly))?) (works|lives|likes|loves|hates|prefers|has|needs|wants|studies|plays|eats|drinks|speaks|takes|goes|does|doesn't|is|uses|keeps|sleeps|gets|runs|teaches|writes|reads|makes)\b")  # fmt: skip
_THEIRS = re.compile(r"\b(their|them|theirs|themselves)\b")
_YOURS = {"their": "your", "them": "you", "theirs": "yours", "themselves": "yourself"}
# What a thing does to somebody, it does to the user: "it drives them mad".
_FELT = re.compile(
    r"\b((?:it|that|this|which)(?: (?:really|always|still|just))? (?:annoys|bores|bothers|breaks|calms|cheers|drives|helps|hurts|keeps|makes|reminds|scares|upsets|wakes|worries)) them\b"
)
_SECOND = {
    "is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't", "hasn't": "haven't", "doesn't": "don't",
    "goes": "go",
}  # fmt: skip
_NO_VERB_S = frozenset(("as", "its", "this", "always", "sometimes", "perhaps", "yes"))
_ARTICLE = re.compile(
    r"^(?:The|An?|This|That|These|Those|There|It|It's|They|He|She|His|Her|Their|No|Every|Each|On|At|In|From)\b"
)
_END = re.compile(r"[\s.。!！]+$")


def address(text: str) -> str:
    """Return a fact as a clause to the user, without its end mark and beginning in lower case unless with a name."""
    plain = _END.sub("", text.strip())
    if lexicon.is_chinese(plain):
        return plain.replace("用户", "你")
    plain = _FELT.sub(r"\1 you", plain) if _BARE.search(plain) else plain
    turned = _USER.sub(_turn_verb, plain)
    if turned != plain and not _mentions_others(plain, turned):
        turned = _SECOND_VERB.sub(lambda match: f"{match[1]}{match[2]} {_reduce(match[3])}", turned)
        turned = _THEIRS.sub(lambda match: _YOURS[match[1]], turned)
    return _ARTICLE.sub(lambda match: match[0].lower(), _BARE.sub("you", _OWNED.sub("your", turned)))


def _turn_verb(match: re.Match[str]) -> str:
    return f"you{match['adverbs']} {_reduce(match['verb'])}"


def _reduce(verb: str) -> str:
    """Return the form of the verb after "you"."""
    if verb in _SECOND:
        return _SECOND[verb]
    if not verb.endswith("s") or verb.endswith("ss") or verb in _NO_VERB_S:
        return verb
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else verb[:-1]


def _mentions_others(text: str, turned: str) -> bool:
    """Whether a further verb, or else the first "their", may be somebody else's."""
    first = None if _SECOND_VERB.search(turned) else _THEIRS.search(text)
    said = text[: first.start()] if first else text
    return bool(lexicon.find_kin(said)) or bool(re.search(r"\b(?:friends|people|they)\b", said))
