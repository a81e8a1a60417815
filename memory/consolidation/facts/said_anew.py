"""Note again what was noted once, forgotten or undone, and is said anew: it needs no second wish."""

from collections.abc import Iterator

from echovessel import text
from echovessel.llm.offline.text import passages, third_person
from memory.consolidation.facts.noted_facts import tells_most
from memory.consolidation.facts.parse_facts import ExtractedFact
from memory.consolidation.transcript import Chunk
from memory.facts import drafts, standing
from memory.facts.checks.grounding import extract_own_terms
from memory.facts.drafts import FactDraft, FactError
from memory.facts.rules import days, letting_go
from memory.messages import tombstones
from memory.models import ConceptNode, Message
from personas.models import Bond

# What the user says themselves, and did not ask to remember.
CONFIDENCE = 0.8


def find(chunk: Chunk, *, bond: Bond) -> list[ExtractedFact]:
    """Find what the chunk says anew and no live fact tells, as facts with their vectors. No transaction may be open."""
    found: dict[str, ExtractedFact] = {}
    gone_before = tombstones.find_facts_gone_before(bond, message=chunk.last_message_id)
    if not gone_before:
        return []
    live = list(standing.load_live(bond).select_related("bond").without_heavy_columns())
    statements = [*list_statements(chunk)]
    for stone, gone in gone_before:
        for message, said in statements:
            # A thousand may be live: they are looked through only for a statement that tells what is gone.
            is_told = message.pk > stone.last_message_id and tells_most(said, gone)
            if not is_told or any(tells_most(one.description, gone) or tells_most(said, one) for one in live):
                continue
            if (fact := build_fact(gone, said, message=message, chunk=chunk)) is not None:
                found.setdefault(fact.draft.content, fact)
                break
    return [*found.values()]


def list_statements(chunk: Chunk) -> Iterator[tuple[Message, str]]:
    """List what the user states, but for wishes to forget."""
    for line in chunk.lines:
        if line.message.role == Message.Role.USER:
            for said in passages.split_statements(line.text):
                if not (letting_go.lets_go(said) or passages.is_imagined(said) or passages.is_reported(said)):
                    yield line.message, said


def build_fact(gone: ConceptNode, said: str, *, message: Message, chunk: Chunk) -> ExtractedFact | None:
    """Build a fact in the words of the old one, where the statement says all of them, else in its own; none where it may not be noted."""
    is_whole = {*extract_own_terms(gone.description)} <= {*text.extract_terms(said)}
    content = gone.description if is_whole else days.write_out(third_person.turn(said), today=message.day)
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
