from playwright.sync_api import expect

from tests.browser import steps


def test_an_operator_connects_a_model_server_tries_it_out_and_talks_with_it(browse, model_server):
    model_server.models = ["large", "tiny"]
    page = browse()
    steps.sign_up(page, "ada")

    page.locator("[data-menu] summary").click()
    page.get_by_role("link", name="Model server").click()
    expect(page.locator("main")).to_contain_text("No model server is connected.")
    page.get_by_label("Address").fill(model_server.url)
    page.get_by_label("Key", exact=True).fill("sk-secret")
    page.get_by_role("button", name="Find models").click()
    expect(page.locator("#offers")).to_contain_text("large, tiny")
    page.get_by_label("Main model").fill("large")
    page.get_by_label("Small model").fill("tiny")
    model_server.will("status", status=401)
    page.get_by_role("button", name="Test").click()
    expect(page.locator("#tried")).to_contain_text("did not accept the key")
    page.get_by_role("button", name="Test").click()
    expect(page.locator("#tried li")).to_have_count(4)
    expect(page.locator("#tried .is-wrong")).to_have_count(0)
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_text("large replies")).to_be_visible()
    expect(page.locator("[name=key]")).to_have_value("")

    steps.choose(page, "Marian Hale")
    expect(page.get_by_text("Offline rules")).to_have_count(0)
    model_server.will("reply", text="The kettle is on.")
    steps.say(page, "Hello.")
    expect(steps.replies(page).last).to_have_text("The kettle is on.")
    assert model_server.requests[-1]["model"] == "large"
    assert {headers["authorization"] for headers in model_server.headers} == {"Bearer sk-secret"}

    page.goto("/settings/model/")
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_text("Switched off: the offline rules reply")).to_be_visible()
    page.goto("/")
    page.locator(".companion a").first.click()
    expect(page.get_by_text("Offline rules")).to_be_visible()
