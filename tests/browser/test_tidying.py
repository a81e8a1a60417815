from django.utils import timezone
from playwright.sync_api import expect

from echovessel import events
from memory import sessions
from tests.browser import steps
from tests.support.factories import BondFactory, SessionFactory


def announce(bond, **counts):
    refs = {"waiting": 0, "running": 0, "failed": 0, "paused": False} | counts
    events.record(bond_id=bond.pk, type="memory.tidying.updated", refs=refs, now=timezone.now())


def test_a_pill_tells_what_is_being_tidied_and_leads_there(browse):
    bond = BondFactory(user__username="mara")
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)
    pill = page.locator("[data-tidying]")
    expect(pill).to_be_hidden()

    announce(bond, waiting=2, running=1)
    expect(pill).to_be_visible()
    expect(pill).to_contain_text("3")
    announce(bond)
    expect(pill).to_be_hidden()
    session = SessionFactory(bond=bond, status="closing", message_count=1)
    sessions.announce_change(session=session, changed=["status"], now=timezone.now())
    expect(pill).to_be_visible()
    expect(pill).to_contain_text("1")
    announce(bond, waiting=1)
    expect(pill).to_contain_text("2")

    pill.click()
    expect(page.get_by_role("heading", name="Tidying memories")).to_be_visible()


def test_the_pill_leaves_room_for_the_name(browse):
    bond = BondFactory(user__username="mara", persona__name="Marian Hale")
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)

    announce(bond, waiting=2, running=1)
    expect(page.locator("[data-tidying]")).to_be_visible()
    cut = page.locator(".chat__who h1").evaluate("name => name.scrollWidth - name.clientWidth")
    assert cut == 0
