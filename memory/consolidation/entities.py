"""Write the entities of a stored answer: match known ones, create new ones. No model is called."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from echovessel import events, text
from echovessel.embeddings import embedding
from echovessel.llm.offline.text import lexicon
from memory.answers import steps
from memory.answers.schemas import ENTITIES_MOST, EntityAnswer, parse_parts
from memory.consolidation import entity_resolution
from memory.entities import matching, merging, pairs
from memory.entities.mentions import link_each
from memory.entities.names import (
    add_names,
    fold_usable_names,
    list_own_names,
    map_by_names,
    pick_named,
)
from memory.messages import tombstones
from memory.models import ConceptNode, ConsolidationStep, Entity, FactWrite, Message
from personas.models import Bond

Phase = ConsolidationStep.Phase.ENTITIES
# Forms of a name begin with the same letters: Theodore and Theo.
_FORM = 3
_SAYS_SAME = r"^\W*{0}\W*(?:[.。!！]|$)|就是{0}|{0}的[^，,。]{{0,4}}[名号]|{0}['’]s (?:\w+ )?(?:nick)?name\b|\b(?:short|another name) for {0}|\bsame (?:person )?as {0}"


@dataclass(frozen=True)
class MentionedEntity:
    """An entity that an answer names: its kind, its names by their folded form, the vector of one name."""

    kind: str
    names: dict[str, str]
    vector: list[float] | None
    description: str = ""

    @property
    def name(self) -> str:
        return next(iter(self.names.values()))


def parse(step: ConsolidationStep, *, bond: Bond) -> tuple[list[MentionedEntity] | None, list[str]]:
    """Parse the entities of an answer, with their vectors; None where it has none. No transaction may be open."""
    answer = json.loads(step.answer).get("mentioned_entities")
    parts, notes = parse_parts(answer, EntityAnswer, what="entity", most=ENTITIES_MOST)
    return collect_mentioned(bond=bond, parts=parts) if parts else None, notes


def write_named(
    step: ConsolidationStep, met: list[MentionedEntity] | None, notes: list[str], *, bond: Bond, now: datetime
) -> ConsolidationStep:
    """Write the entities of an answer and what it says of pairs. Returns the step to be recorded."""
    if met:
        write_each(met, step=step, bond=bond, now=now)
    notes = [*notes, *entity_resolution.resolve_pairs(step=step, answer=json.loads(step.answer), now=now)]
    return steps.build_use(step, phase=Phase, has_found=met is not None, notes="\n".join(notes), now=now)


def write_each(met: Sequence[MentionedEntity], *, step: ConsolidationStep, bond: Bond, now: datetime) -> None:
    nodes = steps.load_nodes(step)
    messages = list(steps.load_messages(step))
    said = [text.fold(line.content) for line in messages if line.role == Message.Role.USER]
    there = drop_forgotten(met, bond=bond, messages=messages)
    left = [drop_strays(put_written_first(one, said=said), said=said) for one in there]
    # Whom an answer names one by one are different: Sam the chef is not Sam the flatmate.
    written = write(left, bond=bond, nodes=nodes, by=FactWrite.By.CLOSE, now=now, are_different=True)
    for entity, one in zip(written, left, strict=True):
        set_right(entity, met=one, said=said)


def collect_mentioned(*, bond: Bond, parts: Sequence[EntityAnswer]) -> list[MentionedEntity]:
    own = list_own_names(bond)
    named = [fold_usable_names([part.canonical_name, *part.aliases], own=own) for part in parts]
    vectors = matching.embed_names([list(names.values()) for names in named])
    return [
        MentionedEntity(kind=part.kind, names=names, vector=vector, description=part.description)
        for part, names, vector in zip(parts, named, vectors, strict=True)
        if names
    ]


def drop_forgotten(met: Sequence[MentionedEntity], *, bond: Bond, messages: Sequence[Message]) -> list[MentionedEntity]:
    """Drop forgotten names, unless the messages name them anew or an entity has them."""
    asked = [name for one in met for name in one.names.values()]
    found = {*map(text.fold, tombstones.find_forgotten_names(bond=bond, names=asked, lines=messages))}
    gone = found - map_by_names(bond=bond, names=[*found]).keys()
    left = [
        replace(one, names={folded: name for folded, name in one.names.items() if folded not in gone}) for one in met
    ]
    return [one for one in left if one.names]


def says_same(name: str, said: Sequence[str]) -> bool:
    """Whether a line tells of a name that it is this one, or one of theirs, or gives it alone, as an answer: "Magpie. She took shiny things"."""
    return any(name in line and re.search(_SAYS_SAME.format(re.escape(name)), line) for line in said)


def put_written_first(met: MentionedEntity, *, said: Sequence[str]) -> MentionedEntity:
    """Put a Chinese name that the user wrote before one that is written as it sounds."""
    written = (one for one in met.names if text.has_cjk(one) and any(text.contains_name(line, one) for line in said))
    first = None if text.has_cjk(met.name) else next(written, None)
    return replace(met, names={first: met.names[first], **met.names}) if first else met


def drop_strays(met: MentionedEntity, *, said: Sequence[str]) -> MentionedEntity:
    """Drop the names that the user's messages hold only apart from its own, and that are no form of it: a small model takes an ex and
    the new date for one. 就是Yiyang的中文名字 says that they are one.
    """
    own = text.fold(met.name)
    of_own = [line for line in said if text.contains_name(line, own)]
    strays = {
        name
        for name in met.names
        if of_own
        and not ({*name} & {*own} if text.has_cjk(own) else name[:_FORM] == own[:_FORM] or own in name)
        and any(text.contains_name(line, name) for line in said)
        and not any(text.contains_name(line, name) for line in of_own)
        and not any(says_same(one, said) for one in (own, name))
    }
    return replace(met, names={folded: name for folded, name in met.names.items() if folded not in strays})


def write(
    met: Sequence[MentionedEntity],
    *,
    bond: Bond,
    nodes: Sequence[ConceptNode],
    by: str,
    now: datetime,
    are_different: bool = False,
) -> list[Entity]:
    """Write entities with their names and mentions. `by` is who opens the doubt where one may be another; none is one of the others where
    they `are_different`.
    """
    by_name = map_by_names(bond=bond, names=[folded for one in met for folded in one.names])
    written: list[Entity] = []
    new: set[Entity] = set()
    for one in met:
        known = pick_named(one.names, by_name)
        different = {entity.pk for entity in by_name.values()} if are_different else ()
        entity = write_one(one, known, bond=bond, by=by, now=now, different=different)
        by_name = dict.fromkeys(one.names, entity) | by_name
        written.append(entity)
        new |= set() if known else {entity}
    if written:
        link_each(list(dict.fromkeys(written)), nodes=nodes, new=new)
    for entity, one in zip(written, met, strict=True):
        if one.description:
            fill_description(entity, description=one.description, nodes=nodes, now=now)
    return written


def write_one(
    met: MentionedEntity, known: Sequence[Entity], *, bond: Bond, by: str, now: datetime, different: Collection[int]
) -> Entity:
    """Write an entity with its names, of which `known` have one already; a new one is none of those with the ids `different`."""
    entity = known[0] if known else match_or_create(bond=bond, met=met, by=by, now=now, different=different)
    for other in known[1:]:
        merging.open_uncertain_pair(a=entity, b=other, by=by, now=now)
    if entity.last_mentioned_at != now:
        Entity.objects.filter(pk=entity.pk).update(last_mentioned_at=now)
        entity.last_mentioned_at = now
    add_names(entity=entity, names=met.names)
    return entity


def set_right(entity: Entity, *, met: MentionedEntity, said: Sequence[str]) -> None:
    """Let an entity go by the name that a message of the user gives in place of its own, 他不叫许知远，是徐知远, or of a word for a relative: Mark is "my
    husband" of whom was told before.
    """
    old, right = text.fold(entity.canonical_name), text.fold(met.name)
    denied = re.compile(rf"(?:\bnot|n't|\bno longer|不[叫是]|别叫)\W*(?:\bcalled\W+)?{re.escape(old)}")
    is_first_named = lexicon.is_kin_word(old) and not lexicon.is_kin_word(right)
    if old != right and (
        is_first_named or any(denied.search(line) and text.contains_name(line, right) for line in said)
    ):
        Entity.objects.filter(pk=entity.pk).update(canonical_name=met.name)


def fill_description(entity: Entity, *, description: str, nodes: Sequence[ConceptNode], now: datetime) -> None:
    """Store a description that an answer gives, over no other text.

    Only entities of its events get one: forgetting such an event must find the description.
    """
    bare = Entity.objects.filter(pk=entity.pk, description="", description_by="", mentions__node__in=nodes).distinct()
    by = Entity.Author.EXTRACTION
    if Entity.objects.filter(pk__in=bare).update(description=description, description_by=by, described_at=now):
        refs = {"entity": entity.pk}
        events.record(bond_id=entity.bond_id, type="memory.entity.description_updated", refs=refs, now=now)


def match_or_create(
    *, bond: Bond, met: MentionedEntity, by: str, now: datetime, different: Collection[int] = ()
) -> Entity:
    """Return the known entity that an unknown name means, or a new one; uncertain where the two may be the same."""
    like = matching.find_match(bond=bond, name=met.name, kind=met.kind, vector=met.vector)
    if like is not None and like.entity.pk in different:
        like = None
    if like is not None and like.is_same:
        return like.entity
    entity = Entity(
        bond=bond,
        canonical_name=met.name,
        kind=met.kind,
        merge_status=Entity.MergeStatus.UNCERTAIN,
        merge_target=None if like is None else like.entity,
        last_mentioned_at=now,
        created_at=now,
        embedding=met.vector,
        embedding_model=embedding.get_model_name(),
    )
    if like is None:
        merging.confirm(entity, now=now)
    else:
        entity.save()
        pairs.follow(bond, by=by, now=now)
    return entity
