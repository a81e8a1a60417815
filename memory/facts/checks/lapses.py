"""Finds the fact that a message may tell to hold no longer, whatever words it does so in: one that ends by it, or only gets it behind it."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, Subquery

from echovessel import lazy_re as re
from echovessel import text
from echovessel.embeddings import embedding
from echovessel.llm.offline.text import lexicon, passages, third_person
from memory.entities import kinship_terms
from memory.entities.names import name_user
from memory.facts import standing
from memory.facts.checks import values, wording
from memory.facts.rules import over, reading
from memory.models import ConceptNode, Message
from memory.models.nodes import ConceptNodeQuerySet
from memory.nodes import links
from memory.story.known_names import load_known_names
from personas.models import Bond

# A word that a message shares with a fact counts as so much of a cosine.
SHARED_WORD = 0.1
# No message that tells of a change is nearer to the fact.
NEAREST = 0.8
# From this cosine on what shares a word with a fact may say how it is since: with a word of a change, and without one.
SAID_SINCE_FROM, SAID_PLAINLY_FROM = 0.25, 0.45
# The same for a model's sentences, in which all that is told of one person is near to all: of 65 memories of two lives 6 stand behind
# a fact, 22 at the cosines above, one of them rightly; of 20 changes 17 are found, 18 at those.
WRITTEN_FROM = 0.5
# From this cosine on a word of an end tells that a fact is over: of 688 changes in the development talks 89 are heard so, once of another
# fact, and of 59 000 pairs of a neutral line and a talk's facts none.
ENDED_FROM = 0.25
# What one does not have done with.
LASTING_SLOTS = ("preferred_name", "full_name", "pronouns", "birthday", "language")
# What comes to something does not change it.
BESIDES = re.compile(r"\b(?:also|too|as well|another|second|both|besides)\b|[也还又]|另外|第二", re.IGNORECASE)
# When something was, or how long it lasts, is what two memories share by chance.
_SPANS = ("years", "year", "months", "month", "weeks", "week", "days", "day", "之前", "以前", "之后", "以后", "现在")
# Nor are these Chinese words what a message and a fact are about.
_WHEN_CHINESE = frozenset(("原来", "现在", "之前", "以前", "之后", "以后", "后来", "最近", "已经"))
_CALLED = re.compile(r"叫([\u4e00-\u9fff]{2,3})")
_OF_ONE = re.compile(r"\W*(?:s?he|his|her)\b|[他她]", re.IGNORECASE)
_BEHIND_ARTICLE = re.compile(r"\b(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hat) ([a-z][\w-]*)")
_CLAUSES = re.compile(
    r"[,，;；.。!！]\s*|\s[–—-]+\s|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|\s(?:so|and|but|because)\s"
)


def find_outdated(
    *, bond: Bond, said: str, vector: list[float] | None, is_marked: bool, lines: Sequence[Message]
) -> tuple[list[ConceptNode], bool]:
    """Find the fact of the user that a message, by its vector, tells to be over or otherwise in whatever words; none of its own lines.

    The second value is whether a clause says of that very fact that it is over.
    """
    marked, is_signed = float(is_marked), bool(over.list_signed(said))
    # The vector first: it costs least, and most messages tell of no change.
    if vector is None or not (is_signed or embedding.may_end(vector, text=said, about=(NEAREST, 1.0, marked))):
        return [], False
    if passages.is_question(said) or passages.is_imagined(said) or BESIDES.search(said):
        return [], False
    nearest = find_nearest(load_of_user(bond).exclude(source_messages__in=lines), vector)
    found = choose(list_told(nearest), said)
    if found is None or is_of_others(nearest[found[0]].description, said):
        return [], False
    meant, about = nearest[found[0]], found[1]
    is_over = meant.slot not in LASTING_SLOTS and tells_end_of(meant.description, said, cosine=about[0])
    # An allergy ends only by words that name it, a job or a home also by what the rules of its slot read; nothing else ends in their place.
    is_lapsed = not meant.slot and embedding.may_end(vector, text=said, about=(*about, marked))
    return [meant] if not meant.grave and (is_over or is_lapsed) else [], is_over


def link_said_since(
    node: ConceptNode, *, vector: list[float] | None, lines: Collection[int], by_rules: bool, now: datetime
) -> None:
    """Link what the user told in these messages to the older fact that it may change. That stands: to be near to it is no proof."""
    if not lines:
        return
    fact = find_said_of_since(
        bond=node.bond, said=node.description, vector=vector, first_line=min(lines), by_rules=by_rules
    )
    if fact is not None:
        links.create(a=node, b=fact, relation=links.SAID_SINCE, now=now)


def find_said_of_since(
    *, bond: Bond, said: str, vector: list[float] | None, first_line: int, by_rules: bool
) -> ConceptNode | None:
    """Find the older fact of the user of which a memory, told from a message on, may say how it is since: 245 of 341 English and 233
    of 347 Chinese changes are found so, and of some 2 000 other messages of these talks 69 seem to change one. A model names people
    in all it writes, so that a name which both hold tells nothing.
    """
    if vector is None or passages.is_question(said) or passages.is_imagined(said):
        return None
    nearest = find_nearest(load_told_before(bond, first_line=first_line), vector)
    is_told = by_rules and (reading.TOLD.search(said.lower()) or over.list_signed(said))
    least = SAID_SINCE_FROM if is_told else SAID_PLAINLY_FROM if by_rules else WRITTEN_FROM
    if not nearest or 1 - nearest[0].distance < least:
        return None
    names = [] if by_rules else [*list_names(bond), *_SPANS]
    told = [(leave_out_names(one, names), cosine) for one, cosine in list_told(nearest)]
    found = find_meant(told, leave_out_names(said, names))
    if found is None:
        return None
    fact, (cosine, has_shared_word) = nearest[found[0]], found[1]
    is_said_again = says_again(fact.description, said) and not reading.read_told([said])
    is_meant = has_shared_word and cosine >= least and not is_said_again
    return fact if is_meant and not is_of_others(fact.description, said) else None


def list_names(bond: Bond) -> list[str]:
    """List the names of the two who talk and of whom they talk, longest first; "Mum" says who somebody is."""
    known = [name for names in load_known_names(bond) for name in names]
    names = {bond.user.shown_name, bond.persona.name, name_user(bond), *known}
    # 小满 of 林小满
    names |= {name[1:] for name in names if len(name) == 3 and text.has_cjk(name)}
    return sorted(
        (name for name in names if name and not kinship_terms.find_kin(text.fold(name))), key=len, reverse=True
    )


def leave_out_names(told: str, names: Collection[str]) -> str:
    written = (re.escape(name) if text.has_cjk(name) else rf"\b{re.escape(name)}(?:['’]s)?\b" for name in names)
    return re.sub("|".join(written), " ", told, flags=re.IGNORECASE) if names else told


def load_of_user(bond: Bond) -> ConceptNodeQuerySet:
    return standing.load_live(bond).without_heavy_columns().filter(facet=ConceptNode.Facet.ABOUT_YOU)


def load_told_before(bond: Bond, *, first_line: int) -> ConceptNodeQuerySet:
    """Load the facts that were told before a message; what a person wrote on a page has no message of its own, but a time."""
    said_at = Message.objects.filter(pk=first_line).values("created_at")
    by_hand_since = Q(origin=ConceptNode.Origin.USER, created_at__gt=Subquery(said_at))
    return load_of_user(bond).exclude(source_messages__pk__gte=first_line).exclude(by_hand_since)


def tells_end_of(told: str, said: str, *, cosine: float) -> bool:
    """Whether a message that is near to a fact says in a clause that it is over, and nothing there of anything else: "the cello shop closed
    down" ends no lessons. What a name alone shares is over where the user says it of them: "I binned Netflix", not "Tom has quit".
    """
    plain = over.leave_out_signed(told)
    for clause, behind in over.list_signed(said) if cosine >= ENDED_FROM else ():
        parts = [*wording.list_firm_words(clause), *wording.list_pairs(clause)]
        is_of_more = not all(wording.holds_part(told, one) for one in parts)
        is_of_another = lexicon.find_kin(clause) or (wording.is_of_user(told) and _OF_ONE.match(clause))
        if not is_of_more and not is_of_another and shares_thing(plain, clause, behind=behind):
            return True
    return False


def shares_thing(told: str, said: str, *, behind: str) -> bool:
    """Whether a clause shares with a fact more than a name, or a name behind the word of an end; work is over each evening."""
    if text.has_cjk(told):
        return shares_word(leave_out_names(told, _CALLED.findall(told)), said)
    names = {text.stem(word) for word, is_name in text.split_words(told)[1:] if is_name}
    words, last = wording.list_firm_words(said), wording.list_firm_words(behind)
    held = {word for word in wording.list_firm_words(told) if wording.holds_words(words, [word])} - {"work"}
    return bool(held - names) or any(wording.holds_words(last, [name]) for name in held)


def find_nearest(facts: ConceptNodeQuerySet, vector: list[float]) -> list[Any]:
    return [*standing.sort_by_distance(facts, vector)[: standing.NEAREST]]


def list_told(nearest: Sequence[Any]) -> list[tuple[str, float]]:
    """List the texts of facts, each with its cosine."""
    return [(fact.description, 1 - fact.distance) for fact in nearest]


def choose(known: Sequence[tuple[str, float]], said: str) -> tuple[int, tuple[float, float]] | None:
    """Choose which of facts, each with its cosine, a message is about; None where it only says again what the fact tells."""
    found = find_meant(known, said)
    return None if found is None or says_again(known[found[0]][0], said) else found


def find_meant(known: Sequence[tuple[str, float]], said: str) -> tuple[int, tuple[float, float]] | None:
    """Find which of facts, each with its cosine, a message is about: it is nearest, or shares a word with it.

    Returns its place, its cosine, and 1 for a shared word, else 0.
    """
    abouts = [(cosine, float(shares_word(told, said))) for told, cosine in known]
    at = max(range(len(known)), key=lambda place: abouts[place][0] + SHARED_WORD * abouts[place][1], default=None)
    return None if at is None else (at, abouts[at])


def says_again(told: str, said: str) -> bool:
    return wording.tells(said, told) and wording.is_negated(said) == wording.is_negated(told)


def is_of_others(told: str, said: str) -> bool:
    """Whether the clause of a message that shares a word with a fact tells what somebody said, or of people of whom the fact does not tell:
    "my flatmate dropped law".
    """
    clause = next((one for one in _CLAUSES.split(said) if shares_word(told, one)), said)
    is_of_same = wording.names_no_others(clause, told) and values.names_no_owner(told, clause)
    # "I'm in block six now" is not of the grandmother in hospital.
    is_of_relative = not wording.is_of_user(told) and not wording.names_no_others(told, clause)
    is_own = is_of_relative and wording.is_of_user(third_person.turn(clause))
    return passages.is_reported(clause) or is_own or not is_of_same


def shares_word(told: str, said: str) -> bool:
    """Whether a message holds a word of a fact, of Chinese a pair of its characters. "The pudding" is no rabbit called Pudding."""
    if text.has_cjk(told):
        return any(pair in said for pair in {*wording.list_pairs(told)} - _WHEN_CHINESE)
    # The first word has its capital from where it stands.
    names = {text.stem(word) for word, is_name in text.split_words(told)[1:] if is_name} - list_common(told.lower())
    others = names & list_common(said)
    words = wording.list_firm_words(said)
    return any(wording.holds_words(words, [word]) for word in wording.list_firm_words(told) if word not in others)


def shares_more(told: str, said: str, *, names: Collection[str]) -> bool:
    """Whether a message holds more of a fact than these names, and those that it gives: "小满下周三打疫苗" is not of 女儿叫小满，五岁."""
    own = [*names, *_CALLED.findall(told)]
    return shares_word(leave_out_names(told, own), leave_out_names(said, own))


def list_common(said: str) -> set[str]:
    """List the words that stand behind an article, and without a capital: they name nobody."""
    return {text.stem(word) for word in _BEHIND_ARTICLE.findall(said)}
