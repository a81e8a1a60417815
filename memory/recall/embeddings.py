"""Make vectors in batches behind the conversation: of new messages, and of rows with another model's vectors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from echovessel.embeddings import embedding, vectors
from memory.entities import matching
from memory.models import ConceptNode, Entity, EntityAlias, Message
from memory.models.messages import MessageQuerySet
from memory.recall import main_directions

BATCH = 32


def embed_bond(*, bond_id: int) -> int:
    """Make the missing vectors of a bond's messages. Returns how many it looked at. Raises EmbeddingError."""
    made = embed_missing(Message.objects.filter(bond=bond_id))
    main_directions.renew(bond_id=bond_id)
    return made


def embed_session(*, session_id: int) -> int:
    return embed_missing(Message.objects.filter(session=session_id))


def embed_missing(messages: MessageQuerySet) -> int:
    return reembed_rows(messages.not_deleted().not_off_record().filter(embedding_model=""), most=None)


def find_outdated_rows() -> dict[str, QuerySet[Any]]:
    """Find rows, by kind, without a vector of this model: recall skips them."""
    other = ~Q(embedding_model=embedding.get_model_name())
    return {
        "lines": Message.objects.not_deleted().not_off_record().filter(other),
        "memories": ConceptNode.objects.not_deleted().filter(other),
        "people and things": Entity.objects.not_deleted_or_merged().filter(other),
    }


def embed_restored(*, bond_id: int, say: Callable[[str, int], None] = lambda kind, count: None) -> int:
    """Make the vectors of all rows of a bond that have none of this model. Raises EmbeddingError."""
    made = 0
    for kind, rows in find_outdated_rows().items():
        own = rows.filter(bond=bond_id)
        made += reembed_rows(own, most=None, say=lambda count, kind=kind: say(kind, count))  # type: ignore[misc]  # a default binds it
    main_directions.renew(bond_id=bond_id)
    return made


def reembed(*, most: int | None = None, say: Callable[[str, int], None] = lambda kind, count: None) -> int:
    """Replace at most `most` vectors of other models. Returns how many. Raises EmbeddingError.

    Each batch is one transaction: conversations go on meanwhile, and an interrupted call can be repeated.
    """
    made = 0
    for kind, rows in find_outdated_rows().items():
        left = None if most is None else most - made
        made += reembed_rows(rows, most=left, say=lambda count, kind=kind: say(kind, count))  # type: ignore[misc]  # a default binds it
    main_directions.renew_outdated()
    return made


def reembed_rows(rows: QuerySet[Any], *, most: int | None, say: Callable[[int], None] = lambda count: None) -> int:
    made, is_last = 0, False
    while not is_last and (most is None or made < most):
        asked = BATCH if most is None else min(BATCH, most - made)
        batch = list(rows.order_by("id")[:asked])
        # Nothing is asked for behind a batch that is not full.
        is_last = len(batch) < asked
        if batch:
            store_vectors(rows.model, {row.pk: vector for row, vector in zip(batch, embed_batch(batch), strict=True)})
            made += len(batch)
            say(made)
    return made


def store_vectors(model: type[Any], found: Mapping[int, Sequence[float] | None]) -> None:
    """Update only the vectors: rows may have changed since they were read. They are locked in the order of their ids."""
    table = model._meta.db_table
    statement = f"""
        UPDATE {table} SET embedding = given.vector::halfvec, embedding_model = %s
        FROM unnest(%s::bigint[], %s::text[]) AS given(id, vector)
        WHERE {table}.id = given.id AND {table}.id IN (SELECT id FROM {table} WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE)
    """
    ids = sorted(found)
    with connection.cursor() as cursor:
        cursor.execute(statement, [embedding.get_model_name(), ids, [vectors.as_text(found[pk]) for pk in ids], ids])


def embed_batch(batch: Sequence[Any]) -> list[list[float] | None]:
    if isinstance(batch[0], Entity):
        names = EntityAlias.objects.not_deleted().filter(entity__in=batch).order_by("id")
        others = {entity.pk: [name.name for name in names if name.entity_id == entity.pk] for entity in batch}
        return matching.embed_names([[entity.canonical_name, *others[entity.pk]] for entity in batch])
    return embedding.embed([row.content if isinstance(row, Message) else row.description for row in batch])
