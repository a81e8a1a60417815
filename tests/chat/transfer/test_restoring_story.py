import json
from uuid import uuid4

import pytest

from chat.transfer import restoring
from echovessel.archives.zip_files import ArchiveError
from memory.models import Message, Scene, Story, StoryVersion
from memory.story import lines
from memory.story.inclusion import included
from memory.story.scenes import listing
from tests.support import story
from tests.support.exports import exported, files, packed, put_rows, rows
from tests.support.factories import NOW, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db

LAYERS = ("story_scenes", "story_recaps", "story_message_recaps", "story_versions", "story", "story_remarks")


def crafted(contents, layer, **changes):
    written, folder = contents
    name = f"{folder}/{layer}.jsonl"
    told = rows(written, name)
    told[-1] |= changes
    put_rows(written, name, told)
    return packed(written)


def test_a_restored_recap_is_of_the_same_texts(contents, lin):
    [bond] = restoring.restore(packed(contents[0]), user=lin, now=NOW)

    scene = Scene.objects.for_bond(bond).in_order().first()
    assert scene.recap.source_hash == lines.hash_lines(lines.load_scene(scene))
    assert not any(one.outdated for one in listing.list_scenes(bond=bond))


def test_a_restored_story_folds_and_tells_the_same(lin, settings):
    settings.STORY_ENABLED = True
    session = SessionFactory(status="closed")
    bond = session.bond
    made = [
        MessageFactory.build(session=session, bond=bond, token_count=60, content=f"Said {at}.") for at in range(120)
    ]
    messages = Message.objects.bulk_create(made)
    scenes = [story.create_scene(bond, messages[at], text=f"Until {at}.") for at in (19, 39, 59, 79)]
    points = [
        story.build_point("Mara sold her boat.", *scenes[:2]),
        story.build_point("Lives in Linz.", scenes[2], part="state", label="home", id="p2"),
    ]
    # Of a rebuild that is not done.
    story.create_version(bond, *scenes, points=points, chain=uuid4())
    told = story.create_version(bond, *scenes[:3], points=points)

    [restored] = restoring.restore(packed(files(exported(bond))), user=lin, now=NOW)

    before, after = (included.load_inclusion(one, firm_tokens=2000) for one in (bond, restored))
    assert show(after) == show(before)
    assert StoryVersion.objects.get(bond=restored).number == told.number
    assert [scene.title for scene in after.folded] == ["Until 19.", "Until 39.", "Until 59."]


def show(inclusion):
    """What a prompt tells, without ids."""
    points = [(point.part, point.label, point.text, point.at) for point in inclusion.points]
    held = [(message.content, message.created_at) for message in inclusion.window]
    scenes = [(scene.title, scene.outcomes, scene.at) for scene in inclusion.scenes]
    return points, held, scenes, [*inclusion.messages.states.values()], [scene.title for scene in inclusion.folded]


def test_a_scene_whose_last_message_is_gone_ends_with_the_one_before(contents, lin):
    written, folder = contents
    told = rows(written, f"{folder}/L2_messages.jsonl")
    scenes = rows(written, f"{folder}/story_scenes.jsonl")
    scenes[-1]["last_message_id"] = max(row["id"] for row in told) + 5
    put_rows(written, f"{folder}/story_scenes.jsonl", scenes)

    [bond] = restoring.restore(packed(written), user=lin, now=NOW)

    assert Scene.objects.for_bond(bond).in_order().last().last_message_id == bond.messages.latest("id").pk


def test_an_export_from_before_there_was_a_story_is_restored(contents, lin):
    written, folder = contents
    manifest = json.loads(written["manifest.json"])
    for name in LAYERS:
        del written[f"{folder}/{name}.jsonl"], manifest["rows"][f"{folder}/{name}.jsonl"]
    merges = rows(written, f"{folder}/L5_merges.jsonl")
    for row in merges:
        del row["moved"]["remarks"]
    put_rows(written, f"{folder}/L5_merges.jsonl", merges)
    written["manifest.json"] = json.dumps(manifest | {"rows": manifest["rows"]}).encode()

    [bond] = restoring.restore(packed(written), user=lin, now=NOW)

    assert not Scene.objects.for_bond(bond).exists()
    assert not Story.objects.filter(bond=bond).exists()


def test_what_a_story_waits_for_and_works_on_is_not_restored(contents, lin):
    [bond] = restoring.restore(packed(contents[0]), user=lin, now=NOW)

    restored = Story.objects.get(bond=bond)
    assert (restored.lease_token, restored.lease_until, restored.attempt_count) == (None, None, 0)
    assert StoryVersion.objects.for_bond(bond).filter(pk=restored.current_id).exists()


@pytest.mark.parametrize(
    ("layer", "changes", "detail"),
    [
        ("story_scenes", {"last_message_id": 0}, "has no messages"),
        ("story_scenes", {"closed_by": "boredom"}, "closed_by cannot be"),
        ("story_scenes", {"title": "x" * 51}, "title cannot be"),
        ("story_scenes", {"recap_id": 10**9}, "recap_id names"),
        ("story_recaps", {"content": {"outcomes": []}}, "content has another shape"),
        ("story_recaps", {"content": "text"}, "content is no list or object"),
        ("story_recaps", {"scene_id": 10**9}, "scene_id names"),
        ("story_versions", {"points": [{"id": "a"}]}, "points has another shape"),
        ("story_versions", {"untold": [10**9]}, "which is missing"),
        ("story_versions", {"to_scene": 10**9}, "which is missing"),
        ("story_versions", {"recaps": {"x": 1}}, "recaps has another shape"),
        ("story", {"keep_scenes": 11}, "keep_scenes cannot be"),
        ("story", {"current_id": 10**9}, "current_id names"),
        ("story_remarks", {"entity_id": 10**9}, "entity_id names"),
    ],
)
def test_a_crafted_row_is_refused(layer, changes, detail, contents, lin):
    with pytest.raises(ArchiveError, match=detail):
        restoring.restore(crafted(contents, layer, **changes), user=lin, now=NOW)


def test_a_point_with_the_id_of_another_is_refused(contents, lin):
    written, folder = contents
    [point] = rows(written, f"{folder}/story_versions.jsonl")[-1]["points"]

    with pytest.raises(ArchiveError, match="has a point twice"):
        restoring.restore(crafted(contents, "story_versions", points=[point, point]), user=lin, now=NOW)


def test_two_scenes_that_end_together_are_refused(contents, lin):
    written, folder = contents
    first = rows(written, f"{folder}/story_scenes.jsonl")[0]["last_message_id"]

    with pytest.raises(ArchiveError, match="has no messages"):
        restoring.restore(crafted(contents, "story_scenes", last_message_id=first), user=lin, now=NOW)
