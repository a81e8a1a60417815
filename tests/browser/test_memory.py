"""Memory on its pages: forgetting and undoing, merging and splitting, exporting and erasing."""

import re
import zipfile

from playwright.sync_api import expect

from memory.models import ConceptNode
from personas.models import User
from tests.browser import steps
from tests.browser.test_conversation import open_bond
from tests.support.factories import (
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FillingFactory,
    MessageFactory,
    SessionFactory,
)

QUARREL = "The user had a quarrel with their sister."
THOUGHTS = {"They miss their sister.", "They do not like to be shouted at."}


def test_an_event_is_forgotten_with_two_that_rest_on_it_and_taken_back(browse):
    bond = BondFactory(user__username="mara", persona__name="Marian")
    line = MessageFactory(session=SessionFactory(bond=bond, status="closed"), content="My sister shouted at me.")
    quarrel = ConceptNodeFactory(bond=bond, description=QUARREL, emotional_impact=-6, sources=[line])
    for thought in THOUGHTS:
        FillingFactory(parent=ConceptNodeFactory(bond=bond, type="thought", description=thought), child=quarrel)
    page = browse(bond.user, color_scheme="dark")

    page.goto(f"/bonds/{bond.pk}/memory/")
    page.get_by_role("link", name=QUARREL).click()
    expect(page.get_by_text("My sister shouted at me.")).to_be_visible()
    page.get_by_role("link", name="Forget", exact=True).click()
    expect(page.get_by_text("2 memories are based on it")).to_be_visible()
    page.get_by_label("Also forget what is based on nothing else").check()
    page.get_by_role("button", name="Forget", exact=True).click()
    expect(page.get_by_text(QUARREL)).to_have_count(0)
    assert not ConceptNode.objects.for_bond(bond).filter(deleted_at=None).exists()

    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    page.goto(f"/bonds/{bond.pk}/memory/")
    page.get_by_role("link", name=QUARREL).click()
    for thought in THOUGHTS:
        expect(page.get_by_text(thought)).to_be_visible()


def test_a_memory_is_forgotten_with_its_messages_and_each_choice_says_what_it_does(browse):
    bond = BondFactory(user__username="mara", persona__name="Marian")
    line = MessageFactory(session=SessionFactory(bond=bond, status="closed"), content="My sister shouted at me.")
    ConceptNodeFactory(bond=bond, description=QUARREL, sources=[line])
    page = browse(bond.user, viewport={"width": 360, "height": 740})
    page.goto(f"/bonds/{bond.pk}/memory/")
    page.get_by_role("link", name=QUARREL).click()
    page.get_by_role("link", name="Forget", exact=True).click()
    whole, alone = page.get_by_label("The memory and the messages it came from"), page.get_by_label("Only the memory")
    goes, stays = page.get_by_text("The messages below are deleted from the chat"), page.get_by_text("and quote them")
    expect(whole).to_be_checked()
    expect(whole).to_have_accessible_description(re.compile("The messages below are deleted from the chat"))
    expect(goes).to_be_visible()
    expect(stays).to_be_hidden()

    whole.focus()
    page.keyboard.press("ArrowDown")
    expect(alone).to_be_checked()
    expect(alone).to_have_accessible_description(re.compile("and quote them"))
    expect(stays).to_be_visible()
    expect(goes).to_be_hidden()
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="Forget", exact=True).click()

    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.goto(f"/bonds/{bond.pk}/memory/words/?q=sister")
    expect(page.get_by_text("shouted at me")).to_have_count(0)


def test_two_people_are_merged_and_parted_again_on_a_phone(browse):
    bond = BondFactory(user__username="mara", persona__name="Marian")
    dinner = ConceptNodeFactory(bond=bond, description="Yiyang came to dinner.")
    painting = ConceptNodeFactory(bond=bond, description="小杨 paints the stairs.")
    yiyang = EntityFactory(bond=bond, canonical_name="Yiyang", nodes=[dinner])
    EntityFactory(bond=bond, canonical_name="小杨", nodes=[painting], merge_status="uncertain", merge_target=yiyang)
    page = browse(bond.user, viewport={"width": 360, "height": 740}, color_scheme="dark")

    page.goto(f"/bonds/{bond.pk}/memory/people/")
    page.get_by_role("button", name="Merge", exact=True).click()
    expect(page.get_by_role("button", name="Merge", exact=True)).to_have_count(0)
    page.goto(f"/bonds/{bond.pk}/memory/people/{yiyang.pk}/")
    expect(page.get_by_text("小杨 paints the stairs.")).to_be_visible()
    page.get_by_role("button", name="Undo merge").click()
    expect(page.locator("[data-toast-text]")).to_have_text("小杨 is restored.")
    expect(page.get_by_role("button", name="Undo merge")).to_have_count(0)

    page.goto(f"/bonds/{bond.pk}/memory/people/{yiyang.pk}/")
    expect(page.get_by_text("Yiyang came to dinner.")).to_be_visible()
    expect(page.get_by_text("小杨 paints the stairs.")).to_have_count(0)
    page.goto(f"/bonds/{bond.pk}/memory/people/")
    expect(page.get_by_role("link", name="小杨")).to_be_visible()


def test_what_a_press_in_the_timeline_did_is_said_and_the_focus_stays_there(browse):
    bond = BondFactory(user__username="mara")
    lin = EntityFactory(bond=bond, canonical_name="Lin")
    EntityFactory(bond=bond, canonical_name="Auntie Lin", merge_status="uncertain", merge_target=lin)
    page = open_bond(browse, bond)
    timeline = page.get_by_role("region", name="Memory timeline")
    button = page.get_by_role("button", name="Keep separate")
    asked = re.compile("/separate/$")

    page.route(asked, lambda route: route.abort())
    timeline.locator("> *").first.evaluate("one => one.dataset.before = ''")
    button.press("Enter")
    expect(page.locator("[data-toast-text]")).to_have_text("That did not work. Try again.")
    # It is read anew, and the button moves into what was read.
    expect(timeline.locator("[data-before]")).to_have_count(0)
    expect(button).to_be_focused()
    page.unroute(asked)
    button.press("Enter")

    expect(page.locator("[data-toast-text]").last).to_have_text("They stay separate. Nobody is asked about them again.")
    expect(button).to_have_count(0)
    expect(timeline).to_be_focused()


def test_everything_is_taken_along_and_the_account_erased(browse):
    page = browse()
    steps.sign_up(page, "mara")
    steps.choose(page, "Teo")
    steps.say(page, "My cat is called Nimbus.")
    # The greeting, and the reply.
    expect(steps.replies(page)).to_have_count(2)

    page.goto("/settings/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export", exact=True).first.click()
    with zipfile.ZipFile(download.value.path()) as archive:
        written = {name: archive.read(name).decode() for name in archive.namelist() if name.endswith(("jsonl", "md"))}
    assert [name for name, text in written.items() if "My cat is called Nimbus." in text] != []

    page.goto("/settings/erase/")
    page.locator("[name=password]").fill(steps.PASSWORD)
    page.get_by_role("button", name="Erase account").click()
    expect(page.get_by_text("Your account and all its data are erased.")).to_be_visible()
    assert not User.objects.filter(username="mara").exists()
    page.goto("/settings/")
    expect(page).to_have_url(re.compile("/accounts/login/"))
