import uuid

import pytest
from django_q.models import OrmQ

from memory import tasks
from memory.answers import steps
from memory.consolidation import summaries
from memory.forgetting import dependents, removal, trash
from memory.models import ConceptNode, ConsolidationStep, Entity, Message, MoodChange, Session
from memory.story import leaving_out
from personas.models import Bond
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    MoodChangeFactory,
    SessionFactory,
)
from tests.support.fakes import FakeLLM
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, model, remember, step, talk

pytestmark = pytest.mark.django_db
SAID = "My cat jumps on my face at night."
NIMBUS = {"canonical_name": "Nimbus", "kind": "pet", "aliases": ["Nim"], "in_events": [0], "description": "A cat."}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond, status="closed", summary="Of the cat.", watermark=10**12)


def exchange(session, said, reply, **more):
    """A line and the reply to it."""
    turn_id = uuid.uuid4()
    line = MessageFactory(session=session, content=said, turn_id=turn_id, **more)
    return line, MessageFactory(session=session, content=reply, role="persona", turn_id=turn_id)


def left():
    return list(Message.objects.visible().order_by("id"))


def test_replies_go_with_the_messages_they_answer(session):
    line, reply = exchange(session, SAID, "Poor you.")
    MessageFactory(session=session, role="persona", turn_id=line.turn_id, variant=1, chosen=False)
    other = exchange(session, "I like tea.", "So do I.")
    node = ConceptNodeFactory(bond=session.bond, sources=[line])
    shown = ConceptNode.objects.for_serializer().get(pk=node.pk)
    preview = dependents.find(bond=session.bond, event=shown).messages

    removal.forget_node(node=node, lines="forget", now=NOW)

    assert (left(), Message.objects.filter(deleted_at=None).count()) == ([*other], 2)
    assert preview == sorted(Message.objects.exclude(deleted_at=None).values_list("pk", flat=True))
    assert reply.pk in preview


def test_a_reply_to_something_else_too_stays(session):
    line, reply = exchange(session, SAID, "Poor you.")
    other = MessageFactory(session=session, content="I like tea.", turn_id=line.turn_id)
    removal.forget_node(node=ConceptNodeFactory(bond=session.bond, sources=[line]), lines="forget", now=NOW)

    assert left() == [reply, other]


@pytest.mark.parametrize(
    ("repeated", "stays"),
    [
        (f"You told me: {SAID}", False),
        ("I know: my cat jumps on my face at night, you said.", False),
        ("The user has a cat that jumps.", False),
        ("Your cat likes nights.", True),
        ("My cat.", True),
    ],
)
def test_what_the_companion_repeats_word_for_word_goes_too(repeated, stays, session):
    line = MessageFactory(session=session, content=SAID)
    later = MessageFactory(session__bond=session.bond, session__channel="api", role="persona", content=repeated)
    strangers = MessageFactory(session__bond__user__username="charlie", role="persona", content=repeated)
    node = ConceptNodeFactory(bond=session.bond, description="the user has a cat that jumps", sources=[line])
    removal.forget_node(node=node, lines="forget", now=NOW)

    assert left() == ([later, strangers] if stays else [strangers])


def test_a_text_that_says_nothing_by_itself_is_looked_for_nowhere(session):
    line = MessageFactory(session=session, content="Yes, I do.")
    other = MessageFactory(session=session, role="persona", content="Yes, I do. And tea too.")
    node = ConceptNodeFactory(bond=session.bond, description="Tea.", sources=[line])
    removal.forget_node(node=node, lines="forget", now=NOW)

    assert left() == [other]


def test_forgotten_messages_are_counted_no_more(bond):
    session = talk(*CAT, bond=bond)
    first = session.messages.order_by("id").first()
    tokens = session.token_count
    removal.forget_message(message=first, now=NOW)

    session.refresh_from_db()
    assert (session.message_count, session.token_count) == (2, tokens - first.token_count)


def test_a_reply_goes_with_its_other_variants_and_comes_back_with_them(session):
    line, reply = exchange(session, SAID, "Poor you.")
    other = MessageFactory(session=session, role="persona", turn_id=line.turn_id, variant=1, chosen=False)

    removal.forget_message(message=reply, now=NOW)
    gone = set(Message.objects.exclude(deleted_at=None))
    trash.restore(act=trash.find(bond=session.bond, kind="message", object_id=reply.pk), now=NOW)

    assert gone == {reply, other}
    assert left() == [line, reply]


def test_a_variant_that_does_not_stand_goes_alone(session):
    line, reply = exchange(session, SAID, "Poor you.")
    other = MessageFactory(session=session, role="persona", turn_id=line.turn_id, variant=1, chosen=False)

    removal.forget_message(message=other, now=NOW)

    assert set(Message.objects.exclude(deleted_at=None)) == {other}
    assert left() == [line, reply]


def test_a_session_whose_messages_are_all_forgotten_is_listed_no_more(bond):
    session = talk("Hello.", bond=bond)
    removal.forget_message(message=session.messages.get(), now=NOW)

    assert not Session.objects.for_bond(bond).not_empty().exists()


def test_an_entity_goes_that_is_known_from_the_messages_alone(session):
    line, other = MessageFactory.create_batch(2, session=session)
    node = ConceptNodeFactory(bond=session.bond, sources=[line])
    elsewhere = ConceptNodeFactory(bond=session.bond, sources=[other])
    known = {
        "alone": EntityFactory(bond=session.bond, canonical_name="Nimbus", nodes=[node]),
        "elsewhere": EntityFactory(bond=session.bond, canonical_name="Inky", nodes=[node, elsewhere]),
        "owners": EntityFactory(bond=session.bond, canonical_name="Anna", description_by="owner", nodes=[node]),
    }
    removal.forget_node(node=node, lines="forget", now=NOW)

    assert set(Entity.objects.not_deleted_or_merged()) == {known["elsewhere"], known["owners"]}
    assert not known["alone"].aliases.filter(deleted_at=None).exists()


def test_while_its_message_is_there_an_entity_stays(session):
    node = ConceptNodeFactory(bond=session.bond, sources=[MessageFactory(session=session)])
    entity = EntityFactory(bond=session.bond, nodes=[node])
    removal.forget_node(node=node, now=NOW)

    assert Entity.objects.not_deleted_or_merged().get() == entity


def summariser(*answers):
    return FakeLLM(answers={"extraction": [extraction(session_summary=text) for text in answers]})


def queued():
    return [(entry.task["func"], entry.task["args"]) for entry in OrmQ.objects.order_by("id")]


def test_a_summary_is_made_anew_of_the_messages_that_are_left(session):
    first = MessageFactory(session=session, content="My cat Nimbus died.")
    told = MessageFactory(session=session, content="His grave is under the oak.")
    MessageFactory(session=session, content="I like tea.")
    removal.forget_node(node=ConceptNodeFactory(bond=session.bond, sources=[told]), now=NOW)
    removal.forget_message(message=first, now=NOW)
    llm = summariser("Tea was liked.")

    remade = summaries.remake(session_id=session.pk, llm=llm)

    session.refresh_from_db()
    assert (remade, session.summary) == (True, "Tea was liked.")
    assert queued() == [("memory.tasks.summarise", (session.pk,))]
    assert [name in llm.calls[0].text for name in ("Nimbus", "oak", "tea")] == [False, False, True]
    assert not ConceptNode.objects.current().exists()
    assert not ConsolidationStep.objects.exists()


def test_a_summary_that_saw_what_is_left_out_is_made_anew_without_it(session):
    left_out = MessageFactory(session=session, content="My cat Nimbus died.")
    MessageFactory(session=session, content="I like tea.")
    leaving_out.set_left_out(message=left_out, left_out=True, now=NOW)
    llm = summariser("Tea was liked.")

    remade = summaries.remake(session_id=session.pk, llm=llm)

    assert (remade, queued()) == (True, [("memory.tasks.summarise", (session.pk,))])
    assert "Nimbus" not in llm.calls[0].text


def test_a_long_session_is_summarised_a_chunk_at_a_time(session):
    MessageFactory.create_batch(3, session=session, content="I like tea. " * 500)
    Session.objects.update(summary="", watermark=Message.objects.last().pk)
    llm = summariser("Some tea.", "")
    summaries.remake(session_id=session.pk, llm=llm)

    session.refresh_from_db()
    assert (session.summary, len(llm.calls), "Some tea." in llm.calls[1].text) == ("Some tea.", 2, True)


class Interrupted(FakeLLM):
    """A line is forgotten while the first call is being answered."""

    def answer(self, messages, **more):
        if not self.calls:
            removal.forget_message(message=Message.objects.order_by("id").first(), now=NOW)
        return super().answer(messages, **more)


def test_what_goes_while_it_is_summed_up_is_in_no_summary(session):
    lines = MessageFactory.create_batch(2, session=session)
    Session.objects.update(summary="", watermark=lines[-1].pk)
    answers = [extraction(session_summary=text) for text in ("Of two lines.", "Of one line.")]

    assert summaries.remake(session_id=session.pk, llm=Interrupted(answers={"extraction": answers})) is True
    assert Session.objects.get().summary == "Of one line."


@pytest.mark.parametrize("now", [{"summary": "It has one."}, {"watermark": 0}, {"deleted_at": NOW}])
def test_no_summary_is_made_where_none_is_wanted(now, session):
    MessageFactory(session=session)
    Session.objects.update(**({"summary": ""} | now))

    assert summaries.remake(session_id=session.pk, llm=FakeLLM()) is False


def test_of_nothing_no_summary_is_made(session):
    line = MessageFactory(session=session)
    Session.objects.update(watermark=line.pk)
    removal.forget_message(message=line, now=NOW)

    tasks.summarise(session.pk)
    assert (Session.objects.get().summary, summaries.remake(session_id=0, llm=FakeLLM())) == ("", False)


def test_stored_answers_of_what_is_forgotten_are_emptied_and_others_stay(bond):
    session = remember(*CAT, bond=bond, answer=extraction(event()), reflections=[{"thoughts": [], "aside": SAID}])
    other = remember(*CAT, bond=BondFactory(), answer=extraction(event()))
    node = ConceptNode.objects.for_bond(bond).get()
    removal.forget_node(node=node, now=NOW)

    phases = ("extraction", "reflection")
    assert [step(session, phase).answer for phase in phases] == ["", ""]
    assert all(step(other, phase).answer for phase in phases)


def extracted_only(bond, answer):
    """A session whose extraction is written while its later phases wait."""
    session = closed_talk("We have a cat.", "He is called Nimbus, or Nim.", "Nimbus jumps.", bond=bond)
    consolidate(session, model(answer))
    ConsolidationStep.objects.filter(session=session).exclude(phase__in=["gate", "extraction"]).delete()
    Entity.objects.all().delete()
    Session.objects.update(status="closing", summary="")
    session.refresh_from_db()
    return session


@pytest.mark.parametrize(("mood", "left"), [("calm", "calm"), ("fond of Nim", "neutral")])
def test_later_phases_use_what_rests_on_the_messages_that_are_left(mood, left, bond):
    answer = extraction(
        event("A cat.", lines=[1]),
        mentioned_entities=[NIMBUS, {"canonical_name": "Inky", "kind": "pet", "in_events": []}, "junk"],
        session_mood_signal={"mood": mood, "energy": 4, "last_user_signal": None},
    )
    session = extracted_only(bond, answer)
    removal.forget_message(message=Message.objects.for_bond(bond).order_by("id")[1], now=NOW)
    consolidate(session, model())

    bond.refresh_from_db()
    [entity] = Entity.objects.not_deleted_or_merged()
    assert (entity.canonical_name, list(entity.aliases.values_list("name", flat=True))) == ("Nimbus", ["Nimbus"])
    assert (Session.objects.get().summary, bond.mood) == ("", left)


@pytest.mark.parametrize(("mood", "left"), [("worried about the cat", "calm"), ("tender", "tender")])
def test_a_mood_in_the_words_of_a_forgotten_message_goes_with_it(mood, left, session):
    bond = session.bond
    MoodChangeFactory(session=SessionFactory(bond=bond, status="closed"), mood="calm")
    MoodChangeFactory(session=session, mood=mood)
    Bond.objects.update(mood=mood)

    removal.forget_message(message=MessageFactory(session=session, content=SAID), now=NOW)

    bond.refresh_from_db()
    assert (bond.mood, MoodChange.objects.order_by("id").last().mood) == (left, left)


def test_a_phase_runs_again_where_an_answer_was_cut_since_it_was_read(bond):
    session = extracted_only(bond, extraction(mentioned_entities=[NIMBUS]))
    [waiting] = steps.list_unused_extractions(steps.load_done(session))
    steps.check_unchanged(waiting)
    removal.forget_message(message=Message.objects.for_bond(bond).order_by("id")[1], now=NOW)

    with pytest.raises(steps.InputChanged):
        steps.check_unchanged(waiting)
