"""That Chromium may install the app, and what its worker keeps and shows without a connection."""

import json
import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from personas import editing
from personas.models import Persona
from tests.browser import steps
from tests.support.factories import BondFactory

READY = "async () => { await navigator.serviceWorker.ready; return navigator.serviceWorker.controller !== null }"
KEPT = """async () => {
  const names = await caches.keys();
  const kept = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)));
  return [names, kept.flat()];
}"""


def test_chromium_finds_nothing_against_installing(browse):
    bond = BondFactory(user__username="mara")
    page = browse(bond.user, service_workers="allow")
    page.goto("/")
    page.evaluate(READY)
    console = page.context.new_cdp_session(page)

    errors = console.send("Page.getInstallabilityErrors")["installabilityErrors"]
    manifest = console.send("Page.getAppManifest")

    # A window without history, as tests have, is told from others.
    assert [one["errorId"] for one in errors if one["errorId"] != "in-incognito"] == []
    assert (manifest["errors"], json.loads(manifest["data"])["display"]) == ([], "standalone")


@pytest.mark.parametrize(("locale", "told"), [("en-GB", "No connection to EchoVessel"), ("zh-CN", "连不上 EchoVessel")])
def test_without_a_connection_a_page_says_so_and_nothing_of_anybody_is_kept(browse, locale, told):
    bond = BondFactory(user__username="mara", persona__name="Marian")
    page = browse(bond.user, locale=locale, viewport={"width": 360, "height": 640}, service_workers="allow")
    page.goto(f"/bonds/{bond.pk}/")
    page.evaluate(READY)
    page.goto("/settings/")
    names, kept = page.evaluate(KEPT)
    assert len(names) == 1
    assert [path for path in kept if not re.search(r"^/offline/$|^/static/.+\.[0-9a-f]{12}\.\w+$", path)] == []

    page.context.set_offline(True)
    page.goto(f"/bonds/{bond.pk}/")
    expect(page.get_by_role("heading", level=1)).to_have_text(told)
    expect(page.locator("body")).not_to_contain_text("Marian")
    page.context.set_offline(False)
    page.locator("main .button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Marian")


def test_files_of_an_older_version_are_dropped(browse):
    bond = BondFactory(user__username="mara")
    page = browse(bond.user, service_workers="allow")
    page.goto("/accounts/login/")
    page.evaluate("caches.open('echovessel-old')")
    page.goto("/")
    page.evaluate("async () => (await navigator.serviceWorker.getRegistration())?.unregister()")
    page.reload()
    page.evaluate(READY)

    page.wait_for_function("async () => !(await caches.keys()).includes('echovessel-old')")


def test_the_title_counts_replies_that_came_unseen(browse):
    page = steps.begin(browse, "mara", "teo")
    page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })")
    steps.say(page, "My cat is called Nimbus.")
    expect(page).to_have_title("(1) Teo Vasquez-Lindqvist · EchoVessel")
    persona = Persona.objects.get(bonds__user__username="mara")
    editing.change(persona=persona, values={"name": "Theo"}, now=timezone.now())
    expect(page).to_have_title("(1) Theo · EchoVessel")

    page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', { get: () => false });"
        " document.dispatchEvent(new Event('visibilitychange')) }"
    )
    expect(page).to_have_title("Theo · EchoVessel")
