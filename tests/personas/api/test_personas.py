import pytest
import time_machine

from personas import blocks
from personas.models import Bond, Persona, PersonaFacts
from tests.support.dumping import tables_with
from tests.support.factories import NOW, BondFactory, PersonaFactory, UserFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db
NO_FACTS = dict.fromkeys(PersonaFacts.NAMES)
AT = "2026-11-21T20:00:00Z"


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def mara():
    return UserFactory(username="mara")


def persona_of(persona, **changes):
    return {
        "id": persona.pk,
        "name": "Marian",
        "nickname": None,
        "tagline": None,
        "avatar": None,
        "facts": NO_FACTS,
        "language": "en",
        "visibility": "private",
        "answers": dict.fromkeys(("model", "temperature", "top_p", "tokens", "length")),
        "is_own": True,
        "created_at": AT,
    } | changes


def test_a_persona_is_made_with_what_is_said(mara):
    response = api(mara).post(
        "/api/personas/",
        {
            "name": "<i>Marian</i>",
            "tagline": "Keeps the light",
            "language": "zh",
            "visibility": "shared",
            "facts": {"location": "灯塔", "gender": None},
        },
    )

    made = Persona.objects.get()
    assert answered(response) == (
        201,
        persona_of(
            made,
            name="<i>Marian</i>",
            tagline="Keeps the light",
            language="zh",
            visibility="shared",
            facts=NO_FACTS | {"location": "灯塔"},
        ),
    )


def test_a_change_leaves_alone_what_it_does_not_name(mara):
    persona = PersonaFactory(owner=mara, tagline="Keeps the light")
    PersonaFacts.objects.filter(pk=persona.pk).update(location="灯塔", occupation="keeper")

    response = api(mara).patch(f"/api/personas/{persona.pk}/", {"tagline": None, "facts": {"occupation": ""}})

    shown = persona_of(persona, facts=NO_FACTS | {"location": "灯塔"})
    assert answered(response) == (200, shown)
    assert answered(api(mara).get(f"/api/personas/{persona.pk}/")) == (200, shown)


def test_of_a_shared_persona_others_see_name_tagline_and_avatar(mara):
    persona = PersonaFactory(name="Teo", tagline="A cook", visibility="shared")
    PersonaFacts.objects.filter(pk=persona.pk).update(location="Lisbon")

    shown = persona_of(
        persona,
        name="Teo",
        tagline="A cook",
        facts=None,
        language=None,
        visibility="shared",
        answers=None,
        is_own=False,
        created_at=None,
    )
    assert answered(api(mara).get(f"/api/personas/{persona.pk}/")) == (200, shown)
    assert api(mara).get("/api/personas/").json()["results"] == [shown]


@pytest.mark.parametrize("method", ["patch", "delete"])
def test_a_shared_persona_is_changed_by_its_owner_alone(method, mara):
    persona = PersonaFactory(name="Teo", visibility="shared")

    response = getattr(api(mara), method)(f"/api/personas/{persona.pk}/", {})

    detail = "Someone else shares this persona. Only its owner can change it."
    assert answered(response) == (403, refusal("forbidden", detail))


def test_an_archived_persona_is_gone_but_its_bonds_go_on(mara):
    bond = BondFactory(user=mara)
    client = api(mara)

    assert answered(client.delete(f"/api/personas/{bond.persona_id}/")) == (204, None)
    assert answered(client.get(f"/api/personas/{bond.persona_id}/")) == NOT_FOUND
    assert client.get("/api/personas/").json()["results"] == []
    known = client.post("/api/bonds/", {"persona": bond.persona_id})
    assert (known.status_code, known.json()["id"]) == (200, bond.pk)
    assert client.get(f"/api/bonds/{bond.pk}/").json()["persona"]["name"] == "Marian"


def test_a_deleted_persona_without_bonds_is_erased(mara):
    persona = PersonaFactory(owner=mara, tagline="Keeps Zymurgy")
    blocks.save(holder=persona, label="persona", content="You know Zymurgy.", user=mara, now=NOW)

    assert api(mara).delete(f"/api/personas/{persona.pk}/").status_code == 204

    assert tables_with("Zymurgy") == []


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_costs_the_same_for_many(count, mara, django_assert_num_queries):
    PersonaFactory.create_batch(count, owner=mara)
    client = api(mara)

    # The token, the personas.
    with django_assert_num_queries(2):
        body = client.get("/api/personas/").json()

    assert (body["next"], body["previous"], len(body["results"])) == (None, None, count)


def test_pages_are_followed_to_the_end(mara):
    PersonaFactory.create_batch(51, owner=mara)
    client = api(mara)

    first = client.get("/api/personas/").json()
    second = client.get(first["next"]).json()

    ids = [persona["id"] for persona in first["results"] + second["results"]]
    assert ids == sorted(Persona.objects.values_list("pk", flat=True), reverse=True)
    assert (len(first["results"]), second["next"]) == (50, None)
    assert client.get(second["previous"]).json()["results"] == first["results"]


def test_a_block_that_nobody_wrote_is_empty(mara):
    bond = BondFactory(user=mara)

    response = api(mara).get(f"/api/bonds/{bond.pk}/blocks/user/")

    assert answered(response) == (
        200,
        {"label": "user", "content": "", "version": 0, "updated_at": None, "updated_by": None},
    )


@pytest.mark.parametrize(
    ("holder", "label"), [("personas", "persona"), ("personas", "style"), ("bonds", "user"), ("bonds", "style")]
)
def test_a_block_is_replaced_and_an_earlier_text_restored(holder, label, mara):
    bond = BondFactory(user=mara)
    client = api(mara)
    block = f"/api/{holder}/{bond.persona_id if holder == 'personas' else bond.pk}/blocks/{label}/"

    client.put(block, {"content": "First. <script>"})
    second = client.put(block, {"content": "Second.\n\tWith a tab."})
    revisions = client.get(f"{block}revisions/")
    restored = client.post(f"{block}revisions/1/restore/")

    common = {"label": label, "updated_at": AT, "updated_by": mara.pk}
    assert answered(second) == (200, common | {"content": "Second.\n\tWith a tab.", "version": 2})
    assert answered(revisions) == (
        200,
        {
            "next": None,
            "previous": None,
            "results": [{"n": 1, "content": "First. <script>", "saved_at": AT, "saved_by": mara.pk}],
        },
    )
    assert answered(restored) == (200, common | {"content": "First. <script>", "version": 3})
    assert [one["n"] for one in client.get(f"{block}revisions/").json()["results"]] == [2, 1]
    assert client.delete(f"{block}revisions/").status_code == 204
    assert client.get(f"{block}revisions/").json()["results"] == []


@pytest.mark.parametrize(("holder", "label"), [("personas", "user"), ("bonds", "persona"), ("bonds", "secrets")])
def test_a_label_that_the_holder_does_not_have(holder, label, mara):
    bond = BondFactory(user=mara)
    pk = bond.persona_id if holder == "personas" else bond.pk

    assert answered(api(mara).get(f"/api/{holder}/{pk}/blocks/{label}/")) == NOT_FOUND


def test_blocks_of_a_shared_persona_are_nobody_elses(mara):
    persona = PersonaFactory(visibility="shared")
    blocks.save(holder=persona, label="persona", content="A secret.", user=persona.owner, now=NOW)

    assert answered(api(mara).get(f"/api/personas/{persona.pk}/blocks/persona/")) == NOT_FOUND


@pytest.mark.parametrize(
    ("body", "code", "field", "detail"),
    [
        ({}, "invalid", "content", "This field is required."),
        ({"content": None}, "invalid", "content", "This field may not be null."),
        (
            {"content": "a" * 5001},
            "too_long",
            "content",
            "This text has 5001 characters; at most 5000 are allowed.",
        ),
        ({"content": "", "label": "user"}, "unknown_field", "label", "Unknown field; known are: content."),
    ],
)
def test_what_no_block_can_hold(body, code, field, detail, mara):
    bond = BondFactory(user=mara)

    response = api(mara).put(f"/api/bonds/{bond.pk}/blocks/user/", body)

    assert answered(response) == (400, refusal(code, f"{field}: {detail}", {field: [detail]}))


def test_a_block_can_be_emptied(mara):
    bond = BondFactory(user=mara)
    blocks.save(holder=bond, label="user", content="Mara, a nurse.", user=mara, now=NOW)

    response = api(mara).put(f"/api/bonds/{bond.pk}/blocks/user/", {"content": ""})

    assert response.json()["content"] == ""
    assert Bond.objects.get().blocks.get().revisions.get().content == "Mara, a nurse."


@pytest.mark.parametrize("count", [1, 3])
def test_revisions_cost_the_same_for_many(count, mara, django_assert_num_queries):
    bond = BondFactory(user=mara)
    for n in range(count + 1):
        blocks.save(holder=bond, label="user", content=f"Text {n}.", user=mara, now=NOW)
    client = api(mara)

    with django_assert_num_queries(4):
        assert len(client.get(f"/api/bonds/{bond.pk}/blocks/user/revisions/").json()["results"]) == count
