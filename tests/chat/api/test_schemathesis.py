"""Requests generated from the OpenAPI description: none makes the server fail or answer something undescribed.

The application is called in process, within the test's transaction, as by Django's test client. Only the beginning of
an endless stream is read.
"""

import asyncio
from contextlib import aclosing, closing
from functools import lru_cache
from itertools import count

import pytest
import schemathesis
from asgiref.sync import async_to_sync
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode
from schemathesis.generation.meta import CoverageScenario, TestPhase
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
DEADLINE_SECONDS = 20


@pytest.fixture(autouse=True)
def keep_connection():
    """Keep the test's transaction after a request, as Django's test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@lru_cache
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


@lru_cache
def description():
    return SchemaGenerator().get_schema(request=None, public=True)


def described(paths):
    schema = schemathesis.openapi.from_dict({**description(), "paths": paths})
    schema.app = application
    # Each request has a token that is one.
    schema.config.generation.update(with_security_parameters=False)
    # Other methods are tested elsewhere.
    schema.config.phases.coverage.unexpected_methods = set()
    asked, turn = set(), count()

    @schema.hook
    def filter_case(context, case):
        """Ask for each thing that is wrong with a parameter of a query once, since it comes as text whatever its type was;
        with a wrong type of content only what reads some; and of the five wrong types of each field of a body with one
        or two, each in its turn."""
        about = case.meta.phase.data
        if (case.meta.phase.name, case.meta.generation.mode) != WRONG:
            return True
        if about.scenario == CoverageScenario.MALFORMED_CONTENT_TYPE:
            return bool(context.operation.body)
        if about.parameter_location == ParameterLocation.QUERY:
            wrong = context.operation.label, about.scenario, about.parameter or about.description.partition(":")[0]
            return wrong not in asked and not asked.add(wrong)
        return about.scenario != CoverageScenario.INCORRECT_TYPE or next(turn) % 3 == 0

    return schema


WRONG = TestPhase.COVERAGE, GenerationMode.NEGATIVE
# Each of these many tests asks at every so manieth path.
PARTS = 16
ids_of_mara, world = test_strangers.ids_of_mara, test_strangers.mara


def filled(paths, ids):
    """The same paths with the ids of what is there; ids that are none have a test of their own."""
    return {
        path.format(**ids_in(path, ids)): {method: opened(one) for method, one in methods.items()}
        for path, methods in paths.items()
    }


def ids_in(path, ids):
    kind = path.split("/memory/")[-1].split("/")[0]
    return {**ids, "node_id": ids.get(kind)}


# With a wrong cursor, or no word to search for, nothing else of a query would be looked at.
QUERIES = {"cursor": [""], "q": ["cat", "猫"]}


def opened(operation):
    """Without ids in its path."""
    parameters = [one for one in operation.get("parameters", []) if one["in"] != "path"]
    known = {name: {"schema": {"type": "string", "enum": values}} for name, values in QUERIES.items()}
    return {**operation, "parameters": [one | known.get(one["name"], {}) for one in parameters]}


@pytest.fixture
def token(world):
    """Created once a test, since that takes as long as a short answer."""
    return token_of(world["user"])


def ask(case, token, asked):
    """Send one request and roll back what it does, so that each finds the same rows, and none is one too many.

    One that was right is not sent again, as it would be where there is an example or nothing to choose: its answer would be the same.
    """
    request = repr((case.operation.label, case.media_type, case.body, case))
    if request in asked:
        return
    cache.clear()
    # A stream is described as text, which schemathesis would expect of each event.
    fitting = [check for check in CHECKS if check != checks.response_schema_conformance or "stream" not in case.path]
    with transaction.atomic():
        case.call_and_validate(headers={"Authorization": f"Token {token}"}, checks=fitting)
        transaction.set_rollback(True)
    asked.add(request)


def ask_for_odd_ids(case, world, token, asked):
    """Send a request with ids of what is there, and in turn one that no column can hold."""
    known = {name: str(ids_in(case.path, world)[name]) for name in case.path_parameters or {}}
    for name in known:
        case.path_parameters = {**known, name: 10**20}
        ask(case, token, asked)


def test_no_operation_is_left_out():
    paths = description()["paths"]

    asked = {(operation.ok().path, operation.ok().method) for operation in described(paths).get_all_operations()}

    assert asked == {(path, method) for path, methods in paths.items() for method in methods}


PATIENT = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None)


def send_all(schema, send, how, subtests, **given):
    asked: set[int] = set()
    # Cases are made where they are sent, and not by each process that collects tests.
    for made in get_all_tests(schema=schema, test_func=send, settings=how, given_kwargs=None):
        operation, send_each = made.ok()
        with subtests.test(operation.label):
            send_each(**given, asked=asked)


def part_of(number, ids):
    return described(filled(dict(list(description()["paths"].items())[number::PARTS]), ids))


@pytest.mark.parametrize("part", range(PARTS))
def test_no_request_breaks_the_description(part, world, token, subtests):
    few = settings(PATIENT, max_examples=3, derandomize=True)

    send_all(part_of(part, world), ask, few, subtests, token=token)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_no_request_of_very_many_breaks_the_description(part, world, token, subtests):
    send_all(part_of(part, world), ask, settings(PATIENT, max_examples=300), subtests, token=token)


def test_no_odd_id_breaks_the_description(world, token, subtests):
    one = settings(PATIENT, max_examples=1, derandomize=True, phases=[Phase.generate])

    send_all(described(description()["paths"]), ask_for_odd_ids, one, subtests, world=world, token=token)
