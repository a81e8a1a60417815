import uuid
from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from echovessel import text
from memory.messages.ingest import ingest
from memory.models import Message, Session, lexemes
from memory.sessions import SessionError
from tests.support.factories import NOW, BondFactory, SessionFactory

pytestmark = pytest.mark.django_db


def say(session, content="We have a white cat.", *, role="user", turn_id=None, **more):
    return ingest(session=session, role=role, content=content, turn_id=turn_id or uuid.uuid4(), now=NOW, **more)


@pytest.fixture
def session():
    return SessionFactory(bond__user__username="mara", bond__user__time_zone="Asia/Shanghai", channel="api")


def test_a_message_is_stored_verbatim_with_its_day_and_tokens(session):
    turn = uuid.uuid4()

    line = say(session, " 小黑\u202e <b>jumps</b> ", turn_id=turn, client_id="c1")

    line = Message.objects.defer("search").get(pk=line.pk)
    assert (line.content, line.role, line.channel, line.client_id) == (" 小黑\u202e <b>jumps</b> ", "user", "api", "c1")
    assert (line.bond, line.session, line.turn_id) == (session.bond, session, turn)
    assert (line.token_count, line.day, line.created_at) == (6, date(2026, 11, 22), NOW)
    assert (line.variant, line.chosen, line.cut_off) == (0, True, False)
    assert (line.embedding, line.embedding_model) == (None, "")


def test_messages_are_counted_in_their_session(session):
    say(session)
    say(session, "Lovely.", role="persona")

    session.refresh_from_db()
    assert (session.message_count, session.token_count, session.last_message_at) == (2, 7, NOW)


def test_the_last_message_is_never_moved_back(session):
    Session.objects.update(last_message_at=NOW + timedelta(hours=1))

    say(session)

    session.refresh_from_db()
    assert session.last_message_at == NOW + timedelta(hours=1)


@pytest.mark.parametrize("word", ["cats", "WHITE", "小黑", "猫", "的"])
def test_any_word_and_two_characters_are_found(session, word):
    line = say(session, "We have a white cat 我的小黑猫")

    wanted = " & ".join(lexemes.format_lexeme(line.bond_id, term) for term in text.extract_search_terms(word))
    assert list(Message.objects.extra(where=["search @@ %s::tsquery"], params=[wanted])) == [line]


@pytest.mark.parametrize("status", ["closing", "consolidating", "closed", "failed"])
def test_a_user_message_needs_an_open_session_and_a_reply_goes_to_its_own_always(session, status):
    Session.objects.update(status=status)

    with pytest.raises(SessionError) as refused, transaction.atomic():
        say(session)
    reply = say(session, role="persona")

    assert (refused.value.code, refused.value.detail) == ("conflict", f"This session is {status}.")
    assert list(session.messages.all()) == [reply]


def test_the_newest_variant_of_a_reply_is_the_chosen_one_and_counts_once(session):
    turn = uuid.uuid4()
    line = say(session, turn_id=turn)
    first = say(session, "One.", role="persona", turn_id=turn)
    second = say(session, "Two.", role="persona", turn_id=turn, variant=1)
    other = say(session, "Else.", role="persona")

    assert list(Message.objects.filter(chosen=True).order_by("id")) == [line, second, other]
    session.refresh_from_db()
    assert session.message_count == 3
    assert list(Message.objects.past_watermark(session)) == [line, second, other]
    assert first not in Message.objects.visible()


def test_a_variant_and_a_client_id_are_stored_once(session):
    turn = uuid.uuid4()
    say(session, turn_id=turn, client_id="c1")
    say(session, role="persona", turn_id=turn)

    with pytest.raises(IntegrityError), transaction.atomic():
        say(session, client_id="c1")
    with pytest.raises(IntegrityError), transaction.atomic():
        say(session, role="persona", turn_id=turn)

    charlie = SessionFactory(bond=BondFactory(user__username="charlie"))
    assert say(charlie, client_id="c1").client_id == "c1"
