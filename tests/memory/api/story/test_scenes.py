import pytest

from memory.models import Scene, SceneRecap
from tests.support.factories import BondFactory, MessageFactory
from tests.support.rest import NOT_FOUND, answered, api
from tests.support.story import build_content, create_scene, create_version

pytestmark = pytest.mark.django_db
AT = "2026-11-21T20:00:00Z"


def ask(method, bond, path, body=None):
    return answered(getattr(api(bond.user), method)(f"/api/bonds/{bond.pk}/scenes/{path}", body))


def test_scenes_are_listed_newest_first_with_the_open_one(bond, scenes):
    last = MessageFactory(session=bond.sessions.get())
    create_version(bond, *scenes[:1])

    status, body = ask("get", bond, "")

    assert (status, body["next"], body["previous"]) == (200, None, None)
    shown = [(one["id"], one["number"], one["state"], one["title"]) for one in body["results"]]
    assert shown == [
        (None, 4, "open", None),
        (scenes[2].pk, 3, "recapped", "Event 2 came."),
        (scenes[1].pk, 2, "recapped", "Event 1 came."),
        (scenes[0].pk, 1, "merged", "Event 0 came."),
    ]
    assert body["results"][0]["last_message"] == last.pk


def test_a_scene_says_what_it_holds(bond, scenes):
    create_version(bond, *scenes)
    first, _, last = [*bond.messages.order_by("id")][:3]

    assert ask("get", bond, f"{scenes[0].pk}/") == (
        200,
        {
            "id": scenes[0].pk,
            "number": 1,
            "title": "Event 0 came.",
            "title_by": "rules",
            "state": "merged",
            "closed_by": "silence",
            "first_message": first.pk,
            "last_message": last.pk,
            "line_count": 3,
            "token_count": 24,
            "started_at": AT,
            "ended_at": AT,
            "recap": scenes[0].recap_id,
            "outdated": False,
            "folded": False,
        },
    )


def test_a_merged_scene_before_the_window_is_folded(bond, scenes, settings):
    settings.RECENT_WINDOW_SIZE = 2
    create_version(bond, *scenes[:2])

    folded = {one["number"]: one["folded"] for one in ask("get", bond, "")[1]["results"]}

    # Two scenes stay verbatim: the third, and the one before.
    assert folded == {3: False, 2: False, 1: True}


def test_pages_of_scenes_go_on_where_the_last_ended(bond):
    session = MessageFactory(session__bond=bond).session
    for _ in range(51):
        create_scene(bond, MessageFactory(session=session))

    first = ask("get", bond, "")[1]
    second = answered(api(bond.user).get(first["next"]))[1]

    assert [one["number"] for one in first["results"] + second["results"]] == [*range(51, 0, -1)]
    assert second["next"] is None
    assert [ask("get", bond, f"?cursor={cursor}")[0] for cursor in ("x", "1" * 5000)] == [404, 404]


def test_a_person_ends_a_scene_with_a_title_of_their_own(bond):
    session = MessageFactory(session__bond=bond).session
    messages = [MessageFactory(session=session) for _ in range(5)]

    status, body = ask("post", bond, "", {"last_message": messages[2].pk, "title": "The cat"})

    assert (status, body["title"], body["title_by"], body["closed_by"]) == (201, "The cat", "person", "person")
    assert (body["number"], body["last_message"], body["state"]) == (1, messages[2].pk, "recapped")
    again = ask("post", bond, "", {"last_message": messages[2].pk})
    assert (again[0], again[1]["code"]) == (409, "conflict")
    beyond = ask("post", bond, "", {"last_message": messages[-1].pk + 1})
    assert (beyond[0], beyond[1]["code"]) == (404, "not_found")
    near = ask("post", bond, "", {"last_message": messages[3].pk})
    assert (near[0], near[1]["detail"]) == (400, "A scene has at least 2 messages, and so has the next one.")


@pytest.mark.parametrize(("length", "status"), [(50, 200), (51, 400)])
def test_a_title_has_fifty_characters_and_stays_a_persons(bond, scenes, length, status):
    answer = ask("patch", bond, f"{scenes[0].pk}/", {"title": "t" * length})

    assert answer[0] == status
    if status == 200:
        assert (answer[1]["title"], answer[1]["title_by"]) == ("t" * 50, "person")
        back = ask("patch", bond, f"{scenes[0].pk}/", {"title": ""})[1]
        assert (back["title"], back["title_by"]) == ("Event 0 came.", "rules")


def test_a_scene_is_moved_and_joined_to_the_next(bond, scenes):
    messages = [*bond.messages.order_by("id")]

    moved = ask("patch", bond, f"{scenes[0].pk}/", {"last_message": messages[3].pk})
    assert (moved[0], moved[1]["line_count"], moved[1]["outdated"]) == (200, 4, False)
    assert ask("patch", bond, f"{scenes[0].pk}/", {"last_message": messages[7].pk})[0] == 400

    assert ask("delete", bond, f"{scenes[0].pk}/") == (204, None)
    assert ask("get", bond, f"{scenes[1].pk}/")[1]["line_count"] == 6
    assert ask("get", bond, f"{scenes[0].pk}/") == NOT_FOUND


def test_recaps_are_listed_written_and_chosen(bond, scenes):
    scene = scenes[0]
    content = build_content("Mara's cat came.", line=scene.last_message_id)

    status, written = ask("post", bond, f"{scene.pk}/recaps/", {"content": content})

    assert (status, written["n"], written["made_by"], written["chosen"]) == (201, 2, "person", True)
    assert (written["content"], written["model"], written["scene"]) == (content, None, scene.pk)
    status, body = ask("get", bond, f"{scene.pk}/recaps/")
    assert [(one["n"], one["chosen"]) for one in body["results"]] == [(2, True), (1, False)]
    status, chosen = ask("post", bond, f"{scene.pk}/recaps/1/choose/")
    assert (status, chosen["n"], chosen["chosen"]) == (200, 1, True)
    assert Scene.objects.get(pk=scene.pk).recap.n == 1
    assert ask("post", bond, f"{scene.pk}/recaps/9/choose/") == NOT_FOUND


def test_a_scene_is_recapped_anew_without_content(bond, scenes):
    status, step = ask("post", bond, f"{scenes[0].pk}/recaps/")

    assert (status, step["kind"], step["target"], step["by"]) == (202, "scene_recap", scenes[0].pk, "person")


@pytest.mark.parametrize(
    "content",
    [
        {"outcomes": []},
        {"title": "x"},
        {"outcomes": [{"text": "x" * 201, "lines": [1]}]},
        {"outcomes": [{"text": "The cat.", "lines": [10**6]}]},
        {"outcomes": [{"text": "The cat.", "lines": []}]},
        "The cat.",
    ],
    ids=["no outcome", "no outcomes", "too long", "a foreign line", "no line", "a text"],
)
def test_a_content_that_is_no_recap_is_refused(bond, scenes, content):
    status, body = ask("post", bond, f"{scenes[0].pk}/recaps/", {"content": content})

    assert (status, body["code"] in ("invalid", "too_long")) == (400, True)
    assert SceneRecap.objects.filter(scene=scenes[0]).count() == 1


def test_charlie_touches_no_scene_of_maras(bond, scenes):
    charlie = BondFactory(user__username="charlie")
    content = build_content("Mine.", line=scenes[0].last_message_id)

    assert ask("get", charlie, f"{scenes[0].pk}/") == NOT_FOUND
    assert ask("patch", charlie, f"{scenes[0].pk}/", {"title": "Mine"}) == NOT_FOUND
    assert ask("delete", charlie, f"{scenes[0].pk}/") == NOT_FOUND
    assert ask("post", charlie, f"{scenes[0].pk}/recaps/", {"content": content}) == NOT_FOUND
    assert ask("post", charlie, f"{scenes[0].pk}/recaps/1/choose/") == NOT_FOUND
    assert ask("post", charlie, "", {"last_message": scenes[0].last_message_id})[0] == 404
    assert Scene.objects.get(pk=scenes[0].pk).title == "Event 0 came."
