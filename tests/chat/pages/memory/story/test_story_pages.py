import re

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ

from chat.pages.memory.story import scene_page, story_page, tidying_page
from memory.facts import acts
from memory.models import Scene, Story, StoryStep, StoryVersion
from memory.storytelling.work import spending
from tests.support.factories import NOW, BondFactory, MessageFactory, UserFactory
from tests.support.facts import save, writer
from tests.support.rest import api
from tests.support.story import build_point, create_version
from tests.support.story_workers import spend, told_bond

pytestmark = pytest.mark.django_db

NIGHTS = "The user works nights at a bakery."


@pytest.fixture(autouse=True)
def story_on(settings):
    settings.STORY_ENABLED = True


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def told(bond):
    """Three scenes, two of them in the story."""
    scenes = told_bond(bond, scenes=3)
    points = [
        build_point("They got a cat.", scenes[0]),
        build_point("Nimbus may see a vet.", scenes[1], part="open", id="p2"),
    ]
    return scenes, create_version(bond, *scenes[:2], points=points, now=NOW)


def browser(user, language="en"):
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    return client


def url(bond, tail):
    return f"/bonds/{bond.pk}/memory/{tail}"


def read(bond, tail, **more):
    answer = browser(bond.user, **more).get(url(bond, tail))
    assert answer.status_code == 200
    return answer.content.decode()


def press(bond, tail, **fields):
    answer = browser(bond.user).post(url(bond, tail), fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_tab_has_points_by_part_with_their_scenes(bond, told):
    scenes, _ = told

    page = read(bond, "story/")

    for said in ("What happened", "They got a cat.", "Still open", "Nimbus may see a vet.", "by the offline rules"):
        assert said in page
    assert page.index("They got a cat.") < page.index("Nimbus may see a vet.")
    assert all(url(bond, f"scenes/{scene.pk}/") in page for scene in scenes)
    assert "How things stand" not in page


def test_pages_have_titles_of_their_own_and_the_tab_says_what_it_is_for(bond, told):
    scenes, _ = told

    titles = [
        re.search("<title>(.*)</title>", read(bond, tail))[1]
        for tail in ("story/", f"scenes/{scenes[0].pk}/", "tidying/")
    ]

    assert titles == [f"{name} · Marian · EchoVessel" for name in ("Story", scenes[0].title, "Tidying memories")]
    assert "Your chats as one story" in read(bond, "story/")


def test_many_scenes_are_listed_page_by_page(bond, monkeypatch):
    monkeypatch.setattr(story_page, "PAGE_SIZE", 2)
    monkeypatch.setattr(tidying_page, "PAGE_SIZE", 2)
    scenes = told_bond(bond, scenes=3)
    old, _ = (create_version(bond, *scenes[:1], points=[], now=NOW) for _ in range(2))
    Scene.objects.update(recap=None)

    tails = ("story/", "story/?page=2", "tidying/", "tidying/?page=2")
    shown = [
        sum(url(bond, f"scenes/{scene.pk}/") in page for scene in scenes)
        for page in (read(bond, tail) for tail in tails)
    ]

    assert shown == [2, 1, 2, 1]
    assert f'href="?version={old.number}&amp;page=2#scenes"' in read(bond, f"story/?version={old.number}")


def test_a_scene_of_another_bond_that_a_point_names_is_left_out(bond, told):
    [other] = told_bond(BondFactory(user__username="lin"), scenes=1)
    version = StoryVersion.objects.get()
    version.points[0]["scenes"].append(other.pk)
    version.save()

    page = read(bond, "story/")

    assert url(bond, f"scenes/{other.pk}/") not in page


def test_without_a_story_the_tab_says_how_it_comes(bond):
    page = read(bond, "story/")

    # Nothing waits, so nothing is said of that.
    assert ("No story yet" in page, "Tidying memories" in page) == (True, False)


def test_only_a_story_that_is_told_can_be_rewritten(bond):
    scenes = told_bond(bond, scenes=2)
    before = read(bond, "story/")
    create_version(bond, *scenes, points=[build_point("They got a cat.", scenes[0])], now=NOW)

    assert ["Rewrite the whole story" in page for page in (before, read(bond, "story/"))] == [False, True]


def test_switched_off_there_is_no_tab(bond, settings):
    assert url(bond, "story/") in read(bond, "doubts/")
    settings.STORY_ENABLED = False
    assert url(bond, "story/") not in read(bond, "doubts/")


def test_an_edit_is_a_version_by_you_and_one_of_an_old_base_is_refused(bond, told):
    text = "# What happened\n- They got a cat.\n- He sleeps on the bed.\n"

    assert "Saved." in press(bond, "story/edit/", content=text, base="1")
    assert Story.objects.get().current.made_by == "person"
    page = press(bond, "story/edit/", content="# What happened\n- Nothing.\n", base="1")

    assert "Saved." not in page
    assert Story.objects.get().current.number == 2
    assert "He sleeps on the bed." in page


@pytest.mark.parametrize("base", ["", "one", "1" * 5000])
def test_an_edit_of_a_base_that_is_none_is_refused(bond, told, base):
    press(bond, "story/edit/", content="# What happened\n- Nothing.\n", base=base)

    assert Story.objects.get().current.number == 1


def test_a_story_is_edited_below_headings_in_chinese(bond, told):
    scenes, before = told
    named = build_point("Mara.", scenes[1], part="state", label="preferred_name", id="p3")
    create_version(bond, *scenes[:2], points=[*before.points, named])
    page = read(bond, "story/", language="zh-Hans")
    assert "# 发生了什么" in page
    assert "- 称呼: Mara." in page

    text = "# 发生了什么\n- They got a cat.\n\n# 还没有结果\n- A vet?\n\n# 现在的情况\n- 称呼: Mara.\n"
    browser(bond.user, language="zh-Hans").post(url(bond, "story/edit/"), {"content": text, "base": "2"})

    current = Story.objects.get().current.points
    assert [(point["part"], point["text"]) for point in current[:2]] == [
        ("happened", "They got a cat."),
        ("open", "A vet?"),
    ]
    assert current[2:] == [named]


def test_versions_are_compared_chosen_pinned_deleted_and_restored(bond, told):
    scenes, first = told
    create_version(bond, scenes[0], points=[build_point("They got a white cat.", scenes[0])], now=NOW)

    page = read(bond, "story/?version=1")
    assert "This is not the current version." in page
    assert re.search(r"<ins\s*>They got a white cat\.\s*</ins>", page)

    press(bond, "story/versions/1/", act="choose")
    assert (Story.objects.get().current.number, Story.objects.get().current.points) == (3, first.points)
    press(bond, "story/versions/1/", act="pin")
    assert StoryVersion.objects.get(number=1).pinned
    press(bond, "story/versions/1/", act="unpin")
    press(bond, "story/versions/1/", act="delete")
    assert StoryVersion.objects.get(number=1).deleted_at is not None
    press(bond, "story/versions/1/", act="restore")
    first.refresh_from_db()
    assert (first.pinned, first.deleted_at) == (False, None)


@pytest.mark.parametrize(
    ("tail", "fields"),
    [
        ("story/edit/", {"content": "# What happened\n- He sleeps.\n", "base": "1"}),
        ("story/versions/1/", {"act": "delete"}),
        ("story/settings/", {"keep_scenes": 2, "exclude_latest": 0, "recap_limit": 1, "recap_min_tokens": 8}),
        ("scenes/{scene}/act/", {"act": "choose", "n": "1"}),
        ("scenes/{scene}/act/", {"act": "remove"}),
        ("scenes/{scene}/recap/", {"outcomes": "A cat came.", "open": ""}),
    ],
)
def test_what_a_person_changes_is_gone_on_with(bond, told, tail, fields):
    scenes, _ = told

    press(bond, tail.format(scene=scenes[0].pk), **{"recap_limit_kind": "percent"} | fields)

    assert ("memory.tasks.tell", bond.pk) in [(one.task["func"], *one.task["args"]) for one in OrmQ.objects.all()]


SETTINGS = {
    "enabled": "on",
    "keep_scenes": 3,
    "exclude_latest": 0,
    "recap_limit": 20,
    "recap_limit_kind": "percent",
    "recap_min_tokens": 8,
    "recap_user": "on",
}


def test_settings_are_saved_and_bounds_are_said(bond):
    assert "Saved." in press(bond, "story/settings/", **SETTINGS)
    story = Story.objects.get()
    assert (story.keep_scenes, story.exclude_latest, story.recap_limit, story.recap_persona) == (3, 0, 20, False)

    page = press(bond, "story/settings/", **SETTINGS | {"keep_scenes": 11})
    assert "less than or equal to 10" in page
    assert "at most 100" in press(bond, "story/settings/", **SETTINGS | {"recap_limit": 101})


def test_all_is_told_anew_scene_by_scene_then_the_story(bond, told):
    page = press(bond, "story/tell/")

    assert "Tidying memories (4)" in page
    assert list(StoryStep.objects.order_by("id").values_list("kind", "by", "state")) == [
        *[("scene_recap", "person", "waiting")] * 3,
        ("rebuild", "person", "waiting"),
    ]
    assert Story.objects.get().generation == 1
    assert ("memory.tasks.tell", bond.pk) in [(one.task["func"], *one.task["args"]) for one in OrmQ.objects.all()]


def test_a_scene_has_its_recap_with_the_messages(bond, told):
    scenes, _ = told

    page = read(bond, f"scenes/{scenes[1].pk}/")

    assert "2. Talk 2." in page
    assert "Talk 2 about the cat." in page
    assert "Talk 1 about the cat." not in page
    assert "a long silence" in page


def test_a_title_of_a_person_stays_and_an_empty_one_is_the_recaps(bond, told):
    [scene, *_], _ = told

    press(bond, f"scenes/{scene.pk}/act/", act="title", title="x" * 51)
    scene.refresh_from_db()
    assert (scene.title, scene.title_by) == ("x" * 47 + "…", "person")

    press(bond, f"scenes/{scene.pk}/act/", act="title", title="")
    scene.refresh_from_db()
    assert (scene.title, scene.title_by) == ("Talk 1.", "rules")


def test_a_recap_is_edited_chosen_and_wished_for_anew(bond, told):
    [scene, *_], _ = told
    written = {"outcomes": "Talk 1.\nA cat came.", "open": ""}

    assert "Saved." in press(bond, f"scenes/{scene.pk}/recap/", **written)
    scene.refresh_from_db()
    assert scene.recap.made_by == "person"
    assert [one["text"] for one in scene.recap.content["outcomes"]] == ["Talk 1.", "A cat came."]
    assert all(one["lines"] == [scene.last_message_id] for one in scene.recap.content["outcomes"])

    press(bond, f"scenes/{scene.pk}/act/", act="choose", n="1")
    scene.refresh_from_db()
    assert scene.recap.n == 1

    press(bond, f"scenes/{scene.pk}/act/", act="tell")
    assert StoryStep.objects.get().target == scene.pk


@pytest.mark.parametrize(
    ("tail", "fields"),
    [
        ("recap/", {"outcomes": "A cat came.", "open": ""}),
        *(("act/", fields) for fields in ({"act": "title", "title": "Cat"}, {"act": "move"}, {"act": "remove"})),
    ],
)
def test_a_scene_that_goes_meanwhile_is_said_to_be_gone(bond, told, monkeypatch, tail, fields):
    [scene, *_], _ = told
    Scene.objects.filter(pk=scene.pk).delete()
    monkeypatch.setattr(scene_page, "find_scene", lambda *_: scene)

    answer = browser(bond.user).post(url(bond, f"scenes/{scene.pk}/{tail}"), fields)

    assert answer.status_code == 302
    assert [str(one) for one in get_messages(answer.wsgi_request)] == ["This scene is not there any more."]


@pytest.mark.parametrize("outcomes", ["", "x" * 201, "\n".join("abcdefg"), "A \x00 cat."])
def test_a_recap_out_of_bounds_is_refused(bond, told, outcomes):
    [scene, *_], _ = told

    assert "one to six lines" in press(bond, f"scenes/{scene.pk}/recap/", outcomes=outcomes, open="")
    assert scene.recaps.count() == 1


def test_the_end_of_a_scene_is_removed(bond, told):
    [scene, *_], _ = told

    assert "continues in the next one" in press(bond, f"scenes/{scene.pk}/act/", act="remove")
    assert not Scene.objects.filter(pk=scene.pk).exists()


@pytest.fixture
def failed(bond, told):
    [scene, *_], _ = told
    return StoryStep.objects.create(
        bond=bond,
        kind="scene_recap",
        target=scene.pk,
        state="failed",
        error="model_unavailable",
        detail="The model server cannot be reached.",
        created_at=NOW,
        ended_at=NOW,
    )


def test_what_failed_says_why_and_is_tried_again_or_cancelled(bond, failed):
    page = read(bond, "tidying/")
    assert "The model server cannot be reached." in page
    assert "Recap a scene" in page

    waiting = press(bond, f"tidying/{failed.pk}/", act="retry")
    failed.refresh_from_db()
    assert (failed.state, failed.by) == ("waiting", "person")
    assert "You asked for it." in waiting
    assert f'action="{url(bond, f"tidying/{failed.pk}/")}"' in waiting

    press(bond, f"tidying/{failed.pk}/", act="cancel")
    failed.refresh_from_db()
    assert failed.state == "cancelled"


@pytest.mark.parametrize(
    ("hold", "said"),
    [("quiet", "It goes on once the chat is quiet."), ("tokens", "tokens for tidying are used up"), ("", "")],
)
def test_what_waits_says_why(bond, told, settings, hold, said):
    settings.MODEL_SERVER, settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = True, "none", "http://127.0.0.1:9/v1"
    settings.LLM_MODELS = {"main": "big", "medium": "mid", "small": "tiny"}
    if hold == "quiet":
        MessageFactory(session=bond.sessions.last(), created_at=timezone.now())
    if hold == "tokens":
        spend(bond, tokens_in=spending.TOKENS_IN_MOST, at=timezone.now())

    page = read(bond, "tidying/")

    assert said in page
    assert api(bond.user).get(f"/api/bonds/{bond.pk}/tidying/").json()["hold"] == (hold or None)


def test_work_is_paused_goes_on_and_is_all_tried_again(bond, failed):
    assert "paused" in press(bond, "tidying/act/", act="pause")
    assert Story.objects.get().paused
    press(bond, "tidying/act/", act="go_on")
    assert not Story.objects.get().paused
    press(bond, "tidying/act/", act="retry")
    failed.refresh_from_db()
    assert failed.state == "waiting"


def test_a_stranger_finds_nothing(bond, told, failed):
    [scene, *_], _ = told
    charlie = browser(UserFactory(username="charlie"))

    reads = ["story/", f"scenes/{scene.pk}/", "tidying/"]
    acts = [
        *["story/edit/", "story/settings/", "story/tell/", "story/versions/1/", f"scenes/{scene.pk}/act/"],
        *[f"scenes/{scene.pk}/recap/", "tidying/act/", f"tidying/{failed.pk}/"],
    ]

    assert {charlie.get(url(bond, tail)).status_code for tail in reads} == {404}
    assert {charlie.post(url(bond, tail), {"act": "delete"}).status_code for tail in acts} == {404}
    mine = BondFactory(user__username="lin")
    lin = browser(mine.user)
    assert {lin.get(url(mine, tail)).status_code for tail in (f"scenes/{scene.pk}/",)} == {404}
    assert {lin.post(url(mine, tail)).status_code for tail in ("story/versions/1/", f"tidying/{failed.pk}/")} == {404}
    failed.refresh_from_db()
    assert failed.state == "failed"


def test_how_the_readers_own_things_stand_is_labelled_in_their_language(bond, told):
    _, version = told
    version.points = [
        build_point("用户在三医院当护士。", part="state", label=label, id=label) for label in ("work", "boat")
    ]
    version.save()

    page = read(bond, "story/", language="zh-Hans")

    assert "<strong>工作：</strong>" in re.sub(r"\s*\n\s*", "", page)
    assert "boat" in page
    assert "你在三医院当护士。" in page


def test_how_things_stand_leaves_out_what_a_fact_told_that_is_over(bond, told):
    _, version = told
    version.points = [build_point(NIGHTS, part="state", label="work", id="p3")]
    version.save()
    job = save(bond, NIGHTS, slot="work", value="bakery").node
    before = read(bond, "story/")

    acts.end(bond=bond, node=job, writer=writer())

    assert "You work nights at a bakery." in before
    assert "You work nights at a bakery." not in read(bond, "story/")


def test_the_pages_are_in_chinese(bond, told, failed):
    [scene, *_], _ = told

    page = read(bond, "story/", language="zh-Hans")
    assert "故事" in page
    for english in (
        "What happened",
        "Still open",
        "Versions",
        "Rewrite the whole story",
        "by the offline rules",
        "messages",
    ):
        assert english not in page
    assert "整理记忆" in read(bond, "tidying/", language="zh-Hans")
    assert "重新生成" in read(bond, f"scenes/{scene.pk}/", language="zh-Hans")
