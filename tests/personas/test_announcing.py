import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from echovessel import events
from echovessel.models import BondEvent
from personas import announcing, editing
from personas.models import Bond
from tests.support.factories import NOW, BondFactory, PersonaFactory

pytestmark = pytest.mark.django_db
TYPE = "chat.settings.updated"


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def heard(bond):
    told = BondEvent.objects.filter(bond_id=bond.pk, type=TYPE).order_by("seq")
    return [event.refs["changed_fields"] for event in told]


def change(bond, **values):
    editing.change(persona=bond.persona, values=values, now=NOW)


@pytest.mark.parametrize(
    ("values", "changed"),
    [
        ({"name": "Ada"}, ["name"]),
        ({"name": "Ada", "tagline": "Counts.", "language": "zh"}, ["name", "tagline", "language"]),
        ({"facts": {"location": "Turin"}}, ["facts"]),
        ({"visibility": "shared"}, ["visibility"]),
    ],
    ids=str,
)
def test_what_changed_is_told_by_name_and_only_once(bond, values, changed):
    change(bond, **values)
    change(bond, **values)

    assert heard(bond) == [changed]


def test_another_picture_and_none_are_told(bond):
    for content in (b"a picture", b"", b""):
        editing.change_picture(persona=bond.persona, content=content, now=NOW)
        bond.persona.refresh_from_db()

    assert heard(bond) == [["avatar"], ["avatar"]]


def test_of_a_shared_companion_all_bonds_hear_it_and_no_others(bond):
    other, stranger = BondFactory(persona=bond.persona), BondFactory(user__username="charlie")

    change(bond, name="Ada")

    assert [heard(bond), heard(other), heard(stranger)] == [[["name"]], [["name"]], []]


@pytest.mark.parametrize("count", [1, 3])
def test_however_many_bonds_hear_it_two_queries_tell_them(count):
    persona = PersonaFactory()
    bonds = [BondFactory(persona=persona) for _ in range(count)]
    events.record(bond_id=bonds[0].pk, type=TYPE, refs={"changed_fields": ["user"]}, now=NOW)
    before = [events.get_last_seq(bond.pk) for bond in bonds]

    with CaptureQueriesContext(connection) as queries:
        announcing.announce_changes(Bond.objects.filter(persona=persona), changed=["model"], now=NOW)

    assert len(queries) == 2
    assert [events.get_last_seq(bond.pk) for bond in bonds] == [seq + 1 for seq in before]
    assert [heard(bond)[-1] for bond in bonds] == [["model"]] * count
