import pytest

from memory.models import Story, StoryVersion
from tests.support.factories import NOW, BondFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal
from tests.support.story import build_point, create_version, shown

pytestmark = pytest.mark.django_db
HIDDEN = "0b0dd3d5-9d5e-4ad1-8d10-6b0b8d0c0e01"


def ask(method, bond, path, body=None):
    return answered(getattr(api(bond.user), method)(f"/api/bonds/{bond.pk}/story/versions/{path}", body))


def numbers(answer):
    status, body = answer
    assert status == 200
    return [(version["number"], version["current"]) for version in body["results"]]


def test_versions_are_listed_newest_first_without_links_and_deleted_ones(bond, django_assert_num_queries):
    for columns in ({}, {"deleted_at": NOW}, {"chain": HIDDEN}, {}):
        create_version(bond, **columns)
    client = api(bond.user)

    with django_assert_num_queries(3):
        listed = answered(client.get(f"/api/bonds/{bond.pk}/story/versions/"))

    assert numbers(listed) == [(4, True), (1, False)]
    assert numbers(ask("get", bond, "?deleted=true")) == [(2, False)]
    assert ask("get", bond, "?gone=true")[1]["code"] == "unknown_field"


def test_a_version_is_pinned_and_let_go(bond):
    create_version(bond)

    assert ask("patch", bond, "1/", {"pinned": True})[1]["pinned"] is True
    assert ask("get", bond, "1/")[1]["pinned"] is True
    assert ask("patch", bond, "1/", {"pinned": False})[1]["pinned"] is False
    assert ask("patch", bond, "1/", {})[0] == 400


def test_a_deleted_version_gives_way_and_is_restored(bond):
    create_version(bond)
    create_version(bond)

    assert ask("delete", bond, "2/") == (204, None)
    assert Story.objects.get(bond=bond).current.number == 1
    restored = ask("post", bond, "2/restore/")
    assert (restored[0], restored[1]["deleted_at"], restored[1]["current"]) == (200, None, False)
    assert ask("post", bond, "2/restore/") == (409, refusal("conflict", "This version was not deleted."))


def test_a_copy_of_a_chosen_version_becomes_current(bond):
    create_version(bond, points=[build_point("Mara moved.", id="a")])
    create_version(bond)

    status, body = ask("post", bond, "1/choose/")

    assert (status, body["number"], body["base"], body["current"]) == (200, 3, 1, True)
    assert [point["text"] for point in body["points"]] == ["Mara moved."]


def test_a_deleted_version_is_not_chosen(bond):
    create_version(bond, deleted_at=NOW)
    create_version(bond)

    assert ask("post", bond, "1/choose/") == (409, refusal("conflict", "This version was deleted. Restore it first."))


def test_two_versions_are_compared(bond):
    moved, rained = build_point("Mara moved.", id="a"), build_point("It rained.", id="b")
    anew, sun = build_point("Mara moved to Porto.", id="a"), build_point("The sun shone.", id="c")
    create_version(bond, points=[moved, rained])
    create_version(bond, points=[anew, sun])

    def show(point):
        return shown(point) | {"label": None}

    expected = {
        "added": [show(sun)],
        "changed": [{"before": show(moved), "after": show(anew)}],
        "dropped": [show(rained)],
    }
    assert ask("get", bond, "1/diff/?to=2") == ask("get", bond, "1/diff/") == (200, expected)
    assert ask("get", bond, "2/diff/?to=1")[1]["added"] == [show(rained)]
    assert ask("get", bond, "1/diff/?to=9") == NOT_FOUND
    assert ask("get", bond, "1/diff/?to=x")[0] == 400


@pytest.mark.parametrize("path", ["9/", "2/", "0/"])
def test_other_numbers_and_links_of_a_rebuild_are_not_found(bond, path):
    create_version(bond)
    create_version(bond, chain=HIDDEN)

    assert ask("get", bond, path) == ask("delete", bond, path) == NOT_FOUND


def test_charlie_touches_no_version_of_maras(bond):
    create_version(bond)
    charlie = api(BondFactory(user__username="charlie").user)
    path = f"/api/bonds/{bond.pk}/story/versions/1/"

    found = [
        answered(answer)
        for answer in (
            charlie.get(path),
            charlie.patch(path, {"pinned": True}),
            charlie.delete(path),
            charlie.post(f"{path}choose/"),
            charlie.post(f"{path}restore/"),
            charlie.get(f"{path}diff/"),
        )
    ]
    assert found == [NOT_FOUND] * 6
    assert StoryVersion.objects.get().pinned is False
