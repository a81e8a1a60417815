from datetime import date, timedelta

import pytest

from echovessel import tokens
from memory.consolidation.slow_tick import gather_input, parse_answer, render_prompt
from memory.consolidation.slow_tick.gather_input import Material, MaterialItem
from memory.models import ConceptNode
from tests.support.factories import NOW, AliasFactory, BondFactory, ConceptNodeFactory, EntityFactory, FactFactory
from tests.support.ticks import ended

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def gathered(bond, *, last=None, now=NOW):
    return gather_input.gather(bond=bond, last=last, now=now)


def texts(told):
    return [one.text.partition(") ")[2] for one in told]


def test_events_since_the_last_run_are_read_and_those_of_a_week_the_first_time(bond):
    make = ConceptNodeFactory.create
    old = make(bond=bond, description="Old.", created_at=NOW - 7 * DAY)
    make(bond=bond, description="Gone.", deleted_at=NOW)
    make(bond=bond, description="Replaced.", state="superseded")
    make(bond=bond, description="A thought.", type="thought")
    make(description="A stranger's.")
    recent = make(bond=bond, description="Recent.", created_at=NOW - 7 * DAY + timedelta(seconds=1))
    make(bond=bond, description="New.")
    last = ended(bond, last_event_id=recent.pk)

    assert texts(gathered(bond).events) == ["impact +0: Recent.", "impact +0: New."]
    assert texts(gathered(bond, last=last).events) == ["impact +0: New."]
    last.last_event_id = old.pk - 1
    assert texts(gathered(bond, last=last).events) == ["impact +0: Old.", "impact +0: Recent.", "impact +0: New."]


def test_the_ten_newest_facts_stand_before_the_events_at_every_run(bond):
    for n in range(11):
        FactFactory(bond=bond, description=f"Fact {n}", created_at=NOW - (40 - n) * DAY)
    event = ConceptNodeFactory(bond=bond, description="New.")

    facts = [f"a fact: Fact {n}" for n in range(1, 11)]
    assert texts(gathered(bond).events) == [*facts, "impact +0: New."]
    assert texts(gathered(bond, last=ended(bond, last_event_id=event.pk)).events) == facts


def test_a_thought_feels_as_its_events_did_whatever_facts_it_cites(bond):
    event, fact = ConceptNodeFactory(bond=bond, emotional_impact=-6), FactFactory(bond=bond)

    assert parse_answer.compute_mean_impact([event, fact]) == -6
    assert parse_answer.compute_mean_impact([fact]) == 0


def test_an_event_is_told_with_its_days_and_its_correction(bond):
    zone = BondFactory(user__time_zone="Asia/Shanghai").user.zone
    make = ConceptNodeFactory.create
    nodes = [
        make(bond=bond, description="x\n<y>", emotional_impact=-2),
        make(bond=bond, description="x", event_time_start=date(2026, 12, 1), event_time_end=date(2026, 12, 1)),
        make(bond=bond, description="x", event_time_start=date(2026, 12, 1), event_time_end=date(2026, 12, 3)),
        make(bond=bond, description="x", event_time_end=date(2026, 12, 3), relational_tags=["correction"]),
        make(bond=bond, description="x", event_time_end=date(2026, 11, 22)),
    ]

    told = ConceptNode.objects.with_told_at().order_by("id")
    assert [gather_input.format_event(node, zone=zone) for node in told] == [
        f"[{nodes[0].pk}] (2026-11-22) impact -2: x &lt;y>",
        f"[{nodes[1].pk}] (2026-11-22, about 2026-12-01) impact +0: x",
        f"[{nodes[2].pk}] (2026-11-22, about 2026-12-01 to 2026-12-03) impact +0: x",
        f"[{nodes[3].pk}] (2026-11-22, about 2026-12-03) impact +0, a correction: x",
        f"[{nodes[4].pk}] (2026-11-22) impact +0: x",
    ]


def test_the_last_five_thoughts_are_read_also_those_whose_evidence_changed(bond):
    for n in range(7):
        ConceptNodeFactory(
            bond=bond,
            type="thought",
            description=f"Thought {n}",
            created_at=NOW - n * DAY,
            subject="persona" if n == 1 else "user",
            stale=n == 2,
        )
    ConceptNodeFactory(bond=bond, type="thought", description="Replaced.", state="superseded")
    ConceptNodeFactory(bond=bond, type="thought", description="Gone.", deleted_at=NOW)

    assert texts(gathered(bond).thoughts) == [
        "about the user: Thought 4",
        "about the user: Thought 3",
        "about the user, but what it rested on has changed: Thought 2",
        "about yourself: Thought 1",
        "about the user: Thought 0",
    ]


def test_what_is_awaited_and_what_the_clock_gave_up_in_a_week_is_read(bond):
    def expectation(description, **more):
        return ConceptNodeFactory(bond=bond, type="expectation", description=description, **more)

    expired = {"state": "expired", "created_at": NOW - 90 * DAY}
    clock = {"state_reason": "clock: its day is over"}
    expectation("Undated.")
    expectation("Later.", event_time_end=date(2026, 12, 24))
    expectation("Soon.", event_time_end=date(2026, 11, 22))
    expectation("Lately.", **expired, **clock, valid_until=NOW - 7 * DAY + timedelta(seconds=1))
    expectation("Long ago.", **expired, **clock, valid_until=NOW - 7 * DAY)
    expectation("By hand.", **expired, state_reason="by hand", valid_until=NOW)
    expectation("Came true.", state="fulfilled", valid_until=NOW)
    expectation("Gone.", deleted_at=NOW)
    intention = ConceptNodeFactory.create
    intention(bond=bond, type="intention", description="Ask.", event_time_end=date(2026, 11, 20))
    intention(bond=bond, type="intention", description="Kept.", state="kept")

    material = gathered(bond)

    assert [one.text.partition("] ")[2] for one in material.expectations] == [
        "(by 2026-11-22) Soon.",
        "(by 2026-12-24) Later.",
        "(no day) Undated.",
        "(no day, given up) Lately.",
    ]
    assert [one.text.partition("] ")[2] for one in material.intentions] == ["(by 2026-11-20) Ask."]


@pytest.mark.parametrize(
    ("events", "more", "is_offered"),
    [
        (2, {}, False),
        (3, {}, True),
        (3, {"description": "A cat.", "description_by": "slow_tick"}, False),
        (3, {"description": "A cat.", "description_by": "owner"}, False),
        (3, {"description_by": "owner"}, False),
        (3, {"merge_status": "uncertain"}, False),
        (3, {"deleted_at": NOW}, False),
    ],
)
def test_who_comes_up_in_three_events_is_offered_for_a_description(events, more, is_offered, bond):
    nodes = ConceptNodeFactory.create_batch(events, bond=bond)
    entity = EntityFactory(bond=bond, canonical_name="Nimbus", nodes=nodes, **more)

    assert list(gathered(bond).collect_entities()) == ([entity.pk] if is_offered else [])


@pytest.mark.parametrize("third", [{"deleted_at": NOW}, {"state": "superseded"}, {"type": "thought"}], ids=str)
def test_only_live_events_count_for_a_description(third, bond):
    nodes = [*ConceptNodeFactory.create_batch(2, bond=bond), ConceptNodeFactory(bond=bond, **third)]
    EntityFactory(bond=bond, nodes=nodes)

    assert gathered(bond).collect_entities() == {}


def test_who_is_to_be_described_is_told_with_names_and_newest_events(bond):
    nodes = [ConceptNodeFactory(bond=bond, description=f"Day {n}.", created_at=NOW - 99 * DAY) for n in range(9)]
    entity = EntityFactory(bond=bond, canonical_name="Nimbus", nodes=nodes)
    AliasFactory(entity=entity, name="小<黑>")
    AliasFactory(entity=entity, name="Nim", deleted_at=NOW)

    [told] = gathered(bond).entities

    assert told.text.splitlines() == [
        f"entity {entity.pk}: Nimbus (pet), also: 小&lt;黑>",
        *(f"  [{node.pk}] (2026-08-14) impact +0: {node.description}" for node in nodes[1:]),
    ]
    assert list(gathered(bond).collect_evidence()) == [node.pk for node in nodes[1:]]


def test_questions_of_the_last_run_are_carried_on(bond):
    last = ended(bond, questions=["Does <she> know?", "Why?"])

    assert [one.text for one in gathered(bond, last=last).questions] == ["- Does &lt;she> know?", "- Why?"]


def told(name, count, *, size=40):
    return tuple(MaterialItem(f"{name} {n} ".ljust(size - 1, ".")) for n in range(count))


def counts(material):
    return {name: len(getattr(material, name)) for name in ("events", "thoughts", "questions", "expectations")}


def test_the_oldest_events_are_left_out_first():
    material = Material(events=told("event", 20), thoughts=told("thought", 5))

    whole, nothing = gather_input.cut_to_fit(material, fixed_tokens=0, wall=250)
    cut, notes = gather_input.cut_to_fit(material, fixed_tokens=1, wall=250)

    assert (whole, nothing) == (material, [])
    assert cut == Material(events=material.events[1:], thoughts=material.thoughts)
    assert notes == ["1 of events left out, to read no more than 250 tokens"]


def test_all_else_gives_way_before_the_last_five_events():
    material = Material(
        events=told("event", 7),
        thoughts=told("thought", 5),
        questions=told("question", 3),
        expectations=told("expectation", 4),
    )

    left = [counts(gather_input.cut_to_fit(material, fixed_tokens=0, wall=wall)[0]) for wall in (170, 100, 60, 10, 9)]

    assert left == [
        {"events": 5, "thoughts": 5, "questions": 3, "expectations": 4},
        {"events": 5, "thoughts": 0, "questions": 3, "expectations": 2},
        {"events": 5, "thoughts": 0, "questions": 1, "expectations": 0},
        {"events": 1, "thoughts": 0, "questions": 0, "expectations": 0},
        {"events": 0, "thoughts": 0, "questions": 0, "expectations": 0},
    ]


@pytest.mark.parametrize("text", ["猫在晚上跳到脸上。" * 200, "The cat jumps at night. " * 80], ids=["zh", "en"])
def test_no_prompt_is_over_the_wall(text, bond):
    nodes = ConceptNodeFactory.create_batch(12, bond=bond, description=text)
    EntityFactory(bond=bond, nodes=nodes)
    for kind in ("thought", "expectation", "intention"):
        ConceptNodeFactory.create_batch(4, bond=bond, type=kind, description=text)

    bare = render_prompt.render_prompt(
        bond=bond, texts=render_prompt.load_blocks(bond)[0], material=Material(), now=NOW
    )
    material, notes = gather_input.cut_to_fit(gathered(bond), fixed_tokens=tokens.estimate(bare))
    prompt = render_prompt.render_prompt(
        bond=bond, texts=render_prompt.load_blocks(bond)[0], material=material, now=NOW
    )

    assert tokens.estimate(prompt) <= 8000
    assert notes[0].partition(" of ")[2] == "events left out, to read no more than 8000 tokens"
    assert [one.nodes[0].pk for one in material.events] == [node.pk for node in nodes][-len(material.events) :]


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ("x" * 40, "x" * 40),
        ("word " * 9, "word word word word word word word …"),
        ("猫" * 10, "猫" * 10),
        ("猫" * 12, "猫" * 9 + " …"),
    ],
)
def test_an_authored_text_is_shortened_to_what_it_may_take(content, kept):
    assert render_prompt.shorten(content, most=10) == kept
