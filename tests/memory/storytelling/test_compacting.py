import pytest

from memory.models import StoryVersion
from memory.story import settings
from memory.story.versions import points
from memory.storytelling import compacting
from memory.storytelling.work.running import StepChanged
from memory.storytelling.work.steps import hash_for_rules
from tests.memory.storytelling.telling import TellingLLM, compact, show
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory
from tests.support.story import build_point, create_scene, create_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory()


@pytest.fixture
def scenes(bond):
    session = SessionFactory(bond=bond)
    return [create_scene(bond, MessageFactory(session=session), text=f"Event {at}.") for at in range(4)]


def open_matters(count, *scenes, **more):
    return [
        build_point(f"Open matter {at}.", *(scenes[at : at + 1] or ()), part="open", id=f"p{at}", **more)
        for at in range(count)
    ]


def test_a_part_over_its_limit_is_brought_to_four_fifths(bond, scenes):
    told = bond.messages.get(pk=scenes[0].last_message_id)
    ConceptNodeFactory(bond=bond, emotional_impact=-7, sources=[told])
    happened = build_point("Mara moved.", scenes[1], id="h")
    base = create_version(bond, *scenes, points=[happened, *open_matters(11, *scenes)])

    version = compact(bond, llm=TellingLLM(answers={"story_compact": {"join": [], "drop": []}}))

    # 8 of 10 stay: the weightiest, then the newest.
    kept = [f"p{at}" for at in (0, 4, 5, 6, 7, 8, 9, 10)]
    assert [point["id"] for point in version.points] == ["h", *kept]
    assert (version.base, version.made_by, version.recaps, version.to_scene) == (
        base,
        "model",
        base.recaps,
        base.to_scene,
    )


def test_the_model_joins_before_rules_drop(bond, scenes, settings):
    settings.STORY_TOKENS = 100
    long = [
        build_point(f"Mara moved and moved again, as it was, {'x' * 60}", scenes[at], id=f"p{at}") for at in range(4)
    ]
    base = create_version(bond, *scenes, points=[*long, build_point("They met.", id="own", by="person")])
    llm = TellingLLM(answers={"story_compact": {"join": [{"points": [1, 2, 3, 4], "text": "Mara moved."}]}})

    version = compact(bond, llm=llm)

    assert show(version) == [
        ("happened", "Mara moved.", [scene.pk for scene in scenes], "model"),
        ("happened", "They met.", [], "person"),
    ]
    [call] = llm.calls
    count = points.count_tokens(points.load_points(base))
    assert f"It has grown too long: {count} tokens." in call.text
    assert "Make it shorter: 80 tokens at most." in call.text
    assert "[1] happened (weight 0): Mara moved and" in call.text
    assert "[5] (stays) happened (weight 0): They met." in call.text


def test_rules_shorten_where_the_step_says_so(bond, scenes):
    create_version(bond, *scenes, points=open_matters(11))
    llm = TellingLLM()

    version = compact(bond, llm=llm, source_hash=hash_for_rules(compacting.hash_compaction(settings.get_story(bond))))

    assert (llm.calls, len(version.points), version.made_by) == ([], 8, "rules")


@pytest.mark.parametrize(
    "told",
    [open_matters(10), open_matters(12, by="person")],
    ids=["within its limits", "a person's alone"],
)
def test_nothing_is_shortened_that_need_not_or_may_not_be(bond, told):
    version = create_version(bond, points=told)
    llm = TellingLLM()

    assert compact(bond, llm=llm) == version
    assert llm.calls == []


def test_a_version_that_changed_in_mid_call_is_left(bond):
    create_version(bond, points=open_matters(11))

    with pytest.raises(StepChanged):
        compact(bond, llm=TellingLLM(before_answer=lambda _: StoryVersion.objects.update(points=open_matters(12))))

    assert StoryVersion.objects.count() == 1


def test_a_story_of_1200_tokens_is_left_and_one_of_1201_shortened(bond):
    many = [build_point("x" * 197, id=f"p{at}") for at in range(23)]
    create_version(bond, points=[*many, build_point("x" * 197, id="last")])
    story = settings.get_story(bond)
    assert points.count_tokens(points.load_points(story.current)) == 1200
    assert not compacting.is_too_long(story, points.load_points(story.current))

    create_version(bond, points=[*many, build_point("x" * 198, id="last")])
    version = compact(bond)

    assert 900 < version.token_count <= 960
    assert version.created_at == NOW
