import pytest

from chat.models import Turn
from echovessel.llm import provider
from echovessel.llm.offline.voice import OfflineVoice
from memory.models import Session
from tests.support import rules, talking
from tests.support.factories import NOW, BondFactory
from tests.support.talks import CAT, closed_talk, consolidate

pytestmark = pytest.mark.django_db
TOO_LONG = "The rules that answer without a model server took too long."


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(OfflineVoice, "reply_limit", 0.2)
    monkeypatch.setattr(OfflineVoice, "answer_limit", 0.2)


def test_a_reply_that_has_no_end_fails_as_a_model_would_and_is_tried_again(impatient):
    with rules.hung(rules.replying()):
        turn = talking.say(BondFactory(), "mom's dead " * 20, now=NOW)

    assert (turn.status, turn.error_code, turn.error_detail) == (Turn.Status.FAILED, "model_timeout", TOO_LONG)
    assert (turn.error_retryable, turn.offline) == (True, True)


def test_a_consolidation_that_has_no_end_is_set_aside_and_tried_again(impatient, monkeypatch):
    pauses = []
    with rules.hung(rules.at_work()):
        session = consolidate(closed_talk(*CAT), provider.get_fallback_llm(), pause=pauses.append)

    assert (session.status, session.failure_code, session.failure_detail) == ("failed", "model_timeout", TOO_LONG)
    # The same rules over the same words would take as long again.
    assert (session.failure_next_try_at is not None, pauses) == (True, [])

    monkeypatch.setattr(OfflineVoice, "answer_limit", 20)
    session.status = Session.Status.CLOSING
    session.save()
    assert consolidate(session, provider.get_fallback_llm()).status == "closed"
