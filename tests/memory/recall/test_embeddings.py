import pytest
from django.core.management import call_command

from memory.models import Message
from memory.recall import embeddings
from tests.support.factories import (
    NOW,
    AliasFactory,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
)

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


def test_deleted_messages_and_those_off_the_record_have_no_vector():
    bond = BondFactory()
    MessageFactory(session__bond=bond, deleted_at=NOW)
    MessageFactory(session__bond=bond, session__channel="api", session__off_record=True)
    MessageFactory(session=SessionFactory())

    ConceptNodeFactory(bond=bond, deleted_at=NOW)

    assert embeddings.embed_bond(bond_id=bond.pk) == 0
    assert Message.objects.exclude(embedding_model="").count() == 0
    # The one of another bond.
    assert embeddings.reembed() == 1


def made_with_another(bond):
    """A line, a memory and a person whose vectors another model made."""
    line = MessageFactory(session=SessionFactory(bond=bond), content="A white cat.", embedding_model="another")
    node = ConceptNodeFactory(bond=bond, description="She paints.", embedding_model="another")
    entity = EntityFactory(bond=bond, canonical_name="小黑", embedding_model="another")
    AliasFactory(entity=entity, name="Inky")
    return line, node, entity


def test_rows_of_another_model_are_made_anew_and_only_these():
    rows = made_with_another(BondFactory())
    ConceptNodeFactory(bond=BondFactory(user__username="lin"), embedding_model="hash")
    said = []

    assert embeddings.reembed(say=lambda kind, count: said.append((kind, count))) == 3
    assert embeddings.reembed() == 0
    assert said == [("lines", 1), ("memories", 1), ("people and things", 1)]
    for row in rows:
        row.refresh_from_db()
        assert (row.embedding_model, row.embedding is not None) == ("hash", True)


def test_what_is_interrupted_goes_on_where_it_was():
    made_with_another(BondFactory())

    assert [embeddings.reembed(most=2), embeddings.reembed(most=2), embeddings.reembed(most=2)] == [2, 1, 0]


def test_the_command_says_how_far_it_is(capsys):
    made_with_another(BondFactory())
    call_command("reembed")

    assert capsys.readouterr().out.splitlines() == [
        "with hash: 1 lines, 1 memories, 1 people and things",
        "  lines: 1 of 1",
        "  memories: 1 of 1",
        "  people and things: 1 of 1",
        "3 made anew",
    ]
