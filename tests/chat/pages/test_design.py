import pytest

from tests.support.factories import UserFactory


@pytest.fixture
def operator(client, db):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


def test_the_operator_sees_all_components_and_that_each_hue_holds(operator):
    answer = operator.get("/design/")

    assert answer.status_code == 200
    assert (answer.content.decode().count("Hues of personas"), "too faint" in answer.content.decode()) == (1, False)
    assert [hue.holds for hue in answer.context["hues"]] == [True] * 12


@pytest.mark.django_db
@pytest.mark.parametrize("is_signed_in", [True, False])
def test_to_others_it_is_not_there_but_with_debug_on(is_signed_in, client, settings):
    if is_signed_in:
        client.force_login(UserFactory(username="charlie", is_staff=True))

    assert client.get("/design/").status_code == 404
    settings.DEBUG = True
    assert client.get("/design/").status_code == 200
