import pytest
from django.urls import reverse

from memory.entities import merging
from memory.models import Entity
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


@pytest.fixture
def yiyang(bond):
    node = ConceptNodeFactory(bond=bond, description="Yiyang plays in a quartet.")
    return EntityFactory(bond=bond, canonical_name="Yiyang", kind="person", nodes=[node])


@pytest.fixture
def scott(bond):
    node = ConceptNodeFactory(bond=bond, description="Scott came to dinner.")
    return EntityFactory(bond=bond, canonical_name="Scott", kind="person", nodes=[node])


def address(name, bond, *more):
    return reverse(name, args=[bond.pk, *more])


def text(answer):
    return answer.content.decode()


def fields(**more):
    return {"canonical_name": "Nimbus", "kind": "pet", "aliases": "", "description": ""} | more


def names(entity):
    return sorted(entity.aliases.filter(deleted_at=None).values_list("name", flat=True))


def test_an_empty_page_says_what_will_be_there(mara, bond):
    assert "No people or things yet" in text(mara.get(address("people", bond)))


def test_whom_no_event_names_has_no_count_and_no_graph(mara, bond):
    scott = EntityFactory(bond=bond, canonical_name="Scott")

    listed, alone = (
        mara.get(address).content.decode()
        for address in (reverse("people", args=[bond.pk]), reverse("person", args=[bond.pk, scott.pk]))
    )
    assert ("Scott" in listed, "0 events" in listed, "Show in the graph" in alone) == (True, False, False)
    assert ("<title>People &amp; things · " in listed, "<title>Scott · " in alone) == (True, True)


def test_they_are_listed_by_kind(mara, bond, yiyang):
    nimbus = EntityFactory(bond=bond, canonical_name="Nimbus", kind="pet")

    answer = mara.get(address("people", bond))

    assert [(str(word), list(found)) for word, found in answer.context["of_kind"]] == [
        ("People", [yiyang]),
        ("Animals", [nimbus]),
    ]


def test_a_list_reads_as_much_for_one_as_for_three(mara, bond, yiyang, scott, django_assert_num_queries):
    scott.delete()

    def count():
        with django_assert_num_queries(7):
            mara.get(address("people", bond))

    count()
    EntityFactory(bond=bond, canonical_name="Anna", kind="person")
    EntityFactory(bond=bond, canonical_name="Bea", kind="person")
    count()


def test_somebody_is_added_by_hand(mara, bond):
    answer = mara.post(address("people", bond), fields(aliases="Nim\n\nthe grey one", description="A grey cat."))

    made = Entity.objects.get()
    assert answer["Location"] == address("person", bond, made.pk)
    assert (made.kind, made.description, made.description_by) == ("pet", "A grey cat.", "owner")
    assert names(made) == ["Nim", "Nimbus", "the grey one"]


@pytest.mark.parametrize(
    "wrong",
    [{"canonical_name": " "}, {"kind": "dragon"}, {"aliases": "x" * 121}, {"canonical_name": "Yiyang"}],
    ids=str,
)
def test_wrong_names_are_refused_with_a_reason(mara, bond, yiyang, wrong):
    answer = mara.post(address("people", bond), fields(**wrong))

    assert answer.status_code == 422
    assert "field__error" in text(answer) or "notice--alert" in text(answer)
    assert Entity.objects.count() == 1


def test_one_shows_its_memories_and_is_changed(mara, bond, yiyang):
    assert "Yiyang plays in a quartet." in text(mara.get(address("person", bond, yiyang.pk)))

    mara.post(
        address("person", bond, yiyang.pk),
        fields(canonical_name="Huang Yiyang", kind="person", aliases="Yiyang\n黄逸扬", description="Mara's sister."),
    )

    yiyang.refresh_from_db()
    assert (yiyang.canonical_name, yiyang.description, yiyang.description_by) == (
        "Huang Yiyang",
        "Mara's sister.",
        "owner",
    )
    assert names(yiyang) == ["Huang Yiyang", "Yiyang", "黄逸扬"]


def test_a_description_that_was_not_touched_stays(mara, bond, yiyang):
    Entity.objects.update(description="A violinist.", description_by="slow_tick")

    mara.post(address("person", bond, yiyang.pk), fields(canonical_name="Yiyang", kind="person", aliases="Yiyang"))

    yiyang.refresh_from_db()
    assert (yiyang.description, yiyang.description_by) == ("A violinist.", "slow_tick")


def test_two_are_merged_and_parted_again(mara, bond, yiyang, scott):
    merging.open_uncertain_pair(a=scott, b=yiyang, now=NOW)
    assert "may be the same." in text(mara.get(address("people", bond)))

    after = mara.post(address("merge_people", bond, scott.pk), {"other": yiyang.pk}, follow=True)
    assert "Scott came to dinner." in text(after)
    assert names(yiyang) == ["Scott", "Yiyang"]

    [merge] = after.context["merges"]
    assert "Scott is restored." in text(mara.post(address("undo_merge", bond, merge.pk), follow=True))
    assert (names(yiyang), names(scott)) == (["Yiyang"], ["Scott"])
    assert "toast--alert" in text(mara.post(address("undo_merge", bond, merge.pk), follow=True))


def test_two_are_kept_apart(mara, bond, yiyang, scott):
    merging.open_uncertain_pair(a=scott, b=yiyang, now=NOW)

    after = text(mara.post(address("keep_apart", bond, scott.pk), {"other": yiyang.pk}, follow=True))

    assert merging.are_separate(yiyang.pk, scott.pk)
    assert "They stay separate." in after
    assert "may be the same." not in after


def test_one_is_not_merged_with_itself(mara, bond, yiyang):
    answer = mara.post(address("merge_people", bond, yiyang.pk), {"other": yiyang.pk}, follow=True)

    assert "toast--alert" in text(answer)


def test_one_is_forgotten_and_its_memories_stay(mara, bond, yiyang):
    after = text(mara.post(address("forget_person", bond, yiyang.pk), follow=True))

    assert "Forgotten. It stays in the trash" in after
    undo = address("restore_forgotten", bond, bond.forgotten.get().pk)
    assert f'action="{undo}"' in after
    assert not Entity.objects.not_deleted_or_merged().exists()
    assert bond.nodes.filter(deleted_at=None).count() == 1
    assert mara.post(undo).url == address("person", bond, yiyang.pk)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("person", "get"),
        ("person", "post"),
        ("merge_people", "post"),
        ("keep_apart", "post"),
        ("forget_person", "post"),
    ],
)
def test_a_stranger_finds_nobody(client, bond, yiyang, name, method):
    charlie = BondFactory(user=UserFactory(username="charlie"))
    own = EntityFactory(bond=charlie, canonical_name="Zed", kind="person")
    client.force_login(charlie.user)

    asked = {"other": yiyang.pk, **fields()}
    tried = [getattr(client, method)(address(name, one, yiyang.pk), asked).status_code for one in (bond, charlie)]
    into = client.post(address("merge_people", charlie, own.pk), {"other": yiyang.pk}).status_code

    yiyang.refresh_from_db()
    assert (tried, into, yiyang.deleted_at, yiyang.merged_into) == ([404, 404], 404, None, None)


def test_a_stranger_undoes_no_merge(client, bond, yiyang, scott):
    merge = merging.merge_entities(kept=yiyang, merged=scott, by="owner", now=NOW)
    charlie = BondFactory(user=UserFactory(username="charlie"))
    client.force_login(charlie.user)

    tried = [client.post(address("undo_merge", one, merge.pk)).status_code for one in (bond, charlie)]

    assert (tried, client.get(address("people", bond)).status_code) == ([404, 404], 404)
