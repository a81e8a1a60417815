"""Terms that mean the same: words for one relative, what is said in short ("op"), and the forms of an irregular verb ("go", "went"),
which no stemmer joins.
"""

from collections.abc import Iterable
from functools import cache

from echovessel import text
from memory.entities import kinship_terms

# Without forms that are function words for `memory.text`, or that mostly mean something else ("left", "rose", "bit").
_VERBS = (
    "become became", "begin began begun", "break broke broken", "bring brought", "build built", "buy bought", "catch caught",
    "choose chose chosen", "come came", "draw drew drawn", "drink drank drunk", "drive drove driven", "eat ate eaten",
    "fall fell fallen", "feed fed", "feel felt", "fight fought", "find found", "fly flew flown", "forget forgot forgotten",
    "freeze froze frozen", "give gave given", "go goes went gone", "grow grew grown", "hear heard", "hide hid hidden", "hold held",
    "keep kept", "know knew known", "lead led", "lend lent", "lose lost", "meet met", "pay paid", "ride rode ridden", "ring rang rung",
    "run ran", "see saw seen", "sell sold", "send sent", "shake shook shaken", "sing sang sung", "sink sank sunk", "sit sat",
    "sleep slept", "speak spoke spoken", "spend spent", "stand stood", "steal stole stolen", "sweep swept", "swim swam swum",
    "take took taken", "teach taught", "throw threw thrown", "wake woke woken", "wear wore worn", "win won", "write wrote written",
    "child children", "man men", "woman women", "person people", "foot feet", "tooth teeth", "mouse mice",
)  # fmt: skip
_SHORT = (
    "operation op", "appointment appt", "university uni", "fridge refrigerator", "telly television tv", "bike bicycle", "photo photograph pic",
)  # fmt: skip


def normalize_term(term: str) -> str:
    """Map a term to the one that all of its forms share: "went" to "go", "gran" to "grandmother"."""
    return _build_common_terms().get(term, term)


def expand_term(term: str) -> list[str]:
    """List a term and what means the same, in a fixed order."""
    return _build_groups().get(normalize_term(term), [term])


@cache
def _build_common_terms() -> dict[str, str]:
    groups = [[text.stem(form) for form in forms.split()] for forms in (*_VERBS, *_SHORT)]
    return kinship_terms.build_common_terms() | {form: forms[0] for forms in groups for form in forms}


@cache
def _build_groups() -> dict[str, list[str]]:
    groups: dict[str, set[str]] = {}
    for term, common in _build_common_terms().items():
        groups.setdefault(common, {common}).add(term)
    return {common: sorted(terms) for common, terms in groups.items()}


def expand_terms(terms: Iterable[str]) -> set[str]:
    """Add what means the same as one of the terms."""
    return {form for term in terms for form in expand_term(term)}
