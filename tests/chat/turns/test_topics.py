from datetime import timedelta

import pytest

from chat.turns import actions
from echovessel.llm.errors import ModelRefusedError
from memory.forgetting import removal
from memory.models import Doubt, Message, Topic
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    MessageFactory,
    SessionFactory,
    TopicFactory,
)
from tests.support.fakes import FakeLLM
from tests.support.prompt_reader import read_sections
from tests.support.running import in_db
from tests.support.talking import answer, say

pytestmark = pytest.mark.django_db
PLAIN = "The kettle sings in every kitchen of the street."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def peg(bond):
    return EntityFactory(bond=bond, canonical_name="Peg", kind="person", description="Her aunt by the sea.")


def minutes(count):
    return NOW + timedelta(minutes=count)


def prompt_of(llm):
    return read_sections(llm.calls[-1].messages)


def stable_part(llm):
    return prompt_of(llm).partition("# Earlier talks")[0]


def open_doubt(bond, entity):
    """A doubt whether another name means the entity."""
    other = EntityFactory(bond=bond, canonical_name=f"Aunt {entity.canonical_name}", kind="person")
    return Doubt.objects.open_about_entities(this=other, that=entity, by="extraction", now=NOW)


def test_a_turn_stores_its_topic_and_the_next_goes_on_with_it(bond, peg):
    say(bond, "Peg sang in the kitchen of the old house.", now=NOW, llm=FakeLLM("Oh."))
    turn = say(bond, "I need to talk about Peg for a while.", now=minutes(1), llm=FakeLLM("Do."))

    topic = Topic.objects.get()
    assert (topic.turn_id, topic.turn_count, topic.entity_ids, topic.focus) == (turn.pk, 2, [peg.pk], "explicit")
    assert topic.session_ids == [turn.session_id]
    assert turn.trace["topic"] == {
        "is_new": False,
        "is_resumed": False,
        "entities": [peg.pk],
        "turns": 2,
        "streak": 2,
        "acc": topic.acc,
        "evidence": {
            "shift": 0.0,
            "names": -0.6,
            "likeness": turn.trace["topic"]["evidence"]["likeness"],
            "brief": 0.0,
        },
        "likeness": turn.trace["topic"]["likeness"],
        "focus": "explicit",
    }


def test_another_variant_counts_nothing(bond):
    turn = say(bond, PLAIN, now=NOW, llm=FakeLLM("One."))
    before = Topic.objects.values().get()

    actions.regenerate(turn=turn, now=minutes(1))
    again = answer(bond, now=minutes(1), llm=FakeLLM("Two."))

    assert (again.pk, Topic.objects.values().get()) == (turn.pk, before)
    assert (again.trace["topic"]["is_new"], again.trace["topic"]["turns"]) == (True, 1)


def test_another_try_of_a_failed_turn_counts_nothing(bond):
    turn = say(bond, PLAIN, now=NOW, llm=FakeLLM(ModelRefusedError("No.")))
    actions.retry(turn=turn, now=minutes(1))
    answer(bond, now=minutes(1), llm=FakeLLM("Yes."))

    assert Topic.objects.get().turn_count == 1


def test_off_the_record_no_topic_is_read_or_written(bond):
    session = SessionFactory(bond=bond, off_record=True)
    kept = TopicFactory(session__bond=bond, session__channel="api", streak=5)
    turn = say(bond, PLAIN, now=NOW, llm=FakeLLM("Yes."), session_id=session.pk)

    assert (list(Topic.objects.all()), turn.trace) == ([kept], {})


def test_a_topic_that_was_forgotten_meanwhile_does_not_come_back(bond):
    first = say(bond, PLAIN, now=NOW, llm=FakeLLM("Oh."))
    message = Message.objects.filter(turn_id=first.pk, role="user").get()
    llm = FakeLLM("Mm.")

    async def forget(word):
        if word == 0:
            await in_db(removal.forget_message)(message=message, now=NOW)

    llm.before_word = forget
    say(bond, "And it sang on in the evening.", now=minutes(1), llm=llm)

    assert list(Topic.objects.all()) == []


@pytest.mark.parametrize(("seconds", "is_return"), [(2699, False), (2700, True)])
def test_a_silence_of_45_minutes_is_a_return_once(bond, seconds, is_return):
    session = SessionFactory(bond=bond, status="closed")
    MessageFactory(session=session, created_at=NOW - timedelta(seconds=seconds))
    TopicFactory(session=session, began_at=NOW - timedelta(seconds=seconds), turn_count=3, streak=3)
    ConceptNodeFactory(
        bond=bond,
        type="expectation",
        description="The interview is today.",
        event_time_end=NOW.date(),
        created_at=NOW - timedelta(days=2),
    )
    llm = FakeLLM("Welcome.", "Yes.")

    first = say(bond, "hello there", now=NOW, llm=llm)
    was_back = " is back. " in prompt_of(llm)
    second = say(bond, "The kettle sings in the kitchen.", now=minutes(1), llm=llm)

    assert (was_back, first.trace["gap_seconds"], first.trace["topic"]["is_new"]) == (is_return, seconds, is_return)
    assert (" is back. " in prompt_of(llm), second.trace["topic"]["is_new"]) == (False, False)


def test_a_return_takes_up_the_summary_the_mood_and_what_is_due(bond):
    bond.mood, bond.mood_updated_at = "tender", NOW - timedelta(hours=1)
    bond.save()
    session = SessionFactory(bond=bond, status="closed", summary="They spoke of Friday.")
    MessageFactory(session=session, created_at=NOW - timedelta(days=3))
    due = {"bond": bond, "created_at": NOW - timedelta(days=4), "event_time_start": NOW.date() - timedelta(days=1)}
    for retold in (
        "An interview for the user.",
        "The user has an interview at the mill.",
        "The user has an interview.",
    ):
        ConceptNodeFactory(**due, event_time_end=due["event_time_start"], description=retold)
    llm = FakeLLM("How was it?")

    say(bond, "hi", now=NOW, llm=llm)

    assert "- (yesterday) The user has an interview.\n</due>" in prompt_of(llm)
    assert "They spoke of Friday." in prompt_of(llm)
    assert "<mood>tender</mood>" in prompt_of(llm)


def test_a_greeting_carries_no_memories(bond):
    ConceptNodeFactory.create_batch(3, bond=bond)
    llm = FakeLLM("Hello.")
    turn = say(bond, "hi", now=NOW, llm=llm)

    assert "# What you remember" not in prompt_of(llm)
    assert turn.trace["sections"] == {"out": {"recalled": "slight", "words": "slight"}, "back": {}}
    assert (turn.trace["items"], turn.trace["words"]) == ([], [])


def test_a_crisis_leaves_promises_out_and_says_so(bond):
    ConceptNodeFactory(bond=bond, type="intention", subject="persona", description="Ask about the recital.")
    llm = FakeLLM("I am here.")
    turn = say(bond, "I can't go on", now=NOW, llm=llm)

    assert "# Promises you have made" not in prompt_of(llm)
    assert turn.trace["sections"] == {"out": {"promises": "crisis"}, "back": {}}


def test_what_is_left_out_softly_comes_back_while_the_prompt_is_small(bond):
    ConceptNodeFactory(bond=bond, type="expectation", description="She will bring the violin.")
    llm = FakeLLM("Hm.")
    turn = say(bond, "How can I clean a violin?", now=NOW, llm=llm)

    assert "She will bring the violin." in prompt_of(llm)
    assert turn.trace["sections"] == {"out": {}, "back": {"expectations": "advice"}}


def test_a_doubt_that_is_not_asked_about_now_is_traced(bond, peg):
    open_doubt(bond, peg)
    llm = FakeLLM("Hm.", "Hm.")

    turn = say(bond, "How can I clean Peg's violin?", now=NOW, llm=llm)
    assert "# Something to clear up" not in prompt_of(llm)
    assert turn.trace["sections"] == {"out": {"doubts": "advice"}, "back": {}}

    turn = say(bond, "Peg sang in the kitchen.", now=minutes(1), llm=llm)
    assert "# Something to clear up" in prompt_of(llm)
    assert turn.trace["sections"] == {"out": {}, "back": {}}


def test_a_focus_keeps_its_entities_described(bond, peg, settings):
    settings.STORY_ENABLED = False
    llm = FakeLLM(*["Hm."] * 3)
    say(bond, "I need to talk about Peg.", now=NOW, llm=llm)
    say(bond, PLAIN, now=minutes(1), llm=llm)
    assert "# About Peg" in prompt_of(llm)

    say(bond, "Let's change the subject of this evening now.", now=minutes(2), llm=llm)
    assert "# About Peg" not in prompt_of(llm)


def test_under_a_focus_only_what_concerns_it_is_cleared_up(bond, peg):
    lin = EntityFactory(bond=bond, canonical_name="Lin", kind="person")
    for entity in (peg, lin):
        open_doubt(bond, entity)
    llm = FakeLLM(*["Hm."] * 2)
    say(bond, "I need to talk about Peg.", now=NOW, llm=llm)
    assert "<name>Peg</name>" in prompt_of(llm)
    turn = say(bond, "Lin was there in the kitchen as well.", now=minutes(1), llm=llm)

    assert "<name>Lin</name>" not in prompt_of(llm)
    assert turn.trace["topic"]["focus"] == "explicit"


def test_the_stable_part_is_the_same_whatever_is_selected(bond, peg):
    FactFactory(bond=bond)
    SessionFactory(bond=bond, status="closed", summary="They spoke of the rain.")
    parts = set()
    llm = FakeLLM(*["Hm."] * 4)
    for at, line in enumerate(("hi", "I can't go on", "Do you remember Peg?", "How can I clean a violin?")):
        say(bond, line, now=minutes(at), llm=llm)
        parts.add(stable_part(llm))

    assert len(parts) == 1


def test_a_turn_without_a_vector_or_terms_goes_on(bond, settings):
    TopicFactory(session__bond=bond, session__status="closed", began_at=NOW - timedelta(minutes=1))
    turn = say(bond, "…!?", "🙂" * 9000, now=NOW, llm=FakeLLM("Hm."))

    assert (turn.status, turn.trace["topic"]["likeness"]) == ("done", None)
