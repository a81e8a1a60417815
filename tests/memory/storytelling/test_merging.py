from datetime import timedelta

import pytest

from echovessel.llm.errors import BadAnswerError
from memory.models import Message, Scene, SceneRecap, Story, StoryVersion
from memory.story import settings
from memory.story.inclusion.budget import FIRM_TOKENS
from memory.story.versions import due, writing
from memory.storytelling.work.running import StepChanged
from memory.storytelling.work.steps import hash_for_rules
from tests.memory.storytelling.telling import TellingLLM, merge, merge_all, show
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
)
from tests.support.story import build_content, build_point, create_scene, create_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Ilse")


@pytest.fixture
def scenes(bond):
    session = SessionFactory(bond=bond)
    texts = ["Mara moved to Porto.", "Mara found a loft.", "It rained.", "Ida called."]
    return [create_scene(bond, MessageFactory(session=session), text=text, made_by="model") for text in texts]


def add(text, *scenes, **more):
    return {"part": "happened", "text": text, "scenes": list(scenes)} | more


def recap_anew(scene, text, **more):
    columns = {"n": 2, "source_hash": scene.recap.source_hash, "made_by": "model", "created_at": NOW}
    scene.recap = SceneRecap.objects.create(
        bond=scene.bond, scene=scene, content=build_content(text, line=scene.last_message_id, **more), **columns
    )
    scene.save(update_fields=["recap"])


def test_the_next_scenes_are_added_by_the_model(bond, scenes):
    kept = build_point("They met in May.", id="k")
    create_version(bond, points=[kept])
    answer = {"add": [add("Mara moved to a loft in Porto.", 1, 2), add("Mara has 9 cats.", 3)]}

    version = merge(bond, llm=TellingLLM(answers={"story_merge": answer}))

    assert version.points[0] == kept
    assert show(version)[1:] == [("happened", "Mara moved to a loft in Porto.", [scenes[0].pk, scenes[1].pk], "model")]
    assert (version.number, version.made_by, version.base.number, version.chain) == (2, "model", 1, None)
    assert (version.from_scene, version.to_scene, version.scene_count) == (scenes[0].pk, scenes[2].pk, 3)
    assert (version.excluded_count, version.untold) == (1, [])
    assert version.recaps == {str(scene.pk): scene.recap_id for scene in scenes[:3]}


def test_the_prompt_numbers_points_and_scenes(bond, scenes):
    settings.change_settings(bond=bond, changes={"exclude_latest": 3}, now=NOW)
    points = [
        build_point("They met.", id="k", by="person"),
        build_point("Lisbon <", part="state", label="home", id="h"),
    ]
    create_version(bond, points=points)
    recap = scenes[0].recap
    recap.content = build_content(
        "Mara moved to Porto.",
        line=scenes[0].last_message_id,
        open=[{"text": "Where to live?", "lines": [1]}],
        state=[{"label": "home", "text": "Porto", "lines": [1]}],
        quotes=[{"line": 1, "text": "I moved."}],
    )
    recap.save()
    llm = TellingLLM()

    merge(bond, llm=llm)

    [call] = llm.calls
    assert call.feature == "story_merge"
    assert "<story>\n[1] (stays) happened: They met.\n[2] state (home): Lisbon &lt;\n</story>" in call.text
    assert (
        '<scenes>\n<scene number="1" day="2026-11-21">\nMara moved to Porto.\n- happened: Mara moved to Porto.\n- open: Where to live?\n'
        "- state (home): Porto\n- said: “I moved.”\n</scene>\n</scenes>" in call.text
    )
    assert "Mara found a loft." not in call.text
    assert "Ilse" in call.text
    assert "mara" in call.text


def test_known_names_are_looked_for_in_the_recaps(bond, scenes):
    EntityFactory(bond=bond, canonical_name="Joana")
    answer = {"add": [add("Mara moved to Porto with Joana.", 1), add("Ilse heard that Mara found a loft.", 2)]}

    version = merge(bond, llm=TellingLLM(answers={"story_merge": answer}))

    assert [text for _, text, *_ in show(version)] == ["Ilse heard that Mara found a loft."]


def test_what_weighs_much_is_told_whatever_the_model_leaves_out(bond, scenes):
    for scene, impact in ((scenes[0], 6), (scenes[1], -9), (scenes[2], 5)):
        told = bond.messages.get(pk=scene.last_message_id)
        ConceptNodeFactory(bond=bond, emotional_impact=impact, sources=[told])

    version = merge(bond, llm=TellingLLM(answers={"story_merge": {"add": [add("Mara moved.", 1)]}}))

    assert show(version) == [
        ("happened", "Mara moved.", [scenes[0].pk], "model"),
        ("happened", "Mara found a loft.", [scenes[1].pk], "rules"),
    ]


@pytest.mark.parametrize(
    "answer",
    [{"text": "Mara moved."}, {"add": [add("Mara has 9 cats.", 1)]}, {"drop": [{"point": 7}]}, {"add": "Mara moved."}],
    ids=["no lists", "invented", "unknown", "no list"],
)
def test_an_answer_of_which_nothing_is_left_is_a_failure(bond, scenes, answer):
    with pytest.raises(BadAnswerError, match="Nothing in the answer could be added"):
        merge(bond, llm=TellingLLM(answers={"story_merge": answer}))

    assert StoryVersion.objects.count() == 0


def test_a_model_that_sees_nothing_to_add_may_say_so(bond, scenes):
    version = merge(bond, llm=TellingLLM(answers={"story_merge": {"add": [], "change": [], "drop": []}}))

    assert (version.points, version.to_scene) == ([], scenes[2].pk)


def test_rules_merge_where_the_step_says_so(bond, scenes):
    story = settings.get_story(bond)
    batch = due.find_batch(story=story, base=None)
    llm = TellingLLM()

    version = merge(bond, llm=llm, source_hash=hash_for_rules(batch.source_hash))

    assert (llm.calls, version.made_by, version.to_scene) == ([], "rules", scenes[2].pk)
    assert [(text, by) for _, text, _, by in show(version)] == [
        ("Mara moved to Porto.", "rules"),
        ("Mara found a loft.", "rules"),
        ("It rained.", "rules"),
    ]


def edit_scene(scene):
    recap_anew(scene, "Mara moved away.")


CHANGES = {
    "recap": lambda bond, scenes: edit_scene(scenes[0]),
    "person": lambda bond, scenes: writing.edit_text(
        bond=bond, firm_tokens=FIRM_TOKENS, content="We met in May.", base=1, now=NOW
    ),
    "points": lambda bond, scenes: StoryVersion.objects.update(points=[]),
    "untold": lambda bond, scenes: StoryVersion.objects.update(untold=[1]),
    "scene": lambda bond, scenes: Scene.objects.filter(pk=scenes[1].pk).delete(),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changed_in_mid_call_is_not_written_over(bond, scenes, name):
    create_version(bond, points=[build_point("They met.", id="k")])

    def disturb(_):
        CHANGES[name](bond, scenes)
        disturbed.append((StoryVersion.objects.count(), Story.objects.get(bond=bond).current))

    disturbed = []
    with pytest.raises(StepChanged):
        merge(bond, llm=TellingLLM(before_answer=disturb))

    assert disturbed == [(StoryVersion.objects.count(), Story.objects.get(bond=bond).current)]


def test_scene_3_of_30_told_anew_leaves_later_points_as_they_were(bond):
    session = SessionFactory(bond=bond)
    scenes = [
        create_scene(bond, MessageFactory(session=session), text=f"Event number {at} came.", made_by="model")
        for at in range(31)
    ]
    before = merge_all(bond)
    recap_anew(scenes[2], "A wedding came.")
    llm = TellingLLM()

    after = merge(bond, llm=llm)

    assert (before.scene_count, after.scene_count, after.number) == (30, 30, before.number + 1)
    assert len(llm.calls) == 1
    assert "A wedding came." in llm.calls[0].text
    assert "Event number 2 came." not in llm.calls[0].text
    assert "[2] happened: Event number 1 came.\n[3] (stays, told later) happened: Event" in llm.calls[0].text
    assert after.points[:2] + after.points[3:] == before.points[:2] + before.points[3:]
    assert show(after)[2] == ("happened", "A wedding came.", [scenes[2].pk], "model")
    assert after.recaps == before.recaps | {str(scenes[2].pk): scenes[2].recap_id}
    assert after.to_scene == before.to_scene
    assert due.find_batch(story=settings.get_story(bond), base=after) is None


def test_a_withdrawn_scene_is_told_anew_and_told_from_then_on(bond, scenes):
    create_version(bond, *scenes[:3], points=[build_point("Mara left.", scenes[0], id="a")], untold=[scenes[1].pk])

    version = merge(bond)

    assert (version.untold, version.to_scene) == ([], scenes[2].pk)
    assert [(text, cited) for _, text, cited, _ in show(version)] == [
        ("Mara left.", [scenes[0].pk]),
        ("Mara found a loft.", [scenes[1].pk]),
    ]


def test_a_scene_without_anything_to_tell_leaves_the_story_without_a_call(bond, scenes):
    points = [build_point("Mara left.", scenes[0], id="a"), build_point("It rained.", scenes[1], scenes[2], id="b")]
    create_version(bond, *scenes[:3], points=points)
    for scene in scenes[:3:2]:
        bond.messages.filter(pk=scene.last_message_id).update(left_out=True)
    Scene.objects.filter(pk__in=[scenes[0].pk, scenes[2].pk]).update(recap=None)
    llm = TellingLLM()

    merge(bond, llm=llm)
    version = merge(bond, llm=llm)

    assert llm.calls == []
    assert show(version) == [("happened", "It rained.", [scenes[1].pk], "rules")]
    assert version.recaps == {str(scenes[0].pk): None, str(scenes[1].pk): scenes[1].recap_id, str(scenes[2].pk): None}


def test_what_a_person_wrote_stays_through_merges(bond, scenes):
    writing.edit_text(bond=bond, firm_tokens=FIRM_TOKENS, content="# State\n- home: Lisbon", base=None, now=NOW)
    recap_anew(scenes[0], "Mara moved to Porto.", state=[{"label": "home", "text": "Porto", "lines": [1]}])

    version = merge(bond)

    assert show(version)[0] == ("state", "Lisbon", [], "person")
    assert "Porto" not in [text for _, text, *_ in show(version)]


def test_what_nobody_took_up_again_for_long_is_open_no_more(bond, scenes):
    old, lately = scenes[:2]
    for at, days in enumerate((46, 44)):
        Message.objects.filter(pk=scenes[at].last_message_id).update(day=(NOW - timedelta(days=days)).date())
    points = [
        build_point("Pay the bill.", old, part="open", id="a"),
        build_point("See the zoo.", old, lately, part="open", id="b"),
        build_point("A person's.", old, part="open", id="c", by="person"),
        build_point("They met.", old, id="d"),
        build_point("See the doctor tomorrow.", lately, part="open", id="e"),
    ]
    create_version(bond, points=points)

    version = merge(bond, llm=TellingLLM(answers={"story_merge": {"add": [], "change": [], "drop": []}}))

    assert version.points == points[1:4]
