import json
from datetime import date, timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from echovessel.embeddings import embedding
from echovessel.llm import connection, provider
from echovessel.llm.connection import Connection
from echovessel.llm.errors import ModelRefusedError, ModelUnavailableError
from echovessel.models import BondEvent
from memory import tasks
from memory.consolidation.slow_tick import run as slow_tick
from memory.models import ConceptNode, Entity, SlowTickRun
from personas.models import Bond
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory, SessionFactory
from tests.support.fakes import FakeLLM
from tests.support.talks import CAT, event, extraction, remember
from tests.support.ticks import a_talk, ended, tick, ticking, told

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
DOWN = ModelUnavailableError("The model server cannot be reached.", transient=False)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__time_zone="Europe/Berlin")


@pytest.fixture
def cat(bond):
    return ConceptNodeFactory(bond=bond, emotional_impact=-3)


def logged(bond):
    return [(entry.type, entry.refs) for entry in BondEvent.objects.filter(bond_id=bond.pk).order_by("seq")]


def notes(run):
    return run.notes.splitlines()


def test_what_it_finds_is_written_with_its_evidence(bond, cat):
    other = ConceptNodeFactory(bond=bond, description="They moved.", emotional_impact=6)
    answer = {
        "salient_questions": ["Does the cat sleep by day?"],
        "thoughts": [
            {"description": "They give in to the cat.", "subject": "user", "filling": [cat.pk, other.pk]},
            {"description": "I miss the cat's name.", "subject": "persona", "filling": [cat.pk]},
        ],
        "expectations": [
            {
                "about": "The cat",
                "prediction": "They will lock it out by 2026-12-01.",
                "due_at": "2026-12-01",
                "filling": [cat.pk],
            }
        ],
        "intentions": [{"description": "Ask about the cat.", "due_at": None, "filling": [other.pk]}],
    }
    llm = ticking(answer)

    run = tick(bond, llm)

    [given_in, own] = ConceptNode.objects.thoughts().order_by("id")
    assert told(bond) == [
        ("They give in to the cat.", "live", [cat.description, "They moved."]),
        ("I miss the cat's name.", "live", [cat.description]),
    ]
    assert [(node.subject, node.emotional_impact) for node in (given_in, own)] == [("user", 2), ("persona", -3)]
    assert (given_in.origin, given_in.confidence, given_in.session, given_in.created_at) == (
        "slow_tick",
        0.6,
        None,
        NOW,
    )
    assert (given_in.embedding_model, given_in.terms, given_in.answer_key) == (
        "hash",
        ["cat", "give"],
        f"slow_tick:{run.pk}:thoughts 0",
    )
    expectation = ConceptNode.objects.get(type="expectation")
    assert told(bond, "expectation") == [
        ("The cat: They will lock it out by 2026-12-01.", "pending", [cat.description])
    ]
    assert (expectation.event_time_end, expectation.subject) == (date(2026, 12, 1), "user")
    intention = ConceptNode.objects.get(type="intention")
    assert told(bond, "intention") == [("Ask about the cat.", "open", ["They moved."])]
    assert (intention.event_time_end, intention.subject) == (None, "persona")
    assert all(node.embedding for node in (given_in, own, expectation, intention))
    assert logged(bond) == [
        ("memory.thought.created", {"node": node.pk}) for node in (given_in, own, expectation, intention)
    ]
    assert (run.outcome, run.trigger, run.last_event_id, run.questions, run.notes, run.error) == (
        "done",
        "interval",
        other.pk,
        ["Does the cat sleep by day?"],
        "",
        "",
    )
    assert (run.tokens_in, run.tokens_out, run.finished_at) == (100, 20, NOW)
    assert (run.prompt, json.loads(run.answer)) == (llm.calls[0].text, answer)
    origin = llm.calls[0].origin
    assert (origin.user_id, origin.bond_id, origin.session_id) == (bond.user_id, bond.pk, a_talk(bond).pk)


def test_nothing_rests_on_what_was_not_given(bond, cat):
    stranger = ConceptNodeFactory()
    gone = ConceptNodeFactory(bond=bond, deleted_at=NOW)
    thought = ConceptNodeFactory(bond=bond, type="thought", description="An old thought.")
    answer = {
        "thoughts": [
            {"description": "On a stranger's.", "filling": [stranger.pk, gone.pk]},
            {"description": "On a thought alone.", "filling": [thought.pk]},
            {"description": "On both.", "filling": [thought.pk, cat.pk, 0]},
            {"description": "A fourth.", "filling": [cat.pk]},
        ],
        "expectations": [{"prediction": "On nothing.", "filling": []}, {"prediction": "", "filling": [cat.pk]}],
        "intentions": [{"description": "On words.", "filling": ["cat"]}],
    }

    run = tick(bond, answer)

    assert told(bond) == [("On both.", "live", ["An old thought.", cat.description])]
    assert ConceptNode.objects.filter(type__in=["expectation", "intention"]).count() == 0
    assert run.outcome == "done"
    assert notes(run) == [
        "1 of thoughts over 3 dropped",
        "thoughts 0: 2 cited that were not given",
        "thoughts 0 dropped: it cites no event that was given",
        "thoughts 1 dropped: it cites no event that was given",
        "thoughts 2: 1 cited that were not given",
        "expectations 0 dropped: Value should have at least 1 item after validation, not 0",
        "expectations 1 dropped: Value should have at least 1 item after validation, not 0",
        "intentions 0 dropped: Value should have at least 1 item after validation, not 0",
    ]


def test_the_examples_of_the_prompt_are_not_learned(bond, cat):
    answer = {
        "intentions": [{"description": "Ask Alan how the interview went, before anything else.", "filling": [cat.pk]}],
        "expectations": [{"about": "Alan", "prediction": "Alan will hear by 13 March whether he gets the place.", "filling": [cat.pk]}],
    }  # fmt: skip

    run = tick(bond, answer)

    assert notes(run) == [f"{name} 0 dropped: it is the prompt's example" for name in ("expectations", "intentions")]


def test_what_is_known_already_is_not_said_again(bond, cat):
    ConceptNodeFactory(bond=bond, type="expectation", description="Cat: it will rain.")
    answer = {
        "thoughts": [{"description": cat.description.upper(), "filling": [cat.pk]}],
        "expectations": [{"about": "Cat", "prediction": "it will rain.", "filling": [cat.pk]}],
    }

    run = tick(bond, answer)

    assert (run.outcome, told(bond), told(bond, "expectation")) == ("empty", [], [])
    assert notes(run) == [
        "thoughts 0 dropped: it is known already",
        "expectations 0 dropped: it is known already",
    ]


@pytest.mark.parametrize(
    ("due_at", "due", "noted"),
    [
        ("2026-11-21", date(2026, 11, 21), False),
        ("2026-11-20", None, True),
        ("2026-11-25T18:00:00Z", date(2026, 11, 25), False),
        ("2046-12-31", date(2046, 12, 31), False),
        ("2047-01-01", None, True),
        ("2026-02-30", None, True),
        ("soon", None, True),
        (20261125, None, True),
        (None, None, False),
    ],
)
def test_a_due_day_is_one_to_come(due_at, due, noted, bond, cat):
    run = tick(bond, {"expectations": [{"prediction": "Rain.", "due_at": due_at, "filling": [cat.pk]}]})

    assert ConceptNode.objects.get(type="expectation").event_time_end == due
    assert bool(run.notes) is noted


@pytest.mark.parametrize(
    ("about", "prediction", "said"),
    [
        ("Rain", "It will rain.", "It will rain."),
        ("", "It will rain.", "It will rain."),
        ("The walk", "It will rain.", "The walk: It will rain."),
        ("面试", "周五会有结果。", "面试：周五会有结果。"),
        (7, "It will rain.", "It will rain."),
    ],
)
def test_a_prediction_says_what_it_is_about(about, prediction, said, bond, cat):
    tick(bond, {"expectations": [{"about": about, "prediction": prediction, "filling": [cat.pk]}]})

    assert ConceptNode.objects.get(type="expectation").description == said


def life(node):
    node.refresh_from_db()
    return node.state, node.state_reason


def test_what_was_awaited_and_promised_comes_to_its_end(bond, cat):
    make = ConceptNodeFactory.create
    expired = {"state": "expired", "state_reason": "clock: its day is over", "valid_until": NOW}
    awaited, late, other = (
        make(bond=bond, type="expectation", description="One."),
        make(bond=bond, type="expectation", description="Two.", **expired),
        make(bond=bond, type="expectation", description="Three."),
    )
    kept, let_go = (make(bond=bond, type="intention", description=text) for text in ("Four.", "Five."))
    answer = {
        "resolved": [
            {"node": awaited.pk, "outcome": "missed", "filling": [cat.pk, 999_999]},
            {"node": late.pk, "outcome": "fulfilled"},
            {"node": f"[{kept.pk}]", "outcome": "kept", "filling": [cat.pk]},
            {"node": let_go.pk, "outcome": "cancelled"},
            {"node": other.pk, "outcome": "kept"},
            {"node": awaited.pk, "outcome": "fulfilled"},
            {"node": cat.pk, "outcome": "superseded"},
            {"node": None, "outcome": "kept"},
        ]
    }

    run = tick(bond, answer)

    assert [life(node) for node in (awaited, late, kept, let_go, other)] == [
        ("missed", f"slow tick: event {cat.pk}"),
        ("fulfilled", "slow tick"),
        ("kept", f"slow tick: event {cat.pk}"),
        ("cancelled", "slow tick"),
        ("pending", ""),
    ]
    assert logged(bond) == [
        ("memory.node.updated", {"node": node.pk, "changed": ["state"]}) for node in (awaited, late, kept, let_go)
    ]
    assert run.outcome == "done"
    assert [note for note in notes(run) if "resolved 7" not in note] == [
        "resolved 4 dropped: an expectation cannot end so",
        f"resolved 5 dropped: {awaited.pk} is not among what is awaited",
        f"resolved 6 dropped: {cat.pk} is not among what is awaited",
    ]


def test_what_a_person_settled_while_it_thought_stays_so(bond, cat):
    awaited = ConceptNodeFactory(bond=bond, type="expectation", description="Rain.")
    llm = Meddling(
        lambda: ConceptNode.objects.filter(pk=awaited.pk).update(state="missed", state_reason="by hand"),
        {"resolved": [{"node": awaited.pk, "outcome": "fulfilled"}]},
    )

    run = tick(bond, llm)

    assert life(awaited) == ("missed", "by hand")
    assert (run.notes, len(llm.calls)) == (f"{awaited.pk} was settled meanwhile", 1)


@pytest.mark.parametrize("way", ["id", "number", "name"])
def test_who_comes_up_often_is_described(way, bond):
    nodes = ConceptNodeFactory.create_batch(3, bond=bond)
    nimbus = EntityFactory(bond=bond, canonical_name="Nimbus", nodes=nodes)
    other = EntityFactory(bond=bond, canonical_name="Anna", nodes=nodes[:2])
    called = {"id": nimbus.pk, "number": f"entity {nimbus.pk}", "name": " nimbus"}[way]
    answer = {
        "entity_descriptions": [
            {"entity": called, "description": "The user's white cat. Card 4111 1111 1111 1111."},
            {"entity": other.pk, "description": "A friend."},
            {"entity": nimbus.pk, "description": "Again."},
        ]
    }

    run = tick(bond, answer)

    assert list(Entity.objects.order_by("id").values_list("description", "description_by")) == [
        ("The user's white cat. Card [secret].", "slow_tick"),
        ("", ""),
    ]
    assert logged(bond) == [("memory.entity.description_updated", {"entity": nimbus.pk})]
    assert notes(run) == [
        "entity_descriptions 1 dropped: nobody who was to be described",
        "entity_descriptions 2 dropped: nobody who was to be described",
    ]


def test_an_owners_text_is_never_written_over(bond):
    nimbus = EntityFactory(bond=bond, nodes=ConceptNodeFactory.create_batch(3, bond=bond))
    owned = {"description": "My cat.", "description_by": "owner"}
    llm = Meddling(
        lambda: Entity.objects.update(**owned),
        {"entity_descriptions": [{"entity": nimbus.pk, "description": "The user's cat."}]},
    )

    run = tick(bond, llm)

    assert Entity.objects.values("description", "description_by").get() == owned
    assert run.notes == f"entity {nimbus.pk} does not want a description any more"
    assert logged(bond) == []


def test_a_thought_cited_anew_comes_back(bond, cat):
    stale = ConceptNodeFactory(bond=bond, type="thought", description="It changed.", stale=True)

    tick(bond, {"thoughts": [{"description": "It holds.", "filling": [stale.pk, cat.pk]}]})

    stale.refresh_from_db()
    assert stale.stale is False
    assert logged(bond)[1] == ("memory.node.updated", {"node": stale.pk, "changed": ["stale"]})


class Meddling(FakeLLM):
    """Somebody does something while the model is asked for the first time."""

    def __init__(self, act, *answers):
        super().__init__(answers={"slow_tick": list(answers)})
        self.act = act

    def answer(self, messages, **more):
        answer = super().answer(messages, **more)
        if len(self.calls) == 1:
            self.act()
        return answer


CHANGES = {
    "an event is forgotten": lambda: ConceptNode.objects.filter(description="A leak.").update(deleted_at=NOW),
    "an event is corrected": lambda: ConceptNode.objects.filter(description="A leak.").update(state="superseded"),
    "a thought is forgotten": lambda: ConceptNode.objects.thoughts().update(deleted_at=NOW),
    "a thought is corrected": lambda: ConceptNode.objects.thoughts().update(state="superseded"),
    "a promise is forgotten": lambda: ConceptNode.objects.filter(type="intention").update(deleted_at=NOW),
    "the last questions are forgotten": lambda: SlowTickRun.objects.filter(outcome="done").update(questions=[]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_an_answer_to_what_is_gone_is_dropped_and_it_is_asked_again(what, bond, cat):
    ended(bond, at=NOW - 60 * MINUTE, outcome="done", questions=["What leaks?"])
    ConceptNodeFactory(bond=bond, description="A leak.")
    ConceptNodeFactory(bond=bond, type="thought", description="Something leaks.")
    ConceptNodeFactory(bond=bond, type="intention", description="Ask what leaks.")
    leak, fine = ({"thoughts": [{"description": text, "filling": [cat.pk]}]} for text in ("A leak!", "All well."))
    llm = Meddling(CHANGES[what], leak, fine)

    run = tick(bond, llm)

    assert told(bond) == [("All well.", "live", [cat.description])]
    assert "leak!" not in run.answer
    estimated = -(-len(llm.calls[0].text) // 4)
    assert (len(llm.calls), run.tokens_out, run.tokens_in) == (2, 20, 100 + estimated)


def test_what_keeps_changing_is_left_to_the_next_run(bond, cat):
    class Restless(FakeLLM):
        def answer(self, messages, **more):
            answer = super().answer(messages, **more)
            ConceptNode.objects.current().events().latest("id").delete()
            return answer

    ConceptNodeFactory.create_batch(9, bond=bond)
    llm = Restless(answers={"slow_tick": {}})

    run = tick(bond, llm)

    assert (run.outcome, len(llm.calls)) == ("failed", 5)
    assert run.error == "What it was given changed again and again while the model was being asked."


def test_the_next_run_goes_on_where_this_one_ended(bond, cat):
    first = tick(bond, {"salient_questions": ["Where does it sleep?"]})
    ConceptNodeFactory(bond=bond, description="The cat sleeps on the stove.")
    llm = ticking({})

    second = tick(bond, llm, now=NOW + 30 * MINUTE)

    assert (first.outcome, second.outcome, second.questions) == ("done", "empty", [])
    assert "The cat sleeps on the stove." in llm.calls[0].text
    assert cat.description not in llm.calls[0].text
    assert "<open_questions>\n- Where does it sleep?\n</open_questions>" in llm.calls[0].text


def test_a_failure_is_kept_and_its_events_are_read_by_the_next_run(bond, cat):
    run = tick(bond, ticking(DOWN))

    assert (run.outcome, run.error, run.answer) == ("failed", "The model server cannot be reached.", "")
    assert (run.last_event_id, run.finished_at) == (0, NOW)
    assert run.tokens_in > 500
    talk = a_talk(bond)
    assert (talk.status, talk.failure_code, talk.failure_next_try_at) == ("closed", "", None)
    again = tick(bond, {"thoughts": [{"description": "Well.", "filling": [cat.pk]}]}, now=NOW + MINUTE)
    assert again.outcome == "done"


@pytest.mark.parametrize("answer", ["no JSON", "[]", '"text"', ""])
def test_an_answer_that_is_none_is_asked_for_once_more_and_fails(answer, bond, cat):
    llm = ticking(answer, answer)

    run = tick(bond, llm)

    assert (run.outcome, len(llm.calls)) == ("failed", 2)
    assert run.error.startswith("The model answered with")


def test_a_first_answer_that_was_none_counts_too(bond, cat):
    run = tick(bond, ticking("no JSON", {}))

    assert (run.outcome, run.tokens_in, run.tokens_out) == ("empty", 200, 40)
    assert run.notes == "The first answer was no JSON object."


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"thoughts": "none", "salient_questions": {"a": 1}, "resolved": 7, "entity_descriptions": None},
        {"thoughts": [None, 3, [], {"filling": []}], "expectations": [{}], "resolved": [{"node": True}]},
        {"salient_questions": [None, 3, " "], "entity_descriptions": [{"entity": {}, "description": "x"}]},
    ],
)
def test_what_cannot_be_read_is_dropped(answer, bond, cat):
    run = tick(bond, answer)

    assert (run.outcome, told(bond), run.questions) == ("empty", [], [])
    assert bool(run.notes) is (answer != {})


def test_questions_are_three_short_lines(bond, cat):
    run = tick(bond, {"salient_questions": ["Why?\nHow?", "Why? How?", "x" * 400, "y", "z\x00"]})

    assert run.questions == ["Why? How?", "x" * 300, "y"]


def test_strange_characters_are_left_out(bond, cat):
    tick(bond, {"thoughts": [{"description": "A\x00 \ud800cat.", "filling": [cat.pk]}]})

    assert told(bond)[0][0] == "A cat."


def test_without_the_embedding_model_it_fails_and_writes_nothing(bond, cat, monkeypatch):
    def broken(texts):
        raise embedding.EmbeddingError("The embedding model cannot be loaded.")

    monkeypatch.setattr(embedding, "embed", broken)

    run = tick(bond, {"thoughts": [{"description": "Well.", "filling": [cat.pk]}]})

    assert (run.outcome, run.error, told(bond)) == ("failed", "The embedding model cannot be loaded.", [])


def test_the_offline_voice_has_nothing_to_say(bond, cat):
    assert slow_tick.run(session_id=a_talk(bond).pk, llm=provider.get_fallback_llm(), clock=lambda: NOW) is None
    assert SlowTickRun.objects.count() == 0


def test_the_offline_voice_does_not_stand_in_for_it(bond, cat, settings):
    settings.OFFLINE_FALLBACK = True

    run = tick(bond, ticking(ModelRefusedError("The model will not answer.")))

    assert (run.outcome, run.last_event_id) == ("failed", 0)
    assert run.error == "The model will not answer."


def test_what_it_loses_to_another_worker_is_dropped(bond, cat):
    llm = Meddling(
        lambda: SlowTickRun.objects.update(outcome="failed", error="Its lease was over."),
        {"thoughts": [{"description": "Well.", "filling": [cat.pk]}]},
    )

    run = tick(bond, llm)

    assert (run.outcome, run.error, told(bond)) == ("failed", "Its lease was over.", [])


def test_a_bond_erased_meanwhile_is_no_error(bond, cat):
    def erase():
        ConceptNode.objects.all().delete()
        Bond.objects.filter(pk=bond.pk).delete()

    assert tick(bond, Meddling(erase, {})) is None


def test_one_run_at_a_time(bond, cat):
    class Second(FakeLLM):
        def answer(self, messages, **more):
            assert tick(bond) is None
            return super().answer(messages, **more)

    run = tick(bond, Second(answers={"slow_tick": {}}))

    assert (run.outcome, SlowTickRun.objects.count()) == ("empty", 1)


def queued():
    return [(row.task["func"], row.task["args"]) for row in OrmQ.objects.order_by("id")]


def test_what_shook_the_user_while_it_thought_is_thought_over_next(bond, cat):
    act = lambda: ConceptNodeFactory(bond=bond, emotional_impact=-9)  # noqa: E731 - as short as what it does

    run = tick(bond, Meddling(act, {}))

    assert queued() == [("memory.tasks.slow_tick", (a_talk(bond).pk,))]
    assert run.last_event_id == cat.pk


def test_calm_news_wait_for_the_next_session(bond, cat):
    tick(bond, Meddling(lambda: ConceptNodeFactory(bond=bond, emotional_impact=7), {}))

    assert queued() == []


def test_a_dead_workers_run_ends_with_its_lease_and_is_begun_again(bond, cat):
    talk = a_talk(bond)
    slow_tick.begin(session_id=talk.pk, now=NOW)

    assert slow_tick.requeue_dead_runs(now=NOW + 10 * MINUTE) == 0
    assert slow_tick.requeue_dead_runs(now=NOW + 10 * MINUTE + timedelta(seconds=1)) == 1

    run = SlowTickRun.objects.get()
    assert (run.outcome, run.error) == ("failed", "The worker ended before it was done.")
    assert queued() == [("memory.tasks.slow_tick", (talk.pk,))]
    assert tick(bond, now=NOW + 11 * MINUTE).outcome == "empty"


def test_a_run_that_was_lost_is_not_asked_about_again(bond, cat):
    passing = ModelUnavailableError("Busy.", transient=True)
    llm = Losing(answers={"slow_tick": [passing, {}]})

    run = tick(bond, llm)

    assert (run.outcome, run.error, len(llm.calls)) == ("failed", "Its lease was over.", 1)


class Losing(FakeLLM):
    def answer(self, messages, **more):
        SlowTickRun.objects.update(outcome="failed", error="Its lease was over.")
        return super().answer(messages, **more)


def test_a_dead_workers_run_whose_session_is_gone_is_ended_alone(bond, cat):
    slow_tick.begin(session_id=a_talk(bond).pk, now=NOW)
    SlowTickRun.objects.update(session=None)

    assert slow_tick.requeue_dead_runs(now=NOW + 11 * MINUTE) == 1
    assert (SlowTickRun.objects.get().outcome, queued()) == ("failed", [])


def test_a_dead_workers_run_is_no_hindrance(bond, cat):
    dead = slow_tick.begin(session_id=a_talk(bond).pk, now=NOW)

    assert tick(bond, now=NOW + 11 * MINUTE).outcome == "empty"
    dead.refresh_from_db()
    assert dead.outcome == "failed"


def test_a_session_that_is_gone_has_no_slow_tick(bond, cat):
    talk = a_talk(bond)
    talk.deleted_at = NOW
    talk.save()

    assert slow_tick.run(session_id=talk.pk, llm=ticking({}), clock=lambda: NOW) is None
    assert slow_tick.run(session_id=0, llm=ticking({}), clock=lambda: NOW) is None


def connect(*, is_on=True):
    """Connect a model server as an operator does in the browser."""
    connection.store(Connection(address="http://127.0.0.1:1/v1", key="", main="tiny"), now=NOW)
    connection.set_enabled(is_on=is_on, now=NOW)


@pytest.mark.parametrize(
    ("lines", "switched", "is_on", "is_queued"),
    [(CAT, True, True, True), (CAT, False, True, False), (CAT, True, False, False), (("hi",), True, True, False)],
)
def test_it_is_queued_when_a_talk_that_was_no_small_talk_has_closed(lines, switched, is_on, is_queued, settings):
    settings.SLOW_TICK_ENABLED = switched
    connect(is_on=is_on)

    talk = remember(*lines, answer=extraction(event()))

    consolidation = ("memory.tasks.consolidate", (talk.pk,))
    assert queued() == [consolidation, *([("memory.tasks.slow_tick", (talk.pk,))] if is_queued else [])]


@pytest.mark.parametrize(("by_environment", "is_queued"), [(True, True), (False, False)])
def test_it_is_queued_where_the_environment_names_the_server(by_environment, is_queued, settings):
    settings.MODEL_SERVER = by_environment

    remember(*CAT, answer=extraction(event()))

    assert ("memory.tasks.slow_tick" in [task for task, _ in queued()]) == is_queued


def missed_talk(bond, *, at=NOW, **more):
    """A talk of which something is remembered, after which no slow tick ran."""
    talk = SessionFactory(bond=bond, status="closed")
    ConceptNodeFactory(bond=bond, session=talk, **({"created_at": at} | more))
    return talk


def test_bonds_that_missed_their_slow_ticks_get_one(bond):
    missed_talk(bond, at=NOW - timedelta(days=6))
    talk = missed_talk(bond)
    ended(bond, at=NOW - timedelta(days=1))
    before = BondFactory()
    missed_talk(before, at=NOW - timedelta(days=2))
    ended(before, at=NOW - timedelta(days=1))

    assert slow_tick.catch_up(now=NOW) == 1
    assert queued() == [("memory.tasks.slow_tick", (talk.pk,))]


@pytest.mark.parametrize(
    "missed",
    [
        {"at": NOW - timedelta(days=7)},
        {"origin": "import"},
        {"state": "superseded"},
        {"deleted_at": NOW},
        {"type": "thought"},
    ],
    ids=lambda missed: next(iter(missed)),
)
def test_a_bond_with_nothing_to_think_over_missed_none(missed, bond):
    missed_talk(bond, **missed)

    assert slow_tick.catch_up(now=NOW) == 0


@pytest.mark.parametrize(("is_on", "switched", "count"), [(True, True, 1), (False, True, 0), (True, False, 0)])
def test_nothing_was_missed_where_there_are_no_slow_ticks(is_on, switched, count, bond, settings):
    settings.SLOW_TICK_ENABLED = switched
    connect(is_on=is_on)
    missed_talk(bond, at=timezone.now())

    assert tasks.catch_up() == count


def test_the_task_takes_a_session_and_leaves_it_without_a_server(bond, cat):
    tasks.slow_tick(a_talk(bond).pk)

    assert SlowTickRun.objects.count() == 0


def test_runs_are_kept_for_14_days_a_bonds_last_one_until_the_next(bond):
    ended(bond, at=NOW - timedelta(days=14, seconds=1))
    kept = ended(bond, at=NOW - timedelta(days=14))
    last = ended(BondFactory(user__username="charlie"), at=NOW - timedelta(days=40))
    ended(last.bond, at=NOW - timedelta(days=39), outcome="failed")

    assert slow_tick.prune(NOW) == 2
    assert [*SlowTickRun.objects.order_by("id")] == [kept, last]
