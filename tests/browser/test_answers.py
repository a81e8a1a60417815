import pytest
from playwright.sync_api import expect

from echovessel.models import LedgerEntry
from tests.browser import steps
from tests.support.factories import BondFactory


@pytest.fixture
def site(served):
    return served


def test_a_temperature_is_set_and_stands_in_the_ledger_and_the_explanation(browse, model_server):
    model_server.models = ["large", "tiny"]
    bond = BondFactory(user__username="mara")
    page = browse(bond.user, locale="zh-CN")
    page.goto(f"/bonds/{bond.pk}/persona/")
    answers = page.locator("section", has=page.locator("#answers"))
    save = page.get_by_role("button", name="保存")
    answers.get_by_label("温度").fill("hot")
    save.click()
    expect(answers.locator(".field__error")).to_have_text("请输入 0 到 2 之间的数字，或留空。")
    answers.get_by_label("温度").fill("0.3")
    answers.get_by_label("模型").fill("large")
    save.click()
    expect(page.locator("[data-toasts]")).to_contain_text("已保存：模型，温度")
    expect(answers.get_by_label("温度")).to_have_value("0.3")

    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)
    steps.say(page, "你好。")
    expect(steps.replies(page)).to_have_count(1)
    page.locator(".message--persona .message__more").click()
    page.locator("#message-menu [data-act=why]").click()
    page.locator("#why summary").last.click()

    expect(page.locator("#why")).to_contain_text("由 large，温度 0.3 写成")
    assert LedgerEntry.objects.filter(feature="reply").latest("id").options == {"temperature": 0.3}
    assert [body["temperature"] for body in model_server.requests if body.get("stream")] == [0.3]
