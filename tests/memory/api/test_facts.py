from datetime import timedelta

import pytest
import time_machine

from memory.facts import acts, by_hand
from memory.models import ConceptNode, FactWrite, Message, NodeLink, Session
from memory.serializers.facts import serialize_writes
from memory.serializers.nodes import NodeSerializer
from tests.support import facts
from tests.support.doubts import contradiction
from tests.support.factories import NOW, BondFactory, MessageFactory, PersonaFactory, SessionFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db
MEANWHILE = "This fact was changed or forgotten meanwhile."


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def url(bond, rest=""):
    return f"/api/bonds/{bond.pk}/memory/{rest}"


def shown(*nodes):
    found = {node.pk: node for node in ConceptNode.objects.for_serializer()}
    return [dict(NodeSerializer(found[getattr(node, "pk", node)]).data) for node in nodes]


def listed(bond, **query):
    body = api(bond.user).get(url(bond, "facts/"), query).json()
    return [node["description"] for node in body["results"]]


def test_a_fact_is_saved_by_hand_and_stated(bond):
    asked = {"description": "Mara lives in York.", "slot": "home", "value": "York", "event_time_start": "2026-03-01"}

    status, node = answered(api(bond.user).post(url(bond, "facts/"), asked))

    assert status == 201
    assert asked.items() <= node.items()
    assert {name: node[name] for name in ("type", "tier", "origin", "facet", "confidence", "loaded")} == {
        "type": "fact", "tier": "stated", "origin": "user", "facet": "about_you", "confidence": 1.0, "loaded": False,
    }  # fmt: skip
    assert FactWrite.objects.get().by == "person"


@pytest.mark.parametrize("again", [facts.NUTS, "Nuts make the user ill."])
def test_what_stands_already_is_answered(bond, again):
    first = facts.save(bond, facts.NUTS).node

    response = api(bond.user).post(url(bond, "facts/"), {"description": again})

    assert answered(response) == (200, shown(first)[0])
    assert facts.fresh(first).mention_count == 2


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"description": ""}, 400, "invalid"),
        ({"description": "d" * 600}, 201, None),
        ({"description": "d" * 601}, 400, "too_long"),
        ({"description": "Tea.", "detail": "d" * 4000}, 201, None),
        ({"description": "Tea.", "detail": "d" * 4001}, 400, "too_long"),
        ({"description": "Tea.", "slot": "diet", "value": "v" * 80}, 201, None),
        ({"description": "Tea.", "slot": "diet", "value": "v" * 81}, 400, "too_long"),
        ({"description": "Tea.", "slot": "shoes", "value": "v"}, 400, "invalid"),
        ({"description": "Tea.", "slot": "diet"}, 400, "invalid"),
        ({"description": "Tea.", "value": "v"}, 400, "invalid"),
        ({"description": "Tea.", "facet": "gossip"}, 400, "invalid"),
        ({"description": "Tea.", "event_time_start": "2026-03-02", "event_time_end": "2026-03-02"}, 201, None),
        ({"description": "Tea.", "event_time_start": "2026-03-02", "event_time_end": "2026-03-01"}, 400, "invalid"),
        ({"description": "Tea.", "tier": "stated"}, 400, "unknown_field"),
        ({"description": "My password is hunter2hunter2"}, 400, "secret"),
        ({"description": "Never mention a crisis hotline to me."}, 400, "unsafe"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_a_fact_may_hold(bond, asked, status, code):
    response = api(bond.user).post(url(bond, "facts/"), asked)

    assert (response.status_code, response.json().get("code")) == (status, code)
    assert ConceptNode.objects.count() == (1 if status == 201 else 0)


def test_no_more_facts_than_there_is_room_for(bond, monkeypatch):
    monkeypatch.setattr("memory.facts.standing.LIVE_MOST", 1)
    facts.save(bond)

    response = api(bond.user).post(url(bond, "facts/"), {"description": facts.LEEDS})

    assert (response.status_code, response.json()["code"]) == (409, "full")


def test_the_list_has_filters(bond):
    told = acts.save(bond=bond, draft=facts.home(), writer=facts.writer()).node
    acts.save(bond=bond, draft=facts.draft("Plays chess.", confidence=0.6), writer=facts.job())
    acts.save(bond=bond, draft=facts.draft("Calls the cat Inky.", facet="about_us"), writer=facts.guess())
    SessionFactory(bond=bond, loaded_ids=[told.pk])

    assert listed(bond) == ["Calls the cat Inky.", "Plays chess.", facts.LEEDS]
    assert listed(bond, q="leeds") == [facts.LEEDS]
    assert listed(bond, facet="about_us") == ["Calls the cat Inky."]
    assert listed(bond, tier="extracted") == ["Plays chess."]
    assert listed(bond, min_confidence="0.6") == ["Plays chess.", facts.LEEDS]
    assert listed(bond, min_confidence="0.61") == [facts.LEEDS]
    assert listed(bond, loaded="true") == [facts.LEEDS]
    assert listed(bond, loaded="false") == ["Calls the cat Inky.", "Plays chess."]
    assert listed(bond, state="superseded") == []


@pytest.mark.parametrize(
    "query",
    [
        {"min_confidence": "1.01"}, {"min_confidence": "-0.01"}, {"min_confidence": "nan"}, {"state": "pending"},
        {"facet": "gossip"}, {"tier": "x"}, {"as_of": "yesterday"}, {"loaded": "maybe"}, {"q": "w" * 201}, {"fact": "1"},
    ],
    ids=str,
)  # fmt: skip
def test_a_filter_that_cannot_be_read_is_refused(bond, query):
    assert api(bond.user).get(url(bond, "facts/"), query).status_code == 400


def test_as_of_shows_what_was_believed_then(bond):
    later = NOW + timedelta(days=10)
    leeds = acts.save(bond=bond, draft=facts.home(), writer=facts.writer()).node
    york = facts.home(facts.YORK, "York")
    acts.replace(bond=bond, old=leeds, draft=york, writer=facts.writer(now=later))

    def believed(at):
        return listed(bond, as_of=at.isoformat())

    assert believed(NOW - timedelta(seconds=1)) == []
    assert believed(NOW) == believed(later - timedelta(seconds=1)) == [facts.LEEDS]
    assert believed(later) == [facts.YORK]


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_asks_as_often_for_many(bond, count, django_assert_num_queries):
    for number in range(count):
        facts.save(bond, f"Has {number} plants.", accepts_near=True)
    client = api(bond.user)

    with django_assert_num_queries(3):
        assert len(client.get(url(bond, "facts/")).json()["results"]) == count


def test_a_change_answers_with_the_new_fact_and_leaves_history(bond):
    old = acts.save(bond=bond, draft=facts.home(), writer=facts.job()).node

    status, node = answered(
        api(bond.user).patch(url(bond, f"facts/{old.pk}/"), {"description": facts.YORK, "value": "York"})
    )

    assert (status, node["description"], node["slot"], node["tier"]) == (200, facts.YORK, "home", "stated")
    history = api(bond.user).get(url(bond, f"facts/{old.pk}/history/"))
    assert answered(history) == (200, {"next": None, "previous": None, "results": shown(node["id"], old)})
    again = api(bond.user).patch(url(bond, f"facts/{old.pk}/"), {"description": "Mara lives in Hull."})
    assert answered(again) == (409, refusal("changed", MEANWHILE))


def test_a_change_of_the_value_alone_fills_the_slot_that_the_fact_has(bond):
    old = acts.save(bond=bond, draft=facts.home(), writer=facts.job()).node

    changed = api(bond.user).patch(url(bond, f"facts/{old.pk}/"), {"value": "Harehills"}).json()

    assert (changed["description"], changed["slot"], changed["value"]) == (old.description, "home", "Harehills")


@pytest.mark.parametrize(
    ("asked", "field", "detail"),
    [
        ({"value": "York"}, "slot", "Say in which slot the value stands."),
        ({"slot": "home"}, "value", "Say what stands in the slot home."),
    ],
)
def test_a_fact_without_a_slot_gets_one_by_slot_and_value(bond, asked, field, detail):
    old = facts.save(bond, facts.NUTS).node

    response = api(bond.user).patch(url(bond, f"facts/{old.pk}/"), asked)

    assert answered(response) == (400, refusal("invalid", f"{field}: {detail}", {field: [detail]}))


@pytest.mark.parametrize(
    ("emptied", "left"),
    [
        ({"detail": ""}, {"detail": None, "slot": "home", "value": "Leeds", "event_time_start": "2026-03-01"}),
        ({"slot": None}, {"detail": "By the river.", "slot": None, "value": None, "event_time_start": "2026-03-01"}),
        ({"event_time_start": None}, {"detail": "By the river.", "slot": "home", "event_time_start": None}),
        ({"event_time_end": None}, {"event_time_start": "2026-03-01", "event_time_end": None}),
        ({"description": "In Leeds."}, {"detail": "By the river.", "slot": "home", "event_time_end": "2027-01-01"}),
        ({"value": "York"}, {"detail": "By the river.", "slot": "home", "value": "York", "event_time_start": None}),
    ],
)
def test_a_change_takes_away_what_it_sends_empty_and_nothing_else(bond, emptied, left):
    asked = {
        "description": facts.LEEDS,
        "detail": "By the river.",
        "slot": "home",
        "value": "Leeds",
        "event_time_start": "2026-03-01",
        "event_time_end": "2027-01-01",
    }
    client = api(bond.user)
    node = client.post(url(bond, "facts/"), asked).json()

    changed = client.patch(url(bond, f"facts/{node['id']}/"), emptied)

    assert changed.status_code == 200
    assert left.items() <= changed.json().items()


def test_nearly_the_same_is_refused_once_and_stands_beside_when_asked_again(bond):
    facts.save(bond, "The user plays the piano.")
    client, asked = api(bond.user), {"description": "The user plays piano."}

    first, second = (client.post(url(bond, "facts/"), asked) for _ in range(2))

    assert answered(first) == (409, refusal("near", by_hand.NEAR % {"fact": "The user plays the piano."}))
    assert second.status_code == 201
    assert facts.live(bond) == ["The user plays the piano.", "The user plays piano."]


def test_a_change_that_changes_nothing_is_refused(bond):
    old = facts.save(bond).node

    assert api(bond.user).patch(url(bond, f"facts/{old.pk}/"), {}).json()["code"] == "invalid"


def test_a_fact_is_confirmed_ended_and_restored(bond):
    node = acts.save(bond=bond, draft=facts.home(), writer=facts.job()).node
    client, address = api(bond.user), url(bond, f"facts/{node.pk}/")

    confirmed = client.post(f"{address}confirm/").json()
    assert (confirmed["tier"], confirmed["confidence"], confirmed["last_confirmed_at"]) == (
        "stated",
        1.0,
        "2026-11-21T20:00:00Z",
    )
    ended = client.post(f"{address}end/", {"reason": "wrong"}).json()
    assert (ended["state"], ended["state_reason"]) == ("superseded", "wrong")
    assert answered(client.post(f"{address}end/")) == answered(client.post(f"{address}confirm/"))
    assert answered(client.post(f"{address}end/")) == (409, refusal("changed", MEANWHILE))
    assert client.post(f"{address}end/", {"reason": "bored"}).status_code == 400
    assert client.post(f"{address}restore/").json()["state"] == "live"


def test_an_uncertain_fact_that_is_confirmed_holds(bond):
    doubt = contradiction(bond)

    status, shown = answered(api(bond.user).post(url(bond, f"facts/{doubt.a_node_id}/confirm/")))

    assert (status, shown["state"], shown["tier"]) == (200, "live", "stated")


def test_restoring_into_a_taken_slot_is_refused(bond):
    old = acts.save(bond=bond, draft=facts.home(), writer=facts.writer()).node
    acts.end(bond=bond, node=old, writer=facts.writer())
    acts.save(bond=bond, draft=facts.home(facts.YORK, "York"), writer=facts.writer())

    response = api(bond.user).post(url(bond, f"facts/{old.pk}/restore/"))

    assert (response.status_code, response.json()["code"]) == (409, "changed")
    assert facts.live(bond) == [facts.YORK]


def test_a_fact_is_forgotten_and_comes_back(bond):
    node = facts.save(bond).node
    client, address = api(bond.user), url(bond, f"facts/{node.pk}/")

    assert client.delete(address).status_code == 204
    assert answered(client.get(address)) == NOT_FOUND
    assert client.post(f"{address}restore/").json()["description"] == facts.NUTS


def test_history_can_be_forgotten_too(bond):
    old = acts.save(bond=bond, draft=facts.home(), writer=facts.writer()).node
    acts.replace(bond=bond, old=old, draft=facts.home(facts.YORK, "York"), writer=facts.writer())

    assert api(bond.user).delete(url(bond, f"facts/{old.pk}/")).status_code == 204
    assert listed(bond) == [facts.YORK]


def test_facts_are_linked_listed_and_unlinked(bond):
    a, b = facts.save(bond).node, facts.save(bond, facts.LEEDS).node
    client, address = api(bond.user), url(bond, "links/")

    status, link = answered(client.post(address, {"a": a.pk, "b": b.pk, "relation": "beside"}))

    assert (status, link["a"], link["b"], link["relation"]) == (201, a.pk, b.pk, "beside")
    assert client.get(address).json()["results"] == [link]
    assert client.post(address, {"a": a.pk, "b": b.pk, "relation": "beside"}).json()["code"] == "invalid"
    assert client.post(address, {"a": a.pk, "b": a.pk, "relation": "beside"}).json()["code"] == "invalid"
    assert client.delete(f"{address}{link['id']}/").status_code == 204
    assert not NodeLink.objects.exists()
    [write] = FactWrite.objects.filter(op="linked")
    assert write.undone_at == NOW


def test_a_relation_that_no_write_named_goes_with_a_write_of_its_own(bond):
    a, b = facts.save(bond).node, facts.save(bond, facts.LEEDS).node
    link = NodeLink.objects.create(bond=bond, a=a, b=b, relation="refines", created_at=NOW)

    assert api(bond.user).delete(url(bond, f"links/{link.pk}/")).status_code == 204

    write = FactWrite.objects.get(op="linked")
    assert (write.node, write.old, write.by, write.undone_at) == (a, [b.pk], "person", NOW)


@pytest.mark.parametrize(("length", "status"), [(1, 201), (40, 201), (41, 400)])
def test_a_relation_has_forty_characters_at_most(bond, length, status):
    a, b = facts.save(bond).node, facts.save(bond, facts.LEEDS).node

    asked = {"a": a.pk, "b": b.pk, "relation": "r" * length}

    assert api(bond.user).post(url(bond, "links/"), asked).status_code == status


def test_writes_are_listed_by_session_and_turn_and_undone(bond):
    turn = "0b6f1f0e-8a3e-4d5c-9a52-0f6f8c1c2d3e"
    session = SessionFactory(bond=bond)
    first = facts.save(bond)
    second = facts.save(bond, facts.LEEDS, by=facts.writer(session=session, turn_id=turn, offset=3))
    client, address = api(bond.user), url(bond, "writes/")

    def ids(**query):
        return [write["id"] for write in client.get(address, query).json()["results"]]

    assert client.get(address).json()["results"] == list(
        serialize_writes(bond_id=bond.pk, writes=[second, first], now=NOW)
    )
    assert ids(session=session.pk) == ids(turn=turn) == [second.pk]
    assert client.get(address, {"turn": "x"}).status_code == 400
    undone = client.post(f"{address}{second.pk}/undo/").json()
    assert (undone["undone_at"], undone["undoable"], undone["node"]) == ("2026-11-21T20:00:00Z", False, None)
    assert client.post(f"{address}{second.pk}/undo/").json() == undone
    assert facts.live(bond) == [facts.NUTS]


def test_of_what_was_forgotten_no_write_shows_the_text(bond):
    node = facts.save(bond).node
    acts.forget(bond=bond, node=node, writer=facts.writer())
    client, address = api(bond.user), url(bond, "writes/")

    shown_writes = client.get(address).json()["results"]

    assert [(write["op"], write["node"], write["old"]) for write in shown_writes] == [
        ("forgotten", None, []),
        ("saved", None, []),
    ]
    back = client.post(f"{address}{shown_writes[0]['id']}/undo/").json()
    assert back["node"]["description"] == facts.NUTS


def test_a_write_whose_result_moved_on_is_not_undone(bond):
    write = acts.save(bond=bond, draft=facts.home(), writer=facts.writer())
    acts.end(bond=bond, node=write.node, writer=facts.writer())

    response = api(bond.user).post(url(bond, f"writes/{write.pk}/undo/"))

    assert (response.status_code, response.json()["code"]) == (409, "changed")


def test_what_a_session_has_loaded(bond):
    session = SessionFactory(bond=bond, loaded_text="- Tea.", loaded_hash="ab", loaded_ids=[5], loaded_left=2)
    client, address = api(bond.user), f"/api/bonds/{bond.pk}/sessions/{session.pk}/loaded/"

    assert answered(client.get(address)) == (200, {"text": "- Tea.", "hash": "ab", "ids": [5], "left_out": 2})
    Session.objects.update(loaded_text="", loaded_hash="", loaded_ids=[], loaded_left=0)
    assert client.get(address).json() == {"text": None, "hash": None, "ids": [], "left_out": 0}


def test_charlie_reaches_no_fact_of_mara_through_a_body(bond):
    charlie = BondFactory(user__username="charlie")
    own, other = facts.save(charlie).node, facts.save(bond).node
    client = api(charlie.user)

    link = client.post(url(charlie, "links/"), {"a": own.pk, "b": other.pk, "relation": "beside"})
    message = client.post(f"/api/bonds/{charlie.pk}/messages/", {"content": "Hm.", "about": other.pk})

    assert answered(link) == NOT_FOUND
    assert answered(message) == (404, refusal("not_found", "Fact not found."))
    assert listed(charlie) == [facts.NUTS]
    assert client.get(url(charlie, "writes/")).json()["results"][0]["node"]["id"] == own.pk


def test_messages_show_their_writes(bond):
    session = SessionFactory(bond=bond)
    asked, unanswered = MessageFactory(session=session), MessageFactory(session=session)
    reply = MessageFactory(session=session, role="persona", turn_id=asked.turn_id)
    first = facts.save(bond, by=facts.writer(session=session, turn_id=asked.turn_id))
    FactWrite.objects.filter(pk=first.pk).update(message=reply)
    second = facts.save(bond, facts.LEEDS, by=facts.writer(session=session, turn_id=unanswered.turn_id))
    gone = facts.save(bond, "Plays chess.", by=facts.writer(session=session, turn_id=unanswered.turn_id))
    acts.forget(bond=bond, node=gone.node, writer=facts.writer())

    body = api(bond.user).get(f"/api/bonds/{bond.pk}/messages/").json()

    told = {
        message["id"]: [write["node"] and write["node"]["description"] for write in message["writes"]]
        for message in body["results"]
    }
    assert told == {asked.pk: [], reply.pk: [facts.NUTS], unanswered.pk: [facts.LEEDS, None]}
    assert body["results"][0]["writes"][0]["id"] == first.pk
    assert second.message_id is None


def test_a_message_about_a_fact_says_so_to_its_turn_alone(bond):
    node = facts.save(bond).node
    address = f"/api/bonds/{bond.pk}/messages/"

    response = api(bond.user).post(address, {"content": "That is over.", "about": node.pk})

    assert response.status_code == 202
    assert Message.objects.get().about_id == node.pk
    assert "about" not in api(bond.user).get(address).json()["results"][0]
    ConceptNode.objects.update(deleted_at=NOW)
    response = api(bond.user).post(address, {"content": "Is it?", "about": node.pk})
    assert answered(response) == (404, refusal("not_found", "Fact not found."))


@pytest.fixture
def other(bond):
    return BondFactory(user=bond.user, persona=PersonaFactory(owner=bond.user))


def copy_in(bond):
    return ConceptNode.objects.live_facts().get(bond=bond)


def test_a_fact_is_told_to_all_companions_and_to_this_one_alone(bond, other):
    line = MessageFactory(session=SessionFactory(bond=bond))
    node = facts.save(bond, by=facts.writer(messages=[line])).node
    client, address = api(bond.user), url(bond, f"facts/{node.pk}/")

    status, told = answered(client.post(f"{address}share/"))

    [copy] = client.get(url(other, "facts/")).json()["results"]
    assert (status, told["shared"], told["source_messages"]) == (200, True, [line.pk])
    assert (copy["description"], copy["shared"], copy["source_messages"], copy["session"]) == (
        facts.NUTS,
        True,
        [],
        None,
    )
    status, alone = answered(client.post(url(other, f"facts/{copy['id']}/unshare/")))
    assert (status, alone["id"], alone["shared"]) == (200, copy["id"], False)
    assert listed(bond) == []


def test_a_change_in_a_chat_is_told_to_the_others_once_asked_for(bond, other):
    node = facts.save(bond).node
    client = api(bond.user)
    client.post(url(bond, f"facts/{node.pk}/share/"))
    write = acts.end(bond=bond, node=node, writer=facts.writer())
    standing = facts.live(other)

    told = [answered(client.post(url(bond, f"writes/{write.pk}/tell/"))) for _ in range(2)]

    assert (standing, facts.live(other)) == ([facts.NUTS], [])
    assert told == [(200, {"told": 1}), (200, {"told": 0})]
    assert answered(client.post(url(other, f"writes/{write.pk}/tell/"))) == NOT_FOUND


@pytest.mark.parametrize("facet", ["about_us", "persona_canon"])
def test_what_is_about_one_companion_is_not_told_to_all(bond, other, facet):
    node = facts.save(bond, facet=facet, by=facts.job()).node

    response = api(bond.user).post(url(bond, f"facts/{node.pk}/share/"))

    sentence = "Only what is about you can be told to all companions."
    assert answered(response) == (400, refusal("invalid", sentence))
    assert listed(other) == []


def test_acts_by_hand_reach_every_copy(bond, other):
    node = facts.save(bond).node
    client = api(bond.user)
    client.post(url(bond, f"facts/{node.pk}/share/"))

    def press(act="", method="post", **body):
        address = url(other, f"facts/{copy_in(other).pk}/{act}")
        assert getattr(client, method)(address, body).status_code in (200, 204)

    press(method="patch", description=facts.LEEDS)
    assert facts.live(bond) == facts.live(other) == [facts.LEEDS]
    press("confirm/")
    assert copy_in(bond).last_confirmed_at == NOW
    ended = copy_in(other)
    press("end/", reason="wrong")
    assert facts.live(bond) == facts.live(other) == []
    assert client.post(url(other, f"facts/{ended.pk}/restore/")).status_code == 200
    assert facts.live(bond) == facts.live(other) == [facts.LEEDS]
    press(method="delete")
    assert facts.live(bond) == facts.live(other) == []


def test_what_is_past_is_neither_told_nor_taken_back(bond):
    node = facts.save(bond).node
    acts.end(bond=bond, node=node, writer=facts.writer())

    for act in ("share", "unshare"):
        response = api(bond.user).post(url(bond, f"facts/{node.pk}/{act}/"))
        assert answered(response) == (409, refusal("changed", MEANWHILE))


@pytest.mark.parametrize("act", ["share", "unshare", "confirm", "end", "restore"])
def test_charlie_acts_on_no_fact_of_mara(bond, act):
    charlie = BondFactory(user__username="charlie")
    node = facts.save(bond).node

    for address in (url(bond, f"facts/{node.pk}/{act}/"), url(charlie, f"facts/{node.pk}/{act}/")):
        assert answered(api(charlie.user).post(address)) == NOT_FOUND

    assert (facts.live(bond), facts.live(charlie), facts.fresh(node).shared) == ([facts.NUTS], [], False)
