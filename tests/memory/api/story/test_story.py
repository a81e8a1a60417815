import pytest

from memory.models import SceneRecap, Story, StoryStep, StoryVersion
from tests.support.factories import BondFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal
from tests.support.story import build_point, create_version, shown

pytestmark = pytest.mark.django_db
AT = "2026-11-21T20:00:00Z"
SETTINGS = {
    "enabled": True,
    "paused": False,
    "recap_user": True,
    "recap_persona": True,
    "keep_scenes": 2,
    "exclude_latest": 1,
    "recap_limit": 10,
    "recap_min_tokens": 8,
    "recap_limit_kind": "percent",
}


def get(bond, path="story/", **query):
    return answered(api(bond.user).get(f"/api/bonds/{bond.pk}/{path}", query))


def test_a_bond_has_a_story_without_a_version_at_first():
    bond = BondFactory()

    assert get(bond) == (200, {"version": None, "waiting": 0, "uncovered": 0, "settings": SETTINGS})


def test_the_story_has_its_version_with_points_and_text(bond, scenes):
    points = [
        build_point("Mara moved.", scenes[0], id="a"),
        build_point("Porto", scenes[1], part="state", label="home", id="b", by="person"),
    ]
    # What a model has told is not told again.
    SceneRecap.objects.update(made_by="model")
    base = create_version(bond)
    create_version(bond, *scenes, points=points, base=base, token_count=9, made_by="model")

    status, body = get(bond)

    assert (status, body["waiting"], body["uncovered"], body["settings"]) == (200, 0, 0, SETTINGS)
    assert body["version"] == {
        "id": 2,
        "number": 2,
        "current": True,
        "points": [
            shown(points[0]) | {"label": None},
            shown(points[1]),
        ],
        "text": "# What happened\n- Mara moved.\n\n# How things stand\n- home: Porto",
        "token_count": 9,
        "scene_count": 3,
        "excluded_count": 0,
        "from_scene": scenes[0].pk,
        "to_scene": scenes[2].pk,
        "untold": [],
        "base": 1,
        "made_by": "model",
        "pinned": False,
        "created_at": AT,
        "deleted_at": None,
    }


def test_what_waits_is_counted(bond, scenes):
    SceneRecap.objects.update(made_by="model")

    assert get(bond)[1]["waiting"] == 1


def patch(bond, body):
    return answered(api(bond.user).patch(f"/api/bonds/{bond.pk}/story/", body))


def test_settings_are_changed_one_by_one(bond):
    status, body = patch(bond, {"settings": {"keep_scenes": 0, "recap_limit": 400, "recap_limit_kind": "absolute"}})

    assert status == 200
    assert body["settings"] == SETTINGS | {"keep_scenes": 0, "recap_limit": 400, "recap_limit_kind": "absolute"}
    assert patch(bond, {"settings": {}})[1]["settings"] == body["settings"]


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"keep_scenes": 11}, "invalid", "settings.keep_scenes"),
        ({"exclude_latest": 6}, "invalid", "settings.exclude_latest"),
        ({"recap_limit_kind": "lines"}, "invalid", "settings.recap_limit_kind"),
        ({"color": 1}, "unknown_field", "settings.color"),
    ],
)
def test_settings_out_of_bounds_are_refused_by_name(bond, changes, code, field):
    status, body = patch(bond, {"settings": changes})

    assert (status, body["code"], list(body["fields"])) == (400, code, [field])


def test_a_percentage_has_a_hundred_at_most(bond):
    detail = "recap_limit is at most 100 where recap_limit_kind is percent."

    assert patch(bond, {"settings": {"recap_limit": 101}}) == (400, refusal("invalid", detail))


def put(bond, content, base):
    body = {"content": content, "base": base}
    return answered(api(bond.user).put(f"/api/bonds/{bond.pk}/story/text/", body))


def test_the_story_is_written_by_hand(bond, scenes):
    kept = build_point("Mara moved.", scenes[0], id="a")
    create_version(bond, *scenes, points=[kept])

    status, body = put(bond, "# What happened\n- Mara moved.\n- Ida is her sister.", 1)

    assert (status, body["number"], body["made_by"], body["current"]) == (201, 2, "person", True)
    assert [(point["text"], point["by"]) for point in body["points"]] == [
        ("Mara moved.", "rules"),
        ("Ida is her sister.", "person"),
    ]
    assert put(bond, body["text"], 2)[0] == 200
    assert StoryVersion.objects.count() == 2


def test_writing_over_another_version_is_a_conflict(bond):
    create_version(bond)
    detail = "The story has changed since you opened it. Read it again before you write."

    assert put(bond, "Mara moved.", None) == (409, refusal("conflict", detail))


@pytest.mark.parametrize(
    ("content", "code", "detail"),
    [
        ("# Gossip\nThey met.", "invalid", "The headings of a story are"),
        ("x" * 201, "too_long", "A line of the story has 200 characters at most; this one has 201"),
        ("\n".join(f"Line {at}" for at in range(41)), "too_long", "Below “What happened” you wrote 41 lines"),
        ("x" * 100_001, "too_long", "content: This text has 100001 characters"),
        ("", "invalid", "There is no story yet, and this says nothing."),
    ],
)
def test_what_is_no_story_is_refused_with_a_sentence(bond, content, code, detail):
    status, body = put(bond, content, None)

    assert (status, body["code"], body["detail"][: len(detail)]) == (400, code, detail)
    assert StoryVersion.objects.count() == 0


def tell(bond, **body):
    return answered(api(bond.user).post(f"/api/bonds/{bond.pk}/story/tell/", body))


def test_the_story_a_scene_or_everything_is_told_anew(bond, scenes):
    status, [step] = tell(bond)
    assert (status, step["kind"], step["target"], step["state"], step["by"]) == (202, "rebuild", 0, "waiting", "person")

    status, [step] = tell(bond, scene=scenes[1].pk)
    assert (status, step["kind"], step["target"]) == (202, "scene_recap", scenes[1].pk)

    status, steps = tell(bond, all=True)
    assert status == 202
    assert [(step["kind"], step["target"]) for step in steps] == [
        *(("scene_recap", scene.pk) for scene in scenes),
        ("rebuild", 0),
    ]
    assert Story.objects.get(bond=bond).generation == 1


def test_an_estimate_does_nothing(bond, scenes):
    status, body = tell(bond, all=True, estimate=True)

    # Three recaps of 3 messages with 8 tokens each, and one merge; the rules cost nothing.
    assert (status, body) == (
        200,
        {"scenes": 3, "calls": 4, "tokens_in": 72 + 750 + 2800 + 1200, "tokens_out": 1600, "cost": 0.0},
    )
    assert tell(bond, estimate=True)[1]["calls"] == 1
    assert tell(bond, scene=scenes[0].pk, estimate=True)[1]["calls"] == 2
    assert StoryStep.objects.count() == 0


def test_what_to_tell_is_named_once_and_is_there(bond, scenes):
    assert tell(bond, all=True, scene=scenes[0].pk)[0] == 400
    assert tell(bond, scene=scenes[2].pk + 1) == NOT_FOUND
    assert tell(bond, scenes=3)[1]["code"] == "unknown_field"


def test_charlie_finds_nothing_of_maras_story(bond, scenes):
    create_version(bond, *scenes)
    charlie = BondFactory(user__username="charlie")

    assert answered(api(charlie.user).get(f"/api/bonds/{bond.pk}/story/")) == NOT_FOUND
    assert tell(charlie, scene=scenes[0].pk) == NOT_FOUND
