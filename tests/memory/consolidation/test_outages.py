"""A model server that fails at each call in turn: what is missing is made up, and in the end the rows are those of a run without a failure."""

from datetime import timedelta
from typing import Any

import pytest

from echovessel.llm.errors import LLMError, ModelRefusedError, ModelTimeoutError, ModelUnavailableError
from memory.models import Session
from tests.support import worlds
from tests.support.factories import NOW
from tests.support.fakes import FakeLLM
from tests.support.snapshots import snapshot
from tests.support.talks import closed_talk, consolidate, event, extraction

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
LONG = (f"We have a cat called Nimbus. {'x' * 7000}", f"He jumps on my face. {'y' * 7000}", "Good night.")
CALLS = ["extraction", "extraction", "reflection"]
DOWN = ModelUnavailableError("The model server cannot be reached.", transient=True)
BUSY = ModelUnavailableError("The model server asks for patience.", transient=True, retry_after=5)
SLOW = ModelTimeoutError("It took too long.")
NO = ModelRefusedError("The model will not answer.")
PROSE = "I would rather not."


class Failing(FakeLLM):
    """Answers from what it is asked, so that it says the same again; the calls of these numbers, from 0, fail."""

    def __init__(self, failures: dict[int, LLMError | str] | None = None) -> None:
        super().__init__()
        self.failures = failures or {}

    def answer(self, messages, *, feature, **more):
        prompt = messages[0]["content"]
        at = len(self.calls)
        self.answers[feature] = self.failures[at] if at in self.failures else good(feature, prompt)
        return super().answer(messages, feature=feature, **more)

    @property
    def asked(self) -> list[str]:
        return [call.feature for call in self.calls]


def good(feature: str, prompt: str) -> dict[str, Any]:
    if feature == "reflection":
        ids = [int(line[1 : line.index("]")]) for line in prompt.splitlines() if line.startswith("[")]
        return {"thoughts": [{"description": "They give in to the cat.", "filling": ids}]}
    is_first = "Good night." not in prompt
    return extraction(
        event("The user's cat is called Nimbus." if is_first else "He jumps on their face.", impact=-8),
        session_summary="The cat." if is_first else "The end.",
        session_mood_signal={"mood": "tired", "energy": 3},
        mentioned_entities=[{"canonical_name": "Nimbus", "kind": "pet"}],
    )


def rows() -> dict[str, Any]:
    """What is there in the end; that it failed on the way, and that a first answer was no answer, may be told too."""
    found = snapshot()
    found["log"] = [entry for entry in found["log"] if entry[0] != "chat.session.failed"]
    found["steps"] = [step[:-1] for step in found["steps"]]
    return found


def undisturbed() -> dict[str, Any]:
    consolidate(closed_talk(*LONG), Failing())
    return rows()


@pytest.fixture(scope="module")
def expected(django_db_setup, django_db_blocker):
    with worlds.shared(undisturbed, database=django_db_blocker) as found:
        return found


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize(("error", "times"), [(DOWN, 1), (SLOW, 2), (BUSY, 2)])
def test_a_failure_that_passes_is_waited_for(expected, at, error, times):
    pauses: list[float] = []
    llm = Failing(dict.fromkeys(range(at, at + times), error))

    session = consolidate(closed_talk(*LONG), llm, pause=pauses.append)

    assert session.status == "closed"
    assert llm.asked == CALLS[:at] + [CALLS[at]] * times + CALLS[at:]
    assert pauses == {DOWN: [2], SLOW: [2, 8], BUSY: [5, 8]}[error]
    assert rows() == expected


@pytest.mark.parametrize("at", [0, 1, 2])
def test_an_answer_that_is_none_is_corrected_once(expected, at):
    llm = Failing({at: PROSE})

    session = consolidate(closed_talk(*LONG), llm)

    assert session.status == "closed"
    assert llm.asked == CALLS[: at + 1] + CALLS[at:]
    assert rows() == expected


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ([DOWN] * 3, "model_unavailable"),
        ([SLOW] * 3, "model_timeout"),
        ([NO], "model_refused"),
        ([PROSE] * 2, "model_bad_answer"),
    ],
    ids=["down", "slow", "refused", "prose"],
)
def test_a_failure_for_good_is_seen_and_only_what_is_missing_is_asked_again(expected, at, answers, code):
    session = consolidate(closed_talk(*LONG), Failing(dict(enumerate(answers, start=at))))

    assert (session.status, session.failure_code, session.failure_next_try_at) == ("failed", code, NOW + HOUR)
    assert session.steps.get(outcome="failed").phase == CALLS[at]

    again = Failing()
    session = consolidate(session, again, now=NOW + HOUR)

    assert session.status == "closed"
    assert again.asked == CALLS[at:]
    assert rows() == expected


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_server_that_stays_away_is_tried_after_1_6_and_24_hours_at_whatever_call(expected, at):
    session = consolidate(closed_talk(*LONG), Failing(dict.fromkeys(range(at, 9), NO)))
    tried_at = [session.failure_next_try_at]
    for _ in range(3):
        session = consolidate(session, Failing({0: NO}), now=tried_at[-1])
        tried_at.append(session.failure_next_try_at)

    assert tried_at == [NOW + HOUR, NOW + 7 * HOUR, NOW + 31 * HOUR, None]
    assert list(Session.objects.due(NOW + timedelta(days=9))) == []
