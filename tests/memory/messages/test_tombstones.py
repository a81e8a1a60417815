from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils.crypto import salted_hmac

from memory.entities import editing
from memory.facts.checks import forgotten
from memory.forgetting import removal
from memory.messages import tombstones
from memory.models import ConceptNode, ConsolidationStep, Entity, EntityAlias, Message, Session, SlowTickRun, Tombstone
from memory.story import lines as told_lines
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    MessageFactory,
    SessionFactory,
)
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, model, remember, step, thoughts
from tests.support.ticks import tick

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)
JUMPS = "The user's cat Nimbus jumps on their face at night."
NIMBUS = {"canonical_name": "Nimbus", "kind": "pet", "aliases": [], "in_events": [0]}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def read_again(session, *answers):
    """Let a session be read once more from its first line."""
    Session.objects.filter(pk=session.pk).update(watermark=0, status="closing", lease_token=None, lease_until=None)
    ConsolidationStep.objects.filter(session=session).delete()
    session.refresh_from_db()
    return consolidate(session, model(*answers), now=LATER)


def live():
    return [node.description for node in ConceptNode.objects.current().order_by("id")]


def test_a_tombstone_holds_neither_text_nor_vector(bond):
    session = remember(*CAT, bond=bond, answer=extraction(event(lines=[2, 3])))
    told = list(Message.objects.order_by("id").values_list("pk", flat=True))
    removal.forget_node(node=ConceptNode.objects.get(), now=NOW)

    [stone] = Tombstone.objects.values()
    assert (stone.pop("id"), stone.pop("mark")) != (None, "")
    assert stone == {
        "bond_id": session.bond_id,
        "of": "node",
        "object_id": ConceptNode.objects.get().pk,
        "lines": told[1:],
        "hidden": [],
        "last_message_id": told[-1],
        "created_at": NOW,
    }


def test_a_mark_is_of_the_folded_text_the_bond_and_the_key(bond, settings):
    mark = tombstones.hash_text(bond, " The  CAT ")

    assert mark == tombstones.hash_text(bond, "the cat")
    assert mark != tombstones.hash_text(BondFactory(), "the cat")
    settings.SECRET_KEY = "another"
    assert mark != tombstones.hash_text(bond, "the cat")


@pytest.mark.parametrize("answer", [event("Something else that these lines say.", lines=[2]), event(JUMPS, lines=[1])])
def test_what_was_forgotten_is_not_learned_again_from_its_messages_nor_in_its_words(answer, bond):
    session = remember(*CAT, bond=bond, answer=extraction(event(JUMPS, lines=[2, 3])))
    removal.forget_node(node=ConceptNode.objects.get(), now=NOW)

    read_again(session, extraction(answer, event("They have a white cat.", lines=[1])))

    assert live() == ["They have a white cat."]
    stored = step(session, "extraction")
    assert (answer["description"] in stored.answer, "A cat at night." in stored.answer) == (False, False)
    assert stored.notes == "event 0 dropped: it was forgotten, and is not said anew"
    assert Session.objects.get().summary == ""


@pytest.mark.parametrize("is_reply_late", [False, True])
def test_the_reply_to_a_forgotten_message_teaches_and_tells_it_no_more(is_reply_late, bond):
    session = SessionFactory(bond=bond)
    said = MessageFactory(session=session, content=CAT[0], turn_id=uuid4())
    fact = FactFactory(bond=bond, sources=[said])
    if is_reply_late:
        removal.forget_node(node=fact, now=NOW)
    reply = MessageFactory(session=session, role="persona", content="A white cat, noted.", turn_id=said.turn_id)
    tombstones.apply_to_reply(reply)
    if not is_reply_late:
        removal.forget_node(node=fact, now=NOW)
    others = [MessageFactory(session=session, content=one) for one in ("It rains.", "I like tea.", "Good night.")]

    read_again(session, extraction(event("They are fond of a pale pet.", lines=[1, 2])))

    assert live() == []
    assert told_lines.load_told(bond) == others


def test_an_event_that_stands_alone_in_its_answer_is_dropped_too(bond):
    session = remember(*CAT, bond=bond, answer=extraction(event(JUMPS)))
    removal.forget_node(node=ConceptNode.objects.get(), now=NOW)

    read_again(session, extraction() | {"events": event(JUMPS)})

    assert live() == []
    assert JUMPS not in step(session, "extraction").answer


def test_messages_that_were_not_its_own_may_tell_of_something_else(bond):
    session = remember(*CAT, bond=bond, answer=extraction(event(JUMPS, lines=[2])))
    removal.forget_node(node=ConceptNode.objects.get(), now=NOW)

    read_again(session, extraction(event("They do not sleep well.", lines=[2, 3])))

    assert live() == ["They do not sleep well."]


def test_what_is_said_anew_is_learned_anew(bond):
    remember(*CAT, bond=bond, answer=extraction(event(JUMPS)))
    removal.forget_node(node=ConceptNode.objects.get(), now=NOW)

    remember(*CAT, bond=bond, answer=extraction(event(JUMPS)), now=LATER)

    assert live() == [JUMPS]
    assert not Tombstone.objects.exists()


def test_another_bond_knows_nothing_of_it(bond):
    remember(*CAT, bond=bond, answer=extraction(event(JUMPS)))
    removal.forget_node(node=ConceptNode.objects.get(), now=NOW)

    remember(*CAT, bond=BondFactory(user__username="charlie"), answer=extraction(event(JUMPS)))

    assert live() == [JUMPS]


def test_a_forgotten_name_is_not_learned_again_from_old_messages(bond):
    answer = extraction(event(JUMPS, lines=[1, 2, 3]), mentioned_entities=[NIMBUS])
    session = remember(*CAT, bond=bond, answer=answer)
    removal.forget_entity(entity=Entity.objects.get(), now=NOW)

    read_again(session, answer)
    between = Entity.objects.not_deleted_or_merged().count()
    remember("Nimbus is back.", *CAT, bond=bond, answer=extraction(mentioned_entities=[NIMBUS]), now=LATER)

    assert between == 0
    assert [entity.canonical_name for entity in Entity.objects.not_deleted_or_merged()] == ["Nimbus"]
    assert not Tombstone.objects.exists()


def test_a_name_that_somebody_goes_by_now_is_theirs_in_old_messages_too(bond):
    answer = extraction(event(JUMPS, lines=[1, 2, 3]), mentioned_entities=[NIMBUS])
    session = remember(*CAT, bond=bond, answer=answer)
    removal.forget_entity(entity=Entity.objects.get(), now=NOW)
    other = EntityFactory(bond=bond, canonical_name="Nimbus", last_mentioned_at=NOW)

    read_again(session, answer)

    other.refresh_from_db()
    assert (Entity.objects.not_deleted_or_merged().get(), other.last_mentioned_at) == (other, LATER)


def test_a_forgotten_alias_is_not_learned_again_as_another_name(bond):
    lines = ("We have a cat called Nimbus.", "Nimbus is Nim to us.", "He is white.")
    both = {"a": "Nimbus", "b": "Nim", "stated_in": 2}
    session = remember(
        *lines,
        bond=bond,
        answer=extraction(event(JUMPS, lines=[1]), mentioned_entities=[NIMBUS], possible_same=[both]),
    )
    cat = Entity.objects.get()
    known = set(cat.aliases.values_list("name", flat=True))
    tombstones.create_for_names(bond=bond, aliases=EntityAlias.objects.filter(name="Nim"), now=NOW)
    EntityAlias.objects.filter(name="Nim").delete()

    read_again(session, extraction(mentioned_entities=[NIMBUS], possible_same=[both]))

    assert (known, set(cat.aliases.values_list("name", flat=True))) == ({"Nimbus", "Nim"}, {"Nimbus"})
    assert step(session, "entities").notes == "possible same Nimbus / Nim dropped: one was forgotten"


@pytest.mark.parametrize("asked", ["張鴻", "张鸿"])
@pytest.mark.parametrize("is_old", [True, False], ids=["an old mark", "a new mark"])
def test_a_forgotten_name_is_known_in_both_scripts(bond, asked, is_old):
    removal.forget_entity(entity=EntityFactory(bond=bond, canonical_name="張鴻"), now=NOW)
    if is_old:
        Tombstone.objects.update(mark=tombstones.hash_text(bond, "張鴻"))

    assert (asked in tombstones.find_forgotten_names(bond=bond, names=[asked], lines=())) is (
        asked == "張鴻" or not is_old
    )


def test_a_name_that_a_person_writes_is_forgotten_no_more(bond):
    removal.forget_entity(entity=EntityFactory(bond=bond, canonical_name="Nimbus"), now=NOW)
    one = editing.create(bond=bond, wanted={"canonical_name": "Nimbus", "kind": "pet"}, now=NOW)
    first = Tombstone.objects.count()
    removal.forget_entity(entity=one, now=NOW)
    other = EntityFactory(bond=bond, canonical_name="Inky")
    editing.update(entity=other, wanted={"aliases": ["Nimbus"]}, now=NOW)

    assert (first, Tombstone.objects.count()) == (0, 0)


def thought(said, *filling):
    return {"description": said, "emotional_impact": 1, "filling": [node.pk for node in filling]}


def reflect_on(bond, *written):
    return remember(
        *CAT,
        bond=bond,
        answer=extraction(event("They sleep badly.", impact=9)),
        reflections=[thoughts(*written)],
        now=LATER,
    )


@pytest.mark.parametrize(("learned_at", "left"), [(NOW, ["Quiet."]), (LATER, ["Nights are theirs.", "Quiet."])])
def test_a_forgotten_thought_is_thought_again_on_new_evidence_alone(learned_at, left, bond):
    forgotten = ConceptNodeFactory(bond=bond, type="thought", description="Nights are theirs.")
    removal.forget_node(node=forgotten, now=NOW)
    known = ConceptNodeFactory(bond=bond, created_at=learned_at)

    session = reflect_on(bond, thought("nights are theirs.", known), thought("Quiet.", known))

    assert [node.description.capitalize() for node in ConceptNode.objects.current().thoughts().order_by("id")] == left
    assert ("nights" in step(session, "reflection").answer) == (len(left) == 2)


def test_a_slow_tick_does_not_think_a_forgotten_thought_again(bond):
    forgotten = ConceptNodeFactory(bond=bond, type="thought", description="Nights are theirs.")
    removal.forget_node(node=forgotten, now=LATER)
    known = ConceptNodeFactory(bond=bond)
    tick(bond, {"thoughts": [thought("Nights are theirs.", known), thought("Quiet.", known)]}, now=LATER)

    run = SlowTickRun.objects.get()
    assert [node.description for node in ConceptNode.objects.current().thoughts()] == ["Quiet."]
    assert (run.answer, run.notes) == ("{}", "1 dropped: forgotten, and resting on nothing new")


def test_it_costs_one_query_whatever_was_told(bond, django_assert_num_queries):
    lines = MessageFactory.create_batch(3, session=SessionFactory(bond=bond))
    told = [(f"It is {at}.", [line.pk]) for at, line in enumerate(lines)]

    with django_assert_num_queries(1):
        assert tombstones.are_forgotten(bond=bond, told=told) == [False] * 3
    with django_assert_num_queries(0):
        assert tombstones.are_forgotten(bond=bond, told=[]) == []


def test_a_newer_message_clears_only_the_marks_it_is_newer_than(bond):
    session = closed_talk(*CAT, bond=bond)
    old = session.messages.order_by("id").first()
    node = ConceptNodeFactory(bond=bond, description=JUMPS, sources=[old])
    removal.forget_node(node=node, now=NOW)
    new = MessageFactory(session=session)
    other = ConceptNodeFactory(bond=bond, description=JUMPS, sources=[new])
    removal.forget_node(node=other, now=LATER)

    assert tombstones.are_forgotten(bond=bond, told=[(JUMPS, [new.pk])]) == [True]
    assert list(Tombstone.objects.values_list("object_id", flat=True)) == [other.pk]


@pytest.mark.parametrize(
    ("said", "is_later", "retells"),
    [
        ("I'll remember that the Christmas bikes are in the loft.", False, True),
        ("The Christmas bikes stand in the loft.", False, True),
        ("The Christmas bikes stand in the loft.", True, False),
        ("The twins swim on Mondays.", False, False),
    ],
)
def test_what_was_said_before_a_wish_to_forget_is_dropped_by_likeness(bond, said, is_later, retells):
    session = SessionFactory(bond=bond)
    line, other = (MessageFactory(session=session) for _ in range(2))
    fact = FactFactory(bond=bond, description="The Christmas bikes are in the loft.", sources=[line])
    removal.forget_node(node=fact, now=NOW)
    later = MessageFactory(session=session, content="The Christmas bikes stand in the loft.")

    messages = [later if is_later else other]
    stones = tombstones.find_forgotten_facts(bond, messages)
    assert forgotten.retells_forgotten(stones, said, messages) is retells


def test_marks_that_are_stored_are_found_again(bond):
    stored = salted_hmac("memory.tombstones", f"{bond.pk}:我養了一隻貓 tom", algorithm="sha256").hexdigest()

    assert tombstones.hash_text(bond, "我養了一隻貓  Tom") == stored
