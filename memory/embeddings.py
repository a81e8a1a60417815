"""Vectors of lines, made in batches behind the talk."""

from django.db.models import Q, QuerySet

from echovessel import embedding
from memory.models import Message

BATCH = 32


def embed_bond(*, bond_id: int) -> int:
    """Make the missing vectors of a bond's lines. Returns how many lines it looked at. Raises EmbeddingError."""
    return embed_missing(Message.objects.filter(bond=bond_id))


def embed_session(*, session_id: int) -> int:
    return embed_missing(Message.objects.filter(session=session_id))


def embed_missing(lines: QuerySet[Message]) -> int:
    missing = lines.filter(Q(embedding_model=""), deleted_at=None, session__off_record=False).order_by("id")
    looked_at = 0
    while batch := list(missing.only("id", "content")[:BATCH]):
        for line, vector in zip(batch, embedding.embed([line.content for line in batch]), strict=True):
            line.embedding = vector
            line.embedding_model = embedding.model_name()
        Message.objects.bulk_update(batch, ["embedding", "embedding_model"])
        looked_at += len(batch)
    return looked_at
