from dataclasses import replace

import pytest
from asgiref.sync import async_to_sync

from chat.turns import runner
from echovessel.llm import connection, encryption, provider
from echovessel.llm.connection import Connection
from echovessel.models import ModelConnection
from tests.support.factories import NOW, BondFactory
from tests.support.model_server import ModelServer
from tests.support.running import claimed

pytestmark = pytest.mark.django_db
ASKED = Connection(
    address="http://10.0.0.7:11434/v1",
    key="sk-secret",
    main="big",
    medium="mid",
    small="tiny",
    json_mode="object",
    tools="on",
)


def test_without_any_the_offline_voice_answers():
    assert (connection.get_active(), provider.get_llm().offline) == (None, True)


def test_what_is_stored_is_asked():
    connection.store(ASKED, now=NOW)

    voice = provider.get_llm()

    assert connection.get_active() == ASKED
    assert [voice.model_of(feature) for feature in ("reply", "reflection", "slow_tick", "extraction")] == [
        "big",
        "mid",
        "mid",
        "tiny",
    ]


def test_one_model_may_do_everything():
    connection.store(replace(ASKED, medium="", small=""), now=NOW)

    assert [provider.get_llm().model_of(feature) for feature in ("reply", "reflection", "import")] == ["big"] * 3


def test_switching_holds_from_the_next_question_on():
    connection.store(ASKED, now=NOW)
    connection.set_enabled(is_on=False, now=NOW)
    off = provider.get_llm()
    connection.set_enabled(is_on=True, now=NOW)

    assert (off.offline, provider.get_llm().offline, connection.get_active()) == (True, False, ASKED)


def test_what_is_open_is_kept_while_nothing_changes():
    connection.store(ASKED, now=NOW)
    first, second = provider.get_llm(), provider.get_llm()
    connection.store(replace(ASKED, key="sk-other"), now=NOW)

    assert (first is second, provider.get_llm() is first) == (True, False)


def test_asking_who_answers_costs_one_query(django_assert_num_queries, settings):
    with django_assert_num_queries(1):
        provider.get_llm()
    settings.MODEL_SERVER = True
    with django_assert_num_queries(0):
        provider.get_llm()


def test_there_is_one_at_most():
    connection.store(ASKED, now=NOW)
    connection.store(replace(ASKED, address="http://127.0.0.1:8080/v1", key=""), now=NOW)

    row = ModelConnection.objects.get()
    assert (row.address, row.sealed_key) == ("http://127.0.0.1:8080/v1", "")


def test_the_key_is_encrypted():
    connection.store(ASKED, now=NOW)

    sealed = ModelConnection.objects.get().sealed_key
    assert ("secret" in sealed, encryption.decrypt(sealed)) == (False, "sk-secret")


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("http://10.0.0.7:11434/v1", "sk-secret"),
        ("http://10.0.0.7:11434/other", "sk-secret"),
        ("https://10.0.0.7:11434/v1", ""),
        ("http://10.0.0.7:11435/v1", ""),
        ("http://10.0.0.70:11434/v1", ""),
    ],
    ids=["the same", "another path", "another scheme", "another port", "another host"],
)
def test_a_kept_key_goes_to_its_own_server_only(address, key):
    connection.store(ASKED, now=NOW)

    assert connection.get_stored_key(connection.load_stored(), address=address) == key


def test_nothing_is_kept_where_nothing_is_stored():
    assert connection.get_stored_key(None, address=ASKED.address) == ""


def test_a_key_sealed_by_another_secret_key_cannot_be_read(settings):
    connection.store(ASKED, now=NOW)
    settings.SECRET_KEY = "another"

    assert connection.get_active() == replace(ASKED, key=None)
    assert connection.get_stored_key(connection.load_stored(), address=ASKED.address) is None


def test_a_key_that_cannot_be_read_outlives_other_changes(settings):
    secret_key = settings.SECRET_KEY
    connection.store(ASKED, now=NOW)
    settings.SECRET_KEY = "another"
    connection.store(replace(ASKED, key=None, main="bigger"), now=NOW)
    settings.SECRET_KEY = secret_key

    assert connection.get_active() == replace(ASKED, main="bigger")


def test_a_forgotten_key_is_gone():
    connection.store(ASKED, now=NOW)
    connection.forget_key(now=NOW)

    assert connection.get_active() == replace(ASKED, key="")


def test_the_environments_server_wins(settings):
    connection.store(ASKED, now=NOW)
    settings.MODEL_SERVER, settings.OPENAI_API_KEY = True, "sk-environment"

    assert connection.get_active() == Connection(
        address="",
        key="sk-environment",
        main="gpt-4o",
        medium="gpt-4o-mini",
        small="gpt-4o-mini",
        json_mode="schema",
        tools="auto",
    )


def test_a_single_variable_wins_over_what_is_stored(settings):
    connection.store(ASKED, now=NOW)
    settings.MODEL_VARIABLES = frozenset({"LLM_MEDIUM_MODEL", "LLM_JSON_MODE", "LLM_TOOLS"})
    settings.LLM_MODELS = settings.LLM_MODELS | {"medium": "named"}

    assert connection.get_active() == replace(ASKED, medium="named", json_mode="schema", tools="auto")


def test_a_turn_is_answered_by_what_was_connected_just_before(time_machine):
    time_machine.move_to(NOW)
    bond = BondFactory()
    replies = []
    with ModelServer() as first, ModelServer() as second:
        for server in (first, second):
            server.will("reply", text=f"I am at {server.server_port}.")
            connection.store(Connection(address=server.url, key="", main="big"), now=NOW)
            turn = claimed(bond, "Who are you?")
            async_to_sync(runner.run)(turn)
            turn.refresh_from_db()
            replies.append((turn.status, turn.offline))
        connection.set_enabled(is_on=False, now=NOW)
        turn = claimed(bond, "And now?")
        async_to_sync(runner.run)(turn)
        turn.refresh_from_db()

    assert replies == [("done", False), ("done", False)]
    assert (turn.status, turn.offline) == ("done", True)
    assert [len(server.requests) for server in (first, second)] == [1, 1]
