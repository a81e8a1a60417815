"""Find the facts that a user's words mean: those to forget, and the one that a change takes the place of."""

from collections.abc import Sequence

from memory import text
from memory.facts import framing, resolution, standing
from memory.facts.checks.grounding import THIRD_PERSON, extract_own_terms
from memory.facts.rules import changed
from memory.facts.rules.changed import Change
from memory.models import ConceptNode
from memory.nodes import comparison
from personas.models import Bond

# The share of a fact's terms that a change names or denies: where it says so outright, and where it only holds now.
SURE_SHARE, UNSURE_SHARE = 0.5, 0.66
# Days and hours change without another subject.
_TIMES = frozenset(
    text.extract_terms(
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays every each daily weekly"
        " 每天 每周一 每周二 每周三 每周四 每周五 每周六 每周日 每周天 星期 礼拜"
    )
)


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


def are_rewordings(facts: Sequence[ConceptNode], *, words: str) -> bool:
    """Whether facts that hold the same words say the same: what one has beside them holds what the others have, and all have
    the same names and numbers.
    """
    asked = {*text.extract_terms(words)} | THIRD_PERSON
    rests = sorted(({*fact.terms} - asked for fact in facts), key=len)
    told = [comparison.extract_facts(fact.description, bond=fact.bond, names={}) for fact in facts]
    named = {(frozenset(one.who), frozenset(one.numbers), one.capitalised) for one in told}
    return len(named) == 1 and all(rest <= rests[-1] for rest in rests)


def find_replaced(*, bond: Bond, content: str, facet: str, change: Change) -> list[ConceptNode]:
    """Find the live fact outside slots whose place a content takes: it has its subject and most of its terms.

    Several that are as good are all returned, newest first; none where the content itself stands already.
    """
    facts = standing.load_live(bond).without_heavy_columns().filter(facet=facet, slot="").order_by("-id")
    if any(standing.fold_content(fact.description) == standing.fold_content(content) for fact in facts):
        return []
    weighed = [(weigh_replaced(fact, content=content, change=change), fact) for fact in facts]
    best = max((share for share, _ in weighed), default=0.0)
    return [fact for share, fact in weighed if share == best > 0]


def weigh_replaced(fact: ConceptNode, *, content: str, change: Change) -> float:
    """Return the share of a fact's terms that a content names or denies; 0 where it speaks of something else."""
    if not change.denied and framing.are_alike(fact.description, content):
        return 1.0
    about = [term for term in extract_own_terms(changed.strip_marks(content)) if term not in _TIMES]
    denied = {*extract_own_terms(change.denied)}
    told = {*extract_own_terms(fact.description)} - _TIMES
    if not about or not told or about[0] not in told or (denied and not denied & told):
        return 0.0
    share = len(told & (denied | {*about})) / len(told)
    least = SURE_SHARE if change.is_sure else UNSURE_SHARE
    return share if share >= least or framing.are_alike(fact.description, content) else 0.0
