"""What the tab Story says and asks: of ends that move, many scenes, messages that are told nowhere, chats being remembered."""

import re
from datetime import timedelta

import pytest

from memory.models import Message, Scene, Story, StoryStep
from tests.chat.pages.memory.story.test_story_pages import browser, press, read, url
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory, UserFactory
from tests.support.story import create_scene, create_version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def story_on(settings):
    settings.STORY_ENABLED = True


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def say(bond, count, *, apart=timedelta(0), **columns):
    session = SessionFactory(bond=bond, status="closed", message_count=count)
    made = [
        MessageFactory.build(
            session=session, bond=bond, content=f"Line {n}.", created_at=NOW - (count - n) * apart, **columns
        )
        for n in range(count)
    ]
    return Message.objects.bulk_create(made)


def test_the_end_of_a_scene_moves_within_its_neighbours(bond):
    said = say(bond, 30)
    first, second = create_scene(bond, said[9]), create_scene(bond, said[19])
    create_version(bond, first, second)
    page = read(bond, f"scenes/{first.pk}/")
    offered = [line.pk for line in said if f'value="{line.pk}"' in page]

    # Two messages stay on either side, and ten are offered.
    assert offered == [line.pk for line in said[1:18]]
    assert "Saved." in press(bond, f"scenes/{first.pk}/act/", act="move", last_message=said[5].pk)

    assert list(Scene.objects.order_by("last_message_id").values_list("last_message_id", flat=True)) == [
        said[5].pk,
        said[19].pk,
    ]
    assert set(Story.objects.get().current.untold) == {first.pk, second.pk}


@pytest.mark.parametrize(
    "last", [None, "", "x", 0, 19, 25], ids=["none", "empty", "word", "one message", "end", "behind"]
)
def test_an_end_that_cannot_be_there_is_refused(bond, last):
    said = say(bond, 30)
    scene, _ = create_scene(bond, said[9]), create_scene(bond, said[19])
    fields = {} if last is None else {"last_message": said[last].pk if isinstance(last, int) else last}

    assert "Saved." not in press(bond, f"scenes/{scene.pk}/act/", act="move", **fields)
    scene.refresh_from_db()
    assert scene.last_message_id == said[9].pk


@pytest.mark.parametrize(("count", "is_asked"), [(50, False), (51, True)])
def test_above_fifty_scenes_the_page_asks_first(bond, count, is_asked):
    said = say(bond, count)
    for line in said:
        create_scene(bond, line)

    page = press(bond, "story/tell/")

    assert ("Rewrite the whole story?" in page, StoryStep.objects.exists()) == (is_asked, not is_asked)
    if is_asked:
        assert "<dd>51</dd>" in page
        assert "Tidying memories" in press(bond, "story/tell/", sure="yes")
    assert StoryStep.objects.filter(kind="scene_recap").count() == count


@pytest.mark.parametrize(("count", "is_asked"), [(50, False), (51, True)])
def test_chats_of_before_are_cut_into_many_scenes_once_somebody_says_so(bond, count, is_asked):
    say(bond, count, apart=timedelta(hours=1), token_count=600)

    assert ("would become more than 50 scenes" in read(bond, "story/")) is is_asked
    press(bond, "story/tell/")
    assert Scene.objects.count() == (0 if is_asked else count)
    press(bond, "story/tell/", sure="yes")

    assert Scene.objects.count() == count
    assert StoryStep.objects.filter(kind="scene_recap", state="waiting").count() == count


@pytest.mark.parametrize(
    ("tokens", "said"),
    [([600] * 8, None), ([1_200] + [500] * 8, "One message is"), ([600] * 9, "2 messages are")],
    ids=["none", "one", "two"],
)
def test_messages_that_are_told_nowhere_are_counted(bond, tokens, said):
    for count in tokens:
        say(bond, 1, token_count=count)
    Story.objects.create(bond=bond, recap_limit=0)

    page = read(bond, "story/")

    assert ("told nowhere yet" in page) is bool(said)
    assert said is None or f"{said} told nowhere yet" in page


@pytest.mark.parametrize(
    ("status", "count"), [("open", 0), ("closing", 1), ("consolidating", 1), ("closed", 0), ("failed", 0)]
)
def test_chats_being_remembered_count(bond, status, count):
    SessionFactory(bond=bond, status=status, message_count=2, title="The <garden>")
    SessionFactory(bond=bond, status="closing", message_count=0, channel="api")

    told, page = (" ".join(read(bond, tail).split()) for tail in ("story/", "tidying/"))
    for shown in (told, page):
        assert re.findall(r"Tidying memories \((\d+)\)", shown) == ([str(count)] if count else [])
    assert ("The &lt;garden&gt;" in page, "Everything is done" in page) == (count == 1, count == 0)


def test_a_stranger_moves_and_tells_nothing(bond):
    said = say(bond, 30)
    scene = create_scene(bond, said[9])
    charlie = browser(UserFactory(username="charlie"))
    mine = BondFactory(user__username="lin")

    acts = {f"scenes/{scene.pk}/act/": {"act": "move", "last_message": said[5].pk}, "story/tell/": {"sure": "yes"}}
    assert {charlie.post(url(bond, tail), fields).status_code for tail, fields in acts.items()} == {404}
    assert browser(mine.user).post(url(mine, f"scenes/{scene.pk}/act/"), {"act": "move"}).status_code == 404
    assert not StoryStep.objects.exists()
