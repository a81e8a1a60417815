"""What of an answer is taken, what of it is left out, and what happens to what it replaces."""

import json
from datetime import date, timedelta
from uuid import uuid4

import pytest

from echovessel.llm import provider
from memory import sessions
from memory.models import ConceptNode, Entity, Session
from memory.recall import memories, prompt_memory
from tests.support.factories import NOW, AliasFactory, BondFactory, ConceptNodeFactory, EntityFactory
from tests.support.fakes import FakeLLM
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, model, remember, step, talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def lines_of(node):
    return [message.content for message in node.source_messages.order_by("id")]


def older(bond, description, **more):
    return ConceptNodeFactory(bond=bond, description=description, created_at=NOW - timedelta(days=30), **more)


def test_what_the_companion_answers_to_a_question_is_no_event_of_the_user(bond):
    said = ("I clean the flat", "What does my sister study?", "persona: Law, in Leeds.", "Good night.")
    told = event("The user's sister studies law in Leeds.", lines=[2, 3])

    session = remember(*said, bond=bond, answer=extraction(told))

    assert step(session, "extraction").notes == "event 0 dropped: the user only asked, and the companion told this"


@pytest.mark.parametrize(("said", "years"), [("tomorrow", -1), ("tomorrow", 0), ("tomorrow", 1), ("on {:%-d %B}", -1)])
def test_an_event_is_in_the_year_of_the_day_that_was_named(bond, said, years):
    day = NOW.date() + timedelta(days=1)
    given = day.replace(year=day.year + years).isoformat()
    told = event("The user's sister comes to visit.", lines=[1], event_time={"start": given, "end": given})

    remember(
        f"My sister comes {said.format(day)}", "I clean the flat", "Good night.", bond=bond, answer=extraction(told)
    )

    assert ConceptNode.objects.get().event_time_start == day


@pytest.mark.parametrize("said", ["My wife died on {:%-d %B}, it was her heart", "我老婆是{0.month}月{0.day}号走的"])
def test_what_is_told_as_past_stays_in_the_past(bond, said):
    day = NOW.date() - timedelta(days=290)
    told = event("The user's wife died.", lines=[1], event_time={"start": day.isoformat(), "end": day.isoformat()})

    remember(said.format(day), "I clean the flat", "Good night.", bond=bond, answer=extraction(told))

    assert ConceptNode.objects.get().event_time_start == day


def test_an_event_that_an_answer_tells_three_times_is_one(bond):
    said = ("I have an interview at Equinor on the 9th, for planner", "My interview with Shell was bad", "Good night.")
    told = [
        event("The user has an interview at Equinor for a planner position.", lines=[1]),
        event("The user will be interviewed by Equinor for the job of planner.", lines=[1]),
        event("The user has an interview at Equinor.", lines=[1]),
        event("The user had a bad interview at Shell.", lines=[2]),
    ]

    session = remember(*said, bond=bond, answer=extraction(*told[:3]))
    remember(*said, bond=bond, answer=extraction(told[0], told[3]))

    found = [node.description for node in ConceptNode.objects.order_by("pk")]
    assert found == [told[0]["description"], told[3]["description"]]
    assert step(session, "extraction").notes.splitlines() == [f"event {at} dropped: it says again what event 0 does" for at in (1, 2)]  # fmt: skip


def test_the_companions_guess_that_nobody_confirmed_is_no_fact(bond):
    said = ("Work is work.", "persona: So you are angry with Anna?", "Look, it snows.")
    guess, confirmed = event("The user is angry with Anna.", lines=[2]), event("The user sees snow.", lines=[2, 3])

    session = remember(*said, bond=bond, answer=extraction(guess, guess | {"subject": "shared"}, confirmed))

    assert [node.description for node in ConceptNode.objects.all()] == ["The user sees snow."]
    assert step(session, "extraction").notes.splitlines() == [
        "event 0 dropped: no line of the user to rest on",
        "event 1 dropped: no line of the user to rest on",
    ]


# The talk is on 2026-11-21.
@pytest.mark.parametrize(
    ("start", "end", "is_kept"),
    [
        ("1896-11-21", "1896-11-21", True),
        ("1896-11-20", "1896-11-21", False),
        ("2076-11-21", "2076-11-21", True),
        ("2076-11-21", "2076-11-22", False),
        ("2000-02-29", "2020-02-29", True),
        ("2000-02-29", "2020-03-01", False),
        ("2001-02-28", "2021-03-01", False),
        ("0001-01-01", "0001-01-01", False),
        ("9999-12-31", "9999-12-31", False),
        ("2026-11-22", "2026-11-22", True),
    ],
)
def test_a_time_that_nobody_can_have_meant_is_left_out(bond, start, end, is_kept):
    session = remember(bond=bond, answer=extraction(event() | {"event_time": {"start": start, "end": end}}))

    node = ConceptNode.objects.get()
    kept = (date.fromisoformat(start), date.fromisoformat(end))
    assert (node.event_time_start, node.event_time_end) == (kept if is_kept else (None, None))
    note = f"event 0: its time, {start} to {end}, is not plausible and was left out"
    assert step(session, "extraction").notes == ("" if is_kept else note)


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ({"start": "2026-02-30", "end": "2026-03-01"}, "it is no window of days that exist"),
        ({"start": "2026-03-02", "end": "2026-03-01"}, "it ends before it starts"),
        ("tomorrow", "it is no window of days that exist"),
    ],
)
def test_a_time_that_is_none_is_left_out_and_said(bond, given, note):
    session = remember(bond=bond, answer=extraction(event() | {"event_time": given}))

    assert ConceptNode.objects.get().event_time_start is None
    assert step(session, "extraction").notes == f"event 0: event_time left out: {note}"


def test_ids_that_were_never_given_are_passed_over_and_said(bond):
    older(bond, "The user's cat jumps.")
    answer = event(lines=[3, 99, -1, 10**30]) | {"supersedes": [7, 0]}

    session = remember(bond=bond, answer=extraction(answer))

    assert lines_of(ConceptNode.objects.latest("id")) == [CAT[2]]
    assert step(session, "extraction").notes.splitlines() == [
        "event 0: there are no lines -1, 99, 100000000000 to cite",
        "event 0: nothing was remembered under 7, 0",
    ]


def test_the_watermarks_overlap_cannot_be_cited(bond):
    session = remember(*CAT, bond=bond, answer=extraction(event()))
    sessions.reopen(bond=bond, session_id=session.pk, channel="web", now=NOW)
    talk("He died.", bond=bond)
    session.refresh_from_db()
    sessions.close(session=session, reason="explicit", now=NOW)

    consolidate(session, model(extraction(event("The user's cat died.", impact=-9, lines=[1, 2]))))

    assert lines_of(ConceptNode.objects.latest("id")) == ["He died."]


class Meanwhile(FakeLLM):
    """Something happens while the model is asked for the first time."""

    def __init__(self, act, *answers):
        super().__init__(answers={"extraction": list(answers), "reflection": [{"thoughts": []}] * 9})
        self.act = act

    def answer(self, *args, feature, **more):
        if feature == "extraction" and self.act:
            self.act()
            self.act = None
        return super().answer(*args, feature=feature, **more)


CONTOSO = extraction(event("The user works at Contoso.", supersedes=[1]))
LEFT = ("I left Northwind.", "I work at Contoso now.", "Yes.")


def test_an_event_forgotten_while_the_model_is_asked_drops_the_answer_and_asks_again(bond):
    old = older(bond, "The user works at Northwind.")
    llm = Meanwhile(lambda: ConceptNode.objects.filter(pk=old.pk).update(deleted_at=NOW), CONTOSO, CONTOSO)

    consolidate(closed_talk(*LEFT, bond=bond), llm)

    prompts = [call.text for call in llm.calls if call.feature == "extraction"]
    assert ["works at Northwind" in prompt for prompt in prompts] == [True, False]
    assert list(ConceptNode.objects.filter(deleted_at=None).values_list("description", "supersedes")) == [
        ("The user works at Contoso.", None)
    ]


def test_a_name_forgotten_while_the_model_is_asked_drops_the_answer_and_asks_again(bond):
    sister = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    alias = AliasFactory(entity=sister, name="Scott")
    answer = extraction(mentioned_entities=[{"canonical_name": "Yiyang", "kind": "person", "aliases": ["Scott"]}])

    def forget():
        for row in (sister, *sister.aliases.all()):
            row.deleted_at = NOW
            row.save()

    llm = Meanwhile(forget, answer, extraction())
    consolidate(closed_talk("Yiyang called.", "She is well.", "Good.", bond=bond), llm)

    prompts = [call.text for call in llm.calls if call.feature == "extraction"]
    assert ["also: Scott" in prompt for prompt in prompts] == [True, False]
    alias.refresh_from_db()
    assert (alias.deleted_at, Entity.objects.filter(deleted_at=None).count()) == (NOW, 0)


def test_a_summary_emptied_while_the_model_is_asked_drops_the_answer_and_asks_again(bond):
    session = remember(bond=bond, answer=extraction(event()))
    sessions.reopen(bond=bond, session_id=session.pk, channel="web", now=NOW)
    talk("He died.", bond=bond)
    session.refresh_from_db()
    sessions.close(session=session, reason="explicit", now=NOW)
    llm = Meanwhile(lambda: Session.objects.update(summary=""), *[extraction(session_summary="He died.")] * 2)

    consolidate(session, llm)

    prompts = [call.text for call in llm.calls if call.feature == "extraction"]
    assert ["A cat at night." in prompt for prompt in prompts] == [True, False]


def test_an_event_edited_while_the_model_is_asked_is_not_superseded_but_conflicts(bond):
    old = older(bond, "The user works at Northwind.")
    edited = []

    def edit():
        edited.append(ConceptNodeFactory(bond=bond, description="The user works at Northwind, at home.", origin="user"))
        old.supersede(by=edited[0], now=NOW)

    consolidate(closed_talk(*LEFT, bond=bond), Meanwhile(edit, CONTOSO))

    new = ConceptNode.objects.latest("id")
    old.refresh_from_db()
    assert (old.superseded_by, edited[0].state) == (edited[0], "live")
    assert (new.description, new.conflicts_with) == ("The user works at Contoso.", edited[0])


def test_what_two_events_of_an_answer_replace_is_replaced_once(bond):
    old = older(bond, "The user works at Northwind.")
    both = extraction(event("The user left Northwind.", supersedes=[1]), event("A new job waits.", supersedes=[1]))

    consolidate(closed_talk(*LEFT, bond=bond), model(both))

    first, second = ConceptNode.objects.exclude(pk=old.pk).order_by("id")
    old.refresh_from_db()
    assert (old.superseded_by, first.state, second.state) == (first, "live", "live")


def test_an_event_of_another_session_that_was_written_later_can_be_superseded(bond):
    old = ConceptNodeFactory(
        bond=bond, description="The user works at Northwind.", valid_from=NOW + timedelta(seconds=5)
    )

    consolidate(closed_talk(*LEFT, bond=bond), model(CONTOSO))

    old.refresh_from_db()
    assert (old.state, old.valid_until) == ("superseded", NOW + timedelta(seconds=5))


def test_northwind_and_a_month_later_contoso(bond):
    month = timedelta(days=30)
    remember(
        "I work at Northwind.",
        "Since May.",
        "Yes.",
        bond=bond,
        now=NOW - month,
        answer=extraction(event("The user works at Northwind.", lines=[1])),
    )
    old = ConceptNode.objects.get()
    thought = ConceptNodeFactory(bond=bond, type="thought", description="Work holds them.", evidence=[old])
    firm = EntityFactory(bond=bond, canonical_name="Northwind", kind="org", nodes=[old])
    Entity.objects.update(description="Where the user works.", description_by="slow_tick")

    remember(*LEFT, bond=bond, answer=CONTOSO)

    new = ConceptNode.objects.events().latest("id")
    for row in (old, thought, firm):
        row.refresh_from_db()
    assert (old.state, old.valid_until, old.superseded_by, new.state) == ("superseded", NOW, new, "live")
    assert (thought.stale, firm.description) == (True, "")
    recalled = memories.search(bond=bond, query="Where do I work? At Northwind?", vector=None, now=NOW)
    assert [item.node for item in recalled.kept] == [new]
    loaded = prompt_memory.load(bond=bond, now=NOW, loaded_at=NOW, turn_id=uuid4())
    assert loaded.user_thoughts == []


def test_an_answer_of_any_size_and_depth_is_read_within_bounds():
    deep = current = []
    for _ in range(400):
        current.append([])
        current = current[0]
    answer = extraction(
        event("x" * 10_000_000),
        event(),
        session_summary="y" * 1_000_000,
        mentioned_entities=[{}] * 50_000,
        self_check_notes=deep,
        more={"z" * 9000: ["w"] * 50_000},
    )

    session = remember(answer=json.dumps(answer))

    kept = step(session, "extraction")
    assert session.status == "closed"
    assert [len(node.description) for node in ConceptNode.objects.order_by("id")] == [2000, len(event()["description"])]
    assert len(kept.answer) < 200_000
    assert kept.notes.startswith("event 0: description cut at 2000 characters\n")
    assert kept.duration_ms < 60_000


def test_of_the_rules_seven_events_are_taken_where_a_model_has_three(bond):
    said = [
        f"My {what} weighs {kilos} kilos."
        for kilos, what in enumerate(("boat", "desk", "tent", "sofa", "safe", "oven", "sink", "lamp", "rug"), 20)
    ]

    consolidate(closed_talk(*said, bond=bond), provider.get_fallback_llm())

    assert ConceptNode.objects.filter(type=ConceptNode.Type.EVENT).count() == 7
