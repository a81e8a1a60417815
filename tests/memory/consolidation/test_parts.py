"""Lines too long for one call, and sessions of many lines."""

import pytest

from echovessel.llm.errors import ModelUnavailableError
from memory.consolidation import transcript
from memory.models import ConceptNode, ConsolidationStep, Entity, Message, Session
from tests.memory.consolidation.test_kill import LATER, Killed
from tests.support import worlds
from tests.support.factories import NOW
from tests.support.talks import closed_talk, consolidate, event, extraction, model, outcomes

pytestmark = pytest.mark.django_db

MOST = transcript.CHUNK_CHARACTERS
# One sentence and one word, since the rules read each sentence of a message.
FILLER = f"So it went on. {'x' * 9735}"
# Three parts, cut at the ends of paragraphs.
LONG = "\n\n".join(f"{begins} {FILLER}" for begins in ("I had a cat.", "She was called Nimbus.", "She died."))


def parts(*more):
    """An answer for each part of LONG, and for what is said after it."""
    return [
        extraction(event("The user had a cat.", lines=[1]), session_summary="A cat."),
        extraction(
            event("The cat was called Nimbus.", lines=[2]),
            session_summary="Nimbus.",
            mentioned_entities=[{"canonical_name": "Nimbus", "kind": "pet"}],
        ),
        extraction(event("Nimbus died.", impact=-9, lines=[3]), session_summary="She died."),
        *more,
    ]


def read(llm):
    return [call.text for call in llm.calls if call.feature == "extraction"]


def between(prompt, tag):
    return prompt.partition(f"<{tag}>\n")[2].partition(f"</{tag}>")[0]


def written():
    return {
        "nodes": sorted(ConceptNode.objects.values_list("description", "source_messages__content")),
        "keys": ConceptNode.objects.values("answer_key").distinct().count(),
        "steps": sorted(ConsolidationStep.objects.values_list("phase", "part", "outcome")),
        "entities": list(Entity.objects.values_list("canonical_name", "mentions__node__description").order_by("id")),
        "sessions": list(Session.objects.values_list("status", "summary", "trivial")),
    }


def test_a_message_too_long_for_one_call_is_read_in_parts_to_its_end():
    llm = model(*parts(extraction(event("The user is tired.", lines=[2]), session_summary="Tired.")))

    session = consolidate(closed_talk(LONG, "I am tired."), llm)

    line, last = session.messages.order_by("id")
    prompts = read(llm)
    assert [between(prompt, "transcript")[:60] for prompt in prompts] == [
        "[1] 2026-11-21 20:00 Saturday user: I had a cat. So it went ",
        "[2] 2026-11-21 20:00 Saturday user: She was called Nimbus. S",
        "[3] 2026-11-21 20:00 Saturday user: She died. So it went on.",
        "[2] 2026-11-21 20:00 Saturday user: I am tired.\n",
    ]
    assert all(len(between(prompt, "transcript")) < MOST + 200 for prompt in prompts)
    assert [between(prompt, "summary_so_far") for prompt in prompts] == [
        "(none)\n",
        "A cat.\n",
        "Nimbus.\n",
        "She died.\n",
    ]
    assert [(node.description, node.source_messages.get()) for node in ConceptNode.objects.order_by("id")] == [
        ("The user had a cat.", line),
        ("The cat was called Nimbus.", line),
        ("Nimbus died.", line),
        ("The user is tired.", last),
    ]
    steps = ConsolidationStep.objects.filter(phase="extraction").order_by("id")
    assert [(step.last_message_id, step.part) for step in steps] == [
        (line.pk, 1),
        (line.pk, 2),
        (line.pk, 3),
        (last.pk, 0),
    ]
    assert (session.watermark, session.summary) == (last.pk, "Tired.")
    for phase in ("entities", "mood", "summary"):
        assert ConsolidationStep.objects.filter(phase=phase).count() == 4
    linked = Entity.objects.get().nodes.order_by("id").values_list("description", flat=True)
    assert list(linked) == ["The user had a cat.", "The cat was called Nimbus.", "Nimbus died."]


class Interrupted:
    """A model whose worker dies at one of its calls."""

    def __init__(self, llm, at):
        self.llm = llm
        self.left = at

    def __getattr__(self, name):
        return getattr(self.llm, name)

    def answer(self, *args, **more):
        self.left -= 1
        if self.left == 0:
            raise Killed
        return self.llm.answer(*args, **more)


def written_at_once():
    consolidate(closed_talk(LONG, "I am tired."), model(*parts(extraction(session_summary="Tired."))))
    return written()


@pytest.fixture(scope="module")
def undisturbed(django_db_setup, django_db_blocker):
    with worlds.shared(written_at_once, database=django_db_blocker) as rows:
        return rows


@pytest.mark.parametrize("at", [1, 2, 3, 4, 5])
def test_a_worker_that_dies_between_the_parts_costs_none_and_doubles_none(undisturbed, at):
    session = closed_talk(LONG, "I am tired.")
    llm = model(*parts(extraction(session_summary="Tired.")))

    with pytest.raises(Killed):
        consolidate(session, Interrupted(llm, at))
    line, last = session.messages.order_by("id")
    assert Session.objects.get().watermark == [0, 0, 0, line.pk, last.pk][at - 1]
    session = consolidate(session, llm, now=LATER)

    assert written() == undisturbed
    assert session.watermark == Message.objects.latest("id").pk


def test_a_call_that_fails_between_the_parts_is_tried_again_from_there():
    failing = [ModelUnavailableError("The server is away.", transient=False)]
    session = consolidate(closed_talk(LONG), model(*parts()[:1], *failing))
    assert (session.status, session.watermark) == ("failed", 0)
    session.status = "closing"
    session.save()

    llm = model(*parts()[1:])
    session = consolidate(session, llm)

    assert (session.status, len(read(llm))) == ("closed", 2)
    assert [step for step in outcomes(session) if step[0] == "extraction"] == [("extraction", "done")] * 3
    assert ConceptNode.objects.count() == 3


@pytest.mark.parametrize("after", [(), ("I am tired.", "So tired.", "Good night.")], ids=["alone", "with more"])
def test_a_message_deleted_between_its_parts_is_left_behind(after):
    session = closed_talk(LONG, *after)
    with pytest.raises(Killed):
        consolidate(session, Interrupted(model(*parts()), 3))
    line = session.messages.earliest("id")
    line.deleted_at = NOW
    line.save()

    llm = model(*[extraction(session_summary="Tired.")] * bool(after))
    session = consolidate(session, llm, now=LATER)

    last = Message.objects.latest("id")
    assert (session.status, session.trivial, session.watermark) == ("closed", False, last.pk)
    assert [between(prompt, "transcript").count("\n") for prompt in read(llm)] == [3] * bool(after)
    assert "She died." not in "".join(read(llm))
    assert session.summary == ("Tired." if after else "Nimbus.")
    assert ConceptNode.objects.count() == 2
    assert Entity.objects.get().canonical_name == "Nimbus"


def test_a_session_of_two_hundred_messages_and_thirty_thousand_characters_is_read_whole():
    lines = [f"{'persona: ' if at % 2 else ''}Line {at:03}. {'x' * 140}" for at in range(200)]
    answers = [extraction(event(f"Chunk {at} holds something.", lines=[3]), session_summary=f"{at}") for at in range(3)]
    llm = model(*answers)

    session = consolidate(closed_talk(*lines), llm)

    assert sum(session.messages.values_list("token_count", flat=True)) > 7000
    seen = [line for prompt in read(llm) for line in between(prompt, "transcript").splitlines()]
    assert [line.partition("Line ")[2][:3] for line in seen] == [f"{at:03}" for at in range(200)]
    assert (session.status, session.summary, ConceptNode.objects.count()) == ("closed", "2", 3)


def test_many_long_messages_are_read_one_part_at_a_time():
    llm = model(*[extraction()] * 20)

    session = consolidate(closed_talk(*["x" * 20_000] * 5), llm)

    assert [len(between(prompt, "transcript")) > 7000 for prompt in read(llm)] == [True] * 10
    assert session.status == "closed"
