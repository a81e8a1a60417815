from datetime import date, timedelta

import pytest

from echovessel.embeddings import embedding
from memory.models import ConceptNode
from memory.serializers.messages import MessageSerializer
from memory.serializers.nodes import NodeSerializer
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FillingFactory,
    MessageFactory,
    SessionFactory,
)
from tests.support.facts import NO_FACT
from tests.support.rest import answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def shown(node):
    return dict(NodeSerializer(ConceptNode.objects.for_serializer().get(pk=node.pk)).data)


def ids(response):
    return [row["id"] for row in response.json()["results"]]


def test_a_node_is_read_whole(bond):
    node = ConceptNodeFactory(
        bond=bond,
        event_time_start=date(2026, 11, 20),
        event_time_end=date(2026, 11, 21),
        source_quote="<b>my cat</b>",
        emotional_impact=-3,
        relational_tags=["vulnerability"],
    )

    response = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/events/{node.pk}/")

    assert answered(response) == (200, shown(node))
    assert response.json() | {"id": 0} == {
        "id": 0,
        "type": "event",
        "subject": "user",
        "description": "The user's cat jumps on their face at night.",
        "emotional_impact": -3,
        "emotion_tags": [],
        "relational_tags": ["vulnerability"],
        "event_time_start": "2026-11-20",
        "event_time_end": "2026-11-21",
        "origin": "extraction",
        "confidence": 0.8,
        "state": "live",
        "state_reason": None,
        "session": None,
        "source_messages": [],
        "source_quote": "<b>my cat</b>",
        "filling": [],
        "superseded_by": None,
        "conflicts_with": None,
        "stale": False,
        "valid_from": "2026-11-21T20:00:00Z",
        "valid_until": None,
        "mention_count": 1,
        "created_at": "2026-11-21T20:00:00Z",
        **NO_FACT,
    }


TYPES = ("event", "thought", "intention", "expectation")


def test_each_type_has_a_list_of_its_own_without_what_was_forgotten(bond):
    nodes = {kind: ConceptNodeFactory(bond=bond, type=kind) for kind in TYPES}
    ConceptNodeFactory(bond=bond, deleted_at=NOW)
    client = api(bond.user)

    assert {kind: ids(client.get(f"/api/bonds/{bond.pk}/memory/{kind}s/")) for kind in nodes} == {
        kind: [node.pk] for kind, node in nodes.items()
    }
    assert client.get(f"/api/bonds/{bond.pk}/memory/thoughts/{nodes['event'].pk}/").status_code == 404


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["grief", "joy", "old"]),
        ({"q": "GRANDMOTHER"}, ["grief"]),
        ({"q": "100%"}, ["joy"]),
        ({"q": "died grandmothers"}, ["grief"]),
        ({"q": "猫"}, ["old"]),
        ({"tag": "sad"}, ["grief"]),
        ({"tag": "milestone"}, ["joy"]),
        ({"subject": "shared"}, ["joy"]),
        ({"min_impact": "6"}, ["grief", "joy"]),
        ({"min_impact": "0"}, ["grief", "joy", "old"]),
        ({"since": "2026-11-21T21:00:00+01:00"}, ["grief", "joy"]),
        ({"since": "2026-11-21T20:00:01Z"}, []),
        ({"state": "superseded"}, ["old"]),
        ({"state": "live", "tag": "sad", "q": "died"}, ["grief"]),
        ({"q": "", "tag": "", "subject": "", "min_impact": "", "since": "", "state": "superseded"}, ["old"]),
    ],
)
def test_lists_are_filtered(query, found, bond):
    make = ConceptNodeFactory.create
    nodes = {
        "old": make(bond=bond, description="养了一只猫。", state="superseded", created_at=NOW - timedelta(days=9)),
        "joy": make(
            bond=bond,
            description="They passed with 100%.",
            emotional_impact=6,
            relational_tags=["milestone"],
            subject="shared",
        ),
        "grief": make(
            bond=bond, description="Their grandmother died.", emotional_impact=-8, emotion_tags=["sad", "tired"]
        ),
    }

    response = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/events/", query)

    assert ids(response) == [nodes[name].pk for name in found]


@pytest.mark.parametrize(
    ("query", "code", "field", "detail"),
    [
        (
            {"tags": "sad"},
            "unknown_field",
            "tags",
            "Unknown field; known are: cursor, q, tag, subject, min_impact, since, state.",
        ),
        ({"min_impact": "11"}, "invalid", "min_impact", "Ensure this value is less than or equal to 10."),
        ({"min_impact": "strong"}, "invalid", "min_impact", "A valid integer is required."),
        ({"subject": "cat"}, "invalid", "subject", '"cat" is not a valid choice; allowed: user, persona, shared.'),
        (
            {"since": "yesterday"},
            "invalid",
            "since",
            "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].",
        ),
        (
            {"q": "\x00"},
            "invalid",
            "q",
            "This text has a character that cannot be stored (a NUL or half a surrogate pair).",
        ),
        ({"q": "a" * 201}, "too_long", "q", "This text has 201 characters; at most 200 are allowed."),
    ],
)
def test_a_query_that_is_none_is_refused(query, code, field, detail, bond):
    response = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/events/", query)

    assert answered(response) == (400, refusal(code, f"{field}: {detail}", {field: [detail]}))


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("kind", ["event", "thought", "intention", "expectation"])
def test_lists_cost_the_same_for_many(kind, count, bond, django_assert_num_queries):
    evidence = ConceptNodeFactory(bond=bond, deleted_at=NOW if kind == "event" else None)
    line = MessageFactory(session__bond=bond)
    cited = [] if kind == "event" else [evidence]
    ConceptNodeFactory.create_batch(count, bond=bond, type=kind, sources=[line], evidence=cited)
    client = api(bond.user)

    # The token, the bond, the nodes.
    with django_assert_num_queries(3):
        assert len(ids(client.get(f"/api/bonds/{bond.pk}/memory/{kind}s/"))) == count


def test_pages_keep_their_filter(bond):
    nodes = ConceptNodeFactory.create_batch(51, bond=bond, emotion_tags=["sad"])
    ConceptNodeFactory.create_batch(2, bond=bond)
    client = api(bond.user)

    first = client.get(f"/api/bonds/{bond.pk}/memory/events/?tag=sad")
    second = client.get(first.json()["next"])

    assert ids(first) + ids(second) == [node.pk for node in reversed(nodes)]


def test_a_thought_is_traced_down_to_the_messages(bond, django_assert_num_queries):
    line = MessageFactory(session__bond=bond)
    other = MessageFactory(session=line.session)
    event, kept = ConceptNodeFactory(bond=bond, sources=[line]), ConceptNodeFactory(bond=bond, sources=[other])
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[event])
    FillingFactory(parent=thought, child=kept, orphaned=True)
    FillingFactory(parent=thought, child=ConceptNodeFactory(bond=bond, deleted_at=NOW))
    client = api(bond.user)

    with django_assert_num_queries(8):
        response = client.get(f"/api/bonds/{bond.pk}/memory/thoughts/{thought.pk}/trace/")

    assert answered(response) == (
        200,
        {
            "node": thought.pk,
            "filling": [
                {"event": shown(event), "orphaned": False, "messages": [dict(MessageSerializer(line).data)]},
                {"event": shown(kept), "orphaned": True, "messages": [dict(MessageSerializer(other).data)]},
            ],
        },
    )


def embed(node):
    node.embedding = embedding.embed([node.description])[0]
    node.embedding_model = embedding.get_model_name()
    node.save()


def test_what_hangs_on_an_event_is_listed_at_any_depth(bond):
    session = SessionFactory(bond=bond, summary="A cat at night")
    line = MessageFactory(session=session)
    event = ConceptNodeFactory(bond=bond, sources=[line])
    twin = ConceptNodeFactory(bond=bond)
    for node in (event, twin):
        embed(node)
    ConceptNodeFactory(bond=bond, description="They love the opera in Vienna.")
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[event, twin])
    expectation = ConceptNodeFactory(bond=bond, type="expectation", evidence=[thought, event])
    deeper = ConceptNodeFactory(bond=bond, type="thought", evidence=[expectation])
    entity = EntityFactory(bond=bond, nodes=[event], description="A white cat.")
    other = EntityFactory(bond=bond, canonical_name="Anna", nodes=[event])

    response = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/events/{event.pk}/dependents/")

    assert answered(response) == (
        200,
        {
            "node": event.pk,
            "dependents": [
                {"node": shown(thought), "depth": 1},
                {"node": shown(expectation), "depth": 1},
                {"node": shown(deeper), "depth": 2},
            ],
            "messages": [line.pk],
            "mentions": [entity.pk, other.pk],
            "summaries": [session.pk],
            "descriptions": [entity.pk],
            "similar": [twin.pk],
            "recaps": 0,
            "points": 0,
        },
    )
