"""Requests generated from the OpenAPI description: none makes the server fail or answer something undescribed.

The application is called in process, within the test's transaction, as by Django's test client. Only the beginning of
an endless stream is read.
"""

import asyncio
from contextlib import aclosing, closing
from functools import cache

import pytest
import schemathesis
from asgiref.sync import async_to_sync
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, settings
from schemathesis import checks
from schemathesis.pytest.lazy import get_all_tests

from tests.chat.api import test_strangers
from tests.support.rest import token_of

pytestmark = pytest.mark.django_db
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
# Smaller ids are replaced by existing ones; larger and odder ones are sent as they are.
SMALL = 10_000
DEADLINE_SECONDS = 20


@pytest.fixture(autouse=True)
def keep_connection():
    """Keep the test's transaction after a request, as Django's test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@cache
def handler():
    return get_wsgi_application()


def application(environ, start_response):
    """The application with the settings of tests; its answers are read whole and closed."""
    answer = handler()(environ, start_response)
    with closing(answer):
        return [beginning(answer) if getattr(answer, "is_async", False) else b"".join(answer)]


def beginning(stream):
    async def first():
        async with aclosing(stream._iterator) as parts:
            return await asyncio.wait_for(anext(parts), DEADLINE_SECONDS)

    return async_to_sync(first)()


def described(raw):
    schema = schemathesis.openapi.from_dict(raw)
    schema.app = application
    # Other methods are tested elsewhere.
    schema.config.phases.coverage.unexpected_methods = set()
    return schema


schema = described(SchemaGenerator().get_schema(request=None, public=True))
# Each of these many tests asks at every so manieth path.
PARTS = 8
ids_of_mara, world = test_strangers.ids_of_mara, test_strangers.mara


def on_what_is_there(case, ids):
    """Use existing ids: the description only says that ids are numbers."""
    known = dict(ids)
    kind = case.path.split("/memory/")[-1].split("/")[0]
    if kind in known:
        known["node_id"] = known[kind]
    for name, value in (case.path_parameters or {}).items():
        if name in known and isinstance(value, int) and 0 <= value < SMALL:
            case.path_parameters[name] = known[name]


@pytest.fixture
def token(world):
    """Created once a test, since that takes as long as a short answer."""
    return token_of(world["user"])


def ask(case, world, token):
    """Send one request and roll back what it does, so that each finds the same rows."""
    on_what_is_there(case, world)
    # A stream is described as text, which schemathesis would expect of each event.
    fitting = [check for check in CHECKS if check != checks.response_schema_conformance or "stream" not in case.path]
    with transaction.atomic():
        case.call_and_validate(headers={"Authorization": f"Token {token}"}, checks=fitting)
        transaction.set_rollback(True)


def test_no_operation_is_left_out():
    assert {(operation.ok().path, operation.ok().method) for operation in schema.get_all_operations()} == {
        (path, method) for path, methods in schema.raw_schema["paths"].items() for method in methods
    }


PATIENT = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_request_breaks_the_description(part, world, token, subtests):
    paths = dict(list(schema.raw_schema["paths"].items())[part::PARTS])
    few = settings(PATIENT, max_examples=5, derandomize=True)

    # Cases are made where they are sent, and not by each process that collects tests.
    for made in get_all_tests(
        schema=described({**schema.raw_schema, "paths": paths}), test_func=ask, settings=few, given_kwargs=None
    ):
        operation, send_all = made.ok()
        with subtests.test(operation.label):
            send_all(world=world, token=token)
