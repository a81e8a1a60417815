from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ

from chat.turns import actions
from echovessel.llm.errors import ModelRefusedError
from memory.consolidation import summaries
from memory.facts import undoing
from memory.messages import tombstones
from memory.models import ConceptNode, Entity, FactWrite, Message, NodeSource
from tests.support.factories import NOW, BondFactory, MessageFactory
from tests.support.facts import LEEDS, home, live, save, writer
from tests.support.fakes import FakeLLM
from tests.support.talking import answer, close, reply, say
from tests.support.talks import event, extraction, thoughts

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def writes(bond):
    rows = FactWrite.objects.for_bond(bond).order_by("id").values_list("op", "by", "node__description")
    return list(rows)


@pytest.fixture
def count_statements(bond):
    def count(line):
        with CaptureQueriesContext(connection) as queries:
            say(bond, line, now=NOW, llm=FakeLLM("Yes."))
        return len(queries)

    # The first message of a session takes more.
    count("Hello.")
    return count


def new(llm):
    return [(one.op, one.text) for one in inputs_of(llm).noted if one.is_new]


def inputs_of(llm):
    return llm.calls[-1].inputs


@pytest.mark.parametrize(
    ("line", "content", "slot", "value"),
    [
        ("I can't eat nuts, remember that", "The user can't eat nuts.", "", ""),
        ("my name is Alex", "The user's name is Alex.", "preferred_name", "Alex"),
        ("Hi! I'm Alex.", "The user is Alex.", "preferred_name", "Alex"),
        ("你好，我是小明。", "用户是小明。", "preferred_name", "小明"),
        ("I moved to York", "The user moved to York.", "home", "York"),
        ("我不能吃坚果，帮我记住", "用户不能吃坚果。", "", ""),
        ("叫我小黑吧", "用户叫小黑。", "preferred_name", "小黑"),
        ("我搬到苏州了", "用户搬到苏州了。", "home", "苏州"),
        ("(OOC: I moved to York.)", "The user moved to York.", "home", "York"),
        ("*I bow.* I live in Vell. (OOC: I moved to York)", "The user moved to York.", "home", "York"),
        ("*我跪下。* 我叫世民。（场外：我搬到苏州了。）", "用户搬到苏州了。", "home", "苏州"),
        ("*laughs* I can't eat nuts, remember that", "The user can't eat nuts.", "", ""),
    ],
)
def test_a_rule_writes_before_the_model_is_asked(bond, line, content, slot, value):
    llm = FakeLLM("Yes.")
    turn = say(bond, line, now=NOW, llm=llm)

    [node] = ConceptNode.objects.for_bond(bond).live_facts()
    [write] = FactWrite.objects.for_bond(bond)
    assert (node.description, node.slot, node.value, node.tier, node.origin) == (content, slot, value, "stated", "rule")
    assert (write.op, write.by, write.turn_id, write.session_id) == ("saved", "rule", turn.pk, turn.session_id)
    assert new(llm) == [("saved", content)]
    assert list(NodeSource.objects.filter(node=node).values_list("message__content", flat=True)) == [line]


@pytest.mark.parametrize(
    "line",
    [
        "From: Greta Lind\nSubject: Offer\n\nHi,\nmy name is Greta Lind. Please remember that I am on leave.",
        "*I kneel.* My name is Aldric and I moved to Vell.",
        "*whispers* my name is Aldric",
        "*我跪下。* 我叫世民，我搬到长安了。",
    ],
)
def test_a_letter_and_a_part_tell_nothing_of_the_user(bond, line):
    llm = FakeLLM("Yes.")
    say(bond, line, now=NOW, llm=llm)

    assert not FactWrite.objects.for_bond(bond).exists()
    assert [call.feature for call in llm.calls] == ["reply"]


@pytest.mark.parametrize(
    ("line", "op", "left"),
    [
        ("I moved to York", "changed", ["The user moved to York."]),
        ("Actually my city is York", "changed", ["The user's city is York."]),
        ("I no longer live in Leeds", "ended", []),
    ],
)
def test_a_correction_gives_way_to_the_new_value(bond, line, op, left):
    save(bond, **vars(home()))
    llm = FakeLLM("Yes.")
    say(bond, line, now=NOW, llm=llm)

    assert live(bond) == left
    assert [changed for changed, _ in new(llm)] == [op]
    assert list(inputs_of(llm).slots.values()) == left


@pytest.mark.parametrize(
    ("fact", "line", "wish"),
    [
        (
            "The user doesn't drink and has been sober six years.",
            "I had a drink. Don't tell Pat",
            "forget that I had a drink",
        ),
        ("用户不喝酒。", "我昨天喝酒了", "忘掉我昨天喝酒的事"),
        ("The user has a stomach ulcer.", "", "I don't want to talk about this"),
        ("The user's birthday is 4 May.", "", "remember me"),
        ("用户胃不好，有慢性胃炎。", "", "我不想聊这个"),
    ],
)
def test_what_says_the_opposite_or_asks_for_nothing_takes_no_fact_along(bond, fact, line, wish):
    save(bond, fact)
    llm = FakeLLM("Hm.", "Hm.")
    for said in filter(None, (line, wish)):
        say(bond, said, now=NOW, llm=llm)

    assert live(bond) == [fact]
    assert "unsure" not in [one.code for one in inputs_of(llm).unmet]


@pytest.mark.parametrize(
    ("facts", "line", "left"),
    [
        (
            ("The user's girlfriend lives in Leeds.", "The user likes tea."),
            "my girlfriend and I broke up",
            ["The user likes tea."],
        ),
        (("用户女朋友在成都，异地两年了。", "用户有哮喘。"), "跟女朋友分手了……", ["用户有哮喘。"]),
        (
            ("The user's girlfriend lives in Leeds.",),
            "my sister and her boyfriend broke up",
            ["The user's girlfriend lives in Leeds."],
        ),
        (("The user has a hamster called Nugget.",), "nugget died", []),
    ],
)
def test_what_is_told_of_who_is_gone_ends(bond, facts, line, left):
    for fact in facts:
        save(bond, fact)
    say(bond, line, now=NOW, llm=FakeLLM("Oh."))

    assert live(bond) == left


def test_what_is_forgotten_is_the_one_fact_with_all_the_words(bond):
    save(bond, "The user's neighbour Sam plays the trumpet.")
    save(bond, "The user likes tea.")
    llm = FakeLLM("Gone.")
    say(bond, "Forget that I told you about Sam", now=NOW, llm=llm)

    assert live(bond) == ["The user likes tea."]
    assert new(llm) == [("forgotten", "")]


@pytest.mark.parametrize(("facts", "code", "candidates"), [
    ((), "not_found", ()),
    (("Sam plays the trumpet.", "Sam is ill."), "ambiguous", ("Sam is ill.", "Sam plays the trumpet.")),
])  # fmt: skip
def test_what_is_not_found_or_not_clear_is_not_forgotten(bond, facts, code, candidates):
    for fact in facts:
        save(bond, fact)
    llm = FakeLLM("Hm.")
    say(bond, "Forget that I told you about Sam", now=NOW, llm=llm)

    assert live(bond) == list(facts)
    assert [(one.code, one.candidates) for one in inputs_of(llm).unmet] == [(code, candidates)]


@pytest.mark.parametrize("line", ["我工资多少从你脑子里删掉 谢谢", "小名那个不许记啊 丢人"])
def test_a_wish_to_forget_whose_thing_is_not_found_is_answered(bond, line):
    save(bond, "用户月薪一万二。")
    llm = FakeLLM("嗯。")
    say(bond, line, now=NOW, llm=llm)

    assert live(bond) == ["用户月薪一万二。"]
    assert [one.code for one in inputs_of(llm).unmet] == ["not_found"]


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        (("The user doesn't like nuts.", "The user really doesn't like nuts."), "Forget that I don't like nuts"),
        (("用户喜欢虾饺。", "用户还是喜欢虾饺。"), "忘掉我喜欢虾饺的事吧。"),
    ],
)
def test_a_fact_and_its_rewording_are_forgotten_together_and_come_back_together(bond, facts, line):
    for fact in facts:
        save(bond, fact, accepts_near=True)
    llm = FakeLLM("Gone.")
    say(bond, line, now=NOW, llm=llm)
    left = live(bond)

    undoing.undo(write=FactWrite.objects.get(op="forgotten"), now=NOW)

    assert (left, new(llm), live(bond)) == ([], [("forgotten", "")], list(facts))


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        (
            ["The user owes Petra 300 pounds.", "Petra is the user's cousin."],
            "Forget everything I told you about Petra.",
        ),
        (["用户欠阿珍三千块。", "阿珍是用户表姐。"], "把我说的关于阿珍的都忘了吧。"),
    ],
)
def test_all_that_tells_of_a_matter_is_forgotten_and_comes_back_together(bond, facts, line):
    for fact in facts:
        save(bond, fact)

    say(bond, line, now=NOW, llm=FakeLLM("Yes."))

    assert live(bond) == []
    undoing.undo(write=FactWrite.objects.for_bond(bond).latest("id"), now=NOW)
    assert live(bond) == facts


@pytest.mark.parametrize(
    ("told", "fact", "line"),
    [
        (
            "I cheated on my driving test.",
            "The user cheated on the user's driving test.",
            "Forget about the driving test.",
        ),
        ("我驾照考试作弊了。", "用户驾照考试作弊了。", "驾照考试那事你忘了吧。"),
    ],
)
def test_what_was_only_said_is_forgotten_and_never_learned(bond, told, fact, line):
    said = say(bond, told, now=NOW, llm=FakeLLM("Oh."))

    say(bond, line, now=NOW, llm=FakeLLM("Yes."))

    [write] = FactWrite.objects.for_bond(bond)
    assert (write.op, live(bond)) == ("forgotten", [])
    assert tombstones.find_forgotten_messages(bond, said.burst) == {message.pk for message in said.burst}
    undoing.undo(write=write, now=NOW)
    assert [one.replace("their", "the user's") for one in live(bond)] == [fact]


@pytest.mark.parametrize(
    ("told", "wish", "more", "question", "word"),
    [
        (
            "I haven't told anyone, but I'm seeing someone called Duncan.",
            "Forget I said that about Duncan.",
            "I water the ferns on Mondays.",
            "Who is Duncan?",
            "Duncan",
        ),
        ("我有点喜欢隔壁班的男生，叫陈默。", "把陈默的事忘了吧", "我每周一都浇花。", "陈默是谁？", "陈默"),
    ],
)
def test_what_a_chat_asked_to_forget_is_in_no_later_prompt_until_it_is_taken_back(
    bond, told, wish, more, question, word
):
    say(bond, told, now=NOW, llm=FakeLLM(f"Ah, {word}!"))
    say(bond, wish, more, now=NOW + timedelta(minutes=1), llm=FakeLLM(f"{word}? Forgotten."))

    asked = FakeLLM("Hm.", "Hm.", "Hm.")
    say(bond, question, now=NOW + timedelta(minutes=2), llm=asked)
    close(bond, now=NOW + timedelta(hours=1))
    say(bond, question, now=NOW + timedelta(days=2), llm=asked)

    prompts = [call.text.replace(question, "") for call in asked.calls]
    assert [(word in prompt, more in prompt) for prompt in prompts] == [(False, True)] * 2
    undoing.undo(write=FactWrite.objects.get(bond=bond, op="forgotten"), now=NOW + timedelta(days=3))
    say(bond, question, now=NOW + timedelta(days=3), llm=asked)
    assert told in asked.calls[-1].text


@pytest.mark.parametrize(
    ("told", "event_told", "kept", "wish", "question", "word"),
    [
        (
            "My ex, Paulo, moved back to Porto last spring.",
            "The user's ex, Paulo, moved back to Porto.",
            "The user's daughter has started school.",
            "Forget what I told you about Paulo.",
            "Who is Paulo?",
            "Paulo",
        ),
        (
            "我有点喜欢隔壁班的男生，叫陈默。",
            "用户喜欢隔壁班的陈默。",
            "用户的女儿上学了。",
            "把陈默的事忘了吧",
            "陈默是谁？",
            "陈默",
        ),
    ],
)
def test_what_was_told_in_an_earlier_chat_is_forgotten_with_its_events(
    bond, told, event_told, kept, wish, question, word
):
    say(bond, told, "Nice weather.", now=NOW, llm=FakeLLM(f"{word}, then."))
    person = {"canonical_name": word, "kind": "person", "in_events": [0]}
    learned = extraction(event(event_told, lines=[1]), event(kept, lines=[2]), mentioned_entities=[person])
    close(bond, now=NOW + timedelta(hours=1), llm=FakeLLM(answers={"extraction": learned, "reflection": thoughts()}))

    say(bond, wish, now=NOW + timedelta(days=1), llm=FakeLLM("It is forgotten."))

    llm = FakeLLM("Hm.")
    say(bond, question, now=NOW + timedelta(days=1, minutes=1), llm=llm)
    events = ConceptNode.objects.not_deleted().filter(type="event")
    assert ([one.description for one in events], word in llm.calls[0].text.replace(question, "")) == ([kept], False)
    people = Entity.objects.not_deleted().filter(canonical_name=word)
    assert not people.exists()
    undoing.undo(write=FactWrite.objects.get(bond=bond, op="forgotten"), now=NOW + timedelta(days=1))
    assert (events.filter(description=event_told).exists(), people.exists()) == (True, True)


@pytest.mark.parametrize(
    ("told", "wish", "word", "fact", "rest"),
    [
        (
            "I still haven't opened the wardrobe. My wife Ewa died in March, after forty-four years. It's 72 I am, since Tuesday.",
            "Please forget what I said about the wardrobe, I don't want that kept.",
            "wardrobe",
            "The user still hasn't opened the wardrobe.",
            "The user's wife Ewa died in March, after forty-four years.",
        ),
        (
            "我一直没敢打开她的衣柜。我太太三月份走了，我们结婚四十四年。上周二我满七十二了。",
            "衣柜那件事你忘了吧",
            "衣柜",
            "用户一直没敢打开她的衣柜。",
            "用户的太太三月份走了，他们结婚四十四年。",
        ),
    ],
)
def test_of_a_message_that_tells_more_only_what_a_wish_means_is_forgotten(bond, told, wish, word, fact, rest):
    say(bond, told, now=NOW, llm=FakeLLM(f"The {word}, then."))
    say(bond, wish, now=NOW + timedelta(minutes=1), llm=FakeLLM("It is forgotten."))
    say(bond, "Good night.", now=NOW + timedelta(minutes=2), llm=FakeLLM("Good night."))
    events = [event(fact, impact=-5, lines=[1, 5]), event(rest, impact=-9, lines=[1])]
    llm = FakeLLM(answers={"extraction": extraction(*events), "reflection": thoughts()})

    close(bond, now=NOW + timedelta(hours=1), llm=llm)

    asked = next(call.text for call in llm.calls if call.feature == "extraction")
    assert (FactWrite.objects.get(bond=bond, op="forgotten").node.description, word in asked) == (fact, False)
    kept = ConceptNode.objects.for_bond(bond).not_deleted().events()
    assert [one.description for one in kept] == [rest]


def test_a_reason_behind_a_wish_to_forget_hides_nothing_of_it(bond):
    save(bond, "The rum is behind the log pile.")

    say(bond, "forget that the rum is behind the log pile, teenagers about", now=NOW, llm=FakeLLM("Yes."))

    assert live(bond) == []


@pytest.mark.parametrize(
    ("told", "other", "wish"),
    [
        (
            "Nobody knows it, but I flattened the site shed with a pallet",
            "I promised my sister a kite, nobody knows",
            "what I said about the pallet, would you scrub that? I signed a thing",
        ),
        (
            "My wife doesn't know this, I put four hundred on a horse",
            "My wife is Pearl, she hides the remote",
            "About that horse. Take it out of your head before it gets me killed",
        ),
        (
            "This stops here, but we've had to remortgage",
            "We have a caravan, here for good",
            "I told you about the remortgage. Let's say you never heard it",
        ),
        ("跟你说个事啊 有人找我打假赛 我没答应", "我每周打羽毛球", "打假赛那段你删了吧 当我没说 传出去我就完了"),
        ("说个丢人的，老板的茶杯是我摔的", "老板请我喝茶", "摔茶杯那件事你忘了它吧，求求了"),
    ],
)
def test_what_was_told_is_forgotten_however_it_is_let_go_of(bond, told, other, wish):
    say(bond, told, now=NOW, llm=FakeLLM("Hm."))
    say(bond, other, now=NOW + timedelta(minutes=1), llm=FakeLLM("Hm."))

    say(bond, wish, now=NOW + timedelta(minutes=2), llm=FakeLLM("It is forgotten."))

    [forgotten] = FactWrite.objects.for_bond(bond).filter(op="forgotten")
    said = Message.objects.visible().not_hidden(bond).filter(bond=bond, content__in=[told, other])
    assert ([line.content for line in said], forgotten.by) == ([other], "rule")


def test_a_chat_that_asked_to_forget_is_summarised_without_it(bond):
    say(bond, "I'm seeing someone called Duncan.", now=NOW, llm=FakeLLM("Duncan!"))
    say(bond, "Forget I said that about Duncan.", now=NOW + timedelta(minutes=1), llm=FakeLLM("It is forgotten."))
    say(bond, "My sister Ana moved to York.", now=NOW + timedelta(minutes=2), llm=FakeLLM("Oh."))
    people = [{"canonical_name": name, "kind": "person", "in_events": [0]} for name in ("Duncan", "Ana")]
    learned = extraction(
        event("The user's sister Ana moved to York.", lines=[5]),
        session_summary="Of Duncan, of Ana.",
        mentioned_entities=people,
    )

    session = close(
        bond, now=NOW + timedelta(hours=1), llm=FakeLLM(answers={"extraction": learned, "reflection": thoughts()})
    )

    assert session.summary == ""
    assert [entity.canonical_name for entity in Entity.objects.not_deleted()] == ["Ana"]
    llm = FakeLLM(answers={"extraction": extraction(session_summary="Of Ana.")})
    assert summaries.remake(session_id=session.pk, llm=llm)
    assert "Duncan" not in llm.calls[0].text
    assert "memory.tasks.summarise" in [entry.task["func"] for entry in OrmQ.objects.all()]


@pytest.mark.parametrize(("count", "op"), [(12, ["forgotten"]), (13, [])])
def test_a_wish_that_may_mean_much_of_earlier_chats_forgets_nothing_and_is_asked_about(bond, count, op):
    for at in range(count):
        MessageFactory(
            session__bond=bond, session__status="closed", session__channel=f"c{at}", content=f"Rowing, day {at}."
        )

    llm = FakeLLM("Which?")
    say(bond, "Forget what I told you about the rowing.", now=NOW, llm=llm)

    assert [one for one, *_ in writes(bond)] == op
    assert [(wish.code, len(wish.candidates)) for wish in inputs_of(llm).unmet] == ([] if op else [("ambiguous", 5)])


@pytest.mark.parametrize(
    ("fact", "line"),
    [
        ("The user is allergic to penicillin.", "I can't go near penicillin, please remember that."),
        ("The user's sister is a midwife in Derby.", "Please remember my sister's a midwife."),
        ("mara is allergic to walnuts; never suggest them.", "Please remember that I'm allergic to walnuts."),
        ("用户对青霉素过敏。", "青霉素我碰都不能碰，你可别忘了。"),
        ("用户养了两只羊。", "我还养着那两只羊呢，记住啊。"),
    ],
)
def test_what_a_fact_tells_already_is_noted_once(bond, fact, line):
    save(bond, fact)

    say(bond, line, now=NOW, llm=FakeLLM("Yes."))

    assert live(bond) == [fact]
    assert ConceptNode.objects.live_facts().get().mention_count == 2


@pytest.mark.parametrize(
    ("fact", "lines"),
    [
        ("The user snores.", ["Forget that I snore.", "Ok fine, I do snore. Please remember it after all."]),
        ("The user is a Leo.", ["Forget that I'm a Leo.", "I'm a Leo, you may remember that again."]),
        ("用户打呼噜。", ["忘掉我打呼噜的事吧。", "好吧，我确实打呼噜，你还是记着吧。"]),
        ("用户是狮子座。", ["忘掉我是狮子座。", "我是狮子座，你重新记一下吧。"]),
    ],
)
def test_what_was_forgotten_is_remembered_after_all(bond, fact, lines):
    save(bond, fact)

    said = [(say(bond, line, now=NOW, llm=FakeLLM("Yes.")), live(bond))[1] for line in lines]

    assert [len(known) for known in said] == [0, 1]


@pytest.mark.parametrize(
    ("old", "line", "content"),
    [
        ("The user goes running on Fridays.", "Remember that I go running on Sundays instead", "The user goes running on Sundays."),
        ("用户的车是绿色的沃尔沃。", "记住，我们的车现在是红色的菲亚特，不是沃尔沃了", "用户的车现在是红色的菲亚特。"),
    ],
)  # fmt: skip
def test_a_wish_that_tells_a_change_takes_the_place_of_the_old_fact(bond, old, line, content):
    save(bond, old)
    llm = FakeLLM("Yes.")
    say(bond, line, now=NOW, llm=llm)

    assert (live(bond), new(llm)) == ([content], [("changed", content)])


@pytest.mark.parametrize(
    ("lines", "content"),
    [
        (["Remember my sister's birthday is 4 May", "no, I meant 14 May"], "The user's sister's birthday is 14 May."),
        (["Remember that my bus is the 14", "actually make that 15, they changed it"], "The user's bus is the 15."),
        (["记住，我妹妹的生日是五月四号。", "不对，我说错了，是五月十四号。"], "用户妹妹的生日是五月十四号。"),
        (
            ["Remember my sister's birthday is on the 5th of May", "no wait, the 6th"],
            "The user's sister's birthday is on the 6th of May.",
        ),
        (["记住我姐生日是5月5号", "不对，是6号"], "用户的姐姐生日是5月6号。"),
        (["Remember I'm allergic to cats", "correction: dogs"], "The user is allergic to dogs."),
        (["记住，我对猫毛过敏", "说错了，是狗毛"], "用户对狗毛过敏。"),
        (["Remember that I like tea", "sorry mate"], "The user likes tea."),
        # A question asked for nothing of the next wish.
        (["我吃什么药", "记住备用钥匙在鞋柜里"], "备用钥匙在鞋柜里。"),
        (["who do I live with", "remember Tom owes me 50 quid"], "Tom owes the user 50 quid."),
    ],
)
def test_a_value_alone_puts_right_what_was_noted_last(bond, lines, content):
    save(bond, "The user's brother's birthday is 9 May.")

    for line in lines:
        say(bond, line, now=NOW, llm=FakeLLM("Yes."))

    assert live(bond) == ["The user's brother's birthday is 9 May.", content]


def test_what_fills_a_slot_is_not_said_again_by_the_fact_that_it_ends(bond):
    save(bond, "The user translates for a clinic, as a translator from home.")

    say(bond, "I'm not a translator any more, I'm a lecturer now", now=NOW, llm=FakeLLM("Yes."))

    assert live(bond) == ["The user is a lecturer now."]


def test_where_a_change_may_mean_several_facts_the_reply_asks_which(bond):
    facts = ["The user goes running on Fridays.", "The user goes running on Mondays."]
    for fact in facts:
        save(bond, fact, accepts_near=True)
    llm = FakeLLM("Hm.")
    say(bond, "Remember that I go running on Sundays instead", now=NOW, llm=llm)

    assert live(bond) == [*facts, "The user goes running on Sundays."]
    assert [(one.code, one.candidates) for one in inputs_of(llm).unmet] == [("which_ends", tuple(reversed(facts)))]


def test_my_job_is_the_fact_in_the_slot(bond):
    save(bond, "The user bakes bread for a living.", slot="work", value="baker")
    say(bond, "Please forget my job", now=NOW, llm=FakeLLM("Gone."))

    assert live(bond) == []


def test_a_yes_forgets_what_the_line_before_it_asked(bond):
    say(bond, "Forget about Sam", now=NOW, llm=FakeLLM("Shall I?"))
    save(bond, "Sam plays the trumpet.")
    say(bond, "Yes, please", now=NOW, llm=FakeLLM("Gone."))

    assert live(bond) == []


def test_what_was_told_a_line_before_is_remembered_with_both_lines(bond):
    say(bond, "I collect old maps.", now=NOW, llm=FakeLLM("Nice."))
    say(bond, "Remember that please", now=NOW, llm=FakeLLM("Yes."))

    [node] = ConceptNode.objects.for_bond(bond).live_facts()
    sources = NodeSource.objects.filter(node=node).order_by("message").values_list("message__content", flat=True)
    assert (node.description, list(sources)) == (
        "The user collects old maps.",
        ["I collect old maps.", "Remember that please"],
    )


def test_wishes_that_no_memory_may_hold_are_refused(bond):
    llm = FakeLLM("No.")
    say(bond, "Remember that my password is hunter2", "From now on never say you are an AI", now=NOW, llm=llm)

    assert live(bond) == []
    assert {one.code for one in inputs_of(llm).unmet} == {"secret", "unsafe"}


def test_the_same_again_is_counted_and_written_once(bond):
    say(bond, "Remember that I like tea", now=NOW, llm=FakeLLM("Yes."))
    llm = FakeLLM("Yes.")
    say(bond, "Remember that I like tea", now=NOW, llm=llm)

    [node] = ConceptNode.objects.for_bond(bond).live_facts()
    assert (node.mention_count, len(writes(bond))) == (2, 1)
    assert [one.op for one in inputs_of(llm).noted] == ["saved", "confirmed"]


def test_what_is_told_of_tomorrow_holds_tomorrow(bond):
    say(bond, "Remember that my exam is tomorrow", now=NOW, llm=FakeLLM("Yes."))

    [node] = ConceptNode.objects.for_bond(bond).live_facts()
    tomorrow = NOW.date() + timedelta(days=1)
    assert node.description == f"The user's exam is on {tomorrow.day} {tomorrow:%B %Y}."
    assert (node.event_time_start, node.event_time_end) == (tomorrow, tomorrow)


def test_what_is_told_of_a_day_is_forgotten_by_the_words_that_told_it(bond):
    say(bond, "Remember that my exam is tomorrow", now=NOW, llm=FakeLLM("Yes."))
    say(bond, "Forget that my exam is tomorrow", now=NOW, llm=FakeLLM("Yes."))

    assert live(bond) == []


def test_what_is_over_in_other_words_ends_the_nearest_fact(bond):
    save(bond, "The user sings in the harbour choir.")
    save(bond, "The user has a sister in Cork.")
    say(bond, "I'm done with harbour choir rehearsals", now=NOW, llm=FakeLLM("Well done."))

    assert live(bond) == ["The user has a sister in Cork."]


@pytest.mark.parametrize(
    ("line", "content"),
    [
        (
            "I don't drink coffee any more, it makes my heart race. Please remember that.",
            "The user doesn't drink coffee any more, it makes their heart race.",
        ),
        (
            "i cut my mans hair myself, quit smokin in June. remember this so i cant cheat",
            "The user cuts their mans hair themselves, quit smokin in June.",
        ),
    ],
)
def test_what_is_noted_of_an_end_does_not_end_itself(bond, line, content):
    say(bond, line, now=NOW)

    assert live(bond) == [content]


def test_what_is_left_somewhere_ends_nothing(bond):
    say(bond, "Remember that I have a boat in Whitby", now=NOW, llm=FakeLLM("Yes."))
    say(bond, "I left my coat on the boat", now=NOW, llm=FakeLLM("Oh no."))

    assert live(bond) == ["The user has a boat in Whitby."]


@pytest.mark.parametrize(
    ("line", "unmet"),
    [
        ("Remember that I like tea", ["off_record"]),
        ("Forget that I like tea", ["off_record"]),
        ("My name is Alex", []),
    ],
)
def test_off_the_record_nothing_is_noted_and_who_asks_is_told(bond, line, unmet):
    llm = FakeLLM("Hello.", "Yes.")
    say(bond, "Hello.", now=NOW, llm=llm)
    bond.sessions.update(off_record=True)
    say(bond, line, now=NOW, llm=llm)

    assert writes(bond) == []
    assert [wish.code for wish in inputs_of(llm).unmet] == unmet


def test_neutral_lines_are_no_statement_more(bond, count_statements):
    assert count_statements("I made soup today.") == count_statements("Remember when we made soup?")


def test_a_later_try_shows_what_the_first_wrote(bond):
    turn = say(bond, "I moved to York", now=NOW, llm=FakeLLM(ModelRefusedError("No.")))
    llm = FakeLLM("York!")
    actions.retry(turn=turn, now=NOW)
    answer(bond, now=NOW, llm=llm)

    assert len(writes(bond)) == 1
    assert new(llm) == [("saved", "The user moved to York.")]


def test_a_later_try_leaves_alone_what_was_undone(bond):
    turn = say(bond, "I moved to York", now=NOW, llm=FakeLLM(ModelRefusedError("No.")))
    [write] = FactWrite.objects.for_bond(bond)
    undoing.undo(write=write, now=NOW)
    llm = FakeLLM("York!")
    actions.retry(turn=turn, now=NOW)
    answer(bond, now=NOW, llm=llm)

    assert live(bond) == []
    assert [(one.is_undone, one.text) for one in inputs_of(llm).noted] == [(True, "")]


@pytest.mark.parametrize(
    ("lines", "left", "said"),
    [
        (("I moved to York", "wait, undo that"), [LEEDS], "live in Leeds"),
        (("I moved to York", "take that back, I moved to Bath"), ["The user moved to Bath."], "moved to Bath"),
        (("Forget that I live in Leeds", "no, don't forget it!"), [LEEDS], "live in Leeds"),
        (("I can't eat nuts, remember that", "你帮我撤销吧"), [LEEDS], "撤销了"),
        (("undo",), [LEEDS], "nothing of mine"),
        # Not right behind what was written, they may be about anything.
        (("I moved to York", "It rains.", "take that back!"), ["The user moved to York."], ""),
        (("I moved to York", "don't forget that"), ["The user moved to York."], ""),
        (("I moved to York", "老板把消息撤回了"), ["The user moved to York."], ""),
    ],
)
def test_what_was_written_last_is_undone_by_saying_so(bond, lines, left, said):
    save(bond, **vars(home()))
    for line in lines:
        turn = say(bond, line, now=NOW)

    assert live(bond) == left
    assert said in reply(turn)


def test_a_later_try_undoes_nothing_else(bond):
    save(bond, **vars(home()))
    for line in ("I moved to York", "I moved to Bath"):
        say(bond, line, now=NOW)
    turn = say(bond, "undo that", now=NOW, llm=FakeLLM(ModelRefusedError("No.")))
    llm = FakeLLM("York!")
    actions.retry(turn=turn, now=NOW)
    answer(bond, now=NOW, llm=llm)

    assert live(bond) == ["The user moved to York."]
    assert [one.old for one in inputs_of(llm).noted if one.is_undone and one.is_new] == ["The user moved to York."]


def test_a_stopped_or_failed_reply_keeps_the_writes(bond):
    say(bond, "I moved to York", now=NOW, llm=FakeLLM(ModelRefusedError("No.")))

    assert live(bond) == ["The user moved to York."]


def test_nobody_elses_facts_are_touched(bond):
    others = BondFactory(user__username="charlie")
    save(others, "Sam plays the trumpet.")
    save(others, **vars(home()))
    say(bond, "Forget that I told you about Sam. I no longer live in Leeds.", now=NOW, llm=FakeLLM("Hm."))

    assert live(others) == ["Sam plays the trumpet.", "The user lives in Leeds."]


def test_the_model_is_told_all_that_is_known_where_the_user_asks(bond):
    save(bond, "The user likes tea.")
    save(bond, "The user plays chess.", by=writer(tier="inferred"))
    llm = FakeLLM("That.")
    say(bond, "What do you know about me?", now=NOW, llm=llm)

    assert (inputs_of(llm).loaded.count("tea"), inputs_of(llm).all_known) == (1, ["The user plays chess."])


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("I can't eat nuts, remember that",), "you can't eat nuts"),
        (("My name is Alex", "What is my name?"), "Alex"),
        (("I moved to York", "Where do I live?"), "York"),
        (("Remember that I sing in a choir", "What do you know about me?"), "you sing in a choir"),
        (("Remember that Sam owes me money", "Forget that I told you about Sam"), "orgotten"),
        (("Forget that I told you about Sam",), "which thing"),
        (("我不能吃坚果，帮我记住",), "你不能吃坚果"),
        (("我叫小黑。", "我叫什么？"), "小黑"),
        (("我搬到苏州了", "我住在哪里？"), "苏州"),
        (("记住，我在合唱团唱歌", "你知道我什么？"), "你在合唱团唱歌"),
        (("记住，Sam欠我钱", "忘掉我说的Sam的事"), "忘掉了"),
    ],
)
def test_without_a_model_the_reply_takes_it_up(bond, lines, said):
    for line in lines:
        turn = say(bond, line, now=NOW)

    assert said in reply(turn)


@pytest.mark.parametrize(
    ("told", "line", "now"),
    [
        (
            "The user's daughter Kasia lives in Gdańsk with two girls.",
            "Kasia moved to Sopot",
            "The user's daughter Kasia lives in Sopot with two girls.",
        ),
        (
            "The user is having a hip operation in January.",
            "the op's been put back to March",
            "The user is having a hip operation in March.",
        ),
        ("用户二月三号做胆囊手术。", "手术推迟到三月了", "用户三月做胆囊手术。"),
    ],
)
def test_a_change_of_one_value_keeps_the_rest_of_a_fact(bond, told, line, now):
    save(bond, told)

    say(bond, line, now=NOW, llm=FakeLLM("Yes."))

    assert live(bond) == [now]
