import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from personas.models import User
from tests.support import mail_server
from tests.support.factories import PASSWORD, UserFactory
from tests.support.mail_server import free_port

pytestmark = pytest.mark.django_db
RESET, DONE, ADDRESS = "account_reset_password", "account_reset_password_done", "account_email"
OPERATOR = "ask its administrator to set a new password"


@pytest.fixture
def mara():
    return UserFactory(username="mara", email="mara@example.org")


@pytest.fixture
def mailed(settings):
    """An install that sends mail, and what its server received."""
    with mail_server.running() as (kept, port):
        send_by(settings, port)
        yield kept


def send_by(settings, port, **more):
    settings.SENDS_MAIL = True
    settings.EMAIL_BACKEND = "echovessel.mail.SMTPBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, 0.5
    settings.DEFAULT_FROM_EMAIL = "EchoVessel <echo@example.org>"
    for name, value in more.items():
        setattr(settings, name, value)


def text(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def ask(client=None, email="mara@example.org", **headers):
    return (client or Client()).post(reverse(RESET), {"email": email}, follow=True, **headers)


def link_in(mail):
    return re.search(r"https?://\S+", mail)[0]


@pytest.mark.parametrize("send", [lambda: Client().get(reverse(RESET)), ask], ids=["get", "post"])
def test_where_no_mail_is_sent_the_reset_page_says_whom_to_ask(send, mara, mailoutbox, capfd):
    page = text(send())

    assert (OPERATOR in page.lower(), "manage.py changepassword" in page, mailoutbox) == (True, True, [])
    assert "/accounts/password/reset/key/" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("name", [DONE, "account_email_verification_sent"])
def test_where_no_mail_is_sent_no_page_says_that_one_was(name):
    assert Client().get(reverse(name))["Location"] == reverse(RESET)


def test_a_forgotten_password_is_set_anew_by_a_link(mara, mailed):
    sent = text(ask())
    [mail] = mailed.texts()
    client = Client()
    form = client.get(link_in(mail).removeprefix("http://testserver"), follow=True)
    new = {"password1": "a green kettle hums", "password2": "a green kettle hums"}
    done = client.post(form.redirect_chain[-1][0], new, follow=True).content.decode()

    mara.refresh_from_db()
    assert mara.check_password("a green kettle hums")
    assert f'href="{reverse("account_login")}"' in done.partition("<main")[2]
    assert "Mail sent." in sent
    assert ("To: mara@example.org" in mail, "From: EchoVessel <echo@example.org>" in mail) == (True, True)


def test_whether_an_address_is_known_is_told_to_its_mailbox_alone(mara, mailed):
    assert text(ask()) == text(ask(email="charlie@example.org"))

    known, unknown = mailed.texts()
    assert ("reset/key" in known, "reset/key" in unknown) == (True, False)


def test_links_lead_to_the_host_that_was_asked(mara, mailed, settings):
    settings.ALLOWED_HOSTS = ["chat.example.org"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ask(HTTP_HOST="chat.example.org", HTTP_X_FORWARDED_PROTO="https")
    refused = ask(HTTP_HOST="evil.example.com")

    [mail] = mailed.texts()
    assert link_in(mail).startswith("https://chat.example.org/accounts/password/reset/key/")
    assert refused.status_code == 400


def refusing(settings):
    with mail_server.running() as (kept, port):
        kept.refused_with = "550 5.7.1 No mail <from> you"
        send_by(settings, port)
        yield "The mail server said: 550 5.7.1 No mail &lt;from&gt; you"


def wanting_another_password(settings):
    with mail_server.running(wants_password=True) as (_, port):
        send_by(settings, port, EMAIL_HOST_USER="echo", EMAIL_HOST_PASSWORD="swordfish")
        yield "The mail server said: 535 5.7.8 Authentication credentials invalid"


def saying_nothing(settings):
    with mail_server.hanging() as port:
        send_by(settings, port)
        yield "The mail server did not answer in time."


def being_away(settings):
    send_by(settings, free_port())
    yield "Nothing answers at the address of the mail server."


@pytest.fixture(params=[refusing, wanting_another_password, saying_nothing, being_away], ids=lambda one: one.__name__)
def wrong(request, settings):
    """Return what a page says of a mail server that fails."""
    yield from request.param(settings)


def test_the_reset_page_says_why_no_mail_was_sent(mara, wrong, caplog):
    page = ask()

    assert (page.status_code, page.redirect_chain, "mara@example.org" in page.content.decode()) == (200, [], True)
    assert f"The mail was not sent. {wrong}" in text(page)
    assert "password/reset/key" not in caplog.text
    assert "swordfish" not in text(page) + caplog.text


def sign_up(**more):
    client = Client()
    form = {"username": "lin", "email": "lin@example.org", "password1": PASSWORD, "password2": PASSWORD}
    return client, client.post(reverse("account_signup"), form | more, follow=True)


def test_an_account_is_made_also_where_its_mail_cannot_be_sent(wrong):
    client, page = sign_up()

    assert User.objects.get().username == "lin"
    assert "_auth_user_id" in client.session
    assert f"The mail was not sent. {wrong}" in text(page)


def test_an_address_is_confirmed_by_a_link(mailed):
    client, page = sign_up()
    assert "We sent a link to lin@example.org." in text(page)
    assert "Not confirmed" in text(client.get(reverse("settings")))

    client.post(link_in(mailed.texts()[0]).removeprefix("http://testserver"))

    assert EmailAddress.objects.get().verified
    assert "Not confirmed" not in text(client.get(reverse("settings")))


def test_sign_up_promises_nothing_where_no_mail_is_sent():
    sign_up(username="operator", email="")
    page = text(Client().get(reverse("account_signup")))
    _, made = sign_up()

    assert "This server sends no mail" in page
    assert "forgotten password" not in page
    assert "We sent" not in text(made)


@pytest.fixture
def here(client, mara):
    return just_signed_in(client, mara)


def just_signed_in(client, user):
    client.force_login(user)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def test_an_address_is_changed_by_those_alone_who_know_the_password(client, mara):
    client.force_login(mara)
    asked = change(client)
    before = User.objects.get().email

    client.post(asked.redirect_chain[-1][0], {"password": PASSWORD})

    assert asked.redirect_chain[-1][0].startswith(reverse("account_reauthenticate"))
    assert (before, User.objects.get().email) == ("mara@example.org", "new@example.org")


def change(client, email="new@example.org", action="action_add"):
    return client.post(reverse(ADDRESS), {"email": email, action: ""}, follow=True)


def test_without_mail_an_address_is_kept_unconfirmed(here, mara, mailoutbox):
    page = text(change(here))

    mara.refresh_from_db()
    assert (mara.email, EmailAddress.objects.get().verified, mailoutbox) == ("new@example.org", False, [])
    assert "This server sends no mail" in page
    assert "The mail was not sent. This server sends no mail." in text(change(here, action="action_send"))


def test_a_new_address_takes_the_place_of_the_old_one_once_it_is_confirmed(here, mara, mailed):
    EmailAddress.objects.create(user=mara, email=mara.email, primary=True, verified=True)
    waiting = text(change(here))
    assert User.objects.get().email == "mara@example.org"

    here.post(link_in(mailed.texts()[0]).removeprefix("http://testserver"))

    assert "new@example.org" in waiting
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("new@example.org", True)]
    assert User.objects.get().email == "new@example.org"


def test_a_new_address_waits_where_its_mail_cannot_be_sent(here, mara, wrong):
    EmailAddress.objects.create(user=mara, email=mara.email, primary=True, verified=True)

    page = text(change(here))

    assert f"The mail was not sent. {wrong}" in page
    assert sorted(EmailAddress.objects.values_list("email", flat=True)) == ["mara@example.org", "new@example.org"]


def test_who_asks_for_a_link_again_at_once_is_told_to_wait(here, mailed, settings):
    settings.ACCOUNT_RATE_LIMITS = {"confirm_email": "1/3m/key"}
    change(here)

    assert "Wait three minutes" in text(change(here, action="action_send"))
    assert len(mailed.mails) == 1


def test_an_address_can_be_taken_away(here, mara, settings):
    change(here, email=mara.email, action="action_remove")

    assert (User.objects.get().email, EmailAddress.objects.count()) == ("", 0)


def test_the_link_of_another_confirms_nothing_of_ones_own(here, mara, mailed):
    """Charlie's link, opened by Mara."""
    charlie = UserFactory(username="charlie")
    address = EmailAddress.objects.create(user=charlie, email="charlie@example.org")
    client = just_signed_in(Client(), charlie)
    change(client, email="charlie@example.org", action="action_send")

    here.post(link_in(mailed.texts()[0]).removeprefix("http://testserver"))

    address.refresh_from_db()
    mara.refresh_from_db()
    assert (address.verified, mara.email) == (True, "mara@example.org")


def test_a_second_factor_needs_no_confirmed_address_where_none_can_be(here):
    change(here)

    assert here.get(reverse("mfa_activate_totp")).status_code == 200


@pytest.mark.parametrize("path", ["password/reset/key/1-abc-secret/", "confirm-email/secret:key/"])
@pytest.mark.parametrize("is_checked", [True, False], ids=["without a cookie", "with one"])
def test_no_key_of_a_link_is_logged(path, is_checked, caplog):
    Client(enforce_csrf_checks=is_checked).post(f"/accounts/{path}")

    assert "secret" not in caplog.text
