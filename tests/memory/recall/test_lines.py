from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from echovessel.embeddings import embedding
from memory.models import Message, NodeSource, Session
from memory.recall import embeddings, lines
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory
from tests.support.recalling import hide
from tests.support.talks import closed_talk, talk

pytestmark = pytest.mark.django_db

CAT = "My cat Nimbus jumps on my face at night."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def search(bond, query, **more):
    embeddings.embed_bond(bond_id=bond.pk)
    [vector] = embedding.embed([query])
    return lines.search(bond=bond, query=query, vector=vector, **more)


def said(found):
    return [word.message.content for word in found]


def test_messages_that_share_words_are_found(bond):
    talk(CAT, "The rain never stops here.", bond=bond)

    assert said(search(bond, "What does the cat do at night?")) == [CAT]


def test_chinese_messages_are_found_by_their_characters(bond):
    talk("我的猫晚上总是跳到我脸上", "今天下雨了", bond=bond)

    assert said(search(bond, "猫晚上做什么？")) == ["我的猫晚上总是跳到我脸上"]


@pytest.mark.parametrize("query", ["hi", "ok", "Yes!", "哈哈", "好的", "…", "🙂"])
def test_small_talk_brings_none(bond, query):
    talk("hi", "ok", "哈哈", "好的", CAT, "Yes!", bond=bond)

    assert search(bond, query) == []


def test_the_session_of_the_burst_is_left_out(bond):
    session = talk(CAT, bond=bond)

    assert search(bond, "the cat at night", not_session=session.pk) == []


def test_messages_that_are_in_the_prompt_already_are_left_out(bond):
    session = talk(CAT, "Nimbus the cat sleeps at night.", bond=bond)
    first = session.messages.earliest("id")

    assert said(search(bond, "the cat at night", besides=[first.pk])) == ["Nimbus the cat sleeps at night."]


@pytest.mark.parametrize(
    "gone", [{"deleted_at": NOW}, {"chosen": False}, {"role": "system"}, {"left_out": True}], ids=str
)
def test_messages_that_do_not_count_are_left_out(bond, gone):
    talk(CAT, bond=bond)
    Message.objects.update(**gone)

    assert search(bond, "the cat at night") == []


def test_messages_that_a_chat_asked_to_forget_are_left_out_and_not_told_beside_others(bond):
    talk("I sleep at night.", CAT, "At night it is cold.", bond=bond)
    hide(bond, Message.objects.get(content=CAT))

    found = said(search(bond, "the cat at night"))

    assert found
    assert CAT not in found


@pytest.mark.parametrize("gone", [{"deleted_at": NOW}, {"off_record": True}], ids=str)
def test_messages_of_sessions_that_do_not_count_are_left_out(bond, gone):
    talk(CAT, bond=bond)
    Session.objects.update(**gone)

    assert search(bond, "the cat at night") == []


def test_messages_of_a_stranger_are_never_found(bond):
    talk(CAT, bond=BondFactory(user__username="charlie"))

    assert search(bond, "the cat at night") == []


def test_messages_of_strangers_take_no_place_of_those_near_in_meaning(bond):
    other = BondFactory(user__username="charlie")
    talk(CAT, bond=bond)
    talk(*["the cat at night"] * lines.NEAREST, bond=other)
    embeddings.embed_bond(bond_id=other.pk)
    # Not found by its words.
    Message.objects.update(search="")

    assert said(search(bond, "the cat at night")) == [CAT]


def test_at_most_so_many_are_found_best_first(bond):
    for day, place in enumerate(("on a shelf", "in a drawer", "under the bed", "behind the stove")):
        small_talk = [f"It rained {day} times.", "I had soup.", "Work was fine.", "So it goes."] * 3
        talk(f"Nimbus jumps and sleeps {place}.", *small_talk, bond=bond, now=NOW + timedelta(days=day))
    talk(CAT, bond=bond, now=NOW + timedelta(days=9))

    found = search(bond, "When does Nimbus jump at night?", most=3)

    assert said(found)[0] == CAT
    assert len(found) == 3
    assert [word.score for word in found] == sorted((word.score for word in found), reverse=True)


def test_a_wider_search_finds_twelve(bond, django_assert_num_queries):
    for day in range(15):
        talk(f"Nimbus sat on shelf {day}.", "It rained.", "I had soup.", bond=bond, now=NOW + timedelta(days=day))
    query = "On which shelf did Nimbus sit?"
    narrow = search(bond, query)
    with django_assert_num_queries(1):
        wide = lines.search(bond=bond, query=query, vector=None, most=lines.WIDE_MOST, today=NOW.date(), is_wide=True)

    assert (len(narrow), len(wide)) == (6, lines.WIDE_MOST)


def test_a_wider_search_of_small_talk_asks_nothing(bond, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert (
            lines.search(bond=bond, query="hi", vector=None, most=lines.WIDE_MOST, today=NOW.date(), is_wide=True) == []
        )


def test_a_named_period_prefers_what_was_said_then(bond):
    then, later = NOW - timedelta(days=40), NOW - timedelta(days=5)
    small_talk = [f"It rained {hours} hours." for hours in range(20)]
    talk("I planted beans by the wall.", *small_talk, bond=bond, now=then)
    talk("I planted beans by the gate.", *small_talk, bond=bond, now=later)

    october = search(bond, "Where did I plant beans in October?", today=NOW.date())
    november = search(bond, "Where did I plant beans in November?", today=NOW.date())

    assert said(october)[0] == "I planted beans by the wall."
    assert said(november)[0] == "I planted beans by the gate."


def test_a_period_begins_where_the_user_is(bond):
    # Two at night on 1 November in Shanghai, while it is 31 October in UTC.
    talk("I planted beans by the wall.", bond=bond, now=datetime(2026, 10, 31, 18, 0, tzinfo=UTC))
    talk("I planted beans by the gate.", bond=bond, now=NOW - timedelta(days=300))
    asked = lines.build_query(bond=bond, query="Where did I plant beans in November?", vector=None, today=NOW.date())

    [picked] = lines.fetch_rows(asked, besides=[], not_session=0, picked=1)

    assert "I planted beans by the wall." in picked


def test_the_right_day_alone_brings_nothing(bond):
    talk("The rain never stops here.", bond=bond, now=NOW - timedelta(days=1))

    assert search(bond, "Which film did I see yesterday?", today=NOW.date()) == []


def test_names_of_the_two_who_talk_are_no_subject(bond):
    talk("Marian, you are the best.", bond=bond)

    assert search(bond, "Marian?") == []


def test_what_chinese_asks_with_is_no_subject(bond):
    talk("补多少？", bond=bond)

    assert search(bond, "一加到一百是多少？") == []


def test_quotes_and_backslashes_are_only_text(bond):
    talk("The sign said 'o'clock' \\ 100% of the time.", bond=bond)

    assert said(search(bond, "the sign o'clock' \\ %s 100%")) == ["The sign said 'o'clock' \\ 100% of the time."]


def test_all_is_found_in_one_statement(bond, django_assert_num_queries):
    talk(CAT, bond=bond)
    bond.user, bond.persona  # noqa: B018 - read beforehand, as a turn has them

    with django_assert_num_queries(1):
        found = lines.search(bond=bond, query="the cat at night", vector=None)

    assert said(found) == [CAT]


def test_messages_of_another_embedding_model_are_compared_by_terms(bond):
    talk(CAT, bond=bond)
    embeddings.embed_bond(bond_id=bond.pk)
    Message.objects.update(embedding_model="another")
    [vector] = embedding.embed(["the cat at night"])

    by_terms = lines.search(bond=bond, query="the cat at night", vector=None)

    assert lines.search(bond=bond, query="the cat at night", vector=vector) == by_terms


LINES = st.lists(st.sampled_from(["the cat sleeps", "猫晚上跳", "a boat in the rain", "the cat at night"]), max_size=4)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mine=LINES, theirs=LINES, query=st.sampled_from(["the cat at night", "猫晚上", "boat"]))
def test_nothing_of_another_bond_is_ever_found(mine, theirs, query):
    own, other = BondFactory(), BondFactory()
    talk(*mine, bond=own)
    talk(*theirs, bond=other)
    embeddings.embed_bond(bond_id=other.pk)

    assert {word.message.bond_id for word in search(own, query)} <= {own.pk}


TODAY = date(2026, 6, 1)


def told_on(day, *said, bond):
    return closed_talk(*said, bond=bond, now=datetime.combine(day, time(12, tzinfo=UTC)))


def asked(bond, query, **more):
    return said(lines.search(bond=bond, query=query, vector=None, today=TODAY, **more))


@pytest.mark.parametrize(
    "query",
    [
        "What did we talk about on 27 April?",
        "What did I tell you on April 27th?",
        "What did we talk about in the last week of April?",
        "四月二十七号我们聊了什么？",
        "四月下旬我跟你说过什么事？",
    ],
)
def test_who_asks_for_a_day_is_told_what_was_said_then(bond, query):
    told_on(date(2026, 4, 27), CAT, bond=bond)
    told_on(date(2026, 4, 20), "The rain never stops here.", bond=bond)
    told_on(date(2026, 5, 1), "I planted beans.", bond=bond)

    assert asked(bond, query) == [CAT]


def test_of_a_day_what_is_remembered_most_strongly_is_told_first(bond):
    session = told_on(date(2026, 4, 27), "One.", "Two and more.", CAT, "Three and four.", bond=bond)
    weighed = ConceptNodeFactory(bond=bond, session=session, emotional_impact=-7)
    NodeSource.objects.create(bond=bond, node=weighed, message=session.messages.get(content="One."))

    assert asked(bond, "What did I tell you on 27 April?", most=2) == ["One.", CAT]


def test_a_day_that_is_only_part_of_a_question_is_no_reason_to_tell_all_of_it(bond):
    told_on(date(2026, 4, 27), CAT, "I planted beans.", bond=bond)

    assert said(search(bond, "What did the cat do at night on 27 April?", today=TODAY)) == [CAT]


def test_of_a_day_nothing_forgotten_off_the_record_or_said_just_now_is_told(bond):
    told_on(date(2026, 4, 27), "Forgotten.", bond=bond).messages.update(deleted_at=NOW)
    hidden = told_on(date(2026, 4, 27), "Hidden.", bond=bond)
    Session.objects.filter(pk=hidden.pk).update(off_record=True)
    hide(bond, told_on(date(2026, 4, 27), "Asked to forget.", bond=bond).messages.get())
    now = told_on(date(2026, 4, 27), "Said now.", bond=bond)
    shown = told_on(date(2026, 4, 27), "In the window.", bond=bond).messages.get().pk

    assert asked(bond, "What did I tell you on 27 April?", besides={shown}, not_session=now.pk) == []


def test_of_a_day_nothing_of_another_bond_is_told(bond):
    told_on(date(2026, 4, 27), CAT, bond=BondFactory(user__username="charlie"))

    assert asked(bond, "What did we talk about on 27 April?") == []
