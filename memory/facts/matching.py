"""Find the facts that a wish to forget means: those that hold all of its terms."""

from memory import text
from memory.facts import resolution
from memory.models import ConceptNode
from personas.models import Bond


def find_meant(*, bond: Bond, words: str, slot: str = "") -> list[ConceptNode]:
    """Find the live and uncertain facts that hold all terms of these words, newest first; the one in the slot that the
    words name ("my job") alone, where there is one.
    """
    known = resolution.load_known(bond)
    of_slot = list(known.filter(slot=slot, state=ConceptNode.State.LIVE)) if slot else []
    if of_slot:
        return of_slot
    terms = sorted(set(text.extract_terms(words)))
    return list(known.filter(terms__contains=terms).order_by("-id")) if terms else []
