import json
import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission
from django.contrib.staticfiles import finders
from django.db.models import IntegerField
from django.db.models.expressions import RawSQL
from django.utils import translation
from knox.models import AuthToken

from personas import adminsite, blocks
from personas.accounts import authentication
from personas.admin import filters, paging, panels
from personas.models import MOOD_LASTS, AccessLog, Bond, Persona, PersonaFacts, User
from tests.support.factories import NOW, BondFactory, PersonaFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    user = UserFactory(username="mara", is_staff=True, is_superuser=True, time_zone="Asia/Shanghai")
    client.force_login(user)
    return user


def staff_who(client, *codenames, **fields):
    user = UserFactory(username="lin", is_staff=True, **fields)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client.force_login(user)
    return user


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"time_zone": "Berlin"}, "This is not a time zone. Use an IANA name such as Europe/Berlin."),
        ({"display_name": "\u200d"}, "Use one line without control characters."),
    ],
    ids=["time zone", "name"],
)
def test_an_account_is_checked_as_its_own_page_checks_it(client, operator, wrong, said):
    form = {
        "username": "mara",
        "display_name": "Mara",
        "time_zone": "Asia/Shanghai",
        "is_active": "on",
        "is_staff": "on",
    }
    answer = client.post(f"/admin/personas/user/{operator.pk}/change/", form | {"is_superuser": "on"} | wrong)

    assert (answer.status_code, said in answer.content.decode()) == (200, True)
    assert client.get("/admin/").status_code == 200


def test_the_sidebar_names_every_section_in_chinese(rf, operator):
    request = rf.get("/admin/")
    request.user = operator
    with translation.override("zh-hans"):
        titles = [str(item["title"]) for group in adminsite.build_sidebar(request) for item in group["items"]]

    assert [title for title in titles if title.isascii()] == []
    # One more leads to the overview.
    assert len(titles) == sum(len(sections) for _, sections in adminsite.GROUPS) + 1


@pytest.mark.parametrize("path", ["", "personas/"])
def test_a_page_lists_what_the_reader_may_see_and_no_more(client, path):
    staff_who(client, "view_persona", "view_opening")

    page = client.get(f"/admin/{path}")

    listed = [app for name in ("available_apps", "app_list") for app in page.context[name]]
    assert {model["object_name"] for app in listed for model in app["models"]} == {"Persona", "Opening"}
    assert re.findall(r'href="/admin/personas/user/', page.content.decode()) == []


def test_a_list_says_how_to_select_in_chinese(client, operator):
    PersonaFactory(owner=operator)

    page = client.get("/admin/personas/persona/", headers={"accept-language": "zh-CN"}).content.decode()

    assert "全选" in page
    assert re.findall("Select[^<]*", page) == []


def test_permissions_are_named_in_chinese(client, operator):
    chinese = {"accept-language": "zh-CN"}
    pages = [f"/admin/personas/user/{operator.pk}/change/", "/admin/auth/group/add/"]
    shown = [client.get(page, headers=chinese).content.decode() for page in pages]

    options = [re.findall(r"<option[^>]*>([^<]*\|[^<]*)</option>", page) for page in shown]

    assert options[0] == options[1]
    assert {"伙伴与用户 | 伙伴 | 可以添加", "伙伴与用户 | 查看记录 | 查看他人的记忆"} <= set(options[0])
    assert [option for option in options[0] if " can " in option.lower()] == []


def test_a_user_is_edited_in_chinese(client, operator):
    page = client.get(f"/admin/personas/user/{operator.pk}/change/", headers={"accept-language": "zh-CN"})

    shown = page.content.decode()
    assert "跟随浏览器" in shown
    assert ("follow the browser" in shown, "Raw passwords" in shown) == (False, False)


def test_the_boxes_of_groups_and_permissions_speak_chinese(client, operator):
    script = Path(finders.find("admin/js/SelectFilter2.js")).read_text()
    asked = {words for _, words in re.findall(r"""\bgettext\((['"])(.+?)\1\)""", script)}

    catalogue = client.get("/admin/jsi18n/", headers={"accept-language": "zh-CN"}).content.decode()

    assert len(asked) > 10
    assert [words for words in asked if f"{json.dumps(words)}: " not in catalogue] == []


def test_a_block_keeps_what_it_replaces(client, operator):
    bond = BondFactory(user=operator)
    block = blocks.save(holder=bond, label="user", content="Repairs clocks.", user=operator, now=NOW)

    client.post(f"/admin/personas/coreblock/{block.pk}/change/", {"content": "Repairs clocks and boats."})

    block.refresh_from_db()
    kept = [(revision.n, revision.content) for revision in block.revisions.all()]
    assert (block.content, block.version, block.updated_by, kept) == (
        "Repairs clocks and boats.",
        2,
        operator,
        [(1, "Repairs clocks.")],
    )


def test_a_block_is_restored(client, operator):
    bond = BondFactory(user=operator)
    for text in ("first", "second"):
        block = blocks.save(holder=bond, label="user", content=text, user=operator, now=NOW)
    shown = client.get(f"/admin/personas/coreblock/{block.pk}/change/").content.decode()
    assert f"/admin/personas/coreblock/{block.pk}/restore/1/" in shown

    answers = [client.post(f"/admin/personas/coreblock/{block.pk}/restore/{n}/").status_code for n in (1, 9)]

    block.refresh_from_db()
    assert (answers, block.content, block.version) == ([302, 404], "first", 3)
    assert client.get(f"/admin/personas/coreblock/{block.pk}/restore/1/").status_code == 405


def test_a_block_is_not_restored_by_those_who_may_only_look(client):
    lin = staff_who(client, "view_coreblock")
    bond = BondFactory(user=lin)
    for text in ("first", "second"):
        block = blocks.save(holder=bond, label="user", content=text, user=lin, now=NOW)

    shown = client.get(f"/admin/personas/coreblock/{block.pk}/change/").content.decode()

    assert "second" in shown
    assert "/restore/" not in shown
    assert client.post(f"/admin/personas/coreblock/{block.pk}/restore/1/").status_code == 404


@pytest.mark.parametrize("section", ["persona", "bond"])
def test_a_missing_block_is_written_and_then_kept_as_a_revision(client, operator, section):
    bond = BondFactory(user=operator)
    holder = {"persona": bond.persona, "bond": bond}[section]
    page, write = (f"/admin/personas/{section}/{holder.pk}/{rest}" for rest in ("change/", "write/style/"))
    assert write in client.get(page).content.decode()

    asked = client.get(write).content.decode()
    answer = client.post(write, {"content": "Speaks plainly."})
    again = client.post(write, {"content": "Shouts."})

    assert ("style" in asked, answer.status_code, answer.url, again.status_code) == (True, 302, page, 404)
    block = holder.blocks.get()
    assert (block.label, block.content, block.version, block.updated_by) == ("style", "Speaks plainly.", 1, operator)
    assert write not in client.get(page).content.decode()


@pytest.mark.parametrize("content", ["", "   ", "x" * 5001])
def test_a_block_that_cannot_be_is_not_written(client, operator, content):
    bond = BondFactory(user=operator)

    answer = client.post(f"/admin/personas/bond/{bond.pk}/write/user/", {"content": content})

    assert (answer.status_code, bond.blocks.count()) == (200, 0)


def test_no_block_is_written_under_another_label_or_by_those_who_may_only_look(client, operator):
    bond = BondFactory(user=operator)
    text = {"content": "Speaks plainly."}
    assert client.post(f"/admin/personas/bond/{bond.pk}/write/persona/", text).status_code == 404
    assert client.post(f"/admin/personas/persona/{bond.persona_id}/write/user/", text).status_code == 404
    bond.user = staff_who(client, "view_bond", "view_coreblock", "change_coreblock")
    bond.save()

    shown = client.get(f"/admin/personas/bond/{bond.pk}/change/").content.decode()

    assert "/write/" not in shown
    assert client.post(f"/admin/personas/bond/{bond.pk}/write/user/", text).status_code == 404
    assert bond.blocks.count() == 0


def test_a_persona_is_edited_with_its_facts(client, operator):
    persona = PersonaFactory(owner=operator)
    facts = dict.fromkeys(persona.facts.NAMES, "") | {"occupation": "botanist"}

    client.post(
        f"/admin/personas/persona/{persona.pk}/change/",
        {"name": "Marian", "tagline": "reads maps", "language": "en", "visibility": "shared", **facts},
    )

    persona = Persona.objects.select_related("facts").get(pk=persona.pk)
    assert (persona.tagline, persona.visibility, persona.facts.occupation) == ("reads maps", "shared", "botanist")


def test_a_persona_is_archived_and_never_deleted(client, operator):
    persona, other = PersonaFactory(owner=operator), PersonaFactory()
    # As after *Select all* of the rows of a filter: what is not ticked stays.
    ticked = {"action": "archive", "_selected_action": [persona.pk], "select_across": "1"}

    client.post("/admin/personas/persona/", ticked)

    persona.refresh_from_db()
    assert persona.archived_at is not None
    assert Persona.objects.get(pk=other.pk).archived_at is None
    assert client.post(f"/admin/personas/persona/{persona.pk}/delete/", {"post": "yes"}).status_code == 403


def test_who_shares_a_persona_is_seen(client, operator):
    bond = BondFactory(user__username="teo", persona__visibility="shared")

    shown = client.get(f"/admin/personas/persona/{bond.persona.pk}/change/").content.decode()

    assert f"/admin/personas/bond/{bond.pk}/change/" in shown
    assert "teo" in shown


def test_staff_make_nobody_a_superuser(client):
    lin = staff_who(client, "view_user", "change_user", "see_others_memory")
    teo, ada = UserFactory(username="teo"), UserFactory(username="ada", is_staff=True, is_superuser=True)

    for user in (lin, teo, ada):
        form = {"username": user.username, "is_superuser": "on", "is_staff": "on", "is_active": "on"}
        client.post(f"/admin/personas/user/{user.pk}/change/", form)

    rights = dict(User.objects.values_list("username", "is_superuser"))
    assert rights == {"lin": False, "teo": False, "ada": True}
    assert (
        client.post(f"/admin/personas/user/{teo.pk}/password/", {"password1": "x", "password2": "x"}).status_code == 403
    )


@pytest.mark.parametrize(("name", "saved"), [("Asia/Tokyo", "Asia/Tokyo"), ("", ""), ("Berlin", "Asia/Shanghai")])
def test_an_account_gets_no_time_zone_that_there_is_not(name, saved, client, operator):
    form = {"username": "mara", "is_active": "on", "is_staff": "on", "is_superuser": "on", "time_zone": name}

    page = client.post(f"/admin/personas/user/{operator.pk}/change/", form, follow=True).content.decode()

    operator.refresh_from_db()
    assert (operator.time_zone, "This is not a time zone." in page) == (saved, name == "Berlin")


@pytest.mark.parametrize(("name", "saved"), [("Mara", "Mara"), ("LIN", "mara")])
def test_an_account_gets_no_name_that_another_signs_in_by(name, saved, client, operator):
    UserFactory(username="lin")
    form = {"username": name, "is_active": "on", "is_staff": "on", "is_superuser": "on"}

    client.post(f"/admin/personas/user/{operator.pk}/change/", form)

    operator.refresh_from_db()
    assert operator.username == saved


@pytest.mark.parametrize("name", ["", "Mars/Base", "../etc"])
def test_an_unknown_time_zone_counts_as_utc(name):
    assert User(time_zone=name).zone.key == "UTC"


def test_staff_edit_accounts_below_them_alone(client):
    staff_who(client, "view_user", "change_user", "see_others_memory")
    teo, ada = UserFactory(username="teo"), UserFactory(username="ada", is_staff=True)

    for user in (teo, ada):
        client.post(f"/admin/personas/user/{user.pk}/change/", {"username": user.username, "display_name": "X"})

    assert dict(User.objects.filter(pk__in=[teo.pk, ada.pk]).values_list("username", "display_name")) == {
        "teo": "X",
        "ada": "",
    }


def test_ones_own_password_is_changed_where_wrong_tries_are_counted(client, operator):
    assert client.get("/admin/password_change/")["Location"] == "/accounts/password/change/"


def test_an_access_names_what_was_read(client, operator):
    lin = UserFactory()
    one = AccessLog.objects.create(person=lin, reader=operator, reader_name="mara", section="slowtickrun", hour=NOW)

    shown = client.get(f"/admin/personas/accesslog/{one.pk}/change/").content.decode()

    assert "slow ticks" in shown
    # In the zone of who looks.
    assert "22 Nov 2026, 04:00" in shown
    # Django's own sessions are another thing.
    assert [AccessLog(section=name).section_name for name in ("session", "gone")] == ["chats", "gone"]


def test_accesses_of_a_person_come_latest_first():
    lin, other = UserFactory(), UserFactory()
    made = [
        AccessLog.objects.create(person=person, reader_name="mara", section="event", hour=NOW.replace(hour=hour))
        for person, hour in ((lin, 8), (lin, 9), (other, 10))
    ]

    assert list(AccessLog.objects.for_user(lin)) == [made[1], made[0]]


def test_pages_are_leafed_through_without_counting(django_assert_num_queries):
    for number in range(5):
        UserFactory(username=f"u{number}")
    pages = paging.UncountedPaginator(User.objects.order_by("username").values_list("username", flat=True), 2)

    # Savepoint, time limit, rows, limit away, savepoint.
    with django_assert_num_queries(5):
        first = pages.page(1)

    assert (list(first.object_list), pages.has_more) == (["u0", "u1"], True)
    assert (list(pages.page(3).object_list), pages.has_more) == (["u4"], False)
    assert (list(pages.page(4).object_list), pages.has_more) == ([], False)


def test_the_last_page_ends_where_rows_do():
    for number in range(4):
        UserFactory(username=f"u{number}")
    pages = paging.UncountedPaginator(User.objects.order_by("username"), 2)

    pages.page(2)

    assert not pages.has_more


def test_a_page_that_takes_too_long_says_so(monkeypatch):
    monkeypatch.setattr(paging, "STATEMENT_TIMEOUT_MS", 20)
    UserFactory()
    slow = User.objects.annotate(slept=RawSQL("length(pg_sleep(1)::text)", [], output_field=IntegerField()))
    pages = paging.UncountedPaginator(slow.order_by("id"), 2)

    page = pages.page(1)

    assert (list(page.object_list), pages.gave_up) == ([], True)
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-21", date(2026, 11, 21)),
        ("2026-02-30", None),
        ("9999-12-31", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_days_are_read(text, day):
    assert filters.parse_day(text) == day


def test_days_are_those_of_the_reader(client, operator):
    """A day in Shanghai begins at 16:00 UTC of the day before."""
    inside = [
        BondFactory(created_at=datetime(2026, 11, day, hour, 0, tzinfo=UTC)) for day, hour in ((20, 16), (21, 15))
    ]
    outside = [
        BondFactory(created_at=datetime(2026, 11, day, hour, 0, tzinfo=UTC)) for day, hour in ((20, 15), (21, 16))
    ]

    shown = client.get("/admin/personas/bond/?created_at_from=2026-11-21&created_at_to=2026-11-21").content.decode()

    found = [f"/bond/{bond.pk}/change/" in shown for bond in (*inside, *outside)]
    assert found == [True, True, False, False]


@pytest.mark.parametrize(
    "query",
    [
        "created_at_from=2026-13-45",
        "created_at_from=0001-01-01",
        "created_at_to=9999-12-30",
        "user__id__exact=abc",
        "user__id__exact=-1",
        "p=9999",
    ],
)
def test_bad_filters_are_no_errors(client, operator, query):
    assert client.get(f"/admin/personas/bond/?{query}", follow=True).status_code == 200


def test_an_answer_is_a_table_where_it_is_json():
    said = '{"events": [{"description": "a", "tags": ["x", "y"]}], "notes": null}'

    shown = panels.build_answer_panel("t", said)

    event = panels.TreePanel(
        pairs=[("description", panels.TreePanel(plain="a")), ("tags", panels.TreePanel(plain="x, y"))]
    )
    assert shown == panels.TreePanel(
        "t", pairs=[("events", panels.TreePanel(items=[event])), ("notes", panels.TreePanel(plain="-"))]
    )
    assert panels.build_answer_panel("t", "no json") == panels.TextPanel("t", "no json")
    assert panels.build_answer_panel("t", "[1]") == panels.TextPanel("t", "[1]")


def test_the_admin_speaks_the_readers_language(client, operator):
    BondFactory(user=operator)
    page = client.get("/admin/personas/bond/", headers={"accept-language": "zh-hans"}).content.decode()

    assert [told in page for told in ("关系", "心情", "总览")] == [True, True, True]


def companion(**more):
    facts = dict.fromkeys(PersonaFacts.NAMES, "")
    told = {"name": "Odile", "tagline": "", "language": "en", "visibility": "private", "persona": "Keeps bees."}
    return {**facts, **told, "style": "", **more}


def test_a_companion_is_made_with_its_texts_and_facts(client, operator):
    asked = client.get("/admin/personas/persona/add/").content.decode()

    made = client.post(
        "/admin/personas/persona/add/",
        companion(tagline="bees", style="Few words.", visibility="shared", occupation="beekeeper", language="zh"),
    )

    persona = Persona.objects.select_related("facts").get()
    assert 'name="persona"' in asked
    assert made["Location"] == "/admin/personas/persona/"
    assert (persona.name, persona.tagline, persona.language, persona.visibility, persona.owner) == (
        "Odile",
        "bees",
        "zh",
        "shared",
        operator,
    )
    assert persona.facts.occupation == "beekeeper"
    assert dict(persona.blocks.values_list("label", "content")) == {"persona": "Keeps bees.", "style": "Few words."}
    assert [bond.user for bond in persona.bonds.all()] == [operator]


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "x" * 81}, {"persona": " "}, {"persona": "x" * 5001}, {"style": "x" * 5001}]
)
def test_a_companion_that_cannot_be_is_not_made(client, operator, wrong):
    page = client.post("/admin/personas/persona/add/", companion(**wrong))

    assert (page.status_code, Persona.objects.count()) == (200, 0)
    assert list(page.context["adminform"].form.errors) == [*wrong]


def test_a_companion_of_the_longest_texts_is_made(client, operator):
    client.post("/admin/personas/persona/add/", companion(name="x" * 80, persona="x" * 5000, style="y" * 5000))

    assert Persona.objects.get().name == "x" * 80


def test_who_may_only_look_makes_no_companion(client):
    staff_who(client, "view_persona", "change_persona")

    assert client.get("/admin/personas/persona/add/").status_code == 403
    assert client.post("/admin/personas/persona/add/", companion()).status_code == 403
    assert "/persona/add/" not in client.get("/admin/personas/persona/").content.decode()
    assert Persona.objects.count() == 0


@pytest.mark.parametrize("query", ["nope=1", "p=999"])
def test_a_list_says_that_it_knows_no_such_filter(query, client, operator):
    chinese = {"accept-language": "zh-CN"}
    asked = client.get(f"/admin/personas/persona/?{query}", headers=chinese, follow=True).content.decode()

    said = "没有这个筛选条件或这一页，下面是全部内容。"
    plain = client.get("/admin/personas/persona/", headers=chinese).content.decode()
    assert (said in asked, said in plain) == (True, False)


@pytest.mark.parametrize("ticked", ["", "abc", "99999999999999999999"])
def test_an_action_on_what_is_no_id_does_nothing(ticked, client, operator):
    persona = PersonaFactory(owner=operator)

    answer = client.post("/admin/personas/persona/", {"action": "archive", "_selected_action": ticked})

    persona.refresh_from_db()
    assert (answer.status_code, persona.archived_at) == (302, None)


@pytest.mark.parametrize(
    "path",
    [
        "knox/authtoken/%00/change/",
        "django_q/success/%00/change/",
        "autocomplete/?app_label=personas&model_name=bond&field_name=user&term=%00mara",
        "echovessel/ledgerentry/?username=%00",
    ],
)
def test_a_nul_in_an_address_is_no_error(path, client, operator):
    assert client.get(f"/admin/{path}", follow=True).status_code == 200


def test_a_token_is_named_as_its_owner_named_it(client, operator):
    authentication.issue_token(operator, now=NOW, name="Diary script", life=None)

    page = client.get(f"/admin/knox/authtoken/{AuthToken.objects.get().pk}/change/").content.decode()

    assert [said in page for said in ("Diary script", "API token: mara")] == [True, True]
    assert f"{AuthToken.objects.get().digest} :" not in page


def test_who_may_only_look_sees_a_companion_with_its_facts(client):
    reader = staff_who(client, "view_persona")
    persona = PersonaFactory(owner=reader, name="Ole")
    PersonaFacts.objects.update_or_create(persona=persona, defaults={"occupation": "ferryman"})

    page = client.get(f"/admin/personas/persona/{persona.pk}/change/").content.decode()

    assert ("Ole" in page, "Occupation" in page, "ferryman" in page, 'name="_save"' in page) == (
        True,
        True,
        True,
        False,
    )


def test_moods_are_shown_as_they_read_now(client, operator):
    now = datetime.now(UTC)
    bond = BondFactory(user=operator, mood="exultant", energy=9, last_user_signal="warm", mood_updated_at=now)
    paths = (
        "/admin/personas/bond/",
        f"/admin/personas/bond/{bond.pk}/change/",
        f"/admin/personas/persona/{bond.persona_id}/change/",
    )
    fresh = ["exultant" in client.get(path).content.decode() for path in paths]
    Bond.objects.update(mood_updated_at=now - MOOD_LASTS)
    old = [client.get(path).content.decode() for path in paths]

    assert fresh == [True] * 3
    assert [("exultant" in page, "neutral" in page) for page in old] == [(False, True)] * 3
    assert "warm" not in old[1]
    assert re.search(r">\s*5\s*<", old[1])
