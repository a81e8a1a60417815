import pytest
from django.db import connection

from echovessel.postgres.rows import build_model, list_columns
from memory.models import ConceptNode
from tests.support.factories import ConceptNodeFactory

pytestmark = pytest.mark.django_db


def test_a_row_becomes_what_the_orm_would_make_of_it_with_other_columns_deferred(django_assert_num_queries):
    stored = ConceptNodeFactory(description="A cat.")
    columns = ("id", "bond_id", "description")
    assert set(columns) < set(list_columns(ConceptNode))

    built = build_model(ConceptNode, columns, (stored.pk, stored.bond_id, "A cat."))
    like = ConceptNode.from_db(connection.alias, columns, (stored.pk, stored.bond_id, "A cat."))

    assert built == stored
    assert built.get_deferred_fields() == like.get_deferred_fields()
    assert (built._state.adding, built._state.db) == (like._state.adding, like._state.db)
    with django_assert_num_queries(2):
        assert (built.type, built.bond) == (stored.type, stored.bond)
