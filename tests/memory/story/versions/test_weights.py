import pytest

from memory.models import Scene
from memory.story.versions import points, weights
from tests.memory.storytelling.telling import TellingLLM, compact
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory
from tests.support.story import build_content, build_point, create_scene, create_version

GRIEF, WEATHER = "Mara buried her father in Graz.", "The weather was fine on Sunday."


@pytest.fixture
def bond():
    return BondFactory()


@pytest.fixture
def lines(bond):
    session = SessionFactory(bond=bond)
    return [MessageFactory(session=session) for _ in range(4)]


@pytest.fixture
def scenes(bond, lines):
    """Two scenes: in the first one event of weight 8, and another of which there is none; in the second one of weight 5."""
    heavy, middling = create_scene(bond, lines[1]), create_scene(bond, lines[3], text="Mara sold the boat.")
    outcomes = [{"text": GRIEF, "lines": [lines[0].pk]}, {"text": WEATHER, "lines": [lines[1].pk]}]
    state = [{"label": "home", "text": "She lives with her sister.", "lines": [lines[0].pk]}]
    heavy.recap.content = build_content() | {"outcomes": outcomes, "state": state}
    heavy.recap.save()
    ConceptNodeFactory(bond=bond, emotional_impact=-8, sources=[lines[0]])
    ConceptNodeFactory(bond=bond, emotional_impact=5, sources=[lines[3]])
    return [heavy, middling]


def weigh(bond, scenes, *rows):
    told = [points.Point(**(row | {"scenes": tuple(row["scenes"])})) for row in rows]
    all_scenes = list(Scene.objects.for_bond(bond).in_order())
    recaps = {scene.pk: scene.recap_id for scene in scenes}
    return weights.load_point_weights(bond, told, recaps=recaps, scenes=all_scenes)


@pytest.mark.django_db
def test_a_point_weighs_as_what_it_tells_of_its_scene(bond, scenes):
    found = weigh(
        bond,
        scenes,
        build_point(GRIEF, scenes[0], id="said"),
        build_point("In Graz her father was buried, and Mara cried.", scenes[0], id="reworded"),
        build_point(WEATHER, scenes[0], id="light"),
        build_point("Mara buried her father; the weather was fine.", scenes[0], id="both"),
        build_point("She lives with her sister.", scenes[0], id="state", part="state", label="home"),
    )

    assert found == {"said": 8, "reworded": 8, "light": 0, "both": 8, "state": 8}


@pytest.mark.django_db
def test_a_point_in_other_words_weighs_as_the_weightiest_of_its_scenes(bond, scenes):
    found = weigh(
        bond,
        scenes,
        build_point("They grew closer.", scenes[0], id="one"),
        build_point("They grew closer.", *reversed(scenes), id="two"),
        build_point("They grew closer.", id="none"),
    )

    assert found == {"one": 8, "two": 8, "none": 0}


@pytest.mark.django_db
def test_a_kept_line_weighs_most(bond, scenes, lines):
    lines[1].kept_at = NOW
    lines[1].save()

    assert weigh(bond, scenes, build_point(WEATHER, scenes[0])) == {"p1": 10}


@pytest.mark.parametrize(("shared", "told"), [(0, False), (1, False), (2, True), (4, True)])
def test_half_of_the_terms_of_the_shorter_make_it_the_same(shared, told):
    outcome = {"a", "b", "c", "d"}
    point = {*sorted(outcome)[:shared], "v", "w", "x", "y", "z"}

    assert weights.is_told(outcome, point) is told
    assert weights.is_told(point, outcome) is told
    assert not weights.is_told(set(), point)


@pytest.mark.django_db
def test_the_light_point_of_a_heavy_scene_goes_first(bond, scenes, settings):
    rows = [
        build_point(GRIEF, scenes[0], id="grief"),
        build_point(WEATHER, scenes[0], id="weather"),
        build_point("Mara sold the boat.", scenes[1], id="boat"),
    ]
    version = create_version(bond, *scenes, points=rows)
    settings.STORY_TOKENS = points.count_tokens(points.load_points(version)) - 1

    left = compact(bond, llm=TellingLLM(answers={"story_compact": {"join": [], "drop": []}})).points

    assert [point["id"] for point in left] == ["grief", "boat"]
