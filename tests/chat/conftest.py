import pytest

from tests.support.factories import UserFactory


@pytest.fixture
def mara(client, bond):
    """The browser of the user whose bond the module makes."""
    client.force_login(bond.user)
    return client


@pytest.fixture
def charlie(client):
    """A stranger's."""
    client.force_login(UserFactory(username="charlie"))
    return client
