import pytest

from echovessel.llm.errors import BadAnswerError, ModelRefusedError, ModelTimeoutError, ModelUnavailableError
from echovessel.llm.inputs import ReflectionInputs
from echovessel.llm.protocol import Origin
from memory.answers.schemas import ReflectionAnswer
from memory.consolidation.asking import Asker
from tests.support.fakes import FakeLLM

DOWN = ModelUnavailableError("The server is down.", transient=True)
PROSE = "Nothing much happened."


class Asking:
    """Asks a scripted model, noting how often the lease is renewed and how long each pause is."""

    def __init__(self, *answers):
        self.llm = FakeLLM(answers={"reflection": list(answers)})
        self.inputs: ReflectionInputs | None = ReflectionInputs(())
        self.pauses: list[float] = []
        self.renewed = 0

    def ask(self):
        asker = Asker(llm=self.llm, origin=Origin(bond_id=7), before_call=self.renew, pause=self.pauses.append)
        return asker.ask("What do you think?", feature="reflection", schema=ReflectionAnswer, inputs=self.inputs)

    def renew(self):
        self.renewed += 1


def test_an_answer_is_given_with_what_it_took():
    asking = Asking('```json\n{"thoughts": []}\n```')

    asked = asking.ask()

    assert asked.parsed == {"thoughts": []}
    assert (asked.tokens_in, asked.tokens_out, asked.offline, asked.note) == (100, 20, False, "")
    assert (asking.renewed, asking.pauses) == (1, [])
    assert [(call.messages, call.origin) for call in asking.llm.calls] == [
        ([{"role": "user", "content": "What do you think?"}], Origin(bond_id=7))
    ]


@pytest.mark.parametrize(
    ("failures", "pauses"),
    [
        ([DOWN], [2]),
        ([DOWN, ModelTimeoutError("Slow.")], [2, 8]),
        ([ModelUnavailableError("Busy.", transient=True, retry_after=20)], [20]),
        ([ModelUnavailableError("Busy.", transient=True, retry_after=0.5)], [2]),
        ([ModelUnavailableError("Busy.", transient=True, retry_after=3600), DOWN], [60, 8]),
    ],
)
def test_what_may_pass_is_tried_three_times_with_growing_pauses(failures, pauses):
    asking = Asking(*failures, {"thoughts": []})

    assert asking.ask().parsed == {"thoughts": []}
    assert asking.pauses == pauses
    assert asking.renewed == len(failures) + 1


def test_the_third_failure_is_for_good():
    asking = Asking(DOWN, DOWN, DOWN, {"thoughts": []})

    with pytest.raises(ModelUnavailableError):
        asking.ask()
    assert len(asking.llm.calls) == 3


@pytest.mark.parametrize("error", [ModelRefusedError("No."), ModelUnavailableError("Wrong key.", transient=False)])
def test_what_will_not_pass_fails_at_once(error):
    asking = Asking(error, {"thoughts": []})

    with pytest.raises(type(error)):
        asking.ask()
    assert (len(asking.llm.calls), asking.pauses) == (1, [])


def test_an_answer_that_is_no_object_is_corrected_once():
    asking = Asking(PROSE, {"thoughts": []})

    asked = asking.ask()

    assert (asked.parsed, asked.note) == ({"thoughts": []}, "The first answer was no JSON object.")
    assert (asked.tokens_in, asked.tokens_out) == (200, 40)
    assert asking.llm.calls[1].messages == [
        {"role": "user", "content": "What do you think?"},
        {"role": "assistant", "content": PROSE},
        {
            "role": "user",
            "content": "Your answer was no JSON object. Answer again with that object alone.",
        },
    ]


def test_the_correction_is_retried_as_any_call():
    asking = Asking("[]", DOWN, {"thoughts": []})

    assert asking.ask().parsed == {"thoughts": []}
    assert asking.pauses == [2]


def test_a_second_answer_that_is_no_object_fails():
    asking = Asking(PROSE, "[]")

    with pytest.raises(BadAnswerError, match="not an object"):
        asking.ask()


def test_what_json_has_no_word_for_is_left_out():
    asked = Asking("{'thoughts': [{'description': 'a', 'filling': [4]}, ...]}").ask()

    assert asked.parsed == {"thoughts": [{"description": "a", "filling": [4]}]}


def test_of_an_answer_that_breaks_off_twice_the_whole_parts_are_kept():
    whole = '{"description": "She says \\"no\\" [at night].", "filling": [4]}'
    broken = f'```json\n{{"thoughts": [{whole}, {{"description": "He", "filling": [5], "emotion_tags": ["sh'
    asking = Asking(broken, broken)

    asked = asking.ask()

    assert asked.parsed == {"thoughts": [{"description": 'She says "no" [at night].', "filling": [4]}]}
    assert asked.note == "The answer broke off. What is whole of it was kept."
    assert asking.llm.calls[1].messages[-1]["content"].startswith("Your answer broke off.")


def test_a_huge_wrong_answer_is_not_sent_back_whole():
    asking = Asking("x" * 1_000_000, {"thoughts": []})

    asking.ask()

    assert len(asking.llm.calls[1].messages[1]["content"]) == 20_000


@pytest.mark.django_db
@pytest.mark.parametrize("answers", [[DOWN] * 3, [ModelRefusedError("No.")], [PROSE, PROSE]])
def test_the_offline_voice_answers_when_it_may(settings, answers):
    settings.OFFLINE_FALLBACK = True

    asked = Asking(*answers).ask()

    assert (asked.offline, asked.note.startswith("The offline voice answered, since: ")) == (True, True)


def test_the_offline_voice_does_not_stand_in_where_it_has_no_rules(settings):
    settings.OFFLINE_FALLBACK = True
    asking = Asking(ModelRefusedError("No."))
    asking.inputs = None

    with pytest.raises(ModelRefusedError):
        asking.ask()


def test_the_offline_voice_does_not_stand_in_for_itself(settings):
    settings.OFFLINE_FALLBACK = True
    asking = Asking(ModelRefusedError("No."))
    asking.llm.offline = True

    with pytest.raises(ModelRefusedError):
        asking.ask()
