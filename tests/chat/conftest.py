import copy
import shutil

import pytest
from django.test import override_settings

from tests.support import worlds
from tests.support.factories import UserFactory
from tests.support.lives import lived


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


@pytest.fixture(scope="module")
def maras_life(django_db_setup, django_db_blocker, tmp_path_factory):
    """Mara's bond with rows in every layer, and the folder of its picture."""
    pictures = tmp_path_factory.mktemp("pictures")
    with (
        override_settings(MEDIA_ROOT=pictures),
        worlds.shared(lambda: lived(UserFactory(username="mara")), database=django_db_blocker) as bond,
    ):
        yield bond, pictures


@pytest.fixture
def lived_bond(maras_life, media):
    """The same for one test, which takes back what it does to it."""
    bond, pictures = maras_life
    shutil.copytree(pictures, media)
    return copy.deepcopy(bond)
