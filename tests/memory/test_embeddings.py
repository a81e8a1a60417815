import pytest

from memory import embeddings
from memory.models import Message
from tests.factories import NOW, BondFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db


def test_missing_vectors_are_made_in_batches_and_unusable_ones_are_noted(monkeypatch):
    monkeypatch.setattr(embeddings, "BATCH", 2)
    session = SessionFactory()
    for content in ("A white cat.", "小黑跳到脸上", "He jumps."):
        MessageFactory(session=session, content=content)

    assert embeddings.embed_session(session_id=session.pk) == 3
    assert embeddings.embed_session(session_id=session.pk) == 0

    lines = Message.objects.order_by("id")
    assert [(line.embedding is not None, line.embedding_model) for line in lines] == [
        (True, "hash"),
        (False, "hash"),
        (True, "hash"),
    ]


def test_deleted_lines_and_those_off_the_record_have_no_vector():
    bond = BondFactory()
    MessageFactory(session__bond=bond, deleted_at=NOW)
    MessageFactory(session__bond=bond, session__channel="api", session__off_record=True)
    MessageFactory(session=SessionFactory())

    assert embeddings.embed_bond(bond_id=bond.pk) == 0
    assert Message.objects.exclude(embedding_model="").count() == 0
