import pytest
from django.contrib.auth.models import Permission

from tests.support.factories import SessionFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    user = UserFactory(username="mara", is_staff=True, is_superuser=True)
    client.force_login(user)
    return user


def test_admin_is_entered_by_the_sign_in_page(client):
    answer = client.get("/admin/")

    assert (answer.status_code, answer["Location"]) == (302, "/admin/login/?next=/admin/")
    assert client.get(answer["Location"])["Location"] == "/accounts/login/?next=%2Fadmin%2F"


def test_charlie_is_kept_out_of_the_admin(client):
    client.force_login(UserFactory(username="charlie"))

    assert client.get("/admin/login/").status_code == 403
    assert client.get("/admin/memory/session/").status_code == 302


def test_policy_is_relaxed_for_the_admin_alone(client, operator):
    admin, page = (client.get(path)["Content-Security-Policy"] for path in ("/admin/", "/"))

    assert "script-src 'self' 'unsafe-eval'" in admin
    assert "unsafe" not in page


@pytest.mark.parametrize("path", ["", "personas/user/", "personas/user/add/", "memory/session/"])
def test_operator_sees(client, operator, path):
    SessionFactory(bond__user=operator, message_count=1)

    assert client.get(f"/admin/{path}").status_code == 200


def test_session_shows_its_steps_and_nothing_to_change(client, operator):
    session = SessionFactory(bond__user=operator, message_count=1)

    page = client.get(f"/admin/memory/session/{session.pk}/change/")

    assert page.status_code == 200
    assert b'name="_save"' not in page.content


def test_failed_session_is_tried_again(client, operator):
    session = SessionFactory(bond__user=operator, status="failed", message_count=3)
    button = b'<button class="ev-button">Try again</button>'
    address = f"/admin/memory/session/{session.pk}/change/"

    is_offered = button in client.get(address).content
    client.post("/admin/memory/session/", {"action": "try_again", "_selected_action": [session.pk]})

    session.refresh_from_db()
    assert (is_offered, session.status, button in client.get(address).content) == (True, "closing", False)


def test_staff_see_their_own_sessions_alone(client):
    lin = UserFactory(username="lin", is_staff=True)
    lin.user_permissions.set(Permission.objects.filter(codename="view_session"))
    own, other = SessionFactory(bond__user=lin, message_count=1), SessionFactory(message_count=1)
    client.force_login(lin)

    listed = client.get("/admin/memory/session/").content.decode()

    assert f"/admin/memory/session/{own.pk}/change/" in listed
    assert f"/admin/memory/session/{other.pk}/change/" not in listed
    assert client.get(f"/admin/memory/session/{other.pk}/change/").status_code == 302
