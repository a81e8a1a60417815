"""What went wrong with turns, at their messages, after a reload."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory, TurnFactory
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db

TIMEOUT = {
    "status": "failed",
    "error_code": "model_timeout",
    "error_detail": "The model server took too long.",
    "error_retryable": True,
}
STOPPED = TIMEOUT | {"status": "stopped", "error_code": "interrupted", "error_detail": "Stopped before it started."}


@pytest.fixture
def session():
    return SessionFactory(bond=BondFactory(user__username="mara"))


def ask(session, *, minutes=0, **turn):
    """A turn with the message that it answers."""
    turn = TurnFactory(session=session, created_at=NOW + timedelta(minutes=minutes), **turn)
    MessageFactory(session=session, turn_id=turn.pk, created_at=turn.created_at)
    return turn


def read_notes(answer):
    """Each note: of which turn, what it says, whether it offers another try."""
    page = markup_of(answer)
    found = re.findall(r'data-note-of="([^"]+)"> <p class="message__note">(.*?)</p>', page)
    return [(turn, re.search("<span data-note>(.*?)</span>", note)[1], "data-retry" in note) for turn, note in found]


def open_page(client, session):
    client.force_login(session.bond.user)
    return client.get(reverse("bond", args=[session.bond_id]))


def test_the_newest_turn_that_failed_can_be_tried_again(client, session):
    turn = ask(session, **TIMEOUT)

    assert read_notes(open_page(client, session)) == [(str(turn.pk), "The model server took too long.", True)]


@pytest.mark.parametrize(
    ("code", "is_superuser", "is_led"),
    [("model_unavailable", True, True), ("model_unavailable", False, False), ("model_timeout", True, False)],
)
def test_an_administrator_is_led_to_a_model_server_that_refuses(client, session, code, is_superuser, is_led):
    session.bond.user.is_superuser = is_superuser
    session.bond.user.save()
    ask(session, **TIMEOUT | {"error_code": code})

    [note] = re.findall(
        r'data-note-of="[^"]+"> <p class="message__note">(.*?)</p>', markup_of(open_page(client, session))
    )

    assert ('href="/settings/model/"' in note) == is_led


def test_older_turns_that_failed_say_so(client, session):
    older = ask(session, **TIMEOUT)
    newer = ask(session, minutes=1, **TIMEOUT)
    ask(session, minutes=2, status="done")

    notes = read_notes(open_page(client, session))

    assert notes == [(str(turn.pk), "The model server took too long.", False) for turn in (older, newer)]


def test_what_is_loaded_later_says_it_too(client, session):
    turn = ask(session, **TIMEOUT)
    client.force_login(session.bond.user)

    answer = client.get(reverse("bond_lines", args=[session.bond_id]))

    assert read_notes(answer) == [(str(turn.pk), "The model server took too long.", False)]


@pytest.mark.parametrize(
    ("turn", "said", "can_retry"),
    [
        ({"status": "interrupted"}, "The reply was interrupted.", True),
        (STOPPED, "Stopped", True),
        (TIMEOUT | {"error_retryable": False}, "The model server took too long.", False),
    ],
)
def test_a_turn_that_ended_otherwise_says_how(client, session, turn, said, can_retry):
    made = ask(session, **turn)

    assert read_notes(open_page(client, session)) == [(str(made.pk), said, can_retry)]


@pytest.mark.parametrize("turn", [{"status": "done"}, {"status": "pending"}, {"status": "stopped"}])
def test_a_turn_that_went_well_or_still_goes_on_says_nothing(client, session, turn):
    ask(session, **turn)

    assert read_notes(open_page(client, session)) == []


def test_a_failure_is_said_in_the_readers_language(client, session):
    ask(session, **TIMEOUT)
    session.bond.user.language = "zh-hans"
    session.bond.user.save()

    [(_, said, _)] = read_notes(open_page(client, session))

    assert said == "回答花的时间太长了。"
