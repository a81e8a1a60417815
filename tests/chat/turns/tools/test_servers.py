"""Turns with a model server that speaks the protocol in its own way."""

import json

import pytest
from asgiref.sync import async_to_sync

from chat.turns import runner
from echovessel.llm import connection
from echovessel.llm.connection import Connection
from echovessel.models import LedgerEntry
from memory.models import FactWrite, Message
from tests.support.factories import NOW, BondFactory
from tests.support.model_server import ODDITIES, ModelServer
from tests.support.running import claimed

pytestmark = pytest.mark.django_db
NUTS = "The user eats no nuts."


@pytest.fixture
def server():
    with ModelServer() as server:
        connection.store(Connection(address=server.url, key="", main="big", small="tiny"), now=NOW)
        yield server


def run(bond, line):
    turn = claimed(bond, line)
    async_to_sync(runner.run)(turn)
    turn.refresh_from_db()
    reply = Message.objects.filter(turn_id=turn.pk, role="persona").first()
    return turn.status, reply and reply.content


def calls_of(server):
    return [(request["model"], "tools" in request) for request in server.requests]


@pytest.mark.parametrize("oddity", ["", *ODDITIES])
def test_a_fact_is_noted_in_whichever_way_a_server_calls(server, oddity):
    server.will("calls", calls=[("memory_save", {"content": NUTS})], oddity=oddity)
    server.will("reply", text="No nuts, noted.")

    assert run(BondFactory(), "Nuts? I eat no nuts.") == ("done", "No nuts, noted.")
    [write] = FactWrite.objects.all()
    assert (write.node.description, write.node.tier) == (NUTS, "stated")
    assert calls_of(server) == [("big", True), ("big", True)]
    answered = server.requests[1]["messages"][-1]
    assert (answered["role"], json.loads(answered["content"])["code"]) == ("tool", "saved")
    entries = LedgerEntry.objects.order_by("pk").values_list("feature", "outcome", "tokens_in")
    assert list(entries) == [("reply", "ok", 120)] * 2


@pytest.mark.parametrize(
    ("status", "message"), [(400, "this model does not support tools"), (500, "Error rendering jinja template")]
)
def test_a_server_that_refuses_tools_replies_without_from_then_on(server, status, message):
    bond = BondFactory()
    server.will("status", status=status, message=message)
    server.will("reply", text="Hello.")
    server.will("reply", text="Hello again.")

    assert run(bond, "Good evening.") == ("done", "Hello.")
    assert run(bond, "Still there?") == ("done", "Hello again.")
    assert calls_of(server) == [("big", True), ("big", False), ("big", False)]
    assert "memory_update" in server.requests[0]["messages"][0]["content"]
    assert "memory_update" not in server.requests[2]["messages"][0]["content"]
    assert list(LedgerEntry.objects.order_by("pk").values_list("feature", "outcome", "error_code")) == [
        ("reply", "failed", "model_unavailable"),
        ("reply", "ok", ""),
        ("reply", "ok", ""),
    ]


def test_the_tokens_of_a_turn_are_those_of_all_its_calls(server):
    bond = BondFactory()
    server.will("calls", calls=[("memory_list", {})], text="One moment.")
    server.will("reply", text="Nothing yet.")

    assert run(bond, "What do you know?") == ("done", "One moment.\n\nNothing yet.")
    turn = bond.turns.get()
    assert (turn.tokens_in, turn.tokens_out, turn.tokens_cached) == (240, 60, 80)


def test_a_thought_without_the_mark_of_its_beginning_is_taken_back(server):
    server.will("reply", text="She is tired. Short.\n</think>\n\nSit down.")

    assert run(BondFactory(), "Third night shift.") == ("done", "Sit down.")


@pytest.mark.parametrize(
    ("again", "reply"),
    [("One moment!", "One moment."), ("One moment. Nothing yet.", "One moment.\n\nNothing yet."), ("One more.", "One moment.\n\nOne more.")],
)  # fmt: skip
def test_what_was_said_before_a_call_is_not_said_again(server, again, reply):
    server.will("calls", calls=[("memory_list", {})], text="One moment.")
    server.will("reply", text=again)

    assert run(BondFactory(), "What do you know?") == ("done", reply)


def test_a_claim_of_a_server_that_has_just_refused_tools_is_made_true(server):
    server.will("status", status=400, message="no tools")
    server.will("reply", text="Noted.")
    server.will("answer", text=json.dumps({"writes": [{"op": "save", "content": NUTS}]}), feature="fact_write")

    run(BondFactory(), "Nuts? I eat no nuts.")

    assert [(write.by, write.node.description) for write in FactWrite.objects.all()] == [("backstop", NUTS)]
    assert [entry.feature for entry in LedgerEntry.objects.order_by("pk")] == ["reply", "reply", "fact_write"]


NONSENSE = [("memory_dance", {"content": NUTS}), ("memory_save", {"contents": NUTS}), ("", {})]


@pytest.mark.parametrize("oddity", ["", "text", "tag"])
def test_calls_that_mean_nothing_end_in_a_reply_without_them_and_the_next_turn_has_tools(server, oddity):
    bond = BondFactory()
    server.will("calls", calls=NONSENSE, oddity=oddity)
    server.will("reply", text="I am not sure what you mean.")
    server.will("reply", text="Hello again.")

    assert run(bond, "Good evening.") == ("done", "I am not sure what you mean.")
    assert run(bond, "Still there?") == ("done", "Hello again.")
    assert not FactWrite.objects.exists()
    # The third bad call ends the loop, so that the words are asked for without tools.
    assert [offered for _, offered in calls_of(server)] == [True, False, True]
    told = json.dumps(server.requests[1]["messages"])
    assert "There is no tool" in told
    assert "Field required" in told


def test_a_model_that_says_nothing_after_nonsense_fails_honestly_and_may_be_asked_again(server):
    bond = BondFactory()
    server.will("calls", calls=NONSENSE)
    server.will("reply", text="")
    server.will("reply", text="")
    server.will("reply", text="Hello again.")

    assert run(bond, "Good evening.") == ("failed", None)
    assert bond.turns.get().error["code"] == "model_bad_answer"
    assert run(bond, "Still there?") == ("done", "Hello again.")
    assert not FactWrite.objects.exists()
