import shutil
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import connections
from django.test import Client
from playwright.sync_api import expect, sync_playwright

from tests.browser.site import Site
from tests.model_server import ModelServer

# As root and behind a closed network, Chromium needs to be told not to bother.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture
def chromium(monkeypatch):
    """A browser for one test: while Playwright is there its loop runs in this thread, and `async_to_sync` would refuse."""
    if CHROMIUM is None:
        pytest.fail("No Chromium was found; `make browser` installs one.")
    # Django would refuse to read the database beside that loop.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
        # Beside that loop Django opened a connection of its own.
        connections.close_all()


@pytest.fixture(scope="session")
def static_files():
    """Collected as an install has them, with names that carry their content's hash."""
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"],
        cwd=settings.BASE_DIR,
        check=True,
    )


@pytest.fixture(scope="session")
def only_site(django_db_setup, static_files, tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("site"))
    yield site
    site.stop()


@pytest.fixture
def site(only_site, transactional_db):
    """The web process on the tests' database; one serves all tests of a process, unless a test ends it."""
    if "web" not in only_site.processes:
        only_site.start("web")
    only_site.wait_until_it_answers()
    yield only_site
    if "worker" in only_site.processes:
        only_site.kill("worker")


@pytest.fixture
def model_server():
    with ModelServer() as server:
        server.delay_seconds = 0.03
        yield server


@pytest.fixture
def served(transactional_db, static_files, model_server, tmp_path):
    """A web process of its own that asks the scripted model server."""
    site = Site(tmp_path, OPENAI_BASE_URL=model_server.url)
    site.start("web")
    try:
        site.wait_until_it_answers()
        yield site
    finally:
        site.stop()


@pytest.fixture
def worker(site):
    site.start("worker")


@pytest.fixture
def browse(site, chromium):
    """Opens a browser of its own, for a user that is signed in or for nobody yet; a page's own errors fail the test."""
    contexts, wrongs = [], []
    expect.set_options(timeout=15_000)

    def open_page(user=None, **options):
        context = chromium.new_context(
            **{"base_url": site.address, "viewport": {"width": 1280, "height": 800}, "locale": "en-GB"} | options
        )
        contexts.append(context)
        if user is not None:
            client = Client()
            client.force_login(user)
            cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": site.address}])
        page = context.new_page()
        page.on("pageerror", lambda error: wrongs.append(str(error)))
        page.on("console", lambda line: "Content Security Policy" in line.text and wrongs.append(line.text))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrongs == []
