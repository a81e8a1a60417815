import pytest
from django.contrib.auth.models import Permission

from memory.models import Message
from personas import access
from personas.models import AccessLog, Bond, Persona, User
from tests.support.factories import BondFactory, ConceptNodeFactory, MessageFactory, UserFactory
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    client.force_login(UserFactory(username="lin", is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def bond():
    bond = BondFactory(user__username="mara", user__display_name="Mara Lind", persona__name="Marian")
    ConceptNodeFactory(bond=bond, sources=[MessageFactory(session__bond=bond)])
    return bond


def staff_who(client, *codenames):
    user = UserFactory(username="teo", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client.force_login(user)
    return user


def address(row):
    return f"/admin/personas/{row._meta.model_name}/{row.pk}/erase/"


def page(client, row):
    return markup_of(client.get(address(row)))


def left(*rows):
    return [type(row).objects.filter(pk=row.pk).exists() for row in rows]


def test_a_bond_is_erased_once_the_companions_name_is_typed(operator, bond):
    other = BondFactory(persona=bond.persona)

    asked = page(operator, bond)
    wrong = operator.post(address(bond), {"name": "Marianne"}).content.decode()
    assert ("The name of the companion, Marian" in asked, "<td>messages</td> <td>1</td>" in asked) == (True, True)
    assert ("This is not the name of the companion." in wrong, left(bond)) == (True, [True])

    answer = operator.post(address(bond), {"name": " Marian "})

    assert (answer.status_code, answer.url) == (302, "/admin/personas/bond/")
    assert (left(bond, other, bond.user, bond.persona), Message.objects.count()) == ([False, True, True, True], 0)
    assert operator.get(address(bond)).status_code == 404


def test_whose_bond_was_erased_can_see_who_looked_at_it(operator, bond):
    operator.post(address(bond), {"name": "Marian"})

    read = [(one.reader_name, one.section) for one in AccessLog.objects.for_user(bond.user)]
    assert read == [("lin", "bond")]


def test_an_account_is_erased_once_its_name_is_typed(operator, bond):
    mara = bond.user
    shared = BondFactory(persona__owner=mara, persona__name="Teo", persona__visibility="shared").persona
    alone = BondFactory(user=mara, persona__owner=mara, persona__name="Ada").persona

    asked = page(operator, mara)
    wrong = operator.post(address(mara), {"name": "Mara Lind"}).content.decode()
    assert [told in asked for told in ("The username, mara", "Mara Lind · Marian", "stays for others", "erased")] == [
        True
    ] * 4
    assert ("This is not the username of the account." in wrong, left(mara, bond)) == (True, [True, True])

    operator.post(address(mara), {"name": "mara"})

    assert left(mara, bond, shared, alone) == [False, False, True, False]
    assert Persona.objects.get(pk=shared.pk).owner is None


def test_nobody_erases_the_own_account_here_nor_one_above(client, operator):
    superuser = User.objects.get(username="lin")
    assert operator.post(address(superuser), {"name": "lin"}).status_code == 403
    colleague = UserFactory(username="ada", is_staff=True)
    staff_who(client, "view_user", "change_user", "delete_user", access.PERMISSION.split(".")[1])

    answers = [client.post(address(row), {"name": row.username}).status_code for row in (superuser, colleague)]

    assert (answers, left(superuser, colleague)) == ([403, 403], [True, True])
    assert address(superuser) not in client.get(f"/admin/personas/user/{superuser.pk}/change/").content.decode()


def test_limited_staff_erase_their_own_bonds_alone(client, bond):
    teo = staff_who(client, "view_bond", "delete_bond", "view_user", "change_user", "delete_user")
    own = BondFactory(user=teo, persona__name="Ada")

    answers = [
        client.post(address(row), {"name": name}).status_code
        for row, name in ((bond, "Marian"), (bond.user, "mara"), (own, "Ada"))
    ]

    assert (answers, left(bond, bond.user, own)) == ([404, 403, 302], [True, True, False])


def test_those_who_may_only_look_erase_nothing(client, bond):
    staff_who(client, "view_bond", "view_user", "change_user", access.PERMISSION.split(".")[1])

    answers = [
        client.post(address(row), {"name": name}).status_code for row, name in ((bond, "Marian"), (bond.user, "mara"))
    ]

    assert (answers, Bond.objects.count()) == ([403, 403], 1)
    assert "/erase/" not in client.get(f"/admin/personas/bond/{bond.pk}/change/").content.decode()


@pytest.mark.parametrize("rest", ["bond/x/erase/", "bond/9999999/erase/", "user/x/erase/", "user/9999999/erase/"])
def test_what_is_not_there_cannot_be_erased(operator, rest):
    assert operator.get(f"/admin/personas/{rest}").status_code in (403, 404)
