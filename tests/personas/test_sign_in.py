import re

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings as django_settings
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from personas.models import User
from tests.support.factories import PASSWORD, UserFactory
from tests.support.rest import answered, refusal

pytestmark = pytest.mark.django_db
COOKIE = django_settings.SESSION_COOKIE_NAME


@pytest.fixture
def mara():
    return UserFactory(username="mara")


def by_api(password):
    return APIClient().post("/api/auth/login/", {"username": "mara", "password": password}).status_code == 200


def by_page(password, client=None, url=None):
    """Whether the form signs the client in."""
    client = client or Client()
    client.post(url or reverse("account_login"), {"login": "mara", "password": password})
    return "_auth_user_id" in client.session


def by_admin(password):
    client = Client()
    url = client.get("/admin/", follow=True).redirect_chain[-1][0]
    return by_page(password, client, url)


WAYS = [by_api, by_page, by_admin]


@pytest.mark.parametrize("way", WAYS)
def test_each_way_in_takes_the_password(way, mara):
    assert (way("wrong"), way(PASSWORD)) == (False, True)


@pytest.mark.parametrize("last", WAYS)
def test_failed_tries_count_whichever_way_they_came(last, mara, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/5m/key"}

    tried = [way("wrong") for way in WAYS]

    assert tried == [False, False, False]
    assert last(PASSWORD) is False


def test_two_tries_are_no_reason(mara, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/5m/key"}

    assert [by_api("wrong"), by_page("wrong"), by_admin(PASSWORD)] == [False, False, True]


def test_many_tries_at_one_account_leave_others_alone(mara, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "1/5m/key"}
    UserFactory(username="lin")
    by_api("wrong")

    response = APIClient().post("/api/auth/login/", {"username": "lin", "password": PASSWORD})

    assert response.status_code == 200


@pytest.mark.parametrize(
    "guess",
    [
        lambda number: {"headers": {"Host": f"testserver:{1000 + number}"}},
        lambda number: {"headers": {"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.9"}},
        lambda number: {"REMOTE_ADDR": f"198.51.100.{number}"},
        lambda number: {"username": ["Mara", "MARA", "ｍara", "mARA"][number]},
    ],
    ids=["port", "forwarded", "address", "spelling"],
)
def test_guesses_at_an_account_count_together_however_they_come(guess, mara, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/5m/key"}
    settings.TRUSTED_PROXIES = 1

    statuses = []
    for number in range(4):
        asked = guess(number)
        body = {"username": asked.pop("username", "mara"), "password": "wrong"}
        statuses.append(APIClient().post("/api/auth/login/", body, **asked).status_code)

    assert statuses == [401, 401, 401, 429]


@pytest.mark.parametrize(("hops", "statuses"), [(1, [401, 401, 429]), (2, [401, 401, 401])])
def test_guesses_count_by_the_address_that_a_trusted_proxy_saw(hops, statuses, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "2/m/ip"}
    settings.TRUSTED_PROXIES = hops

    answers = [
        APIClient().post(
            "/api/auth/login/",
            {"username": f"somebody{number}", "password": "wrong"},
            headers={"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.9"},
        )
        for number in range(3)
    ]

    assert [answer.status_code for answer in answers] == statuses


def test_a_session_from_before_the_sign_in_is_worth_nothing_after_it(mara):
    client = Client()
    session = client.session
    session["planted"] = "by someone else"
    session.save()
    planted = session.session_key
    client.cookies[COOKIE] = planted

    by_page(PASSWORD, client)

    assert client.cookies[COOKIE].value != planted
    thief = Client()
    thief.cookies[COOKIE] = planted
    assert thief.get("/api/me/").status_code == 401


@pytest.mark.parametrize(
    "name",
    [
        "account_login",
        "account_signup",
        "account_logout",
        "account_change_password",
        "settings",
        "make_token",
        "revoke_token",
        "erase_account",
        "set_language",
        "mfa_activate_totp",
    ],
)
def test_no_form_is_taken_from_another_site(name, mara):
    client = Client(enforce_csrf_checks=True)
    client.force_login(mara)

    assert client.post(reverse(name), {"password": PASSWORD}).status_code == 403


@pytest.mark.parametrize(
    ("method", "path"), [("post", "auth/logout/"), ("post", "auth/ticket/"), ("delete", "me/"), ("patch", "me/")]
)
def test_no_call_with_a_cookie_is_taken_from_another_site(method, path, mara):
    client = Client(enforce_csrf_checks=True)
    client.force_login(mara)

    response = getattr(client, method)(f"/api/{path}", {"password": PASSWORD}, content_type="application/json")

    assert answered(response) == (403, refusal("forbidden", "CSRF Failed: CSRF cookie not set."))
    assert User.objects.count() == 1


def test_the_password_alone_opens_no_account_with_a_second_factor(mara):
    TOTP.activate(mara, generate_totp_secret())
    client = Client()

    response = client.post(reverse("account_login"), {"login": "mara", "password": PASSWORD})

    assert response["Location"] == reverse("mfa_authenticate")
    assert client.get("/api/me/").status_code == 401
    assert client.get(reverse("settings")).status_code == 302
    assert [by_api(PASSWORD), by_page(PASSWORD), by_admin(PASSWORD)] == [False, False, False]


def test_a_signed_in_page_sets_up_a_second_factor_only_with_the_password(mara):
    client = Client()
    client.force_login(mara)

    response = client.get(reverse("mfa_activate_totp"))

    assert response["Location"].startswith(reverse("account_reauthenticate"))


def test_the_pages_of_the_second_factor_are_in_the_look_of_the_others(mara):
    client = Client()
    by_page(PASSWORD, client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    names = ("mfa_index", "mfa_activate_totp", "account_change_password")
    pages = [client.get(reverse(name)).content.decode() for name in names]

    assert [bool(re.search(r'class="page__main page__main--narrow"', page)) for page in pages] == [True, True, True]
    assert [f'href="{reverse("settings")}"' in page for page in pages] == [True, True, True]


def test_who_tried_too_much_gets_a_page_that_says_so(mara, settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/h/ip"}
    client = Client()
    client.post(reverse("account_signup"), {"username": "x"})

    response = client.post(reverse("account_signup"), {"username": "x"})

    assert response.status_code == 429
    assert "Too many attempts" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/accounts/password/change/", "/accounts/inactive/", "/accounts/2fa/", "/accounts/reauthenticate/"]
)
def test_pages_of_other_packages_are_written_like_ours(path, client):
    client.force_login(UserFactory())
    page = client.get(path, headers={"Accept-Language": "en"}).content.decode()
    heads = re.findall(r"<h[12][^>]*>\s*(.+?)\s*</h[12]>|<button type=\"submit\"[^>]*>\s*(.+?)\s*</button>", page)

    assert heads
    assert [text for pair in heads for text in pair if re.search(r"\w [A-Z]", text)] == []
