from base64 import urlsafe_b64encode
from datetime import date, timedelta

import pytest
import time_machine

from memory import sessions
from memory.models import ConceptNode
from memory.recall import embeddings
from memory.serializers import timeline
from memory.serializers.nodes import NodeSerializer
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MoodChangeFactory,
    SessionFactory,
)
from tests.support.rest import answered, api, refusal
from tests.support.talks import talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def shown(node):
    return dict(NodeSerializer(ConceptNode.objects.for_serializer().get(pk=node.pk)).data)


def test_moods_are_listed_newest_first(bond):
    session = SessionFactory(bond=bond)
    MoodChangeFactory(session=session, mood="quiet", energy=3)
    MoodChangeFactory(session=session, last_user_signal="warm", created_at=NOW + timedelta(hours=1))
    MoodChangeFactory()

    assert answered(api(bond.user).get(f"/api/bonds/{bond.pk}/memory/mood/")) == (
        200,
        {
            "next": None,
            "previous": None,
            "results": [
                {
                    "mood": "tender",
                    "energy": 6,
                    "last_user_signal": "warm",
                    "at": "2026-11-21T21:00:00Z",
                    "session": session.pk,
                },
                {
                    "mood": "quiet",
                    "energy": 3,
                    "last_user_signal": None,
                    "at": "2026-11-21T20:00:00Z",
                    "session": session.pk,
                },
            ],
        },
    )


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("path", ["entities", "mood"])
def test_lists_cost_the_same_for_many(path, count, bond, django_assert_num_queries):
    session = SessionFactory(bond=bond)
    for n in range(count):
        EntityFactory(bond=bond, canonical_name=f"Cat {n}", nodes=[ConceptNodeFactory(bond=bond)])
        MoodChangeFactory(session=session)
    client = api(bond.user)

    with django_assert_num_queries(3):
        assert len(client.get(f"/api/bonds/{bond.pk}/memory/{path}/").json()["results"]) == count


def test_the_timeline_is_read_page_by_page(bond):
    ConceptNodeFactory.create_batch(49, bond=bond)
    SessionFactory(bond=bond, status="closed", message_count=3)
    EntityFactory(bond=bond)
    client = api(bond.user)

    first = client.get(f"/api/bonds/{bond.pk}/memory/timeline/").json()
    second = client.get(first["next"]).json()

    ids = [entry["id"] for entry in timeline.load_entries(bond=bond, most=60)]
    assert [entry["id"] for entry in first["results"] + second["results"]] == ids
    assert (len(first["results"]), len(second["results"]), second["next"], second["previous"]) == (50, 1, None, None)


def test_an_entry_of_the_timeline_is_like_its_event(bond):
    node = ConceptNodeFactory(bond=bond)
    ConceptNodeFactory(bond=bond, created_at=NOW - timedelta(days=1))

    response = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/timeline/", {"since": "2026-11-21T00:00:00Z"})

    entry = {
        "id": f"node-{node.pk}",
        "type": "memory.event.created",
        "at": "2026-11-21T20:00:00Z",
        "payload": {"node": shown(node)},
    }
    assert answered(response) == (200, {"next": None, "previous": None, "results": [entry]})


@pytest.mark.parametrize(
    "cursor",
    ["x", "é", "2026", *(urlsafe_b64encode(text.encode()).decode() for text in ("now node-1", "2026-11-21 node-1"))]
    + [
        urlsafe_b64encode(f"2026-11-21T20:00:00+00:00 {name}".encode()).decode() for name in ("node", "cat-1", "node-x")
    ],
)
def test_a_cursor_that_is_none_is_refused(cursor, bond):
    response = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/timeline/", {"cursor": cursor})

    assert answered(response) == (404, refusal("not_found", "Invalid cursor"))


def test_recall_says_what_a_turn_would_recall_and_why(bond):
    cat = ConceptNodeFactory(bond=bond, description="The white cat 小黑 sleeps on the piano.", emotional_impact=4)
    opera = ConceptNodeFactory(bond=bond, description="They went to the opera.")
    entity = EntityFactory(bond=bond, nodes=[cat])

    with time_machine.travel(NOW, tick=False):
        response = api(bond.user).post(f"/api/bonds/{bond.pk}/memory/recall/", {"query": "Did 小黑 go to the opera?"})

    items = response.json()["items"]
    assert response.json() == {"items": items, "words": []}
    assert [item["node"] for item in items] == [shown(cat), shown(opera)]
    assert items[0]["anchored_by"] == [entity.pk]
    assert items[0]["terms"] | {"relevance": 0} == {
        "recency": 1.0,
        "relevance": 0,
        "impact": 0.4,
        "relational": 0.0,
        "anchor": 1.0,
        "graph": 0.0,
        "fit": 0.5,
    }
    terms = items[0]["terms"]
    assert items[0]["score"] == pytest.approx(0.5 + 3 * terms["relevance"] + 0.8 + 1.5 + 2.5 * terms["fit"])
    assert [(item["kept"], item["reason"]) for item in items] == [(True, None), (True, None)]


def test_recall_quotes_what_a_turn_would_quote(bond, settings):
    settings.RECENT_WINDOW_SIZE = 1
    old = talk("My white cat jumps on the piano.", bond=bond)
    sessions.close(session=old, reason="explicit", now=NOW)
    talk("My white cat jumps on the piano now.", "It jumps on the piano again.", bond=bond, channel="api")
    stranger = BondFactory(user__username="charlie")
    talk("My white cat jumps on the piano.", bond=stranger)
    for each in (bond, stranger):
        embeddings.embed_bond(bond_id=each.pk)

    asked = {"query": "Did my white cat jump on the piano in March 2024?"}
    response = api(bond.user).post(f"/api/bonds/{bond.pk}/memory/recall/", asked)

    [word] = response.json()["words"]
    assert set(word) == {"message", "score"}
    assert {name: word["message"][name] for name in ("id", "session", "role", "content", "channel")} == {
        "id": old.messages.get().pk,
        "session": old.pk,
        "role": "user",
        "content": "My white cat jumps on the piano.",
        "channel": "web",
    }


def test_recall_names_the_time_that_brought_a_node_in(bond):
    day = {"event_time_start": date(2024, 3, 9), "event_time_end": date(2024, 3, 9)}
    node = ConceptNodeFactory(bond=bond, description="They went to the opera.", **day)

    response = api(bond.user).post(f"/api/bonds/{bond.pk}/memory/recall/", {"query": "What was in March 2024?"})

    assert [(item["node"], item["anchored_by"], item["kept"]) for item in response.json()["items"]] == [
        (shown(node), ["2024-03-01/2024-03-31"], True)
    ]


def test_recall_keeps_as_many_as_asked_for(bond):
    ConceptNodeFactory.create_batch(2, bond=bond)

    response = api(bond.user).post(f"/api/bonds/{bond.pk}/memory/recall/", {"query": "a cat at night", "k": 1})

    assert [(item["kept"], item["reason"]) for item in response.json()["items"]] == [
        (True, None),
        (False, "beyond_k"),
    ]


@pytest.mark.parametrize(
    ("body", "code", "field", "detail"),
    [
        ({}, "invalid", "query", "This field is required."),
        ({"query": " "}, "invalid", "query", "This text is blank."),
        (
            {"query": "a" * 20_001},
            "too_long",
            "query",
            "This text has 20001 characters; at most 20000 are allowed.",
        ),
        ({"query": "cat", "k": 0}, "invalid", "k", "Ensure this value is greater than or equal to 1."),
        ({"query": "cat", "k": 101}, "invalid", "k", "Ensure this value is less than or equal to 100."),
        ({"query": "cat", "deep": True}, "unknown_field", "deep", "Unknown field; known are: query, k."),
    ],
)
def test_what_cannot_be_recalled(body, code, field, detail, bond):
    response = api(bond.user).post(f"/api/bonds/{bond.pk}/memory/recall/", body)

    assert answered(response) == (400, refusal(code, f"{field}: {detail}", {field: [detail]}))


def test_a_model_that_cannot_be_loaded_is_said_so(bond, settings):
    settings.EMBEDDING_BACKEND = "sentence-transformers"
    settings.EMBEDDING_MODEL = "/nowhere"

    response = api(bond.user).post(f"/api/bonds/{bond.pk}/memory/recall/", {"query": "cat"})

    assert (response.status_code, response.json()["code"]) == (503, "model_unavailable")
