import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import OperationalError, connection
from django.urls import reverse
from django.utils import timezone, translation

from chat.pages.display import formats
from chat.pages.memory import items
from memory.forgetting import removal
from memory.models import ConceptNode, Forgotten, Message
from memory.nodes import evidence
from personas.models import Bond
from tests.support.factories import (
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
    UserFactory,
)
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


@pytest.fixture
def line(bond):
    return MessageFactory(session=SessionFactory(bond=bond, status="closed"), content="Nimbus is my white cat.")


@pytest.fixture
def cat(bond, line):
    return event(bond, "She has a white cat.", line, emotional_impact=4, emotion_tags=["warmth"])


def event(bond, description, *lines, **more):
    node = ConceptNodeFactory(bond=bond, type="event", description=description, **more)
    node.source_messages.add(*lines, through_defaults={"bond": bond})
    return node


def thought(bond, description, *cited, **more):
    node = ConceptNodeFactory(bond=bond, type="thought", description=description, **more)
    evidence.cite(node, [one.pk for one in cited], now=timezone.now())
    return node


def address(name, bond, *more):
    return reverse(name, args=[bond.pk, *more])


def shown(client, bond, layer="events", **asked):
    answer = client.get(address("memories", bond, layer), asked)
    return [one.row.description for one in answer.context["memories"]]


def text(answer):
    return markup_of(answer)


@pytest.mark.parametrize("layer", ["events", "thoughts", "promises"])
def test_an_empty_layer_says_what_will_be_there(mara, bond, layer):
    answer = text(mara.get(address("memories", bond, layer)))

    assert f"No {layer} yet" in answer
    assert f'href="{address("bond", bond)}"' in answer
    assert "Saving memories" not in answer


def test_an_empty_layer_says_that_memories_are_on_their_way(mara, bond):
    SessionFactory(bond=bond, status="consolidating", message_count=2)

    assert "Saving memories" in text(mara.get(address("memories", bond, "events")))


def test_each_layer_holds_its_kinds_newest_first(mara, bond, cat):
    thought(bond, "Cats calm her.", cat)
    ConceptNodeFactory(bond=bond, type="intention", description="I will ask.", state="open")
    ConceptNodeFactory(bond=bond, type="expectation", description="She will come.", state="pending")
    event(bond, "She moved.", created_at=cat.created_at + timedelta(hours=1))

    assert shown(mara, bond) == ["She moved.", "She has a white cat."]
    assert shown(mara, bond, "thoughts") == ["Cats calm her."]
    assert shown(mara, bond, "promises") == ["She will come.", "I will ask."]


@pytest.mark.parametrize(("days", "shown"), [(-1, "overdue, due "), (0, "due "), (1, "due ")])
def test_a_promise_is_overdue_the_day_after_it_is_due(mara, bond, days, shown):
    today = timezone.localdate()
    node = ConceptNodeFactory(
        bond=bond, type="intention", description="I will ask.", event_time_end=today + timedelta(days=days)
    )

    answer = mara.get(address("memories", bond, "promises"))
    assert [memory.days for memory in answer.context["memories"]] == [
        f"{shown}{formats.format_day(node.event_time_end)}"
    ]
    node.state = "kept"
    assert items.MemoryItem(node).days.startswith("due ")


def test_a_promise_that_expired_says_so_and_may_still_be_kept(mara, bond):
    node = ConceptNodeFactory(bond=bond, type="intention", description="I will ask.", state="expired")

    assert shown(mara, bond, "promises") == []
    assert "expired" in text(mara.get(address("memories", bond, "promises"), {"state": "past"}))
    mara.post(address("settle_memory", bond, node.pk), {"state": "kept"})
    node.refresh_from_db()
    assert node.state == "kept"


def test_filters_and_orders(mara, bond, cat):
    event(bond, "She lost her job.", emotional_impact=-9, relational_tags=["turning-point"], created_at=timezone.now())
    event(bond, "She had tea.", emotional_impact=2, state="superseded", event_time_start=date(2026, 3, 1))
    event(bond, "A quiet day.", emotional_impact=0, event_time_end=date(2026, 4, 1))

    assert shown(mara, bond, q="cat") == ["She has a white cat."]
    assert shown(mara, bond, tag="warmth") == ["She has a white cat."]
    assert shown(mara, bond, tag="turning-point") == ["She lost her job."]
    assert shown(mara, bond, strength="5") == ["She lost her job."]
    assert shown(mara, bond, since="7", strength="8") == ["She lost her job."]
    assert shown(mara, bond, state="past") == ["She had tea."]
    assert len(shown(mara, bond, state="all")) == 4
    assert shown(mara, bond, sort="strongest") == ["She lost her job.", "She has a white cat.", "A quiet day."]
    assert shown(mara, bond, sort="happened")[0] == "A quiet day."
    assert len(shown(mara, bond, sort="nonsense", strength="x", tag="nobody's", page="many")) == 3


def test_a_list_reads_as_much_for_one_row_as_for_three(mara, bond, cat, django_assert_num_queries):
    def count():
        with django_assert_num_queries(8):
            mara.get(address("memories", bond))

    count()
    event(bond, "Two.")
    event(bond, "Three.")
    count()


def test_a_memory_shows_its_evidence_both_ways(mara, bond, cat, line):
    over_it = thought(bond, "Cats calm her.", cat)

    of_event = text(mara.get(address("memory", bond, cat.pk)))
    of_thought = text(mara.get(address("memory_chain", bond, over_it.pk)))

    to_line = f'href="{address("bond", bond)}#message-{line.pk}"'
    assert to_line in of_event
    assert to_line in of_thought
    assert f'href="{address("memory", bond, over_it.pk)}"' in of_event
    assert f'href="{address("memory", bond, cat.pk)}"' in of_thought


def test_pages_of_a_memory_are_titled_by_it(mara, bond, cat):
    titles = [
        re.search("<title>(.*) · ", mara.get(address(name, bond, cat.pk)).content.decode())[1]
        for name in ("memory", "forget_memory")
    ]

    assert titles == ["She has a white cat. · Marian", "Forget · Marian"]


def test_correcting_keeps_the_old_text_as_history(mara, bond, cat):
    answer = mara.post(
        address("correct_memory", bond, cat.pk), {"description": "She has a grey cat.", "emotional_impact": "5"}
    )

    new = ConceptNode.objects.get(state="live")
    assert answer["Location"] == address("memory", bond, new.pk)
    assert (new.description, new.emotional_impact) == ("She has a grey cat.", 5)
    assert "She has a white cat." in text(mara.get(address("memory", bond, new.pk)))

    mara.post(address("bring_back_memory", bond, cat.pk))
    assert shown(mara, bond) == ["She has a white cat."]


@pytest.mark.parametrize(
    "wrong", [{"description": "", "emotional_impact": "1"}, {"description": "x", "emotional_impact": "11"}], ids=str
)
def test_a_wrong_correction_changes_nothing_and_says_why(mara, bond, cat, wrong):
    answer = mara.post(address("correct_memory", bond, cat.pk), wrong)

    assert answer.status_code == 422
    assert "field__error" in text(answer)
    assert ConceptNode.objects.get().description == "She has a white cat."


def test_what_was_replaced_is_not_corrected(mara, bond, cat):
    mara.post(address("correct_memory", bond, cat.pk), {"description": "A grey cat.", "emotional_impact": "4"})

    again = mara.post(address("correct_memory", bond, cat.pk), {"description": "No cat.", "emotional_impact": "4"})

    assert again.status_code == 422
    assert shown(mara, bond) == ["A grey cat."]


def test_a_promise_is_said_to_be_kept(mara, bond):
    promise = ConceptNodeFactory(bond=bond, type="intention", description="I will ask.", state="open")

    mara.post(address("settle_memory", bond, promise.pk), {"state": "kept"})
    refused = mara.post(address("settle_memory", bond, promise.pk), {"state": "broken"}, follow=True)

    promise.refresh_from_db()
    assert promise.state == "kept"
    assert "toast--alert" in text(refused)


def test_forgetting_is_shown_first_and_can_be_undone(mara, bond, cat, line):
    thought(bond, "Cats calm her.", cat)
    ask = address("forget_memory", bond, cat.pk)
    preview = text(mara.get(ask))
    assert ("One memory is based on it" in preview, "Cats calm her." in preview, line.content in preview) == (True,) * 3
    assert shown(mara, bond) == ["She has a white cat."]

    after = mara.post(ask, {"dependents": "cascade", "lines": "forget"}, follow=True)

    assert (shown(mara, bond), shown(mara, bond, "thoughts")) == ([], [])
    assert not Message.objects.visible().filter(pk=line.pk).exists()
    act = Forgotten.objects.get()
    assert f'action="{address("restore_forgotten", bond, act.pk)}"' in text(after)

    mara.post(address("restore_forgotten", bond, act.pk))
    assert (shown(mara, bond), shown(mara, bond, "thoughts")) == (["She has a white cat."], ["Cats calm her."])
    assert Message.objects.visible().filter(pk=line.pk).exists()


def chosen(page, name):
    return re.findall(rf'name="{name}" value="(\w+)" checked', page)


def test_the_messages_it_came_from_go_by_default_and_each_choice_says_what_it_does(mara, bond, cat, line):
    ConceptNodeFactory(bond=bond, description="She lives with a cat.", sources=[line])
    page = text(mara.get(address("forget_memory", bond, cat.pk)))

    assert chosen(page, "lines") == ["forget"]
    assert "The messages below are deleted from the chat, from every search and from every export." in page
    assert "One other memory that came from these messages stays." in page
    assert "can come across them and quote them, and searches and exports have them." in page
    assert "knows nothing of it" not in page


def test_of_a_memory_without_messages_only_it_goes(mara, bond, cat):
    held = thought(bond, "Cats calm her.", cat)

    page = text(mara.get(address("forget_memory", bond, held.pk)))

    assert chosen(page, "lines") == []
    assert "no longer remembers it, and no search or export has it. The memories it is based on stay." in page


def test_of_several_the_messages_go_by_default(mara, bond, cat):
    page = text(mara.post(address("forget_many", bond), {"memory": [cat.pk]}))

    assert (chosen(page, "lines"), "Only the memories" in page) == (["forget"], True)


def test_what_is_not_said_stays(mara, bond, cat, line):
    thought(bond, "Cats calm her.", cat)

    mara.post(address("forget_memory", bond, cat.pk))

    assert shown(mara, bond, "thoughts") == ["Cats calm her."]
    assert Message.objects.visible().filter(pk=line.pk).exists()


def test_several_are_forgotten_after_being_asked(mara, bond, cat):
    other = event(bond, "She moved.")
    chosen = {"memory": [cat.pk, other.pk, "x", "9" * 30]}

    asked = text(mara.post(address("forget_many", bond), chosen))
    assert ("Forget these 2 memories?" in asked, len(shown(mara, bond))) == (True, 2)

    done = text(mara.post(address("forget_many", bond), chosen | {"sure": "yes"}, follow=True))
    assert ("2 memories are forgotten." in done, shown(mara, bond)) == (True, [])


def test_many_are_forgotten_ten_at_a_time_so_that_what_was_done_stays_where_it_takes_too_long(mara, bond):
    chosen = {"memory": [event(bond, f"She moved to house {at}.").pk for at in range(12)], "sure": "yes"}

    def fail_late(execute, sql, *asked):
        if 'INSERT INTO "memory_forgotten"' in sql and Forgotten.objects.count() == 11:
            raise OperationalError
        return execute(sql, *asked)

    with connection.execute_wrapper(fail_late):
        answer = mara.post(address("forget_many", bond), chosen)

    assert (answer.status_code, Forgotten.objects.count()) == (503, 10)


def test_a_filter_is_offered_where_there_is_something_to_filter(mara, bond):
    shown = ["Filter and sort" in text(mara.get(address("memories", bond, layer))) for layer in ("events", "thoughts")]
    past = ConceptNodeFactory(bond=bond, type="thought", state="superseded")
    hidden = text(mara.get(address("memories", bond, "thoughts")))

    assert (shown, "Filter and sort" in hidden, past.description in hidden) == ([False, False], True, False)


def test_nothing_chosen_is_said(mara, bond):
    assert "Nothing was selected." in text(mara.post(address("forget_many", bond), follow=True))


def test_the_trash_takes_back_and_erases(mara, bond, cat):
    entity = EntityFactory(bond=bond, canonical_name="Nimbus")
    removal.forget_node(node=cat, now=timezone.now())
    removal.forget_entity(entity=entity, now=timezone.now())

    listed = mara.get(address("trash", bond))
    assert [(act.text, str(word)) for act, word in listed.context["rows"]] == [
        ("Nimbus", "Person or thing"),
        ("She has a white cat.", "Event"),
    ]

    for act in Forgotten.objects.filter(kind="event"):
        mara.post(address("erase_forgotten", bond, act.pk))
    assert not ConceptNode.objects.filter(pk=cat.pk).exists()
    for act in Forgotten.objects.filter(kind="entity"):
        mara.post(address("restore_forgotten", bond, act.pk))
    entity.refresh_from_db()
    assert entity.deleted_at is None
    assert "The trash is empty" in text(mara.get(address("trash", bond)))


def test_the_trash_says_how_many_messages_went_with_a_memory(mara, bond):
    lines = MessageFactory.create_batch(2, session=SessionFactory(bond=bond))
    one, other = ConceptNodeFactory(bond=bond, sources=lines), ConceptNodeFactory(bond=bond)
    removal.forget_node(node=one, lines="forget", now=timezone.now())

    assert "With 2 messages" in text(mara.get(address("trash", bond)))
    Forgotten.objects.all().delete()
    removal.forget_node(node=other, now=timezone.now())
    assert "With " not in text(mara.get(address("trash", bond)))


def test_a_name_taken_meanwhile_is_said(mara, bond):
    entity = EntityFactory(bond=bond, canonical_name="Nimbus")
    removal.forget_entity(entity=entity, now=timezone.now())
    EntityFactory(bond=bond, canonical_name="Nimbus")

    answer = mara.post(address("restore_forgotten", bond, Forgotten.objects.get().pk), follow=True)

    assert "toast--alert" in text(answer)
    assert Forgotten.objects.count() == 1


def test_words_are_found_and_marked(mara, bond, cat, line):
    answer = mara.get(address("memory_words", bond), {"q": "cat"})

    assert [one.row.layer for one in answer.context["found"]] == ["L2", "L3"]
    assert "<mark>cat</mark>" in text(answer)
    assert f'href="{address("bond", bond)}#message-{line.pk}"' in text(answer)
    assert "No results" in text(mara.get(address("memory_words", bond), {"q": "dog\x00"}))
    assert "In Chinese, type two characters or more." in text(mara.get(address("memory_words", bond)))


def test_what_was_told_is_shown_as_text(mara, bond, line):
    node = event(bond, "<script>alert(1)</script>", line)
    Message.objects.update(content="<img src=x onerror=alert(2)>")

    pages = [
        mara.get(address("memories", bond)),
        mara.get(address("memory", bond, node.pk)),
        mara.get(address("forget_memory", bond, node.pk)),
        mara.get(address("memory_words", bond), {"q": "alert"}),
    ]

    for page in pages:
        assert "<script>alert" not in text(page)
        assert "<img src=x" not in text(page)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("memory", "get"),
        ("memory_chain", "get"),
        ("forget_memory", "get"),
        ("forget_memory", "post"),
        ("correct_memory", "post"),
        ("settle_memory", "post"),
        ("bring_back_memory", "post"),
    ],
)
def test_a_stranger_finds_nothing(client, bond, cat, name, method):
    charlie = BondFactory(user=UserFactory(username="charlie"))
    client.force_login(charlie.user)

    of_another = getattr(client, method)(address(name, bond, cat.pk))
    through_own = getattr(client, method)(address(name, charlie, cat.pk))

    assert (of_another.status_code, through_own.status_code) == (404, 404)
    assert ConceptNode.objects.get(pk=cat.pk).deleted_at is None


def test_a_stranger_finds_no_lists_and_takes_nothing_back(client, bond, cat):
    removal.forget_node(node=cat, now=timezone.now())
    act = Forgotten.objects.get()
    charlie = BondFactory(user=UserFactory(username="charlie"))
    client.force_login(charlie.user)

    lists = [client.get(address(name, bond)).status_code for name in ("memories", "memory_words", "trash")]
    posts = [
        client.post(address(name, one, act.pk)).status_code
        for name in ("restore_forgotten", "erase_forgotten")
        for one in (bond, charlie)
    ]
    client.post(address("forget_many", charlie), {"memory": [cat.pk], "sure": "yes"})

    assert (lists, posts) == ([404] * 3, [404] * 4)
    assert Forgotten.objects.count() == 1


def test_signed_out_one_is_sent_to_sign_in(client, bond):
    assert client.get(address("memories", bond))["Location"].startswith("/accounts/login/")


def test_an_unknown_layer_is_not_found(mara, bond):
    assert mara.get(address("memories", bond, "dreams")).status_code == 404


@pytest.fixture
def in_english_again():
    """Reset the language, which pages leave in the thread."""
    with translation.override("en"):
        yield


@pytest.mark.usefixtures("in_english_again")
def test_tags_and_moods_are_words_of_the_readers_language(mara, bond):
    told = event(bond, "She lost her job.", emotion_tags=["anger", "saudade"], relational_tags=["turning-point"])
    Bond.objects.filter(pk=bond.pk).update(mood="subdued", mood_updated_at=timezone.now())
    headers = {"accept-language": "zh-hans"}

    memory = mara.get(reverse("memory", args=[bond.pk, told.pk]), headers=headers).content.decode()
    listed = mara.get(reverse("memories", args=[bond.pk]), headers=headers).content.decode()
    chat = mara.get(reverse("bond", args=[bond.pk]), headers=headers).content.decode()

    assert ">愤怒<" in memory
    assert ">saudade<" in memory
    assert ">anger<" not in memory + listed
    assert "data-mood>低落<" in chat


def test_a_day_within_a_phrase_has_no_capital(client, bond):
    client.force_login(bond.user)
    event(bond, "It rained.", created_at=timezone.now() - timedelta(days=1))

    by_weight = client.get(f"{address('memories', bond, 'events')}?sort=strongest").content.decode()
    assert "Only what matches the filter" not in by_weight
    assert re.search(r"learned\s+<time [^>]*>yesterday</time>", by_weight)


def test_memories_in_the_order_they_were_learned_stand_below_their_days(client, bond):
    client.force_login(bond.user)
    for day in (3, 5, 5):
        event(bond, "It rained.", created_at=datetime(2026, 3, day, 12, tzinfo=UTC))

    found = [
        re.findall(r'data-day="([\d-]+)"', markup_of(client.get(address("memories", bond), {"sort": sort})))
        for sort in ("", "oldest", "strongest")
    ]
    assert found == [["2026-03-05", "2026-03-03"], ["2026-03-03", "2026-03-05"], []]
