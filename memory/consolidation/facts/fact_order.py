"""Tell what was told first: an older line is history of what was stated after it, and never against it."""

from collections.abc import Sequence
from datetime import datetime

from echovessel import text
from memory.consolidation.facts.parse_facts import ExtractedFact
from memory.facts import matching
from memory.facts.drafts import FactDraft
from memory.facts.rules import over, reading
from memory.facts.rules.acts import Op
from memory.models import ConceptNode, Message


def is_told_before(found: ExtractedFact, standing_fact: ConceptNode) -> bool:
    """Whether all lines of a fact of an answer are older than the last word on one that stands.

    Of two facts of one line the one whose value comes first in it is the older.
    """
    last = max(found.sources, key=lambda message: message.pk, default=None)
    if last is None:
        return False
    source = standing_fact.source_messages.order_by("-id").first()
    if source is not None and last.pk < source.pk:
        return True
    if source is not None and last.pk == source.pk:
        return comes_first(last, found.draft.value, standing_fact.value)
    acted_at = find_last_act(standing_fact, source)
    return acted_at is not None and last.created_at < acted_at


def find_ending(found: ExtractedFact, *, said: Sequence[Message]) -> Message | None:
    """Find the first later line, of those that the user said, that says that a fact is over: "I quit my job as a nurse", "Canela died"."""
    if not found.user_lines:
        return None
    last = max(found.user_lines)
    return next((line for line in said if line.pk > last and ends(line.content, found.draft)), None)


def ends(said: str, draft: FactDraft) -> bool:
    if draft.slot:
        acts = reading.read_acts([said], [], {draft.slot: draft.value})
        return any(act.op == Op.END and act.slot == draft.slot for act in acts)
    acts = reading.read_told([said])
    is_over = any(over.is_over(draft.content, ending) for act in acts for ending in act.endings)
    return is_over or any(matching.takes_place(act, draft.content) for act in acts if act.change)


def comes_first(message: Message, value: str, later: str) -> bool:
    said = text.fold(message.content)
    first, second = said.rfind(text.fold(value)), said.rfind(text.fold(later))
    return bool(value and later) and 0 <= first < second


def find_last_act(fact: ConceptNode, source: Message | None) -> datetime | None:
    """Find when a fact was last confirmed, or written without a line of its own; None where it rests on its lines alone."""
    is_of_page = fact.tier == ConceptNode.Tier.STATED and (source is None or fact.origin == ConceptNode.Origin.USER)
    written_at = fact.created_at if is_of_page else None
    return max(filter(None, (written_at, fact.last_confirmed_at)), default=None)
