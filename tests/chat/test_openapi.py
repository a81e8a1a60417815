import re

import pytest
import yaml
from django.core.management import call_command

from tests.chat.test_api_strangers import ALL


@pytest.fixture
def description(tmp_path):
    file = tmp_path / "schema.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(file))
    return yaml.safe_load(file.read_text())


def test_every_operation_is_described_without_warnings(description):
    described = {
        (path.removeprefix("/api/"), method) for path, methods in description["paths"].items() for method in methods
    }

    assert described == {("auth/login/", "post")} | {
        (re.sub(r"<\w+:(\w+)>", r"{\1}", route), verb) for route, verb in ALL
    }


def test_every_operation_says_what_errors_are_like(description):
    answers = [operation["responses"] for methods in description["paths"].values() for operation in methods.values()]

    assert {answer["default"]["content"]["application/json"]["schema"]["$ref"] for answer in answers} == {
        "#/components/schemas/Error"
    }


@pytest.mark.django_db
def test_the_description_and_its_pages_are_there_for_all(client):
    schema = client.get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    page = client.get("/api/docs/")

    assert (schema.status_code, schema.json()["info"]["title"]) == (200, "EchoVessel")
    assert page.status_code == 200
    assert "https://" not in page.content.decode()
    assert "<script>" not in page.content.decode()
