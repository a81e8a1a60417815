import pytest

from memory.consolidation.facts import said_anew
from memory.facts import acts, undoing
from memory.models import ConceptNode
from tests.support.factories import NOW, BondFactory
from tests.support.facts import LEEDS, live, save, told, writer
from tests.support.talks import closed_talk, consolidate, event, extraction, model, talk

pytestmark = pytest.mark.django_db

FLOUR = "The user has hidden the good biscuits behind the flour."
LOCKER = "The user's locker is number 47."
TOM = "The user had an affair with Tom."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def undo_and_say(bond, noted, *said):
    """Undo a fact, then say something in a session of which a model finds nothing."""
    undoing.undo(write=save(bond, noted), now=NOW)
    return consolidate(closed_talk(*said, "Good night.", "Bye.", bond=bond), model(extraction(event(impact=1))))


@pytest.mark.parametrize(
    ("noted", "said", "learned"),
    [
        (LOCKER, "Fine, my locker is number 47.", LOCKER),
        (FLOUR, "Well, the good biscuits are behind the flour.", "The good biscuits are behind the flour."),
        ("好饼干藏在面缸后头。", "还是告诉你吧，好饼干藏在面缸后头。", "好饼干藏在面缸后头。"),
    ],
)
def test_what_was_undone_is_noted_again_when_it_is_said(bond, noted, said, learned):
    session = undo_and_say(bond, noted, said)

    node = ConceptNode.objects.for_bond(bond).live_facts().get()
    assert (node.description, node.tier) == (learned, "extracted")
    assert [message.content for message in node.source_messages.all()] == [said]
    assert session.status == "closed"


@pytest.mark.parametrize(
    ("noted", "said", "learned"),
    [
        (
            "The user promised Aaliyah a unicycle, mind.",
            "I've thought on, and Aaliyah does get her unicycle from me.",
            "The user has thought on, and Aaliyah does get her unicycle from them.",
        ),
        (
            "打赌输了 用户欠小柯一双球鞋 你做个证。",
            "小柯翻出聊天记录了 我确实欠他一双球鞋 赖不掉",
            "小柯翻出聊天记录了 用户确实欠他一双球鞋 赖不掉。",
        ),
        (
            "The user has put four thousand pounds by for Harriet, and Marjorie does not know.",
            "Marjorie found me out, so know it again: four thousand pounds are put by for Harriet.",
            "Marjorie found the user out, so know it again: four thousand pounds are put by for Harriet.",
        ),
        (
            "用户在床底下藏了一坛老酒，老婆不知道。",
            "老婆自己翻出来了，还喝了二两，床底下是有一坛老酒",
            "老婆自己翻出来了，还喝了二两，床底下是有一坛老酒。",
        ),
    ],
)
def test_what_was_undone_is_noted_again_when_it_is_said_in_other_words(bond, settings, noted, said, learned):
    settings.EMBEDDING_BACKEND = "bundled"
    undo_and_say(bond, noted, said)

    assert live(bond) == [learned]


def test_of_a_message_that_notes_something_else_the_rest_may_be_said_anew(bond, settings):
    settings.EMBEDDING_BACKEND = "bundled"
    undoing.undo(write=save(bond, "The user promised Aaliyah a unicycle, mind."), now=NOW)
    session = closed_talk("Ann sold her flat. Aaliyah does get her unicycle.", "Night.", "Bye.", bond=bond)

    consolidate(session, model(extraction(event(impact=1), facts=[told("Ann sold her flat.")])))

    assert live(bond) == ["Ann sold her flat.", "Aaliyah does get her unicycle."]


def test_what_the_answer_notes_of_a_message_is_not_said_anew_in_other_words(bond, settings):
    settings.EMBEDDING_BACKEND = "bundled"
    undoing.undo(write=save(bond, "The user promised Aaliyah a unicycle, mind."), now=NOW)
    said, noted = "Aaliyah rode her unicycle into the pond.", "Aaliyah rides a unicycle."
    session = closed_talk(said, "Good night.", "Bye.", bond=bond)

    consolidate(session, model(extraction(event(impact=1), facts=[told(noted)])))

    assert live(bond) == [noted]


@pytest.mark.parametrize(
    ("noted", "said"),
    [
        (LOCKER, "My locker is number 52."),
        (LOCKER, "My locker is not number 47."),
        (LOCKER, "Is my locker number 47?"),
        (LOCKER, "Forget that my locker is number 47."),
        (LOCKER, "She said my locker is number 47."),
        (TOM, "Tom and I had lunch."),
        (TOM, "I had lunch with Ann."),
    ],
)
def test_what_is_not_said_anew_stays_away(bond, noted, said):
    undo_and_say(bond, noted, said)

    assert live(bond) == []


def test_what_was_forgotten_is_noted_again_only_by_what_is_said_since(bond):
    node = save(bond, LEEDS).node
    session = talk("I live in Leeds.", "Forget that I live in Leeds.", "Bye.", bond=bond)
    acts.forget(bond=bond, node=node, writer=writer(messages=[session.messages.all()[2]]))

    consolidate(closed_talk("Good night.", bond=bond), model(extraction(event(impact=1))))
    after_close = live(bond)
    consolidate(
        closed_talk("I live in Leeds after all.", "Bye.", "Bye.", bond=bond), model(extraction(event(impact=1)))
    )

    assert (after_close, live(bond)) == ([], [LEEDS])


def test_what_the_session_noted_again_is_not_noted_twice(bond):
    undoing.undo(write=save(bond, LOCKER), now=NOW)
    session = talk("Remember that my locker is number 47.", bond=bond)
    save(bond, LOCKER, by=writer(by="rule", session=session, messages=[session.messages.first()]))

    consolidate(closed_talk("Bye.", "Bye.", bond=bond), model(extraction(event(impact=1))))

    assert live(bond) == [LOCKER]


@pytest.mark.parametrize("said", ["My locker is number 47.", "The number of the locker at the gym is 47."])
def test_what_was_noted_again_in_an_earlier_session_is_not_noted_twice(bond, said):
    undoing.undo(write=save(bond, LOCKER), now=NOW)
    save(bond, "Number 47 is the locker of the user.")

    consolidate(closed_talk(said, "Bye.", "Bye.", bond=bond), model(extraction(event(impact=1))))

    assert live(bond) == ["Number 47 is the locker of the user."]


def test_what_another_says_is_left_out_of_what_the_user_says():
    assert said_anew.cut_reported("We are trying again, the doctor says we can.") == "We are trying again"


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("So yes, I write poetry.", "The user writes poetry, terrible stuff."),
        ("没错，我写诗。", "用户写诗，写得很烂。"),
    ],
)
def test_who_says_the_first_clause_of_what_is_gone_says_it_anew(said, gone):
    assert said_anew.tells_first(said, gone)
