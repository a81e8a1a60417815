from datetime import date, timedelta

import pytest

from chat.turns import claiming, receiving
from chat.turns.prompting import base_context, prompt_context
from echovessel.embeddings import embedding
from memory.models import Message
from memory.recall import embeddings
from personas.models import CoreBlock
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    PersonaFactory,
    SessionFactory,
)
from tests.support.fakes import FakeLLM
from tests.support.prompt_reader import read_sections
from tests.support.talking import fill_window, say

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__time_zone="Europe/Vienna")


def block(label, content, **holder):
    CoreBlock.objects.create(label=label, content=content, updated_at=NOW, **holder)


def read(bond, *lines, channel="web", vector=None, now=LATER):
    for message in lines:
        receiving.receive(bond=bond, content=message, channel=channel, now=NOW)
    turn = claiming.claim(bond_id=bond.pk, now=LATER)
    return prompt_context.load(base_context.load(turn, now), vector, is_offline=True)


def system(found):
    return read_sections(found.assemble_prompt().messages)


def test_a_style_of_the_bonds_own_replaces_the_personas(bond):
    block("persona", "A bookseller.", persona=bond.persona)
    block("style", "Long sentences.", persona=bond.persona)
    block("user", "A violin maker.", bond=bond)
    block("style", "Short sentences.", bond=bond)
    block("user", "Of another.", bond=BondFactory(persona=bond.persona))

    assert read(bond, "Hello.").base.base_memory.blocks == {
        "persona": "A bookseller.",
        "style": "Short sentences.",
        "user": "A violin maker.",
    }


def test_an_empty_style_of_the_bonds_own_leaves_the_personas(bond):
    block("style", "Long sentences.", persona=bond.persona)
    block("style", "", bond=bond)

    assert read(bond, "Hello.").base.base_memory.blocks == {"style": "Long sentences."}


def test_all_layers_reach_the_prompt(bond):
    block("persona", "A bookseller.", persona=bond.persona)
    bond.persona.facts.occupation = "bookseller"
    bond.persona.facts.save()
    bond.mood, bond.mood_updated_at = "tender", NOW
    bond.save()
    SessionFactory(bond=bond, status="closed", summary="They spoke of the rain.", last_message_at=NOW)
    lin = EntityFactory(bond=bond, canonical_name="Lin", kind="person", description="Her sister.")
    EntityFactory(bond=bond, canonical_name="Auntie", kind="person", merge_status="uncertain", merge_target=lin)
    about = {"bond": bond, "created_at": NOW - timedelta(days=3)}
    event = ConceptNodeFactory(**about, description="Lin plays the violin.")
    lin.mentions.create(bond=bond, node=event)
    ConceptNodeFactory(**about, description="I have grown fond of her.", type="thought", subject="persona")
    ConceptNodeFactory(**about, description="She misses Lin.", type="thought", emotional_impact=5)
    ConceptNodeFactory(**about, description="She sings when she is alone.", type="thought", emotional_impact=2)
    ConceptNodeFactory(**about, description="Ask about the recital.", type="intention", subject="persona")
    ConceptNodeFactory(**about, description="She will bring the violin.", type="expectation")

    found = read(bond, "Lin was here.")

    sections = [part.partition("\n") for part in system(found).split("\n\n# ")[1:]]
    assert {heading: content for heading, _, content in sections} == {
        "Persona": "<persona>\nA bookseller.\n</persona>",
        "Who you are": "<facts>\n- occupation: bookseller\n</facts>",
        "Earlier talks": "<talks>\n- (just now) They spoke of the rain.\n</talks>",
        "How you see yourself lately": "<thoughts>\n- I have grown fond of her.\n</thoughts>",
        "What you have been thinking": "<thoughts>\n- She misses Lin.\n- She sings when she is alone.\n</thoughts>",
        "About Lin": "<about>\nHer sister.\n</about>",
        "Something to clear up": (
            "You are not sure whether <name>Auntie</name> and <name>Lin</name> are the same. If it fits, ask once, naturally."
        ),
        "What you remember": "<memories>\n- (3 days ago) Lin plays the violin.\n</memories>",
        "Promises you have made": "<promises>\n- Ask about the recital.\n</promises>",
        "What you have been expecting": "<expectations>\n- She will bring the violin.\n</expectations>",
        "How you feel right now": "<mood>tender</mood>, energy 5 of 10.",
        "Right now": "It is Saturday, 21 November 2026, 21:01, evening where mara is. This is your first talk.",
    }


@pytest.mark.parametrize(
    ("said", "felt"), [("mum didn't know who i was today", "heavy"), ("the dishwasher is on", None)]
)
def test_what_the_vector_tells_of_feelings_reaches_the_offline_voice(said, felt, bond, settings):
    settings.EMBEDDING_BACKEND = "bundled"
    [vector] = embedding.embed([said], of_question=True)

    assert read(bond, said, vector=vector).inputs.felt == felt


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [("我什么东西喝不了？", "我不能喝咖啡，一喝就心慌"), ("我什么东西都喝不了。", None), ("What can't I drink?", None)],
)
def test_what_is_nearest_to_a_chinese_question_reaches_the_offline_voice(asked, nearest, bond, settings):
    settings.EMBEDDING_BACKEND = "bundled"
    for line in ("我不能喝咖啡，一喝就心慌", "我什么东西喝不了？", "石膏下周二拆"):
        say(bond, line, llm=FakeLLM("嗯。"), now=NOW)
    embeddings.embed_bond(bond_id=bond.pk)
    [vector] = embedding.embed([asked], of_question=True)

    found = read(bond, asked, vector=vector).inputs.nearest
    assert (found and found[0].text) == nearest


@pytest.mark.parametrize("subject", ["user", "persona"])
def test_a_thought_that_is_recalled_stands_in_the_prompt_once(subject, bond):
    node = ConceptNodeFactory(
        bond=bond, description="She misses Lin.", type="thought", subject=subject, emotional_impact=5
    )

    found = read(bond, "Do you think that she misses Lin?")

    assert system(found).count("She misses Lin.") == 1
    assert "# What you remember" not in system(found)
    [traced] = found.build_trace(found.assemble_prompt(), without_vector=False).memories
    assert (traced.node, traced.kept) == (node.pk, True)


def memories(found):
    section = system(found).partition("# What you remember\n<memories>\n")[2].partition("\n</memories>")[0]
    return [line.removeprefix("- ") for line in section.split("\n")]


def test_a_memory_says_when_it_was_told_and_when_it_happened(bond):
    told = MessageFactory(session__bond=bond, created_at=NOW - timedelta(days=2))
    again = MessageFactory(session=told.session, created_at=NOW)
    forgotten = MessageFactory(session=told.session, created_at=NOW - timedelta(days=9), deleted_at=NOW)
    yesterday = {"event_time_start": date(2026, 11, 20), "event_time_end": date(2026, 11, 20)}
    ConceptNodeFactory(
        bond=bond,
        description="The cat jumped.",
        sources=[again, told, forgotten],
        event_time_end=date(2026, 11, 16),
        created_at=NOW - timedelta(days=1),
    )
    ConceptNodeFactory(bond=bond, description="The cat fell.", sources=[again], **yesterday)
    ConceptNodeFactory(bond=bond, description="The cat of a diary slept.", **yesterday)

    assert set(memories(read(bond, "The cat!"))) == {
        "(told 2 days ago; it happened 5 days ago) The cat jumped.",
        "(told just now; it happened yesterday) The cat fell.",
        "(told just now; it happened yesterday) The cat of a diary slept.",
    }


def quoted(found):
    section = system(found).partition("# Their exact words\n<lines>\n")[2].partition("\n</lines>")[0]
    return [line.removeprefix("- ") for line in section.split("\n")]


def test_messages_of_earlier_sessions_are_quoted_once(bond):
    about = {"session__bond": bond, "session__status": "closed", "created_at": NOW - timedelta(days=3)}
    MessageFactory(**about, content="My white cat\njumps on the piano.")
    fill_window(bond)
    MessageFactory(**about, content="The white cat jumps on the piano still.")
    MessageFactory(session__status="closed", content="My white cat jumps on the piano, too.")
    embeddings.embed_bond(bond_id=bond.pk)

    found = read(
        bond,
        "Does my white cat jump on the piano?",
        vector=embedding.embed(["Does my white cat jump on the piano?"])[0],
    )

    assert quoted(found) == ["(3 days ago) user: My white cat jumps on the piano."]


@pytest.mark.parametrize("is_in_window", [True, False])
def test_a_secret_that_was_told_in_an_earlier_chat_is_not_in_the_prompt(bond, is_in_window):
    told = MessageFactory(session__bond=bond, session__status="closed", content="The PIN of my bicycle lock is 4471.")
    if not is_in_window:
        fill_window(bond)

    found = read(bond, "What is the PIN of my bicycle lock? Not 1234, is it? My PIN is 9876.")

    texts = [message["content"] for message in found.assemble_prompt().messages]
    held = "\n".join(map(str, texts))
    assert ["4471" in held, "The PIN of my bicycle lock is [secret]." in held, "9876" in held] == [False, True, True]
    assert "# What you do not keep\n[secret] stands for a password" in held
    assert told.content.endswith("4471.")


def test_small_talk_quotes_nothing(bond):
    MessageFactory(session__bond=bond, session__status="closed", content="Hello, my white cat jumps.")
    fill_window(bond)

    assert "# Their exact words" not in system(read(bond, "Hello!"))


def test_the_prompt_is_the_same_on_both_channels(bond):
    ConceptNodeFactory(bond=bond, description="Her cat jumps.")
    other = BondFactory(user__username="lin", user__display_name="mara", user__time_zone="Europe/Vienna")
    ConceptNodeFactory(bond=other, description="Her cat jumps.")

    by_web = read(bond, "Does the cat jump?").assemble_prompt().messages
    by_api = read(other, "Does the cat jump?", channel="api").assemble_prompt().messages

    assert by_web == by_api


def test_a_mood_of_yesterday_is_not_told(bond):
    bond.mood, bond.mood_updated_at = "tender", NOW - timedelta(hours=12)
    bond.save()

    assert "# How you feel right now" not in system(read(bond, "Hello."))


def test_a_persona_without_facts_has_none(bond):
    bare = BondFactory(persona=PersonaFactory(facts=None))

    assert read(bare, "Hello.").facts is None


def test_the_window_is_of_the_whole_bond_whatever_session_or_channel(bond):
    for number, channel in enumerate(("web", "api", "web")):
        session = SessionFactory(bond=bond, channel=channel, status="closed")
        MessageFactory(session=session, content=f"Line {number}.")
    MessageFactory(session=session, role="system", content="Not said.")
    MessageFactory(session=session, content="Deleted.", deleted_at=NOW)
    MessageFactory(session__status="closed", session__bond=bond, session__deleted_at=NOW, content="Of a deleted talk.")
    MessageFactory(content="Of another.")

    found = read(bond, "Now.")

    assert [message.content for message in found.base.recent_messages] == ["Line 0.", "Line 1.", "Line 2."]
    assert [message.content for message in found.base.turn.burst] == ["Now."]


def test_the_window_holds_the_newest_messages(bond, settings):
    settings.STORY_ENABLED = False
    settings.RECENT_WINDOW_SIZE = 3
    session = SessionFactory(bond=bond, status="closed")
    for number in range(5):
        MessageFactory(session=session, content=f"Line {number}.")

    assert [message.content for message in read(bond, "Now.").base.recent_messages] == ["Line 2.", "Line 3.", "Line 4."]


@pytest.mark.parametrize(
    ("has_story", "when"),
    [(False, "yesterday"), (True, "Friday 20 November 2026, late evening")],
    ids=["no story", "story"],
)
def test_the_times_are_those_of_the_users_zone(bond, settings, has_story, when):
    settings.STORY_ENABLED = has_story
    SessionFactory(bond=bond, status="closed", summary="The rain.", started_at=NOW - timedelta(hours=20, minutes=30))
    MessageFactory(session__bond=bond, session__status="closed", created_at=NOW - timedelta(hours=22))

    found = read(bond, "Hello.")

    # Half past midnight and eleven at night in Vienna.
    assert "- (earlier today) The rain." in system(found)
    assert found.assemble_prompt().messages[1]["content"].startswith(f"<when>{when}</when>\n")


def test_a_burst_whose_messages_were_all_deleted_ends_without_a_word(bond):
    receiving.receive(bond=bond, content="Never mind.", channel="web", now=NOW)
    Message.objects.update(deleted_at=NOW)
    llm = FakeLLM("Yes?")

    turn = say(bond, now=NOW, llm=llm)

    assert (turn.status, turn.error["code"], llm.calls) == ("failed", "conflict", [])
