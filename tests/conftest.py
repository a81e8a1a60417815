import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache


@pytest.fixture(autouse=True)
def plain_settings(settings):
    """Nothing between tests but the database: limits and cached values live in the process, and sign-up is quick."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.ACCOUNT_RATE_LIMITS = False
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = True
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(autouse=True)
def empty_cache(plain_settings):
    cache.clear()


@pytest.fixture(autouse=True)
def keep_test_connection(monkeypatch):
    """Stop Channels closing the connection that holds the test's transaction."""
    monkeypatch.setattr("channels.db.close_old_connections", lambda: None)


@pytest.fixture(autouse=True)
def close_channel_layer():
    """Its connections would keep the test database from being removed."""
    yield
    async_to_sync(get_channel_layer().close)()
