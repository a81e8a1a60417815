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


def list_known(*, bond: Bond, most: int) -> list[str]:
    """List the contents of live facts about the user and the two: stated ones first, then the surest, then the newest."""
    facts = ConceptNode.objects.for_bond(bond).live_facts().exclude(facet=ConceptNode.Facet.PERSONA_CANON)
    surest = facts.order_by("-confidence", "-created_at", "-id").values_list("tier", "description")[: most * 2]
    told_first = sorted(surest, key=lambda row: row[0] != ConceptNode.Tier.STATED)
    return [content for _, content in told_first[:most]]
