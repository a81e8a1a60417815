"""Apply an answer's statements about two names: they may be the same, or an uncertain pair is resolved."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from echovessel import text
from memory.answers import steps
from memory.answers.schemas import Clarification, PossibleSame, parse_part, parse_parts
from memory.entities import merging
from memory.entities.names import add_names, find_by_names, fold_usable_names, list_own_names, load_folded_names
from memory.messages import tombstones
from memory.models import ConsolidationStep, Entity, FactWrite, Message

PAIRS_MOST = 10
# Replaces a name that was found, so that no other name is found in it.
NAME_PLACEHOLDER = "\0"


def resolve_pairs(*, step: ConsolidationStep, answer: dict[str, Any], now: datetime) -> list[str]:
    """Apply an answer's statements about pairs, in the transaction of its entities. Returns notes on the dropped ones."""
    clarification, notes = parse_part(answer.get("entity_clarification"), Clarification, what="clarification")
    if clarification is not None:
        notes += apply_clarification(step=step, said=clarification, now=now)
    pairs, dropped = parse_parts(answer.get("possible_same"), PossibleSame, what="possible same", most=PAIRS_MOST)
    notes += dropped
    for pair in pairs:
        notes += apply_possible_same(step=step, pair=pair, now=now)
    return notes


def apply_clarification(*, step: ConsolidationStep, said: Clarification, now: datetime) -> list[str]:
    """Apply the answer about the uncertain pair that the prompt offered; ignore any other pair."""
    pair = step.pair
    if (
        pair is None
        or pair.merge_target is None
        or not is_not_deleted_or_merged(pair)
        or not is_not_deleted_or_merged(pair.merge_target)
    ):
        return ["clarification dropped: no pair was in doubt"]
    named = find_by_names(bond=pair.bond, names=map(text.fold, (said.canonical_a, said.canonical_b)))
    if {one.pk for one in named} != {pair.pk, pair.merge_target.pk}:
        return ["clarification dropped: it is not about the pair in doubt"]
    by = merging.Author.CLARIFIED
    if said.same:
        merging.merge_entities(kept=pair.merge_target, merged=pair, by=by, now=now)
    else:
        merging.separate_entities(a=pair, b=pair.merge_target, by=by, now=now)
    return []


def is_not_deleted_or_merged(entity: Entity) -> bool:
    return entity.deleted_at is None and entity.merged_into_id is None


def apply_possible_same(*, step: ConsolidationStep, pair: PossibleSame, now: datetime) -> list[str]:
    """Merge two entities that a user message calls the same; without such a message open an uncertain pair."""
    bond = step.session.bond
    a, b = (next(iter(find_by_names(bond=bond, names=[text.fold(name)])), None) for name in (pair.a, pair.b))
    line = load_stating_message(step=step, number=pair.stated_in)
    if a is None or b is None:
        return learn_name(step=step, pair=pair, known=a or b, line=line)
    if a.pk == b.pk:
        return []
    about = f"possible same {pair.a} / {pair.b} dropped"
    if a.kind != b.kind:
        return [f"{about}: one is a {a.kind}, the other a {b.kind}"]
    if merging.are_separate(a.pk, b.pk):
        return [f"{about}: they are known to be different"]
    if line is not None and holds_both(line, load_folded_names(a), load_folded_names(b)):
        older, newer = sorted((a, b), key=lambda one: (one.created_at, one.pk))
        merging.merge_entities(kept=older, merged=newer, by=merging.Author.STATED, now=now)
        return []
    is_pair = merging.open_uncertain_pair(a=a, b=b, by=FactWrite.By.CLOSE, now=now)
    return [] if is_pair else [f"{about}: another pair comes first"]


def learn_name(*, step: ConsolidationStep, pair: PossibleSame, known: Entity | None, line: str | None) -> list[str]:
    """Add a name that a message gives to a known entity, unless the name was forgotten since."""
    bond = step.session.bond
    names = fold_usable_names([pair.a, pair.b], own=list_own_names(bond))
    if known is None or len(names) < 2:
        return [f"possible same {pair.a} / {pair.b} dropped: not both are known"]
    [new] = [name for name in names if name not in load_folded_names(known)]
    if line is None or not holds_both(line, load_folded_names(known), [new]):
        return [f"possible same {pair.a} / {pair.b} dropped: one is not known, and no line of the user says it"]
    if tombstones.find_forgotten_names(bond=bond, names=[names[new]], lines=steps.load_messages(step)):
        return [f"possible same {pair.a} / {pair.b} dropped: one was forgotten"]
    add_names(entity=known, names={new: names[new]})
    return []


def load_stating_message(*, step: ConsolidationStep, number: int | None) -> str | None:
    """Return the folded text of the cited message, if the user wrote it."""
    said_by_user = Message.objects.visible().filter(role=Message.Role.USER)
    content = said_by_user.filter(pk=step.lines.get(str(number))).values_list("content", flat=True).first()
    return None if content is None else text.fold(content)


def holds_both(line: str, names: Iterable[str], others: Iterable[str]) -> bool:
    """Whether a folded message contains both names without overlap: "Anna Lind" is not Anna and Anna Lind."""
    return any(holds_apart(line, name, other) for name in names for other in others)


def holds_apart(line: str, a: str, b: str) -> bool:
    shorter, longer = sorted((a, b), key=len)
    return text.contains_name(line, longer) and text.contains_name(line.replace(longer, NAME_PLACEHOLDER), shorter)
