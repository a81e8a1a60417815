import shutil

import pytest
from django.conf import settings
from django.db import connections
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect, sync_playwright

from echovessel.llm import connection
from tests.browser import pages, steps
from tests.browser.site import Site
from tests.support.factories import BondFactory
from tests.support.model_server import ModelServer

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
# Milliseconds, for a busy machine: a condition that holds is waited for no longer.
PATIENCE = 60_000
# The first is much the lightest: it has no windows.
BROWSERS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)


@pytest.fixture(scope="package")
def chromium():
    """A browser for these tests alone: while Playwright is there its loop runs in this thread, and `async_to_sync` would refuse."""
    if CHROMIUM is None:
        pytest.fail("No Chromium was found; `make browser` installs one.")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Django would refuse to read the database beside that loop.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
        # Beside that loop Django opened a connection of its own.
        connections.close_all()


@pytest.fixture(scope="package")
def only_site(django_db_setup, static_files, tmp_path_factory):
    """For these tests alone: it ends what it takes for dead turns, by the real clock, and other tests have clocks of their own."""
    site = Site(tmp_path_factory.mktemp("site"))
    yield site
    site.stop()


@pytest.fixture
def site(only_site, transactional_db):
    """The web process on the tests' database; one serves all tests of a process, unless a test ends it."""
    yield from ready(only_site)


def ready(site):
    if "web" not in site.processes:
        site.start("web")
    site.wait_until_it_answers()
    yield site
    if "worker" in site.processes:
        site.kill("worker")
    site.wait_until_it_rests()


@pytest.fixture(scope="session")
def only_model_server():
    with ModelServer() as server:
        yield server


@pytest.fixture
def model_server(only_model_server):
    only_model_server.delay_seconds = 0.03
    yield only_model_server
    only_model_server.forget()


@pytest.fixture
def served(only_site, model_server, transactional_db):
    """The same web process while the scripted model server is connected, which forgets between tests what it was told to do."""
    connection.store(
        connection.Connection(
            address=model_server.url,
            key="sk-secret",
            json_mode=settings.LLM_JSON_MODE,
            tools=settings.LLM_TOOLS,
            **settings.LLM_MODELS,
        ),
        now=timezone.now(),
    )
    yield from ready(only_site)


@pytest.fixture
def worker(site):
    site.start("worker")


# Tells the test of what the content policy had to stop, wherever on the page and whenever.
REPORT = """addEventListener("securitypolicyviolation", (event) =>
  stoppedByPolicy(`${event.effectiveDirective} stopped ${event.blockedURI} in ${event.sourceFile || event.documentURI}`))"""


@pytest.fixture
def browse(site, chromium):
    """Opens a browser of its own, for a user or client that is signed in or for nobody yet.

    The test fails where a script does, where the content policy stops something, and where anything is asked of another server.
    Without the app's service worker, unless a test is of it: each new browser would install it, a sixth of what a page costs.
    And without motion, unless a test is of what moves: nobody sees it drawn.
    """
    contexts, wrongs = [], []
    expect.set_options(timeout=PATIENCE)

    def watch(context):
        context.expose_function("stoppedByPolicy", report)
        context.add_init_script(REPORT)
        context.on("weberror", lambda error: wrongs.append(f"{error.page and error.page.url}: {error.error}"))
        context.on("console", lambda line: "Content Security Policy" in line.text and wrongs.append(line.text))
        context.on("request", lambda request: is_foreign(request.url) and wrongs.append(request.url))

    def report(told):
        wrongs.append(told)

    def is_foreign(url):
        return not url.startswith((site.address, site.address.replace("http", "ws", 1), "data:", "blob:", "about:"))

    def open_page(user=None, *, client=None, **options):
        usual = {
            "viewport": {"width": 1280, "height": 800},
            "locale": "en-GB",
            "service_workers": "block",
            "reduced_motion": "reduce",
        }
        context = chromium.new_context(base_url=site.address, **usual | options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        watch(context)
        if user is not None:
            client = Client()
            client.force_login(user)
        if client is not None:
            give_cookies(context, client, site)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    assert wrongs == []


def give_cookies(context, client, site):
    """Let a browser be signed in as this client is, and as nobody else."""
    context.clear_cookies()
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    context.add_cookies([{"name": name, "value": cookies[name], "url": site.address} for name in cookies])


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def page(browse, bond):
    """The chat of the user of the module's bond."""
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)
    return page


@pytest.fixture
def visit(browse, site):
    """Opens pages of the list as their readers; all of them share one browser for each language."""
    clients, opened = {}, {}

    def look(page, sample, *, width=1280, theme="light", language="en-GB"):
        if page.reader not in clients:
            clients[page.reader] = pages.signed_in(sample, page.reader)
        # A context's own locale goes before any header that is set later.
        if language not in opened:
            opened[language] = browse(locale=language)
        tab = opened[language]
        give_cookies(tab.context, clients[page.reader], site)
        tab.set_viewport_size({"width": width, "height": 800})
        tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
        answer = tab.goto(page.address(sample))
        assert (answer.status, answer.request.redirected_from) == (page.status, None), page.name
        tab.evaluate("document.fonts.ready")
        return tab

    return look
