from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import translation

from chat.models import Turn
from chat.pages.conversation import reply_explanation
from memory.forgetting import removal
from memory.recall import scoring
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    MessageFactory,
    MoodChangeFactory,
    SessionFactory,
    TurnFactory,
)

pytestmark = pytest.mark.django_db
TERMS = {"recency": 1.0, "relevance": 0.7, "impact": 0.6, "relational": 0.5, "anchor": 1.0, "graph": 0.25, "fit": 0.8}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def item(node, *, kept=True, reason=None, anchored_by=(), **terms):
    told = {"node": node.pk, "score": 5.25, "terms": TERMS | terms, "anchored_by": list(anchored_by)}
    return told | {"kept": kept, "reason": reason}


def turn_of(bond, *items, words=(), reply="Nimbus does.", **more):
    """A finished turn with its message, its reply, and a trace."""
    quoted = [{"message": message.pk, "score": 0.5} for message in words]
    session = SessionFactory(bond=bond, status="closed")
    details = {"trace": {"items": list(items), "words": quoted, "cut": {}}, "status": "done", "started_at": NOW} | more
    turn = TurnFactory(session=session, **details)
    MessageFactory(session=session, turn_id=turn.pk, content="Who jumps?")
    MessageFactory(session=session, turn_id=turn.pk, role="persona", content=reply)
    return turn


def asked(client, turn):
    return client.get(reverse("why_said", args=[turn.bond_id, turn.pk]))


def text(answer):
    return " ".join(answer.content.decode().split())


def test_a_memory_is_told_in_words_with_a_link_and_each_term_in_figures(mara, bond):
    node = ConceptNodeFactory(bond=bond, description="<b>Nimbus</b> jumps.", emotional_impact=6)
    cat = EntityFactory(bond=bond, canonical_name="Nimbus")
    turn = turn_of(bond, item(node, anchored_by=[cat.pk, "2026-03-01/2026-03-31"]))

    page = text(asked(mara, turn))

    assert f'<a href="{reverse("memory", args=[bond.pk, node.pk])}">&lt;b&gt;Nimbus&lt;/b&gt; jumps.</a>' in page
    assert "very similar to your message" in page
    assert "about Nimbus, March 2026" in page
    assert "Score: 5.25" in page
    assert "Nimbus does." in page


def test_the_points_of_all_terms_come_to_the_score(bond, settings):
    node = ConceptNodeFactory(bond=bond)

    [memory] = reply_explanation.load(turn_of(bond, item(node))).kept

    whole = scoring.ScoreTerms(**TERMS).score(relational_weight=settings.RELATIONAL_BONUS_WEIGHT)
    assert sum(term.points for term in memory.terms) == pytest.approx(whole)
    assert len(memory.terms) == len(TERMS)


@pytest.mark.parametrize(
    ("relevance", "said"),
    [
        (0.6, "very similar to your message"),
        (0.5, "similar to your message"),
        (0.4, "somewhat similar to your message"),
        (0.39, "not similar by itself"),
    ],
)
def test_how_close_a_memory_is_in_words(relevance, said):
    assert reply_explanation.describe_closeness(relevance) == said


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("floor", "too different from your message"),
        ("beyond_k", "others matched better"),
        ("session_limit", "enough came from the same chat already"),
        ("budget", "there was no room left"),
    ],
)
def test_what_was_left_out_says_why(mara, bond, reason, said):
    left = ConceptNodeFactory(bond=bond, description="The weather was fine.")
    turn = turn_of(bond, item(left, kept=False, reason=reason))

    page = text(asked(mara, turn))

    assert "No memories were used." in page
    assert f'<p class="why__because">{said}</p>' in page
    assert "The weather was fine." in page


def test_what_was_forgotten_since_is_counted_and_not_shown(mara, bond):
    gone = ConceptNodeFactory(bond=bond, description="A secret about plums.", deleted_at=NOW)
    other = ConceptNodeFactory(description="A stranger's memory of plums.")
    name = EntityFactory(bond=bond, canonical_name="Plumley", deleted_at=NOW)
    kept = ConceptNodeFactory(bond=bond)
    message = MessageFactory(session=SessionFactory(bond=bond), content="Plums, I said.", deleted_at=NOW)
    turn = turn_of(bond, item(gone), item(other), item(kept, anchored_by=[name.pk]), words=[message])

    page = text(asked(mara, turn))

    assert "lum" not in page
    assert "2 memories that were considered have been forgotten since." in page


def test_the_words_that_were_quoted_lead_to_their_messages(mara, bond):
    message = MessageFactory(session=SessionFactory(bond=bond), content="He is white.")
    turn = turn_of(bond, words=[message])

    page = text(asked(mara, turn))

    assert f'<a href="#message-{message.pk}" data-jump>' in page
    assert "He is white." in page


@pytest.mark.parametrize(
    ("hours", "forgotten", "felt"),
    [(1, False, ("tender", 6)), (13, False, ("neutral", 5)), (-1, False, ("neutral", 5)), (1, True, ("neutral", 5))],
    ids=["an hour before", "worn off", "later", "of a forgotten talk"],
)
def test_the_mood_is_that_of_the_moment(bond, hours, forgotten, felt):
    talk = SessionFactory(bond=bond, status="closed", deleted_at=NOW if forgotten else None)
    MoodChangeFactory(session=talk, created_at=NOW - timedelta(hours=hours))

    told = reply_explanation.load(turn_of(bond))

    assert (told.mood, told.energy) == felt


def test_how_long_and_how_much(bond):
    measured = {"embed_ms": None, "recall_ms": 120, "total_ms": 2500}
    turn = turn_of(bond, timings=measured, tokens_in=900, tokens_out=40)
    turn.trace["cut"] = {"lines": 3}

    told = reply_explanation.load(turn)

    assert told.steps == [("Finding memories", 0.12), ("Total", 2.5)]
    assert told.tokens == [("Read by the model", 900), ("Written by the model", 40)]
    assert told.cut == [("earlier messages of the chat", 3)]


def test_a_reply_that_was_chosen_over_a_later_one_says_of_which_it_tells(mara, bond):
    turn = turn_of(bond)
    before = text(asked(mara, turn))
    MessageFactory(session=turn.session, turn_id=turn.pk, role="persona", variant=1, chosen=False)

    assert "The reply was regenerated later." not in before
    assert "The reply was regenerated later." in text(asked(mara, turn))


def test_where_nothing_is_written_down_the_page_says_so(mara, bond):
    secret = TurnFactory(session=SessionFactory(bond=bond, off_record=True), status="done")
    restored = TurnFactory(session=SessionFactory(bond=bond, status="closed"), status="done")

    assert "This was said off the record" in text(asked(mara, secret))
    assert "Nothing is stored about how this reply was written." in text(asked(mara, restored))


def test_a_hundred_memories_take_as_many_queries_as_one(mara, bond, django_assert_num_queries):
    one = turn_of(bond, item(ConceptNodeFactory(bond=bond)), words=[MessageFactory(session=SessionFactory(bond=bond))])
    many = turn_of(
        bond,
        *(item(ConceptNodeFactory(bond=bond), kept=n % 2 == 0, reason="floor") for n in range(3)),
        words=[MessageFactory(session=SessionFactory(bond=bond, status="closed")) for _ in range(3)],
    )

    with django_assert_num_queries(9):
        asked(mara, one)
    with django_assert_num_queries(9):
        asked(mara, many)


def test_a_message_comes_as_the_page_has_it_with_the_replies_one_may_choose(mara, bond):
    turn = turn_of(bond, status=Turn.Status.DONE)
    [told, reply] = turn.session.messages.order_by("id")

    of_user = text(mara.get(reverse("bond_line", args=[bond.pk, told.pk])))
    of_persona = text(mara.get(reverse("bond_line", args=[bond.pk, reply.pk])))

    assert f'id="message-{told.pk}"' in of_user
    assert "Who jumps?" in of_user
    assert "data-replies" not in of_user
    assert f'data-replies="{reply.pk}" data-another' in of_persona


@pytest.mark.parametrize("gone", [{"deleted_at": NOW}, {"chosen": False}], ids=["forgotten", "not chosen"])
def test_a_message_that_does_not_stand_is_not_found(mara, bond, gone):
    message = MessageFactory(session=SessionFactory(bond=bond), **gone)

    assert mara.get(reverse("bond_line", args=[bond.pk, message.pk])).status_code == 404


def test_what_an_edit_takes_back_is_shown_before(mara, bond):
    session = SessionFactory(bond=bond)
    message, _, late = MessageFactory.create_batch(3, session=session)
    MessageFactory(session=session, role="persona", chosen=False)
    ConceptNodeFactory(bond=bond, description="The user paints.", sources=[late])

    shown = text(mara.get(reverse("edit_line", args=[bond.pk, message.pk])))
    last = text(mara.get(reverse("edit_line", args=[bond.pk, late.pk])))

    assert ("The 2 messages that came after it" in shown, "The user paints." in shown) == (True, True)
    assert "The old text goes to the trash" in last


@pytest.mark.parametrize(("role", "status"), [("persona", "open"), ("user", "closing")])
def test_what_cannot_be_edited_now_is_said_in_a_sentence(mara, bond, role, status):
    message = MessageFactory(session=SessionFactory(bond=bond, status=status), role=role)

    answer = mara.get(reverse("edit_line", args=[bond.pk, message.pk]))

    assert (answer.status_code, answer["Content-Type"]) == (409, "text/plain; charset=utf-8")


def test_an_unknown_turn_or_one_of_a_forgotten_session_is_not_found(mara, bond):
    forgotten = TurnFactory(session=SessionFactory(bond=bond, status="closed", deleted_at=NOW), status="done")

    assert asked(mara, forgotten).status_code == 404
    assert mara.get(reverse("why_said", args=[bond.pk, uuid4()])).status_code == 404


def test_a_stranger_finds_nothing(charlie, bond):
    turn = turn_of(bond, item(ConceptNodeFactory(bond=bond)))
    message = turn.session.messages.first()
    own = BondFactory(user__username="charlies")
    charlie.force_login(own.user)

    for at in (bond, own):
        assert charlie.get(reverse("why_said", args=[at.pk, turn.pk])).status_code == 404
        assert charlie.get(reverse("bond_line", args=[at.pk, message.pk])).status_code == 404
        assert charlie.get(reverse("edit_line", args=[at.pk, message.pk])).status_code == 404


def test_what_went_wrong_is_said_in_the_readers_language(mara, bond):
    with translation.override(None):
        chinese, english = (
            mara.get(reverse("bond", args=[bond.pk]), headers={"Accept-Language": language}).context["page"]["refusals"]
            for language in ("zh-CN", "en")
        )

    assert english == {}
    assert chinese["model_timeout"] == "回答花的时间太长了。"


SIGNALS: dict[str, object] = dict.fromkeys(
    ("mark", "interrogative", "greeting", "bare", "reference", "shift", "stay", "crisis"), False
)
SIGNALS |= {"feedback": 0, "density": 0.5, "tokens": 9, "asks": False, "asks_past": False}


def talk_trace(peg, **more):
    knowing = {"g": 0.41, "fok": 0.25, "f": 0.05, "warmth": 0.5, "stock": 0.0, "confidence": 0.22}
    topic = {"is_new": False, "is_resumed": False, "entities": [peg.pk, 999_999], "turns": 3, "streak": 3, "acc": 0.4}
    topic |= {"evidence": {"names": 0.0, "likeness": 0.4}, "likeness": 0.2, "focus": "explicit"}
    sections = {"out": {"recalled": "slight", "words": "slight", "promises": "crisis"}, "back": {"talks": "flowing"}}
    whole = {"items": [], "words": [], "cut": {}, "signals": SIGNALS, "gap_seconds": 259_200, "topic": topic}
    return whole | {"knowing": knowing | {"state": "unknown", "widened": True}, "sections": sections} | more


def test_how_sure_it_was_the_subject_and_what_was_left_out_are_told_in_words(mara, bond):
    peg = EntityFactory(bond=bond, canonical_name="Peg")
    why = reply_explanation.load(turn_of(bond, trace=talk_trace(peg))).talk

    assert why.certainty == [
        "Nothing was found that answers what you asked.",
        "A second search looked through more memories and messages.",
    ]
    assert why.subject == [
        "You came back after 3 days.",
        "The same subject for 3 messages.",
        "It is about Peg.",
        "You had said that you want to talk about this.",
    ]
    assert why.left_out == [
        "memories, messages quoted from earlier chats, since your message said too little to look for anything",
        "promises, since something heavy needed all attention",
    ]
    assert why.came_back == ["summaries of chats, since the chat flowed without them"]
    assert dict(why.figures) == {
        "Nearness of the best memory": 0.41,
        "Feeling of knowing, 0 to 1": 0.05,
        "How much the chat goes on, 0 to 1": 0.5,
        "How much was at hand, 0 to 1": 0.0,
        "How sure in all, 0 to 1": 0.22,
        "Another subject: by meaning": 0.4,
        "Gathered for another subject": 0.4,
        "How much your message said, 0 to 1": 0.5,
    }


def test_how_the_talk_stood_is_on_the_page_with_its_figures_behind_a_press(mara, bond):
    page = asked(
        mara, turn_of(bond, trace=talk_trace(EntityFactory(bond=bond, canonical_name="Peg <b>")))
    ).content.decode()

    assert "It is about Peg &lt;b&gt;." in page
    assert page.index("<details") < page.index("Measurements") < page.index("How sure in all")


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "What is known about Peg was at hand."), ("zh-hans", "回复时参考了关于Peg的记录。")],
)
def test_whose_cards_the_prompt_held_is_said_but_for_the_forgotten(bond, language, said):
    known = [EntityFactory(bond=bond, canonical_name=name) for name in ("Peg", "Lin")]
    removal.forget_entity(entity=known[1], now=NOW)
    trace = {"cards": {"count": 2, "tokens": 9, "entities": [one.pk for one in known]}}
    with translation.override(language):
        assert reply_explanation.load(turn_of(bond, trace=trace)).talk.subject == [said]


def test_how_the_talk_stood_is_told_in_chinese(mara, bond):
    peg = EntityFactory(bond=bond, canonical_name="小林")
    with translation.override("zh-hans"):
        why = reply_explanation.load(turn_of(bond, trace=talk_trace(peg))).talk

    assert why.subject == [
        "你在 3 天后回来了。",
        "同一个话题已经聊了 3 条消息。",
        "涉及小林。",
        "你说过想谈这件事。",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(2699, []), (2700, ["You came back after 45 minutes."]), (3600, ["You came back after 1 hour."]), (None, [])],
)
def test_a_return_is_told_from_45_minutes_on(bond, seconds, said):
    trace = {"items": [], "words": [], "cut": {}, "gap_seconds": seconds}

    assert reply_explanation.load(turn_of(bond, trace=trace)).talk.subject == said


def test_an_older_trace_tells_nothing_of_the_talk(mara, bond):
    page = asked(mara, turn_of(bond)).content.decode()

    assert "Measurements" not in page


def test_how_earlier_messages_were_told_is_said_in_words(mara, bond):
    piece = {"count": 1, "tokens": 9}
    told = {"story": piece | {"version": 4}, "scenes": piece | {"count": 2}, "recaps": piece | {"count": 3}}
    turn = turn_of(bond, trace=talk_trace(EntityFactory(bond=bond)) | told | {"window": piece, "uncovered": 5})

    assert reply_explanation.load(turn).talk.story == [
        "1 message was read word for word.",
        "3 messages before that were read as a short recap.",
        "2 scenes were told by their recaps.",
        "Older messages were read as the story, version 4.",
        "For 5 messages there was no room yet.",
    ]
    assert "For 5 messages there was no room yet." in asked(mara, turn).content.decode()


def test_without_a_story_nothing_is_said_of_earlier_messages(mara, bond):
    turn = turn_of(bond, trace=talk_trace(EntityFactory(bond=bond)))

    assert reply_explanation.load(turn).talk.story == []


def test_memories_that_are_offered_to_go_are_told_to_the_reader(mara, bond):
    fact = FactFactory(bond=bond, description="The user's name is Mara.")
    forgotten = FactFactory(bond=bond, description="The user is a nurse.", deleted_at=NOW)
    foreign = FactFactory(description="The user lives in Leeds.")

    asked = [fact.pk, forgotten.pk, foreign.pk, "x"]
    answer = mara.get(reverse("offered_memories", args=[bond.pk]), {"memory": asked})

    assert answer.json() == {str(fact.pk): "Your name is Mara."}
