from datetime import date, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django_q.models import Failure, OrmQ, Schedule, Success
from django_q.tasks import async_task
from knox.models import AuthToken

from echovessel.http import health
from echovessel.models import LedgerEntry
from echovessel.postgres.rows import fetch_all
from personas.usage import charts
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    MessageFactory,
    SessionFactory,
    TurnFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    user = UserFactory(username="mara", is_staff=True, is_superuser=True)
    client.force_login(user)
    return user


def spent(user, *, feature="reply", model="large", days_ago=0, outcome="ok", tokens_in=100, cost=None):
    at = timezone.now() - timedelta(days=days_ago)
    counts = {"tokens_in": tokens_in, "tokens_out": 10, "tokens_cached": 1, "duration_ms": 5}
    return LedgerEntry.objects.create(
        feature=feature, model=model, outcome=outcome, user_id=user.pk, created_at=at, cost=cost, **counts
    )


def cells(table):
    return [[str(cell) if index else strip(str(cell)) for index, cell in enumerate(row)] for row in table.rows]


def strip(html):
    return html.partition(">")[2].partition("<")[0] if html.startswith("<a") else html


def test_the_ledger_is_summed(client, operator):
    teo = UserFactory(username="teo")
    spent(operator, cost=Decimal("0.25"))
    spent(teo, feature="extraction", model="small", tokens_in=50)
    spent(teo, tokens_in=30, days_ago=2, cost=Decimal(2))
    spent(teo, tokens_in=7000, days_ago=40)

    context = client.get("/admin/echovessel/ledgerentry/").context_data

    by_feature, by_model, by_user = context["tables"]
    assert cells(by_feature) == [
        ["reply", "2", "$2.25", "130", "20", "2"],
        ["extraction", "1", "unknown", "50", "10", "1"],
    ]
    assert cells(by_model) == [["large", "2", "$2.25", "130", "20", "2"], ["small", "1", "unknown", "50", "10", "1"]]
    assert cells(by_user) == [
        ["mara", "1", "$0.2500", "100", "10", "1"],
        ["teo", "2", "at least $2.00", "80", "20", "2"],
    ]
    assert context["cost"] == "at least $2.25"
    assert [bar.value for bar in context["chart"].bars][-3:] == [40, 0, 170]


def test_the_ledger_is_summed_as_filtered(client, operator):
    teo = UserFactory(username="teo")
    spent(operator)
    spent(teo, tokens_in=30, days_ago=40)
    since = (timezone.now() - timedelta(days=50)).date()

    context = client.get(f"/admin/echovessel/ledgerentry/?username=teo&created_at_from={since}").context_data

    assert cells(context["tables"][0]) == [["reply", "1", "unknown", "30", "10", "1"]]
    assert [bar.value for bar in context["chart"].bars] == [40]


def test_limited_staff_sum_what_they_spent(client):
    lin = UserFactory(username="lin", is_staff=True)
    lin.user_permissions.set(Permission.objects.filter(codename="view_ledgerentry"))
    client.force_login(lin)
    spent(lin, tokens_in=5)
    spent(UserFactory())

    context = client.get("/admin/echovessel/ledgerentry/").context_data

    assert [cells(table) for table in context["tables"]] == [
        [["reply", "1", "unknown", "5", "10", "1"]],
        [["large", "1", "unknown", "5", "10", "1"]],
    ]
    assert context["chart"].total == 15


def test_the_overview_tells_of_everybody(client, operator, monkeypatch):
    monkeypatch.setattr(health, "measure_room", lambda: (2**29, "/srv"))
    bond = BondFactory()
    session = SessionFactory(bond=bond, status="failed", message_count=2)
    TurnFactory(session=session, status="failed", created_at=timezone.now())
    SessionFactory(bond=bond, status="closing", message_count=2)
    ConceptNodeFactory(bond=bond, created_at=timezone.now())
    spent(bond.user)
    async_task("memory.tasks.scan")

    context = client.get("/admin/").context_data
    [(database_size,)] = fetch_all("SELECT pg_database_size(current_database())")

    assert [(str(card.title), str(card.value)) for card in context["cards"]] == [
        ("Users", "2"),
        ("Bonds", "1"),
        ("Chats waiting", "1"),
        ("Chats failed", "1"),
        ("Model server", "none: the offline rules reply"),
        ("Workers", "none is running"),
        ("Tasks waiting", str(OrmQ.objects.count())),
        ("Tasks failed since yesterday", "0"),
        ("Replies failed since yesterday", "1"),
        ("Cost of the last 30 days", "unknown"),
        ("Size of the database", filesizeformat(database_size)),
        ("Free on the disk", "512.0\xa0MB"),
    ]
    assert [str(card.title) for card in context["cards"] if card.is_alert] == [
        "Chats failed", "Workers", "Replies failed since yesterday", "Free on the disk",
    ]  # fmt: skip
    assert [(str(chart.title), chart.total, chart.last.value) for chart in context["charts"]] == [
        ("Events per day", 1, 1),
        ("Tokens per day", 110, 110),
    ]


def test_the_overview_tells_limited_staff_of_themselves(client):
    lin = UserFactory(username="lin", is_staff=True)
    client.force_login(lin)
    own, other = BondFactory(user=lin), BondFactory()
    for bond in (own, other, other):
        SessionFactory(bond=bond, status="failed", message_count=2)
        ConceptNodeFactory(bond=bond, created_at=timezone.now())
        spent(bond.user)

    context = client.get("/admin/").context_data

    assert [(str(card.title), str(card.value)) for card in context["cards"]] == [
        ("Chats waiting", "0"),
        ("Chats failed", "1"),
        ("Model server", "none: the offline rules reply"),
    ]
    assert [chart.total for chart in context["charts"]] == [1, 110]


def test_failed_calls_of_the_model_are_told(client, operator, settings):
    settings.MODEL_SERVER = True
    spent(operator, outcome="failed")
    spent(operator, outcome="failed", days_ago=3)

    cards = client.get("/admin/").context_data["cards"]

    [card] = [card for card in cards if "odel server" in str(card.title)]
    assert (str(card.title), card.is_alert) == ("Model server: 1 calls failed since yesterday", True)


def test_failed_tasks_are_tried_again(client, operator):
    failed = Failure.objects.create(
        id=uuid4().hex, name="a", func="memory.tasks.consolidate", args=(7,), success=False, started=NOW, stopped=NOW
    )
    before = OrmQ.objects.count()

    listed = client.get("/admin/django_q/failure/").content.decode()
    client.post("/admin/django_q/failure/", {"action": "retry", "_selected_action": [failed.pk]})

    task = OrmQ.objects.latest("id").task
    assert "memory.tasks.consolidate" in listed
    assert (OrmQ.objects.count() - before, task["func"], tuple(task["args"])) == (1, "memory.tasks.consolidate", (7,))
    assert not Failure.objects.exists()


def test_what_is_scheduled_runs_now(client, operator):
    later = Schedule.objects.create(func="memory.tasks.prune", next_run=timezone.now() + timedelta(days=1))

    client.post("/admin/django_q/schedule/", {"action": "run_now", "_selected_action": [later.pk]})

    later.refresh_from_db()
    assert later.next_run <= timezone.now()


def test_what_waits_is_listed_with_its_arguments(client, operator):
    async_task("memory.tasks.consolidate", 4711)

    listed = client.get("/admin/django_q/ormq/").content.decode()

    assert ("memory.tasks.consolidate" in listed, "4711" in listed) == (True, True)


@pytest.mark.parametrize(("language", "what"), [("en", "Chat"), ("zh-Hans", "聊天")])
def test_the_page_of_a_task_is_titled_with_what_it_is_about(client, operator, language, what):
    async_task("memory.tasks.consolidate", 4711)
    path = f"/admin/django_q/ormq/{OrmQ.objects.latest('id').pk}/change/"

    shown = client.get(path, headers={"Accept-Language": language}).content.decode()

    assert f"memory.tasks.consolidate {what} 4711" in shown
    assert "OrmQ object" not in shown


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("knox/authtoken/", ["API 令牌", "创建于", "到期时间"]),
        ("mfa/authenticator/", ["两步验证方式"]),
        ("django_q/schedule/", ["任务", "频率", "下次运行"]),
        ("django_q/ormq/", ["保留到"]),
    ],
)
def test_rows_of_other_packages_are_named_in_chinese(client, operator, path, shown):
    AuthToken.objects.create(user=operator)
    Schedule.objects.create(func="memory.tasks.scan", schedule_type=Schedule.MINUTES, minutes=1)
    async_task("memory.tasks.consolidate", 4711)

    listed = client.get(f"/admin/{path}", headers={"Accept-Language": "zh-Hans"}).content.decode()

    assert [word for word in shown if word not in listed] == []
    assert [word for word in ("Created", "Expiry", "Function", "Lock until", "Next Run") if f">{word}<" in listed] == []


def test_a_finished_task_has_no_hints_for_programmers(client, operator):
    done = Success.objects.create(
        id="a" * 32, name="scan", func="memory.tasks.scan", started=NOW, stopped=NOW, success=True, attempt_count=1
    )

    shown = client.get(f"/admin/django_q/success/{done.pk}/change/").content.decode()

    assert ("memory.tasks.scan" in shown, "Dotted import path" in shown) == (True, False)


def test_a_turn_shows_why_it_said_what_it_said(client, operator):
    talk = SessionFactory(message_count=2)
    turn = TurnFactory(session=talk, status="done", timings={"embed_ms": 12})
    message = MessageFactory(session=talk, turn_id=turn.pk, content="What of the harbour?")
    node, gone = (ConceptNodeFactory(bond=talk.bond, description=text) for text in ("It froze.", "It thawed."))
    items = [
        {"node": one.pk, "score": score, "terms": {"recency": 0.5}, "anchored_by": [], "kept": kept, "reason": reason}
        for one, score, kept, reason in ((node, 2.25, True, ""), (gone, 0.5, False, "floor"))
    ]
    gone.deleted_at = NOW
    gone.save()
    steps = [{"tool": "memory_save", "code": "saved", "ms": 7}]
    turn.trace = {"items": items, "words": [], "cut": {"recalled": 2}, "prompt_tokens": 900, "steps": steps}
    turn.save()

    page = client.get(f"/admin/chat/turn/{turn.pk}/change/").content.decode()

    read = ("What of the harbour?", "It froze.", "2.25", "too different from your message", "Reading your message")
    traced = ("How recent it is", "memory_save: saved (7 ms)", "memories: 2", "0.012 s")
    assert [told for told in read + traced if told not in page] == []
    assert [code for code in ("floor", "embed_ms") if code in page] == []
    assert "It thawed." not in page
    assert f"/admin/memory/message/{message.pk}/change/" in page


def test_turns_are_listed_by_what_was_said_last(client, operator):
    talk = SessionFactory(message_count=3)
    answered, asked = (TurnFactory(session=talk, status=status) for status in ("done", "failed"))
    MessageFactory(session=talk, turn_id=answered.pk, content="What of the harbour?")
    MessageFactory(session=talk, turn_id=answered.pk, content="It froze.", role="persona")
    MessageFactory(session=talk, turn_id=asked.pk, content="And the lake?")

    page = client.get("/admin/chat/turn/").content.decode()

    assert [said in page for said in ("harbour", "It froze.", "And the lake?")] == [False, True, True]


def test_turns_are_found_by_what_was_said(client, operator):
    talk = SessionFactory(message_count=2)
    one, other = (TurnFactory(session=talk, status="done") for _ in range(2))
    MessageFactory(session=talk, turn_id=one.pk, content="What of the harbour?")

    def found(query):
        page = client.get(f"/admin/chat/turn/?q={query}").content.decode()
        return [f"/{turn.pk}/change/" in page for turn in (one, other)]

    assert [found(query) for query in ("harbour", str(other.pk), "lighthouse")] == [
        [True, False],
        [False, True],
        [False, False],
    ]


def test_bars_stand_on_every_day():
    chart = charts.build_daily_chart(
        "t", {date(2026, 11, 2): 4, date(2026, 11, 3): 2}, first=date(2026, 11, 1), last=date(2026, 11, 3)
    )

    assert [(bar.day.day, bar.value, bar.height) for bar in chart.bars] == [(1, 0, 0), (2, 4, 140.0), (3, 2, 70.0)]
    assert (chart.most, chart.total) == (4, 6)


def test_bars_of_nothing_are_flat():
    chart = charts.build_daily_chart("t", {}, first=date(2026, 11, 1), last=date(2026, 11, 2))

    assert [(bar.value, bar.height) for bar in chart.bars] == [(0, 0), (0, 0)]


def test_packages_admins_are_left_out(client, operator):
    """They would show everybody's rows to all who may see one."""
    paths = ("account/emailaddress/", "knox/authtoken/add/", "mfa/authenticator/add/")

    assert [client.get(f"/admin/{path}").status_code for path in paths] == [404, 403, 403]


def test_failed_sign_ins_at_the_admin_are_counted(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "2/m/ip"}
    UserFactory(username="mara", is_staff=True)
    page = client.get("/admin/login/", follow=True).request["PATH_INFO"]

    answers = [client.post(page, {"login": "mara", "password": "wrong"}).content.decode() for _ in range(3)]

    assert page == "/accounts/login/"
    assert ["Too many failed sign-ins" in answer for answer in answers] == [False, False, True]
    assert client.post("/admin/login/", {"username": "mara", "password": "a blue kettle sings"}).status_code == 302
    assert "_auth_user_id" not in client.session
