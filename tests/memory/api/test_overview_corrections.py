import pytest

from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from memory.models import ConceptNode
from memory.serializers.nodes import NodeSerializer
from tests.support.factories import BondFactory, ConceptNodeFactory, MessageFactory, UserFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def shown(node):
    return dict(NodeSerializer(ConceptNode.objects.for_serializer().get(pk=node.pk)).data)


def patch(bond, node, body, *, user=None):
    return api(user or bond.user).patch(f"/api/bonds/{bond.pk}/memory/{node.type}s/{node.pk}/", body)


@pytest.mark.parametrize("kind", ["event", "thought", "intention", "expectation"])
def test_a_correction_is_answered_with_the_new_memory(kind, bond):
    line = MessageFactory(session__bond=bond)
    node = ConceptNodeFactory(bond=bond, type=kind, sources=[line])

    status, body = answered(patch(bond, node, {"description": "It is a dog.", "emotional_impact": 5}))

    new = ConceptNode.objects.get(description="It is a dog.")
    assert (status, body) == (200, shown(new))
    assert (body["emotional_impact"], body["origin"], body["source_messages"]) == (5, "user", [line.pk])
    assert shown(node)["superseded_by"] == new.pk


@pytest.mark.parametrize("body", [{}, {"emotional_impact": 0}])
def test_a_correction_that_changes_nothing_answers_with_the_memory_itself(body, bond):
    node = ConceptNodeFactory(bond=bond)

    assert answered(patch(bond, node, body)) == (200, shown(node))


@pytest.mark.parametrize(("kind", "outcome"), [("expectation", "missed"), ("intention", "kept")])
def test_an_outcome_is_told_by_hand(kind, outcome, bond):
    node = ConceptNodeFactory(bond=bond, type=kind)
    before = shown(node)

    status, body = answered(patch(bond, node, {"state": outcome}))

    assert (status, body["id"], body["state"]) == (200, node.pk, outcome)
    assert body["valid_until"] is not None
    assert {name: body[name] for name in body if body[name] != before[name]} == {
        "state": outcome,
        "state_reason": "by hand",
        "valid_until": body["valid_until"],
    }


@pytest.mark.parametrize(
    ("kind", "body", "status", "code", "detail", "field"),
    [
        ("event", {"state": "kept"}, 400, "invalid", "Only promises and expectations have an outcome.", None),
        ("intention", {"state": "missed"}, 400, "invalid", "The outcome of an intention is one of kept, broken, cancelled, expired.", None),
        ("intention", {"state": "open"}, 409, "conflict", "This intention is open; it cannot become open.", None),
        ("intention", {"state": "done"}, 400, "invalid", '"done" is not a valid choice; allowed: live, uncertain, superseded, pending, fulfilled, missed, expired, open, kept, broken, cancelled.', "state"),
        ("event", {"emotional_impact": 11}, 400, "invalid", "Ensure this value is less than or equal to 10.", "emotional_impact"),
        ("event", {"emotional_impact": -11}, 400, "invalid", "Ensure this value is greater than or equal to -10.", "emotional_impact"),
        ("event", {"description": " "}, 400, "invalid", "This text is blank.", "description"),
        ("event", {"description": "x" * 2001}, 400, "too_long", "This text has 2001 characters; at most 2000 are allowed.", "description"),
        ("event", {"origin": "import"}, 400, "unknown_field", "Unknown field; known are: description, emotional_impact, state.", "origin"),
        ("intention", {"state": "kept", "emotional_impact": 1}, 400, "invalid", "Correct the memory or set its outcome, not both at once.", None),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(kind, body, status, code, detail, field, bond):
    node = ConceptNodeFactory(bond=bond, type=kind)

    response = patch(bond, node, body)

    said = refusal(code, f"{field}: {detail}", {field: [detail]}) if field else refusal(code, detail)
    assert answered(response) == (status, said)
    assert shown(node)["state"] == ConceptNodeFactory.build(type=kind).state


def test_what_has_been_replaced_is_not_corrected_again(bond):
    node = ConceptNodeFactory(bond=bond, state="superseded")

    detail = "This memory has been replaced or forgotten. Correct the newer one."
    assert answered(patch(bond, node, {"emotional_impact": 5})) == (409, refusal("conflict", detail))


def test_without_the_embedding_model_nothing_is_corrected(bond, monkeypatch):
    def broken(texts):
        raise EmbeddingError("The embedding model cannot be loaded.")

    monkeypatch.setattr(embedding, "embed", broken)
    node = ConceptNodeFactory(bond=bond)

    response = patch(bond, node, {"description": "It is a dog."})

    assert answered(response) == (503, refusal("model_unavailable", "The embedding model cannot be loaded."))
    assert shown(node)["state"] == "live"


def test_a_stranger_corrects_nothing(bond):
    node = ConceptNodeFactory(bond=bond)

    response = patch(bond, node, {"description": "It is a dog."}, user=UserFactory(username="charlie"))

    assert answered(response) == NOT_FOUND
    assert shown(node)["state"] == "live"


@pytest.mark.parametrize("kind", ["event", "thought", "intention", "expectation"])
def test_what_was_replaced_is_taken_back(kind, bond):
    old = ConceptNodeFactory(bond=bond, type=kind)
    before = shown(old)
    new = ConceptNode.objects.get(pk=patch(bond, old, {"description": "It is a dog."}).json()["id"])
    client, address = api(bond.user), f"/api/bonds/{bond.pk}/memory/{kind}s/{old.pk}/restore/"

    assert answered(client.post(address)) == (200, before)
    assert (shown(new)["state"], shown(new)["superseded_by"]) == ("superseded", old.pk)
    assert answered(client.post(address)) == (
        409,
        refusal("conflict", "This memory was neither forgotten nor replaced."),
    )


def test_charlie_takes_nothing_back(bond):
    old = ConceptNodeFactory(bond=bond, state="superseded")

    response = api(UserFactory(username="charlie")).post(f"/api/bonds/{bond.pk}/memory/events/{old.pk}/restore/")

    assert (answered(response), shown(old)["state"]) == (NOT_FOUND, "superseded")
