import pytest

from echovessel.models import BondEvent
from memory.entities import lookup
from memory.models import EntityRemark
from memory.story import cards
from tests.support.factories import NOW, EntityFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def nimbus(bond):
    return EntityFactory(bond=bond, canonical_name="Nimbus", kind="pet")


@pytest.fixture
def remarks(nimbus, scenes):
    """Two of the same label, of which the later replaced the first, and one that the description took up."""
    first, second, absorbed = (
        EntityRemark.objects.create(
            bond=nimbus.bond,
            entity=nimbus,
            scene=scene,
            label="coat",
            text=text,
            line=scene.last_message_id,
            created_at=NOW,
        )
        for scene, text in zip(scenes, ["Black.", "Grey.", "Striped."], strict=True)
    )
    EntityRemark.objects.filter(pk=first.pk).update(replaced_by=second)
    EntityRemark.objects.filter(pk=absorbed.pk).update(absorbed_at=NOW)
    return first, second, absorbed


def path(entity, *parts):
    return "/".join([f"/api/bonds/{entity.bond_id}/memory/entities/{entity.pk}/remarks", *map(str, parts), ""])


def shown(remark, **changed):
    told = {"id": remark.pk, "scene": remark.scene_id, "label": "coat", "text": remark.text, "line": remark.line}
    return told | {"created_at": "2026-11-21T20:00:00Z"} | changed


def on_card(entity):
    [named] = lookup.find_in_any(bond=entity.bond, texts=["Where is Nimbus?"], remarks=5)
    return named.remarks


def test_what_stands_on_a_card_is_listed(nimbus, remarks):
    _, second, _ = remarks
    mara = api(nimbus.bond.user)

    assert answered(mara.get(path(nimbus))) == (200, {"next": None, "previous": None, "results": [shown(second)]})
    assert answered(mara.get(path(nimbus, second.pk))) == (200, shown(second))
    assert on_card(nimbus) == ("coat: Grey.",)


def test_a_remark_is_changed_by_its_owner(nimbus, remarks):
    _, second, _ = remarks

    response = api(nimbus.bond.user).patch(path(nimbus, second.pk), {"text": "Grey, with a white paw.", "label": ""})

    assert answered(response) == (200, shown(second, text="Grey, with a white paw.", label=None))
    assert on_card(nimbus) == ("Grey, with a white paw.",)
    logged = BondEvent.objects.get(bond_id=nimbus.bond_id)
    assert (logged.type, logged.refs) == ("memory.entity.description_updated", {"entity": nimbus.pk})


def test_a_secret_in_a_remark_is_masked(nimbus, remarks):
    response = api(nimbus.bond.user).patch(path(nimbus, remarks[1].pk), {"text": "Chip 4111 1111 1111 1111."})

    assert response.json()["text"] == "Chip [secret]."


def test_without_a_remark_the_one_it_replaced_stands_again(nimbus, remarks):
    first, second, _ = remarks
    mara = api(nimbus.bond.user)

    assert answered(mara.delete(path(nimbus, second.pk))) == (204, None)
    assert answered(mara.get(path(nimbus, second.pk))) == NOT_FOUND
    assert mara.get(path(nimbus)).json()["results"] == [shown(first)]


@pytest.mark.parametrize(
    ("body", "code", "field", "detail"),
    [
        ({"text": " "}, "invalid", "text", "This text is blank."),
        ({"text": "a\nb"}, "invalid", "text", "This must be one line, without control characters."),
        ({"text": "a" * 201}, "too_long", "text", "This text has 201 characters; at most 200 are allowed."),
        ({"label": "a" * 31}, "too_long", "label", "This text has 31 characters; at most 30 are allowed."),
        ({"scene": 1}, "unknown_field", "scene", "Unknown field; known are: label, text."),
    ],
)
def test_a_wrong_remark_is_refused(nimbus, remarks, body, code, field, detail):
    response = api(nimbus.bond.user).patch(path(nimbus, remarks[1].pk), body)

    assert answered(response) == (400, refusal(code, f"{field}: {detail}", {field: [detail]}))


def test_what_is_not_on_this_card_is_not_found(nimbus, remarks):
    first, second, absorbed = remarks
    other = EntityFactory(bond=nimbus.bond, canonical_name="Rex", kind="pet")
    mara = api(nimbus.bond.user)

    answers = [
        mara.patch(path(nimbus, first.pk), {"text": "Blue."}),
        mara.delete(path(nimbus, absorbed.pk)),
        mara.get(path(other, second.pk)),
    ]

    assert [answered(one) for one in answers] == [NOT_FOUND] * 3


@pytest.mark.parametrize(
    "act",
    [
        lambda one: cards.change_remark(remark=one, now=NOW, text="Red."),
        lambda one: cards.remove_remark(remark=one, now=NOW),
    ],
)
def test_a_remark_that_went_meanwhile_is_neither_changed_nor_removed(remarks, act):
    read_before = EntityRemark.objects.get(pk=remarks[1].pk)
    remarks[1].delete()

    with pytest.raises(EntityRemark.DoesNotExist):
        act(read_before)

    assert not BondEvent.objects.exists()
