import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from html import unescape

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings as django_settings
from django.urls import reverse
from knox.models import AuthToken

from echovessel.models import LedgerEntry
from personas.accounts import authentication
from personas.models import AccessLog, ApiToken, Bond, Persona, User
from personas.usage import summary
from tests.support.factories import NOW, PASSWORD, BondFactory, PersonaFactory, UserFactory

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
NAMES = ["settings", "settings_usage", "make_token", "revoke_token", "erase_account"]


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def mara():
    return UserFactory(username="mara", time_zone="Europe/Berlin")


@pytest.fixture
def here(client, mara):
    client.force_login(mara)
    return client


def text(response):
    assert response.status_code == 200
    return unescape(response.content.decode())


def section(page, name):
    """Return the text of one section."""
    found = re.search(rf'<section[^>]*aria-labelledby="{name}".*?</section>', page, re.DOTALL)
    assert found is not None
    return " ".join(re.sub("<[^>]+>", " ", found[0]).split())


def call(user, *, at=NOW, feature="reply", tokens_in=100, tokens_out=20, cost=None):
    LedgerEntry.objects.create(
        user_id=user.pk,
        feature=feature,
        model="gpt-4o",
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        duration_ms=1,
        outcome="ok",
        created_at=at,
        cost=cost,
    )


def test_the_profile_is_saved(here, mara):
    response = here.post(
        reverse("settings"), {"display_name": "Mara 妈", "time_zone": "Asia/Shanghai", "language": "zh-hans"}
    )

    mara.refresh_from_db()
    assert response["Location"] == reverse("settings")
    assert (mara.display_name, mara.time_zone, mara.language) == ("Mara 妈", "Asia/Shanghai", "zh-hans")
    page = text(here.get(reverse("settings")))
    assert ("已保存" in page, '<html lang="zh-hans">' in page) == (True, True)


def test_what_is_empty_follows_the_browser(here, mara):
    User.objects.update(language="zh-hans", display_name="M")
    here.get(reverse("settings"))

    here.post(reverse("settings"), {"display_name": "", "time_zone": "", "language": ""})

    mara.refresh_from_db()
    assert (mara.display_name, mara.time_zone, mara.language) == ("", "", "")
    assert here.cookies[django_settings.LANGUAGE_COOKIE_NAME].value == ""


@pytest.mark.parametrize(
    ("field", "value"),
    [("time_zone", "Mars/Olympus"), ("language", "fr"), ("display_name", "M" * 81), ("display_name", "a\u202eb")],
)
def test_what_cannot_be_said_of_oneself_is_said_to_be_wrong(field, value, here, mara):
    response = here.post(reverse("settings"), {"display_name": "M", "time_zone": "UTC", "language": "en", field: value})

    assert 'class="field__error"' in text(response)
    mara.refresh_from_db()
    assert (mara.display_name, mara.time_zone, mara.language) == ("", "Europe/Berlin", "")


def test_a_zone_that_is_in_no_list_stays_when_the_rest_is_saved(here, mara):
    User.objects.update(time_zone="US/Eastern")

    here.post(reverse("settings"), {"display_name": "M", "time_zone": "US/Eastern", "language": ""})

    mara.refresh_from_db()
    assert (mara.display_name, mara.time_zone) == ("M", "US/Eastern")


def test_the_language_of_the_account_goes_with_it_to_another_browser(here):
    User.objects.update(language="zh-hans")

    assert '<html lang="zh-hans">' in text(here.get(reverse("home")))
    assert '<html lang="zh-hans">' in text(here.get(reverse("account_logout")))


def test_the_language_that_is_switched_in_the_menu_is_the_accounts(here, mara):
    here.post(reverse("set_language"), {"language": "zh-hans", "next": "/"})
    here.post(reverse("set_language"), {"language": "fr", "next": "/"})
    here.post(reverse("set_language"))
    here.get(reverse("set_language"))

    mara.refresh_from_db()
    assert mara.language == "zh-hans"


TOKEN = {"name": "My diary script", "days": "30"}


def test_a_token_has_a_name_a_chosen_life_and_a_last_use(here, mara):
    made = text(here.post(reverse("make_token"), TOKEN, headers=HTMX))

    [row] = ApiToken.objects.select_related("token")
    assert (row.name, row.token.expiry - row.token.created > timedelta(days=29, hours=23)) == ("My diary script", True)
    assert ("My diary script" in made, "not used yet" in made) == (True, True)
    [token] = re.findall(r'<code class="token"[^>]*>(\w+)</code>', made)
    here.get("/api/me/", headers={"Authorization": f"Token {token}"})
    assert "last used" in text(here.get(reverse("settings")))


@pytest.mark.parametrize(("days", "life"), [("7", timedelta(days=7)), ("365", timedelta(days=365)), ("never", None)])
def test_a_token_lives_as_long_as_chosen(here, days, life):
    here.post(reverse("make_token"), {"name": "x", "days": days}, headers=HTMX)

    row = ApiToken.objects.select_related("token").get()
    lasts = row.token.expiry and row.token.expiry - row.token.created
    assert lasts == life or abs(lasts - life) < timedelta(seconds=5)


@pytest.mark.parametrize(
    "wrong", [{}, {"name": "", "days": "7"}, {"name": "x" * 81, "days": "7"}, {"name": "x", "days": "8"}], ids=str
)
def test_a_token_without_name_or_of_another_life_is_refused(here, wrong):
    refused = text(here.post(reverse("make_token"), wrong, headers=HTMX))

    assert ("field__error" in refused, ApiToken.objects.count()) == (True, 0)


def test_a_token_is_shown_once(here, mara):
    made = text(here.post(reverse("make_token"), TOKEN, headers=HTMX))

    [token] = re.findall(r'<code class="token"[^>]*>(\w+)</code>', made)
    assert here.get("/api/me/", headers={"Authorization": f"Token {token}"}).json()["username"] == "mara"
    page = text(here.get(reverse("settings")))
    assert (token in page, f"{token[:8]}…" in page) == (False, True)


def test_without_scripts_the_whole_page_shows_it(here):
    page = text(here.post(reverse("make_token"), TOKEN))

    assert ("<title>Settings" in page, 'class="token"' in page) == (True, True)


def test_a_token_is_revoked(here, mara):
    authentication.issue_token(mara, now=NOW)

    here.post(reverse("revoke_token"), {"token": ApiToken.objects.get().pk}, headers=HTMX)

    assert AuthToken.objects.count() == 0


def test_there_are_so_many_tokens_at_most(here, settings):
    settings.REST_KNOX = settings.REST_KNOX | {"TOKEN_LIMIT_PER_USER": 1}
    here.post(reverse("make_token"), TOKEN, headers=HTMX)

    refused = text(here.post(reverse("make_token"), TOKEN, headers=HTMX))

    assert "the maximum number of tokens" in refused
    assert AuthToken.objects.count() == 1


def test_charlie_revokes_no_token_of_others(client, mara):
    authentication.issue_token(mara, now=NOW)
    client.force_login(UserFactory(username="charlie"))

    response = client.post(reverse("revoke_token"), {"token": ApiToken.objects.get().pk}, headers=HTMX)

    assert (response.status_code, AuthToken.objects.count()) == (404, 1)


def test_usage_is_summed_for_the_time_that_is_asked_for(here, mara):
    call(mara)
    call(mara, at=NOW - timedelta(days=3), feature="extraction")
    call(mara, at=NOW - timedelta(days=20), feature="something_new")
    call(UserFactory(username="charlie"), feature="reflection")

    pages = {span: text(here.get(reverse("settings_usage"), {"range": span})) for span in ("today", "7d", "30d")}

    named = ("Replies", "Creating memories", "something_new", "Reflection")
    assert {span: [name in page for name in named] for span, page in pages.items()} == {
        "today": [True, False, False, False],
        "7d": [True, True, False, False],
        "30d": [True, True, True, False],
    }


def test_the_features_of_a_story_have_names(here, mara):
    features = ("scene_break", "scene_recap", "line_recaps", "story_merge", "story_compact")
    for feature in features:
        call(mara, feature=feature)

    page = text(here.get(reverse("settings_usage"), {"range": "30d"}))

    assert [feature for feature in features if feature in page] == []


@pytest.mark.parametrize(
    ("costs", "told"),
    [
        ((), None),
        (("0.5", "0.75"), ("$1.25", "$1.25")),
        (("0.0125",), ("$0.0125", "$0.0125")),
        (("0.00005",), ("< $0.0001", "< $0.0001")),
        (("0",), ("$0.00", "$0.00")),
        ((None,), ("unknown", "unknown")),
        (("0.5", None), ("at least $0.5000", "at least $0.5000")),
        (("0", None), ("unknown", "unknown")),
    ],
)
def test_it_is_told_what_chats_cost_as_far_as_it_is_known(costs, told, here, mara):
    for cost in costs:
        call(mara, cost=cost and Decimal(cost))
    call(UserFactory(username="charlie"), cost=Decimal(99))

    page = here.get(reverse("settings_usage"), {"range": "30d"})

    shown = re.findall(r'<td class="number cost">([^<]*)</td>', page.content.decode())
    assert tuple(unescape(cost) for cost in shown) == (told or ())


@pytest.mark.parametrize("span", ["", "1y"])
def test_another_stretch_of_time_is_none(span, here):
    assert here.get(reverse("settings_usage"), {"range": span}).status_code == 404


def test_the_days_of_the_chart_are_the_readers(mara):
    call(mara, at=datetime(2026, 11, 20, 22, 59, tzinfo=UTC), tokens_in=1, tokens_out=0)
    call(mara, at=datetime(2026, 11, 20, 23, 0, tzinfo=UTC), tokens_in=2, tokens_out=0)
    call(mara, at=datetime(2026, 11, 19, 23, 0, tzinfo=UTC), tokens_in=4, tokens_out=0)
    call(mara, at=datetime(2026, 11, 18, 22, 59, tzinfo=UTC), tokens_in=8, tokens_out=0)

    days = summary.build_tokens_chart(user=mara, days=3, now=NOW)

    assert [(bar.day, bar.value) for bar in days.bars] == [
        (date(2026, 11, 19), 0),
        (date(2026, 11, 20), 5),
        (date(2026, 11, 21), 2),
    ]


def test_who_has_read_is_listed(here, mara):
    reader = UserFactory(username="lin")
    AccessLog.objects.create(person=mara, reader=reader, reader_name="lin", section="message", hour=NOW)
    AccessLog.objects.create(person=reader, reader=mara, reader_name="mara", section="message", hour=NOW)

    found = section(text(here.get(reverse("settings"))), "access")

    assert ("lin" in found, "messages" in found, "mara" in found) == (True, True, False)


def test_whether_there_is_a_second_factor_is_said(here, mara):
    before = section(text(here.get(reverse("settings"))), "safety")
    TOTP.activate(mara, generate_totp_secret())
    after = section(text(here.get(reverse("settings"))), "safety")

    assert ("Off:" in before, "On:" in after) == (True, True)


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_costs_the_same_for_many(count, here, mara, django_assert_num_queries):
    BondFactory.create_batch(count, user=mara)
    for hour in range(count):
        authentication.issue_token(mara, now=NOW)
        AccessLog.objects.create(person=mara, reader_name="lin", section="message", hour=NOW - timedelta(hours=hour))
        call(mara, at=NOW - timedelta(days=hour))

    with django_assert_num_queries(10):
        here.get(reverse("settings"))


def test_a_bond_is_erased_by_typing_its_name(here, mara):
    bond = BondFactory(user=mara)
    url = reverse("erase_bond", args=[bond.pk])

    asked = text(here.get(url))
    wrong = text(here.post(url, {"confirm": "Lena"}))
    right = here.post(url, {"confirm": "Marian"})

    assert ("Erase everything with Marian" in asked, "This is not the name" in wrong) == (True, True)
    assert (right["Location"], Bond.objects.count()) == (reverse("home"), 0)
    home = text(here.get(reverse("home")))
    assert ("Everything with Marian is erased." in home, "Your other companions" in home) == (True, True)
    assert "Shared on this server" not in home


def test_charlie_erases_no_bond_of_others(client, mara):
    bond = BondFactory(user=mara)
    client.force_login(UserFactory(username="charlie"))
    url = reverse("erase_bond", args=[bond.pk])

    assert [client.get(url).status_code, client.post(url, {"confirm": "Marian"}).status_code] == [404, 404]
    assert Bond.objects.count() == 1


@pytest.mark.parametrize("has_bond", [True, False])
def test_a_companion_of_ones_own_is_erased_with_all_there_is_with_it(has_bond, here, mara):
    persona = PersonaFactory(owner=mara, name="Wren")
    led = "persona" if has_bond else "home"
    bond = BondFactory(user=mara, persona=persona) if has_bond else None
    url = reverse("erase_companion", args=[persona.pk])

    from_there = text(here.get(reverse(led, args=[bond.pk] if bond else [])))
    asked = text(here.get(url))
    wrong = text(here.post(url, {"confirm": "Lena"}))
    kept = Persona.objects.filter(pk=persona.pk).exists()
    right = here.post(url, {"confirm": "Wren"})

    assert (url in from_there, "all chats, memories" in asked, "Others" in asked) == (True, has_bond, False)
    assert ("This is not the name" in wrong, kept, right["Location"]) == (True, True, reverse("home"))
    assert (Persona.objects.filter(pk=persona.pk).exists(), Bond.objects.count()) == (False, 0)
    assert "Wren is erased." in text(here.get(reverse("home")))


def test_a_companion_that_others_talk_with_stays_theirs(here, mara):
    persona = PersonaFactory(owner=mara, name="Wren", visibility="shared")
    BondFactory(user=mara, persona=persona)
    theirs = BondFactory(user__username="lin", persona=persona)
    url = reverse("erase_companion", args=[persona.pk])

    asked = text(here.get(url))
    here.post(url, {"confirm": "Wren"})

    assert "Others keep their chats with Wren." in asked
    assert [*Bond.objects.values_list("pk", flat=True)] == [theirs.pk]
    home = text(here.get(reverse("home")))
    assert ("Wren is no longer among your companions." in home, url in home) == (True, False)
    assert here.get(url).status_code == 404


@pytest.mark.parametrize("visibility", ["private", "shared"])
def test_charlie_erases_no_companion_of_others(visibility, client, mara):
    persona = PersonaFactory(owner=mara, name="Wren", visibility=visibility)
    bond = BondFactory(user__username="charlie", persona=persona)
    client.force_login(bond.user)
    url = reverse("erase_companion", args=[persona.pk])

    assert [client.get(url).status_code, client.post(url, {"confirm": "Wren"}).status_code] == [404, 404]
    assert url not in text(client.get(reverse("erase_bond", args=[bond.pk])))
    assert Persona.objects.get(pk=persona.pk).archived_at is None


def test_the_account_is_deleted_with_its_password(here, mara):
    BondFactory(user=mara)

    wrong = text(here.post(reverse("erase_account"), {"password": "wrong"}))
    assert ("The password is wrong." in wrong, User.objects.count()) == (True, 1)
    right = here.post(reverse("erase_account"), {"password": PASSWORD})

    assert (right["Location"], User.objects.count(), Bond.objects.count()) == (reverse("home"), 0, 0)
    assert "Your account and all its data are erased." in text(here.get(reverse("home")))


def test_its_password_is_not_guessed(here, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "1/5m/key"}
    here.post(reverse("erase_account"), {"password": "wrong"})

    refused = text(here.post(reverse("erase_account"), {"password": PASSWORD}))

    assert ("Too many wrong passwords" in refused, User.objects.count()) == (True, 1)


def test_the_operator_is_told_what_it_means(here, mara):
    User.objects.update(is_superuser=True)

    assert "This account is the administrator of this server." in text(here.get(reverse("erase_account")))


@pytest.mark.parametrize("name", NAMES)
def test_someone_who_is_not_signed_in_is_asked_to(name, client):
    url = reverse(name)

    assert client.get(url)["Location"] == f"{reverse('account_login')}?next={url}"


@pytest.mark.parametrize("name", ["make_token", "revoke_token"])
def test_what_changes_something_is_not_done_by_a_link(name, here):
    assert here.get(reverse(name)).status_code == 405


def test_names_are_shown_as_text(here, mara):
    BondFactory(user=mara, persona__name="<script>alert(1)</script>")
    User.objects.update(display_name="<img src=x>")

    page = here.get(reverse("settings")).content.decode()

    assert ("<script>alert" in page, "<img src=x>" in page) == (False, False)


def test_saving_says_what_changed(here):
    form = {"display_name": "Mara", "time_zone": "UTC", "language": ""}

    changed = text(here.post(reverse("settings"), form, follow=True))
    again = text(here.post(reverse("settings"), form, follow=True))

    assert ("Saved: Name" in changed, "Nothing changed." in again) == (True, True)
