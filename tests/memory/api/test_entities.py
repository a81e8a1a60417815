from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from echovessel.models import BondEvent
from memory.entities import matching, merging
from memory.models import Doubt, Entity, EntityAlias, EntityMerge, Mention, Separation
from memory.serializers.memories import EntitySerializer
from tests.support.factories import NOW, AliasFactory, BondFactory, ConceptNodeFactory, EntityFactory, MessageFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__display_name="Mara Lind", persona__name="Marian")


@pytest.fixture
def client(bond):
    return api(bond.user)


def path(bond, *parts):
    return "/".join([f"/api/bonds/{bond.pk}/memory/entities", *map(str, parts), ""])


def shown(entity):
    return dict(EntitySerializer(Entity.objects.for_serializer().get(pk=entity.pk)).data)


def person(bond, name, **more):
    return EntityFactory(bond=bond, canonical_name=name, **{"kind": "person"} | more)


def logged(bond):
    return [(entry.type, entry.refs) for entry in BondEvent.objects.filter(bond_id=bond.pk).order_by("seq")]


def invalid(field, detail, code="invalid"):
    return 400, refusal(code, f"{field}: {detail}", {field: [detail]})


def taken(name):
    return 409, refusal("name_taken", f"Someone or something else already has the name “{name}”.")


def test_entities_are_listed_the_last_mentioned_first(bond):
    older = EntityFactory(bond=bond)
    newer = EntityFactory(bond=bond, canonical_name="Anna", last_mentioned_at=NOW + timedelta(days=1))
    EntityFactory(bond=bond, canonical_name="Forgotten", deleted_at=NOW)
    EntityFactory()

    client = api(bond.user)
    entities = [dict(EntitySerializer(Entity.objects.for_serializer().get(pk=one.pk)).data) for one in (newer, older)]

    assert answered(client.get(f"/api/bonds/{bond.pk}/memory/entities/")) == (
        200,
        {"next": None, "previous": None, "results": entities},
    )
    assert answered(client.get(f"/api/bonds/{bond.pk}/memory/entities/{older.pk}/")) == (200, entities[1])


def test_one_is_made_by_hand_and_linked_to_what_names_it(bond, client):
    told = ConceptNodeFactory(bond=bond, description="The user's sister Yiyang is a nurse.")
    said = ConceptNodeFactory(
        bond=bond,
        description="用户的妹妹要结婚了。",
        sources=[MessageFactory(session__bond=bond, content="黄逸扬要结婚了！")],
    )
    ConceptNodeFactory(bond=bond, description="Yiyangs are no people.")
    ConceptNodeFactory(bond=bond, description="Yiyang called.", deleted_at=NOW)
    ConceptNodeFactory(description="Yiyang called.")

    response = client.post(
        path(bond),
        {"canonical_name": " Yiyang ", "kind": "person", "aliases": ["黄逸扬", "YIYANG"], "description": "A sister."},
    )

    entity = Entity.objects.get()
    assert answered(response) == (201, shown(entity))
    body = response.json()
    assert body | dict.fromkeys(("id", "created_at", "last_mentioned_at")) == {
        "id": None,
        "canonical_name": "Yiyang",
        "kind": "person",
        "aliases": ["Yiyang", "黄逸扬"],
        "description": "A sister.",
        "description_by": "owner",
        "merge_status": "confirmed",
        "merge_target": None,
        "linked_events_count": 2,
        "last_mentioned_at": None,
        "created_at": None,
    }
    assert list(entity.nodes.order_by("id")) == [told, said]
    assert (entity.embedding_model, entity.confirmed_at) == ("hash", entity.created_at)
    assert logged(bond) == [("memory.entity.confirmed", {"entity": entity.pk})]


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ({"canonical_name": "Sky"}, invalid("kind", "This field is required.")),
        ({"kind": "person"}, invalid("canonical_name", "This field is required.")),
        (
            {"canonical_name": "Sky", "kind": "alien"},
            invalid("kind", '"alien" is not a valid choice; allowed: person, place, org, pet, other.'),
        ),
        (
            {"canonical_name": "Sky", "kind": "pet", "id": 3},
            invalid("id", "Unknown field; known are: canonical_name, kind, aliases, description.", "unknown_field"),
        ),
        (
            {"canonical_name": "x" * 121, "kind": "pet"},
            invalid("canonical_name", "This text has 121 characters; at most 120 are allowed.", "too_long"),
        ),
        (
            {"canonical_name": "a\nb", "kind": "pet"},
            invalid("canonical_name", "This must be one line, without control characters."),
        ),
        ({"canonical_name": "  ", "kind": "pet"}, invalid("canonical_name", "This text is blank.")),
        (
            {"canonical_name": "mara lind", "kind": "person"},
            (400, refusal("invalid", "“mara lind” cannot be used as a name.")),
        ),
        (
            {"canonical_name": "Sky", "kind": "person", "aliases": ["她"]},
            (400, refusal("invalid", "“她” cannot be used as a name.")),
        ),
    ],
)
def test_what_cannot_be_made_is_refused(bond, client, body, refused):
    assert answered(client.post(path(bond), body)) == refused
    assert not Entity.objects.exists()


@pytest.mark.parametrize(("name", "aliases", "by"), [("yiYANG", [], "yiYANG"), ("Sky", ["Sea", "Scott"], "Scott")])
def test_a_name_is_one_entitys_alone(bond, client, name, aliases, by):
    AliasFactory(entity=person(bond, "Yiyang"), name="Scott")
    person(BondFactory(), "Sky")
    person(bond, "Sea", deleted_at=NOW).aliases.update(deleted_at=NOW)
    body = {"canonical_name": name, "kind": "person", "aliases": aliases}

    assert answered(client.post(path(bond), body)) == taken(by)
    assert Entity.objects.filter(bond=bond, deleted_at=None).count() == 1


def test_one_is_changed(bond, client):
    mine = ConceptNodeFactory(bond=bond, description="Scott is ill.")
    theirs = ConceptNodeFactory(bond=bond, description="Yiyang is ill.")
    entity = person(bond, "Yiyang", nodes=[theirs])
    AliasFactory(entity=entity, name="Yi")

    response = client.patch(
        path(bond, entity.pk), {"canonical_name": "Scott", "kind": "pet", "aliases": ["SCOTT", "Yi"]}
    )

    assert answered(response) == (200, shown(entity))
    entity.refresh_from_db()
    assert (entity.canonical_name, entity.kind, response.json()["aliases"]) == ("Scott", "pet", ["Yi", "Scott"])
    assert list(entity.nodes.all()) == [mine]
    assert list(EntityAlias.objects.exclude(deleted_at=None).values_list("name", flat=True)) == ["Yiyang"]
    assert entity.embedding is not None
    assert logged(bond) == []


def test_a_name_that_is_learned_while_another_is_given_stays(bond, client, monkeypatch):
    ann = person(bond, "Ann")
    embed = matching.embed_names

    def learn_and_embed(names):
        AliasFactory(entity=ann, name="Annie")
        return embed(names)

    monkeypatch.setattr(matching, "embed_names", learn_and_embed)

    answer = client.patch(path(bond, ann.pk), {"canonical_name": "Anna"})

    assert sorted(answer.json()["aliases"]) == ["Ann", "Anna", "Annie"]


def test_a_former_name_stays_a_name_and_one_that_was_given_up_is_free(bond, client):
    entity = person(bond, "Yiyang")

    client.patch(path(bond, entity.pk), {"canonical_name": "Scott"})
    assert shown(entity)["aliases"] == ["Yiyang", "Scott"]
    client.patch(path(bond, entity.pk), {"aliases": []})
    assert shown(entity)["aliases"] == ["Scott"]
    made = client.post(path(bond), {"canonical_name": "Yiyang", "kind": "person"})
    assert made.status_code == 201
    assert answered(client.patch(path(bond, entity.pk), {"aliases": ["yiyang"]})) == taken("yiyang")
    client.patch(path(bond, entity.pk), {"canonical_name": "SCOTT"})
    assert shown(entity)["aliases"] == ["SCOTT"]


@pytest.mark.parametrize(("given", "expected"), [("Mine.", ("Mine.", "owner")), ("", ("", "owner")), (None, ("", ""))])
def test_a_description_is_the_owners_from_then_on(bond, client, given, expected):
    entity = person(bond, "Yiyang", description="Made up.", description_by="slow_tick")

    response = client.patch(path(bond, entity.pk), {"description": given})
    again = client.patch(path(bond, entity.pk), {"description": given})

    entity.refresh_from_db()
    assert (entity.description, entity.description_by) == expected
    assert answered(again) == answered(response) == (200, shown(entity))
    assert logged(bond) == [("memory.entity.description_updated", {"entity": entity.pk})]


def test_what_the_slow_tick_wrote_becomes_the_owners_by_being_kept(bond, client):
    entity = person(bond, "Yiyang", description="Good as it is.", description_by="slow_tick")

    client.patch(path(bond, entity.pk), {"description": "Good as it is."})

    entity.refresh_from_db()
    assert entity.description_by == "owner"


def test_one_is_forgotten_with_its_names_and_the_memories_stay(bond, client):
    node = ConceptNodeFactory(bond=bond)
    entity = person(bond, "Yiyang", nodes=[node])
    newer = person(bond, "Scott", merge_status="uncertain", merge_target=entity)
    inner, outer = person(bond, "Sky"), person(bond, "Sea")
    merging.merge_entities(kept=inner, merged=outer, by="owner", now=NOW)
    merging.merge_entities(kept=entity, merged=inner, by="owner", now=NOW)
    BondEvent.objects.all().delete()

    response = client.delete(path(bond, entity.pk))

    assert answered(response) == (204, None)
    assert list(Entity.objects.filter(deleted_at=None)) == [newer]
    assert list(EntityAlias.objects.filter(deleted_at=None).values_list("name", flat=True)) == ["Scott"]
    newer.refresh_from_db()
    assert (newer.merge_status, newer.merge_target) == ("confirmed", None)
    node.refresh_from_db()
    assert node.deleted_at is None
    assert logged(bond) == [
        ("memory.entity.confirmed", {"entity": newer.pk}),
        ("memory.doubt.settled", {"doubt": Doubt.objects.get().pk, "outcome": "gone"}),
        ("memory.entity.forgotten", {"forgotten": entity.pk}),
    ]
    assert answered(client.get(path(bond, entity.pk))) == answered(client.delete(path(bond, entity.pk))) == NOT_FOUND
    assert client.post(path(bond), {"canonical_name": "Yiyang", "kind": "person"}).status_code == 201


@pytest.mark.parametrize("is_page", [False, True])
def test_a_merge_that_is_erased_while_its_undoing_waits_is_not_found(bond, client, is_page):
    merge = merging.merge_entities(kept=person(bond, "Yiyang"), merged=person(bond, "Scott"), by="owner", now=NOW)
    reader = Client()
    reader.force_login(bond.user)

    def erase_first(execute, sql, *asked):
        if "FOR NO KEY UPDATE" in sql:
            EntityMerge.objects.all().delete()
        return execute(sql, *asked)

    with connection.execute_wrapper(erase_first):
        page = reverse("undo_merge", args=[bond.pk, merge.pk])
        response = reader.post(page) if is_page else client.post(path(bond, "merges", merge.pk, "undo"))

    assert response.status_code == 404


def test_two_are_merged_and_parted_again(bond, client):
    kept, merged = person(bond, "Yiyang"), person(bond, "Scott")

    response = client.post(path(bond, merged.pk, "merge"), {"into": kept.pk})

    merge = EntityMerge.objects.get()
    assert answered(response) == (200, {"merge": merge.pk, "entity": kept.pk})
    assert merge.decided_by == "owner"
    assert shown(kept)["aliases"] == ["Yiyang", "Scott"]
    assert answered(client.get(path(bond, merged.pk))) == NOT_FOUND
    [listed] = client.get(path(bond, "merges")).json()["results"]
    names = {"kept": kept.pk, "kept_name": "Yiyang", "merged": merged.pk, "merged_name": "Scott"}
    assert listed | names | {"id": merge.pk, "decided_by": "owner", "undone_at": None} == listed
    undone = client.post(path(bond, "merges", merge.pk, "undo"))
    assert answered(undone) == (200, shown(merged))
    assert (shown(kept)["aliases"], shown(merged)["aliases"]) == (["Yiyang"], ["Scott"])
    assert answered(client.post(path(bond, "merges", merge.pk, "undo"))) == (
        409,
        refusal("conflict", "This merge is already undone."),
    )
    client.delete(path(bond, merged.pk))
    assert client.get(path(bond, "merges")).json()["results"] == []


def test_two_are_kept_apart(bond, client):
    older = person(bond, "Yiyang")
    newer = person(bond, "Scott", merge_status="uncertain", merge_target=older)

    response = client.post(path(bond, newer.pk, "separate"), {"from": older.pk})

    assert answered(response) == (200, shown(newer))
    assert (response.json()["merge_status"], response.json()["merge_target"]) == ("confirmed", None)
    assert Separation.objects.get().decided_by == "owner"


@pytest.mark.parametrize(("verb", "field"), [("merge", "into"), ("separate", "from")])
def test_there_must_be_two(bond, client, verb, field):
    one, gone = person(bond, "Yiyang"), person(bond, "Scott", deleted_at=NOW)
    address = path(bond, one.pk, verb)

    assert answered(client.post(address, {})) == invalid(field, "This field is required.")
    assert answered(client.post(address, {field: "x"})) == invalid(field, "A valid integer is required.")
    assert answered(client.post(address, {field: one.pk})) == (
        409,
        refusal("conflict", "These are already merged."),
    )
    for other in (gone.pk, person(BondFactory(), "Sky").pk, 10**30, -1):
        assert answered(client.post(address, {field: other})) == NOT_FOUND


def test_a_stranger_merges_and_parts_nothing(bond):
    kept, merged = person(bond, "Yiyang"), person(bond, "Scott")
    merge = merging.merge_entities(kept=kept, merged=merged, by="owner", now=NOW)
    own = BondFactory(user__username="charlie")
    theirs = person(own, "Sky")
    charlie = api(own.user)

    assert [
        answered(charlie.post(address, body))
        for address, body in (
            (path(own, theirs.pk, "merge"), {"into": kept.pk}),
            (path(own, theirs.pk, "separate"), {"from": kept.pk}),
            (path(own, kept.pk, "merge"), {"into": theirs.pk}),
            (path(own, "merges", merge.pk, "undo"), {}),
            (path(bond, "merges", merge.pk, "undo"), {}),
            (path(bond, kept.pk, "merge"), {"into": theirs.pk}),
            (path(bond), {"canonical_name": "Sea", "kind": "person"}),
        )
    ] == [NOT_FOUND] * 7
    assert answered(charlie.patch(path(own, kept.pk), {"description": "x"})) == NOT_FOUND
    assert answered(charlie.delete(path(own, kept.pk))) == NOT_FOUND


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_costs_the_same_for_many(count, bond, client, django_assert_num_queries):
    for n in range(count):
        person(bond, f"Cat {n}", nodes=[ConceptNodeFactory(bond=bond)])

    # The token, the bond, the entities.
    with django_assert_num_queries(3):
        assert len(client.get(path(bond)).json()["results"]) == count


def test_a_name_is_found_in_memories_as_it_is_written_and_as_it_is_folded(bond, client):
    for text in ("The user met Jo Weiß.", "The user met JO WEISS.", "The user met jo weiß.", "The user met Jo White."):
        ConceptNodeFactory(bond=bond, description=text)

    made = client.post(path(bond), {"canonical_name": "Jo Weiß", "kind": "person"})

    assert made.json()["linked_events_count"] == 3


def test_relinking_leaves_the_links_of_others_alone(bond, client):
    node = ConceptNodeFactory(bond=bond, description="Yiyang and Sky are ill.")
    sky = person(bond, "Sky", nodes=[node])
    entity = person(bond, "Yiyang", nodes=[node])

    client.patch(path(bond, entity.pk), {"canonical_name": "Scott", "aliases": []})

    assert list(Mention.objects.values_list("entity", "node")) == [(sky.pk, node.pk)]
