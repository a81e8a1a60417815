import pytest

from memory.forgetting import removal
from memory.models import EntityRemark, Scene, SceneRecap, StoryVersion
from memory.story import withdrawal
from memory.story.recaps import versions
from memory.story.scenes import breaks
from tests.support import story
from tests.support.factories import NOW, BondFactory, EntityFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db

SECRET = "Zymurgy"


def move(scene, said):
    breaks.move_break(scene=scene, last_message_id=said[1].pk, now=NOW)


def divide(scene, said):
    breaks.add_break(bond=scene.bond, last_message_id=said[1].pk, closed_by=Scene.ClosedBy.PERSON, now=NOW)


@pytest.mark.parametrize(("act", "told_at"), [(move, 3), (divide, 0)])
@pytest.mark.parametrize("made_by", ["rules", "person"])
def test_what_a_scene_told_of_lines_that_are_anothers_now_goes_with_them(act, told_at, made_by):
    bond = BondFactory()
    session = SessionFactory(bond=bond, status="closed")
    said = [MessageFactory(session=session, content=f"We talked about tulips, part {at}.") for at in range(8)]
    said[told_at].content = f"My project is called {SECRET}."
    said[told_at].save()
    scene = story.create_scene(bond, said[3], text=f"Mara named {SECRET}.", made_by=made_by)
    content = story.build_content(f"Mara named {SECRET}.", line=said[told_at].pk)
    SceneRecap.objects.filter(pk=scene.recap_id).update(content=content)
    other = story.create_scene(bond, said[7])
    EntityRemark.objects.create(
        bond=bond, entity=EntityFactory(bond=bond), scene=scene, text=SECRET, line=said[told_at].pk, created_at=NOW
    )
    story.create_version(bond, scene, other, points=[story.build_point("Mara keeps something to herself.", scene)])
    act(scene, said)

    withdrawn = withdrawal.preview(bond, lines=[said[told_at].pk])
    removal.forget_message(message=said[told_at], now=NOW)

    assert (withdrawn.recaps >= 2, withdrawn.points) == (True, 1)
    assert [one.content for one in SceneRecap.objects.all() if SECRET in str(one.content)] == []
    assert not EntityRemark.objects.exists()
    scene.refresh_from_db()
    assert scene.recap.source_hash == versions.load_hash(scene)
    assert StoryVersion.objects.get(bond=bond).points == []
