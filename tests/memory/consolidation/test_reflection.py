from datetime import date, timedelta

import pytest

from echovessel.models import BondEvent
from memory import sessions
from memory.consolidation import reflection
from memory.models import ConceptNode, Entity, Filling, ReflectionRun, Session
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, FactFactory, MessageFactory
from tests.support.fakes import FakeLLM
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, model, remember, step, talk, thoughts

pytestmark = pytest.mark.django_db
MICROSECOND = timedelta(microseconds=1)
MINUTE = timedelta(minutes=1)
DAY = timedelta(hours=24)
TWO = (event(), event("Another.", impact=-2, lines=[1]))


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def ran(bond, *ages):
    for age in ages:
        ReflectionRun.objects.create(bond=bond, trigger="timer", created_at=NOW - age)


@pytest.mark.parametrize(
    ("impacts", "runs", "rested", "trigger", "reason"),
    [
        ([], 0, True, "", "no fresh events"),
        ([], 3, False, "", "no fresh events"),
        ([9], 3, False, "", "3 reflections in the last 24 hours"),
        ([9], 4, False, "", "4 reflections in the last 24 hours"),
        ([8], 2, False, "shock", "an event of strong impact"),
        ([0, -8], 2, False, "shock", "an event of strong impact"),
        ([7, -7], 2, False, "", "a reflection in the last 24 hours and no event of strong impact"),
        ([7], 0, False, "", "a reflection in the last 24 hours and no event of strong impact"),
        ([8], 0, True, "shock", "an event of strong impact"),
        ([7], 0, True, "timer", "no reflection for 24 hours"),
        ([0], 0, True, "timer", "no reflection for 24 hours"),
    ],
)
def test_the_gate_asks_in_order(impacts, runs, rested, trigger, reason):
    decision = reflection.decide(fresh_impacts=impacts, runs_in_period=runs, has_rested=rested)

    assert decision == reflection.ReflectionDecision(trigger, reason)


def test_the_hard_gate_is_a_setting(settings):
    settings.REFLECTION_HARD_GATE_24H = 1

    assert reflection.decide(fresh_impacts=[9], runs_in_period=1, has_rested=False).trigger == ""


@pytest.mark.parametrize(
    ("ages", "impact", "trigger"),
    [
        ([DAY - MINUTE], 3, None),
        ([DAY], 3, None),
        ([DAY + MICROSECOND], 3, "timer"),
        ([DAY - MINUTE], 8, "shock"),
        ([DAY - MINUTE] * 2, 8, "shock"),
        ([DAY - MINUTE] * 3, 8, None),
        ([DAY - MINUTE, DAY - MINUTE, DAY], 8, "shock"),
    ],
    ids=str,
)
def test_runs_of_the_last_24_hours_count(bond, ages, impact, trigger):
    ran(bond, *ages)
    ran(BondFactory(user__username="charlie"), MINUTE, MINUTE, MINUTE)

    session = remember(bond=bond, answer=extraction(event(impact=impact)))

    newest = ReflectionRun.objects.filter(session=session).first()
    assert (newest and newest.trigger) == trigger
    assert step(session, "reflection").outcome == ("empty" if trigger else "skipped")


def test_runs_count_and_thoughts_do_not(bond):
    for _ in range(5):
        ConceptNodeFactory(bond=bond, type="thought", origin="reflection", created_at=NOW - MINUTE)

    remember(bond=bond, answer=extraction(event()))

    assert ReflectionRun.objects.get().thoughts_count == 0


def test_nothing_fresh_is_not_reflected_on(bond):
    ConceptNodeFactory(bond=bond, emotional_impact=9)

    session = remember(bond=bond, answer=extraction())

    assert (step(session, "reflection").outcome, step(session, "reflection").reason) == ("skipped", "no fresh events")


class Reflecting(list[object]):
    """Answers each reflection from the ids it is shown."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def pop(self, at=0):
        ids = ConceptNode.objects.events().order_by("id").values_list("pk", flat=True)
        return self.answer(list(ids)) if callable(self.answer) else self.answer


def reflect(bond, answer, *, events=TWO):
    llm = model(extraction(*events))
    llm.answers["reflection"] = Reflecting(answer)
    return consolidate(closed_talk(*CAT, bond=bond), llm), llm


@pytest.mark.parametrize(("impact", "state"), [(4, "superseded"), (-4, "live")])
def test_a_thought_gives_way_to_one_that_rests_on_the_same_and_feels_otherwise(bond, impact, state):
    quarrel = ConceptNodeFactory(bond=bond, description="They argued.", emotional_impact=-5)
    old = ConceptNodeFactory(
        bond=bond, type="thought", description="It is hard.", emotional_impact=-3, origin="reflection"
    )
    Filling.objects.create(bond=bond, parent=old, child=quarrel)

    reflect(bond, lambda ids: thoughts({"description": "They made up.", "emotional_impact": impact, "filling": ids}))

    assert ConceptNode.objects.get(pk=old.pk).state == state


def test_a_thought_is_written_with_its_evidence(bond):
    written = {
        "description": "They give in to the cat.",
        "emotional_impact": "4",
        "emotion_tags": ["Fond"],
        "relational_tags": ["identity-bearing", "clinical"],
    }

    session, _ = reflect(bond, lambda ids: thoughts(written | {"filling": [*ids, ids[0], 999_999]}))

    thought = ConceptNode.objects.thoughts().get()
    assert (thought.description, thought.subject, thought.state) == ("They give in to the cat.", "user", "live")
    assert (thought.emotional_impact, thought.emotion_tags, thought.relational_tags) == (
        4,
        ["fond"],
        ["identity-bearing"],
    )
    assert (thought.origin, thought.confidence, thought.session) == ("reflection", 0.6, session)
    assert (thought.embedding_model, len(thought.embedding), thought.terms) == ("hash", 384, ["cat", "give"])
    assert [edge.child.description for edge in Filling.objects.order_by("child")] == [
        event()["description"],
        "Another.",
    ]
    run = ReflectionRun.objects.get()
    assert (run.trigger, run.thoughts_count, run.session, run.created_at) == ("timer", 1, session, NOW)
    assert BondEvent.objects.filter(type="memory.thought.created").get().refs == {"node": thought.pk}
    kept = step(session, "reflection")
    assert (kept.outcome, kept.reason, kept.notes) == (
        "done",
        "no reflection for 24 hours",
        "thought 0: unknown relational_tags left out: clinical\nthought 0: 1 cited that were not given",
    )
    assert (kept.tokens_in, kept.tokens_out) == (100, 20)


def test_a_thought_that_says_the_same_as_one_before_adds_its_evidence(bond):
    for events in (TWO, [event("The rabbit chewed through the cable.", lines=[2], impact=-9)]):
        reflect(bond, lambda ids: thoughts({"description": "They give in to the cat.", "filling": ids}), events=events)

    thought = ConceptNode.objects.thoughts().get()
    assert thought.filling_edges.count() == ConceptNode.objects.filter(type="event").count() == 3


def test_a_third_thought_is_cut_a_strong_one_noted_and_one_without_evidence_rejected(bond):
    def answer(ids):
        return thoughts(
            {"description": "x" * 2500, "emotional_impact": -99, "filling": ids},
            {"description": "From nowhere.", "filling": [999_999]},
            {"description": "A third.", "filling": ids},
        )

    session, _ = reflect(bond, answer)

    thought = ConceptNode.objects.thoughts().get()
    assert (len(thought.description), thought.emotional_impact) == (2000, -10)
    assert step(session, "reflection").notes.splitlines() == [
        "thought 0: description cut at 2000 characters",
        "thought 0: emotional_impact out of range, read as -10",
        "1 of thought over 2 dropped",
        "thought 0 has impact -10, beyond what impressions usually have",
        "thought 0 has 2000 characters, more than an impression needs",
        "thought 1: 1 cited that were not given",
        "thought 1 rejected: it cites no event that was given",
    ]


def test_the_example_of_the_prompt_is_no_thought(bond):
    example = "Something Alan does is to keep the heavy things for late at night; by day he looks steadier than he is."
    session, _ = reflect(bond, lambda ids: thoughts({"description": example, "filling": ids}))

    assert step(session, "reflection").notes == "thought 0 rejected: it is the prompt's example"


@pytest.mark.parametrize(("impact", "is_noted"), [(8, False), (-8, False), (9, True), (-9, True)])
def test_impact_past_eight_is_noted(bond, impact, is_noted):
    session, _ = reflect(bond, lambda ids: thoughts({"description": "x", "emotional_impact": impact, "filling": ids}))

    assert bool(step(session, "reflection").notes) is is_noted


@pytest.mark.parametrize("answer", [{}, {"thoughts": []}, {"thoughts": "none"}, {"thoughts": [{"filling": [1]}]}])
def test_no_thought_at_all_is_an_empty_step_and_the_run_counts(bond, answer):
    session, _ = reflect(bond, answer)

    assert step(session, "reflection").outcome == "empty"
    assert ReflectionRun.objects.get().thoughts_count == 0
    assert session.status == "closed"


def test_a_thought_is_named_by_its_place_in_the_answer(bond):
    session, _ = reflect(
        bond, lambda ids: thoughts({"description": "", "filling": ids}, {"description": "x", "filling": [999_999]})
    )

    assert step(session, "reflection").notes.splitlines()[1:] == [
        "thought 1: 1 cited that were not given",
        "thought 1 rejected: it cites no event that was given",
    ]


@pytest.mark.parametrize(("length", "is_noted"), [(500, False), (501, True)])
def test_a_long_thought_is_kept_and_noted(length, is_noted, bond):
    session, _ = reflect(bond, lambda ids: thoughts({"description": "x" * length, "filling": ids}))

    assert len(ConceptNode.objects.thoughts().get().description) == length
    noted = "thought 0 has 501 characters, more than an impression needs"
    assert step(session, "reflection").notes == (noted if is_noted else "")


def test_strange_characters_of_a_thought_are_left_out(bond):
    session, _ = reflect(bond, lambda ids: thoughts({"description": "A\x00 \ud800\\u0000 cat.", "filling": ids}))

    assert ConceptNode.objects.thoughts().get().description == "A \\u0000 cat."
    assert session.status == "closed"


def test_it_reads_fresh_events_and_the_newest_of_a_week_ten_at_most_oldest_first(bond):
    days = [ConceptNodeFactory(bond=bond, description=f"Day {n}", created_at=NOW - timedelta(days=n)) for n in range(8)]
    for n in range(4):
        ConceptNodeFactory(bond=bond, description=f"Hour {n}", created_at=NOW - timedelta(hours=n + 1))
    ConceptNodeFactory(bond=bond, description="Gone", deleted_at=NOW)
    ConceptNodeFactory(bond=bond, description="A thought", type="thought")
    ConceptNodeFactory(description="A stranger's")

    _, llm = reflect(bond, {"thoughts": []}, events=[event("Fresh.\nAnd <new>.")])

    shown = llm.calls[-1].text.partition("<events>\n")[2].partition("\n</events>")[0].splitlines()
    assert [line.partition(") ")[2] for line in shown] == [
        *(f"impact +0: Day {n}" for n in (4, 3, 2, 1)),
        *(f"impact +0: Hour {n}" for n in (3, 2, 1, 0)),
        "impact +0: Day 0",
        "impact +3: Fresh. And &lt;new>.",
    ]
    assert shown[0].startswith(f"[{days[4].pk}] (2026-11-17) ")


def test_the_ten_newest_facts_stand_before_the_events_and_are_evidence(bond):
    facts = [
        FactFactory(bond=bond, description=f"Fact {n}", created_at=NOW - timedelta(days=40 - n)) for n in range(11)
    ]
    FactFactory(bond=bond, description="Ended", state="superseded")
    FactFactory(bond=bond, description="Unsure", state="uncertain")
    FactFactory(description="A stranger's")

    answer = thoughts({"description": "It rests on a fact.", "emotional_impact": 1, "filling": [facts[5].pk]})
    _, llm = reflect(bond, answer, events=[event("Fresh.")])

    shown = llm.calls[-1].text.partition("<events>\n")[2].partition("\n</events>")[0].splitlines()
    assert [line.partition(") ")[2] for line in shown] == [
        *(f"a fact: Fact {n}" for n in range(1, 11)),
        "impact +3: Fresh.",
    ]
    assert list(Filling.objects.values_list("child", flat=True)) == [facts[5].pk]


def test_days_are_told_in_the_users_zone_that_on_which_what_stands_there_was_told_last(bond):
    bond.user.time_zone = "Asia/Shanghai"
    before = MessageFactory(session__bond=bond, created_at=NOW - timedelta(days=9))
    told = MessageFactory(session=before.session, created_at=NOW - timedelta(days=2))
    said = ConceptNodeFactory(bond=bond, description="x", emotional_impact=-2)
    happened = ConceptNodeFactory(bond=bond, description="y", event_time_end=date(2026, 11, 16), sources=[before, told])

    assert [
        reflection.format_event(node, zone=bond.user.zone) for node in ConceptNode.objects.with_told_at().order_by("id")
    ] == [
        f"[{said.pk}] (2026-11-22) impact -2: x",
        f"[{happened.pk}] (2026-11-20, about 2026-11-16) impact +0: y",
    ]


class Overtaken(FakeLLM):
    """Another talk of the bond is reflected on while the model is asked."""

    def answer(self, messages, *, feature, **more):
        if feature == "reflection":
            ran(ConceptNode.objects.events().first().bond, MINUTE)
        return super().answer(messages, feature=feature, **more)


@pytest.mark.parametrize(
    ("ages", "impact", "outcome", "reason"),
    [
        ([], 7, "skipped", "a reflection in the last 24 hours and no event of strong impact"),
        ([], 8, "done", "an event of strong impact"),
        ([MINUTE], 8, "done", "an event of strong impact"),
        ([MINUTE, MINUTE], 8, "skipped", "3 reflections in the last 24 hours"),
    ],
)
def test_the_gate_holds_for_sessions_that_are_reflected_on_at_once(ages, impact, outcome, reason, bond):
    ran(bond, *ages)
    llm = Overtaken(answers={"extraction": extraction(event(impact=impact))})
    llm.answers["reflection"] = Reflecting(lambda ids: thoughts({"description": "Quick.", "filling": ids}))

    session = consolidate(closed_talk(*CAT, bond=bond), llm)

    assert (step(session, "reflection").outcome, step(session, "reflection").reason) == (outcome, reason)
    assert ConceptNode.objects.thoughts().count() == ReflectionRun.objects.filter(session=session).count()
    assert ReflectionRun.objects.count() == len(ages) + 1 + (outcome == "done")


def test_an_event_that_is_told_again_is_not_fresh(bond):
    session, _ = reflect(bond, {"thoughts": []}, events=[event(impact=9)])
    sessions.reopen(bond=bond, session_id=session.pk, channel="web", now=NOW)
    talk(*CAT, bond=bond)
    sessions.close(session=Session.objects.get(), reason="explicit", now=NOW)

    session = consolidate(session, model(extraction(event(impact=9, lines=[5]))))

    assert ConceptNode.objects.get().mention_count == 2
    assert [row.reason for row in session.steps.filter(phase="reflection").order_by("id")] == [
        "an event of strong impact",
        "no fresh events",
    ]


def test_a_thought_knows_whom_it_names(bond):
    answer = extraction(event(), mentioned_entities=[{"canonical_name": "Nimbus", "kind": "pet"}])
    llm = model(answer)
    llm.answers["reflection"] = Reflecting(
        lambda ids: thoughts(
            {"description": "Nimbus rules the nights.", "filling": ids}, {"description": "x", "filling": ids}
        )
    )

    consolidate(closed_talk(*CAT, bond=bond), llm)

    assert sorted(node.description for node in Entity.objects.get().nodes.all()) == [
        "Nimbus rules the nights.",
        event()["description"],
    ]


def test_a_resumed_session_reflects_on_what_is_new_only(bond):
    session, _ = reflect(bond, {"thoughts": []}, events=[event(impact=9)])
    sessions.reopen(bond=bond, session_id=session.pk, channel="web", now=NOW)
    talk(*CAT, bond=bond)
    sessions.close(session=Session.objects.get(), reason="explicit", now=NOW)

    session = consolidate(session, model(extraction(event("New.", impact=3, lines=[5]))))

    assert [row.reason for row in session.steps.filter(phase="reflection").order_by("id")] == [
        "an event of strong impact",
        "a reflection in the last 24 hours and no event of strong impact",
    ]
