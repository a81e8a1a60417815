import pytest

from tests.support.factories import UserFactory


@pytest.fixture
def mara(client, bond):
    """The browser of the user of the module's bond."""
    client.force_login(bond.user)
    return client


@pytest.fixture
def charlie(client):
    """The browser of a stranger."""
    client.force_login(UserFactory(username="charlie"))
    return client
