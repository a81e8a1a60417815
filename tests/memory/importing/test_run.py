from datetime import date, timedelta

import pytest

from echovessel.llm.errors import BadAnswerError, ModelRefusedError, ModelTimeoutError, ModelUnavailableError
from echovessel.models import BondEvent
from memory.forgetting.removal import forget_node
from memory.importing import control, intake, run
from memory.jobs.lease import claim_import
from memory.models import ConceptNode, Entity, Import, ImportChunk, Proposal
from memory.serializers import timeline
from personas import blocks
from tests.memory.importing.files import (
    CAT,
    DIARY,
    chat,
    mara,
    model,
    read,
    read_on,
    said,
    started,
    taken,
    thought,
    told,
)
from tests.support.factories import NOW, EntityFactory
from tests.support.fakes import FakeLLM
from tests.support.memory_rules import check

pytestmark = pytest.mark.django_db

NIMBUS = {"canonical_name": "Nimbus", "kind": "pet", "in_events": [0]}
LONG = "\n\n".join(f"Page {number}. " + "x" * 1900 for number in range(1, 4))


def page(number):
    return said(told(f"The user wrote page {number}.", quote=f"Page {number}."))


def nodes(bond, *fields):
    return list(ConceptNode.objects.for_bond(bond).order_by("id").values_list(*fields))


def states(imported):
    return list(imported.chunks.order_by("number").values_list("state", flat=True))


def progress(bond):
    told = BondEvent.objects.filter(bond_id=bond.pk, type="memory.import.progress").order_by("seq")
    return [(event.refs["done"], event.refs["state"]) for event in told]


def test_a_file_becomes_events_thoughts_and_people_with_their_words():
    imported = read(said(told(emotion_tags=["joy"]), thoughts=[thought()], mentioned_entities=[NIMBUS]))

    bond = imported.bond
    assert nodes(bond, "type", "description", "origin", "confidence", "source_quote", "state") == [
        ("event", CAT, "import", 0.7, "I have a white cat called Nimbus.", "live"),
        ("thought", "They are fond of the cat.", "import", 0.7, "He jumps on my face", "live"),
    ]
    event, musing = ConceptNode.objects.for_bond(bond).order_by("id")
    assert list(musing.filling.all()) == [event]
    nimbus = Entity.objects.get(bond=bond)
    assert (nimbus.canonical_name, nimbus.merge_status, list(nimbus.nodes.all())) == ("Nimbus", "confirmed", [event])
    assert (imported.state, imported.done, imported.total, imported.writes) == (
        "done",
        1,
        1,
        {"events": 1, "facts": 0, "thoughts": 1, "entities": 1, "dropped": 0},
    )
    check(bond)


def test_what_is_imported_stands_in_the_timeline():
    imported = read(said(told(), mentioned_entities=[NIMBUS]))

    told_of = [(entry["type"], entry["payload"]) for entry in timeline.load_entries(bond=imported.bond)]

    assert [type for type, _ in told_of] == ["memory.entity.confirmed", "memory.event.created"]
    assert told_of[1][1]["node"]["source_quote"] == "I have a white cat called Nimbus."


def test_days_come_from_the_material():
    export = chat(("Cats", "2024-05-04", ["I have a white cat called Nimbus.", "How nice."]))

    imported = read(said(told()), content=export, name="conversations.json")

    assert nodes(imported.bond, "event_time_start", "event_time_end") == [(date(2024, 5, 4), date(2024, 5, 4))]


def test_what_a_program_said_is_no_fact():
    export = chat(("Cats", "2024-05-04", ["I have a cat.", "So it is white and called Nimbus."]))

    imported = read(said(told(quote="it is white and called Nimbus")), content=export, name="conversations.json")

    assert (nodes(imported.bond, "id"), imported.dropped_count) == ([], 1)


def test_secrets_go_no_further():
    imported = started("My password is hunter2! I have a cat.")
    llm = model(said(told("Their password is hunter2!", quote="My password is [secret]!")))

    read_on(imported, llm)

    assert "hunter2" not in llm.calls[0].text
    assert nodes(imported.bond, "description", "source_quote") == [
        ("Their password is [secret]!", "My password is [secret]!")
    ]


def test_nothing_of_a_piece_is_kept_once_it_is_read():
    imported = read(said(told()))

    assert list(imported.chunks.values_list("text", "state", "events_count")) == [("", "done", 1)]


def test_progress_is_told_piece_by_piece():
    imported = read(page(1), page(2), page(3), content=LONG)

    assert progress(imported.bond) == [(0, "running"), (1, "running"), (2, "running"), (3, "running"), (3, "done")]


def test_the_same_file_again_is_the_same_import_and_makes_nothing_twice():
    imported = read(said(told()))
    llm = model()

    again = started(bond=imported.bond, now=NOW + timedelta(days=1))
    read_on(again, llm)

    assert (again.pk, again.state, llm.calls, ConceptNode.objects.count()) == (imported.pk, "done", [], 1)


def test_a_piece_that_another_file_holds_too_is_not_read_again():
    first = read(page(1), page(2), page(3), content=LONG)

    second = read(page(4), content=f"{LONG}\n\nPage 4. {'x' * 1900}", bond=first.bond)

    assert (states(second), second.done, second.writes["events"]) == (["known"] * 3 + ["done"], 4, 1)
    assert ConceptNode.objects.count() == 4


def test_two_files_with_one_piece_that_wait_together_read_it_once():
    bond = mara()
    first, second = started(LONG, bond=bond), started(LONG + "\n", bond=bond)
    llm = model(page(1), page(2), page(3))

    read_on(first, llm)
    read_on(second, llm)

    assert (states(second), second.state, second.writes["events"], len(llm.calls)) == (["known"] * 3, "done", 0, 3)


def test_a_file_of_which_every_piece_is_known_is_done_at_once():
    first = read(page(1), page(2), page(3), content=LONG)

    again = taken(f"{LONG}\n", bond=first.bond)

    assert (again.pk == first.pk, again.state, again.done, again.total) == (False, "done", 3, 3)


def test_a_piece_that_a_file_holds_twice_is_read_once():
    imported = taken("\n\n".join([f"Page 1. {'x' * 1900}"] * 2))

    assert (states(imported), imported.done, imported.total) == (["waiting", "known"], 1, 2)


def test_what_is_remembered_in_the_same_words_is_counted():
    bond = mara()
    read(said(told()), bond=bond)

    again = read(said(told(quote="a white cat called Nimbus")), content="Yes, a white cat called Nimbus.", bond=bond)

    assert nodes(bond, "description", "mention_count") == [(CAT, 2)]
    assert (again.writes, again.chunks.get().notes.startswith("event 0 says again")) == (
        {"events": 0, "facts": 0, "thoughts": 0, "entities": 0, "dropped": 0},
        True,
    )


def test_the_same_words_of_another_day_are_another_event():
    quarrel = told("The user quarrelled with Anna.", quote="I quarrelled with Anna.")
    days = [("A", f"2024-05-0{day}", ["I quarrelled with Anna."]) for day in (4, 6)]

    imported = read(said(quarrel), said(quarrel), content=chat(*days), name="conversations.json")

    assert nodes(imported.bond, "event_time_start", "mention_count") == [(date(2024, 5, 4), 1), (date(2024, 5, 6), 1)]


def test_a_known_person_is_known_again():
    bond = mara()
    nimbus = EntityFactory(bond=bond, canonical_name="Nimbus")

    imported = read(said(told(), mentioned_entities=[NIMBUS]), bond=bond)

    assert (imported.entities_count, nimbus.mentions.count()) == (0, 1)


def test_what_was_forgotten_does_not_come_back():
    bond = mara()
    read(said(told()), bond=bond)
    forget_node(node=ConceptNode.objects.get(), now=NOW)

    again = read(
        said(told(), thoughts=[thought()], about_user=[{"content": CAT, "source_quote": "white cat"}]),
        content=f"{DIARY}\n\nOnce more.",
        bond=bond,
    )

    assert ConceptNode.objects.for_bond(bond).current().count() == 0
    assert (again.writes["events"], again.writes["dropped"], Proposal.objects.count()) == (0, 2, 0)


def test_lines_for_the_user_are_proposed_and_never_written():
    bond = mara()
    lines = [{"content": f"Has cat {number}.", "source_quote": "a white cat"} for number in (1, 2)]

    imported = read(said(about_user=lines), bond=bond)

    shown = Import.objects.for_serializer().get(pk=imported.pk).open_proposals
    assert [(one.content, one.source_quote, one.accepted) for one in shown] == [
        ("Has cat 1.", "a white cat", False),
        ("Has cat 2.", "a white cat", False),
    ]
    assert blocks.find(bond, "user") is None


def test_a_line_is_proposed_once():
    bond = mara()
    line = {"content": "Has a cat.", "source_quote": "a white cat"}
    read(said(about_user=[line, line]), bond=bond)

    read(said(about_user=[line]), content=f"{DIARY}\n\nOnce more.", bond=bond)

    assert Proposal.objects.count() == 1


def test_a_minute_of_reading_and_then_other_work_has_its_turn(run_queue_names):
    imported = started(LONG)
    times = [NOW]

    class Slow(FakeLLM):
        def answer(self, *args, **more):
            times.append(times[-1] + timedelta(seconds=61))
            return super().answer(*args, **more)

    read_on(imported, Slow(answers={"import": [page(1), page(2)]}), clock=lambda: times[-1])

    assert (imported.state, states(imported), imported.lease_token) == (
        "running",
        ["done", "waiting", "waiting"],
        None,
    )
    assert run_queue_names() == ["memory.tasks.read_import"] * 2
    read_on(imported, model(page(2), page(3)))
    assert (imported.state, imported.writes["events"]) == ("done", 3)


def test_one_worker_at_a_time_reads_an_import():
    imported = started()
    held = claim_import(import_id=imported.pk, now=NOW)
    llm = model()

    assert run.run(import_id=imported.pk, llm=llm, clock=lambda: NOW) is None
    assert (llm.calls, held is not None) == ([], True)


def test_a_worker_that_lost_its_lease_writes_nothing():
    imported = started()

    class Cancelling(FakeLLM):
        def answer(self, *args, **more):
            control.cancel(imported, now=NOW)
            return super().answer(*args, **more)

    read_on(imported, Cancelling(answers={"import": [said(told())]}))

    assert (imported.state, states(imported), ConceptNode.objects.count()) == ("cancelled", ["waiting"], 0)


def test_a_cancelled_import_goes_on_where_it_was():
    imported = started(LONG)
    read_on(imported, model(page(1), ModelUnavailableError("Away.", transient=False)))
    control.cancel(imported, now=NOW)

    control.start(imported, now=NOW)
    read_on(imported, model(page(2), page(3)))

    assert (imported.state, imported.writes["events"], ConceptNode.objects.count()) == ("done", 3, 3)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ModelUnavailableError("Away.", transient=False), "model_unavailable"),
        (ModelTimeoutError("Slow."), "model_timeout"),
    ],
)
def test_a_model_that_is_away_is_tried_again_later_and_by_hand(error, code):
    imported = started(LONG)

    read_on(imported, model(page(1), *[error] * 3))

    assert (imported.state, imported.failure_code, imported.failure_detail, imported.done) == (
        "failed",
        code,
        str(error),
        1,
    )
    assert imported.failure_next_try_at == NOW + timedelta(hours=1)
    assert progress(imported.bond)[-1] == (1, "failed")
    early = model()
    read_on(imported, early, now=NOW + timedelta(minutes=59))
    assert early.calls == []
    read_on(imported, model(page(2), page(3)), now=NOW + timedelta(hours=1))
    assert (imported.state, imported.writes["events"], imported.failure_code) == ("done", 3, "")


def test_after_three_tries_only_a_person_tries_again():
    imported = started()
    waits = []
    for hours in (0, 1, 7, 31):
        read_on(imported, model(ModelUnavailableError("Away.", transient=False)), now=NOW + timedelta(hours=hours))
        waits.append(imported.failure_next_try_at)

    assert waits == [NOW + timedelta(hours=1), NOW + timedelta(hours=7), NOW + timedelta(hours=31), None]
    control.start(imported, now=NOW)
    assert read_on(imported, model(said(told()))).state == "done"


@pytest.mark.parametrize("error", [ModelRefusedError("No."), BadAnswerError("What?")])
def test_a_piece_of_which_the_model_makes_nothing_is_passed_over_and_can_be_tried_again(error):
    imported = started(LONG)
    bad = [error] if isinstance(error, ModelRefusedError) else ["no", "json"]

    read_on(imported, model(page(1), *bad, page(3)))

    assert (imported.state, states(imported), imported.done) == ("failed", ["done", "failed", "done"], 2)
    assert (imported.failure_code, imported.failure_next_try_at) == (error.code, None)
    assert imported.failure_detail.startswith("1 of 3 pieces could not be read. ")
    control.start(imported, now=NOW)
    read_on(imported, model(page(2)))
    assert (imported.state, imported.done, imported.writes["events"]) == ("done", 3, 3)


def test_a_model_that_makes_nothing_of_anything_is_not_asked_for_ever():
    imported = started("\n\n".join(f"Page {number}. " + "x" * 1900 for number in range(9)))
    llm = model(*[ModelRefusedError("No.")] * 9)

    read_on(imported, llm)

    assert (len(llm.calls), imported.state, states(imported).count("failed")) == (5, "failed", 5)


def test_an_import_that_takes_workers_with_it_is_set_aside():
    imported = started()
    Import.objects.filter(pk=imported.pk).update(attempt_count=5)

    read_on(imported, model())

    assert (imported.state, imported.failure_code, imported.failure_next_try_at) == ("failed", "interrupted", None)


def test_what_is_stuck_is_queued_again(run_queue_names):
    imported = started()
    claim_import(import_id=imported.pk, now=NOW)

    assert control.requeue(now=NOW + timedelta(minutes=9)) == 0
    assert control.requeue(now=NOW + timedelta(minutes=11)) == 1
    assert run_queue_names() == ["memory.tasks.read_import"] * 2


def test_what_is_in_the_queue_is_not_queued_twice_unless_its_task_was_lost():
    started()

    assert [control.requeue(now=NOW + timedelta(minutes=at)) for at in (1, 9, 11, 12, 22)] == [0, 0, 1, 0, 1]


def test_the_text_of_what_nobody_goes_on_with_is_let_go():
    imported = taken(LONG)
    just_before = control.drop_texts(now=NOW + timedelta(days=7))

    dropped = control.drop_texts(now=NOW + timedelta(days=7, seconds=1))

    assert (just_before, dropped) == (0, 3)
    with pytest.raises(control.ImportRefused, match="no longer stored"):
        control.start(imported, now=NOW)
    again, is_new = intake.take_in(bond=imported.bond, name="diary.txt", content=LONG.encode(), now=NOW)
    assert (again.pk, is_new, ImportChunk.objects.filter(text="").count()) == (imported.pk, False, 0)
    assert control.start(again, now=NOW).state == "running"


def test_the_text_of_what_is_being_read_stays():
    started(LONG)

    assert control.drop_texts(now=NOW + timedelta(days=30)) == 0
