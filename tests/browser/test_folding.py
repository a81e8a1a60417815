from playwright.sync_api import expect

from tests.browser import steps
from tests.browser.looking import overflow, violations
from tests.browser.test_left_side import talk
from tests.support import story
from tests.support.factories import BondFactory


def tell(bond, count=5, each=12):
    """Scenes of the garden, the bakery and so on, all in the story; two stay as messages."""
    names = ["garden", "bakery", "boat", "piano", "market"][:count]
    said = talk(bond, *(f"The {name}, line {n}." for name in names for n in range(each)))
    scenes = [
        story.create_scene(bond, said[each * at + each - 1], text=f"A day about the {name}.")
        for at, name in enumerate(names)
    ]
    story.create_version(bond, *scenes)
    return said, scenes


def open_bond(browse, bond, **options):
    page = browse(bond.user, **options)
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)
    return page


def row(page, scene):
    return page.locator(f"#scene-{scene.pk} > button")


def test_a_folded_scene_opens_and_closes_by_keyboard(browse):
    bond = BondFactory(user__username="mara")
    said, scenes = tell(bond)
    page = open_bond(browse, bond)
    expect(page.locator(".fold")).to_have_count(3)
    expect(page.locator("[data-message]")).to_have_count(24)

    row(page, scenes[1]).focus()
    page.keyboard.press("Enter")

    expect(row(page, scenes[1])).to_have_attribute("aria-expanded", "true")
    expect(page.locator(f"#message-{said[12].pk}")).to_be_focused()
    steps.expect_announced(page, "12 messages")
    expect(page.locator("[data-message]")).to_have_count(36)

    row(page, scenes[1]).press("Enter")

    expect(row(page, scenes[1])).to_have_attribute("aria-expanded", "false")
    expect(page.locator("[data-message]")).to_have_count(24)


def test_search_leads_into_a_folded_scene(browse):
    bond = BondFactory(user__username="mara")
    said, scenes = tell(bond)
    page = open_bond(browse, bond)

    page.get_by_label("Search all messages").fill("The bakery, line 7.")
    page.locator(".found__message").first.click()

    expect(page.locator(f"#message-{said[19].pk}")).to_be_focused()
    expect(row(page, scenes[1])).to_have_attribute("aria-expanded", "true")


def test_scenes_are_listed_filtered_and_jumped_to_on_a_phone(browse):
    bond = BondFactory(user__username="mara")
    said, _ = tell(bond)
    page = open_bond(browse, bond, viewport={"width": 360, "height": 640})
    page.locator("[data-drawer=sessions]").click()
    page.get_by_role("button", name="Scenes", exact=True).press("Enter")
    expect(page.locator("[data-scene-link]")).to_have_count(5)
    assert violations(page) + overflow(page, 360) == []

    page.get_by_label("Filter scenes").fill("boat")
    expect(page.locator("[data-scene]:visible")).to_have_count(1)
    page.locator("[data-scene-link]:visible").press("Enter")

    expect(page.locator(f"#message-{said[24].pk}")).to_be_focused()
    assert violations(page) + overflow(page, 360) == []
