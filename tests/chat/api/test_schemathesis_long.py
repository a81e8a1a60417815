"""Very many requests generated from the OpenAPI description. A file of its own, since collecting them takes seconds."""

import pytest
from hypothesis import settings

from tests.chat.api import test_schemathesis
from tests.chat.api.test_schemathesis import PATIENT, ask, schema

pytestmark = [pytest.mark.django_db, pytest.mark.soak]
keep_connection, ids_of_mara, world, token = (
    test_schemathesis.keep_connection,
    test_schemathesis.ids_of_mara,
    test_schemathesis.world,
    test_schemathesis.token,
)


@schema.parametrize()
@settings(PATIENT, max_examples=300)
def test_no_request_of_very_many_breaks_the_description(case, world, token):
    ask(case, world, token)
