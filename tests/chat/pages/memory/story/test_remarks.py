"""What scenes tell about a person or a thing, on its page."""

import pytest
from django.urls import reverse
from django.utils.translation import override

from chat.pages.display.labels import translate_slot
from memory.models import EntityRemark, Scene
from tests.support.factories import NOW, BondFactory, EntityFactory
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


@pytest.fixture
def remark(bond):
    nimbus = EntityFactory(bond=bond, canonical_name="Nimbus", kind="pet")
    scene = Scene.objects.create(bond=bond, last_message_id=7, closed_by="person", title="The vet", created_at=NOW)
    return EntityRemark.objects.create(
        bond=bond, entity=nimbus, scene=scene, label="coat", text="Black & grey.", line=7, created_at=NOW
    )


def act(client, remark, *, user_bond=None, **fields):
    address = reverse("act_on_remark", args=[(user_bond or remark.bond).pk, remark.entity_id, remark.pk])
    return client.post(address, fields, follow=True)


def see(client, remark):
    return markup_of(client.get(reverse("person", args=[remark.bond_id, remark.entity_id])))


def test_a_remark_stands_on_the_page_with_its_scene(mara, remark):
    page = see(mara, remark)

    assert "From your chats" in page
    assert "<strong>coat: </strong>Black &amp; grey." in page
    assert f'href="{reverse("scene", args=[remark.bond_id, remark.scene_id])}"' in page


def test_without_remarks_the_page_has_no_place_for_them(mara, remark):
    EntityRemark.objects.update(absorbed_at=NOW)

    assert "From your chats" not in see(mara, remark)


def test_a_remark_is_changed(mara, remark):
    answer = act(mara, remark, label=" fur ", text="Grey,\nwith a white paw.")

    assert "Saved." in markup_of(answer)
    assert list(EntityRemark.objects.values_list("label", "text")) == [("fur", "Grey, with a white paw.")]


@pytest.mark.parametrize("fields", [{"text": " "}, {"text": "a" * 201}, {"text": "Grey.", "label": "a" * 31}])
def test_a_wrong_change_is_refused(mara, remark, fields):
    answer = act(mara, remark, **fields)

    assert "Saved." not in markup_of(answer)
    assert 'class="toast' in markup_of(answer)
    assert EntityRemark.objects.get().text == "Black & grey."


def test_a_remark_is_deleted(mara, remark):
    answer = act(mara, remark, act="delete")

    assert "Deleted." in markup_of(answer)
    assert not EntityRemark.objects.exists()


def test_a_remark_that_no_longer_stands_is_not_found(mara, remark):
    EntityRemark.objects.update(absorbed_at=NOW)

    assert act(mara, remark, act="delete").status_code == 404
    assert EntityRemark.objects.exists()


def test_another_persons_remark_is_not_found(mara, charlie, remark):
    own = BondFactory(user__username="charlies")
    charlie.force_login(own.user)

    assert act(charlie, remark, act="delete").status_code == 404
    assert act(charlie, remark, user_bond=own, act="delete").status_code == 404
    assert EntityRemark.objects.exists()


@pytest.mark.parametrize(("language", "words"), [("en", "who it is"), ("zh-hans", "是谁")])
def test_the_label_of_rules_is_in_the_words_of_the_page(language, words):
    with override(language):
        assert translate_slot("who") == words
