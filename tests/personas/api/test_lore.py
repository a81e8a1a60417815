import pytest

from personas.models import LoreEntry
from tests.support.factories import PersonaFactory, UserFactory
from tests.support.rest import NOT_FOUND, answered, api

pytestmark = pytest.mark.django_db
DEFAULTS = {
    "secondary_keys": [],
    "constant": False,
    "enabled": True,
    "selective": False,
    "case_sensitive": None,
    "use_regex": False,
    "priority": None,
    "insertion_order": 100,
}


@pytest.fixture
def mara():
    return UserFactory(username="mara")


@pytest.fixture
def persona(mara):
    return PersonaFactory(owner=mara)


def path(persona, more=""):
    return f"/api/personas/{persona.pk}/lore/{more}"


def test_entries_are_added_read_changed_and_deleted(mara, persona):
    client = api(mara)
    added = answered(client.post(path(persona), {"keys": ["Hive"], "content": "The angry one."}, format="json"))
    one = path(persona, f"{added[1]['id']}/")

    changed = answered(client.patch(one, {"keys": ["Mill"], "enabled": False, "priority": 5}, format="json"))

    shown = {"id": added[1]["id"], "keys": ["Hive"], "content": "The angry one.", **DEFAULTS}
    assert added == (201, shown)
    assert changed == (200, shown | {"keys": ["Mill"], "enabled": False, "priority": 5})
    assert answered(client.get(one)) == changed
    assert answered(client.get(path(persona)))[1]["results"] == [changed[1]]
    assert LoreEntry.objects.get().folded_keys == ["mill"]
    assert answered(client.delete(one)) == (204, None)
    assert answered(client.get(one)) == NOT_FOUND


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"content": "x" * 2001}, "content"),
        ({"content": ""}, "content"),
        ({"keys": ["k"]}, "content"),
        ({"content": "x", "keys": "k"}, "keys"),
        ({"content": "x", "keys": ["k"] * 51}, "keys"),
        ({"content": "x", "keys": ["k" * 101]}, "keys"),
        ({"content": "x", "priority": 2**31}, "priority"),
        ({"content": "x", "constant": "perhaps"}, "constant"),
        ({"content": "x", "position": "before_char"}, "position"),
    ],
)
def test_what_an_entry_cannot_be_is_refused_by_its_field(body, field, mara, persona):
    status, answer = answered(api(mara).post(path(persona), body, format="json"))

    assert (status, {name.split(".")[0] for name in answer["fields"]}) == (400, {field})
    assert LoreEntry.objects.count() == 0


def test_an_entry_of_another_persona_is_not_found(mara, persona):
    other = PersonaFactory(owner=mara)
    entry = LoreEntry.objects.create(persona=other, content="Theirs.")

    assert answered(api(mara).get(path(persona, f"{entry.pk}/"))) == NOT_FOUND
