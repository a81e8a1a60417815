"""Facts on the pages of the user whom they are about: "You can't eat nuts." for the stored "The user can't eat nuts."."""

from echovessel import lazy_re as re
from echovessel.llm.offline import pronouns
from echovessel.llm.offline.english.vocabulary import IRREGULAR
from echovessel.llm.offline.text import lexicon, sentences
from memory.facts.drafts import OF_USER
from memory.models import ConceptNode

_BEGINS = re.compile(
    r"The user(?:'s \w|(?: (?:also|always|never|still|often|usually|really|just|only|now|no longer))* "
    r"(?:can|can't|cannot|could|couldn't|will|won't|would|must|should|may|might|did|didn't|had|was|wasn't|[a-z]+(?:s|ed|n't)|quit|read|went|got|became|told|"
    rf"{'|'.join(sorted(IRREGULAR))})\b)"
)
_BEGINS_CHINESE = re.compile(r"用户(?!名|界面|体验|群|协议|数|量|端|组|研究|手册|反馈|增长)")
# "Ellie burned the user's saucepan."
_DONE_TO = re.compile(r"(?!The\b|Talk\b)[A-Z]\w+(?: [A-Z]\w+)? [a-z]+(?:ed|s)\b.*\bthe user\b")
_BEGINNING = re.compile(r"^.|(?<=[.!?] )y(?=our?\b)")
_USER = re.compile(rf"\b[Tt]he user\b|{_BEGINS_CHINESE.pattern}")
# Whom "you" and "they" mean would not be clear.
_UNCLEAR = re.compile(r"\b(?:you|your|yours|yourself)\b|你", re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:they|them|their|theirs|themselves)\b", re.IGNORECASE)
# A further verb that stays in the third person: "and carries a pen".
_THIRD_PERSON = re.compile(
    r"(?:\b(?:and|but|or|then)|,)\s+(?:(?:also|never|always|often|still|then)\s+)*[a-z]+(?<!s)s\s+(?:an?|the|to|in|at|for|with|on|as|not|from|by|about|every|some|any|no|of|out|up|[A-Z0-9])"
)


def name_user(text: str, name: str) -> str:
    """Return a fact with the user's name, as they would write of themselves."""
    return _USER.sub(lambda _: name, text)


def address_state(text: str) -> str:
    """Return how something stands, as a story tells it, in the second person."""
    return reword(text, facet=ConceptNode.Facet.ABOUT_YOU)


def address_reader(node: ConceptNode) -> str:
    """Return the text of a memory; of a fact about the user in the second person."""
    return reword(node.description, facet=node.facet)


def reword(text: str, *, facet: str) -> str:
    """Return the text of a fact in the second person, where it is about the user and plainly begins with them, or is a wish
    how to talk: "Talk to you like a mate".
    """
    begins = _BEGINS_CHINESE if lexicon.is_chinese(text) else _BEGINS
    is_wish = facet == ConceptNode.Facet.HOW_TO_TALK
    if facet not in OF_USER or _UNCLEAR.search(text) or not (is_wish or begins.match(text) or _DONE_TO.match(text)):
        return text
    turned = pronouns.address(text)
    if _OTHERS.search(turned) or _THIRD_PERSON.search(turned):
        return text
    return sentences.end(_BEGINNING.sub(lambda match: match[0].upper(), turned))
