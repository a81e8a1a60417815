"""What else a message told that a wish to forget hides."""

from datetime import timedelta

import pytest
from django.urls import reverse

from chat.pages.conversation import timeline
from echovessel.llm import provider
from memory.facts import acts, undoing
from memory.facts.checks import remainder
from memory.facts.rules import plain_wishes
from memory.models import ConceptNode, FactWrite, Message
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory
from tests.support.facts import live, save, writer
from tests.support.fakes import FakeLLM
from tests.support.markup import markup_of
from tests.support.talking import close, reply, say

pytestmark = pytest.mark.django_db
ENGLISH = (
    "I'm 34, allergic to nuts, and I was diagnosed with MS last year.",
    "Forget that I have MS.",
    "The user is allergic to nuts.",
)
CHINESE = ("我34岁，对坚果过敏，去年查出了多发性硬化。", "忘掉我有多发性硬化。", "用户对坚果过敏。")


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def is_in_prompts(line):
    message = Message.objects.get(content=line)
    return Message.objects.for_bond(message.bond).not_hidden(message.bond).filter(pk=message.pk).exists()


@pytest.mark.parametrize(("told", "wish", "kept"), [ENGLISH, CHINESE])
@pytest.mark.parametrize("is_closed", [False, True])
def test_an_allergy_told_beside_what_is_forgotten_stays_and_the_reply_says_so(bond, told, wish, kept, is_closed):
    say(bond, told, now=NOW, llm=FakeLLM("Hm."))
    if is_closed:
        close(bond, now=NOW + timedelta(hours=1), llm=provider.get_fallback_llm())
    before = live(bond)

    said = say(bond, wish, now=NOW + timedelta(days=1))

    assert (kept in live(bond), is_in_prompts(told)) == (True, False)
    assert ("nuts" if kept.isascii() else "坚果") in reply(said)
    close(bond, now=NOW + timedelta(days=2), llm=provider.get_fallback_llm())
    texts = "\n".join(ConceptNode.objects.for_bond(bond).not_deleted().values_list("description", flat=True))
    assert (live(bond).count(kept), "MS" in texts or "硬化" in texts) == (1, False)

    undoing.undo(write=FactWrite.objects.get(op="forgotten"), now=NOW + timedelta(days=2))

    assert (set(before) <= set(live(bond)), is_in_prompts(told)) == (True, True)


@pytest.mark.parametrize(
    ("told", "fact", "wish", "left"),
    [
        (
            ENGLISH[0],
            "The user is 34, allergic to nuts, and was diagnosed with MS last year.",
            ENGLISH[1],
            [ENGLISH[2]],
        ),
        (CHINESE[0], "用户34岁，对坚果过敏，2025年查出了多发性硬化。", CHINESE[1], [CHINESE[2]]),
    ],
)
def test_of_a_fact_that_tells_several_things_what_may_harm_stays_and_an_undo_takes_them_back(
    bond, told, fact, wish, left
):
    line = say(bond, told, now=NOW, llm=FakeLLM("Hm.")).burst[0]
    save(bond, fact, by=writer(messages=[line]))
    llm = FakeLLM("Gone.")

    say(bond, wish, now=NOW, llm=llm)

    assert live(bond) == left
    assert [one.candidates for one in llm.calls[-1].inputs.unmet if one.code == "kept"] == [tuple(left)]
    undoing.undo(write=FactWrite.objects.get(op="forgotten"), now=NOW)
    assert (live(bond), is_in_prompts(told)) == ([fact], True)


@pytest.mark.parametrize(
    ("told", "fact", "wish", "left"),
    [
        (
            "Nan has dementia and she hides biscuits in the piano",
            "The user's nan has dementia and hides biscuits in the piano.",
            "Forget the dementia please, but keep the biscuits.",
            "The user's nan hides biscuits in the piano.",
        ),
        (
            "my nan is in Fairview and my sister Jo pays for it",
            "The user's nan lives at Fairview and the user's sister Jo pays for it.",
            "take Jo paying for it out, keep nan",
            "The user's nan lives at Fairview.",
        ),
        (
            "We're moving to Cork in June, Tom got fired",
            "The user is moving to Cork in June because Tom was fired.",
            "please forget that Tom got fired, just remember the move to Cork",
            "The user is moving to Cork in June.",
        ),
        (
            "I play the cello and I used to drink",
            "The user plays the cello and used to drink.",
            "forget the drinking, not the cello",
            "The user plays the cello.",
        ),
        (
            "My son Ben is seven and he wets the bed",
            "The user's son Ben is seven and wets the bed.",
            "delete the bed thing about Ben but leave his age",
            "The user's son Ben is seven.",
        ),
        (
            "I have an ex called Dana and a dog called Moss",
            "The user has an ex called Dana and a dog called Moss.",
            "Can you delete Dana? Moss stays.",
            "The user has a dog called Moss.",
        ),
        (
            "我养了一只猫叫豆豆，我前夫送的",
            "用户养了一只猫叫豆豆，是前夫送的。",
            "把前夫送的那句忘了，猫的事留着",
            "用户养了一只猫叫豆豆。",
        ),
        ("我女儿尿床，还学钢琴", "用户的女儿尿床，还学钢琴。", "尿床的事忘掉，钢琴的别忘", "用户的女儿学钢琴。"),
        (
            "我在杭州上班，工资一万八",
            "用户在杭州上班，工资一万八。",
            "工资别记了，其他的留着",
            "用户在杭州上班。",
        ),
    ],
)
def test_what_a_wish_says_is_to_be_kept_stays_of_a_fact_that_tells_more(bond, told, fact, wish, left):
    line = say(bond, told, now=NOW, llm=FakeLLM("Hm.")).burst[0]
    save(bond, fact, by=writer(messages=[line]))
    llm = FakeLLM("Gone.")

    wished = say(bond, wish, now=NOW, llm=llm).burst[0]

    assert (live(bond), is_in_prompts(told)) == ([left], False)
    assert [one.candidates for one in llm.calls[-1].inputs.unmet if one.code == "kept"] == [(left,)]
    assert Message.objects.get(pk=wished.pk).remainder == ""
    undoing.undo(write=FactWrite.objects.get(op="forgotten"), now=NOW)
    assert (live(bond), is_in_prompts(told)) == ([fact], True)


@pytest.mark.parametrize(
    ("told", "fact", "wish", "left"),
    [
        (
            "I play the cello, I'm allergic to nuts and I have MS.",
            "The user plays the cello and has MS.",
            "Forget the MS, but keep the cello.",
            {"The user plays the cello.", "The user is allergic to nuts."},
        ),
        (
            "我在学钢琴，对坚果过敏，去年查出了硬化。",
            "用户在学钢琴，去年查出了硬化。",
            "硬化的事忘掉，钢琴可以留着",
            {"用户在学钢琴。", "用户对坚果过敏。"},
        ),
    ],
)
def test_what_may_harm_stays_also_where_a_wish_says_that_something_else_does(bond, told, fact, wish, left):
    line = say(bond, told, now=NOW, llm=FakeLLM("Hm.")).burst[0]
    save(bond, fact, by=writer(messages=[line]))

    say(bond, wish, now=NOW)

    assert set(live(bond)) == left


@pytest.mark.parametrize("wish", ["forget what I said about Odile, no wait keep it", "忘掉Odile的事，算了还是留着吧"])
def test_a_wish_that_is_taken_back_in_the_same_message_forgets_nothing(bond, wish):
    save(bond, "The user's cello teacher is Odile.")

    said = say(bond, wish, now=NOW)

    assert (live(bond), said.status) == (["The user's cello teacher is Odile."], "done")
    assert not FactWrite.objects.filter(op="forgotten").exists()


@pytest.mark.parametrize(
    "said",
    [
        "Forget that Jo drinks, and remember that I'm vegan",
        "Keep it to yourself, and forget I said it",
        "please forget it, I want to keep my job",
        "I can't forget him, not the way he smiled",
        "Forget Leeds. I live in York, not Leeds",
        "She cut her hair, not the fringe",
        "delete that and leave me alone",
        "别忘了我的生日",
        "我忘了带钥匙，别忘了给我开门",
    ],
)
def test_who_asks_for_one_thing_only_says_nothing_that_is_to_be_kept(said):
    assert plain_wishes.split_kept(said) == (said, "")


@pytest.mark.parametrize(
    ("told", "facts", "wish", "left"),
    [
        (
            "I have MS and I have asthma.",
            ["The user has MS.", "The user has asthma."],
            "Forget that I have MS.",
            ["The user has asthma."],
        ),
        ("我有糖尿病，还有哮喘。", ["用户有糖尿病。", "用户有哮喘。"], "忘掉我有糖尿病。", ["用户有哮喘。"]),
        (
            "My dad died in May and I'm allergic to shellfish.",
            ["The user is allergic to shellfish."],
            "Forget that my dad died.",
            ["The user is allergic to shellfish."],
        ),
        # What a model noted in its own words.
        (
            "my old man wrote from belmarsh, hes got 3 years left",
            ["The user's father is in prison and has three years left."],
            "Please forget what I told you about my old man.",
            [],
        ),
        (
            "I was fired from my first job, at Wipro, nobody at home knows it.",
            ["The user was fired from the first job; the family do not know."],
            "Please forget the Wipro thing.",
            [],
        ),
        (
            "My old man wrote from belmarsh and I start at Acme on Monday.",
            ["The user's father is in Belmarsh prison.", "The user starts at Acme on Monday."],
            "Please forget what I told you about my old man.",
            ["The user starts at Acme on Monday."],
        ),
        (
            "亲妹妹买铺面从我这拿走十二万，借条都没打",
            ["用户的妹妹借了钱没有打欠条。"],
            "忘掉我说过的铺面的事",
            [],
        ),
    ],
)
def test_of_the_facts_of_a_forgotten_message_those_go_that_a_wish_means(bond, told, facts, wish, left):
    line = say(bond, told, now=NOW, llm=FakeLLM("Hm.")).burst[0]
    for fact in facts:
        save(bond, fact, by=writer(messages=[line]))

    say(bond, wish, now=NOW, llm=FakeLLM("Gone."))

    assert live(bond) == left


@pytest.mark.parametrize(
    ("told", "wish", "left"),
    [
        (
            "Hi! My name is Alex and I live in Berlin. I have a dog named Max.",
            "Please forget that I live in Berlin.",
            {"The user's name is Alex.", "The user has a dog named Max."},
        ),
        (
            "你好！我叫小雨，住在杭州。我养了一只狗叫豆豆。",
            "忘掉我住在杭州这件事",
            {"用户叫小雨。", "用户养了一只狗叫豆豆。"},
        ),
        ("My brother is in prison. He got four years.", "Forget that my brother is in prison.", set()),
        ("I'm gay. I met him at the gym.", "Forget that I'm gay.", set()),
    ],
)
def test_the_name_and_what_another_sentence_tells_stay_and_the_reply_says_so(bond, told, wish, left):
    say(bond, told, now=NOW)

    said = say(bond, wish, now=NOW + timedelta(minutes=1))

    assert (set(live(bond)), is_in_prompts(told)) == (left, False)
    assert all(one.rstrip("。.").rsplit(" ")[-1].removeprefix("用户") in reply(said) for one in left)
    again = say(
        bond, "What do you know about me?" if told.isascii() else "你都知道我什么？", now=NOW + timedelta(minutes=2)
    )
    assert all(one.rstrip("。.").rsplit(" ")[-1].removeprefix("用户") in reply(again) for one in left)


def test_what_is_over_or_was_forgotten_before_is_not_noted_again(bond):
    line = say(bond, "I'm pregnant, I'm allergic to nuts, and I have MS.", now=NOW, llm=FakeLLM("Hm.")).burst[0]
    over = save(bond, "The user is pregnant.", by=writer(messages=[line])).node
    acts.end(bond=bond, node=over, writer=writer())

    say(bond, "Forget that I have MS.", now=NOW, llm=FakeLLM("Gone."))
    assert live(bond) == ["The user is allergic to nuts."]
    say(bond, "Forget that I'm allergic to nuts.", now=NOW, llm=FakeLLM("Gone."))

    assert live(bond) == []


def test_no_page_of_what_stays_shows_the_forgotten_message(bond, client):
    line = say(bond, ENGLISH[0], now=NOW, llm=FakeLLM("Hm.")).burst[0]
    event = ConceptNodeFactory(bond=bond, sources=[line], description="They said how old they are.")
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[event])
    say(bond, ENGLISH[1], now=NOW, llm=FakeLLM("Gone."))
    client.force_login(bond.user)

    fact = ConceptNode.objects.for_bond(bond).live_facts().get(description=ENGLISH[2])
    page, of_thought = (markup_of(client.get(reverse("memory", args=[bond.pk, one.pk]))) for one in (fact, thought))

    assert ("diagnosed" in page, "asked to forget something else" in page) == (False, True)
    assert ("diagnosed" in of_thought, event.description in of_thought) == (False, True)
    assert "diagnosed" not in str(timeline.list_entries(bond))


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        (["Hannah had a miscarriage.", "Hannah and I met at school."], "Forget that Hannah had a miscarriage."),
        (["我朋友晓燕流产了。", "晓燕和我是中学同学。"], "忘了晓燕流产的事吧。"),
    ],
)
def test_what_only_tells_of_the_same_person_is_not_asked_about(bond, settings, told, wish):
    settings.EMBEDDING_BACKEND = "bundled"
    for line in told:
        say(bond, line, now=NOW, llm=FakeLLM("Hm."))
    llm = FakeLLM("Gone.")

    say(bond, wish, now=NOW, llm=llm)

    assert [one.code for one in llm.calls[-1].inputs.unmet] == []
    assert [is_in_prompts(line) for line in told] == [False, True]


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        (["我家狗叫豆豆，十一岁了。", "豆豆怕打雷。"], "把豆豆忘了吧"),
        (["My dog Rex is eleven.", "Rex is afraid of thunder."], "please forget rex"),
    ],
)
def test_a_wish_by_a_name_alone_forgets_all_that_is_told_of_it(bond, told, wish):
    for line in [*told, "The kettle is on."]:
        say(bond, line, now=NOW, llm=FakeLLM("Hm."))

    say(bond, wish, now=NOW, llm=FakeLLM("Gone."))

    assert [is_in_prompts(line) for line in [*told, "The kettle is on."]] == [False, False, True]


def test_a_wish_by_the_name_of_who_talks_forgets_nothing(bond):
    say(bond, "Hi, I'm Mara and I live in Hull.", now=NOW, llm=FakeLLM("Hm."))
    say(bond, "forget mara", now=NOW, llm=FakeLLM("Hm."))

    assert not FactWrite.objects.filter(op="forgotten").exists()


@pytest.mark.parametrize(
    ("told", "wish", "left"),
    [
        ("My brother Jonas drinks.", "Forget that my brother Jonas drinks. He moved to Oslo.", "He moved to Oslo."),
        ("My brother Jonas drinks.", "Forget that Jonas drinks. How long do I boil rice?", "How long do I boil rice?"),
        ("My brother Jonas drinks.", "I bought a car! Forget that Jonas drinks.", "I bought a car!"),
        ("我哥哥酗酒。", "忘掉我哥哥酗酒的事。米饭要煮多久？", "米饭要煮多久？"),
    ],
)  # fmt: skip
def test_prompts_hold_what_else_a_wish_to_forget_says(bond, told, wish, left):
    say(bond, told, now=NOW, llm=FakeLLM("Hm."))
    line = say(bond, wish, now=NOW, llm=FakeLLM("Gone.")).burst[0]
    llm = FakeLLM("Hm.", "Yes.")
    say(bond, "Right.", now=NOW + timedelta(minutes=1), llm=llm)

    assert [one in llm.calls[-1].text for one in (told, "Jonas", "酗酒", left)] == [False, False, False, True]
    undoing.undo(write=FactWrite.objects.get(op="forgotten"), now=NOW)
    assert is_in_prompts(line.content)
    say(bond, "Sure?", now=NOW + timedelta(minutes=2), llm=llm)
    assert wish in llm.calls[-1].text


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("That thing about the miscarriage I told you. Please forget it. Timo says hi.", "The user miscarried."),
        ("我跟你说的那件伤心事，你忘了吧。Timo says hi.", "用户流产了。"),
    ],
)
def test_what_a_wish_calls_it_in_other_words_goes_too(wish, told):
    assert remainder.leave_out(wish, [told]) == "Timo says hi."
