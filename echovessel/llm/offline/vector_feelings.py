"""What a message's vector tells of feelings, beside its words."""

from echovessel import lazy_re as re
from echovessel.embeddings.feelings import Felt
from echovessel.llm.offline.text import feelings, lexicon

_OF_ORIGIN = re.compile(
    r"^\W*(?:i'm|i am|i come|we're) (?:originally )?from [A-Z]|^我(?:老家|来自|是[\u4e00-\u9fff]{2,4}人)", re.IGNORECASE
)
_DENIES = re.compile(
    r"\b(?:nobody|no ?one|never|none|trying (?:for (?:an?|another) (?:baby|child)|to (?:conceive|get pregnant))|ivf|fertility)\b|备孕|试管|求子",
    re.IGNORECASE,
)


def doubt(felt: Felt, text: str) -> Felt | None:
    """Return what a vector tells of a text; whether it is good nobody knows where the words deny ("nobody made me one before"), or
    are larger than what they tell ("I nearly fainted"), or what is hoped for has not come. Where somebody is from is no news.
    """
    plain = lexicon.normalise(text)
    if felt == Felt.GLAD and _OF_ORIGIN.search(plain):
        return None
    is_unsure = _DENIES.search(plain) if felt == Felt.GLAD else feelings.blank_idioms(plain) != plain
    return Felt.MOVED if is_unsure else felt
