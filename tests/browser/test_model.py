from playwright.sync_api import expect

from echovessel.llm import presets
from tests.browser import looking, steps
from tests.support.factories import UserFactory


def test_an_operator_connects_a_model_server_tries_it_out_and_talks_with_it(browse, model_server):
    model_server.models = ["large", "tiny"]
    page = browse()
    steps.sign_up(page, "ada")

    page.locator("[data-menu] summary").click()
    page.get_by_role("link", name="Model server").click()
    expect(page.locator("main")).to_contain_text("No model server is connected.")
    page.get_by_role("link", name="Moonshot (Kimi)").click()
    expect(page.get_by_label("Address")).to_have_value("https://api.moonshot.cn/v1")
    # Before its scripts have run, the form is sent whole and not by them.
    page.wait_for_load_state()
    page.get_by_label("Address").fill(model_server.url)
    page.get_by_label("Key", exact=True).fill("sk-secret")
    page.get_by_role("button", name="Find models").click()
    expect(page.locator("#offers")).to_contain_text("2 models are listed")
    page.get_by_label("Main model").select_option("large")
    page.get_by_text("Other models").click()
    page.get_by_label("Small model").select_option("tiny")
    model_server.will("status", status=401)
    page.get_by_role("button", name="Test").click()
    expect(page.locator("#tried")).to_contain_text("did not accept the key")
    # Each result is there before the next check has ended.
    model_server.will("hang", feature="reply")
    page.get_by_role("button", name="Test").click()
    expect(page.locator("#tried .is-next")).to_contain_text("Reply of large is being tested")
    expect(page.locator("#tried li").nth(0)).to_contain_text("Address works")
    expect(page.locator("#tried li").nth(1)).to_contain_text("List of models works")
    model_server.over.set()
    expect(page.locator("#tried .is-next")).to_have_count(0)
    page.get_by_role("button", name="Test").click()
    expect(page.locator("#tried li")).to_have_count(7)
    expect(page.locator("#tried .is-next")).to_have_count(0)
    expect(page.locator("#tried .is-wrong")).to_have_count(0)
    for theme in "light", "dark":
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        assert not looking.hindrances(page)
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_text("large replies")).to_be_visible()
    expect(page.locator("[name=key]")).to_have_value("")

    steps.choose(page, "Marian Hale")
    expect(page.get_by_text("Offline rules")).to_have_count(0)
    expect(page.locator("[data-voiceless]")).to_have_count(0)
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


def test_without_a_model_a_chat_says_once_what_cannot_be_done(browse):
    page = steps.begin(browse, "ada", "marian")

    notice = page.locator("[data-voiceless]")
    expect(notice).to_contain_text("No model is connected: Marian Hale replies by simple rules")
    expect(notice.get_by_role("link", name="Connect a model")).to_have_attribute("href", "/settings/model/")
    # Above it there is room for the face, the greeting and what one may say.
    expect(page.locator("[data-beginning] .avatar")).to_be_in_viewport(ratio=1)
    # The tour's ring stays away beside it, a keyboard's does not.
    page.locator("#say").press("Tab")
    expect(page.get_by_role("button", name="Chat off the record")).to_be_focused()
    expect(page.get_by_role("button", name="Chat off the record")).to_have_css("outline-style", "solid")
    notice.get_by_role("button", name="Close").click()

    page.reload()
    steps.wait_until_connected(page)
    expect(notice).to_be_hidden()


def test_each_preset_fills_in_its_address_and_is_connected(browse, model_server):
    """The form that is sent says nothing of the preset: that one is connected is shown by one."""
    model_server.models = ["large"]
    page = browse(UserFactory(username="ada", is_staff=True, is_superuser=True), viewport={"width": 360, "height": 740})
    page.goto("/settings/model/")
    for preset in presets.PRESETS:
        page.get_by_role("link", name=preset.name, exact=True).click()
        expect(page.locator("[name=address]")).to_have_value(preset.address)

    page.wait_for_load_state()
    page.locator("[name=address]").fill(model_server.url)
    page.locator("[name=key]").fill("sk-secret")
    page.get_by_role("button", name="Find models").click()
    expect(page.locator("#offers")).to_contain_text("One model is listed")
    page.get_by_label("Main model").select_option("large")
    page.locator("form.form .actions button:not([formaction])").first.click()
    expect(page.locator("[data-toasts]")).to_contain_text("Connected.")
    expect(page.get_by_text("large replies")).to_be_visible()
