import pytest

from echovessel.llm.protocol import ReplyOptions
from personas import answering
from personas.models import Persona
from tests.support.factories import PersonaFactory, UserFactory
from tests.support.model_server import ModelServer
from tests.support.rest import answered, api

pytestmark = pytest.mark.django_db
UNSET = {"model": None, "temperature": None, "top_p": None, "tokens": None, "length": None}


@pytest.fixture
def persona():
    return PersonaFactory(owner=UserFactory(username="mara"))


@pytest.fixture
def listing(settings):
    """A server that lists two models."""
    with ModelServer() as server:
        settings.MODEL_SERVER, settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = True, "sk-secret", server.url
        server.models = ["big", "small"]
        yield server


def change(persona, **answers):
    return api(persona.owner).patch(f"/api/personas/{persona.pk}/", {"answers": answers})


def test_settings_are_set_one_by_one_and_cleared_with_null(persona):
    first = change(persona, temperature=0, length="short").json()["answers"]
    second = change(persona, temperature=None, top_p=0.5, tokens=300).json()["answers"]

    assert first == UNSET | {"temperature": 0.0, "length": "short"}
    assert second == UNSET | {"top_p": 0.5, "tokens": 300, "length": "short"}
    persona.refresh_from_db()
    assert answering.build_options(persona) == ReplyOptions(top_p=0.5, max_tokens=300)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("temperature", "hot", "This must be a number from 0 to 2, or null."),
        ("temperature", -0.01, "This must be a number from 0 to 2, or null."),
        ("temperature", 2.01, "This must be a number from 0 to 2, or null."),
        ("top_p", 0, "This must be a number from 0.01 to 1, or null."),
        ("top_p", 1.01, "This must be a number from 0.01 to 1, or null."),
        ("tokens", 15, "This must be a whole number from 16 to 32000, or null."),
        ("tokens", 32_001, "This must be a whole number from 16 to 32000, or null."),
        ("tokens", 1.5, "This must be a whole number from 16 to 32000, or null."),
        ("length", "huge", '"huge" is not a valid choice; allowed: short, long.'),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(persona, name, value, said):
    response = change(persona, **{name: value})

    assert response.status_code == 400
    assert response.json()["fields"] == {f"answers.{name}": [said]} or response.json()["fields"]["answers"][name] == [
        said
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [("temperature", 0), ("temperature", 2), ("top_p", 0.01), ("top_p", 1), ("tokens", 16), ("tokens", 32_000)],
)
def test_the_ends_of_each_range_are_allowed(persona, name, value):
    assert change(persona, **{name: value}).json()["answers"][name] == value


@pytest.mark.parametrize("value", ["NaN", "Infinity"])
def test_what_is_no_number_is_refused(persona, value):
    assert change(persona, temperature=value).status_code == 400


def test_a_model_that_the_server_does_not_list_is_refused_with_those_it_has(persona, listing):
    refused = change(persona, model="huge")
    taken = change(persona, model="small")

    assert refused.status_code == 400
    assert "no model “huge”. It has: big, small." in refused.content.decode()
    assert taken.json()["answers"]["model"] == "small"


def test_where_the_server_tells_no_models_any_is_taken(persona, listing):
    listing.will("status", status=404, feature="models")

    assert change(persona, model="huge").json()["answers"]["model"] == "huge"


def test_only_its_owner_sees_and_sets_them(persona):
    Persona.objects.update(visibility="shared", answer_length="short")
    charlie = api(UserFactory(username="charlie"))

    assert charlie.get(f"/api/personas/{persona.pk}/").json()["answers"] is None
    assert answered(charlie.patch(f"/api/personas/{persona.pk}/", {"answers": {"length": None}}))[0] == 403
