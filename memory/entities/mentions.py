"""Link entities to the nodes in which their names occur: in the text or, of an event, its source messages or its quote of a file."""

from collections.abc import Collection, Iterable, Sequence

from django.db.models import Q, QuerySet

from echovessel import text
from echovessel.llm.offline.text import parties
from memory.entities import lookup
from memory.entities.names import load_folded_names
from memory.models import ConceptNode, Entity, EntityAlias, Mention


def link(*, entity: Entity, nodes: Iterable[ConceptNode], names: Sequence[str] | None = None) -> None:
    """Link the entity to those of the nodes in which it occurs; `names` are its folded ones, where they are loaded."""
    names = load_folded_names(entity) if names is None else names
    Mention.objects.bulk_create(
        [Mention(bond_id=entity.bond_id, entity=entity, node=node) for node in nodes if occurs(names, node)],
        ignore_conflicts=True,
    )


def link_named(node: ConceptNode) -> None:
    """Link a thought to all entities that its text names."""
    named = lookup.find_named(bond=node.bond, said=node.description)
    Mention.objects.bulk_create(
        [Mention(bond_id=node.bond_id, entity=entity, node=node) for entity, _ in named], ignore_conflicts=True
    )


def link_each(entities: Collection[Entity], *, nodes: Iterable[ConceptNode], new: Collection[Entity]) -> None:
    """Link entities of a bond to those of the nodes in which they occur, and new ones to the facts that name them: they were noted
    before these were known.
    """
    names: dict[int, list[str]] = {entity.pk: [] for entity in entities}
    for entity, folded in EntityAlias.objects.not_deleted().filter(entity__in=names).values_list("entity", "folded"):
        names[entity].append(folded)
    told = filter_possible_mentions({name for entity in new for name in names[entity.pk]})
    bond_id = next(iter(entities)).bond_id
    facts = list(
        ConceptNode.objects.not_deleted().facts().filter(told, bond=bond_id).distinct().without_heavy_columns()
    )
    Mention.objects.bulk_create(
        [
            Mention(bond_id=bond_id, entity=entity, node=node)
            for entity in entities
            for node in (*nodes, *(facts if entity in new else ()))
            if occurs(names[entity.pk], node)
        ],
        ignore_conflicts=True,
    )


def relink(entity: Entity) -> None:
    """Link the entity to exactly the nodes in which its new names occur."""
    names = load_folded_names(entity)
    linked = entity.mentions.without_deleted_nodes().values("node")
    written = entity.aliases.not_deleted().values_list("name", flat=True)
    maybe = {
        node.pk: node
        for node in load_with_sources(filter_possible_mentions({*names, *written}) | Q(pk__in=linked), entity=entity)
    }
    gone = [pk for pk, node in maybe.items() if not occurs(names, node)]
    entity.mentions.filter(node__in=gone).delete()
    link(entity=entity, nodes=maybe.values(), names=names)


def filter_possible_mentions(names: Iterable[str]) -> Q:
    """Filter nodes that may hold one of these names; the database folds only case."""
    told = Q(pk__in=[])
    for name in names:
        told |= Q(description__icontains=name) | Q(source_quote__icontains=name)
        told |= Q(source_messages__content__icontains=name)
    return told


def load_with_sources(which: Q, *, entity: Entity) -> QuerySet[ConceptNode]:
    nodes = ConceptNode.objects.not_deleted().filter(which, bond=entity.bond_id)
    return nodes.distinct().prefetch_related("source_messages").without_heavy_columns().order_by("id")


def occurs(names: Iterable[str], node: ConceptNode) -> bool:
    told = [node.description, node.detail]
    # A fact says by itself what it is of; the message that told it may tell of others.
    if node.type != ConceptNode.Type.FACT:
        told.append(node.source_quote)
        told += [message.content for message in node.source_messages.all() if message.deleted_at is None]
    said = "\n".join(told)
    folded = text.fold(said)
    # Told of others, "my friend's dad", a word for a relative is no mention of the user's own.
    return any(text.contains_name(folded, name) and parties.tells_of(name, said) for name in names)
