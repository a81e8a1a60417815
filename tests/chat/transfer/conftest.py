import pytest
from django.test import override_settings

from tests.support import worlds
from tests.support.exports import exported, files
from tests.support.factories import UserFactory
from tests.support.lives import lived


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def lin():
    return UserFactory(username="lin")


@pytest.fixture(scope="module")
def maras_export(django_db_setup, django_db_blocker, tmp_path_factory):
    """The files of an export, and the folder of its bond."""
    pictures = tmp_path_factory.mktemp("pictures")
    with override_settings(MEDIA_ROOT=pictures), worlds.shared(made, database=django_db_blocker) as export:
        yield export


def made():
    bond = lived(UserFactory(username="mara"))
    return files(exported(bond)), f"bonds/{bond.pk}"


@pytest.fixture
def contents(maras_export):
    written, folder = maras_export
    return dict(written), folder
