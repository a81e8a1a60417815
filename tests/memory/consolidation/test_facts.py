import uuid
from datetime import date, timedelta

import pytest

from echovessel.embeddings import embedding
from memory.consolidation.facts import known_facts
from memory.facts import acts, undoing
from memory.models import ConceptNode, Doubt, FactWrite, Filling, Message, NodeLink, Proposal
from personas import blocks
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, FactFactory
from tests.support.facts import LEEDS, NUTS, YORK, draft, facts, fresh, job, live, lives_in, save, told, writer
from tests.support.fakes import FakeLLM
from tests.support.talks import closed_talk, consolidate, event, extraction, model, remember, step, talk, thoughts

pytestmark = pytest.mark.django_db

SAID = ("I can't eat nuts.", "persona: Noted.", "And I like tea.")


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def close(bond, *answers, events=(), said=SAID):
    return remember(*said, bond=bond, answer=extraction(*events, facts=list(answers)))


def notes(session):
    return step(session, "extraction").notes.splitlines()


def test_what_the_user_only_asked_or_said_of_others_is_no_fact_of_theirs(bond):
    said = ("Did I tell you my boyfriend's name?", "persona: Ben, who hates coffee.", "My sister is allergic to cats.")
    answers = [{"facet": "about_you", "content": content, "source_lines": lines} for content, lines in (
        ("The user's boyfriend is Ben, who hates coffee.", [1, 2]), ("The user is allergic to cats.", [3]), ("My sister is allergic to cats.", [3]))]  # fmt: skip

    session = close(bond, *answers, said=said)

    assert [node.description for node in facts(bond)] == ["The user's sister is allergic to cats."]
    assert notes(session)[:2] == [
        "fact 0 dropped: the user only asked or imagined this",
        "fact 1 dropped: the user said this of somebody else",
    ]


def test_a_fact_is_written_with_its_lines_and_its_write(bond):
    since = {"since": "2026-03-01", "until": "2027-01-01", "detail": "All kinds."}

    session = close(bond, told(facet="about_you", **since))

    [node] = facts(bond)
    assert (node.description, node.detail, node.facet, node.tier) == (NUTS, "All kinds.", "about_you", "extracted")
    assert (node.origin, node.confidence, node.state, node.session) == ("extraction", 0.9, "live", session)
    assert (node.event_time_start, node.event_time_end) == (date(2026, 3, 1), date(2027, 1, 1))
    assert [message.content for message in node.source_messages.all()] == [SAID[0]]
    [write] = FactWrite.objects.all()
    assert (write.node, write.op, write.by, write.session) == (node, "saved", "close", session)
    assert step(session, "extraction").outcome == "done"


@pytest.mark.parametrize(
    ("certainty", "confidence"),
    [(0.3, 0.3), (1.4, 1.0), ("0.7", 0.7), (None, 0.5), ("sure", 0.5), ("nan", 0.5), (True, 0.5)],
)
def test_certainty_is_clamped_and_an_unreadable_one_is_a_half(bond, certainty, confidence):
    close(bond, told(certainty=certainty))

    assert [node.confidence for node in facts(bond)] == [confidence]


@pytest.mark.parametrize("certainty", [0.299, 0, -3])
def test_what_is_too_unsure_is_not_written(bond, certainty):
    session = close(bond, told(certainty=certainty))

    assert (list(facts(bond)), notes(session)) == ([], ["fact 0 dropped: This is too unsure to be kept."])


def test_what_the_companion_said_of_itself_is_never_sure(bond):
    close(bond, told("Marian loves the sea.", facet="persona_canon", lines=[2], certainty=1.0))

    assert [(node.facet, node.subject, node.confidence) for node in facts(bond)] == [("persona_canon", "persona", 0.8)]


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (told(lines=[2]), "no line of the user to rest on"),
        (told(facet="persona_canon", lines=[1]), "no line of the companion to rest on"),
        (told(""), "The content is empty."),
        (told("x" * 601), "The content has more than 600 characters."),
        (told("The user's password is hunter2."), "it was a secret"),
        (
            told("The user never wants to be told a hotline.", facet="how_to_talk"),
            "This would keep help, honesty or protection away from someone. It is not kept.",
        ),
    ],
)
def test_what_may_not_be_noted_is_dropped_with_a_note(bond, answer, note):
    session = close(bond, answer, told("The user likes tea.", lines=[3]))

    assert (live(bond), notes(session)) == (["The user likes tea."], [f"fact 0 dropped: {note}"])


def test_at_most_six_facts_are_read(bond):
    session = close(bond, *[told(f"The user has {number} cats.") for number in range(7)])

    assert (len(live(bond)), notes(session)) == (6, ["1 of fact over 6 dropped"])


def test_a_skipped_fact_and_a_bad_one_cost_nothing(bond):
    close(bond, told(op="skip"), "prose", told("The user likes tea.", op="cook", facet="odd", slot="shoe", value="9"))

    assert [(node.description, node.facet, node.slot) for node in facts(bond)] == [
        ("The user likes tea.", "about_you", "")
    ]


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("As you know, I collect old stamps from France.", 2),
        ("Do I collect old stamps from France?", 1),
        ("I collect old stamps from Peru.", 1),
        ("I don't collect old stamps from France.", 1),
        ("I stopped collecting old stamps from France.", 1),
    ],
)
def test_what_the_user_tells_again_is_fresh_and_sure_again(bond, said, count):
    old = save(bond, "The user collects old stamps from France.", by=job(), confidence=0.4).node

    close(bond, said=("We had soup today, it was far too salty.", "persona: I see.", said))

    node = ConceptNode.objects.get(pk=old.pk)
    assert (node.mention_count, node.confidence, node.last_confirmed_at is not None) == (
        count,
        [0.4, 0.8][count - 1],
        count == 2,
    )


def test_the_prompt_offers_facts_by_number_and_never_what_is_loaded(bond):
    save(bond, LEEDS, slot="home", value="Leeds", detail="Near the station.")
    save(bond, "The user likes tea.", by=job(), confidence=0.9)
    session = closed_talk(*SAID, bond=bond)
    session.loaded_text = "A loaded text."
    session.save()
    llm = model(extraction())

    consolidate(session, llm)

    sent = llm.calls[0].text
    assert "[1] (about_you, home: Leeds, told) The user lives in Leeds." in sent
    assert "[2] (about_you, gathered) The user likes tea." in sent
    assert [hidden in sent for hidden in ("A loaded text.", "Near the station.")] == [False, False]


@pytest.mark.parametrize(("count", "sent"), [(40, 40), (41, 40)])
def test_at_most_forty_facts_are_sent_those_of_the_session_and_in_slots_first(bond, count, sent):
    save(bond, LEEDS, slot="home", value="Leeds")
    others = [f"The user has {number} old stamps from {number + 1800}." for number in range(count - 2)]
    model_name = embedding.get_model_name()
    for content, vector in zip(others, embedding.embed(others), strict=True):
        FactFactory(bond=bond, description=content, embedding=vector, embedding_model=model_name)
    session = talk(*SAID, bond=bond)
    save(bond, "The user sings.", by=writer(session=session))
    llm = model(extraction())

    consolidate(closed_talk("Bye.", bond=bond), llm)

    lines = [line for line in llm.calls[0].text.splitlines() if "told) " in line]
    assert len(lines) == sent
    assert [text in "\n".join(lines) for text in (LEEDS, "The user sings.")] == [True, True]
    # Of the end of a long chat only the last reply may be left.
    assert len(known_facts.find_facts(session=session, lines=[])) == sent


@pytest.mark.parametrize("how", ["extends", "refines", "contradicts", None])
@pytest.mark.parametrize("by", [job, lambda: writer(tier="inferred")], ids=["extracted", "inferred"])
def test_what_was_gathered_or_guessed_is_replaced(bond, how, by):
    old = save(bond, "The user likes tea.", by=by()).node

    close(bond, told("The user likes tea with milk.", op="update", how=how, target=1, lines=[3]))

    assert live(bond) == ["The user likes tea with milk."]
    assert (fresh(old).state, fresh(old).state_reason) == ("superseded", "replaced")
    assert [(write.op, write.old) for write in FactWrite.objects.filter(op="changed")] == [("changed", [old.pk])]


@pytest.mark.parametrize("how", ["extends", "refines", None])
def test_what_refines_a_stated_fact_stands_beside_it_and_is_linked(bond, how):
    old = save(bond, "The user likes tea.").node

    close(bond, told("The user likes tea with milk.", op="update", how=how, target=1, lines=[3]))

    [kept, new] = facts(bond)
    assert (kept, kept.state, new.state, new.confidence) == (old, "live", "live", 0.9)
    assert [(link.a, link.b, link.relation) for link in NodeLink.objects.all()] == [(new, old, "refines")]


@pytest.mark.parametrize(
    ("noted", "said", "fuller"),
    [
        ("The user likes tea.", "And I like milk in my tea.", "The user likes tea with milk."),
        (
            "用户养了只柯基，叫豆包，三岁",
            "豆包也跟着来了，它晕车吐了一路",
            "用户养了只柯基，叫豆包，三岁，跟着来了，会晕车。",
        ),
    ],
)
def test_what_tells_all_of_a_stated_fact_and_what_the_user_said_since_takes_its_place(bond, noted, said, fuller):
    old = save(bond, noted).node
    thought = ConceptNodeFactory(bond=bond, type="thought")
    Filling.objects.create(bond=bond, parent=thought, child=old)

    close(bond, told(fuller, op="update", how="extends", target=1, lines=[3]), said=(*SAID[:2], said))

    assert (live(bond), fresh(old).state, fresh(thought).stale) == ([fuller], "superseded", False)
    assert facts(bond).last().tier == "stated"


def test_what_contradicts_a_stated_fact_is_uncertain(bond):
    old = save(bond, LEEDS, slot="home", value="Leeds").node

    close(bond, lives_in("York", op="update", how="contradicts", target=1, lines=[3]))

    new = facts(bond).last()
    assert (fresh(old).state, new.state, new.conflicts_with, new.confidence) == ("live", "uncertain", old, 0.6)
    assert (new.slot, new.value) == ("home", "York")
    [doubt] = Doubt.objects.all()
    assert (doubt.kind, doubt.a_node, doubt.b_node, doubt.state) == ("contradiction", new, old, "open")
    assert (doubt.severity, doubt.reason, doubt.opened_by, doubt.asked_in) == (1.0, "against_told", "close", [])


@pytest.mark.parametrize(
    ("impact", "certainty", "is_asked"), [(-10, 0.95, False), (-7, 0.9, False), (-6, 0.9, True), (-10, 0.5, True)]
)
def test_nobody_is_asked_whether_the_one_they_lost_is_gone(bond, impact, certainty, is_asked):
    noted, now = "用户的老伴儿叫孙德福，用户天天给他做饭。", "用户的老伴儿孙德福去世了。"
    old = save(bond, noted, slot="partner", value="孙德福").node
    answer = told(
        now, op="update", how="contradicts", target=1, lines=[3], certainty=certainty, slot="partner", value="无"
    )

    close(bond, answer, events=[event(now, impact=impact)], said=(*SAID[:2], "老孙走了 昨儿夜里走的 没抢救过来"))

    assert (live(bond), Doubt.objects.count()) == (([noted], 1) if is_asked else ([now], 0))
    assert is_asked or (fresh(old).state, facts(bond).last().value) == ("superseded", "无")


def test_what_is_in_doubt_is_not_put_in_doubt_again(bond):
    save(bond, LEEDS, slot="home", value="Leeds")
    answer = lives_in("York", op="update", how="contradicts", target=1, lines=[3])

    close(bond, answer, answer | {"source_lines": [1]})
    later = remember("York!", "I mean it.", "York.", bond=bond, answer=extraction(facts=[answer]))

    assert (facts(bond).count(), Doubt.objects.count()) == (2, 1)
    assert notes(later) == ["fact 0 dropped: this is in doubt already"]


def test_another_value_for_a_stated_slot_contradicts_it_whatever_the_model_calls_it(bond):
    old = save(bond, LEEDS, slot="home", value="Leeds").node

    close(bond, lives_in("York", lines=[3]))

    assert (live(bond), facts(bond).last().conflicts_with) == ([LEEDS], old)


def test_another_value_for_a_gathered_slot_replaces_it(bond):
    save(bond, LEEDS, by=job(), slot="home", value="Leeds")

    close(bond, lives_in("York", lines=[3]))

    assert live(bond) == [YORK]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The user's sister lives in Porto.", "The user's sister lives in Lisbon."),
        ("The user is 34.", "The user is 35."),
        ("用户的妹妹住在成都。", "用户的妹妹住在昆明。"),
    ],
)
def test_what_cannot_hold_beside_what_was_gathered_replaces_it(bond, old, new):
    save(bond, old, by=job())

    close(bond, told(new, lines=[3]))

    assert live(bond) == [new]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The user's sister lives in Porto.", "The user's brother lives in Lisbon."),
        ("The user's dog is called Moon.", "The user's dog is called Biscuit."),
    ],
)
def test_what_may_hold_beside_it_stands_beside_it(bond, old, new):
    save(bond, old, by=job())

    close(bond, told(new, lines=[3]))

    assert live(bond) == [old, new]


def test_the_same_value_is_counted_and_written_no_second_time(bond):
    old = save(bond, LEEDS, slot="home", value="Leeds").node

    session = close(bond, told("The user has a home in Leeds.", slot="home", value="leeds", lines=[3]))

    assert (live(bond), fresh(old).mention_count) == ([LEEDS], 2)
    assert notes(session) == ["fact 0 is noted already"]


def test_what_stands_against_the_written_text_is_uncertain_and_proposed(bond):
    blocks.save(holder=bond, label="user", content="Lives in Leeds.", user=bond.user, now=NOW)

    close(bond, told(YORK, op="update", how="contradicts", target=None))

    [node] = facts(bond)
    assert (node.state, node.conflicts_with, node.confidence) == ("uncertain", None, 0.6)
    assert Doubt.objects.get(a_node=node).reason == "against_text"
    assert [(one.content, one.node, one.of, one.source_quote) for one in Proposal.objects.all()] == [
        (YORK, node, None, "")
    ]


@pytest.mark.parametrize(("minutes", "state"), [(-1, "uncertain"), (0, "uncertain"), (1, "superseded")])
def test_what_was_said_before_the_text_was_written_is_history_of_it(bond, minutes, state):
    at = NOW + timedelta(minutes=minutes)
    blocks.save(holder=bond, label="user", content="Lives in Leeds.", user=bond.user, now=at)

    close(bond, told(YORK, op="update", how="contradicts", target=None))

    [node] = facts(bond)
    assert (node.state, Doubt.objects.count(), Proposal.objects.count()) == (
        (state, 1, 1) if state == "uncertain" else (state, 0, 0)
    )


@pytest.mark.parametrize("target", [None, 7], ids=["no text", "not sent"])
def test_a_contradiction_of_nothing_is_a_fact_like_any_other(bond, target):
    close(bond, told(YORK, op="update", how="contradicts", target=target))

    assert (live(bond), Proposal.objects.count()) == ([YORK], 0)


@pytest.mark.parametrize(
    ("content", "is_replaced"),
    [("The user has 2 cats, Nimbus and Bo, and a dog.", True), ("The user has cats and a dog.", False)],
)
def test_what_extends_a_fact_keeps_its_names_and_numbers_or_is_one_of_its_own(bond, content, is_replaced):
    old = "The user has 2 cats, Nimbus and Bo."
    save(bond, old, by=job())

    close(bond, told(content, op="update", how="extends", target=1))

    assert live(bond) == ([content] if is_replaced else [old, content])


def test_a_target_that_ended_meanwhile_is_none(bond):
    old = save(bond, LEEDS).node
    session = closed_talk(*SAID, bond=bond)
    llm = Meddling(lambda: acts.end(bond=bond, node=old, writer=writer()))
    llm.answers |= {"extraction": extraction(facts=[told(YORK, op="update", how="contradicts", target=1)])}

    consolidate(session, llm)

    assert live(bond) == [YORK]


class Meddling(FakeLLM):
    """A model that answers when something else has happened meanwhile."""

    def __init__(self, act):
        super().__init__(answers={"reflection": thoughts()})
        self.act = act

    def answer(self, messages, *, feature, **more):
        if feature == "extraction":
            self.act()
        return super().answer(messages, feature=feature, **more)


def noted_in_talk(bond, content=LEEDS, said="I live in Leeds.", **more):
    """A session in which a fact was noted from the only line of the user."""
    session = talk(said, "persona: Noted.", bond=bond)
    line = session.messages.get(role="user")
    by = writer(by="rule", session=session, turn_id=uuid.uuid4(), messages=[line])
    made = acts.save(bond=bond, draft=draft(content, **more), writer=by)
    return closed_talk("Good night.", bond=bond), made


def test_told_and_noted_is_not_learned_twice(bond):
    session, made = noted_in_talk(bond, slot="home", value="Leeds")

    consolidate(
        session,
        model(
            extraction(
                event("The user lives in Leeds.", impact=0, lines=[1], relational_tags=["identity-bearing"]),
                facts=[told("The user has lived in Leeds for long.", slot="home", value="Leeds"), told(LEEDS)],
            )
        ),
    )

    assert [node.description for node in ConceptNode.objects.for_bond(bond)] == [LEEDS]
    assert (fresh(made.node).tier, FactWrite.objects.count()) == ("stated", 1)


def test_what_was_undone_stays_away_at_the_close_and_is_back_when_said_anew(bond):
    session, made = noted_in_talk(bond, slot="home", value="Leeds")
    undoing.undo(write=made, now=NOW)

    consolidate(session, model(extraction(facts=[lives_in("Leeds")])))
    after_close = live(bond)
    remember("I do live in Leeds.", "In Leeds.", "Really.", bond=bond, answer=extraction(facts=[lives_in("Leeds")]))

    assert (after_close, live(bond)) == ([], [LEEDS])
    assert session.summary == "A cat at night."


@pytest.mark.parametrize(
    ("said", "left"),
    [("Remember that the user lives in Leeds.", []), ("The user lives in York.", ["The user lives in York."])],
)
def test_what_was_undone_is_no_event_of_its_line(bond, said, left):
    session, made = noted_in_talk(bond, slot="home", value="Leeds")
    undoing.undo(write=made, now=NOW)

    consolidate(session, model(extraction(event(said, impact=1, lines=[1]))))

    assert list(ConceptNode.objects.for_bond(bond).not_deleted().events().values_list("description", flat=True)) == left


def test_what_was_undone_is_no_event_of_its_line_in_chinese(bond):
    session, made = noted_in_talk(bond, said="记住我害怕的时候会吹口哨。", content="用户害怕的时候会吹口哨。")
    undoing.undo(write=made, now=NOW)

    consolidate(session, model(extraction(event("记住我害怕的时候会吹口哨。", impact=1, lines=[1]))))

    assert not ConceptNode.objects.for_bond(bond).not_deleted().events().exists()


def test_what_was_undone_is_no_event_of_its_line_in_fewer_words(bond):
    session, made = noted_in_talk(bond, said="记住钥匙压在蓝花盆底下。", content="钥匙压在蓝花盆底下。")
    undoing.undo(write=made, now=NOW)

    consolidate(session, model(extraction(event("钥匙在蓝花盆底下。", impact=1, lines=[1]))))

    assert not ConceptNode.objects.for_bond(bond).not_deleted().events().exists()


@pytest.mark.parametrize("lines", [[1], [1, 2], [1, 2, 3]])
def test_what_was_undone_is_no_event_of_its_line_among_others(bond, lines):
    session, made = noted_in_talk(bond, slot="home", value="Leeds")
    undoing.undo(write=made, now=NOW)
    said = "The user lives in Leeds, and it rains there."

    consolidate(session, model(extraction(event(said, impact=1, lines=lines))))

    assert not ConceptNode.objects.for_bond(bond).not_deleted().events().exists()


@pytest.mark.parametrize(
    ("later", "left"),
    [("It rains all day.", []), ("I live in Leeds after all.", ["The user lives in Leeds, where it rains all day."])],
)
def test_an_event_of_the_line_that_asked_to_forget_tells_nothing_of_it(bond, later, left):
    node = save(bond, LEEDS).node
    session = talk("Forget that I live in Leeds.", bond=bond)
    acts.forget(bond=bond, node=node, writer=writer(messages=[session.messages.get()]))
    told_of = event("The user lives in Leeds, where it rains all day.", impact=1, lines=[1, 2])

    consolidate(closed_talk(later, "Good night.", bond=bond), model(extraction(told_of)))

    found = ConceptNode.objects.for_bond(bond).not_deleted().events().values_list("description", flat=True)
    assert list(found) == left


def test_what_the_session_got_wrong_and_took_back_may_be_learned_right(bond):
    session, made = noted_in_talk(bond, slot="home", value="Leeds", said="I used to live in Leeds, now in York.")
    undoing.undo(write=made, now=NOW)

    consolidate(session, model(extraction(facts=[lives_in("York")])))

    assert live(bond) == [YORK]


def test_what_was_forgotten_is_not_learned_again_from_its_lines(bond):
    session, made = noted_in_talk(bond, slot="home", value="Leeds")
    acts.forget(bond=bond, node=made.node, writer=writer())

    consolidate(session, model(extraction(facts=[told("Leeds is where the user lives.")])))

    assert live(bond) == []
    assert notes(session) == ["fact 0 dropped: it was forgotten or undone, and is not said anew"]


@pytest.mark.parametrize(
    ("more", "is_kept"),
    [
        ({"impact": 2}, False),
        ({"impact": -2, "relational_tags": ["identity-bearing"]}, False),
        ({"impact": 3}, True),
        ({"impact": -3}, True),
        ({"relational_tags": ["vulnerability"], "impact": 0}, True),
        ({"event_time": {"start": "2026-11-20", "end": "2026-11-20"}, "impact": 0}, True),
        ({"lines": [1, 3], "impact": 0}, True),
        ({"lines": [1, 2], "impact": 0}, False),
        ({"subject": "persona", "lines": [1, 2], "impact": 0}, True),
    ],
)
def test_an_event_that_only_holds_is_told_by_its_fact_alone(bond, more, is_kept):
    session = close(bond, told(), events=[event("The user cannot eat nuts at all.", **({"lines": [1]} | more))])

    others = ConceptNode.objects.for_bond(bond).not_facts()
    assert (others.exists(), "event 0 dropped: its lines are noted as facts" in notes(session)) == (
        is_kept,
        not is_kept,
    )


def test_a_fact_cites_the_event_that_tells_the_same(bond):
    close(
        bond,
        told(),
        events=[
            event("The user ate nuts and cannot eat nuts again.", impact=-4, lines=[1]),
            event("The user likes tea very much.", impact=4, lines=[3]),
        ],
    )

    [edge] = Filling.objects.all()
    assert (edge.parent.description, edge.child.description) == (NUTS, "The user ate nuts and cannot eat nuts again.")


def test_facts_are_evidence_of_thoughts(bond):
    fact = save(bond).node

    remember(
        bond=bond,
        answer=extraction(event(impact=9)),
        reflections=[thoughts({"description": "They take care.", "filling": [fact.pk]})],
    )

    thought = ConceptNode.objects.for_bond(bond).thoughts().get()
    assert list(thought.filling.all()) == [fact]


@pytest.mark.parametrize(
    ("line", "is_trivial"),
    [("I live in Leeds.", False), ("我住在苏州", False), ("Do I live in Leeds?", True), ("hi", True)],
)
def test_a_value_of_a_slot_opens_the_gate(line, is_trivial):
    session = consolidate(closed_talk(line), model(extraction()))

    assert session.trivial is is_trivial


def test_of_other_bonds_nothing_is_sent_or_changed(bond):
    other = BondFactory(user__username="charlie")
    save(other, LEEDS, by=job(), slot="home", value="Leeds")
    session = closed_talk(*SAID, bond=bond)
    llm = model(extraction(facts=[lives_in("York", op="update", how="contradicts", target=1)]))

    consolidate(session, llm)

    assert ("The user lives in Leeds." in llm.calls[0].text, live(other), live(bond)) == (False, [LEEDS], [YORK])


def test_a_second_close_of_the_same_lines_writes_nothing_twice(bond):
    session = close(bond, told())

    consolidate(
        closed_talk("Good night to you.", "And now sleep.", "Bye.", bond=bond, now=NOW + timedelta(hours=1)),
        model(extraction(facts=[told(lines=[])])),
        now=NOW + timedelta(hours=1),
    )

    assert (live(bond), facts(bond).get().mention_count) == ([NUTS], 2)
    assert session.messages.filter(role=Message.Role.USER).count() >= 2
