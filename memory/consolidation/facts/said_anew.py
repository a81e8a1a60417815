"""Note again what was noted once, forgotten or undone, and is said anew: it needs no second wish."""

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from operator import itemgetter

from echovessel import text
from echovessel.embeddings import embedding
from echovessel.embeddings.vectors import rescale
from echovessel.llm.offline.text import passages, third_person
from memory.consolidation.facts.noted_facts import tells_most
from memory.consolidation.facts.parse_facts import ExtractedFact
from memory.consolidation.transcript import Chunk
from memory.facts import changing, drafts, standing
from memory.facts.checks import values, wording
from memory.facts.checks.grounding import extract_own_terms, find_names
from memory.facts.drafts import FactDraft, FactError
from memory.facts.rules import days, letting_go
from memory.messages import tombstones
from memory.models import ConceptNode, Message, NodeSource
from memory.recall.scoring import compute_cosine
from personas.models import Bond

# What the user says themselves, and did not ask to remember.
CONFIDENCE = 0.8
# From this nearness on a statement that shares a word with a forgotten fact tells it anew: 27 of 40 do in English and in Chinese, and 0 and
# 2 of 240 others.
SAID_FROM = 0.35


def find(chunk: Chunk, *, bond: Bond, besides: Sequence[ExtractedFact] = ()) -> list[ExtractedFact]:
    """Find what the chunk says anew and no live fact tells, as facts with their vectors. No transaction may be open.

    In other words it is said only in statements that no live fact and none of the answer tells that rests on their message.
    """
    gone_before = tombstones.find_facts_gone_before(bond, message=chunk.last_message_id)
    if not gone_before:
        return []
    found: dict[str, ExtractedFact] = {}
    live = list(standing.load_live(bond).select_related("bond").without_heavy_columns())
    noted = [(message.pk, fact.draft.content) for fact in besides for message in fact.sources]
    noted += NodeSource.objects.filter(node__in=live).values_list("message", "node__description")
    statements = [*list_statements(chunk)]
    told = [*zip(statements, embedding.embed([said for _, said in statements]), strict=True)]
    for stone, gone in gone_before:
        since = [
            (weigh(said, None if is_noted(said, message, noted) else vector, gone), message, said)
            for (message, said), vector in told
            if message.pk > stone.last_message_id
        ]
        nearness, message, said = max(since, key=itemgetter(0), default=(0.0, None, ""))
        # A thousand may be live: they are looked through only for a statement that tells what is gone.
        if message is None or nearness < SAID_FROM:
            continue
        if any(tells_most(one.description, gone) or tells_most(said, one) for one in live):
            continue
        if (fact := build_fact(gone, said, message=message, chunk=chunk)) is not None:
            found.setdefault(fact.draft.content, fact)
    return [*found.values()]


def is_noted(said: str, message: Message, noted: Sequence[tuple[int, str]]) -> bool:
    """Whether a statement tells what was noted of its message, a fact being given with its message."""
    terms = text.extract_terms(said)
    return any(pk == message.pk and changing.tells_same(extract_own_terms(told), terms) for pk, told in noted)


def weigh(said: str, vector: Sequence[float] | None, gone: ConceptNode) -> float:
    """Weigh by words or else by vectors how surely a statement tells what is gone."""
    if tells_most(said, gone) or tells_first(said, gone.description):
        return 1.0
    is_readable = gone.embedding is not None and gone.embedding_model == embedding.get_model_name()
    if vector is None or not is_readable or not shares_thing(said, gone.description):
        return 0.0
    return rescale(compute_cosine(vector, gone.embedding), baseline=embedding.get_cosine_baseline(said))


def tells_first(said: str, gone: str) -> bool:
    """Whether a statement tells all of the first clause of a fact: "I write poetry" of "The user writes poetry, awful stuff"."""
    first = letting_go.MARK.split(gone.replace("用户", "我"))[0]
    is_enough = len(wording.list_firm_words(first)) >= letting_go.LEAST_WORDS
    return is_enough and any(
        wording.tells(clause, first) and wording.is_negated(clause) == wording.is_negated(first)
        for clause in letting_go.MARK.split(said)
    )


def shares_thing(said: str, gone: str) -> bool:
    """Whether a clause has a word of a fact that is no name, denies no more than the clause of it does, and has no other number; of
    Chinese two characters side by side.
    """
    names = {text.stem(word) for word in find_names(gone)}
    pairs = [
        (own, told)
        for own in letting_go.MARK.split(said)
        for told in letting_go.MARK.split(gone)
        if holds_thing(own, told, names=names) and wording.is_negated(own) == wording.is_negated(told)
    ]
    own = " ".join(clause for clause, _ in pairs)
    return bool(pairs) and not values.differ(values.read_numbers(own), values.read_numbers(gone))


def holds_thing(said: str, gone: str, *, names: Collection[str]) -> bool:
    if pairs := wording.list_pairs(gone.replace("用户", "我")):
        return any(pair in said for pair in pairs)
    own = wording.list_words(said)
    return any(wording.holds_words(own, [one]) for one in wording.list_firm_words(gone) if one not in names)


def list_statements(chunk: Chunk) -> Iterator[tuple[Message, str]]:
    """List what the user states, but for wishes to forget."""
    for line in chunk.lines:
        if line.message.role == Message.Role.USER:
            for whole in passages.split_statements(line.text):
                said = cut_reported(whole)
                if said and not (letting_go.lets_go(said) or passages.is_imagined(said)):
                    yield line.message, said


def cut_reported(said: str) -> str:
    """Return what the user says themselves before what another said: "we are trying again, the doctor says we can"."""
    if not passages.is_reported(said):
        return said
    clauses = letting_go.MARK.split(said)
    own = [*takewhile(lambda clause: not passages.is_reported(clause), clauses)]
    return ", ".join(clause.strip() for clause in own) if len(own) < len(clauses) else ""


def build_fact(gone: ConceptNode, said: str, *, message: Message, chunk: Chunk) -> ExtractedFact | None:
    """Build a fact in the words of the old one, where the statement says all of them, else in its own; none where it may not be noted."""
    is_whole = {*extract_own_terms(gone.description)} <= {*text.extract_terms(said)}
    # "Marjorie does not know" is not so once she "found me out".
    is_same = is_whole and wording.is_negated(gone.description) == wording.is_negated(said)
    content = gone.description if is_same else days.write_out(third_person.turn(said), today=message.day)
    try:
        [prepared] = drafts.prepare([FactDraft(content=content, facet=gone.facet, confidence=CONFIDENCE)])
    except FactError:
        return None
    return ExtractedFact(
        index=gone.pk,
        key=f"extraction:{chunk.session_id}:{chunk.last_message_id}:{chunk.part}:anew{gone.pk}",
        prepared=prepared,
        how="",
        target=None,
        names_target=False,
        sources=[message],
    )
