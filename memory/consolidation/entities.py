"""People and things of an answer, by alias; from the stored answer, without another call."""

import json
from datetime import datetime

from echovessel import embedding, events
from memory import text
from memory.consolidation import steps
from memory.consolidation.lease import Lease
from memory.models import ConceptNode, ConsolidationStep, Entity, EntityAlias, Mention, Session
from memory.schemas import EntityAnswer, read_list
from memory.secrets import MASK

ENTITIES_MOST = 40
# Folding writes some single characters as several.
FOLDED_MOST = 240
Phase = ConsolidationStep.Phase.ENTITIES


def resolve(*, session: Session, lease: Lease, now: datetime) -> None:
    """Write the entities of each extraction that has not had its turn. Raises LeaseLost."""
    for step in steps.waiting_for(session=session, phase=Phase):
        answers, notes = read_list(
            json.loads(step.answer).get("mentioned_entities"), EntityAnswer, what="entity", most=ENTITIES_MOST
        )
        vectors = embedding.embed([answer.canonical_name for answer in answers])
        with lease.writing() as locked:
            nodes = steps.nodes_of(step)
            for answer, vector in zip(answers, vectors, strict=True):
                write(session=locked, answer=answer, vector=vector, nodes=nodes, now=now)
            steps.record(
                session=locked,
                last_message_id=step.last_message_id,
                part=step.part,
                phase=Phase,
                outcome=ConsolidationStep.Outcome.DONE if answers else ConsolidationStep.Outcome.EMPTY,
                now=now,
                notes="\n".join(notes),
            )


def write(
    *, session: Session, answer: EntityAnswer, vector: list[float] | None, nodes: list[ConceptNode], now: datetime
) -> None:
    names = own_names(session=session, names=[answer.canonical_name, *answer.aliases])
    if not names:
        return
    entity = known(session=session, names=names)
    if entity is None:
        entity = Entity.objects.create(
            bond=session.bond,
            canonical_name=next(iter(names.values())),
            kind=answer.kind,
            last_mentioned_at=now,
            created_at=now,
            embedding=vector,
            embedding_model=embedding.model_name(),
        )
        events.record(bond_id=session.bond_id, type="memory.entity.confirmed", refs={"entity": entity.pk}, now=now)
    else:
        entity.last_mentioned_at = now
        entity.save(update_fields=["last_mentioned_at"])
    add_names(entity=entity, names=names)
    link(entity=entity, nodes=nodes)


def own_names(*, session: Session, names: list[str]) -> dict[str, str]:
    """Names by their folded form, without secrets and the names of the user and the persona themselves."""
    user, persona = session.bond.user, session.bond.persona
    not_third_parties = {text.fold(name) for name in (user.username, user.shown_name, persona.name, "user", "用户")}
    by_folded = {text.fold(name): name for name in reversed(names)}
    return {
        folded: by_folded[folded]
        for folded in map(text.fold, names)
        if 0 < len(folded) <= FOLDED_MOST and folded not in not_third_parties and MASK not in by_folded[folded]
    }


def known(*, session: Session, names: dict[str, str]) -> Entity | None:
    """The entity that already goes by one of the names, the first of them counting most."""
    aliases = EntityAlias.objects.filter(bond=session.bond, folded__in=names, deleted_at=None, entity__deleted_at=None)
    by_folded = {alias.folded: alias.entity for alias in aliases.select_related("entity")}
    return next((by_folded[folded] for folded in names if folded in by_folded), None)


def add_names(*, entity: Entity, names: dict[str, str]) -> None:
    """Add the names that nothing in the bond goes by yet."""
    EntityAlias.objects.bulk_create(
        [EntityAlias(bond=entity.bond, entity=entity, name=name, folded=folded) for folded, name in names.items()],
        ignore_conflicts=True,
    )


def link(*, entity: Entity, nodes: list[ConceptNode]) -> None:
    """Link the entity to the nodes in whose text or source lines one of its names occurs."""
    names = list(entity.aliases.filter(deleted_at=None).values_list("folded", flat=True))
    Mention.objects.bulk_create(
        [Mention(bond=entity.bond, entity=entity, node=node) for node in nodes if occurs(names, node)],
        ignore_conflicts=True,
    )


def occurs(names: list[str], node: ConceptNode) -> bool:
    written = [node.description, *(message.content for message in node.source_messages.all())]
    folded = text.fold("\n".join(written))
    return any(text.contains_name(folded, name) for name in names)
