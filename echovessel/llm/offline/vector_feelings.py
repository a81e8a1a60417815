"""What a message's vector tells of feelings, beside its words."""

import re

from echovessel.embeddings.feelings import Felt
from echovessel.llm.offline.text import feelings, lexicon

_DENIES = re.compile(r"\b(?:nobody|no ?one|never|none)\b", re.IGNORECASE)


def doubt(felt: Felt, text: str) -> Felt:
    """Return what a vector tells of a text; whether it is good nobody knows where the words deny ("nobody made me one before"), or
    are larger than what they tell ("I nearly fainted").
    """
    plain = lexicon.normalise(text)
    is_unsure = _DENIES.search(plain) if felt == Felt.GLAD else feelings.blank_idioms(plain) != plain
    return Felt.MOVED if is_unsure else felt
