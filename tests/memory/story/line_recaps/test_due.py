import pytest

from memory.models import LineRecap, Message, Story
from memory.story.inclusion.budget import FIRM_TOKENS
from memory.story.line_recaps import due, writing
from tests.support import story
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return SessionFactory(bond=BondFactory(user__username="mara"))


@pytest.fixture
def bond(session):
    return session.bond


def talk(session, count, *, tokens=50):
    made = [
        MessageFactory.build(
            session=session, bond=session.bond, role=role, token_count=tokens, content=f"What was said {number}."
        )
        for number, role in zip(range(count), ["user", "persona"] * count, strict=False)
    ]
    return Message.objects.bulk_create(made)


def list_due(bond, **how):
    return [one.message.pk for one in due.find_due_lines(bond, firm_tokens=FIRM_TOKENS, **how)]


def pks(messages):
    return [message.pk for message in messages]


@pytest.mark.parametrize(("count", "expected"), [(71, 0), (72, 4)])
def test_the_first_four_are_recapped_once_the_window_is_three_quarters_full(bond, session, count, expected):
    # The window holds 4800 tokens.
    messages = talk(session, count)

    assert list_due(bond) == pks(messages[:expected])


def test_without_any_that_is_due_no_message_is_read_anew(bond, session, django_assert_num_queries):
    talk(session, 1)

    with django_assert_num_queries(1):
        assert list_due(bond) == []


def test_those_that_have_left_it_come_first_the_newest_twenty_at_a_time(bond, session):
    messages = talk(session, 120)

    assert list_due(bond) == pks(messages[4:24])
    assert list_due(bond, most=3) == pks(messages[21:24])


def test_what_has_a_recap_is_not_due_again_unless_it_is_outdated(bond, session):
    messages = talk(session, 72)
    for message, status in zip(messages, ["ok", "failed", "outdated"], strict=False):
        writing.put(due.DueLine(message, ()), text="It is.", status=status, made_by="rules", now=NOW)

    assert list_due(bond) == pks(messages[2:4])


def test_what_a_person_wrote_stays(bond, session):
    messages = talk(session, 72)
    writing.write_by_person(message=messages[0], text="My own words.", now=NOW)
    LineRecap.objects.update(status="outdated")

    assert list_due(bond) == pks(messages[1:4])
    [mine] = due.find_due_lines(bond, firm_tokens=FIRM_TOKENS, asked_for=messages[0].pk)
    writing.write_line_recaps(bond=bond, due=[mine], texts={messages[0].pk: "Else."}, made_by="model", now=NOW)
    assert LineRecap.objects.get().text == "My own words."


@pytest.mark.parametrize(
    ("tokens", "place", "is_due"), [(401, 0, True), (400, 0, False), (401, 11, True), (401, 12, False)]
)
def test_a_long_message_is_recapped_unless_it_is_among_the_newest_eight(bond, session, tokens, place, is_due):
    messages = talk(session, 20)
    Message.objects.filter(pk=messages[place].pk).update(token_count=tokens)

    assert list_due(bond) == ([messages[place].pk] if is_due else [])


def test_what_may_not_be_told_is_not_due(bond, session):
    messages = talk(session, 74)
    Message.objects.filter(pk=messages[0].pk).update(left_out=True)
    Message.objects.filter(pk=messages[1].pk).update(token_count=7)
    Story.objects.create(bond=bond, recap_persona=False)

    assert list_due(bond) == [messages[2].pk]


def test_what_the_story_or_a_scene_tells_is_not_due(bond, session):
    messages = talk(session, 200)
    scenes = [story.create_scene(bond, messages[at]) for at in (39, 79, 119)]
    story.create_version(bond, scenes[0])

    assert set(list_due(bond)) <= set(pks(messages[120:]))


def test_the_three_messages_before_are_its_sources(bond, session):
    messages = talk(session, 72)
    first, *_, last = due.find_due_lines(bond, firm_tokens=FIRM_TOKENS)

    assert (first.sources, pks(last.sources)) == ([messages[0]], pks(messages[:4]))


def test_one_that_is_asked_for_is_due_whatever_it_has(bond, session):
    messages = talk(session, 12)
    writing.put(due.DueLine(messages[9], ()), text="", status="failed", made_by="model", now=NOW)

    [one] = due.find_due_lines(bond, firm_tokens=FIRM_TOKENS, asked_for=messages[9].pk)
    assert (one.message, pks(one.before)) == (messages[9], pks(messages[6:9]))
    foreign = talk(SessionFactory(bond=BondFactory(user__username="charlie")), 1)
    assert due.find_due_lines(bond, firm_tokens=FIRM_TOKENS, asked_for=foreign[0].pk) == []


@pytest.mark.parametrize(("text", "code"), [(" \n", "invalid"), ("x" * 501, "too_long")])
def test_a_person_may_not_write_just_anything(bond, session, text, code):
    [message] = talk(session, 1)
    with pytest.raises(writing.RecapRefused) as refused:
        writing.write_by_person(message=message, text=text, now=NOW)

    assert (refused.value.code, LineRecap.objects.count()) == (code, 0)
