import pytest

from memory.models import Message, Scene, SceneRecap
from memory.story.recaps import versions
from memory.story.recaps.content import RecapContent
from tests.support.factories import NOW, BondFactory
from tests.support.scenes import say_turns
from tests.support.story import build_content, create_scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene():
    bond = BondFactory()
    return create_scene(bond, say_turns(bond, 2)[3])


def add(scene, text="The model's words.", *, made_by="model", **more):
    content = RecapContent(**build_content(text))
    columns = {"model": "m", "source_hash": "0", "now": NOW} | more
    return versions.add_recap(scene=scene, content=content, made_by=made_by, **columns)


def test_the_models_recap_takes_the_place_of_the_rules(scene):
    recap = add(scene)

    stored = Scene.objects.get()
    assert (stored.recap, recap.n, recap.model, stored.title, stored.title_by) == (
        recap,
        2,
        "m",
        "The model's words.",
        "model",
    )
    assert recap.content == build_content("The model's words.")


def test_no_job_replaces_a_persons_recap_but_adds_to_it(scene):
    own = add(scene, "My words.", made_by="person", model="")

    added = add(scene)

    stored = Scene.objects.get()
    assert (stored.recap, stored.title, added.n) == (own, "My words.", 3)


def test_a_persons_title_stays(scene):
    Scene.objects.update(title="Mine", title_by="person")

    add(scene)

    assert Scene.objects.values_list("title", "title_by").get() == ("Mine", "person")


def test_a_person_chooses_any_version(scene):
    add(scene)
    first = SceneRecap.objects.get(n=1)

    versions.choose_recap(recap=first, now=NOW)

    assert Scene.objects.values_list("recap", "title").get() == (first.pk, "The cat jumps.")


def test_of_eleven_the_oldest_that_is_neither_chosen_nor_a_persons_goes(scene):
    add(scene, "My words.", made_by="person", model="")
    for _ in range(8):
        add(scene)
    assert SceneRecap.objects.count() == 10
    versions.choose_recap(recap=SceneRecap.objects.get(n=2), now=NOW)

    add(scene)

    assert sorted(SceneRecap.objects.values_list("n", flat=True)) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]


def test_a_scene_that_is_gone_gets_no_recap(scene):
    Scene.objects.filter(pk=scene.pk).delete()

    with pytest.raises(versions.SceneGone):
        add(scene)


def test_the_hash_follows_the_texts(scene):
    before = versions.load_hash(scene)
    assert before == scene.recap.source_hash

    Message.objects.filter(pk=scene.last_message_id).update(left_out=True)

    assert versions.load_hash(scene) != before
