import json
from datetime import date, timedelta

import pytest

from echovessel.llm.offline.voice import OfflineVoice
from echovessel.models import BondEvent
from memory.models import ConceptNode, Doubt, Message
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, model, remember, step

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def lines_of(node):
    return [message.content for message in node.source_messages.order_by("id")]


def test_an_event_is_written_with_its_evidence(bond):
    answer = event(
        impact=-4,
        lines=[1, 3],
        emotion_tags=["Tired"],
        relational_tags=["unresolved"],
        subject="shared",
        event_time={"start": "2026-11-20", "end": "2026-11-21"},
    )

    session = remember(bond=bond, answer=extraction(answer))

    node = ConceptNode.objects.get()
    assert (node.bond, node.session, node.type, node.state, node.subject) == (bond, session, "event", "live", "shared")
    assert (node.description, node.emotional_impact) == (answer["description"], -4)
    assert (node.emotion_tags, node.relational_tags) == (["tired"], ["unresolved"])
    assert (node.event_time_start, node.event_time_end) == (date(2026, 11, 20), date(2026, 11, 21))
    assert (node.origin, node.confidence, node.mention_count) == ("extraction", 0.8, 1)
    assert (node.created_at, node.valid_from, node.valid_until) == (NOW, NOW, None)
    assert node.terms == ["cat", "face", "jump", "night", "nimbus", "user"]
    assert (node.embedding_model, len(node.embedding)) == ("hash", 384)
    assert lines_of(node) == [CAT[0], CAT[2]]


def test_a_text_the_model_cannot_read_has_no_vector():
    remember("小黑老在半夜跳到我脸上", "它是白猫", "它两岁", answer=extraction(event("用户的猫叫小黑。")))

    node = ConceptNode.objects.get()
    assert (node.embedding, node.embedding_model) == (None, "hash")
    assert "小黑" in node.terms


def test_by_rules_an_event_is_as_heavy_as_the_vector_of_its_message(settings):
    settings.EMBEDDING_BACKEND = "bundled"

    said = "mum didn't know who i was today"

    consolidate(closed_talk(said, "the dishwasher is on", "i had toast for breakfast"), OfflineVoice())

    node = ConceptNode.objects.events().get(source_messages__content=said)
    assert (node.emotional_impact, node.emotion_tags) == (-2, ["sadness"])


@pytest.mark.parametrize(
    "lines",
    [
        [
            "the dishwasher is going and going",
            "our Ellie does ballet down at the church hall",
            "the toast got stuck again",
        ],
        ["楼下又在放广场舞的歌吵得要命", "我家老二在少年宫跟着王老师学画画", "面包又卡在机器里面拿不出来"],
    ],
)
def test_by_rules_what_lasts_by_its_vector_becomes_an_event(settings, lines):
    settings.EMBEDDING_BACKEND = "bundled"

    consolidate(closed_talk(*lines), OfflineVoice())

    [node] = ConceptNode.objects.events()
    assert lines_of(node) == [lines[1]]


def test_of_much_that_rules_read_the_promise_of_the_companion_is_kept():
    names = ("Anna", "Berit", "Cora", "Dora", "Ella", "Freya", "Gina", "Hanna")
    told = [f"My friend {name} moved to a house in Leeds" for name in names]
    promised = ("I have the dentist on Friday", "persona: I'll ask you on Friday how it went.")

    consolidate(closed_talk(*promised, *told), OfflineVoice())

    assert ConceptNode.objects.filter(type="intention").count() == 1


@pytest.mark.parametrize("numbers", [[], [99], ["one"], None, "all"])
def test_an_event_without_valid_messages_rests_on_the_users_messages(numbers):
    remember(CAT[0], "persona: Lovely.", CAT[1], answer=extraction(event(lines=[]) | {"source_lines": numbers}))

    assert lines_of(ConceptNode.objects.get()) == [CAT[0], CAT[1]]


def test_an_event_needs_a_message_of_the_user_to_rest_on():
    session = remember(*["persona: I am here, " + "and here " * 90] * 3, answer=extraction(event(lines=[])))

    assert ConceptNode.objects.count() == 0
    assert step(session, "extraction").outcome == "empty"
    assert step(session, "extraction").notes == "event 0 dropped: no line of the user to rest on"


def test_a_promise_of_the_companion_becomes_an_intention(bond):
    promise = event("Marian will read the letter on Friday.", subject="persona", lines=[2])
    promise["event_time"] = {"start": "2026-11-27", "end": "2026-11-27"}

    remember("I wrote a letter.", "persona: I will read it on Friday.", "Good.", bond=bond, answer=extraction(promise))

    node = ConceptNode.objects.get()
    assert (node.type, node.state, node.subject) == ("intention", "open", "persona")
    assert node.event_time_end == date(2026, 11, 27)
    assert [entry.type for entry in BondEvent.objects.order_by("seq")[1:]] == [
        "memory.thought.created",
        "chat.session.boundary",
    ]


@pytest.mark.parametrize("lines", [[1], []])
def test_a_promise_that_no_message_of_the_companion_holds_is_dropped(lines):
    promise = event("Marian will read it.", subject="persona", lines=lines)

    session = remember("I wrote a letter.", "persona: Nice.", "Good.", answer=extraction(promise, event(lines=[1])))

    assert [node.type for node in ConceptNode.objects.all()] == ["event"]
    assert step(session, "extraction").notes == "event 0 dropped: a promise of the companion that no line of it holds"


def test_of_more_events_than_three_the_weightiest_are_kept():
    said = ("I ate soup.", "Rain.", "persona: I will read your letter.", "The bus was late.", "My aunt died.")
    felt = [("The user ate soup.", 1, 1), ("It rained on the user.", -1, 2), ("The user's bus was late.", -1, 4)]
    promise = event("Marian will read the letter.", impact=0, subject="persona", lines=[3])
    told = [event(what, impact=impact, lines=[line]) for what, impact, line in felt]

    session = remember(*said, answer=extraction(*told, promise, event("The user's aunt died.", impact=-9, lines=[5])))

    kept = ConceptNode.objects.order_by("id").values_list("description", flat=True)
    assert list(kept) == ["The user ate soup.", "Marian will read the letter.", "The user's aunt died."]
    assert "event 1 dropped: 3 others weigh more" in step(session, "extraction").notes


def test_one_bad_event_never_loses_the_others_and_the_step_says_so():
    answer = extraction({"emotional_impact": 1}, event(impact=99), "prose", self_check_notes="Looked for grief.")

    session = remember(answer=answer)

    assert [(node.description, node.emotional_impact) for node in ConceptNode.objects.all()] == [
        (event()["description"], 10)
    ]
    assert step(session, "extraction").notes.splitlines() == [
        "event 0 dropped: Field required",
        "event 1: emotional_impact out of range, read as 10",
        "event 2 dropped: Input should be a valid dictionary or instance of EventAnswer",
        "Looked for grief.",
    ]


def test_the_answer_and_what_it_took_are_kept_with_the_step():
    answer = extraction(event())

    kept = step(remember(answer=answer), "extraction")

    assert json.loads(kept.answer) == answer
    assert (kept.tokens_in, kept.tokens_out, kept.offline, kept.outcome) == (100, 20, False, "done")
    assert kept.last_message_id == Message.objects.latest("id").pk


def test_secrets_go_no_further_than_the_message_they_were_said_in():
    said = ("My password is hunter2.", "My card is 4111 1111 1111 1111.", "The key sk-proj4abcDEFghi123456 leaked.")
    answer = extraction(
        event(" ".join(said)),
        session_summary=said[0],
        mentioned_entities=[{"canonical_name": "sk-proj4abcDEFghi123456", "aliases": ["4111 1111 1111 1111"]}],
        session_mood_signal={"mood": "otp 837261", "energy": 3},
        self_check_notes=said[2],
    )

    session = remember(*said, answer=answer, reflections=[{"thoughts": [{"description": said[0], "filling": [1]}]}])

    assert (
        ConceptNode.objects.get().description
        == "My password is [secret]. My card is [secret]. The key [secret] leaked."
    )
    session.bond.refresh_from_db()
    assert (session.summary, session.bond.mood) == ("My password is [secret].", "otp [secret]")
    assert session.bond.entities.count() == 0
    kept = "".join(row.answer + row.notes for row in session.steps.all())
    assert [secret in kept for secret in ("hunter2", "4111", "sk-proj4", "837261")] == [False] * 4
    assert [message.content for message in session.messages.order_by("id")] == [*said]


def older(bond, description, **more):
    return ConceptNodeFactory(bond=bond, description=description, created_at=NOW - timedelta(days=30), **more)


def test_what_is_near_is_offered_and_what_becomes_untrue_is_superseded(bond):
    old = older(bond, "The user works at Northwind.")
    older(bond, "A user who likes Northwind.", type="thought")
    older(bond, "The user worked at Northwind.", deleted_at=NOW)
    far = older(bond, "Tea is better than coffee.")
    llm = model(extraction(event("The user works at Contoso now.", supersedes=[1, 2, 0, -1])))

    consolidate(closed_talk("I left Northwind.", "I work at Contoso now.", "Yes.", bond=bond), llm)

    assert "<remembered>\n[1] (2026-10-22) The user works at Northwind.\n</remembered>" in llm.calls[0].text
    new = ConceptNode.objects.latest("id")
    old.refresh_from_db()
    far.refresh_from_db()
    assert (old.state, old.superseded_by, old.valid_until) == ("superseded", new, NOW)
    assert far.state == "live"
    assert [(entry.type, entry.refs) for entry in BondEvent.objects.order_by("seq")[1:3]] == [
        ("memory.event.created", {"node": new.pk}),
        ("memory.node.updated", {"node": old.pk, "changed": ["state", "superseded_by"]}),
    ]


def test_what_a_person_stated_is_never_superseded(bond):
    stated = older(bond, "The user works at Northwind.", origin="user")
    answer = extraction(event("The user works at Contoso.", supersedes=[1]))

    remember("I left Northwind.", "I work at Contoso now.", "Yes.", bond=bond, answer=answer)

    stated.refresh_from_db()
    new = ConceptNode.objects.latest("id")
    assert (stated.state, new.conflicts_with) == ("live", stated)
    assert Doubt.objects.get(a_node=new).reason == "against_told"


def test_what_is_linked_to_a_name_in_the_session_is_offered(bond):
    known = older(bond, "A white cat lives here.", embedding_model="another")
    EntityFactory(bond=bond, canonical_name="Nimbus", nodes=[known])
    llm = model(extraction())

    consolidate(closed_talk("Nimbus!", "Nimbus?", "Nimbus.", bond=bond), llm)

    prompt = llm.calls[0].text
    assert "[1] (2026-10-22) A white cat lives here." in prompt
    assert "<known_entities>\n- Nimbus (pet)\n</known_entities>" in prompt


def test_the_uncertain_pair_is_told_when_one_of_the_two_comes_up(bond):
    sister = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    EntityFactory(bond=bond, canonical_name="Scott <b>", kind="person", merge_status="uncertain", merge_target=sister)
    llm = model(extraction())

    consolidate(closed_talk("Yiyang called.", "She is well.", "Good.", bond=bond), llm)

    assert "<uncertain_pair>\nScott &lt;b> / Yiyang\n</uncertain_pair>" in llm.calls[0].text


def test_a_stranger_is_not_offered_what_another_told(bond):
    older(BondFactory(user__username="charlie"), "The user works at Northwind.")
    llm = model(extraction())

    consolidate(closed_talk("I work at Northwind.", "Yes.", "Well.", bond=bond), llm)

    assert "<remembered>\n(nothing)\n</remembered>" in llm.calls[0].text
