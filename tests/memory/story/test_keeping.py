import pytest

from memory.forgetting import removal
from memory.models import Story
from memory.story import keeping
from memory.story.inclusion import included
from memory.story.inclusion.budget import FIRM_TOKENS
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory
from tests.support.story import build_point, create_scene, create_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory()


@pytest.fixture
def lines(bond):
    session = SessionFactory(bond=bond)
    return [MessageFactory(session=session) for _ in range(3)]


@pytest.fixture
def told(bond, lines):
    """A story of three points, of which a prompt has room for one."""
    texts = ["Mara buried her father in Graz.", "She sold the boat in Split.", "The oven in Linz is broken."]
    scenes = [create_scene(bond, line, text=text) for line, text in zip(lines, texts, strict=True)]
    points = [build_point(text, scene, id=f"p{at}") for at, (scene, text) in enumerate(zip(scenes, texts, strict=True))]
    create_version(bond, *scenes, points=points)


@pytest.fixture
def held(bond, told, settings):
    settings.STORY_TOKENS = 10
    return lambda: [point.id for point in included.load_inclusion(bond, firm_tokens=FIRM_TOKENS).points]


def test_what_is_kept_stays_in_the_next_prompt_and_what_is_let_go_leaves_it(lines, held):
    assert held() == ["p2"]

    keeping.keep(message=lines[0], note=None, now=NOW)
    assert held() == ["p0"]

    keeping.let_go(message=lines[0], now=NOW)
    assert held() == ["p2"]


def test_what_is_forgotten_weighs_nothing_in_the_next_prompt(bond, lines, held):
    heavy = ConceptNodeFactory(bond=bond, emotional_impact=-9, sources=[lines[0]])
    ConceptNodeFactory(bond=bond, emotional_impact=4, sources=[lines[1]])
    keeping.keep(message=lines[2], note=None, now=NOW)
    keeping.let_go(message=lines[2], now=NOW)
    assert held() == ["p0"]

    removal.forget_node(node=heavy, now=NOW)

    assert held() == ["p1"]


def test_a_bond_without_a_story_keeps_too(bond, lines):
    keeping.keep(message=lines[0], note="That evening.", now=NOW)

    lines[0].refresh_from_db()
    assert lines[0].kept_at == NOW
    assert not Story.objects.exists()
