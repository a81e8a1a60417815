import threading

import pytest
from django.db import connection
from django.test import Client

from echovessel.configuration import data_folder
from personas.models import Install, User
from tests.support.factories import UserFactory

PAGE = "/accounts/signup/"
PASSWORD = "a blue kettle sings"


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return tmp_path


def sign_up(username="mara", **more):
    form = {"username": username, "password1": PASSWORD, "password2": PASSWORD} | more
    return Client().post(PAGE, form)


def operators():
    return sorted(User.objects.filter(is_staff=True, is_superuser=True).values_list("username", flat=True))


@pytest.mark.django_db
def test_the_first_account_becomes_the_operator_once_ever():
    sign_up("mara")
    sign_up("lin")
    assert operators() == ["mara"]

    User.objects.all().delete()
    sign_up("charlie")

    assert operators() == []
    assert Install.objects.count() == 1


@pytest.mark.django_db
def test_a_closed_install_still_takes_its_first_account(settings):
    settings.SIGNUP_OPEN = False

    sign_up("mara")
    page = sign_up("lin")

    assert [user.username for user in User.objects.all()] == ["mara"]
    assert "account/signup_closed.html" in [template.name for template in page.templates]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("is_open", "accounts"), [(True, 4), (False, 1)])
def test_of_first_accounts_at_once_one_is_the_operator(settings, is_open, accounts):
    settings.SIGNUP_OPEN = is_open
    begin = threading.Barrier(4)
    given = []

    def act(username):
        try:
            begin.wait(10)
            given.append(sign_up(username).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=act, args=(name,)) for name in ("mara", "lin", "charlie", "yusuf")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert len(operators()) == 1
    assert (User.objects.count(), Install.objects.count(), given.count(302)) == (accounts, 1, accounts)


@pytest.mark.django_db
def test_no_code_is_asked_for_on_this_machine_alone():
    page = Client().get(PAGE)

    assert "setup_code" not in page.context["form"].fields


@pytest.mark.django_db
@pytest.mark.parametrize("code", [None, "", "wrong", "０" * 10, "x" * 41])
def test_where_strangers_can_reach_the_page_the_first_account_needs_the_code(folder, code):
    data_folder.load_setup_code(folder)

    page = sign_up(**({} if code is None else {"setup_code": code}))

    assert list(page.context["form"].errors) == ["setup_code"]
    assert User.objects.count() == 0
    assert data_folder.needs_setup_code(folder)


@pytest.mark.django_db
@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via"])
def test_who_comes_through_a_proxy_is_never_local(folder, header):
    form = {"username": "charlie", "password1": PASSWORD, "password2": PASSWORD}

    page = Client().post(PAGE, form, headers={header: "127.0.0.1"})

    assert list(page.context["form"].errors) == ["setup_code"]
    assert (User.objects.count(), data_folder.needs_setup_code(folder)) == (0, True)


@pytest.mark.django_db
def test_the_code_makes_the_operator_and_is_then_gone(folder, django_capture_on_commit_callbacks):
    code = data_folder.load_setup_code(folder)
    assert 'name="setup_code"' in Client().get(PAGE).content.decode()

    with django_capture_on_commit_callbacks(execute=True):
        sign_up("mara", setup_code=f" {code} ")

    assert operators() == ["mara"]
    assert not data_folder.needs_setup_code(folder)
    assert "setup_code" not in Client().get(PAGE).context["form"].fields


@pytest.mark.django_db
def test_a_code_that_was_left_behind_is_not_asked_for_again(folder):
    data_folder.load_setup_code(folder)
    Install.objects.create(operator_id=UserFactory().pk, created_at=UserFactory().date_joined)

    sign_up("lin")

    assert User.objects.filter(username="lin", is_staff=False).exists()
