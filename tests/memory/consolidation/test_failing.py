from datetime import timedelta

import pytest

from echovessel.embeddings.embedding import EmbeddingError
from echovessel.llm.errors import BadAnswerError, ModelRefusedError, ModelTimeoutError, ModelUnavailableError
from memory import sessions
from memory.consolidation import run
from memory.models import ConceptNode, ConsolidationStep, Message, Session
from tests.memory.consolidation.test_run import WHOLE, logged
from tests.support.factories import NOW
from tests.support.fakes import FakeLLM
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, model, outcomes, step

pytestmark = pytest.mark.django_db

DOWN = ModelUnavailableError("The model server cannot be reached.", transient=True)
NO = ModelRefusedError("The model will not answer.")


@pytest.mark.parametrize(
    ("error", "code"),
    [(NO, "model_refused"), (BadAnswerError("The answer is empty."), "model_bad_answer")],
)
def test_permanent_failure_fails_the_session_visibly_at_once(error, code):
    pauses = []
    llm = model(error)

    session = consolidate(closed_talk(*CAT), llm, pause=pauses.append)

    assert (session.status, session.failure_code, session.failure_detail) == ("failed", code, str(error))
    assert session.failure_next_try_at == NOW + timedelta(hours=1)
    assert (session.failure_count, session.watermark) == (1, 0)
    assert (session.lease_token, session.attempt_count) == (None, 0)
    assert outcomes(session) == [("gate", "done"), ("extraction", "failed")]
    assert step(session, "extraction").error == str(error)
    assert logged(session) == [("chat.session.failed", {"session": session.pk})]
    assert (len(llm.calls), pauses) == (1, [])


@pytest.mark.parametrize("error", [DOWN, ModelTimeoutError("It took too long.")])
def test_transient_failure_is_tried_three_times(error):
    pauses = []
    llm = model(error, error, error)

    session = consolidate(closed_talk(*CAT), llm, pause=pauses.append)

    assert (session.status, session.failure_code) == ("failed", error.code)
    assert (len(llm.calls), pauses) == (3, [2, 8])


def test_failed_sessions_are_tried_again_after_1_6_and_24_hours_then_only_by_hand():
    session = closed_talk(*CAT)
    now = NOW
    waited = []
    for _ in range(4):
        session = consolidate(session, model(NO), now=now)
        waited.append(session.failure_next_try_at and session.failure_next_try_at - now)
        now = session.failure_next_try_at or now

    assert waited == [timedelta(hours=1), timedelta(hours=6), timedelta(hours=24), None]
    assert run.consolidate(session_id=session.pk, llm=model(), clock=lambda: now + timedelta(days=9)) is False

    assert sessions.retry(session=session, now=now)
    session = consolidate(session, model(extraction(event())), now=now)

    assert (session.status, session.failure_code, session.failure_detail) == ("closed", "", "")
    assert (session.failure_count, session.failure_next_try_at) == (0, None)


def test_failed_session_is_not_taken_up_before_its_time():
    session = consolidate(closed_talk(*CAT), model(NO))
    early = NOW + timedelta(minutes=59, seconds=59)

    assert run.consolidate(session_id=session.pk, llm=model(), clock=lambda: early) is False
    assert consolidate(session, model(extraction()), now=NOW + timedelta(hours=1)).status == "closed"


def test_trying_again_repeats_only_what_is_missing():
    session = closed_talk(*CAT)
    answers = {"extraction": [extraction(event())], "reflection": [NO, {"thoughts": []}]}
    llm = FakeLLM(answers=answers)
    session = consolidate(session, llm)
    assert (session.status, outcomes(session)) == ("failed", [*WHOLE[:5], ("reflection", "failed")])

    session = consolidate(session, llm, now=NOW + timedelta(hours=1))

    assert session.status == "closed"
    assert outcomes(session) == WHOLE
    assert [call.feature for call in llm.calls] == ["extraction", "reflection", "reflection"]
    assert step(session, "reflection").error == ""


def test_a_reply_that_lands_in_a_failed_session_does_not_keep_what_was_read_from_being_used():
    session = closed_talk(*CAT)
    answers = {"extraction": [extraction(event())], "reflection": [NO, {"thoughts": []}]}
    session = consolidate(session, FakeLLM(answers=answers))
    Message.objects.create(
        bond=session.bond,
        session=session,
        role="persona",
        content="Poor you.",
        channel="web",
        token_count=3,
        day=NOW,
        created_at=NOW,
        search="",
    )

    session = consolidate(session, FakeLLM(answers=answers), now=NOW + timedelta(hours=1))

    assert session.status == "closed"
    assert outcomes(session) == [*WHOLE, ("gate", "skipped")]


def test_embedding_model_that_fails_fails_the_phase(monkeypatch):
    session = closed_talk(*CAT)

    def broken(texts):
        raise EmbeddingError("The embedding model cannot be loaded.")

    monkeypatch.setattr("memory.recall.embeddings.embedding.embed", broken)

    session = consolidate(session, model())

    assert (session.status, session.failure_code) == ("failed", "model_unavailable")
    assert session.failure_detail == "The embedding model cannot be loaded."
    assert outcomes(session) == [("gate", "done"), ("extraction", "failed")]


def test_long_reasons_are_cut_to_what_a_row_holds():
    session = consolidate(closed_talk(*CAT), model(ModelRefusedError("no " * 400)))

    assert len(session.failure_detail) == 500
    assert len(step(session, "extraction").error) == 500


def test_a_session_that_took_five_workers_with_it_is_set_aside():
    session = closed_talk(*CAT)
    Session.objects.update(attempt_count=4)
    now = NOW

    with pytest.raises(ZeroDivisionError):
        run.consolidate(session_id=session.pk, llm=FakeLLM(answers={"extraction": Killer()}), clock=lambda: now)
    now += timedelta(minutes=11)
    session = consolidate(session, model(), now=now)

    assert (session.status, session.failure_code) == ("failed", "interrupted")
    assert session.failure_detail == "It was taken up 5 times, and each time the worker ended before it was done."
    assert session.attempt_count == 0
    assert ConsolidationStep.objects.filter(outcome="failed").count() == 0

    assert consolidate(session, model(extraction()), now=now + timedelta(hours=1)).status == "closed"


class Killer(list[object]):
    def pop(self, at):
        raise ZeroDivisionError


def test_offline_fallback_remembers_when_the_server_has_failed_for_good(settings):
    settings.OFFLINE_FALLBACK = True
    llm = model(DOWN, DOWN, DOWN, reflections=[NO])

    session = consolidate(closed_talk(*CAT), llm)

    extracted = step(session, "extraction")
    assert (session.status, extracted.offline) == ("closed", True)
    assert extracted.notes.startswith("The offline voice answered, since: The model server cannot be reached.")
    assert step(session, "reflection").offline is True
    assert ConceptNode.objects.events().exists()
