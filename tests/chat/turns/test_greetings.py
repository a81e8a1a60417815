import json

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from chat.turns import greetings
from chat.turns.greetings import GreetingError
from memory import sessions
from memory.messages import window
from memory.models import ConceptNode, Message, Session
from personas.authored import openings
from tests.support.factories import NOW, BondFactory, MessageFactory, PersonaFactory, UserFactory
from tests.support.fakes import FakeLLM
from tests.support.receiving import SECOND, logged, receive
from tests.support.rest import answered, api
from tests.support.sockets import connected, cookie_of, until
from tests.support.talking import answer, close, say
from tests.support.talks import event, extraction, model, step

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    bond = BondFactory(user__username="mara", user__display_name="Mara")
    openings.save(
        persona=bond.persona,
        greetings=["Come in, {{user}}.", "Mind the step."],
        starters=["Is it {{char}}?"],
        user=bond.user,
        now=NOW,
    )
    return bond


def said(bond):
    return list(Message.objects.filter(bond=bond).order_by("id").values_list("role", "content", "greeting"))


def test_a_new_bond_is_offered_greetings_and_starters_and_nothing_is_stored(bond):
    opening = greetings.offer(bond)

    assert [(one.id, one.content) for one in opening.greetings] == [
        ("1-0", "Come in, Mara."),
        ("1-1", "Mind the step."),
    ]
    assert opening.starters == ["Is it Marian?"]
    assert (said(bond), logged(bond)) == ([], [])


def test_the_greeting_that_is_answered_is_stored_before_the_answer(bond):
    received = receive(bond, "Thank you.", greeting="1-1")

    assert said(bond) == [("persona", "Mind the step.", True), ("user", "Thank you.", False)]
    greeting, answer = Message.objects.order_by("id")
    session = Session.objects.get()
    assert (greeting.turn_id, greeting.session, greeting.chosen) == (None, session, True)
    assert (session.message_count, session.started_at) == (2, NOW)
    assert logged(bond)[1:] == [
        ("chat.message.greeted", {"message": greeting.pk}),
        ("chat.message.user_appended", {"message": answer.pk, "client_id": None}),
    ]
    assert received.message == answer
    assert greetings.offer(bond) == greetings.OfferedOpening()


def test_an_answer_sent_again_stores_no_second_greeting(bond):
    first = receive(bond, "Hi.", client_id="a", greeting="1-0")

    again = receive(bond, "Hi.", client_id="a", greeting="1-0")

    assert (again.message, again.is_new, len(said(bond))) == (first.message, False, 2)


def test_a_bond_in_which_something_was_said_takes_no_greeting(bond):
    receive(bond, "First.")

    receive(bond, "Second.", now=NOW + SECOND, greeting="1-0")

    assert said(bond) == [("user", "First.", False), ("user", "Second.", False)]


def test_what_is_in_the_trash_may_come_back_so_no_greeting_is_shown(bond):
    MessageFactory(session__bond=bond, deleted_at=NOW)

    assert greetings.offer(bond) == greetings.OfferedOpening()


@pytest.mark.parametrize("greeting", ["1-2", "7-0", "first"])
def test_a_greeting_that_is_not_there_is_refused_with_its_answer(greeting, bond):
    with pytest.raises(GreetingError) as refused:
        receive(bond, "Hi.", greeting=greeting)

    assert (refused.value.code, refused.value.detail) == ("not_found", "Greeting not found.")
    assert (said(bond), Session.objects.count()) == ([], 0)


@pytest.mark.parametrize(
    ("has_story", "when"),
    [(False, "just now"), (True, "Saturday 21 November 2026, evening")],
    ids=["no story", "story"],
)
def test_the_greeting_is_in_the_window_of_the_first_prompt(bond, settings, has_story, when):
    settings.STORY_ENABLED = has_story
    receive(bond, "Hello.", greeting="1-0")
    llm = FakeLLM("I see.")

    say(bond, "It is late.", now=NOW + SECOND, llm=llm)

    [call] = llm.calls
    (role, said), (last_role, last) = ((message["role"], message["content"]) for message in call.messages[1:])
    assert (role, said) == ("assistant", f"<when>{when}</when>\nCome in, Mara.")
    assert (last_role, last.partition("\n</notes>\n")[2] if has_story else last) == ("user", "Hello.\nIt is late.")


def test_nothing_is_drawn_from_a_greeting_though_an_extraction_reads_it(bond):
    receive(bond, "My cat Nimbus jumps on my face at night. " * 40, greeting="1-0")
    say(bond, "He is white.", now=NOW + SECOND, llm=FakeLLM("Is he?"))
    llm = model(extraction(event(lines=[1, 2])))

    session = close(bond, now=NOW + 2 * SECOND, llm=llm)

    greeting = Message.objects.get(greeting=True)
    [asked] = [call for call in llm.calls if call.feature == "extraction"]
    assert "Come in, Mara." not in [line.text for line in asked.inputs.lines]
    assert asked.text.index("[1] 2026-11-21 20:00 Saturday persona: Come in, Mara.") < asked.text.index("My cat Nimbus")
    node = ConceptNode.objects.get(type="event")
    assert greeting not in node.source_messages.all()
    assert step(session, "extraction").outcome == "done"
    assert session.watermark > greeting.pk


def test_a_greeting_makes_no_session_worth_extracting(bond):
    openings.save(persona=bond.persona, greetings=["Long. " * 300], starters=[], user=bond.user, now=NOW)
    receive(bond, "Hm.", greeting="2-0")
    answer(bond, now=NOW, llm=FakeLLM("Yes."))

    session = close(bond, now=NOW + SECOND, llm=model())

    assert session.trivial is True


def test_a_first_message_over_rest_names_its_greeting(bond):
    client = api(bond.user)
    assert answered(client.get(f"/api/bonds/{bond.pk}/greetings/")) == (
        200,
        {
            "greetings": [{"id": "1-0", "content": "Come in, Mara."}, {"id": "1-1", "content": "Mind the step."}],
            "starters": ["Is it Marian?"],
        },
    )

    refused = answered(client.post(f"/api/bonds/{bond.pk}/messages/", {"content": "Hi.", "greeting": "9-9"}))
    taken = answered(client.post(f"/api/bonds/{bond.pk}/messages/", {"content": "Hi.", "greeting": "1-0"}))

    assert (refused[0], refused[1]["detail"], taken[0]) == (404, "Greeting not found.", 202)
    assert said(bond) == [("persona", "Come in, Mara.", True), ("user", "Hi.", False)]
    assert answered(client.get(f"/api/bonds/{bond.pk}/greetings/")) == (200, {"greetings": [], "starters": []})


def test_each_user_of_a_shared_companion_is_greeted_by_name():
    persona = PersonaFactory(visibility="shared")
    openings.save(persona=persona, greetings=["Come in, {{user}}."], starters=[], user=persona.owner, now=NOW)
    bond = BondFactory(persona=persona, user=UserFactory(username="lin", display_name="Lin"))

    receive(bond, "Hi.", greeting="1-0")

    assert said(bond)[0] == ("persona", "Come in, Lin.", True)


def test_an_edit_does_not_change_what_was_seen(bond):
    openings.save(persona=bond.persona, greetings=["Another."], starters=[], user=bond.user, now=NOW)

    receive(bond, "Hi.", greeting="1-0")

    assert said(bond)[0] == ("persona", "Come in, Mara.", True)


def test_an_import_of_other_messages_leaves_the_window_in_order(bond):
    receive(bond, "One.", greeting="1-0")
    turn = say(bond, "Two.", now=NOW + SECOND, llm=FakeLLM("Three."))
    later = receive(bond, "Four.", now=NOW + 100 * SECOND)

    recent = window.load_recent(bond=bond, most=20, turn_id=later.turn_id, up_to=later.message.pk)

    assert [message.content for message in recent] == ["Come in, Mara.", "One.", "Two.", "Three."]
    assert turn.status == "done"


# Committed, so that the socket is woken: without that it looks for news after five seconds.
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("off_record", [False, True])
def test_an_answer_over_the_socket_brings_the_greeting_to_every_page(off_record, bond):
    sessions.start_new(bond=bond, channel="web", now=timezone.now(), off_record=off_record)
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as socket:
            sent = {"type": "message.send", "content": "Hi.", "client_id": "a", "greeting": "1-1"}
            await socket.send_to(text_data=json.dumps(sent | {"greeting": "5-5"}))
            refused = (await until(socket, "error"))[-1]
            await socket.send_to(text_data=json.dumps(sent))
            return refused, await until(socket, "chat.message.user_appended")

    refused, frames = async_to_sync(talk)()

    assert refused == {"type": "error", "code": "not_found", "detail": "Greeting not found.", "client_id": "a"}
    told = [frame for frame in frames if frame["type"].startswith("chat.message.")]
    assert [(frame["type"], frame["message"]["content"], frame["off_record"]) for frame in told] == [
        ("chat.message.greeted", "Mind the step.", off_record),
        ("chat.message.user_appended", "Hi.", off_record),
    ]
    assert (told[0]["message"]["turn"], told[0]["message"]["role"]) == (None, "persona")
