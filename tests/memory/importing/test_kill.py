"""A worker that dies at any statement of an import: the next one ends up with the rows of an undisturbed run."""

from datetime import datetime, timedelta

import pytest

from memory.importing import control, run
from memory.models import ConceptNode, Import, ImportChunk, Proposal
from tests.memory.consolidation.test_kill import SHORT_AND_LONG, walk
from tests.memory.importing.files import CAT, mara, said, started, thought, told
from tests.support.factories import NOW
from tests.support.fakes import FakeLLM
from tests.support.snapshots import rows, snapshot

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=11)
CONTENT = "\n\n".join(f"Page {number}: my cat Nimbus and Anna. " + "x" * 1900 for number in (1, 2))


class Script(FakeLLM):
    """Answers from what it is asked, so that it says the same to a second worker."""

    def answer(self, messages, *, feature, **more):
        number = 1 if "Page 1" in messages[-1]["content"] else 2
        quote = f"Page {number}: my cat Nimbus"
        answer = said(
            told(f"The user wrote page {number}.", quote=quote),
            told(CAT, quote="my cat Nimbus"),
            thoughts=[thought(f"They fill page {number}.", quote=quote, filling=[0, 1])],
            facts=[{"content": f"The user keeps page {number}.", "source_quote": quote}],
            mentioned_entities=[
                {"canonical_name": "Nimbus", "kind": "pet"},
                {"canonical_name": "Anna", "kind": "person"},
            ],
            about_user=[{"content": f"Writes page {number}.", "source_quote": quote}],
        )
        self.answers = {feature: answer}
        return super().answer(messages, feature=feature, **more)


def written():
    imports = rows(Import, "state", "done", "total", "events_count", "thoughts_count", "entities_count", "lease_token")
    chunks = rows(ImportChunk, "number", "state", "text", "events_count", "thoughts_count", "entities_count")
    return {**snapshot(), "imports": imports, "chunks": chunks, "proposals": rows(Proposal, "content")}


def reading(imported):
    def act(now: datetime) -> None:
        control.requeue(now=now)
        run.run(import_id=imported.pk, llm=Script(), clock=lambda: now)

    return act


@pytest.fixture
def imported():
    return started(CONTENT, bond=mara())


@SHORT_AND_LONG
def test_killed_at_any_statement_an_import_is_written_once_and_whole(imported, everywhere):
    assert walk(reading(imported), everywhere=everywhere, written=written) > 40


def test_what_the_killed_import_holds(imported):
    """That the walk above passes over everything that an import writes."""
    reading(imported)(NOW)

    held = written()
    nodes = ConceptNode.objects.order_by("id").values_list("type", "description", "mention_count")
    assert list(nodes) == [
        ("event", "The user wrote page 1.", 1),
        ("event", CAT, 2),
        ("fact", "The user keeps page 1.", 1),
        ("thought", "They fill page 1.", 1),
        ("event", "The user wrote page 2.", 1),
        ("fact", "The user keeps page 2.", 1),
        ("thought", "They fill page 2.", 1),
    ]
    assert (len(held["fillings"]), len(held["mentions"]), len(held["proposals"])) == (6, 3, 2)
