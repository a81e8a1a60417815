import pytest

from chat.pages.conversation.told_lines import LABELS
from chat.turns.prompting import base_context, prompt
from echovessel import tokens
from echovessel.llm.inputs import ReplyInputs
from memory.facts import firm_tokens
from memory.models import Message, Story
from memory.serializers.messages import MessageListSerializer, MessageSerializer
from memory.story.versions.points import count_line_tokens
from memory.storytelling import compacting, detecting
from personas import blocks
from personas.models import PersonaFacts
from tests.support import story
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.rest import NOT_FOUND, answered, api
from tests.support.running import claimed
from tests.support.scenes import say_turns

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_the_state_of_each_message_is_that_of_the_next_prompt(bond, settings):
    settings.STORY_ENABLED = True
    session = SessionFactory(bond=bond, status="closed")
    made = [MessageFactory.build(session=session, bond=bond, token_count=30) for _ in range(80)]
    messages = Message.objects.bulk_create(made)
    scenes = [story.create_scene(bond, messages[at]) for at in (19, 39, 59)]
    story.create_version(bond, *scenes[:2], points=[story.build_point("They met.", scenes[0])])

    found = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/inclusion/").json()

    states = {line["message"]: line["state"] for line in found["lines"]}
    assert [states[message.pk] for message in messages] == ["covered"] * 40 + ["in_window"] * 40
    assert {key: found[key] for key in ("enabled", "version", "budget", "uncovered")} == {
        "enabled": True,
        "version": 1,
        "budget": 12_000,
        "uncovered": 0,
    }
    assert found["pieces"] == [
        {"name": "story", "tokens": 3, "most": 1200, "count": 1},
        {"name": "scenes", "tokens": 0, "most": 900, "count": 0},
        {"name": "recaps", "tokens": 0, "most": 1500, "count": 0},
        {"name": "window", "tokens": 1200, "most": 4800, "count": 40},
    ]
    held = base_context.load(claimed(bond), NOW).recent_messages
    assert {message.pk for message in held} == {pk for pk, state in states.items() if state == "in_window"}


@pytest.mark.parametrize("sizes", [(), (5000, 5000), (5000, 5000, 5000, 5000)], ids=["no texts", "some", "long"])
def test_prompt_page_and_api_say_the_same_at_8k_whatever_is_written_of_the_companion(bond, settings, client, sizes):
    settings.STORY_ENABLED, settings.CONTEXT_TOKENS = True, 7000
    for label, size in zip(("persona", "style", "scenario", "user"), sizes, strict=False):
        blocks.save(
            holder=bond if label == "user" else bond.persona, label=label, content="x" * size, user=bond.user, now=NOW
        )
    session = SessionFactory(bond=bond, status="closed")
    made = [MessageFactory.build(session=session, bond=bond, token_count=30, content="We met.") for _ in range(120)]
    messages = Message.objects.bulk_create(made)

    asked = MessageListSerializer(child=MessageSerializer()).to_representation(messages)
    of_messages = {one["id"]: one["memory_state"] for one in asked}
    found = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/inclusion/").json()
    client.force_login(bond.user)
    ids = ",".join(str(message.pk) for message in messages)
    pages = client.get(f"/bonds/{bond.pk}/lines/told/?lines={ids}").json()["lines"]
    inclusion = base_context.load(claimed(bond), NOW).inclusion

    assert of_messages == dict(inclusion.messages.states)
    assert {line["message"]: line["state"] for line in found["lines"]} == dict(inclusion.messages.states)
    assert {pk: LABELS[state] for pk, state in inclusion.messages.states.items()} == {
        int(pk): one["label"] for pk, one in pages.items()
    }
    assert found["budget"] == inclusion.caps.budget == {0: 5500, 2: 3000, 4: 500}[len(sizes)]


@pytest.mark.parametrize(
    "labels", [(), ("persona",), ("persona", "style", "scenario")], ids=["no texts", "some", "long"]
)
def test_scenes_and_the_story_are_planned_by_the_prompts_own_numbers_at_8k(bond, settings, labels):
    settings.STORY_ENABLED, settings.CONTEXT_TOKENS = True, 7000
    for label in labels:
        blocks.save(holder=bond.persona, label=label, content="x" * 4800, user=bond.user, now=NOW)
    lines = say_turns(bond, 130, text="My cat jumps on my face at night, and then the dog wakes up, too.")
    scenes = [
        story.create_scene(bond, lines[at], text=f"At {at} the cat jumped. {'y' * 90}") for at in (19, 39, 59, 79)
    ]
    story.create_version(bond, *scenes[:2], points=[story.build_point("They met. " + "x" * 60, scenes[0])])

    caps = base_context.load(claimed(bond), NOW).inclusion.caps

    found = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/inclusion/").json()
    assert {piece["name"]: piece["most"] for piece in found["pieces"]} == {
        "story": caps.story,
        "scenes": caps.scenes,
        "recaps": caps.recaps,
        "window": caps.window,
    }
    own = Story.objects.get(bond=bond)
    talk = detecting.load_talk(bond)
    told = talk.lines[talk.begins :]
    assert detecting.is_forced(talk, own) is (sum(line.token_count for line in told) > caps.window * 5 // 4)
    assert compacting.get_limits(own).tokens == caps.story
    # No long run of letters, which a story masks as a secret.
    fits = caps.story // count_line_tokens("x" * 200)
    text = {at: "\n".join(f"{n:03} {'the cat sat ' * 16}naps" for n in range(fits + at)) for at in (0, 1)}
    put = api(bond.user).put
    assert put(f"/api/bonds/{bond.pk}/story/text/", {"content": text[1], "base": 1}, "json").status_code == 400
    assert put(f"/api/bonds/{bond.pk}/story/text/", {"content": text[0], "base": 1}, "json").status_code == 201


def test_firm_tokens_are_about_those_of_the_prompt():
    texts = {"persona": "p" * 4000, "style": "s" * 400, "scenario": "c" * 40, "user": "u" * 4}
    bond = BondFactory.build()
    bond.persona.facts = PersonaFacts(full_name="Marian of the mill", occupation="miller")
    told = ReplyInputs(
        persona_name="Marian",
        user_name="Alexander",
        burst=[],
        now=NOW,
        facts=bond.persona.facts.as_dict(),
        loaded="k" * 400,
        has_tools=True,
        has_story=True,
        has_notes_last=True,
        length="long",
        **texts,
    )
    rendered = sum(map(tokens.estimate, prompt.render_stable_sections(told)))

    assert rendered <= firm_tokens.count(bond, blocks=texts, known="k" * 400) <= rendered + 100


@pytest.mark.parametrize("has_story", [False, True], ids=["no story", "story"])
def test_a_bond_without_messages_has_none(bond, settings, has_story):
    settings.STORY_ENABLED = has_story
    found = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/inclusion/").json()

    assert (found["enabled"], found["version"], found["lines"]) == (has_story, None, [])


def test_strangers_see_nothing(bond):
    charlie = api(BondFactory(user__username="charlie").user)

    assert answered(charlie.get(f"/api/bonds/{bond.pk}/memory/inclusion/")) == NOT_FOUND
