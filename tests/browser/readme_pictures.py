"""The pictures of the README: `make pictures` writes them to docs/images/. This is no test, so no test run collects it."""

import io

import pytest
from django.conf import settings
from django.urls import reverse
from PIL import Image
from playwright.sync_api import expect

from tests.browser import looking, steps
from tests.browser.conftest import ready
from tests.browser.pages import signed_in
from tests.support import sample
from tests.support.factories import NOW, UserFactory

# By name, since the fixtures below ask for it too late.
pytestmark = pytest.mark.usefixtures("transactional_db")
FOLDER = settings.BASE_DIR / "docs" / "images"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 780}
BYTES_MOST = 150_000
REPLIES = [
    "猫会认路。我年轻的时候住在山上，有一只三花，每天夜里出去，天亮前回来，脚上总带一点湿泥。\n\n小黑今天跑了多远？",
    "那就让他睡吧，跑累了的猫，比谁都睡得踏实。\n\n碗边再放一点温水，他醒来会先找水喝。",
]
CODE = """The tide comes twice a day, so the mill can be told by a few lines:

```python
def next_grinding(high_water: datetime) -> tuple[datetime, datetime]:
    \"\"\"The stones turn from two hours after high water on.\"\"\"
    begins = high_water + timedelta(hours=2)
    return begins, begins + timedelta(hours=4, minutes=30)
```

Four and a half hours, if the sluice holds."""


@pytest.fixture
def plain(only_site, transactional_db):
    yield from ready(only_site)


@pytest.fixture
def site(request):
    """The web process with the offline rules, or with a model server where a test says so."""
    return request.getfixturevalue(getattr(request, "param", "plain"))


def shoot(page, name, *, theme="light"):
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    looking.wait_until_loaded(page)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(300)
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    place = FOLDER / f"{name}.png"
    # 256 colours are enough for pages with few, and make a picture a third as large.
    image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(place, optimize=True)
    assert place.stat().st_size <= BYTES_MOST, (name, place.stat().st_size)


def person(username, **columns):
    """Somebody who has seen the tour."""
    return UserFactory(username=username, toured_at=NOW, **columns)


def talk(page, *lines):
    for line in lines:
        # What it greeted with is stored with the first message.
        more = 1 + page.locator("[data-greeting]:visible").count()
        there = steps.replies(page).count()
        steps.say(page, line)
        expect(steps.replies(page)).to_have_count(there + more)


def test_pictures_of_the_offline_rules(browse, model_server):
    alex = person("alex", display_name="Alex", time_zone="Europe/London", is_staff=True, is_superuser=True)
    page = browse(alex, viewport=DESKTOP)
    page.goto("/companions/new/")
    shoot(page, "choose")
    steps.choose(page, "Marian Hale")
    talk(
        page,
        "I have a white cat called Nimbus. He jumps on my face at night.",
        "Remember that I can't eat nuts.",
        "What is my cat called?",
    )
    page.locator("#say").blur()
    shoot(page, "chat-offline")
    page.keyboard.press("Control+Shift+k")
    page.keyboard.type("ma")
    expect(page.locator("#palette [role=option]").first).to_be_visible()
    shoot(page, "palette", theme="dark")

    model_server.models = ["qwen3-30b", "qwen3-4b"]
    page.goto("/settings/model/?preset=ollama")
    page.locator("[name=address]").fill(model_server.url)
    page.locator("[name=main]").fill("qwen3-30b")
    page.get_by_role("button", name="Test").click()
    expect(page.locator("#tried li")).to_have_count(6, timeout=60_000)
    expect(page.locator("#tried .is-next")).to_have_count(0)
    page.locator("#tried li").last.scroll_into_view_if_needed()
    shoot(page, "model-test")


@pytest.mark.parametrize("site", ["served"], indirect=True)
def test_pictures_of_a_model(browse, site, model_server):
    user = person(username="wanying", display_name="婉莹", time_zone="Asia/Shanghai", is_staff=True, is_superuser=True)
    model_server.delay_seconds = 0
    page = browse(user, locale="zh-CN", viewport=DESKTOP)
    steps.choose(page, "沈砚")
    for line, reply in zip(["小黑今天跑出去一整天。", "刚回来，倒头就睡了。"], REPLIES, strict=True):
        model_server.will("stream", text=reply, feature="reply")
        talk(page, line)
    page.locator("#say").blur()
    shoot(page, "chat-model")

    phone = browse(person("ren", display_name="Ren"), viewport=PHONE)
    steps.choose(phone, "Marian Hale")
    shoot(phone, "greeting-phone", theme="dark")
    model_server.will("stream", text=CODE, feature="reply")
    talk(phone, "When does the mill grind?")
    expect(phone.locator(".hljs-keyword").first).to_be_visible()
    phone.locator("#say").blur()
    shoot(phone, "code-phone")


def test_pictures_of_memory(browse):
    life = sample.live()
    page = browse(client=signed_in(life, "mara"), viewport=DESKTOP)
    for name, theme in {"memory": "light", "people_graph": "dark"}.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        more = [life.nodes["mourning"].pk] if name == "memory" else []
        page.goto(reverse(name, args=[life.bond.pk, *more]))
        shoot(page, name.removeprefix("people_"), theme=theme)
    page.goto(reverse("how_memory_works"))
    shoot(page, "layers")
