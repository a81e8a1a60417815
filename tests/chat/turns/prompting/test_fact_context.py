from datetime import timedelta

import pytest

from chat.turns import actions, receiving
from chat.turns.prompting import fact_context, remembered
from echovessel.llm.errors import ModelUnavailableError
from memory.facts.rules import reading
from memory.models import FactWrite, Message, Session
from memory.recall.memories import ScoredNode
from memory.recall.scoring import ScoreTerms
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, FactFactory, SessionFactory
from tests.support.fakes import FakeLLM
from tests.support.prompt_reader import read_sections
from tests.support.talking import answer, close, say

pytestmark = pytest.mark.django_db
BEFORE = NOW - timedelta(days=3)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__display_name="Mara")


def prompts(bond, *lines):
    """The system messages of turns with these lines, said one after another."""
    llm = FakeLLM(*["Yes."] * len(lines))
    for minute, line in enumerate(lines):
        say(bond, line, now=NOW + timedelta(minutes=minute), llm=llm)
    return [read_sections(call.messages) for call in llm.calls]


def section(prompt, title):
    return prompt.partition(f"# {title}\n")[2].partition("\n\n# ")[0]


def test_what_is_known_ends_the_stable_part_and_stays_the_same_while_facts_are_written(bond):
    FactFactory(bond=bond, description="The user lives in Leeds.", created_at=BEFORE)
    llm = FakeLLM("Yes.", "Yes.")
    say(bond, "Hello.", now=NOW, llm=llm)
    session = Session.objects.get(bond=bond)
    new = FactFactory(bond=bond, description="The user lives in York.", session=session)
    FactWrite.objects.create(bond=bond, node=new, op="saved", by="tool", created_at=NOW + timedelta(days=900))
    say(bond, "And now?", now=NOW, session_id=session.pk, llm=llm)
    first, second = (read_sections(call.messages) for call in llm.calls)

    stable = first[: first.index("</known>")]
    assert second.startswith(stable)
    assert "Leeds" in stable
    assert section(second, "Noted in this talk") == "<noted>\n- noted: The user lives in York.\n</noted>"
    assert "York" not in first


def test_thirty_turns_and_five_writes_begin_alike_and_the_next_session_anew_without_details(bond):
    FactFactory(bond=bond, description="The user lives in Leeds.", detail="Behind the station.", created_at=BEFORE)
    wishes = [f"Remember that I have {number} kites." for number in range(3, 8)]
    begun = prompts(bond, "Hello.", *wishes, *["Hm."] * 24)
    close(bond, now=NOW + timedelta(hours=1))
    llm = FakeLLM("Yes.")
    say(bond, "Hello again.", now=NOW + timedelta(hours=2), llm=llm)
    [after] = (read_sections(call.messages) for call in llm.calls)

    assert FactWrite.objects.filter(bond=bond, by="rule").count() == 5
    stable = begun[0][: begun[0].index("</known>")]
    assert len(begun) == 30
    assert all(prompt.startswith(stable) for prompt in begun)
    assert "kites" not in stable
    known = section(after, "What you know")
    assert [wish for wish in range(3, 8) if f"{wish} kites" not in known] == []
    assert not any("Behind the station" in prompt for prompt in (*begun, after))


def test_a_changed_a_forgotten_and_an_undone_fact_are_told_without_what_was_forgotten(bond):
    session = SessionFactory(bond=bond, loaded_at=BEFORE)
    old = FactFactory(bond=bond, description="The user lives in Leeds.", state="superseded")
    new = FactFactory(bond=bond, description="The user lives in York.", session=session)
    gone = FactFactory(bond=bond, description="The user hates figs.", deleted_at=NOW)
    writes = [(new, "changed", [old.pk], None), (gone, "forgotten", [], None), (gone, "saved", [], NOW)]
    for node, op, olds, undone_at in writes:
        FactWrite.objects.create(bond=bond, node=node, op=op, by="tool", old=olds, created_at=NOW, undone_at=undone_at)
    [prompt] = prompts(bond, "Hello.")

    assert section(prompt, "Noted in this talk").splitlines() == [
        "<noted>",
        "- changed: The user lives in York. (before: The user lives in Leeds.)",
        "- forgotten as they asked, do not bring it up again",
        "- taken back, do not bring it up again",
        "</noted>",
    ]
    assert "figs" not in prompt


def test_twenty_of_the_newest_writes_are_told(bond):
    SessionFactory(bond=bond, loaded_at=BEFORE)
    for number in range(21):
        node = FactFactory(bond=bond, description=f"Told {number}.")
        FactWrite.objects.create(
            bond=bond, node=node, op="saved", by="tool", created_at=NOW + timedelta(seconds=number)
        )
    [prompt] = prompts(bond, "Hello.")

    told = section(prompt, "Noted in this talk")
    assert (told.count("- noted"), "Told 0." in told, "Told 20." in told) == (20, False, True)


def test_a_recalled_fact_is_told_once_and_marked_where_it_is_unsure(bond):
    event = ConceptNodeFactory(bond=bond, description="The user bought a red kayak in May.")
    FactFactory(bond=bond, description="The user owns a red kayak.", evidence=[event], tier="extracted", confidence=0.6)
    FactFactory(bond=bond, description="The red kayak has a name.", tier="extracted", confidence=0.69)
    FactFactory(bond=bond, description="The red kayak is fast.", tier="extracted", confidence=0.39)
    FactFactory(bond=bond, description="The red kayak leaks.", tier="extracted", confidence=0.4)
    loaded = FactFactory(bond=bond, description="The red kayak is heavy.")
    llm = FakeLLM("Yes.")
    turn = say(bond, "Where is my red kayak?", now=NOW, llm=llm)
    remembered = section(read_sections(llm.calls[0].messages), "What you remember")

    assert "not sure: The red kayak has a name." in remembered
    assert "not sure: The red kayak leaks." in remembered
    assert [text in remembered for text in ("in May", "owns a red kayak", "is fast", "is heavy")] == [
        True,
        False,
        False,
        False,
    ]
    reasons = {item["node"]: item["reason"] for item in turn.trace["items"]}
    assert (reasons[loaded.pk], set(reasons.values())) == ("loaded", {None, "loaded", "unsure", "told_by_event"})


def test_what_was_noted_in_this_talk_is_told_once(bond):
    session = SessionFactory(bond=bond, loaded_at=NOW - timedelta(minutes=1))
    kayak = FactFactory(bond=bond, description="The user owns a red kayak.")
    FactWrite.objects.create(bond=bond, node=kayak, op="saved", by="tool", session=session, created_at=NOW)
    llm = FakeLLM("Yes.")

    turn = say(bond, "Where is my red kayak?", now=NOW, llm=llm)

    prompt = read_sections(llm.calls[0].messages)
    assert "a red kayak" in section(prompt, "Noted in this talk")
    assert "a red kayak" not in section(prompt, "What you remember")
    assert {item["node"]: item["reason"] for item in turn.trace["items"]} == {kayak.pk: "noted"}


@pytest.mark.parametrize(
    ("change", "is_checked"),
    [
        ({}, True),
        ({"grave": False}, False),
        ({"created_at": NOW}, False),
        ({"last_confirmed_at": NOW + timedelta(minutes=1)}, False),
        ({"last_confirmed_at": BEFORE}, True),
        ({"description": "The user was born in a small town by the sea."}, False),
    ],
)
def test_a_grave_fact_that_is_touched_is_made_sure_of(bond, change, is_checked):
    SessionFactory(bond=bond, started_at=NOW, last_message_at=NOW)
    FactFactory(
        **{"bond": bond, "grave": True, "description": "The user is allergic to nuts.", "created_at": BEFORE} | change
    )
    [prompt] = prompts(bond, "Can I bake something with nuts in spite of my allergic skin?")

    assert ("# Check first" in prompt) == is_checked


@pytest.mark.parametrize(
    ("relevance", "entities", "grave", "expected"),
    [(0.4, (), True, True), (0.399, (), True, False), (0.0, (7,), True, True), (1.0, (7,), False, False)],
)
def test_a_grave_fact_is_touched_by_its_name_or_from_a_relevance_on(relevance, entities, grave, expected):
    terms = ScoreTerms(recency=0, relevance=relevance, impact=0, relational=0, anchor=0, graph=0)
    fact = FactFactory(grave=grave)

    item = ScoredNode(node=fact, told_at=NOW, terms=terms, score=0, entity_ids=entities)

    assert fact_context.is_touched(item) is expected


def test_it_is_made_sure_of_once_a_session(bond):
    SessionFactory(bond=bond, started_at=NOW, last_message_at=NOW)
    FactFactory(bond=bond, grave=True, description="The user is allergic to nuts.", created_at=BEFORE)
    line = "Am I allergic to nuts?"
    [first] = prompts(bond, line)
    session = Session.objects.get(bond=bond)
    llm = FakeLLM("Yes.")
    say(bond, line, now=NOW, session_id=session.pk, llm=llm)

    assert section(first, "Check first").endswith("<known>\n- The user is allergic to nuts.\n</known>")
    assert "# Check first" not in read_sections(llm.calls[0].messages)


def test_what_the_user_wants_to_change_is_given_with_its_detail_and_only_of_this_bond(bond):
    fact = FactFactory(bond=bond, description="The user runs on Sundays.", detail="x" * 2001)
    say(bond, "Hello.", now=NOW, llm=FakeLLM("Hello."))
    llm = FakeLLM("Yes.", "Yes.")
    for about in (fact, FactFactory()):
        turn = say(bond, "It is Mondays now.", now=NOW, llm=FakeLLM("Hm."))
        Message.objects.filter(turn_id=turn.pk, role="user").update(about=about)
        turn.status = "pending"
        turn.save()
        answer(bond, now=NOW, llm=llm)
    asked, foreign = (read_sections(call.messages) for call in llm.calls)

    shown = section(asked, "They want to change this")
    assert (shown.count("x"), "- The user runs on Sundays.\n" in shown) == (2000, True)
    assert "# They want to change this" not in foreign


def test_a_retry_sees_what_the_user_wanted_to_change(bond):
    fact = FactFactory(bond=bond, description="The user runs on Sundays.")
    receiving.receive(bond=bond, content="It is Mondays now.", channel="web", now=NOW, about=fact.pk)
    failed = answer(bond, now=NOW, llm=FakeLLM(ModelUnavailableError("Away.", transient=False)))
    actions.retry(turn=failed, now=NOW)
    llm = FakeLLM("Mondays it is.")

    answer(bond, now=NOW, llm=llm)

    assert "- The user runs on Sundays.\n" in section(read_sections(llm.calls[0].messages), "They want to change this")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What do you know about me?", True),
        ("Tell me everything you remember about me.", True),
        ("你都知道我什么？", True),
        ("你都知道我些什么？", True),
        ("关于我你知道些什么", True),
        ("你记得我的哪些事？", True),
        ("What did I tell you about myself so far?", True),
        ("How much have I told you about my life?", True),
        ("Do you remember anything about me?", True),
        ("Tell me what you remember of me.", True),
        ("How much do you know about me?", True),
        ("我都跟你说过哪些关于我自己的事？", True),
        ("关于我的事我告诉过你什么？", True),
        ("What did I tell you about my sister?", False),
        ("Do you remember anything about Peg?", False),
        ("我跟你说过我妈的事吗？", False),
        ("Do you know Peg?", False),
        ("What do you know about trains?", False),
        ("你知道我喜欢茶吗？", False),
        ("", False),
    ],
)
def test_who_asks_for_all_that_is_known(query, expected):
    assert reading.asks_what_is_known(query) == expected


def test_all_that_is_known_follows_where_it_is_asked_for(bond):
    FactFactory(bond=bond, tier="extracted", confidence=0.5, description="The user may own a boat.")
    asked, other = prompts(bond, "What do you know about me?", "Nice weather.")

    assert (
        section(asked, "All you know")
        == "Besides what else stands here:\n<known>\n- The user may own a boat.\n</known>"
    )
    assert "# All you know" not in other


@pytest.mark.parametrize(
    ("confidence", "near", "is_left_out"), [(0.5, 0.39, True), (0.5, 0.4, False), (0.7, 0.1, False), (0.39, 0.9, True)]
)
def test_a_guess_is_told_only_where_it_is_near_itself(confidence, near, is_left_out):
    terms = ScoreTerms(recency=1, relevance=0.5, impact=0, relational=0, anchor=0, graph=0)
    node = ConceptNodeFactory.build(bond=None, type="fact", confidence=confidence)
    item = ScoredNode(node=node, told_at=NOW, terms=terms, score=1, plain_relevance=near)

    assert remembered.is_too_unsure(item) is is_left_out
