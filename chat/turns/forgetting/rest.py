"""Keeps what else the messages told that a wish hides: who forgets an illness still has the allergy that was told in the same breath."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Prefetch, prefetch_related_objects

from echovessel import text
from echovessel.llm.offline.extraction.facts import tells_fact
from echovessel.llm.offline.text import passages, sentences, slots, third_person
from memory.facts import acts, matching
from memory.facts.checks import dangers, grave, lapses, remainder, told_parts, wording
from memory.facts.drafts import FactDraft, FactError
from memory.facts.rules import plain_wishes, told_before, wishes_to_forget
from memory.facts.writers import Writer
from memory.messages import tombstones
from memory.models import ConceptNode, FactWrite, Message, Tombstone
from personas.models import Bond

# So many things are noted; who told more in one message is not read for all of them.
NOTED_MOST = 6
ABOUT_YOU = ConceptNode.Facet.ABOUT_YOU.value
_CLAUSES = re.compile("[,，]")
_ENDS = " .!。！"
# A sentence about the user, and not about whom or what another names.
_OWN = re.compile(
    r"\W*(?:(?:and|also|oh|ps)\W+)*(?:i|i'm|i've|my|we|our)\b|\W*(?:还有|另外|对了)*[，,]?(?:我|咱)", re.IGNORECASE
)
_POINTS_BACK = re.compile(
    r"\b(?:it|he|him|his|she|her|hers|they|them|their|this|that|there)\b|[他她它这那]", re.IGNORECASE
)
logger = logging.getLogger("echovessel.turns")


@dataclass(frozen=True)
class Left:
    """What a message tells besides what is forgotten, as a fact would say it."""

    content: str
    lines: Sequence[Message]


def find_meant(said: str, wished: Sequence[str], *, known: Sequence[str] = ()) -> str:
    """Find the parts of a message that hold a word of the first of these texts that it holds any of, or else all of it."""
    divided = (told_parts.divide(said, one, known=known)[0] for one in wished if one)
    return next(filter(None, divided), said)


def find_left(
    bond: Bond, lines: Sequence[Message], *, facts: Sequence[ConceptNode], wished: Sequence[str], kept: str = ""
) -> list[Left]:
    """Find what these messages tell besides what is wished to be forgotten, and shall be a fact: what may harm, the user's name, and what
    a sentence of its own tells. All else that the same words tell goes, since it may tell on of what is forgotten: "my brother is in
    prison, got four years". What was forgotten or is over is not told by them any more. Where a wish says what is to be `kept`, that is
    found, too, of what a fact tells or else a message.
    """
    known = lapses.list_names(bond)
    gone = tombstones.find_forgotten_messages(bond, lines)
    told = [(wishes_to_forget.cut(line.content), [line]) for line in lines if line.pk not in gone]
    by_hand = [fact for fact in facts if fact.type == ConceptNode.Type.FACT and not fact.source_messages.exists()]
    told += [(fact.description, []) for fact in by_hand]
    past = ConceptNode.objects.for_bond(bond).facts().filter(state=ConceptNode.State.SUPERSEDED)
    over = [*past.filter(source_messages__in=lines).values_list("description", flat=True)]
    found = []
    if kept:
        facts_told = [(fact.description, list_told_in([fact])) for fact in facts if fact.type == ConceptNode.Type.FACT]
        found = find_kept(facts_told, wished, kept, known) or find_kept(told, wished, kept, known)
    for said, own in told:
        divided = (told_parts.divide(said, one, known=known) for one in wished if one)
        parts = next((left for meant, left in divided if meant), "")
        whole = [one.strip(_ENDS) for one in sentences.split(said)]
        for one in sentences.split(parts):
            content = third_person.turn(one)
            is_kept = (
                is_of_harm(content) or tells_name(content) or (one.strip(_ENDS) in whole and is_apart(one, wished))
            )
            if content and is_kept:
                found.append(Left(content, own))
    return [one for one in found if not any(wording.tells(other, one.content) for other in over)][:NOTED_MOST]


def find_kept(
    told: Sequence[tuple[str, Sequence[Message]]], wished: Sequence[str], kept: str, known: Sequence[str]
) -> list[Left]:
    """Find what these tell of what a wish says is to be kept; what it does not mean, where it names that in other words or as "the rest"."""
    found = []
    for said, lines in told:
        divided = (told_parts.divide(said, one, known=known, kept=kept) for one in wished if one)
        left = next((left for meant, left in divided if meant), "") or told_parts.divide(said, kept, known=known)[0]
        found += [
            Left(third_person.turn(one), lines)
            for one in sentences.split(left)
            if told_before.says_something(one) and not told_parts.holds_any(one, wished[0], known=known)
        ]
    return found[:NOTED_MOST]


def list_told_in(memories: Sequence[ConceptNode]) -> list[Message]:
    """List the user's messages that memories rest on. All sources are loaded at once, and kept in their `source_messages`."""
    sources = Message.objects.without_heavy_columns().order_by("id")
    prefetch_related_objects(memories, Prefetch("source_messages", sources))
    lines = (line for one in memories for line in one.source_messages.all() if line.role == Message.Role.USER)
    return [*dict.fromkeys(lines)]


def find_remainders(asking: Sequence[Message], about: Sequence[str]) -> dict[int, str]:
    """Find what is left of the messages of a wish without it and what is forgotten; of one that asks in words which no rule reads,
    and says no more, nothing is.
    """
    found = {}
    for line in asking:
        # What is to be kept is no news: "the Tesco part can stay".
        said, _ = plain_wishes.split_kept(line.content)
        is_about = remainder.is_about(said, about)
        says_more = is_about or len(passages.split_statements(said)) > 1
        left = remainder.leave_out(said, about) if is_about else said
        found[line.pk] = left if says_more and told_before.says_something(left) else ""
    return found


def tells_name(content: str) -> bool:
    return (slots.read_slot(content) or [""])[0] == ConceptNode.Slot.PREFERRED_NAME


def is_apart(sentence: str, wished: Sequence[str]) -> bool:
    """Whether a sentence tells a fact of the user, and nothing of what is wished to be forgotten: it shares no word with it and speaks
    of nobody as "she".
    """
    of_user = _OWN.match(sentence) and not _POINTS_BACK.search(sentence) and tells_fact(sentence)
    terms = set(text.extract_terms(sentence))
    return bool(of_user) and all(terms.isdisjoint(text.extract_terms(one)) for one in wished)


def is_of_harm(content: str) -> bool:
    return grave.is_grave(content) or any(dangers.read(clause) for clause in _CLAUSES.split(content))


def note(write: FactWrite, left: Sequence[Left], *, writer: Writer) -> None:
    """Note what is left and no fact tells. An undo of the forgetting takes it back: its messages tell it again. Raises LeaseLost."""
    noted = []
    for one in left:
        if matching.find_telling(bond=write.bond, content=one.content, facet=ABOUT_YOU):
            continue
        try:
            saved = acts.save(
                bond=write.bond,
                draft=FactDraft(content=one.content, facet=ABOUT_YOU),
                writer=replace(writer, messages=one.lines),
            )
        except FactError as error:
            logger.info("what is left of a forgotten message was not noted: %s", error.code)
            continue
        noted += [saved.pk] if saved is not None and saved.op == FactWrite.Op.SAVED else []
    if noted:
        FactWrite.objects.filter(pk=write.pk).update(before={**write.before, "noted": noted})


def list_kept(write: FactWrite) -> list[str]:
    """List the facts that stand and were told in the messages that a forgetting hides."""
    stones = Tombstone.objects.filter(bond=write.bond, of=Tombstone.Of.NODE, object_id=write.node_id)
    hidden = {message for stone in stones for message in stone.hidden}
    standing = ConceptNode.objects.for_bond(write.bond).live_facts().filter(source_messages__in=hidden)
    return [*standing.distinct().order_by("id").values_list("description", flat=True)]
