from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django_q.models import OrmQ

from memory.models import ConceptNode, Message, Session
from tests.chat.pages.conversation.test_page import talk, text
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, SessionFactory

pytestmark = pytest.mark.django_db
HOSTILE = '"><script>alert(1)</script>{{ 7 }}'


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__time_zone="Europe/Vienna")


def ask(client, name, bond, *ids, **query):
    return text(client.get(reverse(name, args=[bond.pk, *ids]), query))


def order(page, *marks):
    return sorted(marks, key=page.index) == list(marks)


@pytest.fixture
def old(bond):
    """Three hundred messages in two sessions a week apart, in order."""
    return [
        *talk(bond, *(f"old {n}." for n in range(150)), at=NOW - timedelta(days=7)),
        *talk(bond, *(f"new {n}." for n in range(150))),
    ]


def test_a_jump_brings_what_surrounds_a_message_and_marks_what_is_missing(mara, bond, old):
    page = ask(mara, "bond_lines", bond, message=old[60].pk, before=old[250].pk)

    shown = [f"old {n}." in page for n in (44, 45, 60, 109, 110)]
    assert shown == [False, True, True, True, False]
    assert f'data-after="" data-before="{old[45].pk}"' in page
    assert f'data-after="{old[109].pk}" data-before="{old[250].pk}"' in page
    assert (page.count("data-gap"), page.count("data-day"), page.count("data-rule")) == (2, 1, 0)


def test_a_session_is_met_at_its_beginning_and_closes_what_gap_it_can(mara, bond, old):
    page = ask(mara, "bond_lines", bond, session=old[150].session_id, after=old[140].pk, before=old[200].pk)

    assert (page.count("data-message="), page.count("data-gap"), page.count("data-rule")) == (59, 0, 1)
    assert order(page, "old 141.", "old 149.", "data-day", "data-rule", "new 0.", "new 49.")


def test_a_gap_is_filled_from_either_end(mara, bond, old):
    bounds = {"after": old[10].pk, "before": old[200].pk}

    first, last = (ask(mara, "bond_lines", bond, **bounds, **way) for way in ({"down": ""}, {}))

    assert [f"old {n}." in first for n in (10, 11, 60, 61)] == [False, True, True, False]
    assert [f"new {n}." in last for n in (0, 49, 50)] == [True, True, False]
    assert f'data-after="{old[60].pk}" data-before="{old[200].pk}"' in first
    assert f'data-after="{old[10].pk}" data-before="{old[150].pk}"' in last
    assert (first.count("data-day"), last.count("data-day")) == (0, 1)


def test_messages_that_are_all_gone_leave_no_gap(mara, bond, old):
    Message.objects.filter(pk__in=[message.pk for message in old[11:200]]).update(deleted_at=NOW)
    bounds = {"after": old[10].pk, "before": old[200].pk}

    ways = ({"down": ""}, {}, {"message": old[50].pk})
    assert [ask(mara, "bond_lines", bond, **bounds, **way).strip() for way in ways] == ["", "", ""]


def test_a_message_of_another_bond_leads_nowhere_in_it(mara, bond, old):
    [foreign] = talk(BondFactory(), "A secret about plums.")

    page = ask(mara, "bond_lines", bond, message=foreign.pk, before=old[250].pk)

    assert "plums" not in page


def test_sessions_are_grouped_by_age_and_say_how_they_are(mara, bond, time_machine):
    time_machine.move_to(NOW)
    [first, _] = talk(bond, "a", "b", status="open")
    talk(bond, "b", at=NOW - timedelta(days=1), title="Yesterday's plums", status="closing")
    talk(bond, "c", at=NOW - timedelta(days=5), title="Within the week", status="failed")
    talk(bond, "d", at=NOW - timedelta(days=50), title="Long ago")
    SessionFactory(bond=bond, channel="api", title="An empty one")

    page = ask(mara, "bond_sessions", bond)

    marks = [
        "Today",
        "This chat",
        "Yesterday",
        "plums",
        "Saving memories",
        "Previous 7 days",
        "Memories not saved yet",
        "Older",
        "Long",
    ]
    assert order(page, *marks)
    assert "An empty one" not in page
    assert f'data-first="{first.pk}"' in page


def test_only_the_chat_that_goes_on_here_is_marked_while_a_program_has_one_open(mara, bond):
    talk(bond, "Said on this page.", status="open")
    talk(bond, "Said by a program.", status="open", channel="api")

    page = ask(mara, "bond_sessions", bond)

    assert (page.count("aria-current"), page.count("This chat"), page.count("Said by a program")) == (1, 1, 1)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("model_timeout", "The answer took too long."),
        ("model_refused", "The model refused to read this chat."),
        ("unheard_of", "What the server said."),
    ],
)
def test_a_failed_session_says_why_and_when_and_can_be_tried_again(mara, bond, code, why):
    failure = {"failure_code": code, "failure_detail": "What the server said.", "failure_next_try_at": NOW}
    talk(bond, "a", status="failed", **failure)

    page = ask(mara, "bond_sessions", bond)

    session = Session.objects.get()
    assert order(page, why, "All its messages are kept.", "Next try:", f'data-try-again="{session.pk}"')
    answer = mara.post(f"/api/bonds/{bond.pk}/sessions/{session.pk}/consolidate/")
    assert (answer.status_code, OrmQ.objects.get().task["args"]) == (202, (session.pk,))
    assert "Saving memories" in ask(mara, "bond_sessions", bond)


def test_sessions_come_by_the_page(mara, bond):
    for n in range(45):
        talk(bond, "a", at=NOW - timedelta(hours=n), title=f"Talk {n}.")

    first, more = ask(mara, "bond_sessions", bond), ask(mara, "bond_sessions", bond, most=80)

    assert [page.count("data-session-link") for page in (first, more)] == [40, 45]
    assert ("?most=80" in first, "Talk 40." in first, "Talk 44." in more, "most=120" in more) == (
        True,
        False,
        True,
        False,
    )


@pytest.mark.parametrize("most", ["-1", "x", "0", "9" * 30])
def test_a_strange_number_of_sessions_is_as_if_none_was_named(mara, bond, most):
    talk(bond, "a")

    assert 'value="40"' in ask(mara, "bond_sessions", bond, most=most)


def test_what_was_put_away_is_folded(mara, bond):
    talk(bond, "a", title="Here")
    talk(bond, "b", title="Away", archived_at=NOW)

    folded, unfolded = (ask(mara, "bond_sessions", bond, archive=way) for way in ("closed", "open"))

    assert [("Here" in page, "Away" in page) for page in (folded, unfolded)] == [(True, False), (True, True)]
    assert ("archive=open" in folded, "archive=closed" in unfolded) == (True, True)
    assert order(unfolded, "Here", "Archive", "Away", "data-archived")


def test_pinned_ones_stand_first_and_say_so(mara, bond):
    talk(bond, "a", title="Newest")
    talk(bond, "b", title="Second", pinned_at=NOW)
    talk(bond, "c", title="First", pinned_at=NOW - timedelta(days=1))
    talk(bond, "d", title="Away", pinned_at=NOW, archived_at=NOW)

    page = ask(mara, "bond_sessions", bond)

    assert order(page, "Pinned", "First", "Second", "Newest")
    assert (page.count("data-pinned"), "Away" in page) == (2, False)


def test_a_session_off_the_record_has_no_menu(mara, bond):
    talk(bond, "a", status="open", off_record=True)

    assert "data-session-menu" not in ask(mara, "bond_sessions", bond)


# Where stories are told, one asks whether the bond has scenes.
@pytest.mark.parametrize(("has_story", "count"), [(False, 5), (True, 6)], ids=["no story", "story"])
def test_the_list_takes_as_many_queries_for_three_as_for_one(
    mara, bond, django_assert_num_queries, settings, has_story, count
):
    settings.STORY_ENABLED = has_story
    talk(bond, "a", archived_at=NOW)
    for _ in range(2):
        talk(bond, "a", title="More")
        with django_assert_num_queries(count):
            ask(mara, "bond_sessions", bond)
        talk(bond, "a", title="More")


def test_messages_are_found_with_who_said_them_and_when(mara, bond):
    own, reply = talk(bond, "My cat is 小黑.", "A fine cat.", at=NOW - timedelta(days=900))
    talk(bond, "cat, off the record", status="open", off_record=True)
    talk(BondFactory(), "Another's cat.")

    page = ask(mara, "found_lines", bond, q="cat")
    chinese = ask(mara, "found_lines", bond, q="小黑")

    assert page.count("data-found-message") == 2
    assert order(
        page,
        f"#message-{reply.pk}",
        "Marian",
        "A fine <mark>cat</mark>.",
        f"#message-{own.pk}",
        "<span>You</span>",
        "小黑",
    )
    assert 'data-said="2 messages found"' in page
    assert "<mark>小黑</mark>" in chinese
    assert f'datetime="{own.created_at.isoformat()}"' in chinese


def test_more_are_found_by_the_page(mara, bond):
    messages = talk(bond, *(f"cat {n}." for n in range(45)))

    first = ask(mara, "found_lines", bond, q="cat")
    second = ask(mara, "found_lines", bond, q="cat", behind=messages[25].pk)
    third = ask(mara, "found_lines", bond, q="cat", behind=messages[5].pk)

    assert [page.count("data-found-message") for page in (first, second, third)] == [20, 20, 5]
    assert [page.count("behind=") for page in (first, second, third)] == [1, 1, 0]
    assert f"behind={messages[25].pk}" in first
    assert 'data-said="More than 20 messages found"' in first


@pytest.mark.parametrize("query", ["zymurgy", "%", "'; drop", "\x00", "小", "[[cat]]", "<b>", "x" * 500])
def test_whatever_is_asked_is_answered(mara, bond, query):
    talk(bond, "My cat.")

    assert mara.get(reverse("found_lines", args=[bond.pk]), {"q": query}).status_code == 200


def test_nothing_is_found_for_nothing(mara, bond):
    talk(bond, "My cat.")

    assert [ask(mara, "found_lines", bond, q=query).count("<li") for query in ("", "   ")] == [0, 0]
    assert "No message matches." in ask(mara, "found_lines", bond, q="dog")


def test_search_takes_as_many_queries_for_three_as_for_one(mara, bond, django_assert_num_queries):
    for _ in range(2):
        talk(bond, "a cat")
        with django_assert_num_queries(6):
            ask(mara, "found_lines", bond, q="cat")
        talk(bond, "a cat")


@pytest.fixture
def remembered(bond):
    messages = talk(bond, "My cat.", "A fine cat.", title="The cat")
    ConceptNodeFactory(bond=bond, description="The cat is fine.", sources=messages)
    return messages[0].session


def left():
    return ConceptNode.objects.filter(deleted_at=None).count(), Message.objects.visible().count()


def test_what_goes_with_a_session_is_shown_before(mara, bond, remembered):
    page = ask(mara, "forget_session", bond, remembered.pk)

    assert order(page, "The cat", "One memory is based on this chat alone", "The cat is fine.")
    assert order(
        page, 'value="go" checked', "no longer knows any of it", 'value="stay"', "still knows the memories above"
    )
    assert left() == (1, 2)


def test_a_session_that_nothing_rests_on_alone_says_what_stays(mara, bond, remembered):
    [elsewhere] = talk(bond, "My cat is still fine.")
    ConceptNodeFactory(bond=bond, sources=[elsewhere, remembered.messages.first()])
    ConceptNode.objects.filter(description="The cat is fine.").delete()

    page = ask(mara, "forget_session", bond, remembered.pk)

    assert order(page, "Its 2 messages are deleted", "One memory that also came from elsewhere stays")
    assert 'type="radio"' not in page


@pytest.mark.parametrize(("memories", "count"), [("go", 0), ("stay", 1), ("?", 1)])
def test_a_session_is_forgotten_and_comes_back(mara, bond, remembered, memories, count):
    answer = mara.post(reverse("forget_session", args=[bond.pk, remembered.pk]), {"memories": memories})

    assert (answer.status_code, left()) == (204, (count, 0))
    assert "The cat" not in ask(mara, "bond_sessions", bond)
    undone = mara.post(reverse("restore_session", args=[bond.pk, remembered.pk]))
    assert (undone.status_code, left()) == (204, (1, 2))


def test_a_session_in_which_a_reply_is_made_stays(mara, bond, remembered):
    Session.objects.update(held_until=timezone.now() + timedelta(minutes=5))

    answer = mara.post(reverse("forget_session", args=[bond.pk, remembered.pk]))

    assert (answer.status_code, text(answer)) == (
        409,
        "A reply in this chat is being written. Stop it, or wait until it is done.",
    )
    assert left() == (1, 2)


def test_what_was_not_forgotten_cannot_come_back(mara, bond, remembered):
    assert mara.post(reverse("restore_session", args=[bond.pk, remembered.pk])).status_code == 404


@pytest.mark.parametrize("name", ["bond_lines", "bond_sessions", "found_lines"])
def test_another_persons_bond_is_not_found(charlie, bond, name):
    talk(bond, "A secret about plums.")

    answer = charlie.get(reverse(name, args=[bond.pk]), {"q": "plums"})

    assert (answer.status_code, "plums" in text(answer)) == (404, False)


@pytest.mark.parametrize(
    ("name", "method"), [("forget_session", "get"), ("forget_session", "post"), ("restore_session", "post")]
)
def test_another_persons_session_is_not_found(client, charlie, bond, remembered, name, method):
    foreign = reverse(name, args=[bond.pk, remembered.pk])
    through_own = reverse(name, args=[BondFactory(user__username="lin").pk, remembered.pk])

    answers = [getattr(charlie, method)(url) for url in (foreign, through_own)]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert left() == (1, 2)


def test_what_is_hostile_is_shown_as_text(mara, bond):
    messages = talk(bond, f"cat {HOSTILE}", title=HOSTILE)
    ConceptNodeFactory(bond=bond, description=HOSTILE, sources=messages)
    talk(bond, "a", status="failed", failure_code="?", failure_detail=HOSTILE, title=HOSTILE, archived_at=NOW)

    pages = [
        ask(mara, "bond_sessions", bond, archive="open"),
        ask(mara, "found_lines", bond, q="cat"),
        ask(mara, "found_lines", bond, q=HOSTILE),
        ask(mara, "forget_session", bond, messages[0].session_id),
    ]

    assert ["<script" in page for page in pages] == [False] * 4
    assert ["&lt;script&gt;" in page or "<mark>script</mark>" in page for page in pages] == [True] * 4
