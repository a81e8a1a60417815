import re

import pytest
from django.urls import reverse

from chat.pages.conversation import folding, stretches
from memory.models import Scene, Story
from tests.support import story
from tests.support.factories import BondFactory, MessageFactory, SessionFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def told(settings):
    settings.STORY_ENABLED = True


@pytest.fixture
def mara(client):
    user = UserFactory(username="mara")
    client.force_login(user)
    return user


@pytest.fixture
def bond(mara):
    return BondFactory(user=mara)


@pytest.fixture
def said(bond):
    session = SessionFactory(bond=bond, status="closed", message_count=12)
    return [MessageFactory(session=session, content=f"Message {number}.") for number in range(12)]


def break_behind(bond, said, *places, in_story=None):
    scenes = [story.create_scene(bond, said[at], text=f"Scene up to {at}.") for at in places]
    if in_story:
        story.create_version(bond, *scenes[:in_story])
    return scenes


def rows(html):
    return [int(pk) for pk in re.findall(r'id="scene-(\d+)"', html)]


def messages(html):
    return [int(pk) for pk in re.findall(r'id="message-(\d+)"', html)]


def ids(said):
    return [message.pk for message in said]


def get_page(client, bond):
    return client.get(reverse("bond", args=[bond.pk])).content.decode()


def get_lines(client, bond, **query):
    return client.get(reverse("bond_lines", args=[bond.pk]), query).content.decode()


@pytest.mark.parametrize(("keep", "folded"), [(0, 0), (1, 3), (2, 2), (3, 1), (4, 0)])
def test_scenes_of_the_story_fold_behind_those_that_are_kept(client, bond, said, keep, folded):
    scenes = break_behind(bond, said, 1, 3, 5, in_story=3)
    Story.objects.filter(bond=bond).update(keep_scenes=keep)

    html = get_page(client, bond)

    assert rows(html) == [scene.pk for scene in scenes[:folded]]
    assert messages(html) == ids(said[2 * folded :])


def test_a_row_says_what_happened(client, bond, said):
    break_behind(bond, said, 2, 5, 8, in_story=3)

    html = get_page(client, bond)

    assert "Scene up to 2." in html
    assert "3 messages" in html


@pytest.mark.parametrize(
    ("title", "outcomes", "shown"),
    [
        ("A walk", ["They walked.", "It rained."], "They walked."),
        ("They walked.", ["They walked.", "It rained."], "It rained."),
        ("They walked all the…", ["They walked all the way to Graz.", "It rained."], "It rained."),
        ("They walked all the…", ["They walked all the way to Graz."], "They walked all the way to Graz."),
        ("They walked.", ["They walked."], ""),
        ("", ["They walked."], "They walked."),
        ("A walk", [], ""),
    ],
)
def test_a_row_says_what_its_title_does_not(title, outcomes, shown):
    assert folding.choose_outcome(outcomes, title=title) == shown


@pytest.mark.parametrize("off", ["setting", "story", "no version"])
def test_nothing_folds_where_there_is_no_story(client, bond, said, settings, off):
    break_behind(bond, said, 1, 3, 5, in_story=None if off == "no version" else 3)
    settings.STORY_ENABLED = off != "setting"
    Story.objects.filter(bond=bond).update(enabled=off != "story")

    html = get_page(client, bond)

    assert rows(html) == []
    assert messages(html) == ids(said)


def test_a_row_opens_in_place(client, bond, said):
    scenes = break_behind(bond, said, 1, 3, 5, in_story=3)

    html = get_lines(client, bond, after=said[1].pk, before=said[3].pk + 1, down="")

    assert messages(html) == ids(said[2:4])
    assert rows(html) == []
    assert scenes[1].title == "Scene up to 3."


def test_the_first_row_opens_too(client, bond, said):
    break_behind(bond, said, 1, 3, 5, in_story=3)

    assert messages(get_lines(client, bond, after=0, before=said[1].pk + 1, down="")) == ids(said[:2])


def test_more_rows_come_by_the_gap_above(client, bond, said, monkeypatch):
    scenes = break_behind(bond, said, 1, 3, 5, 7, in_story=4)
    folds, above = folding.load_folds(bond, up_to=said[5].pk, most=2)
    assert [fold.id for fold in folds] == [scenes[1].pk, scenes[2].pk]

    html = get_lines(client, bond, before=above.before)

    assert rows(html) == [scenes[0].pk]
    assert messages(html) == []


def test_a_message_in_a_folded_scene_is_found_with_those_around_it(client, bond, said):
    scenes = break_behind(bond, said, 1, 5, 7, in_story=3)

    around = get_lines(client, bond, before=said[5].pk + 1, message=said[3].pk)
    above = get_lines(client, bond, before=said[3].pk)

    assert said[3].pk in messages(around)
    # The rest of its scene as messages, the scenes before as rows.
    assert messages(above) == ids(said[2:3])
    assert rows(above) == [scenes[0].pk]


def test_everything_can_be_shown_as_messages(client, bond, said):
    break_behind(bond, said, 1, 3, 5, in_story=3)

    assert messages(get_lines(client, bond, before=said[4].pk, lines="")) == ids(said[:4])


def test_a_scene_that_is_told_anew_stays_folded_and_says_so(client, bond, said):
    scenes = break_behind(bond, said, 1, 3, 5, 7, in_story=4)
    bond.story.current.untold = [scenes[0].pk]
    bond.story.current.save()

    html = get_page(client, bond)

    assert rows(html) == [scene.pk for scene in scenes[:3]]
    assert html.count("being rewritten") == 1


def test_a_scene_that_ends_within_a_chat_has_a_rule_with_its_title(client, bond, said):
    [scene] = break_behind(bond, said, 5)

    html = get_page(client, bond)

    assert re.search(
        rf'data-scene-end="{scene.pk}">.*?End of “Scene up to 5\.”.*?id="message-{said[6].pk}"', html, re.DOTALL
    )


def test_a_scene_that_ends_where_more_messages_are_loaded_has_its_rule_too(client, bond, said, monkeypatch):
    monkeypatch.setattr(stretches, "PAGE_SIZE", 6)
    monkeypatch.setattr(stretches, "MESSAGES_BEFORE_TARGET", 2)
    [scene] = break_behind(bond, said, 5)

    newest, around = get_page(client, bond), get_lines(client, bond, message=said[8].pk)

    for html in (newest, around):
        assert messages(html) == ids(said[6:])
        assert html.index(f'data-scene-end="{scene.pk}"') < html.index(f'id="message-{said[6].pk}"')


def test_scenes_are_listed_by_month(client, bond, said):
    break_behind(bond, said, 1, 3, 5)

    html = client.get(reverse("bond_sessions", args=[bond.pk]), {"show": "scenes"}).content.decode()

    assert re.findall(r'data-scene-link="(\d+)"', html) == [str(said[at].pk) for at in (4, 2, 0)]
    assert html.count('<h2 class="sessions__group">') == 1


def test_without_scenes_chats_are_listed(client, bond, said):
    html = client.get(reverse("bond_sessions", args=[bond.pk]), {"show": "scenes"}).content.decode()

    assert "list-scenes" not in html
    assert "data-session-link" in html


def test_a_page_takes_the_same_statements_however_many_scenes_are_folded(bond, said, django_assert_max_num_queries):
    break_behind(bond, said, *range(10), in_story=10)

    with django_assert_max_num_queries(8):
        folding.load_folds(bond, up_to=folding.find_last_folded(bond))


def test_a_stranger_sees_no_scene(client, said, bond):
    break_behind(bond, said, 1, 3, 5, in_story=3)
    client.force_login(UserFactory())

    for name in ("bond", "bond_lines", "bond_sessions"):
        assert client.get(reverse(name, args=[bond.pk]), {"show": "scenes"}).status_code == 404
    assert Scene.objects.count() == 3
