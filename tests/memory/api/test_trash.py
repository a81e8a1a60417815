import pytest
import time_machine
from django_q.models import OrmQ

from memory.forgetting import removal
from memory.models import ConceptNode, Forgotten, Message, Session
from memory.serializers.memories import SessionSerializer
from memory.serializers.nodes import NodeSerializer
from personas.rest.drf_policies import NewestFirstPagination
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
    TurnFactory,
)
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def line(bond):
    return MessageFactory(session=SessionFactory(bond=bond, status="closed", summary="A cat.", watermark=1))


def path(bond, rest=""):
    return f"/api/bonds/{bond.pk}/memory/{rest}"


def shown(node):
    return dict(NodeSerializer(ConceptNode.objects.for_serializer().get(pk=node.pk)).data)


def entry(kind, row, text, *, nodes=(), messages=(), entities=()):
    return {
        "kind": kind,
        "id": row.pk,
        "text": text,
        "nodes": [node.pk for node in nodes],
        "messages": [message.pk for message in messages],
        "entities": [entity.pk for entity in entities],
        "forgotten_at": "2026-11-21T20:00:00Z",
        "purged_at": "2026-12-21T20:00:00Z",
    }


def test_a_forgotten_message_answers_with_what_rests_on_nothing_else(bond, line):
    other = MessageFactory(session=line.session)
    alone = ConceptNodeFactory(bond=bond, sources=[line])
    supported = ConceptNodeFactory(bond=bond, sources=[line, other])
    client = api(bond.user)

    response = client.delete(f"/api/bonds/{bond.pk}/messages/{line.pk}/")

    assert answered(response) == (200, {"offered": [shown(alone)]})
    marked = ConceptNode.objects.filter(source_deleted=True, deleted_at=None)
    assert set(marked) == {alone, supported}
    assert [row["id"] for row in client.get(f"/api/bonds/{bond.pk}/messages/").json()["results"]] == [other.pk]
    assert Session.objects.get().summary == ""
    assert [task.task["func"] for task in OrmQ.objects.all()] == ["memory.tasks.summarise"]
    assert answered(client.delete(f"/api/bonds/{bond.pk}/messages/{line.pk}/")) == NOT_FOUND


def test_a_message_that_is_being_answered_is_not_forgotten(bond, line):
    turn = TurnFactory(session=line.session, id=line.turn_id, status="running")
    url = f"/api/bonds/{bond.pk}/messages/{line.pk}/"
    first = answered(api(bond.user).delete(url))
    turn.status, turn.lease_token, turn.lease_until = "done", None, None
    turn.save()

    assert first == (
        409,
        refusal("turn_running", "This message is being answered. Stop the reply, or wait until it is done."),
    )
    assert answered(api(bond.user).delete(url)) == (200, {"offered": []})


def test_a_message_off_the_record_is_erased_at_once(bond):
    line = MessageFactory(session__bond=bond, session__off_record=True)

    response = api(bond.user).delete(f"/api/bonds/{bond.pk}/messages/{line.pk}/")

    assert answered(response) == (200, {"offered": []})
    assert (Message.objects.count(), Forgotten.objects.count()) == (0, 0)


def test_a_forgotten_session_comes_back(bond, line):
    node = ConceptNodeFactory(bond=bond, sources=[line])
    client, url = api(bond.user), f"/api/bonds/{bond.pk}/sessions/{line.session_id}/"
    before = dict(SessionSerializer(Session.objects.for_serializer().get()).data)
    offered = shown(node)

    assert answered(client.delete(url)) == (200, {"offered": [offered | {"source_messages": []}]})
    assert answered(client.get(url)) == NOT_FOUND
    assert answered(client.delete(url)) == NOT_FOUND
    assert answered(client.post(f"{url}restore/")) == (200, before)
    assert answered(client.post(f"{url}restore/")) == (
        409,
        refusal("conflict", "This session was not deleted."),
    )


def test_a_session_in_which_a_reply_is_made_is_not_forgotten(bond, line):
    Session.objects.update(held_until=NOW)

    response = api(bond.user).delete(f"/api/bonds/{bond.pk}/sessions/{line.session_id}/")

    assert answered(response) == (
        409,
        refusal("turn_running", "A reply in this chat is being written. Stop it, or wait until it is done."),
    )


def test_a_session_off_the_record_is_erased_at_once(bond):
    line = MessageFactory(session__bond=bond, session__off_record=True)

    response = api(bond.user).delete(f"/api/bonds/{bond.pk}/sessions/{line.session_id}/")

    assert answered(response) == (200, {"offered": []})
    assert (Session.objects.count(), Message.objects.count(), Forgotten.objects.count()) == (0, 0, 0)


@pytest.mark.parametrize(
    ("query", "body", "nodes_left", "lines_left"),
    [
        ("", {"note": "passed over"}, 1, 1),
        ("?dependents=orphan&lines=keep", {"dependents": "cascade"}, 1, 1),
        ("?dependents=cascade", None, 0, 1),
        ("?lines=forget", None, 1, 0),
        ("", {"dependents": "cascade"}, 0, 1),
    ],
)
def test_a_memory_is_forgotten_with_as_much_as_is_asked_and_comes_back(query, body, nodes_left, lines_left, bond, line):
    node = ConceptNodeFactory(bond=bond, sources=[line])
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[node])
    before = shown(node)
    client, url = api(bond.user), path(bond, f"events/{node.pk}/")

    assert answered(client.delete(url + query, body)) == (204, None)
    assert answered(client.get(url)) == NOT_FOUND
    assert ConceptNode.objects.current().count() == nodes_left
    assert Message.objects.visible().count() == lines_left
    assert answered(client.post(f"{url}restore/")) == (200, before)
    assert shown(thought)["filling"] == [node.pk]
    assert answered(client.post(f"{url}restore/")) == (
        409,
        refusal("conflict", "This memory was neither forgotten nor replaced."),
    )


@pytest.mark.parametrize("kind", ["thought", "intention", "expectation"])
def test_what_was_thought_is_forgotten_with_its_edges(kind, bond):
    event = ConceptNodeFactory(bond=bond)
    node = ConceptNodeFactory(bond=bond, type=kind, evidence=[event])

    assert answered(api(bond.user).delete(path(bond, f"{kind}s/{node.pk}/"))) == (204, None)
    assert answered(api(bond.user).delete(path(bond, f"events/{node.pk}/"))) == NOT_FOUND
    assert ConceptNode.objects.current().get() == event
    assert Forgotten.objects.get().kind == kind


@pytest.mark.parametrize(
    ("query", "code", "field", "detail"),
    [
        ("dependents=all", "invalid", "dependents", '"all" is not a valid choice; allowed: orphan, cascade.'),
        ("lines=", "invalid", "lines", '"" is not a valid choice; allowed: keep, forget.'),
        ("deep=1", "unknown_field", "deep", "Unknown field; known are: dependents, lines."),
    ],
)
def test_forgetting_as_nobody_can(query, code, field, detail, bond):
    node = ConceptNodeFactory(bond=bond)

    response = api(bond.user).delete(path(bond, f"events/{node.pk}/?{query}"))

    assert answered(response) == (400, refusal(code, f"{field}: {detail}", {field: [detail]}))
    assert ConceptNode.objects.current().exists()


def everything_forgotten(bond, line):
    """One thing of each kind, forgotten in this order; the rows by kind."""
    node = ConceptNodeFactory(bond=bond, description="She paints.", sources=[line])
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[node])
    talk = MessageFactory(session=SessionFactory(bond=bond, channel="api"), content="Hello.").session
    cat = EntityFactory(bond=bond)
    removal.forget_message(message=line, now=NOW)
    removal.forget_node(node=node, dependents="cascade", now=NOW)
    removal.forget_session(session=talk, now=NOW)
    removal.forget_entity(entity=cat, now=NOW)
    return node, thought, talk, cat


def test_the_trash_lists_what_went_newest_first(bond, line):
    node, thought, talk, cat = everything_forgotten(bond, line)
    removal.forget_message(message=MessageFactory(session__bond__user__username="charlie"), now=NOW)

    response = api(bond.user).get(path(bond, "trash/"))

    assert answered(response) == (
        200,
        {
            "next": None,
            "previous": None,
            "results": [
                entry("entity", cat, "小黑", entities=[cat]),
                entry("session", talk, "Hello.", messages=talk.messages.all()),
                entry("event", node, "She paints.", nodes=[node, thought]),
                entry("message", line, "My cat jumps on my face at night.", messages=[line]),
            ],
        },
    )


@pytest.mark.parametrize("count", [1, 3])
def test_the_trash_costs_the_same_for_many(count, bond, django_assert_num_queries):
    for _ in range(count):
        everything_forgotten(bond, MessageFactory(session=SessionFactory(bond=bond, status="closed")))
    client = api(bond.user)

    # The token, the bond, the page, and one for each of the four kinds of rows.
    with django_assert_num_queries(7):
        assert len(client.get(path(bond, "trash/")).json()["results"]) == 4 * count


def test_what_is_in_the_trash_is_restored_and_erased_by_kind_and_id(bond, line):
    node, thought, talk, _ = everything_forgotten(bond, line)
    client = api(bond.user)
    expected = entry("event", node, "She paints.", nodes=[node, thought])

    assert answered(client.post(path(bond, f"trash/event/{node.pk}/restore/"))) == (200, expected)
    assert answered(client.post(path(bond, f"trash/session/{talk.pk}/erase/"))) == (204, None)
    assert answered(client.post(path(bond, f"trash/session/{talk.pk}/restore/"))) == (
        404,
        refusal("not_found", "This is not in the trash."),
    )
    assert {act.kind for act in Forgotten.objects.all()} == {"message", "entity"}
    assert set(ConceptNode.objects.current()) == {node, thought}
    assert not Session.objects.filter(pk=talk.pk).exists()


@pytest.mark.parametrize("kind", ["thought", "cat", "message"])
def test_what_is_of_another_kind_is_not_found(kind, bond):
    node = ConceptNodeFactory(bond=bond)
    removal.forget_node(node=node, now=NOW)

    for verb in ("restore", "erase"):
        response = api(bond.user).post(path(bond, f"trash/{kind}/{node.pk}/{verb}/"))
        assert answered(response) == (404, refusal("not_found", "This is not in the trash."))


def test_an_entity_is_not_restored_to_a_name_that_is_taken(bond):
    cat = EntityFactory(bond=bond, canonical_name="Nimbus")
    removal.forget_entity(entity=cat, now=NOW)
    EntityFactory(bond=bond, canonical_name="Nimbus")

    response = api(bond.user).post(path(bond, f"trash/entity/{cat.pk}/restore/"))

    assert answered(response) == (409, refusal("name_taken", "Someone or something else has the name “Nimbus” now."))


def test_pages_of_the_trash_follow_one_another(bond, monkeypatch):
    monkeypatch.setattr(NewestFirstPagination, "page_size", 2)
    lines = MessageFactory.create_batch(3, session=SessionFactory(bond=bond))
    for line in lines:
        removal.forget_message(message=line, now=NOW)
    client = api(bond.user)
    first = client.get(path(bond, "trash/")).json()
    second = client.get(first["next"]).json()

    listed = [[row["id"] for row in page["results"]] for page in (first, second)]
    assert (listed, second["next"]) == ([[lines[2].pk, lines[1].pk], [lines[0].pk]], None)
