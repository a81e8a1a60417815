import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.messages import window as recent_messages
from memory.models import LineRecap, Message, Scene, SceneRecap, Story, Tombstone
from memory.story import settings as story_settings
from memory.story.inclusion import included, loading
from memory.story.inclusion.message_states import State
from memory.story.versions import rules
from memory.story.versions.limits import Limits
from memory.story.versions.points import count_tokens, load_points
from tests.support import story
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond)


def talk(session, count, *, tokens=30):
    """Say so many messages, by turns of one; all at once, as they are many."""
    made = [
        MessageFactory.build(
            session=session, bond=session.bond, role=role, token_count=tokens, content=f"What was said {number}."
        )
        for number, role in zip(range(count), ["user", "persona"] * count, strict=False)
    ]
    return Message.objects.bulk_create(made)


def include(bond, **given):
    return included.include(loading.load(bond), firm_tokens=2000, **given)


def recap_line(message, text="She spoke of the harbour.", **columns):
    return LineRecap.objects.create(
        bond=message.bond,
        message=message,
        text=text,
        sources=[message.pk],
        source_hash="x",
        created_at=NOW,
        **{"made_by": "rules"} | columns,
    )


def test_without_a_story_the_window_holds_all_that_fits(bond, session):
    messages = talk(session, 100)
    shown = include(bond)

    assert [message.id for message in shown.window] == [message.pk for message in messages]
    assert (shown.version, shown.points, shown.scenes, shown.folded, shown.uncovered) == (None, [], [], [], 0)


def test_what_the_story_tells_with_two_scenes_behind_it_is_folded(bond, session):
    messages = talk(session, 100)
    scenes = [story.create_scene(bond, messages[at]) for at in (10, 30, 50, 70, 90)]
    story.create_version(bond, *scenes[:4], points=[story.build_point("The cat jumps.", scenes[0])])
    shown = include(bond)

    assert shown.window[0].id == messages[71].pk
    assert [scene.id for scene in shown.folded] == [scene.pk for scene in scenes[:4]]
    assert (shown.version, [point.text for point in shown.points], shown.scenes) == (1, ["The cat jumps."], [])


def test_nothing_outside_the_story_is_folded(bond, session):
    messages = talk(session, 100)
    scenes = [story.create_scene(bond, messages[at]) for at in (10, 30, 50, 70, 90)]
    story.create_version(bond, *scenes[:1])
    shown = include(bond)

    assert (shown.window[0].id, [scene.id for scene in shown.folded]) == (messages[11].pk, [scenes[0].pk])


def test_scenes_that_left_the_window_untold_are_told_by_their_recaps_newest_first_as_far_as_they_fit(bond, session):
    messages = talk(session, 400, tokens=60)
    scenes = [story.create_scene(bond, messages[at], text="x" * 1000) for at in range(19, 399, 20)]
    shown = include(bond)

    # The window holds 4800 tokens at most, a recap has more than 250.
    first = messages.index(next(one for one in messages if one.pk == shown.window[0].id))
    gone = [scene for scene in scenes if scene.last_message_id < messages[first].pk]
    told = [scene.scene for scene in shown.scenes]
    assert (first >= 320, len(told), told[0] < told[-1]) == (True, 3, True)
    assert set(told) <= {scene.pk for scene in scenes[len(gone) - 3 : len(gone) + 1]}
    assert shown.tokens["scenes"] <= shown.caps.scenes


def test_a_scene_wholly_in_the_window_is_told_by_its_messages_alone(bond, session):
    # Ids have gaps where other bonds talk.
    before = talk(session, 12)
    talk(SessionFactory(bond=BondFactory(user__username="lin")), 3)
    messages = talk(session, 60)
    first, second = story.create_scene(bond, before[-1]), story.create_scene(bond, messages[20])
    story.create_version(bond, first)
    shown = include(bond)

    assert shown.window[0].id == messages[0].pk
    assert (shown.scenes, shown.newest.scene) == ([], second.pk)


def test_an_untold_scene_is_told_by_its_recap_wherever_it_is(bond, session):
    messages = talk(session, 200)
    scenes = [story.create_scene(bond, messages[at], text=f"Scene {at}.") for at in range(19, 199, 20)]
    story.create_version(bond, *scenes[:8], untold=[scenes[1].pk])
    shown = include(bond)

    assert [scene.title for scene in shown.scenes] == ["Scene 39."]
    assert scenes[1].pk not in [scene.id for scene in shown.folded]
    assert shown.uncovered == 0

    SceneRecap.objects.filter(scene=scenes[1]).delete()
    assert include(bond).uncovered == 20


def test_messages_that_left_the_window_are_told_by_line_recaps(bond, session):
    messages = talk(session, 200, tokens=60)
    recap_line(messages[70], "Her boat is called Mina.")
    shown = include(bond)

    states = shown.messages.states
    first = next(at for at, message in enumerate(messages) if message.pk == shown.window[0].id)
    assert (first, states[messages[first].pk], states[messages[first - 1].pk]) == (120, "in_window", "included")
    assert shown.messages.texts[messages[first - 1].pk] == f"What was said {first - 1}."
    assert shown.messages.texts[messages[70].pk] == "Her boat is called Mina."
    assert (shown.uncovered, shown.caps.recaps) == (0, 1500)


def test_a_failed_recap_is_told_by_a_sentence_of_the_message(bond, session):
    messages = talk(session, 200, tokens=60)
    recap_line(messages[100], "", status="failed")
    recap_line(messages[101], "")
    recap_line(messages[102], "It is old.", status="outdated")
    shown = include(bond)

    assert (shown.messages.texts[messages[100].pk], shown.messages.texts[messages[102].pk]) == (
        "What was said 100.",
        "It is old.",
    )
    assert shown.messages.states[messages[101].pk] == State.NO_RECAP


def test_what_may_not_be_told_has_its_state(bond, session):
    talk(session, 1)
    out = MessageFactory(session=session, left_out=True)
    gone = MessageFactory(session=session)
    secret = MessageFactory(session=SessionFactory(bond=bond, status="closed", off_record=True))
    Tombstone.objects.create(
        bond=bond, of="node", object_id=1, mark="x", lines=[gone.pk], last_message_id=gone.pk, created_at=NOW
    )
    talk(session, 90, tokens=100)
    states = include(bond).messages.states

    assert (states[out.pk], states[gone.pk], states[secret.pk]) == ("left_out", "forgotten", "skipped")


def test_over_all_limits_messages_are_uncovered(bond, session):
    talk(session, 200, tokens=500)
    Story.objects.create(bond=bond, recap_limit=0)
    shown = include(bond)

    assert (len(shown.window), shown.uncovered) == (8, 192)


def test_messages_that_are_not_even_looked_at_are_uncovered(bond, session, monkeypatch):
    monkeypatch.setattr(loading, "_WITH_SCENES", loading._WITH_SCENES.replace("LIMIT 600", "LIMIT 30"))
    talk(session, 100)
    MessageFactory(session=session, token_count=7)
    shown = include(bond)

    assert shown.uncovered == 71


def test_a_state_of_a_scene_whose_facts_hold_no_longer_is_past(bond, session):
    messages = talk(session, 60)
    scenes = [story.create_scene(bond, messages[at]) for at in (19, 39)]
    ConceptNodeFactory(
        bond=bond, type="fact", state="superseded", facet="about_you", tier="stated", sources=[messages[5]]
    )
    points = [
        story.build_point("Lives in Vienna.", scenes[0], part="state", label="home", id="a"),
        story.build_point("Plays chess.", *scenes, part="state", label="game", id="b"),
        story.build_point("They met.", scenes[0], id="c"),
        story.build_point("My own words.", part="happened", id="d", by="person"),
    ]
    story.create_version(bond, *scenes, points=points)

    shown = include(bond)
    assert [(point.id, point.is_past, point.at is None) for point in shown.points] == [
        ("a", True, False),
        ("b", False, False),
        ("c", False, False),
        ("d", False, True),
    ]


def test_how_things_stood_is_left_out_where_a_later_scene_tells_it_otherwise(bond, session):
    messages = talk(session, 60)
    told, untold = (story.create_scene(bond, messages[at]) for at in (19, 39))
    untold.recap.content["state"] = [{"label": "舞蹈课", "text": "The class is on Friday.", "lines": [messages[30].pk]}]
    untold.recap.save()
    points = [
        story.build_point("The class is on Wednesday.", told, part="state", label="舞蹈课", id="a"),
        story.build_point("Mara has a cat.", told, part="state", label="猫", id="b"),
        story.build_point("My own words.", part="state", label="舞蹈课", id="c", by="person"),
    ]
    story.create_version(bond, told, points=points)

    assert [point.id for point in include(bond).points] == ["b", "c"]


def test_a_story_over_its_cap_loses_what_happened_longest_ago(bond, session, settings):
    settings.STORY_TOKENS = 90
    [scene] = [story.create_scene(bond, talk(session, 20)[-1])]
    points = [story.build_point("x" * 120, scene, id=f"p{number}") for number in range(4)]
    story.create_version(bond, scene, points=[*points, story.build_point("y", scene, part="open", id="o")])

    assert [point.id for point in include(bond).points] == ["p2", "p3", "o"]


@pytest.mark.parametrize("most", [*range(0, 170, 10)])
def test_a_story_over_its_cap_loses_what_rules_would_drop_and_last_what_a_person_wrote(bond, session, settings, most):
    scenes = [story.create_scene(bond, last) for last in talk(session, 80)[9::10]]
    parts = ["happened"] * 5 + ["open"] * 2 + ["state"]
    points = [
        story.build_point("x" * 60, scene, id=f"p{at}", part=part, by="person" if at == 1 else "model", weight=weight)
        for at, (scene, part, weight) in enumerate(zip(scenes, parts, (5, 0, 7, 0, 10, 3, 1, 5), strict=True))
    ]
    version = story.create_version(bond, *scenes, points=points)
    settings.STORY_TOKENS = most

    kept = [point.id for point in include(bond).points]

    limits = Limits(points={"happened": 40, "open": 10, "state": 15}, tokens=most)
    told = load_points(version)
    weights = {point.id: point.weight for point in told}
    by_rules = rules.compact_by_rules(told, limits=limits, weights=weights)
    cost = count_tokens(told[:1])
    assert kept == ([point.id for point in by_rules] if most >= cost else [])


@pytest.fixture
def foreign():
    theirs = MessageFactory()
    scene = story.create_scene(theirs.bond, theirs, text="Charlie's secret.")
    return scene, story.create_version(theirs.bond, scene, points=[story.build_point("Charlie's secret.", scene)])


def test_a_foreign_scene_in_a_point_is_left_out_and_logged(bond, session, foreign, caplog):
    scene = story.create_scene(bond, talk(session, 20)[-1])
    version = story.create_version(bond, scene, points=[story.build_point("They met.", foreign[0])])

    [point] = include(bond).points

    assert point.at is None
    assert caplog.messages == [say_foreign("point p1", bond)]
    version.refresh_from_db()
    assert version.points[0]["scenes"] == [foreign[0].pk]


def test_a_foreign_version_is_left_out_and_logged(bond, session, foreign, caplog):
    talk(session, 20)
    Story.objects.create(bond=bond, current=foreign[1])

    shown = include(bond)

    assert (shown.version, shown.points) == (None, [])
    assert story_settings.get_story(bond).current is None
    assert caplog.messages == [say_foreign("the story", bond)] * 2
    assert Story.objects.get(bond=bond).current == foreign[1]


def test_a_foreign_recap_is_left_out_and_logged(bond, session, foreign, caplog):
    Story.objects.create(bond=bond, keep_scenes=1)
    lines = talk(session, 400, tokens=40)
    scene = story.create_scene(bond, lines[20])
    Scene.objects.filter(pk=scene.pk).update(recap=foreign[0].recap)

    assert include(bond).scenes == []
    assert caplog.messages == [say_foreign(f"scene {scene.pk}", bond)]


def test_what_is_the_bonds_own_is_not_logged(bond, session, caplog):
    lines = talk(session, 60)
    scenes = [story.create_scene(bond, lines[at]) for at in (19, 39)]
    story.create_version(bond, scenes[0], points=[story.build_point("They met.", scenes[0])])

    assert include(bond).version == 1
    assert caplog.messages == []


def say_foreign(what, bond):
    return f"scope_violation: {what} of bond {bond.pk} names what is not of this bond; it is left out"


def read(message):
    return message.pk, message.session_id, message.role, message.content, message.created_at


def test_a_turn_reads_as_before_where_nothing_is_told(bond, session):
    messages = talk(session, 50)
    pending = MessageFactory(session=session)
    later = MessageFactory(session=session)
    loaded = loading.load(bond, turn_id=pending.turn_id, up_to=pending.pk, before=pending.pk)
    before = recent_messages.load_recent(bond=bond, most=20, turn_id=pending.turn_id, up_to=pending.pk)

    assert [read(message) for message in loaded.messages[-20:]] == [read(message) for message in before]
    assert later.pk not in loaded.by_id
    assert loaded.messages[0].id == messages[0].pk


def test_it_takes_one_statement(bond, session):
    messages = talk(session, 60)
    scenes = [story.create_scene(bond, messages[at]) for at in (19, 39)]
    story.create_version(bond, scenes[0], points=[story.build_point("They met.", scenes[0])])

    with CaptureQueriesContext(connection) as queries:
        include(bond)
    assert len(queries) == 1


def test_others_are_never_read(bond, session):
    other = SessionFactory(bond=BondFactory(user__username="charlie"))
    messages = talk(other, 40)
    scene = story.create_scene(other.bond, messages[20])
    story.create_version(other.bond, scene, points=[story.build_point("Charlie's secret.", scene)])
    recap_line(messages[0])
    shown = include(bond)

    assert (shown.window, shown.points, shown.scenes, shown.folded, shown.messages.states) == ([], [], [], [], {})


@pytest.mark.parametrize("seed", range(12))
def test_whatever_was_told_nothing_is_uncovered_while_the_work_is_done(bond, session, seed):
    chance = random.Random(seed)
    messages = talk(session, chance.randint(20, 250), tokens=chance.choice([9, 30, 70]))
    ends = sorted(chance.sample(range(9, len(messages)), chance.randint(1, len(messages) // 20)))
    scenes = [story.create_scene(bond, messages[at], text=f"Until {at}.") for at in ends]
    Story.objects.create(bond=bond, keep_scenes=chance.choice([0, 1, 2, 3]))
    told = len(scenes) - chance.randint(0, 2)
    if told > 0:
        story.create_version(bond, *scenes[:told], points=[story.build_point("They met.", scenes[0])])
    shown = include(bond)

    in_story = {scene.pk for scene in scenes[: max(0, told)]}
    assert {scene.id for scene in shown.folded} <= in_story
    assert shown.uncovered == 0
    assert shown.tokens["window"] <= shown.caps.window
    first = shown.window[0].id
    assert all(scene.last_message < first for scene in shown.folded)
    assert shown.messages.tokens <= shown.caps.recaps


def test_a_bond_without_scenes_is_loaded_alike_by_either_statement(bond, session):
    messages = talk(session, 45)
    recap_line(messages[3])
    Story.objects.create(bond=bond, keep_scenes=5, paused=True)
    given = {"turn_id": messages[-1].turn_id, "up_to": messages[-1].pk, "before": messages[-1].pk}

    plain = loading.load(bond, **given, has_scenes=False)

    assert plain.messages == (full := loading.load(bond, **given)).messages
    assert (plain.scenes, plain.cited, plain.beyond, plain.version) == ([], {}, full.beyond, full.version)
    assert (plain.settings.keep_scenes, plain.settings.paused) == (5, True)
