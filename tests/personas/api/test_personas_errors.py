import base64
import json

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from personas.models import Persona
from personas.rest.api_errors import render_error
from tests.support.factories import PASSWORD, BondFactory, UserFactory
from tests.support.rest import answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara():
    return UserFactory(username="mara")


UNSTORABLE = "This text has a character that cannot be stored (a NUL or half a surrogate pair)."
BLANK = "This text is blank."
UNKNOWN = "Unknown field; known are: name, persona, tagline, style, scenario, examples, user, facts, language, greetings, starters."  # fmt: skip
UNKNOWN_FACT = "Unknown field; known are: full_name, gender, birth_date, nationality, native_language, location, time_zone, occupation, education, relationship_status, notes."  # fmt: skip
LONG = "This text has 81 characters; at most 80 are allowed."
ONE_LINE = "This must be one line, without control characters."
ONBOARDING = {"name": "Marian", "persona": "A lighthouse keeper."}


@pytest.mark.parametrize(
    ("change", "code", "field", "detail"),
    [
        pytest.param({"name": ""}, "invalid", "name", BLANK, id="blank name"),
        pytest.param({"name": "  "}, "invalid", "name", BLANK, id="name of spaces"),
        pytest.param({"name": "M\x00"}, "invalid", "name", UNSTORABLE, id="NUL"),
        pytest.param({"name": "M\ud83d"}, "invalid", "name", UNSTORABLE, id="lone surrogate"),
        pytest.param({"name": "Ma\nrian"}, "invalid", "name", ONE_LINE, id="line break in a name"),
        pytest.param({"name": "\x1b[31mM"}, "invalid", "name", ONE_LINE, id="control character in a name"),
        pytest.param({"name": 7}, "invalid", "name", "This must be text.", id="number for text"),
        pytest.param({"name": ["M"]}, "invalid", "name", "This must be text.", id="list for text"),
        pytest.param({"name": None}, "invalid", "name", "This field may not be null.", id="null"),
        pytest.param(
            {"name": "M" * 81},
            "too_long",
            "name",
            "This text has 81 characters; at most 80 are allowed.",
            id="long name",
        ),
        pytest.param(
            {"persona": "a" * 20_001},
            "too_long",
            "persona",
            "This text has 20001 characters; at most 5000 are allowed.",
            id="20 001 characters",
        ),
        pytest.param({"age": 3}, "unknown_field", "age", UNKNOWN, id="unknown field"),
        pytest.param({"\ud800": 3}, "unknown_field", "", UNKNOWN, id="unstorable unknown field"),
        pytest.param(
            {"facts": {"shoe_size": 41}},
            "unknown_field",
            "facts.shoe_size",
            UNKNOWN_FACT,
            id="unknown fact",
        ),
        pytest.param({"facts": {"location": "\x00"}}, "invalid", "facts.location", UNSTORABLE, id="unstorable fact"),
        pytest.param(
            {"facts": "none"},
            "invalid",
            "facts",
            "This must be a JSON object.",
            id="text for an object",
        ),
        pytest.param(
            {"language": "fr"},
            "invalid",
            "language",
            '"fr" is not a valid choice; allowed: en, zh.',
            id="unknown language",
        ),
        pytest.param(
            {"language": "\ud800"},
            "invalid",
            "language",
            '"" is not a valid choice; allowed: en, zh.',
            id="unstorable choice",
        ),
        pytest.param(
            {"language": {}},
            "invalid",
            "language",
            '"{}" is not a valid choice; allowed: en, zh.',
            id="object for a choice",
        ),
    ],
)
def test_a_bad_field_is_named_and_nothing_is_stored(change, code, field, detail, mara):
    body = json.dumps(ONBOARDING | change)

    response = api(mara).generic("POST", "/api/personas/onboarding/", body, content_type="application/json")

    whole = f"{field}: {detail}" if field else detail
    assert answered(response) == (400, refusal(code, whole, {field: [detail]} if field else None))
    assert not Persona.objects.exists()


def test_all_bad_fields_are_named_at_once(mara):
    response = api(mara).post("/api/personas/onboarding/", {"persona": "", "age": 3, "name": "M" * 81})

    assert answered(response) == (
        400,
        refusal(
            "unknown_field",
            f"name: {LONG} persona: {BLANK} age: {UNKNOWN}",
            {"persona": [BLANK], "name": [LONG], "age": [UNKNOWN]},
        ),
    )


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        pytest.param(b"{", 400, "invalid", id="half an object"),
        pytest.param(b"", 400, "invalid", id="nothing"),
        pytest.param(b"\xff\xfe{}", 400, "invalid", id="invalid UTF-8"),
        pytest.param(b'{"name": "\xe9"}', 400, "invalid", id="latin-1"),
        pytest.param(b"[]", 400, "invalid", id="a list"),
        pytest.param(b'"name"', 400, "invalid", id="a text"),
        pytest.param(b"null", 400, "invalid", id="null"),
        pytest.param(b'{"name": NaN}', 400, "invalid", id="NaN"),
        pytest.param(b"[" * 100_000, 400, "invalid", id="nested deeply"),
        pytest.param(b'{"name": ' + b"9" * 5000 + b"}", 400, "invalid", id="an endless number"),
        pytest.param(b'{"name": "' + b"a" * (2 * 1024 * 1024) + b'"}', 413, "too_long", id="over 2 MiB"),
    ],
)
def test_a_body_that_is_none_gets_a_clear_answer(body, status, code, mara):
    response = api(mara).generic("POST", "/api/personas/onboarding/", body, content_type="application/json")

    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.json()["detail"]


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        pytest.param(
            lambda client: client.put("/api/me/"),
            (405, refusal("invalid", 'Method "PUT" not allowed; allowed: GET, PATCH, DELETE, HEAD, OPTIONS.')),
            id="wrong method",
        ),
        pytest.param(
            lambda client: client.generic("PATCH", "/api/me/", "a=b", content_type="application/x-www-form-urlencoded"),
            (
                415,
                refusal(
                    "invalid",
                    'Unsupported media type "application/x-www-form-urlencoded" in request; allowed: application/json.',
                ),
            ),
            id="a form",
        ),
        pytest.param(
            lambda client: client.get("/api/bonds/?cursor=%FF"),
            (404, refusal("not_found", "Invalid cursor")),
            id="broken cursor",
        ),
        pytest.param(
            lambda client: client.get(f"/api/bonds/?cursor={base64.b64encode(b'p=abc').decode()}"),
            (404, refusal("not_found", "Invalid cursor")),
            id="invented cursor",
        ),
    ],
)
def test_errors_of_the_framework_have_the_same_shape(ask, expected, mara):
    assert answered(ask(api(mara))) == expected


OF_MEMORIES = "cursor, q, tag, subject, min_impact, since, state"
KNOWN = {
    "bonds/{bond}/messages/": "cursor, before, session",
    "bonds/{bond}/memory/events/": OF_MEMORIES,
    "bonds/{bond}/memory/thoughts/": OF_MEMORIES,
    "bonds/{bond}/memory/timeline/": "cursor, since",
}
IN_MEMORY = ("events", "thoughts", "entities", "mood", "slow-ticks", "timeline", "trash")
LISTS = (
    "bonds/",
    "personas/",
    "personas/{persona}/blocks/style/revisions/",
    "bonds/{bond}/blocks/user/revisions/",
    *(f"bonds/{{bond}}/{name}/" for name in ("messages", "sessions", "imports")),
    *(f"bonds/{{bond}}/memory/{name}/" for name in IN_MEMORY),
)


@pytest.mark.parametrize("path", LISTS)
def test_a_list_refuses_parameters_that_it_does_not_know(path, mara):
    bond = BondFactory(user=mara)
    address = "/api/" + path.format(bond=bond.pk, persona=bond.persona_id)
    unknown = f"Unknown field; known are: {KNOWN.get(path, 'cursor')}."

    assert answered(api(mara).get(address, {"page": 2})) == (
        400,
        refusal("unknown_field", f"page: {unknown}", {"page": [unknown]}),
    )


@pytest.mark.parametrize("token", ["", "a b", "nobody's", "\xff", "a" * 10_000])
def test_a_token_that_is_none_is_refused(token, mara):
    client = api(mara)
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")

    response = client.get("/api/me/")

    assert (response.status_code, response.json()["code"], response["WWW-Authenticate"]) == (
        401,
        "not_signed_in",
        "Token",
    )


def test_a_cookie_needs_its_csrf_token(mara):
    client = Client(enforce_csrf_checks=True)
    client.login(username="mara", password=PASSWORD)

    response = client.patch("/api/me/", {"display_name": "M"}, content_type="application/json")

    assert answered(response) == (403, refusal("forbidden", "CSRF Failed: CSRF cookie not set."))


def test_answers_are_json_whatever_is_accepted(mara):
    response = api(mara).get("/api/me/", headers={"Accept": "text/html"})

    assert (response.status_code, response["Content-Type"]) == (200, "application/json")


def test_who_asks_too_often_is_told_when_to_come_back(mara, settings, clock):
    settings.RATES = settings.RATES | {"reads": 2}
    client = api(mara)

    statuses = [client.get("/api/me/").status_code for _ in range(3)]
    refused = client.get("/api/me/")

    assert statuses == [200, 200, 429]
    assert answered(refused) == (
        429,
        refusal("rate_limited", "Too much in one minute. Try again in 40 seconds."),
    )
    assert refused["Retry-After"] == "40"
    assert client.patch("/api/me/", {}).status_code == 200
    assert api(UserFactory(username="lin")).get("/api/me/").status_code == 200


def test_a_new_minute_begins_anew(mara, settings, clock):
    settings.RATES = settings.RATES | {"reads": 1}
    client = api(mara)
    client.get("/api/me/")

    clock.shift(40)

    assert client.get("/api/me/").status_code == 200


@pytest.mark.parametrize(
    ("kind", "ask"),
    [
        ("reads", lambda client, bond: client.get(f"/api/bonds/{bond}/")),
        ("reads", lambda client, bond: client.post(f"/api/bonds/{bond}/memory/recall/", {"query": "cat"})),
        ("writes", lambda client, bond: client.patch("/api/me/", {})),
        ("messages", lambda client, bond: client.post(f"/api/bonds/{bond}/messages/", {"content": "Hi"})),
        ("costly", lambda client, bond: client.post(f"/api/bonds/{bond}/sessions/1/consolidate/")),
        ("costly", lambda client, bond: client.post("/api/personas/drafts/", {})),
        ("costly", lambda client, bond: client.post("/api/imports/estimate/", {})),
        ("costly", lambda client, bond: client.post(f"/api/bonds/{bond}/imports/", {})),
        ("costly", lambda client, bond: client.get(f"/api/bonds/{bond}/export/")),
        ("costly", lambda client, bond: client.get("/api/me/export/")),
        ("costly", lambda client, bond: client.post("/api/bonds/import/", {})),
    ],
)
def test_each_kind_has_a_limit_of_its_own(kind, ask, settings, mara, clock):
    settings.RATES = dict.fromkeys(settings.RATES, 1000) | {kind: 2}
    bond = BondFactory(user=mara)
    client = api(mara)

    answers = [ask(client, bond.pk) for _ in range(3)]
    for answer in answers:
        answer.getvalue()

    assert [answer.status_code == 429 for answer in answers] == [False, False, True]
    assert (answers[2].json()["code"], answers[2]["Retry-After"]) == ("rate_limited", "40")
    others = {"reads": client.patch("/api/me/", {})}.get(kind, client.get("/api/me/"))
    assert others.status_code == 200


def test_what_django_forbids_has_the_same_shape():
    response = render_error(PermissionDenied(), {})

    assert (response.status_code, response.data) == (
        403,
        refusal("forbidden", "You do not have permission to perform this action."),
    )


def test_a_bug_is_left_to_django():
    assert render_error(KeyError("a bug"), {}) is None
