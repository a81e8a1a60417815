"""Find the facts that a user's words mean: those to forget, those that are over, and the one that a change takes the place of."""

import re
from collections.abc import Iterable, Sequence

from echovessel import text
from echovessel.embeddings import embedding, vectors
from echovessel.llm.offline.text import passages, sentences, third_person
from memory.entities.names import name_user
from memory.facts import framing, resolution, standing
from memory.facts.checks import lapses, values, wording
from memory.facts.checks.grounding import THIRD_PERSON
from memory.facts.rules import changed, letting_go, over
from memory.facts.rules.acts import Op, RuleAct
from memory.facts.rules.changed import Change
from memory.facts.rules.over import Ending, Sort
from memory.models import ConceptNode, Message, Session
from memory.nodes import comparison
from memory.search import conditions
from personas.models import Bond

# The share of a fact's terms that a change names or denies: where it says so outright, and where it only holds now.
SURE_SHARE, UNSURE_SHARE = 0.5, 0.66
# How many messages of the session are looked at.
SAID_MOST = 200
# A wish that finds more messages or events than this may mean any of them.
TOLD_MOST = 12
# One Chinese character in common says nothing.
LEAST_HAN = 2
# A content that says that something is otherwise, and is as near to a fact, changes it: 85 of 100 changes are, and 2 of 547 other wishes.
CHANGED_FROM, CHANGED_FROM_CHINESE = 0.5, 0.6
# What is told to be over in words that no fact shares ends the nearest one, if it is nearer than the next by as much.
OVER_LEAD = 0.1
# 医生给我换了别的药 不是青霉素 leaves an allergy to it.
_ALLERGY = re.compile(r"allerg|anaphyla|intoleran|c(?:o)?eliac|过敏|不耐受", re.IGNORECASE)
_CLAUSES = re.compile(r"[,，;；]\s*")
# What says only that something holds as before.
_FILLERS = re.compile(
    r"^as the user (?:said|mentioned|told you)(?: before| earlier)?,\s*|[还着呢那这啊哦呀吧]|确实|\b(?:still|really|do(?:es)?|again|finally|please),?(?:\s|(?=\W))",
    re.IGNORECASE,
)


_OWN_CLAUSE = re.compile(r"\W*(?:(?:the fact )?that )?(?:i|we)\b|我(?!的)", re.IGNORECASE)


def find_meant(*, bond: Bond, words: str, slot: str = "") -> list[ConceptNode]:
    """Find the live and uncertain facts that hold all terms of these words, or else all words in another form, newest first;
    the one in the slot that the words name ("my job") alone, where there is one.
    """
    known = resolution.load_known(bond)
    of_slot = list(known.filter(slot=slot, state=ConceptNode.State.LIVE)) if slot else []
    if of_slot:
        return of_slot
    terms = sorted(set(text.extract_terms(words)))
    exact = list(known.filter(terms__contains=terms).order_by("-id")) if terms else []
    exact = [fact for fact in exact if not is_opposite(fact.description, words)]
    if exact or not wording.list_words(words):
        return exact
    found = [fact for fact in known.order_by("-id") if wording.tells(fact.description, words)]
    found = [fact for fact in found if not is_opposite(fact.description, words)]
    # A reason may stand behind: "forget that the rum is behind the log pile, teenagers about".
    first, *reason = re.split("[,，]", words, maxsplit=1)
    return found if found or not reason else find_meant(bond=bond, words=first)


def is_opposite(told: str, words: str) -> bool:
    """Whether a clause of the user's own says what a text denies: "that I had a drink" is not that they do not drink."""
    if not _OWN_CLAUSE.match(words):
        return False
    bearing = [one for one in sentences.split(told) if wording.tells(one, words)] or [told]
    return all(wording.is_negated(one) != wording.is_negated(words) for one in bearing)


def find_let_go(*, bond: Bond, words: str) -> list[ConceptNode]:
    """Find the one fact that holds most of the words of what is let go of, or any of them; none where several do."""
    known = [fact for fact in resolution.load_known(bond) if not is_opposite(fact.description, words)]
    return [known[at] for at in letting_go.find_meant([fact.description for fact in known], words)]


def find_told(*, bond: Bond, session: Session, words: str, before: int) -> tuple[list[Message], list[ConceptNode]]:
    """Find the user's messages before a message, and the events, that tell these words and ask nothing; newest first.

    Where more are found than may be meant, those of the session are, if it has any.
    """
    if not wording.list_words(words):
        return [], []
    said = Message.objects.for_bond(bond).visible().not_hidden(bond).without_heavy_columns().order_by("-id")
    of_user = said.filter(role=Message.Role.USER, pk__lt=before)
    own = [line for line in of_user.filter(session=session)[:SAID_MOST] if wording.tells(line.content, words)]
    others = of_user.exclude(session=session).not_off_record().filter(conditions.match_messages(bond, words))
    lines = [line for line in (*own, *others[: TOLD_MOST + 1]) if not passages.is_question(line.content)]
    events = ConceptNode.objects.for_bond(bond).not_deleted().filter(type=ConceptNode.Type.EVENT)
    known = events.filter(conditions.match_nodes(bond, words)).without_heavy_columns().order_by("-id")
    told = [*known[: TOLD_MOST + 1]]
    if own and max(len(lines), len(told)) > TOLD_MOST:
        return [line for line in own if not passages.is_question(line.content)][:TOLD_MOST], []
    return lines, told


def find_told_freely(*, bond: Bond, words: str, before: int) -> tuple[list[Message], list[ConceptNode]]:
    """Find the user's messages before a message that hold most of the words of what is let go of, and the events that rest on
    them and hold them too; newest first, none where several tell different ones.
    """
    said = Message.objects.for_bond(bond).visible().not_hidden(bond).not_off_record().without_heavy_columns()
    of_user = said.filter(role=Message.Role.USER, pk__lt=before).order_by("-id")[:SAID_MOST]
    told = [line for line in of_user if not passages.is_question(line.content)]
    lines = [told[at] for at in letting_go.find_telling([line.content for line in told], words)]
    events = ConceptNode.objects.for_bond(bond).not_deleted().filter(type=ConceptNode.Type.EVENT)
    known = list(events.filter(source_messages__in=lines).distinct().without_heavy_columns().order_by("-id"))
    return lines, [known[at] for at in letting_go.find_telling([event.description for event in known], words)]


def find_over(*, bond: Bond, endings: Sequence[Ending]) -> tuple[list[ConceptNode], bool]:
    """Find the live facts that tell what is over, newest first, and whether it is unclear which is meant: of somebody who died or left all are over."""
    facts = list(standing.load_live(bond).without_heavy_columns().order_by("-id"))
    for ending in endings:
        if found := [fact for fact in facts if over.is_over(fact.description, ending)]:
            is_one_meant = ending.sort not in (Sort.LIFE, Sort.LOVE)
            return found, is_one_meant and len(found) > 1 and not are_rewordings(found, words=ending.words)
    return [], False


def may_end(told: str, endings: Sequence[Ending]) -> bool:
    """Whether what is over may be a fact that has other words: 我不喝咖啡了 ends nothing that one cannot do, such as 不能吃花生."""
    return any(wording.is_negated(told) is (ending.sort == Sort.BAN) for ending in endings)


def find_telling(*, bond: Bond, content: str, facet: str) -> ConceptNode | None:
    """Find the live fact that tells all that a content does, in more words or other ones; its very text is no other."""
    facts = standing.load_live(bond).without_heavy_columns().filter(facet=facet, slot="").order_by("id")
    names = [bond.user.shown_name, name_user(bond)]
    return next(
        (fact for fact in facts if tells_all(third_person.replace_user_name(fact.description, names), content)), None
    )


def tells_all(told: str, content: str) -> bool:
    """Whether a fact holds every word, name and number of a content, and is about the same."""
    folded = standing.fold_content(content)
    if standing.fold_content(told) == folded:
        return False
    # "I've got Raynaud's" of "I've got Raynaud's, my fingers go white".
    if any(standing.fold_content(clause) == folded for clause in _CLAUSES.split(told)):
        return True
    content = _FILLERS.sub("", content)
    own, words = wording.list_words(told), wording.list_words(content)
    numbers, held = (values.read(one) for one in (content, told))
    return (
        len(words) > 1
        and wording.is_negated(told) == wording.is_negated(content)
        and wording.have_same_kin(told, content)
        and wording.holds_words(own, wording.list_telling_words(content) or words)
        and wording.tells(told, content)
        and ((wording.is_of_user(told) and wording.is_of_user(content)) or wording.holds_words(words, own[:1]))
        and all(found <= held.get(sort, set()) for sort, found in numbers.items())
        and values.names_no_owner(told, content)
    )


def are_rewordings(facts: Sequence[ConceptNode], *, words: str) -> bool:
    """Whether facts that hold the same words say the same: what one has beside them holds what the others have, and all have
    the same names and numbers.
    """
    asked = {*text.extract_terms(words)} | THIRD_PERSON
    rests = sorted(({*fact.terms} - asked for fact in facts), key=len)
    told = [comparison.extract_facts(fact.description, bond=fact.bond, names={}) for fact in facts]
    named = {(frozenset(one.who), frozenset(one.numbers), one.capitalised) for one in told}
    return len(named) == 1 and all(rest <= rests[-1] for rest in rests)


def find_replaced(*, bond: Bond, content: str, facet: str, change: Change, is_asked: bool = True) -> list[ConceptNode]:
    """Find the live fact outside slots whose place a content takes: it has its subject and most of its terms.

    Several that are as good are all returned, newest first; none where the content itself stands already. Where nobody
    asked to note it, more is needed.
    """
    facts = standing.load_live(bond).without_heavy_columns().filter(facet=facet, slot="").order_by("-id")
    if any(standing.fold_content(fact.description) == standing.fold_content(content) for fact in facts):
        return []
    weighed = [(weigh(fact.description, content=content, change=change, is_asked=is_asked), fact) for fact in facts]
    best = max((share for share, _ in weighed), default=0.0)
    return [fact for share, fact in weighed if share == best > 0] or find_of_rare_word(facts, content=content)


def find_put_right(*, bond: Bond, change: Change, lines: Sequence[Message]) -> list[ConceptNode]:
    """Find the fact noted last of these lines, if a value alone takes the place of one in it: "no, I meant 14 May"."""
    noted = standing.load_live(bond).without_heavy_columns().filter(slot="", source_messages__in=lines)
    return [last for last in noted.order_by("-id")[:1] if changed.put_right(last.description, change)]


def find_of_other_value(*, bond: Bond, content: str, facet: str) -> list[ConceptNode]:
    """Find the live fact outside slots that tells in the same words another number: "I've carried fifty coffins so far"."""
    if not values.read_numbers(content):
        return []
    facts = standing.load_live(bond).without_heavy_columns().filter(facet=facet, slot="").order_by("-id")
    found = [fact for fact in facts if is_of_other_value(fact.description, content)]
    return found if len(found) == 1 else []


def is_of_other_value(told: str, content: str) -> bool:
    """Whether two statements tell in the same words other numbers of the same, of nobody else; one may have a word more."""
    short, long = sorted((wording.list_firm_words(one) for one in (told, content)), key=len)
    return (
        len(short) > 1
        and len(long) <= len(short) + 1
        and wording.holds_words(long, short)
        and values.differ(values.read_numbers(told), values.read_numbers(content))
        and values.is_of_same(told, content)
        and wording.is_negated(told) == wording.is_negated(content)
    )


def find_nearest(*, bond: Bond, content: str, facet: str, least_lead: float = 0.0) -> list[ConceptNode]:
    """Find the live fact outside slots that is nearest in meaning to a content which changes or ends something, if it is of the same
    and as near, and nearer than the next by a lead.
    """
    [vector] = embedding.embed([content])
    if vector is None or lapses.BESIDES.search(content):
        return []
    facts = standing.load_live(bond).without_heavy_columns().filter(facet=facet, slot="").exclude(description=content)
    baseline, least = embedding.get_cosine_baseline(), CHANGED_FROM_CHINESE if text.has_cjk(content) else CHANGED_FROM
    nearest = [*standing.sort_by_distance(facts, vector)[:2]]
    first, second = ([vectors.rescale(1 - fact.distance, baseline=baseline) for fact in nearest] + [0.0, 0.0])[:2]
    is_near = first >= max(least, second + least_lead)
    return [fact for fact in nearest[:1] if is_near and wording.are_of_same(fact.description, content)]


def find_of_rare_word(facts: Iterable[ConceptNode], *, content: str) -> list[ConceptNode]:
    """Find the facts that tell another day or number of what a content begins with: a word that no other fact holds, and no name."""
    firm = wording.list_firm_words(content)[:1]
    held = [fact for fact in facts if firm and wording.holds_words(wording.list_words(fact.description), firm)]
    is_other = [
        values.differ(values.read(fact.description), values.read(content))
        and not wording.shares_name(fact.description, firm)
        for fact in held
    ]
    return held if is_other == [True] and values.is_of_same(held[0].description, content) else []


def weigh(told: str, *, content: str, change: Change, is_asked: bool) -> float:
    """Weigh how well a content takes the place of a fact; 0 where it does not."""
    if _ALLERGY.search(told) and not change.instead and not _ALLERGY.search(content):
        return 0.0
    is_other = bool(change.denied) and not wording.tells(told, change.denied)
    now = 0.0 if is_other else weigh_now(told, content=content)
    if now or (not is_asked and not change.is_sure):
        return now
    if not is_asked and not change.denied and not values.names_no_owner(told, content):
        return 0.0
    share = weigh_replaced(told, content=content, change=change)
    # "Sam moved to Leeds with me" leaves it that Sam lives with the user.
    is_said = is_asked or change.denied or change.instead or change.is_outright
    return share if is_said or share == 1.0 else 0.0


def takes_place(act: RuleAct, told: str) -> bool:
    """Whether what a line tells is what a fact tells, with another value: "my favourite colour is green now"."""
    return act.op == Op.CHANGE and act.content != told and weigh_now(told, content=act.content) == 1.0


def weigh_replaced(told: str, *, content: str, change: Change) -> float:
    """Return the share of a fact's words that a content names or denies; 0 where it speaks of something else."""
    if change.instead:
        return 1.0 if change.denied and changed.find_denied(told, change) else 0.0
    if not change.denied and framing.are_alike(told, content):
        return 1.0
    about = wording.list_lasting_words(changed.strip_marks(content))
    own = wording.list_lasting_words(_CLAUSES.split(told)[0]) or wording.list_lasting_words(told)
    denied = wording.list_words(change.denied)
    is_denied = bool(denied) and wording.tells(told, change.denied)
    if not own or (denied and not is_denied) or not is_of_same(told, content, about=about, own=own, denied=denied):
        return 0.0
    named = [word for word in own if wording.holds_words([*about, *denied], [word])]
    if text.has_cjk(told) and len(named) < LEAST_HAN:
        return 0.0
    share = len(named) / len(own)
    least = SURE_SHARE if change.is_sure else UNSURE_SHARE
    is_of_thing = change.is_sure and len(own) > 1 and own[:2] == named[:2]
    return share if share >= least or is_denied or is_of_thing or framing.are_alike(told, content) else 0.0


def is_of_same(told: str, content: str, *, about: Sequence[str], own: Sequence[str], denied: Sequence[str]) -> bool:
    """Whether a content begins with a word of the fact, or has the one with which the fact begins; or denies what it tells of
    the same people.
    """
    if (wording.holds_words(own, about[:1]) and about) or wording.holds_words([*about, *denied], own[:1]):
        return True
    # "Martin has the key to the house now, not Sheila."
    rest = [word for word in own[1:] if not wording.holds_words(denied, [word])]
    tells_rest = len(rest) > 1 and wording.holds_words(about, rest)
    is_of_them = tells_rest or wording.have_same_kin(told, content)
    return bool(denied) and is_of_them and not wording.is_of_others(content)


def weigh_now(told: str, *, content: str) -> float:
    """Weigh what is only said to hold now: 1 where it tells another value of the same thing, else 0."""
    is_same = framing.are_of_one_value(told, content) or values.takes_place_of(told, content)
    return 1.0 if is_same or framing.put_off(told, content) or framing.put_age(told, content) else 0.0
