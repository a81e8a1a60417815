import pytest

from echovessel.llm import provider
from echovessel.llm.errors import BadAnswerError
from memory.models import LineRecap, Message
from memory.storytelling import recapping_lines
from memory.storytelling.work.running import StepChanged
from tests.support.factories import BondFactory, MessageFactory, SessionFactory
from tests.support.fakes import FakeLLM
from tests.support.story import run_step

pytestmark = pytest.mark.django_db

SAID = ["Lin sold her boat.", "To whom?", "To a man from Trieste, for 9000 euros.", "That is a lot."]


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def messages(bond):
    """A talk that fills the window, so that its first four messages are due."""
    session = SessionFactory(bond=bond)
    said = [*SAID, *["Hm, so it goes."] * 68]
    made = [
        MessageFactory.build(session=session, bond=bond, role=role, token_count=50, content=content)
        for content, role in zip(said, ["user", "persona"] * 36, strict=True)
    ]
    return Message.objects.bulk_create(made)


def answer(**texts):
    return {"recaps": [{"line": int(name[1:]), "text": text} for name, text in texts.items()]}


def recap(bond, llm, **given):
    def act(asker, step, now):
        recapping_lines.recap_lines(bond=bond, asker=asker, step=step, now=now, **given)

    return run_step(act, bond=bond, llm=llm, kind="line_recaps")


def test_messages_are_recapped_with_those_before_them(bond, messages):
    llm = FakeLLM(answers={"line_recaps": answer(_1="mara says that Lin sold her boat.", _3="It cost 9000 euros.")})
    recap(bond, llm)

    [call] = llm.calls
    assert (
        "[1] mara: Lin sold her boat.\n[2] Marian: To whom?\n[3] mara: To a man from Trieste, for 9000 euros."
        in call.text
    )
    rows = LineRecap.objects.order_by("message").values_list("message", "text", "status", "made_by", "sources")
    ids = [message.pk for message in messages]
    assert list(rows) == [
        (ids[0], "mara says that Lin sold her boat.", "ok", "model", ids[:1]),
        (ids[1], "", "failed", "model", ids[:2]),
        (ids[2], "It cost 9000 euros.", "ok", "model", ids[:3]),
        (ids[3], "", "failed", "model", ids[:4]),
    ]


@pytest.mark.parametrize("text", ["Lin sold it for 8000 euros.", ""])
def test_what_the_messages_do_not_say_is_not_believed(bond, messages, text):
    recap(bond, FakeLLM(answers={"line_recaps": answer(_1="Lin sold her boat.", _3=text)}))

    assert LineRecap.objects.get(message=messages[2]).status == "failed"


@pytest.mark.parametrize(
    "rubbish", [{"recaps": 7}, {}, {"recaps": [3, {"line": 99, "text": "x"}, {"line": "?", "text": 1}]}]
)
def test_of_rubbish_nothing_is_written(bond, messages, rubbish):
    with pytest.raises(BadAnswerError):
        recap(bond, FakeLLM(answers={"line_recaps": rubbish}))

    assert LineRecap.objects.count() == 0


def test_the_rules_tell_the_weightiest_sentence(bond, messages):
    recap(bond, provider.get_fallback_llm())

    rows = LineRecap.objects.order_by("message").values_list("text", "made_by")
    assert list(rows) == [(text, "rules") for text in SAID]


def test_a_message_that_was_left_out_meanwhile_is_not_recapped(bond, messages):
    llm = FakeLLM(answers={"line_recaps": answer(_1="Lin sold her boat.")})

    def act(asker, step, now):
        ask = asker.ask

        class Disturbed:
            llm = asker.llm

            def ask(self, *given, **how):
                found = ask(*given, **how)
                Message.objects.filter(pk=messages[0].pk).update(left_out=True)
                return found

        recapping_lines.recap_lines(bond=bond, asker=Disturbed(), step=step, now=now)

    with pytest.raises(StepChanged):
        run_step(act, bond=bond, llm=llm, kind="line_recaps")
    assert LineRecap.objects.count() == 0


def test_secrets_go_to_no_model(bond, messages):
    Message.objects.filter(pk=messages[0].pk).update(content="My password is hunter2xyz9.")
    llm = FakeLLM(answers={"line_recaps": answer(_2="To whom?")})
    recap(bond, llm)

    assert "hunter2" not in llm.calls[0].text


def test_one_message_that_is_asked_for(bond, messages):
    llm = FakeLLM(answers={"line_recaps": answer(_1="So it goes.")})
    recap(bond, llm, target=messages[50].pk)

    assert list(LineRecap.objects.values_list("message", "text")) == [(messages[50].pk, "So it goes.")]
