import pytest

from echovessel.llm import provider
from echovessel.models import BondEvent
from memory import sessions
from memory.consolidation import run
from memory.models import ConceptNode, Entity, Message
from tests.support import facts
from tests.support.factories import NOW
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, model, outcomes, remember, step, talk

pytestmark = pytest.mark.django_db

WHOLE = [
    ("gate", "done"),
    ("extraction", "done"),
    ("entities", "empty"),
    ("mood", "empty"),
    ("summary", "done"),
    ("reflection", "empty"),
]


def logged(session):
    """What was told after the talk itself, which began with a word of its own."""
    events = BondEvent.objects.filter(bond_id=session.bond_id).order_by("seq")[1:]
    return [(event.type, event.refs) for event in events]


def test_a_session_is_consolidated_from_gate_to_end():
    session = remember(answer=extraction(event()))

    node = ConceptNode.objects.get()
    assert (session.status, session.trivial, session.summary) == ("closed", False, "A cat at night.")
    assert session.watermark == Message.objects.latest("id").pk
    assert (session.lease_token, session.lease_until, session.attempt_count) == (None, None, 0)
    assert outcomes(session) == WHOLE
    assert logged(session) == [
        ("memory.event.created", {"node": node.pk}),
        (
            "chat.session.boundary",
            {"closed_session": session.pk, "new_session": None, "events_count": 1, "thoughts_count": 0},
        ),
    ]


def test_a_consolidation_takes_few_statements(django_assert_num_queries):
    session = closed_talk(*CAT, bond=remember(answer=extraction(event())).bond)
    told = extraction(
        event(),
        facts=[facts.told("The user has a white cat.")],
        mentioned_entities=[{"canonical_name": "Nimbus", "kind": "pet"}],
        session_mood_signal={"mood": "tender", "energy": 6},
    )

    with django_assert_num_queries(101):
        run.consolidate(session_id=session.pk, llm=model(told), clock=lambda: NOW)


@pytest.mark.parametrize("lines", [("hi",), ("hi", "persona: Hello.")])
def test_small_talk_is_closed_as_trivial_without_a_call(lines):
    llm = model()

    session = consolidate(closed_talk(*lines), llm)

    assert (session.status, session.trivial, session.watermark) == ("closed", True, 0)
    assert outcomes(session) == [("gate", "skipped")]
    assert step(session, "gate").reason.endswith("tokens without a word of strong emotion")
    assert llm.calls == []
    assert [type for type, _ in logged(session)] == ["chat.session.boundary"]


def test_two_messages_of_grief_are_remembered():
    session = remember("my grandmother passed away", "persona: I am sorry.", answer=extraction(event(impact=-8)))

    assert ConceptNode.objects.get().emotional_impact == -8
    assert session.trivial is False


def test_a_session_whose_messages_are_all_deleted_is_closed_as_trivial():
    session = closed_talk(*CAT)
    Message.objects.update(deleted_at=NOW)

    session = consolidate(session, model())

    assert (session.status, session.trivial, outcomes(session)) == ("closed", True, [])


def test_small_talk_that_is_resumed_without_a_word_stays_trivial():
    session = consolidate(closed_talk("hi"), model())
    sessions.reopen(bond=session.bond, session_id=session.pk, channel="web", now=NOW)
    session.refresh_from_db()
    sessions.close(session=session, reason="explicit", now=NOW)

    session = consolidate(session, model())

    assert (session.status, session.trivial, outcomes(session)) == ("closed", True, [("gate", "skipped")])


def test_resumed_small_talk_is_read_whole_once_it_is_worth_it():
    session = consolidate(closed_talk("hi", "hello"), model())
    sessions.reopen(bond=session.bond, session_id=session.pk, channel="web", now=NOW)
    talk("my grandmother passed away", bond=session.bond)
    session.refresh_from_db()
    sessions.close(session=session, reason="explicit", now=NOW)
    llm = model(extraction(event()))

    session = consolidate(session, llm)

    assert "[1] 2026-11-21 20:00 Saturday user: hi" in llm.calls[0].text
    assert (session.status, session.trivial) == ("closed", False)


def test_a_resumed_session_reads_what_is_new_with_the_summary_and_two_messages_before():
    session = remember(answer=extraction(event()))
    sessions.reopen(bond=session.bond, session_id=session.pk, channel="web", now=NOW)
    talk("He died.", bond=session.bond)
    session.refresh_from_db()
    sessions.close(session=session, reason="explicit", now=NOW)
    llm = model(extraction(event("The user's cat died.", impact=-9, lines=[3]), session_summary="The cat died."))

    session = consolidate(session, llm)

    prompt = llm.calls[0].text
    earlier = prompt.partition("<earlier>\n")[2].partition("</earlier>")[0]
    transcript = prompt.partition("<transcript>\n")[2].partition("</transcript>")[0]
    assert "<summary_so_far>\nA cat at night.\n</summary_so_far>" in prompt
    assert earlier.splitlines() == [
        "[1] 2026-11-21 20:00 Saturday user: He is called Nimbus.",
        "[2] 2026-11-21 20:00 Saturday user: He jumps on my face at night.",
    ]
    assert transcript.splitlines() == ["[3] 2026-11-21 20:00 Saturday user: He died."]
    assert [node.description for node in ConceptNode.objects.order_by("id")] == [
        "The user's cat Nimbus jumps on their face at night.",
        "The user's cat died.",
    ]
    assert (session.trivial, session.summary) == (False, "The cat died.")


def test_a_trivial_rest_of_a_remembered_session_changes_nothing():
    session = remember(answer=extraction(event()))
    sessions.reopen(bond=session.bond, session_id=session.pk, channel="web", now=NOW)
    talk("ok", bond=session.bond)
    session.refresh_from_db()
    sessions.close(session=session, reason="explicit", now=NOW)
    llm = model()

    session = consolidate(session, llm)

    assert (session.status, session.trivial, session.summary) == ("closed", False, "A cat at night.")
    assert outcomes(session) == [*WHOLE, ("gate", "skipped")]
    assert llm.calls == []


def test_a_long_session_is_read_in_chunks_whose_entities_unite_and_whose_last_mood_and_summary_win():
    filler = "x" * 7000
    session = closed_talk(f"We have a cat called Nimbus. {filler}", f"My sister is called Anna. {filler}", "Bye.")
    first = extraction(
        event(lines=[1]),
        session_summary="A cat.",
        mentioned_entities=[{"canonical_name": "Nimbus", "kind": "pet"}],
        session_mood_signal={"mood": "tender", "energy": 6},
    )
    second = extraction(
        event("The user's sister is called Anna.", lines=[2]),
        session_summary="A sister.",
        mentioned_entities=[{"canonical_name": "Anna", "kind": "person"}, {"canonical_name": "nimbus"}],
        session_mood_signal={"mood": "", "energy": 2},
    )
    llm = model(first, second)

    session = consolidate(session, llm)

    asked = [call.text for call in llm.calls if call.feature == "extraction"]
    assert ["<summary_so_far>\nA cat.\n" in prompt for prompt in asked] == [False, True]
    assert (
        "[1] 2026-11-21 20:00 Saturday user: We have a cat"
        in asked[1].partition("<earlier>")[2].partition("</earlier>")[0]
    )
    assert "[2] 2026-11-21 20:00 Saturday user: My sister" in asked[1].partition("<transcript>")[2]
    assert [entity.canonical_name for entity in Entity.objects.order_by("id")] == ["Nimbus", "Anna"]
    assert [node.source_messages.get().content[:10] for node in ConceptNode.objects.order_by("id")] == [
        "We have a ",
        "My sister ",
    ]
    session.bond.refresh_from_db()
    assert (session.summary, session.bond.mood) == ("A sister.", "tender")
    assert outcomes(session).count(("extraction", "done")) == 2


def test_the_offline_voice_consolidates():
    session = consolidate(closed_talk(*CAT), provider.get_fallback_llm())

    assert (session.status, session.trivial) == ("closed", False)
    assert [entity.canonical_name for entity in Entity.objects.all()] == ["Nimbus"]


def test_the_next_session_of_the_channel_is_named_at_the_boundary():
    session = closed_talk(*CAT)
    other = talk("Are you there?", bond=session.bond)
    talk("From the phone.", bond=session.bond, channel="api")

    session = consolidate(session, model(extraction()))

    assert logged(session)[-1][1]["new_session"] == other.pk
