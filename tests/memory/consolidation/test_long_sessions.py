"""Talks as long as they can be: every line is read once, in order, and the watermark ends at the last."""

import re

import pytest

from memory import sessions
from memory.models import ConceptNode, ConsolidationStep, Message
from memory.models.sessions import MAX_SESSION_MESSAGES
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM
from tests.support.talks import closed_talk, consolidate, event, extraction, talk, thoughts

pytestmark = pytest.mark.django_db


class Reader(FakeLLM):
    """Remembers of each call the user's last line, and notes the lines it was given to read."""

    def __init__(self):
        super().__init__()
        self.read: list[list[str]] = []

    def answer(self, messages, *, feature, **more):
        if feature == "extraction":
            transcript = messages[-1]["content"].partition("<transcript>\n")[2].partition("\n</transcript>")[0]
            lines = re.findall(r"(?m)^\[(\d+)\] [^:]+:\d\d [A-Z]?[a-z]* ?(user|persona): (.*)$", transcript)
            self.read.append([text for _, _, text in lines])
            number, text = [(number, text) for number, role, text in lines if role == "user"][-1]
            self.answers = {
                feature: extraction(event(f"Call {len(self.read)}: {text[:40]}", lines=[int(number)], impact=1))
            }
        else:
            self.answers = {feature: thoughts()}
        return super().answer(messages, feature=feature, **more)


def remembered():
    nodes = ConceptNode.objects.events().order_by("id")
    return [(node.description, [line.content[:40] for line in node.source_messages.all()]) for node in nodes]


def test_two_hundred_messages_are_read_once_and_in_order():
    said = [f"{'persona: ' if at % 2 else ''}Line {at} of the talk. {'word ' * 30}".strip() for at in range(200)]
    session = closed_talk(*said)
    llm = Reader()

    session = consolidate(session, llm)

    contents = [line.removeprefix("persona: ") for line in said]
    assert session.message_count == MAX_SESSION_MESSAGES
    assert [line for call in llm.read for line in call] == contents
    assert [len("".join(call)) <= 12_000 for call in llm.read] == [True] * len(llm.read)
    assert len(llm.read) == 3
    assert [sources for _, sources in remembered()] == [[call[-2][:40]] for call in llm.read]
    assert (session.status, session.watermark) == ("closed", Message.objects.latest("id").pk)


def test_thirty_thousand_characters_in_three_messages_are_read_once_and_in_order():
    said = [f"{name} {'x' * 9_990}" for name in ("First,", "Second", "Third,")]
    session = closed_talk(*said)
    llm = Reader()

    session = consolidate(session, llm)

    assert llm.read == [[line] for line in said]
    assert [sources for _, sources in remembered()] == [[line[:40]] for line in said]
    assert (session.status, session.watermark) == ("closed", Message.objects.latest("id").pk)


def test_one_line_as_long_as_a_line_can_be_is_read_in_parts_and_is_the_source_of_each():
    said = " ".join(f"word{at}" for at in range(2_250))[:20_000]
    session = closed_talk("Before it.", said, "After it.")
    llm = Reader()

    session = consolidate(session, llm)

    read = " ".join(line for call in llm.read for line in call)
    assert read.split() == f"Before it. {said} After it.".split()
    assert [len("".join(call)) <= 12_000 for call in llm.read] == [True] * len(llm.read)
    assert {tuple(sources) for _, sources in remembered()} <= {("Before it.",), (said[:40],), ("After it.",)}
    assert (session.status, session.watermark) == ("closed", Message.objects.latest("id").pk)


def test_a_session_that_is_full_goes_on_in_another_session_and_both_are_read():
    bond = BondFactory(user__username="mara")
    first = talk(*[f"Line {at}." for at in range(MAX_SESSION_MESSAGES)], bond=bond)
    second = talk("One more.", bond=bond)
    first.refresh_from_db()
    sessions.close(session=second, reason="explicit", now=NOW)
    llm = Reader()

    ended = [consolidate(session, llm) for session in (first, second)]

    assert (first.close_reason, [session.status for session in ended]) == ("max_length", ["closed", "closed"])
    assert sum(len(call) for call in llm.read) == MAX_SESSION_MESSAGES
    assert [session.trivial for session in ended] == [False, True]
    assert ConsolidationStep.objects.filter(outcome="failed").count() == 0
