from uuid import uuid4

import pytest

from chat.turns.prompting import base_context, entity_cards, prompt_context
from echovessel import tokens
from memory.entities import lookup, merging
from memory.forgetting import removal
from memory.models import Entity, EntityRemark, Story, Topic
from tests.chat.turns.test_hot_path import hot_path_queries
from tests.support import story
from tests.support.factories import NOW, AliasFactory, BondFactory, EntityFactory, MessageFactory, SessionFactory
from tests.support.fakes import FakeLLM
from tests.support.running import claimed
from tests.support.talking import say

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def told(settings):
    settings.STORY_ENABLED = True


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond, status="closed")


def meet(bond, name="Anna", **columns):
    return EntityFactory(bond=bond, canonical_name=name, **{"kind": "person", "description": ""} | columns)


def remark(entity, *texts, label=""):
    """A scene for each text, in which it was told."""
    session = SessionFactory(bond=entity.bond, status="closed")
    for text in texts:
        message = MessageFactory(session=session, content="Somebody was there.")
        EntityRemark.objects.create(
            bond=entity.bond,
            entity=entity,
            scene=story.create_scene(entity.bond, message),
            label=label,
            text=text,
            line=message.pk,
            created_at=NOW,
        )


def talk(session, *lines, role="user"):
    """A turn for each line."""
    for line in lines:
        turn = uuid4()
        said = {role: line, "persona" if role == "user" else "user": "Hm."}
        for one in ("user", "persona"):
            MessageFactory(session=session, role=one, content=said[one], turn_id=turn)


def inputs_of(turn):
    return prompt_context.load(base_context.load(turn, NOW), None).assemble_prompt().inputs


def cards_of_turn(turn):
    return [(card.name, card.description, card.remarks) for card in inputs_of(turn).about]


def cards_of(bond, line="And then?"):
    return cards_of_turn(claimed(bond, line))


@pytest.mark.parametrize(
    ("name", "line"), [("Anna", "Did anna call?"), ("小黑", "小黑又跳上来了"), ("Old Tom", "I met old  Tom.")]
)
def test_who_is_named_is_described_with_what_scenes_told_of_them(bond, name, line):
    remark(meet(bond, name, description="A friend."), "Sails.", "Has a boat.", label="hobby")

    assert cards_of(bond, line) == [(name, "A friend.", ("hobby: Has a boat.", "hobby: Sails."))]


def test_a_card_stands_in_the_notes_with_its_remarks_below_the_description(bond):
    remark(meet(bond, description="A friend."), "Sails <far>.", label="hobby")
    made = prompt_context.load(base_context.load(claimed(bond, "Did Anna call?"), NOW), None).assemble_prompt()

    card = "# About Anna\n<about>\nA friend.\n- hobby: Sails &lt;far>.\n</about>"
    assert card in made.messages[-1]["content"]


def test_a_card_needs_no_description(bond):
    remark(meet(bond), "Sails.")
    meet(bond, "Nobody")

    assert cards_of(bond, "Did Anna meet Nobody?") == [("Anna", "", ("Sails.",))]


@pytest.mark.parametrize(("count", "shown"), [(5, range(4, -1, -1)), (6, range(5, 0, -1))])
def test_a_card_shows_the_five_newest_remarks(bond, count, shown):
    remark(meet(bond), *(f"Remark {number}." for number in range(count)))

    assert cards_of(bond, "Anna?") == [("Anna", "", tuple(f"Remark {number}." for number in shown))]


def test_what_was_replaced_or_taken_up_by_the_description_is_not_told_again(bond):
    anna = meet(bond)
    remark(anna, "At the bank.", "Has a boat.", "Teaches.")
    first, second, third = EntityRemark.objects.order_by("id")
    EntityRemark.objects.filter(pk=first.pk).update(replaced_by=third)
    EntityRemark.objects.filter(pk=second.pk).update(absorbed_at=NOW)

    assert cards_of(bond, "Anna?") == [("Anna", "", ("Teaches.",))]


@pytest.mark.parametrize(("turns", "is_told"), [(0, True), (3, True), (4, False)], ids=["last", "fourth", "fifth"])
def test_a_card_stays_for_four_turns(bond, session, turns, is_told):
    remark(meet(bond), "Sails.")
    talk(session, "Anna called.", *["It rained."] * turns)

    assert [name for name, *_ in cards_of(bond)] == ["Anna"] * is_told


def test_a_turn_of_several_messages_is_one(bond, session):
    remark(meet(bond), "Sails.")
    talk(session, "Anna called.")
    turn = uuid4()
    MessageFactory.create_batch(9, session=session, content="It rained.", turn_id=turn)

    assert [name for name, *_ in cards_of(bond)] == ["Anna"]


def test_the_words_of_the_companion_keep_no_card(bond, session):
    remark(meet(bond), "Sails.")
    talk(session, "How is Anna?", role="persona")

    assert cards_of(bond) == []


def test_who_was_named_last_stands_first(bond, session):
    for name in ("Anna", "Ben", "Cleo"):
        meet(bond, name, description="A friend.")
    talk(session, "Anna called.", "Ben called.")

    assert [name for name, *_ in cards_of(bond, "And Cleo?")] == ["Cleo", "Ben", "Anna"]


def test_who_is_named_by_two_names_is_described_once(bond, session):
    AliasFactory(entity=meet(bond, description="A friend."), name="Annie")
    talk(session, "Anna called.")

    assert cards_of(bond, "Annie?") == [("Anna", "A friend.", ())]


def test_a_name_that_two_messages_make_up_together_is_no_name(bond, session):
    meet(bond, "Mary Ann", description="A friend.")
    talk(session, "Ann called.")

    assert cards_of(bond, "I saw Mary") == []


def test_only_the_burst_names_for_recall_and_for_doubts(bond, session):
    remark(meet(bond), "Sails.")
    talk(session, "Anna called.")
    context = prompt_context.load(base_context.load(claimed(bond, "And then?"), NOW), None)

    assert (context.base.cards.named, context.found.recalled.named) == ((), ())
    assert [*context.cards] == [Entity.objects.get().pk]


def test_messages_off_the_record_keep_a_card_in_their_own_session_only(bond):
    remark(meet(bond), "Sails.")
    hidden = SessionFactory(bond=bond, off_record=True, channel="api")
    talk(hidden, "Anna called.")

    turn = claimed(bond, "And then?")

    assert cards_of_turn(turn) == []
    turn.session = hidden
    assert [name for name, *_ in cards_of_turn(turn)] == ["Anna"]


def test_who_is_forgotten_has_no_card(bond, session):
    anna = meet(bond, description="A friend.")
    remark(anna, "Sails.")
    talk(session, "Anna called.")
    removal.forget_entity(entity=anna, now=NOW)

    assert cards_of(bond, "Anna?") == []


def test_whom_a_stranger_knows_has_no_card(bond, session):
    remark(meet(BondFactory(user__username="charlie"), description="A friend."), "Sails.")
    talk(session, "Anna called.")

    assert cards_of(bond, "Anna?") == []


def test_remarks_follow_a_merge_and_its_undoing(bond):
    anna, nan = meet(bond), meet(bond, "Nan")
    remark(anna, "Sails.")
    remark(nan, "Rows.")

    merge = merging.merge_entities(kept=anna, merged=nan, by="owner", now=NOW)
    turn = claimed(bond, "Nan and Anna?")
    assert cards_of_turn(turn) == [("Anna", "", ("Rows.", "Sails."))]

    merging.undo(merge=merge, now=NOW)
    assert cards_of_turn(turn) == [("Anna", "", ("Sails.",)), ("Nan", "", ("Rows.",))]


def test_under_a_focus_those_it_is_about_have_cards(bond, session):
    anna = meet(bond, description="A friend.")
    remark(anna, "Sails.")
    Topic.objects.create(
        bond=bond,
        session=session,
        turn_id=uuid4(),
        entity_ids=[anna.pk],
        began_at=NOW,
        last_turn_at=NOW,
        focus="explicit",
        focus_at=NOW,
    )

    assert cards_of(bond, "It was quiet there in the kitchen.") == [("Anna", "A friend.", ("Sails.",))]


@pytest.mark.parametrize(
    ("description", "told", "left"),
    [
        ("Kevin 的未婚妻，vegetarian。", "身份: Kevin 的未婚妻，vegetarian", ()),
        ("A friend.", "who: A friend from Graz.", ("who: A friend from Graz.",)),
    ],
)
def test_a_remark_that_says_no_more_than_the_description_is_left_out(bond, description, told, left):
    remark(meet(bond, description=description), told)

    assert [card.remarks for card in find_fitting(bond, most=None)] == [left]


def find_fitting(bond, *, most):
    [anna] = lookup.find_in_any(bond=bond, texts=["Anna"], remarks=5)
    return [*entity_cards.build([anna], texts_count=1, most=most).cards.values()]


def test_a_card_that_does_not_fit_loses_its_older_remarks_first(bond):
    remark(meet(bond, description="A friend."), "x" * 100, "y" * 100)
    [whole] = find_fitting(bond, most=None)
    cost = entity_cards.count_tokens([whole])

    assert find_fitting(bond, most=cost) == [whole]
    [card] = find_fitting(bond, most=cost - 1)
    assert card.remarks == ("y" * 100,)
    alone = tokens.estimate("# About Anna\n<about>\nA friend.\n</about>")
    assert [card.remarks for card in find_fitting(bond, most=alone)] == [()]
    assert find_fitting(bond, most=alone - 1) == []


@pytest.mark.parametrize(("context", "most"), [(128_000, 800), (6_500, 350)])
def test_all_cards_together_have_800_tokens_and_fewer_in_a_small_model(bond, settings, context, most):
    settings.CONTEXT_TOKENS = context
    names = [f"Nr{number}" for number in range(20)]
    for name in names:
        remark(meet(bond, name, description=f"A friend. {'x' * 100}"), "y" * 100)
    held = inputs_of(claimed(bond, " ".join(names))).about

    assert most - 100 < entity_cards.count_tokens(held) <= most
    assert [card.name for card in held][:3] == names[:3]


def test_a_text_of_the_owners_that_is_too_long_leaves_room_for_others(bond):
    meet(bond, description="x" * 4000, description_by="owner")
    meet(bond, "Ben", description="A friend.")

    assert cards_of(bond, "Anna and Ben?") == [("Ben", "A friend.", ())]


def test_a_prompt_without_a_story_has_descriptions_only(bond, session):
    remark(meet(bond, description="A friend."), "Sails.")
    meet(bond, "Ben", description="A friend.")
    talk(session, "Ben called.")
    Story.objects.update_or_create(bond=bond, defaults={"enabled": False})

    assert cards_of(bond, "Anna?") == [("Anna", "A friend.", ())]


def test_cards_take_no_statement_more(bond, session):
    SessionFactory(bond=bond, loaded_at=NOW)
    remark(meet(bond, description="A friend."), "Sails.")
    talk(session, "Anna called.")

    assert len(hot_path_queries(bond, "Did it rain there in the last summer, too?")) == 9


def test_a_trace_names_the_cards_that_the_prompt_held(bond, session, settings):
    anna = meet(bond, description="A friend.")
    remark(anna, "Sails.")
    turn = say(bond, "Anna?", now=NOW, llm=FakeLLM("Yes."))

    cost = tokens.estimate("# About Anna\n<about>\nA friend.\n- Sails.\n</about>")
    assert turn.trace["cards"] == {"count": 1, "tokens": cost, "entities": [anna.pk]}

    settings.PROMPT_TOKEN_BUDGET = 500
    talk(session, *["A word. " * 200] * 4)
    turn = say(bond, "Anna?", now=NOW, llm=FakeLLM("Yes."))
    assert turn.trace["cards"] == {"count": 0, "tokens": 0, "entities": []}
