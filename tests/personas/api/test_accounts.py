import base64
from datetime import timedelta

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client
from knox.models import AuthToken
from rest_framework.test import APIClient

from tests.support.factories import PASSWORD, UserFactory
from tests.support.rest import NOT_SIGNED_IN, answered, api, refusal

pytestmark = pytest.mark.django_db
WRONG = 401, refusal("not_signed_in", "The username or the password is wrong.")


@pytest.fixture
def mara():
    return UserFactory(username="mara", time_zone="")


def login(**body):
    return APIClient().post("/api/auth/login/", {"username": "mara", "password": PASSWORD} | body)


def with_token(token):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def basic(credentials, body=None):
    header = "Basic " + base64.b64encode(credentials.encode()).decode()
    return APIClient().post("/api/auth/login/", body or {}, headers={"Authorization": header})


def test_a_login_gives_a_token_that_lasts_ninety_days(mara, clock):
    body = login().json()

    assert body == {"token": body["token"], "expiry": "2027-02-19T20:00:20Z"}
    assert answered(with_token(body["token"]).get("/api/me/")) == (
        200,
        {"username": "mara", "display_name": None, "time_zone": None, "language": None},
    )
    clock.shift(timedelta(days=90, seconds=1))
    assert with_token(body["token"]).get("/api/me/").status_code == 401


def test_a_login_by_basic_authentication(mara):
    response = basic(f"mara:{PASSWORD}")

    assert with_token(response.json()["token"]).get("/api/me/").json()["username"] == "mara"


@pytest.mark.parametrize("credentials", ["mara", "mara:wrong", "nobody:" + PASSWORD, ":"])
def test_basic_authentication_that_is_wrong(credentials, mara):
    assert basic(credentials).status_code in (400, 401)


def test_a_header_that_cannot_be_read(mara):
    response = APIClient().post("/api/auth/login/", {}, headers={"Authorization": "Basic %%%"})

    assert answered(response) == (
        401,
        refusal("not_signed_in", "The header of the basic authentication cannot be read."),
    )


def test_wrong_credentials_do_not_say_which(mara):
    assert answered(login(password="wrong")) == WRONG
    assert answered(login(username="nobody")) == WRONG


def test_who_may_no_longer_sign_in(mara):
    mara.is_active = False
    mara.save()

    assert answered(login()) == WRONG


def test_failed_logins_are_limited_and_good_ones_too_then(mara, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/5m/key"}

    failed = [login(password="wrong").status_code for _ in range(3)]
    refused = login()

    assert failed == [401, 401, 401]
    assert answered(refused) == (429, refusal("rate_limited", "Too many failed sign-ins. Wait a few minutes."))
    assert refused["Retry-After"] == "300"


def code_of(secret):
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


def test_a_second_factor_is_asked_for(mara):
    secret = generate_totp_secret()
    TOTP.activate(mara, secret)

    missing, wrong = login(), login(code="000000")
    right = login(code=code_of(secret))

    needed = "This account also needs a two-factor code."
    assert answered(missing) == (401, refusal("not_signed_in", needed, {"code": [needed]}))
    not_this = "This code is wrong or expired."
    assert answered(wrong) == (401, refusal("not_signed_in", not_this, {"code": [not_this]}))
    assert right.status_code == 200


def test_a_recovery_code_serves_too_and_beside_basic_authentication(mara):
    TOTP.activate(mara, generate_totp_secret())
    recovery = RecoveryCodes.activate(mara).get_unused_codes()[0]

    assert basic(f"mara:{PASSWORD}", {"code": recovery}).status_code == 200


def test_wrong_codes_are_limited(mara, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "2/5m/key"}
    secret = generate_totp_secret()
    TOTP.activate(mara, secret)

    statuses = [login(code="000000").status_code for _ in range(2)]

    assert statuses == [401, 401]
    assert answered(login(code=code_of(secret))) == (
        429,
        refusal("rate_limited", "Too many wrong codes. Wait a few minutes."),
    )


def test_an_account_has_so_many_tokens_at_most(mara, settings):
    settings.REST_KNOX = settings.REST_KNOX | {"TOKEN_LIMIT_PER_USER": 1}
    login()

    assert login().status_code == 409


def test_logout_ends_this_token_alone(mara):
    here, there = api(mara), api(mara)

    assert answered(here.post("/api/auth/logout/")) == (204, None)
    assert here.get("/api/me/").status_code == 401
    assert there.get("/api/me/").status_code == 200


def test_logoutall_ends_all_tokens_of_the_account(mara):
    here, there, lins = api(mara), api(mara), api(UserFactory(username="lin"))

    assert answered(here.post("/api/auth/logoutall/")) == (204, None)
    assert [client.get("/api/me/").status_code for client in (here, there, lins)] == [401, 401, 200]
    assert AuthToken.objects.count() == 1


@pytest.mark.parametrize("path", ["logout", "logoutall"])
def test_a_session_is_ended_by_both(path, mara):
    client = Client()
    client.force_login(mara)

    assert client.post(f"/api/auth/{path}/").status_code == 204
    assert answered(client.get("/api/me/")) == NOT_SIGNED_IN


def test_me_can_be_changed_and_cleared(mara):
    client = api(mara)

    changed = client.patch(
        "/api/me/", {"display_name": "<b>Mara</b> 妈", "time_zone": "Asia/Shanghai", "language": "zh-hans"}
    )
    cleared = client.patch("/api/me/", {"display_name": None, "language": ""})

    assert answered(changed) == (
        200,
        {
            "username": "mara",
            "display_name": "<b>Mara</b> 妈",
            "time_zone": "Asia/Shanghai",
            "language": "zh-hans",
        },
    )
    assert answered(cleared) == (
        200,
        {"username": "mara", "display_name": None, "time_zone": "Asia/Shanghai", "language": None},
    )


ZONE = "This is not a time zone. Use an IANA name such as Europe/Berlin."


@pytest.mark.parametrize(
    ("field", "value", "code", "detail"),
    [
        ("time_zone", "Mars/Olympus", "invalid", ZONE),
        ("time_zone", "../../etc/passwd", "invalid", ZONE),
        ("time_zone", "europe/berlin", "invalid", ZONE),
        ("time_zone", 2, "invalid", ZONE),
        ("time_zone", "a\x00b", "invalid", "Null characters are not allowed."),
        ("display_name", "\u200d", "invalid", "This text is blank."),
        ("language", "fr", "invalid", '"fr" is not a valid choice; allowed: en, zh-hans.'),
        ("display_name", "M" * 81, "too_long", "This text has 81 characters; at most 80 are allowed."),
        ("display_name", "a\nb", "invalid", "This must be one line, without control characters."),
        ("username", "lin", "unknown_field", "Unknown field; known are: display_name, time_zone, language."),
        ("is_staff", True, "unknown_field", "Unknown field; known are: display_name, time_zone, language."),
    ],
)
def test_what_cannot_be_said_of_oneself(field, value, code, detail, mara):
    response = api(mara).patch("/api/me/", {field: value})

    assert answered(response) == (400, refusal(code, f"{field}: {detail}", {field: [detail]}))
