import re

from playwright.sync_api import expect

from tests.support.factories import BondFactory, ConceptNodeFactory, EntityFactory, FactFactory


def event(bond, description, impact):
    return ConceptNodeFactory(bond=bond, description=description, emotional_impact=impact)


def world():
    bond = BondFactory(user__username="mara", user__time_zone="UTC", persona__name="Marian")
    dinner = event(bond, "Scott came to dinner with Yiyang.", 4)
    move = event(bond, "Yiyang moves to Lisbon.", -8)
    EntityFactory(bond=bond, canonical_name="Scott", kind="person", nodes=[dinner])
    concert = event(bond, "Yiyang played.", 7)
    EntityFactory(bond=bond, canonical_name="Yiyang", kind="person", nodes=[dinner, move, concert])
    EntityFactory(bond=bond, canonical_name="Lisbon", kind="place", nodes=[move])
    return bond


def middle(node):
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_people_and_events_are_drawn_dragged_filtered_and_opened(browse):
    bond = world()
    page = browse(bond.user, reduced_motion="no-preference")
    page.goto(f"/bonds/{bond.pk}/memory/people/")
    page.get_by_role("link", name="Graph").click()
    nodes = page.locator(".node")
    # The user stands in the middle, linked to the three.
    expect(nodes).to_have_count(7)
    expect(page.locator(".link")).to_have_count(8)
    expect(page.locator(".node--you")).to_have_text("You")
    expect(page.locator("[data-said]")).to_have_text("3 people and things · 3 events")

    scott = page.locator(".node--entity").filter(has_text="Scott").locator(".node__ground")
    x, y = middle(scott)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 30, steps=4)
    page.mouse.up()
    assert [round(moved - was) for moved, was in zip(middle(scott), (x, y), strict=True)] == [40, 30]
    scott.click()
    expect(page.locator("[data-name]")).to_have_text("Scott")
    expect(page.locator(".node.is-near")).to_have_count(1)

    tip = page.locator("[data-tip]")
    page.locator(".node--event[data-impact='7'] .node__ground").hover()
    expect(tip).to_contain_text("Yiyang played.")
    scott.hover()
    expect(tip).to_be_hidden()

    page.get_by_role("listbox").focus()
    page.keyboard.press("l")
    expect(page.locator("[data-list] [aria-selected=true]")).to_contain_text("Lisbon")
    page.keyboard.press("End")
    expect(page.locator("[data-card]")).to_have_attribute("data-impact", "4")
    expect(tip).to_contain_text("Scott came to dinner with Yiyang.")
    expect(page.locator(".node.is-near")).to_have_count(2)

    page.get_by_text("Filter", exact=True).click()
    page.get_by_text("Places", exact=True).first.click()
    expect(nodes).to_have_count(3)
    page.get_by_role("listbox").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.locator("h2").first).to_have_text("Lisbon")
    page.go_back()
    expect(nodes).to_have_count(3)
    expect(page.locator("[data-list] [aria-selected=true]")).to_contain_text("Lisbon")
    page.get_by_role("searchbox").fill("violin")
    expect(page.locator("[data-none]")).to_be_visible()


def test_the_graph_on_a_phone_in_chinese_without_motion(browse):
    bond = world()
    options = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "locale": "zh-CN"}
    page = browse(bond.user, color_scheme="dark", **options)
    page.goto(f"/bonds/{bond.pk}/memory/people/graph/?q=yiyang#nothing")
    expect(page.locator("[data-said]")).to_have_text("人和事物 3 个 · 3 个事件")

    page.locator(".node--event[data-impact='-8'] .node__ground").tap()
    expect(page.locator("[data-name]")).to_have_text("Yiyang moves to Lisbon.")
    page.locator("[data-near] button").filter(has_text="Lisbon").tap()
    expect(page.locator("[data-name]")).to_have_text("Lisbon")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator("[data-open]").tap()
    expect(page).to_have_url(re.compile(r"/memory/people/\d+/$"))


def test_the_picture_is_the_page_with_the_user_in_its_middle(browse):
    bond = world()
    FactFactory(bond=bond)
    page = browse(bond.user, reduced_motion="no-preference")
    page.goto(f"/bonds/{bond.pk}/memory/people/graph/")
    stage = page.locator("[data-stage]").bounding_box()
    x, y = middle(page.locator(".node--you .node__ground"))

    expect(page.locator(".link--fact")).to_have_css("stroke-dasharray", re.compile(r"\dpx"))
    assert (stage["x"], stage["y"] + stage["height"]) == (0, 800)
    assert abs(x - stage["x"] - stage["width"] / 2) < stage["width"] / 4
    assert abs(y - stage["y"] - stage["height"] / 2) < stage["height"] / 4
