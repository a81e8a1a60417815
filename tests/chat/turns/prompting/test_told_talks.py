import re
from datetime import timedelta
from itertools import pairwise

import pytest

from chat.turns.prompting import base_context, prompt_context
from echovessel.llm.offline.voice import OfflineVoice
from memory.models import Message, Scene, Story
from memory.recall import embeddings
from tests.chat.turns.test_hot_path import hot_path_queries
from tests.support import story
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory
from tests.support.fakes import FakeLLM
from tests.support.running import claimed
from tests.support.talking import say

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def told(settings):
    settings.STORY_ENABLED = True


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def talk(session, count, *, tokens=30, at=NOW - timedelta(days=3)):
    made = [
        MessageFactory.build(
            session=session,
            bond=session.bond,
            role=role,
            token_count=tokens,
            content=f"What was said {number}.",
            created_at=at + timedelta(seconds=number),
        )
        for number, role in zip(range(count), ["user", "persona"] * count, strict=False)
    ]
    return Message.objects.bulk_create(made)


@pytest.fixture
def long(bond):
    """A talk of 100 messages with two scenes that the story tells, and one that it does not."""
    messages = talk(SessionFactory(bond=bond, status="closed", summary="They spoke of the harbour."), 100)
    scenes = [story.create_scene(bond, messages[at], text=f"Until {at}.") for at in (30, 60, 90)]
    points = [
        story.build_point("Mara sold her boat.", scenes[0]),
        story.build_point("Lives in Linz.", scenes[1], part="state", label="home", id="p2"),
    ]
    story.create_version(bond, *scenes[:2], points=points)
    return messages


def since(days):
    at = NOW - timedelta(days=days)
    return {"started_at": at, "last_message_at": at, "closed_at": at}


def prompt_of(bond, line="What about my boat?", **how):
    context = prompt_context.load(base_context.load(claimed(bond, line), NOW), None)
    return context, context.assemble_prompt(**how)


def flatten(messages):
    """What a model server reads up to what changes from turn to turn."""
    whole = "\n".join(f"[{message['role']}]\n{message['content']}" for message in messages)
    return whole.partition("\n[user]\n<notes>")[0]


def test_the_prompt_holds_the_story_and_the_messages_it_does_not_tell(bond, long):
    _, made = prompt_of(bond)

    told = made.messages[0]["content"]
    assert "November 2026:\n- Mara sold her boat.\n\nHow things stand:\n- home: Lives in Linz." in told
    assert "# Further scenes" not in told
    said = "\n".join(message["content"] for message in made.messages[1:-1])
    assert (said.count("What was said"), "What was said 61." in said, "What was said 60." in said) == (39, True, False)
    assert "# Earlier talks" not in made.messages[-1]["content"]


def test_without_a_story_summaries_of_talks_are_there(bond):
    talk(SessionFactory(bond=bond, status="closed", summary="They spoke of the harbour."), 4)
    _, made = prompt_of(bond)

    assert "# Earlier talks" in made.messages[-1]["content"]
    assert "# Our story so far" not in made.messages[0]["content"]


@pytest.mark.parametrize(
    ("scene_of", "told"),
    [(1, ["Of rain.", "They built a snowman."]), (0, ["Of rain.", "Of snow."])],
    ids=["the newest talk", "an older one"],
)
def test_at_a_return_the_newest_scene_takes_the_place_of_its_own_summary(bond, scene_of, told):
    older = SessionFactory(bond=bond, status="closed", summary="Of rain.", **since(9))
    newer = SessionFactory(bond=bond, status="closed", summary="Of snow.", **since(3))
    said = [talk(older, 4, at=NOW - timedelta(days=9, minutes=1)), talk(newer, 12)]
    story.create_scene(bond, said[scene_of][-1], text="They built a snowman.")
    context, made = prompt_of(bond)

    assert context.base.is_return
    assert [summary.text for summary in made.inputs.sessions] == told


def test_a_story_that_is_switched_off_leaves_prompts_as_they_were(bond, long, settings):
    Story.objects.update(enabled=False)
    context, made = prompt_of(bond)

    settings.STORY_ENABLED = False
    again = prompt_context.load(base_context.load(context.base.turn, NOW), None).assemble_prompt()
    assert context.base.inclusion is None
    assert made.messages == again.messages


def test_it_takes_no_statement_more(bond, long):
    SessionFactory(bond=bond, loaded_at=NOW)
    ConceptNodeFactory(bond=bond, description="Inky jumps.")

    assert len(hot_path_queries(bond, "Does Inky still jump as it did last summer?")) == 8


def test_a_story_has_no_words_in_the_trace(bond, long):
    turn = say(bond, "What about my boat?", now=NOW, llm=FakeLLM("It is gone."))

    assert {name: turn.trace[name] for name in ("story", "scenes", "recaps", "window", "uncovered")} == {
        "story": {"version": 1, "count": 2, "tokens": 12},
        "scenes": {"count": 0, "tokens": 0},
        "recaps": {"count": 0, "tokens": 0},
        "window": {"count": 39, "tokens": 39 * 30},
        "uncovered": 0,
    }
    assert "boat" not in str(turn.trace)


@pytest.mark.parametrize("asked", ["What have we talked about so far?", "Tell me our story.", "我们之前聊过什么？"])
def test_without_a_model_it_tells_the_story_when_asked(bond, long, asked):
    turn = say(bond, asked, now=NOW, llm=OfflineVoice())

    [said] = Message.objects.filter(turn_id=turn.pk, role="persona")
    assert "“Mara sold her boat.”" in said.content
    assert "“Lives in Linz.”" in said.content


def test_what_was_cut_from_the_prompt_is_not_in_the_trace(bond, long, settings):
    settings.PROMPT_TOKEN_BUDGET = 500
    turn = say(bond, "What about my boat?", now=NOW, llm=FakeLLM("It is gone."))

    window = turn.trace["window"]["count"]
    _, made = prompt_of(bond, "And now?")
    assert window == len(made.inputs.recent_messages) - 2 or window <= 39
    assert turn.trace["story"]["count"] <= 2


def test_selection_never_leaves_the_story_out(bond, long):
    _, made = prompt_of(bond, "ok")

    assert "# Our story so far" in made.messages[0]["content"]


def test_an_answer_in_the_story_is_at_hand(bond, long):
    context, _ = prompt_of(bond, "Do you remember whether I sold my boat?")

    assert context.found.knowing.state == "here"


def test_the_beginning_of_a_long_talk_may_be_quoted(bond):
    Story.objects.create(bond=bond, recap_limit=0)
    session = SessionFactory(bond=bond, started_at=NOW)
    first = MessageFactory(session=session, content="My grandmother Ottilie kept bees in Trieste.", created_at=NOW)
    embeddings.embed_bond(bond_id=bond.pk)
    talk(session, 100, tokens=100, at=NOW)
    context, _ = prompt_of(bond, "Did my grandmother Ottilie keep bees in Trieste?")

    assert [quote.message.pk for quote in context.found.quotes] == [first.pk]


def test_left_out_messages_are_not_quoted(bond, long):
    session = SessionFactory(bond=bond, status="closed")
    said = "My grandmother Ottilie kept bees in Trieste."
    MessageFactory(session=session, content=said, left_out=True)
    embeddings.embed_bond(bond_id=bond.pk)
    talk(session, 60)
    context, _ = prompt_of(bond, "Did my grandmother Ottilie keep bees in Trieste?")

    assert context.found.quotes == []


def test_a_small_model_has_small_pieces(bond, settings):
    settings.CONTEXT_TOKENS = 7000
    talk(SessionFactory(bond=bond, status="closed"), 300, tokens=40)
    context, made = prompt_of(bond, has_tools=True)

    caps = context.base.inclusion.caps
    assert 4500 <= caps.budget <= 6000
    assert (caps.window, caps.recaps) == (caps.budget * 2 // 5, 700)
    assert context.base.inclusion.tokens["window"] <= caps.window
    assert made.token_count <= 7000
    assert "# Earlier in this talk" in made.messages[0]["content"]


def test_an_older_chat_that_is_gone_on_with_stands_behind_the_others(bond):
    older = SessionFactory(bond=bond, message_count=31)
    own = talk(older, 30)
    others = talk(SessionFactory(bond=bond, status="closed"), 100)
    scene, _ = story.create_scene(bond, others[40]), story.create_scene(bond, others[70])
    story.create_version(bond, scene)
    context, _ = prompt_of(bond)

    held = [message.pk for message in context.base.recent_messages]
    assert held == [*[one.pk for one in others[41:]], *[one.pk for one in own[20:]]]


def key_of(turn_context, bond):
    """What may change the beginning of a prompt."""
    inclusion = turn_context.base.inclusion
    scenes = Scene.objects.for_bond(bond).count()
    return (
        inclusion.version,
        scenes,
        inclusion.window[0].id if inclusion.window else 0,
        turn_context.base.turn.session_id,
    )


def test_what_stands_before_the_notes_only_grows(bond, settings, monkeypatch):
    settings.HISTORY_TOKENS = 600
    keys = []
    load = prompt_context.load

    def load_and_note(*given, **more):
        context = load(*given, **more)
        keys.append(key_of(context, bond))
        return context

    monkeypatch.setattr(prompt_context, "load", load_and_note)
    llm, scenes = FakeLLM(*["A reply that says a little more than nothing, to have something to count."] * 50), []
    # Ten minutes to midnight; every turn a minute, and once an hour of silence.
    now = NOW.replace(hour=22, minute=20)
    for number in range(50):
        now += timedelta(minutes=61 if number == 30 else 1)
        say(bond, f"What I have to say, number {number}, is of some length, too.", now=now, llm=llm)
        if number % 12 == 11:
            last = Message.objects.filter(bond=bond).order_by("-id").first()
            scenes.append(story.create_scene(bond, last, now=now))
        if number in (25, 37):
            story.create_version(bond, *scenes[:-1], points=[story.build_point("They met.", scenes[0])], now=now)

    prompts = [flatten(call.messages) for call in llm.calls]
    changed = [number for number, (one, other) in enumerate(pairwise(keys), 1) if one != other]
    assert len(prompts) == len(keys) == 50
    for number, (before, after) in enumerate(pairwise(prompts), 1):
        if number not in changed:
            assert after.startswith(before), number
    assert len(changed) <= 20
    assert "<when>Sunday 22 November 2026, night</when>" in prompts[-1]
    assert re.search("yesterday|today|just now", prompts[-1]) is None
