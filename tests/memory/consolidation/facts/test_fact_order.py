import uuid
from datetime import timedelta

import pytest

from memory.facts import acts, undoing
from memory.models import Doubt, FactWrite
from tests.support.factories import NOW, BondFactory
from tests.support.facts import LEEDS, YORK, facts, home, live, lives_in, save, told, writer
from tests.support.talks import closed_talk, consolidate, extraction, model, remember, talk

pytestmark = pytest.mark.django_db

NURSE = "The user works as a nurse."
MOVED = ("I live in Leeds.", "Actually, I moved to York.")


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def noted_york(bond, *said):
    """A closed session in which of these lines the one with York was noted; its fact."""
    session = talk(*said, "Good night.", bond=bond)
    line = session.messages.get(content__contains="York")
    by = writer(by="rule", session=session, turn_id=uuid.uuid4(), messages=[line])
    made = acts.save(bond=bond, draft=home(YORK, "York"), writer=by)
    return closed_talk("Bye.", bond=bond), made.node


def learn(session, *answers):
    return consolidate(session, model(extraction(facts=list(answers))))


@pytest.mark.parametrize("how", [{"op": "update", "how": "contradicts", "target": 1}, {}], ids=["told", "by slot"])
def test_an_older_line_is_history_of_what_was_stated_after_it(bond, how):
    session, york = noted_york(bond, *MOVED)

    learn(session, lives_in("Leeds", lines=[1], **how))

    past = facts(bond).last()
    assert (live(bond), Doubt.objects.count()) == ([YORK], 0)
    assert (past.description, past.slot, past.state, past.state_reason) == (LEEDS, "home", "superseded", "replaced")
    assert (past.superseded_by, past.valid_until, past.conflicts_with) == (york, york.valid_from, None)
    assert past.event_time_end == NOW.date()
    assert [message.content for message in past.source_messages.all()] == ["I live in Leeds."]


def test_a_later_line_puts_a_word_of_it_right(bond):
    session = closed_talk("I run a studio in Lisbon.", "Sorry, it's not Lisbon, it's Setúbal.", bond=bond)

    learn(session, told("The user runs a studio in Lisbon.", lines=[1]))

    [studio] = facts(bond)
    assert studio.description == "The user runs a studio in Setúbal."
    assert studio.source_messages.count() == 2


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("The user has a golden retriever named Max.", "My dog Max died yesterday."),
        ("The user's favorite color is blue.", "Actually, my favorite color is green now."),
    ],
)
def test_what_a_later_line_ends_or_tells_otherwise_is_history(bond, fact, later):
    said = fact.replace("The user's", "My").replace("The user has", "I have")
    session = closed_talk(said, later, "I think of it all the time.", bond=bond)

    learn(session, told(fact, lines=[1]))

    assert (live(bond), [one.state for one in facts(bond)]) == ([], ["superseded"])


def test_a_past_fact_is_undone_as_it_was_saved(bond):
    session, _ = noted_york(bond, *MOVED)
    learn(session, lives_in("Leeds", lines=[1]))
    write = FactWrite.objects.get(by="close")

    undoing.undo(write=write, now=NOW)

    assert (write.op, live(bond), facts(bond).count()) == ("saved", [YORK], 1)


def test_a_later_line_contradicts_what_was_stated_before_it(bond):
    session, york = noted_york(bond, "I moved to York.", "I live in Leeds.")

    learn(session, lives_in("Leeds", lines=[2]))

    assert [(doubt.a_node.value, doubt.b_node) for doubt in Doubt.objects.all()] == [("Leeds", york)]


@pytest.mark.parametrize(
    ("line", "state"),
    [("I lived in Leeds, and moved to York.", "superseded"), ("I moved to York. No: Leeds.", "uncertain")],
)
def test_within_a_line_the_place_of_the_values_decides(bond, line, state):
    session, _ = noted_york(bond, line)

    learn(session, lives_in("Leeds", lines=[1]))

    assert (live(bond), facts(bond).last().state) == ([YORK], state)


@pytest.mark.parametrize(("at", "state"), [(1, "superseded"), (0, "uncertain"), (-1, "uncertain")])
def test_what_a_person_wrote_on_a_page_has_its_time(bond, at, state):
    save(bond, YORK, by=writer(by="person", now=NOW + timedelta(minutes=at)), slot="home", value="York")

    remember("I live in Leeds.", "Yes.", "Leeds.", bond=bond, answer=extraction(facts=[lives_in("Leeds")]))

    assert (live(bond), facts(bond).last().state) == ([YORK], state)


def test_what_was_confirmed_later_was_told_later(bond):
    york = save(bond, YORK, slot="home", value="York").node
    acts.confirm(bond=bond, node=york, writer=writer(by="person", now=NOW + timedelta(minutes=1)))

    remember("I live in Leeds.", "Yes.", "Leeds.", bond=bond, answer=extraction(facts=[lives_in("Leeds")]))

    assert (live(bond), Doubt.objects.count()) == ([YORK], 0)


def test_the_order_of_lines_decides_and_not_that_of_an_answer(bond):
    answer = extraction(facts=[lives_in("York", lines=[3]), lives_in("Leeds", lines=[1])])

    remember("I live in Leeds.", "It rains.", "I live in York.", bond=bond, answer=answer)

    assert [(node.value, node.state) for node in facts(bond)] == [("York", "live"), ("Leeds", "superseded")]


def test_what_is_history_already_is_not_written_again(bond):
    save(bond, LEEDS, slot="home", value="Leeds")
    session, _ = noted_york(bond, *MOVED)

    learn(session, lives_in("Leeds", lines=[1]))

    assert (live(bond), facts(bond).count(), Doubt.objects.count()) == ([YORK], 2, 0)


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (("I work as a nurse.", "I quit my job as a nurse."), told(NURSE, slot="work", value="nurse")),
        (("我在医院当护士。", "我不当护士了。"), told("用户在医院当护士。", slot="work", value="护士")),
        (("I have a dog, Canela.", "Canela died this morning."), told("The user has a dog called Canela.")),
        (("我养了一只猫，叫奶糖。", "奶糖今天早上走了。"), told("用户养了一只叫奶糖的猫。")),
    ],
)
def test_what_a_later_line_ends_is_history_without_a_successor(bond, lines, answer):
    learn(closed_talk(*lines, "Good night.", bond=bond), answer)

    [past] = facts(bond)
    assert (past.state, past.state_reason, past.superseded_by) == ("superseded", "ended", None)
    assert past.event_time_end == NOW.date()


@pytest.mark.parametrize("last", ["I quit my job as a baker.", "I like my job.", "My sister quit her job as a nurse."])
def test_what_no_later_line_ends_holds(bond, last):
    learn(closed_talk("I work as a nurse.", last, "Bye.", bond=bond), told(NURSE, slot="work", value="nurse"))

    assert live(bond) == [NURSE]


def test_what_was_ended_before_it_was_said_holds(bond):
    lines = ("I quit my job as a nurse.", "I'm a nurse again.", "Bye.")
    learn(closed_talk(*lines, bond=bond), told(NURSE, slot="work", value="nurse", lines=[2]))

    assert live(bond) == [NURSE]
