import logging
import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import translation
from django_q.models import OrmQ

from chat.pages.account import connection_form, server_trial
from echovessel.llm import connection, discovery, presets, provider, trial
from echovessel.llm.connection import Connection
from echovessel.llm.presets import KnownServer
from echovessel.llm.protocol import Origin, ReplyOptions
from echovessel.models import BondEvent, LedgerEntry, ModelConnection, ModelPrice
from tests.support.factories import NOW, PASSWORD, BondFactory, UserFactory
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
KEY = "sk-secret-1234"
NAMES = ["model", "model_here", "model_offers", "test_model", "switch_model", "forget_model_key", "save_prices"]


@pytest.fixture
def server():
    with ModelServer() as server:
        server.models = ["tiny", "big"]
        yield server


@pytest.fixture
def ada(client):
    """The operator."""
    user = UserFactory(username="ada", is_staff=True, is_superuser=True)
    client.force_login(user)
    return client


@pytest.fixture
def nothing_here(monkeypatch):
    monkeypatch.setattr(discovery, "LOCAL_PROGRAMS", (KnownServer("ollama", "Ollama", "http://127.0.0.1:1/v1"),))


def words(response):
    assert response.status_code == 200
    return " ".join(unescape(re.sub("<[^>]+>", " ", response.content.decode())).split())


def asked(server, **told):
    return {
        "address": server.url,
        "key": "",
        "main": "big",
        "medium": "",
        "small": "",
        "json_mode": "schema",
        "tools": "auto",
    } | told


def stored(server, **told):
    connection.store(Connection(**({"address": server.url, "key": KEY, "main": "big"} | told)), now=NOW)


def test_at_first_nothing_is_connected(ada):
    assert "No model server is connected. The offline rules reply" in words(ada.get(reverse("model")))


def test_a_server_is_connected_and_asked_from_then_on(ada, server, caplog):
    caplog.set_level(logging.INFO, "echovessel.model")
    sent = asked(server, key=KEY, small="tiny", json_mode="text", tools="off")
    response = ada.post(reverse("model"), sent, follow=True)

    page = words(response)
    assert connection.get_active() == Connection(
        address=server.url, key=KEY, main="big", small="tiny", json_mode="text", tools="off"
    )
    assert ("Connected. It replies from the next message on." in page, "big replies" in page) == (True, True)
    assert caplog.messages == [f"model server: operator {response.context['user'].pk} connected {server.url}"]


def test_bonds_that_missed_slow_ticks_get_them_once_a_server_answers(ada, server):
    ada.post(reverse("model"), asked(server))
    ada.post(reverse("switch_model"), {"on": "no"})
    ada.post(reverse("switch_model"), {"on": "yes"})

    assert [entry.task["func"] for entry in OrmQ.objects.all()] == ["memory.tasks.catch_up"] * 2


def test_the_key_is_never_shown_again(ada, server):
    stored(server)

    pages = [ada.get(reverse("model")), ada.post(reverse("model"), asked(server, key=KEY, main=""))]

    assert [KEY in page.content.decode() for page in pages] == [False, False]
    assert "A key is stored Encrypted, and never shown again." in words(pages[0])
    sealed = ModelConnection.objects.get().sealed_key
    assert sealed not in pages[0].content.decode()


@pytest.mark.parametrize(
    ("address", "kept"),
    [("/v1", KEY), ("/v1/", KEY), ("", KEY), ("/other", KEY)],
)
def test_a_kept_key_stays_with_its_server(address, kept, ada, server):
    stored(server)
    root = server.url.removesuffix("/v1")

    ada.post(reverse("model"), asked(server, address=f"{root}{address}", main="bigger"))

    assert (connection.get_active().key, connection.get_active().main) == (kept, "bigger")


def test_a_kept_key_goes_to_no_other_server(ada, server):
    stored(server, address="http://127.0.0.1:1/v1")

    run_test(ada, asked(server))
    ada.post(reverse("model_offers"), asked(server), headers=HTMX)
    ada.post(reverse("model"), asked(server))

    assert connection.get_active().key == ""
    assert {headers["authorization"] for headers in server.headers} == {"Bearer none"}


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("address", "", "This field is required."),
        ("address", "localhost:11434", "An address starts with http:// or https:// and a name."),
        ("address", "file:///etc/passwd", "An address starts with http:// or https:// and a name."),
        ("address", "ftp://host/v1", "An address starts with http:// or https:// and a name."),
        ("address", "http://", "An address starts with http:// or https:// and a name."),
        ("address", "http://host:99999/v1", "An address starts with http:// or https:// and a name."),
        ("address", "http://[1/v1", "An address starts with http:// or https:// and a name."),
        ("address", "http://ho st/v1", "An address starts with http:// or https:// and a name."),
        ("address", "http://ada:pass@host/v1", "The address must not contain a user name, key or query."),
        ("address", "http://host/v1?key=1", "The address must not contain a user name, key or query."),
        ("address", "http://host/v1#a", "The address must not contain a user name, key or query."),
        ("key", "schlüssel", "A key has only letters, digits and symbols, without spaces."),
        ("key", "two words", "A key has only letters, digits and symbols, without spaces."),
        ("main", "", "This field is required."),
        ("json_mode", "xml", "Select a valid choice. xml is not one of the available choices."),
        ("tools", "some", "Select a valid choice. some is not one of the available choices."),
    ],
)
def test_what_cannot_be_asked_is_refused(field, value, sentence, ada, server):
    refused = words(ada.post(reverse("model"), asked(server, **{field: value})))

    assert (sentence in refused, ModelConnection.objects.exists()) == (True, False)
    assert sentence in words(ada.post(reverse("test_model"), asked(server, **{field: value}), headers=HTMX))
    assert server.requests == []


def test_an_address_without_a_path_gets_the_usual_one(ada, server):
    ada.post(reverse("model"), asked(server, address="http://127.0.0.1:11434/"))

    assert connection.get_active().address == "http://127.0.0.1:11434/v1"


def run_test(ada, given):
    """Make a test as the page does, a check after another, and return what each said, in one text."""
    said, answer = [], ada.post(reverse("test_model"), given, headers=HTMX)
    while following := re.search(r'"check": "([\w:]+)"', unescape(answer.content.decode())):
        answer = ada.post(reverse("test_model"), given | {"check": following[1]}, headers=HTMX)
        said.append(answer.content.decode())
    return " ".join(unescape(re.sub("<[^>]+>", " ", "".join(said))).split()) if said else words(answer)


def test_a_test_shows_each_check_as_it_ends_and_what_comes_next(ada, server):
    begun = words(ada.post(reverse("test_model"), asked(server), headers=HTMX))
    first = words(ada.post(reverse("test_model"), asked(server) | {"check": "models"}, headers=HTMX))

    assert begun == "Test results Address is being tested"
    assert re.sub(r"\d+\.\d s", "0.1 s", first) == (
        f"Address works · 0.1 s {server.url} List of models works · 0.1 s big, tiny Reply of big is being tested"
    )
    assert ada.post(reverse("test_model"), asked(server) | {"check": "json:main:x"}, headers=HTMX).status_code == 404


def test_a_test_makes_each_check_and_stores_no_connection(ada, server):
    told = run_test(ada, asked(server, small="tiny")).partition("Reply of big is being tested ")[2]

    told = re.sub(r"\S+ of [^·]{,40} is being tested ", "", told)
    assert re.sub(r"\d+\.\d s", "0.1 s", told) == (
        "Reply of big works · 0.1 s You said: Say hello in one short sentence. "
        "Tools of big works · 0.1 s Settings of big works · 0.1 s It takes temperature, top p and longest reply. JSON of big, answer mode “JSON schema” works · 0.1 s JSON of tiny, answer mode “JSON schema” works · 0.1 s"
    )
    assert (ModelConnection.objects.exists(), LedgerEntry.objects.filter(user_id=ada.session["_auth_user_id"]).count()) == (
        False,
        5,
    )  # fmt: skip


def test_without_scripts_a_test_is_told_on_the_page_with_what_was_typed(ada, server):
    page = ada.post(reverse("test_model"), asked(server, key=KEY, main="bigger"))

    assert "Reply of bigger works" in words(page)
    assert ('value="bigger"' in page.content.decode(), KEY in page.content.decode()) == (True, False)


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        (
            {"kind": "status", "status": 401, "code": "invalid_api_key"},
            "The model server did not accept the key. (401, invalid_api_key) Enter the key again.",
        ),
        (
            {"kind": "status", "status": 404},
            "The model server has no such model or address. (404) Find its models",
        ),
        ({"kind": "status", "status": 500}, "The model server failed. (500) The log of that server may say more."),
        ({"kind": "hang"}, "The model server took too long to answer. A large model is loaded from disk"),
        ({"kind": "refuse"}, "The model refused to answer this."),
        ({"kind": "garbage"}, "answer does not follow the OpenAI protocol. This may not be the address of an API"),
        (
            {"kind": "prose", "feature": "test"},
            "The model answered with something other than JSON. Choose an answer mode that works",
        ),
        (
            {"kind": "status", "status": 400, "feature": "test"},
            "The model server did not accept the request. (400) Another answer mode may work",
        ),
        (
            {"kind": "status", "status": 400, "message": "no tools", "feature": "tools"},
            "The model server takes no tools. (400) Replies work without tools.",
        ),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else "",
)
def test_a_test_says_in_words_what_went_wrong(behaviour, sentence, ada, server, monkeypatch):
    monkeypatch.setattr(trial, "SECONDS", 0.5 if behaviour["kind"] == "hang" else 20)
    server.script.append(behaviour)

    told = run_test(ada, asked(server, key=KEY))

    assert sentence in told
    assert KEY not in told


def test_a_server_that_is_not_there_is_told(ada, server):
    told = run_test(ada, asked(server, address="http://127.0.0.1:1/v1"))

    assert "Nothing answers at the address of the model server. Is it running" in told


def test_the_models_of_a_server_are_offered(ada, server):
    offered = ada.post(reverse("model_offers"), asked(server, key=KEY, main=""), headers=HTMX)

    assert words(offered).startswith(
        "2 models are listed; choose them below. Main model For replies. Choose a model big tiny"
    )
    assert re.findall(r'<option value="(\w+)">', offered.content.decode()) == ["big", "tiny"] * 4


def test_a_server_without_models_or_without_a_list_is_told(ada, server):
    server.models = []
    none = words(ada.post(reverse("model_offers"), asked(server), headers=HTMX))
    server.will("status", status=401, feature="models")
    refused = words(ada.post(reverse("model_offers"), asked(server), headers=HTMX))

    assert none == "It lists no models. Type the name of one."
    assert refused == "The model server did not accept the key. (401)"
    assert "Address: This field is required." in words(ada.post(reverse("model_offers"), asked(server, address="")))


def test_names_of_models_are_shown_as_text(ada, server):
    server.models = ['"><script>alert(1)</script>']

    offered = ada.post(reverse("model_offers"), asked(server), headers=HTMX).content.decode()

    assert "<script" not in offered


def test_an_address_is_shown_as_text(ada, server):
    stored(server, address="http://host/<script>alert(1)</script>")

    page = ada.get(reverse("model")).content.decode()

    assert ("<script>alert" in page, page.count("&lt;script&gt;alert")) == (False, 4)


def test_what_runs_on_this_machine_is_offered_and_taken_over(ada, server, monkeypatch):
    monkeypatch.setattr(discovery, "LOCAL_PROGRAMS", (KnownServer("ollama", "Ollama", server.url),))
    monkeypatch.setattr(discovery, "HERE_SECONDS", 20.0)

    found = words(ada.get(reverse("model_here"), headers=HTMX))
    page = ada.get(reverse("model"), {"use": "ollama"}).content.decode()

    assert found == f"Ollama {server.url} · 2 models Use"
    assert (f'value="{server.url}"' in page, 'value="big"' in page) == (True, True)


@pytest.mark.usefixtures("nothing_here")
def test_where_nothing_runs_here_it_says_so(ada):
    assert "No Ollama, llama.cpp or LM Studio found." in words(ada.get(reverse("model_here")))
    assert "It no longer answers." in words(ada.get(reverse("model"), {"use": "ollama"}))
    assert "It no longer answers." in words(ada.get(reverse("model"), {"use": "http://127.0.0.1:22/"}))


def test_it_is_switched_off_and_on(ada, server):
    stored(server)
    off = words(ada.post(reverse("switch_model"), {"on": "no"}, follow=True))
    is_asked = connection.get_active() is not None
    on = words(ada.post(reverse("switch_model"), {"on": "yes"}, follow=True))

    assert (is_asked, connection.get_active().key) == (False, KEY)
    assert ("Switched off: the offline rules reply" in off, "big replies" in on) == (True, True)


def test_its_key_is_forgotten(ada, server):
    stored(server)

    page = words(ada.post(reverse("forget_model_key"), follow=True))

    assert (connection.get_active().key, "A key is stored" in page) == ("", False)


def test_a_key_that_another_secret_key_sealed_is_told_and_typed_anew(ada, server, settings):
    stored(server)
    sealed = ModelConnection.objects.get().sealed_key
    ModelConnection.objects.update(sealed_key=sealed[:-9] + "AAAAAAAA=")

    page = words(ada.get(reverse("model")))
    tried = run_test(ada, asked(server))
    ada.post(reverse("model"), asked(server, key="sk-new"))

    assert "The stored key cannot be read: SECRET_KEY is not the one it was stored with." in page
    assert "An administrator has to enter it again" in tried
    assert (connection.get_active().key, server.requests) == ("sk-new", [])


def test_what_the_environment_names_is_shown_locked_and_cannot_be_changed(ada, server, settings):
    stored(server, address="http://127.0.0.1:1/v1")
    settings.MODEL_SERVER, settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = True, server.url, "sk-environment"
    settings.MODEL_VARIABLES = frozenset({"OPENAI_BASE_URL", "OPENAI_API_KEY", "LLM_MAIN_MODEL"})
    settings.LLM_MODELS = {"main": "huge", "medium": "gpt-4o-mini", "small": "gpt-4o-mini"}

    page = ada.get(reverse("model"))
    ada.post(reverse("model"), asked(server, main="other"))
    tried = run_test(ada, {})

    told = words(page)
    assert (
        "huge replies. This is set in the environment of this server" in told,
        "Set by LLM_MAIN_MODEL." in told,
    ) == (
        True,
        True,
    )
    assert ("LLM_JSON_MODE is not set." in told, "is kept, but not used" in told) == (True, True)
    assert page.content.decode().count("disabled") == 7
    assert "sk-environment" not in page.content.decode()
    assert (ModelConnection.objects.get().main_model, "Reply of huge works" in tried) == ("big", True)


def test_open_pages_of_all_bonds_hear_that_another_voice_may_answer(ada, server):
    bonds = [BondFactory(), BondFactory()]

    ada.post(reverse("model"), asked(server))
    ada.post(reverse("switch_model"), {"on": "no"})
    ada.post(reverse("forget_model_key"))

    for bond in bonds:
        told = BondEvent.objects.filter(bond_id=bond.pk).order_by("seq")
        assert [(event.type, event.refs) for event in told] == [
            ("chat.settings.updated", {"changed_fields": ["model"]})
        ] * 3


def test_a_field_that_a_variable_decides_is_locked_alone(ada, server, settings):
    settings.MODEL_VARIABLES = frozenset({"LLM_JSON_MODE"})
    settings.LLM_JSON_MODE = "text"

    page = ada.get(reverse("model"))
    ada.post(reverse("model"), asked(server))

    assert (page.content.decode().count("disabled"), "Set by LLM_JSON_MODE." in words(page)) == (1, True)
    assert connection.get_active().json_mode == "text"


@pytest.mark.parametrize("is_staff", [False, True], ids=["charlie", "plain staff"])
def test_only_operators_find_it(is_staff, client, server):
    stored(server)
    client.force_login(UserFactory(username="charlie", is_staff=is_staff))
    before = ModelConnection.objects.values().get()

    answers = [
        (name, ask(reverse(name), asked(server, on="no")).status_code)
        for name in NAMES
        for ask in (client.get, client.post)
    ]

    assert answers == [(name, 404) for name in NAMES for _ in range(2)]
    assert (ModelConnection.objects.values().get(), server.requests) == (before, [])


def test_someone_who_is_not_signed_in_is_asked_to(client):
    urls = [reverse(name) for name in NAMES]

    assert [client.get(url)["Location"] for url in urls] == [f"{reverse('account_login')}?next={url}" for url in urls]


def test_what_asks_or_changes_something_is_not_done_by_a_link(ada):
    assert [ada.get(reverse(name)).status_code for name in NAMES[2:]] == [405] * 5


def test_operators_are_led_to_it(ada, client):
    link = f'href="{reverse("model")}"'
    led = ada.get(reverse("settings")).content.decode().count(link)
    client.force_login(UserFactory(username="charlie", is_staff=True))

    assert (led, client.get(reverse("settings")).content.decode().count(link)) == (2, 0)


def test_the_key_is_in_no_export_and_no_section_of_the_admin(ada, server):
    stored(server)

    assert KEY.encode() not in b"".join(ada.get("/api/me/export/").streaming_content)
    assert b"modelconnection" not in ada.get("/admin/").content.lower()


FAILURES = [
    *({"kind": "status", "status": status} for status in (400, 401, 403, 404, 429, 500)),
    {"kind": "status", "status": 400, "code": "content_filter"},
    *({"kind": kind, "after": 0} for kind in ("hang", "cut", "refuse", "garbage", "huge", "error_chunk")),
    {"kind": "reply", "text": ""},
    {"kind": "status", "status": 400, "message": "no tools", "feature": "tools"},
    {"kind": "reply", "text": "It rains.", "feature": "tools"},
    {"kind": "prose", "feature": "test"},
    {"kind": "answer", "text": "[]", "feature": "test"},
    {"kind": "answer", "text": "{}", "feature": "test"},
]


def test_what_went_wrong_is_said_in_chinese_too(server):
    left = {}
    for behaviour in FAILURES:
        server.script = [behaviour]
        asked = Connection(address=server.url, key="", main="b")
        seconds = 0.5 if behaviour["kind"] == "hang" else 20
        wrong = next(tried for tried in trial.run(asked, origin=Origin(), seconds=seconds) if tried.error)
        with translation.override("zh-hans"):
            shown = server_trial.describe_trial(wrong)
        said = f"{shown.title} {shown.text.partition(' (')[0]} {shown.hint}"
        if words := set(re.findall("[A-Za-z]{3,}", said)) - {"JSON", "OpenAI", "API", "schema"}:
            left[str(behaviour)] = words

    assert left == {}


def priced(*rows):
    """The form as a browser sends it: address, model, in, cached, out."""
    names = ("address", "model", "dollars_in", "dollars_cached", "dollars_out")
    told = {f"price-{at}-{name}": value for at, row in enumerate(rows) for name, value in zip(names, row, strict=True)}
    return told | {"price-TOTAL_FORMS": len(rows), "price-INITIAL_FORMS": len(rows)}


def prices_kept():
    fields = ("address", "model", "dollars_in", "dollars_cached", "dollars_out")
    return [tuple(map(str, row)) for row in ModelPrice.objects.order_by("model").values_list(*fields)]


def test_an_operator_names_what_models_cost(ada, server):
    stored(server, small="tiny")
    page = words(ada.get(reverse("model")))
    rows = [(server.url, "big", "1.5", "0.25", "6"), (server.url, "tiny", "", "", "")]

    saved = ada.post(reverse("save_prices"), priced(*rows), follow=True)

    assert "Prices US dollars per million tokens." in page
    assert "Saved. The prices apply from the next call." in words(saved)
    assert 'value="0.25"' in saved.content.decode()
    assert prices_kept() == [(server.url, "big", "1.5000", "0.2500", "6.0000")]
    ada.post(reverse("save_prices"), priced((server.url, "big", "", "", "")))
    assert prices_kept() == []


def test_a_price_is_of_the_server_that_the_page_showed(ada, server):
    stored(server, address="http://127.0.0.1:1/v1")

    ada.post(reverse("save_prices"), priced((server.url, "big", "1", "", "2")))

    assert [row[:2] for row in prices_kept()] == [(server.url, "big")]


NUMBER = "Type the price as a number from 0 to 100000, such as 0.15."


@pytest.mark.parametrize(
    ("prices", "sentence"),
    [
        (("cheap", "", "1"), NUMBER),
        (("-0.1", "", "1"), NUMBER),
        (("1", "NaN", "1"), NUMBER),
        (("1", "", "Infinity"), NUMBER),
        (("1", "", "100000.1"), NUMBER),
        (("1", "", "1e9"), NUMBER),
        (("0.00001", "", "1"), "no more than 4 decimal places"),
        (("1", "", ""), "Type both prices, in and out, or neither."),
        (("", "1", ""), "Type both prices, in and out, or neither."),
    ],
)
def test_a_price_that_is_none_gets_a_sentence_and_nothing_is_lost(ada, server, prices, sentence):
    stored(server)
    ada.post(reverse("save_prices"), priced((server.url, "big", "3", "", "4")))

    page = ada.post(reverse("save_prices"), priced((server.url, "big", *prices)))

    assert sentence in words(page)
    assert all(f'value="{typed}"' in page.content.decode() for typed in prices if typed)
    assert prices_kept() == [(server.url, "big", "3.0000", "None", "4.0000")]


@pytest.mark.parametrize("price", ["0", "100000", "0.0001"])
def test_prices_from_nothing_to_the_most_are_taken(ada, server, price):
    stored(server)

    ada.post(reverse("save_prices"), priced((server.url, "big", price, price, price)))

    assert [float(told) for told in prices_kept()[0][2:]] == [float(price)] * 3


@pytest.mark.parametrize(
    "sent", [{}, priced((f"x{chr(0)}", "big", "1", "", "1")), priced(("x", "y" * 201, "1", "", "1"))]
)
def test_a_form_of_prices_that_no_page_sends_changes_nothing(ada, server, sent):
    stored(server)

    assert ada.post(reverse("save_prices"), sent).status_code == 200
    assert prices_kept() == []


def test_prices_of_the_list_are_shown_where_the_environment_names_openai(ada, settings):
    settings.MODEL_SERVER, settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = True, "sk-x", ""

    page = words(ada.get(reverse("model")))

    assert "List price: 2.5 in, 1.25 cached, 10 out." in page
    ada.post(reverse("save_prices"), priced(("https://api.openai.com/v1", "gpt-4o", "1", "", "2")))
    assert prices_kept() == [("https://api.openai.com/v1", "gpt-4o", "1.0000", "None", "2.0000")]


def test_without_a_server_there_are_no_prices(ada):
    assert "US dollars" not in words(ada.get(reverse("model")))
    assert ada.post(reverse("save_prices"))["Location"] == reverse("model")


@pytest.mark.parametrize("preset", presets.PRESETS, ids=lambda preset: preset.slug)
def test_each_preset_fills_in_its_address_and_no_key(ada, server, preset):
    stored(server)

    page = ada.get(reverse("model"), {"preset": preset.slug}).content.decode()

    assert (f'value="{preset.address}"' in page, KEY in page) == (True, False)
    form = connection_form.ConnectionForm(
        {"address": preset.address, "main": "m", "json_mode": "schema", "tools": "auto"}, row=None
    )
    assert (form.is_valid(), form.cleaned_data["address"]) == (True, preset.address)


@pytest.mark.parametrize("preset", presets.PRESETS, ids=lambda preset: preset.slug)
def test_each_preset_is_connected(ada, server, preset):
    form = ada.get(reverse("model"), {"preset": preset.slug}).content.decode()
    sent = asked(server, key=f"sk-{preset.slug}")
    offered = words(ada.post(reverse("model_offers"), sent, headers=HTMX))
    connected = words(ada.post(reverse("model"), sent, follow=True))

    # Nothing else of the preset is sent: what is shown of one in the browser holds for all.
    assert re.findall(r'<form class="form" method="post" action="(.*?)"', form) == [reverse("model")]
    assert re.findall(r'formaction="(.*?)"', form) == [reverse("model_offers"), reverse("test_model")]
    assert "2 models are listed" in offered
    assert ("Connected." in connected, "big replies" in connected) == (True, True)
    assert connection.get_active().key == f"sk-{preset.slug}"


def test_an_unknown_preset_is_the_page_as_it_is(ada):
    assert "is_first" not in ada.get(reverse("model"), {"preset": "none"}).content.decode()
    assert ada.get(reverse("model"), {"preset": "none"}).context["form"].initial == {}


def test_the_models_that_a_server_lists_are_menus_and_what_was_typed_stays(ada, server):
    part = ada.post(reverse("model_offers"), asked(server, main="mine"), headers=HTMX).content.decode()
    page = ada.post(reverse("model_offers"), asked(server)).content.decode()

    assert 'hx-swap-oob="true"' in part
    for name in ("tiny", "big", "mine"):
        assert f'<option value="{name}"' in part
    assert '<option value="mine" selected>' in part
    assert (page.count('id="models"'), '<option value="big" selected>' in page) == (1, True)


def test_a_new_install_leads_its_operator_here_first_and_then_to_a_companion(client, server):
    sent = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
    first = client.post(reverse("account_signup"), sent)
    page = words(client.get(first["Location"]))
    chosen = client.get(f"{first['Location']}&preset=ollama").content.decode()
    connected = client.post(re.search(r'class="form" method="post" action="(.*?)"', chosen)[1], asked(server))
    client.logout()
    second = client.post(reverse("account_signup"), sent | {"username": "mara"})

    assert (first["Location"], second["Location"]) == (f"{reverse('model')}?first", reverse("home"))
    assert connected["Location"] == reverse("home")
    assert ("Connect a model, or try without one" in page, "Try without one" in page) == (True, True)


def test_where_a_model_is_connected_the_operator_begins_at_home(client, server):
    stored(server)

    answer = client.post(reverse("account_signup"), {"username": "ada", "password1": PASSWORD, "password2": PASSWORD})

    assert answer["Location"] == reverse("home")


REFUSED = {"kind": "status", "status": 400, "message": "'temperature' is not supported.", "feature": "reply"}


def test_what_a_test_found_refused_is_stored_with_the_connection(ada, server):
    server.script.append({"kind": "reply", "text": "Hi.", "feature": "reply"})
    server.script.append(REFUSED)
    given = asked(server, tools="off")

    told = run_test(ada, given)
    assert "It refuses: temperature. Replies are asked for without." in told

    ada.post(reverse("model"), given | {"tried_model": "big", "refused": ["temperature", "rm -rf"]})
    assert connection.get_active().refused == {"temperature"}
    ada.post(reverse("model"), given | {"small": "tiny"})
    assert connection.get_active().refused == {"temperature"}
    ada.post(reverse("model"), given | {"main": "bigger", "tried_model": "big", "refused": ["top_p"]})
    assert connection.get_active().refused == set()


def test_a_test_of_the_stored_connection_is_remembered_and_replies_come_without(ada, server):
    stored(server, main="big")
    server.script.append(REFUSED)

    ada.post(reverse("test_model"), asked(server) | {"check": "options"}, headers=HTMX)

    assert provider.get_llm(ReplyOptions(temperature=0.3, top_p=0.5)).get_options() == {"top_p": 0.5}

    ada.post(reverse("test_model"), asked(server) | {"check": "options"}, headers=HTMX)
    assert connection.get_active().refused == set()
