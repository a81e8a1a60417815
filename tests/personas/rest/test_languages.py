"""What the REST API says in the language that a request asks for."""

import pytest
from rest_framework.test import APIClient

from tests.support.factories import BondFactory, EntityFactory, PersonaFactory, SessionFactory
from tests.support.rest import answered, api, refusal

pytestmark = pytest.mark.django_db

UNKNOWN = "Unknown field; known are: display_name, time_zone, language."
CHINESE = {"Accept-Language": "zh-Hans"}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


def ask(bond, method, path, body=None):
    path = path.format(bond=bond.pk, persona=bond.persona_id)
    return answered(getattr(api(bond.user), method)(f"/api/{path}", body, format="json", headers=CHINESE))


@pytest.mark.parametrize(
    ("path", "body", "fields"),
    [
        pytest.param("personas/{persona}/", {"name": " "}, {"name": ["文字不能为空。"]}, id="blank"),
        pytest.param(
            "personas/{persona}/",
            {"name": "M" * 81},
            {"name": ["文字有 81 个字符，最多 80 个。"]},
            id="a sentence with numbers",
        ),
        pytest.param(
            "me/",
            {"name": "Mara"},
            {"name": ["未知字段；可用的有：display_name, time_zone, language。"]},
            id="unknown field",
        ),
        pytest.param(
            "me/",
            {"language": "fr"},
            {"language": ["“fr”不是有效的选项；可选：en, zh-hans。"]},
            id="wrong choice",
        ),
        pytest.param(
            "personas/{persona}/",
            {"answers": {"temperature": 9}},
            {"answers.temperature": ["这里须为 0 到 2 的数字，或 null。"]},
            id="out of a range",
        ),
        pytest.param(
            "me/",
            {"time_zone": "Mars"},
            {"time_zone": ["这不是时区。请使用 IANA 名称，例如 Asia/Shanghai。"]},
            id="zone",
        ),
    ],
)
def test_a_wrong_field_is_named_in_chinese(bond, path, body, fields):
    status, told = ask(bond, "patch", path, body)

    assert (status, told["fields"]) == (400, fields)


def test_a_refusal_with_a_name_is_said_in_chinese(bond):
    EntityFactory(bond=bond, canonical_name="Teo", kind="person")

    told = ask(bond, "post", "bonds/{bond}/memory/entities/", {"canonical_name": "Teo", "kind": "person"})

    assert told == (409, refusal("name_taken", "已经有别的人或事物叫“Teo”了。"))


def test_a_refusal_with_a_state_is_said_in_chinese(bond):
    session = SessionFactory(bond=bond, status="closed")

    told = ask(bond, "post", f"bonds/{{bond}}/sessions/{session.pk}/consolidate/")

    assert told == (409, refusal("conflict", "这次聊天的状态是 closed，只有失败的才能重试。"))


def test_what_is_not_there_is_said_in_chinese(bond):
    assert ask(bond, "get", "bonds/0/") == (404, refusal("not_found", "未找到。"))
    assert ask(bond, "get", "nowhere/") == (404, refusal("not_found", "没有这个路径。所有路径都以斜杠结尾。"))


def test_a_shared_persona_is_not_changed_in_chinese(bond):
    shared = PersonaFactory(visibility="shared")

    told = ask(bond, "patch", f"personas/{shared.pk}/", {"name": "Mine"})

    assert told == (403, refusal("forbidden", "这位伙伴是别人分享的，只有其主人能修改。"))


def test_who_is_not_signed_in_reads_it_in_chinese():
    client = APIClient()

    nobody = client.get("/api/me/", headers=CHINESE)
    wrong = client.get("/api/me/", headers=CHINESE | {"Authorization": "Token é"})

    assert (nobody.status_code, nobody.json()["detail"]) == (
        401,
        "没有登录。请发送请求头“Authorization: Token …”，或网页的 cookie。",
    )
    assert (wrong.status_code, wrong.json()["detail"]) == (401, "认证令牌无效。")


def test_english_is_said_where_nothing_is_asked_for(bond):
    told = answered(api(bond.user).patch("/api/me/", {"name": "Mara"}, format="json"))

    assert told == (400, refusal("unknown_field", f"name: {UNKNOWN}", {"name": [UNKNOWN]}))
