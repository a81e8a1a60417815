import pytest
from django.test import override_settings

from tests.support.exports import exported, files
from tests.support.factories import UserFactory


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def lin():
    return UserFactory(username="lin")


@pytest.fixture(scope="module")
def maras_export(maras_life, django_db_blocker):
    """The files of an export, and the folder of its bond."""
    bond, pictures = maras_life
    with override_settings(MEDIA_ROOT=pictures), django_db_blocker.unblock():
        return files(exported(bond)), f"bonds/{bond.pk}"


@pytest.fixture
def contents(maras_export):
    written, folder = maras_export
    return dict(written), folder
