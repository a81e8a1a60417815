"""Nothing of another bond is ever a candidate: random lives in two bonds, told in the same words, and every way of finding."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from echovessel import periods, text
from echovessel.embeddings import embedding
from memory.consolidation import known_context
from memory.consolidation.transcript import NumberedMessage
from memory.entities import editing, lookup, matching
from memory.models import ConceptNode, Entity, Mention
from memory.recall import candidates, embeddings, memories
from memory.recall import lines as recall_lines
from memory.search import search
from personas.models import Bond
from tests.support.factories import BondFactory, ConceptNodeFactory, EntityFactory, FillingFactory
from tests.support.rest import api
from tests.support.talks import talk

pytestmark = pytest.mark.django_db

NAMES = {"Yiyang": "person", "Nimbus": "pet", "小黑": "pet"}
SAID = (
    "Nimbus the cat sleeps on the boat",
    "Yiyang planted beans by the wall",
    "小黑晚上跳到我脸上",
    "我的外婆去世了",
    "The boat sank in the rain",
)
QUERIES = ("Where does Nimbus sleep?", "Who planted beans?", "小黑晚上做什么？", "What did I do yesterday?", "my boat")


@dataclass(frozen=True)
class Life:
    """Ids of what a bond holds, by the kind of row."""

    bond: Bond
    lines: frozenset[int]
    nodes: frozenset[int]
    entities: frozenset[int]


def lived(said: Collection[str], *, now) -> Life:
    """Each text as a line of an earlier talk, as an event of yesterday, and as a thought that rests on it."""
    bond = BondFactory()
    told = talk(*said, bond=bond, now=now - timedelta(days=1))
    told.status = "closed"
    told.closed_at, told.close_reason = now, "explicit"
    told.save()
    embeddings.embed_bond(bond_id=bond.pk)
    lines = list(told.messages.order_by("id"))
    events = [remembered(bond, line, now=now) for line in lines]
    thoughts = [
        FillingFactory(parent__bond=bond, parent__description=one.description, child=one).parent for one in events
    ]
    met = [
        EntityFactory(
            bond=bond, canonical_name=name, kind=kind, nodes=[one for one in events if name in one.description]
        )
        for name, kind in NAMES.items()
        if any(name in one for one in said)
    ]
    embeddings.reembed()
    return Life(
        bond=bond,
        lines=frozenset(line.pk for line in lines),
        nodes=frozenset(one.pk for one in (*events, *thoughts)),
        entities=frozenset(one.pk for one in met),
    )


def remembered(bond, line, *, now):
    yesterday = (now - timedelta(days=1)).date()
    return ConceptNodeFactory(
        bond=bond,
        description=line.content,
        sources=[line],
        created_at=now - timedelta(hours=2),
        event_time_start=yesterday,
        event_time_end=yesterday,
        relational_tags=["identity-bearing"],
    )


@dataclass(frozen=True)
class Found:
    lines: Collection[int] = ()
    nodes: Collection[int] = ()
    entities: Collection[int] = ()


def vector_of(query, *, is_usable=True):
    return embedding.embed([query], of_question=True)[0] if is_usable else None


def by_recall(life, other, query, now, *, is_usable):
    got = memories.search(bond=life.bond, query=query, vector=vector_of(query, is_usable=is_usable), now=now)
    anchors = {one for item in got.items for one in item.entity_ids}
    return Found(nodes=[item.node.pk for item in got.items], entities=[*anchors, *(one.pk for one in got.named)])


def by_foreign_names(life, other, query, now):
    """Even where it is asked for another bond's people, and by them alone."""
    asked = candidates.CandidateQuery(terms=[], vector=None, entity_ids=sorted(other.entities), periods=[])
    return Found(nodes=[one.node.pk for one in candidates.find(bond=life.bond, asked=asked)])


def by_time(life, other, query, now):
    named = periods.find_periods("yesterday", today=now.date())
    asked = candidates.CandidateQuery(terms=[], vector=None, entity_ids=[], periods=named)
    found = candidates.find(bond=life.bond, asked=asked)
    return Found(
        nodes=[*(one.node.pk for one in found), *(pk for one in found for pk in one.cites)],
        entities=[pk for one in found for pk in one.about_ids],
    )


def by_words(life, other, query, now, *, is_usable):
    vector = vector_of(query, is_usable=is_usable)
    asked = recall_lines.build_query(bond=life.bond, query=query, vector=vector, today=now.date())
    looked_at = list(recall_lines.rank_messages(asked, most=50)) if asked.terms else []
    told = recall_lines.search(bond=life.bond, query=query, vector=vector, today=now.date())
    return Found(lines=[word.message.pk for word in (*told, *(one for one, _ in looked_at))])


def by_search(life, other, query, now):
    found = search.search(bond=life.bond, query=max(text.extract_terms(query), key=len))
    return of_layers((one.layer, one.id) for one in found)


def of_layers(found):
    rows = list(found)
    return Found(
        lines=[pk for layer, pk in rows if layer == "L2"],
        nodes=[pk for layer, pk in rows if layer in ("L3", "L4")],
        entities=[pk for layer, pk in rows if layer == "L5"],
    )


def by_nearness_to_a_talk(life, other, query, now):
    said = talk(query, bond=life.bond, now=now)
    lines = [
        NumberedMessage(number=at, message=line, text=line.content)
        for at, line in enumerate(said.messages.all(), start=1)
    ]
    known = list(Entity.objects.for_bond(life.bond))
    found = known_context.find_events(bond=life.bond, lines=lines, known=known)
    return Found(nodes=[one.pk for one in found])


def by_meeting(life, other, query, now):
    """Who is met by hand is linked to the memories that name them, and likened to who is known."""
    met = editing.create(bond=life.bond, wanted={"canonical_name": "beans", "kind": "other"}, now=now)
    [vector] = matching.embed_names([["Nimbus"]])
    like = matching.find_match(bond=life.bond, name="Nimbus", kind="pet", vector=vector)
    named = [one.pk for one, _ in lookup.find_named(bond=life.bond, said=query) if one != met]
    linked = Mention.objects.filter(entity=met).values_list("node_id", flat=True)
    return Found(nodes=list(linked), entities=[*named, *([like.entity.pk] if like else [])])


def by_rest(life, other, query, now):
    client, at = api(life.bond.user), f"/api/bonds/{life.bond.pk}"
    recalled = client.post(f"{at}/memory/recall/", {"query": query}, format="json").json()
    found = client.get(f"{at}/memory/search/", {"q": max(text.extract_terms(query), key=len)}).json()["results"]
    by_layer = of_layers((one["layer"], one["id"]) for one in found)
    return Found(
        lines=[*by_layer.lines, *(one["message"]["id"] for one in recalled["words"])],
        nodes=[*by_layer.nodes, *(one["node"]["id"] for one in recalled["items"])],
        entities=by_layer.entities,
    )


WAYS: dict[str, Callable[..., Found]] = {
    "recall": partial(by_recall, is_usable=True),
    "recall by terms": partial(by_recall, is_usable=False),
    "foreign names": by_foreign_names,
    "time": by_time,
    "words": partial(by_words, is_usable=True),
    "words by terms": partial(by_words, is_usable=False),
    "search": by_search,
    "near": by_nearness_to_a_talk,
    "meeting": by_meeting,
    "rest": by_rest,
}
SOME = st.lists(st.sampled_from(SAID), min_size=1, max_size=5, unique=True)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mine=SOME, theirs=SOME, query=st.sampled_from(QUERIES))
def test_nothing_of_another_bond_is_ever_a_candidate(way, mine, theirs, query):
    now = timezone.now()
    other, life = lived(theirs, now=now), lived(mine, now=now)
    lines, nodes = set(life.lines), set(life.nodes)

    found = WAYS[way](life, other, query, now)

    assert (set(found.lines) - lines, set(found.nodes) - nodes, set(found.entities) - life.entities) == (
        set(),
        set(),
        set(),
    )


@pytest.mark.parametrize("way", [way for way in WAYS if way != "foreign names"])
def test_each_way_finds_what_is_the_bonds_own(way):
    now = timezone.now()
    life = lived(SAID, now=now)

    found = WAYS[way](life, life, QUERIES[1], now)

    assert {*found.lines, *found.nodes, *found.entities}


def test_the_people_of_the_bond_itself_bring_what_names_them():
    now = timezone.now()
    life = lived(SAID, now=now)

    found = by_foreign_names(life, life, "", now)

    assert set(found.nodes) <= life.nodes
    assert len(found.nodes) == ConceptNode.objects.filter(mentions__entity__in=life.entities).distinct().count() == 3


def test_the_newest_of_a_type_are_found_without_those_of_other_bonds():
    other, newest = BondFactory(), ConceptNode.objects.for_bond(BondFactory()).facts().order_by("-id")[:12]
    ConceptNode.objects.bulk_create(ConceptNodeFactory.build(bond=other) for _ in range(1000))
    with connection.cursor() as cursor:
        # A few rows would be sorted; a million are walked in the order of an index.
        cursor.execute("SET LOCAL enable_sort = off")

        assert "node_bond_type_last" in newest.explain()
