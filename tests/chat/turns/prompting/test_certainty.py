from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.turns.prompting import base_context, certainty, prompt_context
from chat.turns.prompting.sections import certainty_sections
from echovessel.llm.inputs import Certainty
from memory.knowing import confidence
from memory.models import Message
from memory.recall import embeddings
from tests.support.factories import (
    NOW,
    AliasFactory,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
)
from tests.support.fakes import FakeLLM
from tests.support.running import claimed
from tests.support.talking import say

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def section(llm):
    """The sentence of the last prompt's section, with the heading behind it."""
    _, _, behind = llm.calls[-1].text.partition("# How sure you are\n")
    return behind.partition("\n\n")[0]


def talk(bond, *lines, now=NOW):
    """Say the lines, and return the trace of the last one and the section of its prompt."""
    llm = FakeLLM(*(["I see."] * len(lines)))
    turns = [say(bond, line, now=now + timedelta(minutes=at), llm=llm) for at, line in enumerate(lines)]
    return turns[-1].trace, section(llm)


@pytest.mark.parametrize("question", ["What was my first teacher called?", "我的第一个老师叫什么？"])
def test_what_was_never_told_is_unknown(bond, question):
    trace, sentence = talk(bond, question)

    assert (trace["knowing"]["state"], trace["knowing"]["widened"]) == ("unknown", True)
    assert sentence == certainty_sections.SENTENCES[Certainty.UNKNOWN]


@pytest.mark.parametrize(
    "lines",
    [
        ("My dog is called Biscuit.", "It rains.", "I am tired.", "What is my dog called?"),
        ("我的狗叫豆豆。", "下雨了。", "我累了。", "我的狗叫什么名字？"),
    ],
)
def test_what_was_told_three_messages_ago_is_here(bond, lines):
    trace, sentence = talk(bond, *lines)

    assert (trace["knowing"]["state"], trace["knowing"]["widened"], sentence) == ("here", False, "")


@pytest.mark.parametrize(
    "lines",
    [
        ("My dog is called Biscuit.", "It rains.", "What is my cat called?"),
        ("我的狗叫豆豆。", "下雨了。", "我的猫叫什么名字？"),
    ],
)
def test_a_near_miss_in_the_window_is_not_claimed(bond, lines):
    trace, _ = talk(bond, *lines)

    assert trace["knowing"]["state"] in ("tip", "unknown")


def test_what_was_told_of_somebody_by_the_name_that_is_asked_for_is_here(bond):
    AliasFactory(entity=EntityFactory(bond=bond, canonical_name="Hamish"), name="Moose")
    trace, _ = talk(bond, "Moose repairs lighthouses.", "It rains.", "What does Moose repair?")

    assert trace["knowing"]["state"] == "here"


def test_a_fact_that_fills_the_slot_is_here(bond):
    ConceptNodeFactory(
        bond=bond,
        type="fact",
        facet="about_you",
        tier="stated",
        description="The user is a nurse.",
        slot="work",
        value="nurse",
    )
    trace, sentence = talk(bond, "What do I do for a living?")

    assert (trace["knowing"]["state"], sentence) == ("here", "")


def test_the_section_is_the_last_before_the_time(bond):
    llm = FakeLLM("I do not know.")
    say(bond, "What was my first teacher called?", now=NOW, llm=llm)

    headings = [line for line in llm.calls[0].text.splitlines() if line.startswith("# ")]
    assert headings[-2:] == ["# How sure you are", "# Right now"]


@pytest.mark.parametrize(
    ("memory", "said"), [("The user baked bread with Ida.", certainty_sections.BELIEVED), ("", "")]
)
def test_without_a_question_little_confidence_makes_memories_believed(bond, memory, said):
    if memory:
        ConceptNodeFactory(bond=bond, description=memory)
    trace, sentence = talk(bond, "I baked bread.")

    assert (trace["knowing"]["state"], sentence) == (None, said)


def count_statements(bond, question):
    base = base_context.load(claimed(bond, question), NOW)
    with CaptureQueriesContext(connection) as queries:
        found = prompt_context.load(base, None)
    return len(queries), found.found


def remember_dog():
    bond = BondFactory()
    MessageFactory(session=SessionFactory(bond=bond, status="closed"), content="My dog is called Biscuit.")
    ConceptNodeFactory(bond=bond, description="The user's dog is called Biscuit.")
    return bond


def test_widening_is_one_statement_more():
    plain, found = count_statements(remember_dog(), "Walking a dog called Biscuit is good.")
    wide, widened = count_statements(remember_dog(), "Which submarine did I captain in Norway?")

    assert (found.knowing.widened, widened.knowing.widened) == (False, True)
    assert wide == plain + 1


def test_a_question_of_an_earlier_day_counts_the_messages_since_the_last_silence(bond):
    session = SessionFactory(bond=bond)
    at = [NOW - confidence.RETURN_AFTER, NOW - confidence.RETURN_AFTER + timedelta(seconds=1), NOW]
    messages = [MessageFactory.build(session=session, created_at=when) for when in at]

    assert certainty.count_since_return(messages, now=NOW) == 3
    assert certainty.count_since_return(messages[:1], now=NOW) == 0
    assert certainty.count_since_return(messages[:2], now=NOW) == 2


def test_exact_words_that_only_ask_do_not_make_it_known(bond):
    old = SessionFactory(bond=bond, status="closed")
    MessageFactory(session=old, content="What was my first teacher called?", role=Message.Role.USER)
    MessageFactory(session=old, content="I do not remember your first teacher.", role=Message.Role.PERSONA)
    embeddings.embed_bond(bond_id=bond.pk)
    trace, _ = talk(bond, "What was my first teacher called?")

    assert trace["knowing"]["state"] in ("tip", "unknown")


@pytest.mark.parametrize(
    ("question", "is_sure"),
    [("What did I do yesterday?", True), ("What did I do the day before yesterday?", False), ("What did I do?", False)],
)
def test_a_memory_of_the_day_that_is_asked_for_makes_sure(bond, question, is_sure):
    day = bond.user.get_day(NOW) - timedelta(days=1)
    ConceptNodeFactory(bond=bond, description="The user brazed a lug.", event_time_start=day, event_time_end=day)
    trace, _ = talk(bond, question)

    assert (trace["knowing"]["state"] in ("known", "unsure")) is is_sure


def test_what_comes_near_is_not_taken_for_the_answer(bond):
    ConceptNodeFactory(bond=bond, description="The user's sister Peg comes to visit in May.")
    embeddings.embed_bond(bond_id=bond.pk)
    near, _ = talk(bond, "When is my sister Peg's birthday?")
    told, _ = talk(bond, "When does my sister Peg come to visit?", now=NOW + timedelta(hours=2))

    assert near["knowing"]["state"] in ("tip", "unknown")
    assert told["knowing"]["state"] in ("known", "unsure")
    assert near["knowing"]["g"] < told["knowing"]["g"]


@pytest.mark.parametrize(
    ("told", "known", "unknown", "of_world"),
    [
        (
            "The user's hamster ran off behind the fridge.",
            "Where did the hamster run off to?",
            "What colour is the hamster?",
            "Who invented the telephone?",
        ),
        ("院子里的鱼是老张给的。", "院子里的鱼是谁给的", "院子里的鱼几岁了", "电话是谁发明的"),
    ],
)
def test_what_both_know_is_asked_of_memory_where_it_is_sure(bond, told, known, unknown, of_world):
    ConceptNodeFactory(bond=bond, description=told)
    embeddings.embed_bond(bond_id=bond.pk)
    traces = [talk(bond, question)[0] for question in (known, unknown, of_world)]

    assert [trace["knowing"]["state"] for trace in traces] == ["known", None, None]
    assert [trace["signals"]["asks_past"] for trace in traces] == [True, False, False]
