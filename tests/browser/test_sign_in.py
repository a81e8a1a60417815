"""The pages of signing in and up on a phone, and the rules of a password."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser import steps
from tests.support.factories import PASSWORD, UserFactory

PHONE = {"viewport": {"width": 360, "height": 640}}


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_one_types_at_once_and_the_button_is_in_view_on_a_phone(browse, locale):
    page = browse(locale=locale, **PHONE)
    for address in ("/accounts/login/", "/accounts/signup/"):
        page.goto(address)

        expect(page.locator("main button[type=submit]"), address).to_be_in_viewport(ratio=1)
        expect(page.locator("[name=login], [name=username]"), address).to_be_focused()


def test_the_way_to_a_new_password_stands_below_its_field(browse):
    page = browse(**PHONE)
    page.goto("/accounts/login/")

    field, link = page.get_by_label("Password"), page.get_by_role("link", name="Forgot your password?")
    assert (
        field.bounding_box()["y"]
        < link.bounding_box()["y"]
        < page.get_by_role("button", name="Sign in").last.bounding_box()["y"]
    )


def test_what_one_person_typed_is_gone_for_the_next(browse):
    page = browse(UserFactory())
    page.goto("/companions/new/write/")
    page.get_by_label("Name", exact=True).fill("Elsa")
    page.context.clear_cookies()
    steps.sign_up(page, "lin")

    page.goto("/companions/new/write/")
    expect(page.get_by_label("Name", exact=True)).to_have_value("")
    page.get_by_label("Name", exact=True).fill("Ilse")
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    page.wait_for_url(lambda url: "/logout/" not in url)

    assert page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('echovessel.form'))") == []


def test_rules_of_a_password_are_told_as_they_are_met(browse):
    page = browse(**PHONE)
    page.goto("/accounts/signup/")
    met = page.locator(".rules .is-met")
    expect(met).to_have_count(0)

    page.get_by_label("Username").fill("maralina")
    password = page.locator("[name=password1]")
    password.fill("maralina7")
    expect(met).to_have_text(["8 characters or more met", "Not only digits met"])
    password.fill("12345678")
    expect(met).to_have_text(["8 characters or more met", "Unlike your username met"])
    password.fill("a blue kettle sings")
    expect(met).to_have_count(3)
    expect(password).to_have_accessible_description(
        "8 characters or more met Not only digits met Unlike your username met Not a common password"
    )

    for field in (password, page.locator("[name=password2]")):
        field.fill("12345678")
    password.press("Enter")
    expect(password).to_be_focused()
    expect(password).to_have_accessible_description(re.compile("entirely numeric"))
    expect(page.locator(".rules")).to_be_hidden()
    password.press("a")
    expect(page.locator(".field__error")).to_have_count(0)
    expect(page.locator(".rules")).to_be_visible()


def test_rules_are_told_of_a_password_that_was_typed_before_their_script_came(browse):
    page = browse(**PHONE)

    def type_first(route):
        page.locator("[name=password1]").fill("maralina7")
        route.continue_()

    page.route("**/js/password-rules*.js", type_first)
    page.goto("/accounts/signup/")

    expect(page.locator(".rules .is-met")).to_have_text(
        ["8 characters or more met", "Not only digits met", "Unlike your username met"]
    )


def test_the_secret_of_an_authenticator_app_is_seen_whole(browse):
    client = Client()
    client.force_login(UserFactory(), backend=settings.AUTHENTICATION_BACKENDS[0])
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    page = browse(client=client, **PHONE)
    page.goto(reverse("mfa_activate_totp"))

    assert page.locator("#authenticator_secret").evaluate("(field) => field.scrollWidth <= field.clientWidth")
