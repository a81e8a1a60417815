from datetime import date

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.turns import claiming, receiving, runner
from echovessel.llm.errors import ModelRefusedError
from memory.models import Doubt
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
from tests.support.running import claimed, in_db
from tests.support.talking import answer, fill_window, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


OF_STORY = {"story", "scenes", "recaps", "window", "uncovered", "cards"}


@pytest.mark.parametrize(("has_story", "more"), [(False, set()), (True, OF_STORY)], ids=["no story", "story"])
def test_the_trace_is_ids_and_numbers_only(bond, settings, has_story, more):
    settings.STORY_ENABLED = has_story
    for number in range(3):
        ConceptNodeFactory(bond=bond, description=f"Her cat jumps {number}.")
    turn = say(bond, "Do you remember my cat that jumps?", now=NOW, llm=FakeLLM("I do."))

    assert (
        set(turn.trace)
        == {
            "items",
            "words",
            "cut",
            "prompt_tokens",
            "without_vector",
            "signals",
            "knowing",
            "gap_seconds",
            "topic",
            "sections",
        }
        | more
    )
    assert len(turn.trace["items"]) == 3
    for item in turn.trace["items"]:
        assert set(item) == {"node", "score", "terms", "anchored_by", "kept", "reason"}
        assert set(item["terms"]) == {"recency", "relevance", "impact", "relational", "anchor", "graph", "fit"}
    assert ("cat" in str(turn.trace), turn.trace["without_vector"]) == (False, False)


def test_the_trace_says_what_was_quoted_and_by_which_times_nodes_were_found(bond):
    quoted = MessageFactory(session__bond=bond, session__status="closed", content="My white cat jumps on the piano.")
    embeddings.embed_bond(bond_id=bond.pk)
    fill_window(bond)
    jump = ConceptNodeFactory(bond=bond, event_time_start=date(2024, 7, 2), event_time_end=date(2024, 7, 2))
    turn = say(bond, "Did my white cat jump on the piano in 2024?", now=NOW, llm=FakeLLM("Yes."))

    [word] = turn.trace["words"]
    assert (word["message"], set(word)) == (quoted.pk, {"message", "score"})
    assert [(item["node"], item["anchored_by"]) for item in turn.trace["items"]] == [
        (jump.pk, ["2024-01-01/2024-12-31"])
    ]


def test_what_did_not_fit_is_traced_as_cut_by_the_budget(bond, settings):
    settings.PROMPT_TOKEN_BUDGET = 0
    node = ConceptNodeFactory(bond=bond, description="Her cat jumps.")
    turn = say(bond, "Do you remember my cat that jumps?", now=NOW, llm=FakeLLM("No."))

    [item] = turn.trace["items"]
    assert (item["node"], item["kept"], item["reason"]) == (node.pk, False, "budget")
    assert turn.trace["cut"] == {"recalled": 1}


def test_messages_and_summaries_that_do_not_fit_are_traced_under_the_names_of_stored_traces(bond, settings):
    settings.PROMPT_TOKEN_BUDGET = 0
    earlier = SessionFactory(bond=bond, status="closed", summary="They spoke of the harbour.")
    MessageFactory.create_batch(2, session=earlier)
    turn = say(bond, "Hello.", now=NOW, llm=FakeLLM("Hello."))

    assert turn.trace["cut"] == {"lines": 2, "talks": 1}


@pytest.mark.parametrize(("reply", "asked"), [("Is Lin Auntie Lin?", 1), (ModelRefusedError("No."), 0)])
def test_that_the_persona_asked_about_a_pair_is_noted_when_it_did(bond, reply, asked):
    lin = EntityFactory(bond=bond, canonical_name="Lin", kind="person")
    aunt = EntityFactory(
        bond=bond, canonical_name="Auntie Lin", kind="person", merge_status="uncertain", merge_target=lin
    )
    llm = FakeLLM(reply)
    say(bond, "Lin was here.", now=NOW, llm=llm)

    assert len(Doubt.objects.get(a_entity=aunt).asked_in) == asked
    assert "# Something to clear up" in llm.calls[0].text


def hot_path_queries(bond, line):
    """The statements from the claim to the call of the model, without those that begin and end transactions."""
    receiving.receive(bond=bond, content=line, channel="web", now=NOW, debounce=False)
    counted = []

    def count_now():
        counted.append(len(queries.captured_queries))

    async def count(word):
        if word == 0:
            await in_db(count_now)()

    llm = FakeLLM("Yes.")
    llm.before_word = count
    with CaptureQueriesContext(connection) as queries:
        turn = claiming.claim(bond_id=bond.pk, now=NOW)
        async_to_sync(runner.run)(turn, llm=llm)
    statements = [query["sql"] for query in queries.captured_queries[: counted[0]]]
    return [sql for sql in statements if not sql.startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT"))]


@pytest.fixture(params=[False, True], ids=["no story", "story"])
def either(request, settings):
    """Prompts without a story, and with one."""
    settings.STORY_ENABLED = request.param


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize(
    ("asked", "most"),
    # What was never told is looked for again.
    [("Does Inky still jump as it did last summer?", 8), ("What did Inky eat at the vet's last summer?", 9)],
    ids=["told", "not told"],
)
def test_the_hot_path_takes_few_queries(bond, asked, most):
    cat = EntityFactory(bond=bond, canonical_name="Inky", description="A white cat.")
    AliasFactory(entity=cat, name="the white one")
    EntityFactory(bond=bond, canonical_name="Blot", merge_status="uncertain", merge_target=cat)
    for number in range(5):
        cat.mentions.create(bond=bond, node=ConceptNodeFactory(bond=bond, description=f"Inky jumps {number}."))
        ConceptNodeFactory(bond=bond, type="thought", subject="persona")
    old = SessionFactory(bond=bond, status="closed", summary="They spoke of Inky.")
    for role in ("user", "persona"):
        MessageFactory(session=old, role=role)

    SessionFactory(bond=bond, loaded_at=NOW)
    assert len(hot_path_queries(bond, asked)) == most


@pytest.mark.usefixtures("either")
def test_a_first_message_takes_few_queries_and_three_that_load_the_facts_of_its_session(bond):
    assert len(hot_path_queries(bond, "Hello.")) == 9


def test_what_the_user_says_while_a_reply_streams_is_the_next_turn(bond):
    turn = claimed(bond, "One.")
    llm = FakeLLM("First reply.", "Second reply.", "Third reply.")

    async def say_more(word):
        if word == 1 and len(llm.calls) == 1:
            await in_db(receiving.receive)(bond=bond, content="Two.", channel="web", now=NOW, debounce=False)

    llm.before_word = say_more
    async_to_sync(runner.run)(turn, llm=llm)
    answer(bond, now=NOW, llm=llm)
    say(bond, "Three.", now=NOW, llm=llm)

    said = [[message["content"].rpartition("\n")[2] for message in call.messages[1:]] for call in llm.calls]
    assert said == [
        ["One."],
        ["One.", "First reply.", "Two."],
        ["One.", "First reply.", "Two.", "Second reply.", "Three."],
    ]
