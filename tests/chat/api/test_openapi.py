import json
import re

import pytest
from django.conf import settings
from django.core.management import call_command
from jsonschema import Draft202012Validator

from chat.api.serializers import AccountErasureBody, BondErasureBody
from tests.chat.api.test_strangers import ALL

JSON = "application/json"


@pytest.fixture(scope="module")
def description(tmp_path_factory):
    file = tmp_path_factory.mktemp("openapi") / "schema.json"
    call_command("spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json", "--file", str(file))
    return json.loads(file.read_text())


def operations(description):
    return {
        f"{method.upper()} {path}": operation
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }


def bodies(operation):
    for holder in (operation.get("requestBody", {}), *operation["responses"].values()):
        yield from holder.get("content", {}).items()


def test_every_operation_is_described_without_warnings(description):
    described = {
        (path.removeprefix("/api/"), method) for path, methods in description["paths"].items() for method in methods
    }

    assert described == {("auth/login/", "post")} | {
        (re.sub(r"<\w+:(\w+)>", r"{\1}", route), verb) for route, verb in ALL
    }


@pytest.mark.parametrize("part", ["operationId", "summary", "description", "tags"])
def test_every_operation_has_a_name_and_says_what_it_does(part, description):
    assert [name for name, operation in operations(description).items() if not operation.get(part)] == []


def test_no_operation_is_described_by_what_its_code_shares(description):
    said = {name: operation["description"] for name, operation in operations(description).items()}

    assert [name for name, text in said.items() if text.startswith(("A view below", "Below a bond"))] == []


@pytest.mark.parametrize(
    ("name", "body"),
    [("DELETE /api/me/", AccountErasureBody), ("DELETE /api/bonds/{bond_id}/", BondErasureBody)],
)
def test_what_erases_says_what_it_asks_for(name, body, description):
    described = operations(description)[name]["requestBody"]["content"][JSON]

    assert sorted(described["schema"]["properties"]) == sorted(body().fields)
    assert described["schema"]["required"] == sorted(body().fields)
    assert body(data=described["example"]).is_valid()


def test_every_body_has_an_example_of_its_shape(description):
    wrong, components = [], nullable(description["components"])
    for name, operation in operations(description).items():
        for kind, body in bodies(operation):
            if kind == JSON and "$ref" in body["schema"]:
                wrong += [f"{name}: {found}" for found in faults(body, components)]

    assert wrong == []


def faults(body, components):
    if "example" not in body:
        return [f"no example of {body['schema']['$ref']}"]
    validator = Draft202012Validator({**nullable(body["schema"]), "components": components})
    return [error.message for error in validator.iter_errors(body["example"])]


def nullable(schema):
    """Translate `nullable` of OpenAPI 3.0 into JSON Schema."""
    if isinstance(schema, list):
        return [nullable(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: nullable(value) for name, value in schema.items() if name != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") is True else plain


def test_every_operation_says_what_errors_are_like(description):
    answers = [operation["responses"] for operation in operations(description).values()]

    refs = {
        answer[status]["content"][JSON]["schema"]["$ref"]
        for answer in answers
        for status in answer
        if status == "default" or status >= "400"
    }
    assert refs == {"#/components/schemas/Error"}
    assert all({"401", "429", "default"} <= set(answer) for answer in answers)


def test_every_operation_is_shown_by_curl(description):
    shown = re.findall(r"^api (\w+) '?([^\s?']+)", (settings.BASE_DIR / "docs/api.md").read_text(), re.MULTILINE)
    patterns = {
        name: re.compile(re.sub(r"{\w+}", "[^/]+", name.replace("/api/", ""))) for name in operations(description)
    }

    calls = [f"{method} {path}" for method, path in shown]
    assert [name for name, pattern in patterns.items() if not any(map(pattern.fullmatch, calls))] == []
    assert [call for call in calls if not any(pattern.fullmatch(call) for pattern in patterns.values())] == []


@pytest.mark.django_db
def test_the_description_and_its_pages_are_there_for_all(client):
    schema = client.get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    page = client.get("/api/docs/")

    assert (schema.status_code, schema.json()["info"]["title"]) == (200, "EchoVessel")
    assert page.status_code == 200
    assert "https://" not in page.content.decode()
    assert "<script>" not in page.content.decode()
