import json
from base64 import urlsafe_b64encode

import pytest

from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal
from tests.support.talks import talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def address(bond):
    return f"/api/bonds/{bond.pk}/memory/search/"


def encoded(cursor):
    return urlsafe_b64encode(json.dumps(cursor).encode()).decode()


def test_what_is_found_is_shown_by_its_layer(bond):
    said = talk("我的猫叫小黑", bond=bond)
    cat = EntityFactory(bond=bond)

    assert answered(api(bond.user).get(address(bond), {"q": "小黑"})) == (
        200,
        {
            "next": None,
            "previous": None,
            "results": [
                {
                    "layer": "L2",
                    "id": said.messages.get().pk,
                    "type": "message",
                    "at": "2026-11-21T20:00:00Z",
                    "snippet": "我的猫叫[[小黑]]",
                    "session": said.pk,
                },
                {
                    "layer": "L5",
                    "id": cat.pk,
                    "type": "pet",
                    "at": "2026-11-21T20:00:00Z",
                    "snippet": "[[小黑]]",
                    "session": None,
                },
            ],
        },
    )


def test_only_the_layers_that_are_named_are_searched(bond):
    talk("A cat", bond=bond)
    ConceptNodeFactory(bond=bond)
    ConceptNodeFactory(bond=bond, type="thought")
    client = api(bond.user)

    found = {
        layers: [one["layer"] for one in client.get(address(bond), {"q": "cat", "layers": layers}).json()["results"]]
        for layers in ("L2", "L4,L3", "L5")
    }

    assert found == {"L2": ["L2"], "L4,L3": ["L3", "L4"], "L5": []}


def test_it_is_read_page_by_page(bond):
    for n in range(4):
        talk(*(f"Cat {n} {line}" for line in range(15)), bond=bond)
    ConceptNodeFactory(bond=bond)
    client = api(bond.user)

    first = client.get(address(bond), {"q": "cat"}).json()
    second = client.get(first["next"]).json()

    results = first["results"] + second["results"]
    assert (len(first["results"]), len(second["results"])) == (50, 11)
    assert len({(one["layer"], one["id"]) for one in results}) == 61
    assert second["next"] is None


@pytest.mark.parametrize(
    ("query", "code", "field", "detail"),
    [
        ({}, "invalid", "q", "This field is required."),
        ({"q": " "}, "invalid", "q", "This text is blank."),
        (
            {"q": "a\x00"},
            "invalid",
            "q",
            "This text has a character that cannot be stored (a NUL or half a surrogate pair).",
        ),
        ({"q": "a" * 201}, "too_long", "q", "This text has 201 characters; at most 200 are allowed."),
        (
            {"q": "cat", "layers": "L1"},
            "invalid",
            "layers",
            "There is no layer 'L1'; there are L2, L3, L4, L5.",
        ),
        ({"q": "cat", "layer": "L2"}, "unknown_field", "layer", "Unknown field; known are: cursor, q, layers."),
    ],
)
def test_a_query_that_is_none_is_refused(query, code, field, detail, bond):
    assert answered(api(bond.user).get(address(bond), query)) == (
        400,
        refusal(code, f"{field}: {detail}", {field: [detail]}),
    )


NO_PLACES: tuple[object, ...] = (
    [],
    {"L2": 1},
    {"L2": ["now", 1]},
    {"L2": [NOW.isoformat(), "x"]},
    {"L2": [NOW.isoformat(), 2**63]},
    {"L2": ["2026-11-21", 1]},
    {"L1": [NOW.isoformat(), 1]},
)


@pytest.mark.parametrize("cursor", ["x", "é", "2026", *map(encoded, NO_PLACES)])
def test_a_cursor_that_is_none_is_refused(cursor, bond):
    response = api(bond.user).get(address(bond), {"q": "cat", "cursor": cursor})

    assert answered(response) == (404, refusal("not_found", "Invalid cursor"))


def test_a_stranger_searches_nothing(bond):
    talk("A cat", bond=bond)
    charlie = BondFactory(user__username="charlie")
    client = api(charlie.user)

    assert answered(client.get(address(bond), {"q": "cat"})) == NOT_FOUND
    assert client.get(address(charlie), {"q": "cat"}).json()["results"] == []
