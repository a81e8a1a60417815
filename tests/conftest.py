import fcntl
import gc
import importlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache as cache_forever
from pathlib import Path

import httpcore2
import pytest
from asgiref.sync import async_to_sync
from channels.layers import channel_layers
from django.conf import settings
from django.core.cache import cache
from django.template import Template
from django.test import TransactionTestCase, override_settings
from django.test.client import ClientMixin
from django.utils import translation

from personas.rest import rates
from tests.support import databases, signing_in

PLAIN = {
    "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
    "CACHES": {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
    "ACCOUNT_RATE_LIMITS": False,
    "RATES_IN_CACHE": True,
    "WHITENOISE_AUTOREFRESH": True,
    "WHITENOISE_USE_FINDERS": True,
    "STORAGES": {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    },
}
COLLECT = """
import django
django.setup()
from echovessel.runtime import preparation
preparation.collect_static(say=lambda _: None)
"""


def pytest_collection(session):
    gc.disable()
    share_compiling(session.config)


def share_compiling(config):
    """In a new checkout each process of pytest-xdist compiles a part of the test modules, where each would compile all of them at the same time."""
    process = getattr(config, "workerinput", None)
    if process is None:
        return
    folders = [Path(config.rootpath, argument) for argument in config.args]
    modules = sorted(path for folder in folders for path in folder.rglob("test_*.py"))
    for path in modules[int(process["workerid"].removeprefix("gw")) :: process["workercount"]]:
        # Collecting says what is wrong with it.
        with suppress(ImportError, SyntaxError):
            importlib.import_module(".".join(path.relative_to(config.rootpath).with_suffix("").parts))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """pytest-xdist gives each process a part of this order, and one that has done its own takes the end of another's.

    So one process alone starts browsers, and none begins a long test when the others have nothing left.
    """
    items.sort(key=lambda item: [not item.nodeid.startswith(folder) for folder in ("tests/browser/", "tests/memory/")])


def pytest_collection_finish():
    """All that is loaded by now stays to the end: the collector need not look through it again and again, nor look that often."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker):
    with django_db_blocker.unblock():
        databases.use_copy()


@pytest.fixture(autouse=True, scope="session")
def tools_for_tests(django_test_environment):
    """What Django and its tools do otherwise in tests. It is one fixture, since pytest goes through each of them for every test."""
    render_and_tell = Template._render

    def render(self, context):
        """Keep for tests with what a page is rendered, and not with what each of the hundred icons is that it includes."""
        return render_and_tell(self, context) if context.template is self else self.nodelist.render(context)

    # Nothing between tests but the database: limits and cached values live in the process, and sign-up is quick.
    with override_settings(**PLAIN), pytest.MonkeyPatch.context() as patch:
        # Django would make the files of all tables and indexes anew after each test that commits, and all permissions.
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _: databases.empty_tables())
        patch.setattr(Template, "_render", render)
        # Channels would close the connection that holds the test's transaction.
        patch.setattr("channels.db.close_old_connections", lambda: None)
        patch.setattr(ClientMixin, "force_login", signing_in.sign_in)
        # Each client of a model server would read the certificates of all authorities, for 20 ms.
        patch.setattr(httpcore2, "default_ssl_context", cache_forever(httpcore2.default_ssl_context))
        yield
        close_layers()


@pytest.fixture(autouse=True)
def nothing_left_behind():
    """What a test leaves in its process. It is one fixture, since pytest sets up each of them anew for every test."""
    cache.clear()
    # The language of the last page that the test before asked for would stay in this thread.
    translation.deactivate()
    yield
    for layer in channel_layers.backends.values():
        # Its connections stay, of which each turn would open two. Their loop is their own; those of these channels have ended.
        layer._channels.clear()
        layer._groups.clear()


@pytest.fixture(scope="session")
def static_files():
    """Collected as an install has them, with names that carry their content's hash; once for all processes of a run."""
    with Path(settings.DATA_DIR, "static.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Written last.
        if not Path(settings.DATA_DIR, "static.fingerprint").exists():
            # With the settings of an install.
            subprocess.run([sys.executable, "-c", COLLECT], cwd=settings.BASE_DIR, check=True)


def close_layers():
    """Close their connections, which are to the database of now."""
    # In a thread: the loop of a browser may run in this one.
    with ThreadPoolExecutor(1) as thread:
        for layer in channel_layers.backends.values():
            thread.submit(async_to_sync(layer.close)).result()
    channel_layers.backends.clear()


@pytest.fixture
def long_minute(monkeypatch):
    """Rates are counted by the day: requests of a test that are counted together stand in one minute, whenever it runs."""
    monkeypatch.setattr(rates, "WINDOW_SECONDS", 86_400)
