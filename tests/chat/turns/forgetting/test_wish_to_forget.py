from datetime import timedelta

import pytest

from echovessel.llm import provider
from echovessel.llm.offline.text import third_person
from memory.models import ConceptNode, FactWrite, Message, Session
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory
from tests.support.facts import live, save, writer
from tests.support.fakes import FakeLLM
from tests.support.talking import close, reply, say
from tests.support.talks import closed_talk, consolidate, extraction, model

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def forgotten(bond):
    """What was forgotten, in the words of a fact."""
    rows = FactWrite.objects.for_bond(bond).filter(op="forgotten").order_by("id")
    return list(rows.values_list("node__description", flat=True))


def unmet(llm):
    return [(one.code, one.candidates) for one in llm.calls[-1].inputs.unmet]


def read_prompted(bond):
    """The user's messages that prompts may hold."""
    rows = Message.objects.for_bond(bond).visible().not_hidden(bond).filter(role=Message.Role.USER)
    return list(rows.order_by("id").values_list("content", flat=True))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("My ex Tom would hate her haha. Forget I mentioned my ex", "The user's ex Tom would hate her."),
        ("My sister is pregnant, forget I said that", "The user's sister is pregnant."),
        ("I pee in the shower. Delete that", "The user pees in the shower."),
        ("I'm fifteen btw, don't keep that", "The user is fifteen."),
        ("Please don't remember this. I miscarried in spring.", "The user miscarried in spring."),
        ("我欠花呗四千 这个别记", "用户欠花呗四千。"),
        ("哈哈。说个事，你别往心里记啊，我上个月跟陈屹分手了", "用户上个月跟陈屹分手了。"),
        ("还有个事，这话你别记啊，我欠花呗一万二", "用户欠花呗一万二。"),
        ("我爸在坐牢。上面那句删了吧", "用户的爸爸在坐牢。"),
    ],
)
def test_what_the_message_of_a_wish_tells_is_forgotten_and_becomes_no_event(bond, line, told):
    say(bond, "I moved to a house by the sea, and the roof leaks.", now=NOW)
    say(bond, line, now=NOW + timedelta(minutes=1))

    close(bond, now=NOW + timedelta(hours=1), llm=provider.get_fallback_llm())

    assert forgotten(bond) == [told]
    assert read_prompted(bond) == ["I moved to a house by the sea, and the roof leaks."]
    events = ConceptNode.objects.for_bond(bond).not_deleted().events()
    assert [one.description for one in events] == ["I moved to a house by the sea, and the roof leaks."]


@pytest.mark.parametrize(
    ("told", "wish", "content"),
    [
        ("I weigh 131 kilos.", "Delete that number, please.", "The user weighs 131 kilos."),
        ("I weigh 131 kilos.", "Don't keep that", "The user weighs 131 kilos."),
        ("I weigh 131 kilos.", "ah never mind, don't hold onto that", "The user weighs 131 kilos."),
        ("I weigh 131 kilos.", "can you un-know that", "The user weighs 131 kilos."),
        ("我在追我们班主任。", "别记这个", "用户在追用户班主任。"),
        ("我在追我们班主任。", "刚才那句删了", "用户在追用户班主任。"),
        ("我在追我们班主任。", "唉，这事你别记，忘了", "用户在追用户班主任。"),
        ("我在追我们班主任。", "哎呀算了，刚才那句你别往心里记", "用户在追用户班主任。"),
    ],
)
def test_a_wish_that_only_points_forgets_what_was_told_last(bond, told, wish, content):
    say(bond, "I sing in a choir on Mondays.", now=NOW, llm=FakeLLM("Nice."))
    say(bond, told, now=NOW, llm=FakeLLM("Hm."))
    Message.objects.for_bond(bond).filter(content=told).update(kept_at=NOW)
    llm = FakeLLM("Gone.")
    say(bond, wish, now=NOW, llm=llm)

    assert (forgotten(bond), told in read_prompted(bond), told in llm.calls[-1].text) == ([content], False, False)


@pytest.mark.parametrize(
    ("wish", "asked"),
    [
        ("Vergiss bitte, dass meine Tante pleite ist.", [("not_found", ())]),
        ("今の話、忘れてください。", [("not_found", ())]),
        ("Vergiss nicht den Arzt am Montag.", []),
        ("Ich habe heute meinen Schlüssel vergessen.", []),
    ],
)
def test_a_wish_of_a_language_without_rules_is_answered_as_one_that_was_not_met(bond, wish, asked):
    llm = FakeLLM("Ja.")
    say(bond, "Meine Tante ist pleite.", now=NOW)

    say(bond, wish, now=NOW + timedelta(minutes=1), llm=llm)

    assert (forgotten(bond), unmet(llm)) == ([], asked)


@pytest.mark.parametrize(
    ("told", "later", "other", "wish"),
    [
        (
            "In 2022 I took 200 pounds from the till at the hotel.",
            "Eat well, and stop thinking of the till and those pounds.",
            "I'd frame that, over the till.",
            "Forget what I told you about the till and the pounds.",
        ),
        (
            "2022年我抄过同事的一个方案，拿了奖。",
            "吃点好的，别再想抄方案、拿奖的事了。",
            "你们公司方案多吗？",
            "我跟你说的抄方案拿奖那件事，你忘了吧。",
        ),
    ],
)
def test_what_the_companion_said_of_it_later_is_in_no_prompt_either(bond, told, later, other, wish):
    for at, (said, answer) in enumerate(
        [(told, "Hm."), ("I'm hungry.", later), ("Such a long day.", other), (wish, f"Gone. {later}")]
    ):
        say(bond, said, now=NOW + timedelta(minutes=at), llm=FakeLLM(answer))

    llm = FakeLLM("Night.")
    say(bond, "Good night.", now=NOW + timedelta(minutes=9), llm=llm)

    assert [line in llm.calls[-1].text for line in (told, later, other)] == [False, False, True]


def test_a_wish_behind_a_comma_means_what_stands_before_it(bond):
    say(bond, "我在合唱团唱歌。", now=NOW, llm=FakeLLM("嗯。"))
    say(bond, "我邻居老李借了我两万没还，这个你别往心里记", now=NOW, llm=FakeLLM("好。"))

    assert read_prompted(bond) == ["我在合唱团唱歌。"]


def test_an_event_of_a_whole_talk_goes_without_what_else_was_said(bond):
    lines = ["发行星尘互动想签我，给8万预付。", "美术是小唐，她在成都。", "12月11号交demo。", "我在重庆住了五年。"]
    for line in lines:
        say(bond, line, now=NOW, llm=FakeLLM("嗯。"))
    event = ConceptNodeFactory(bond=bond, description="用户的发行星尘互动给8万预付，美术小唐在成都，12月11号交demo。")
    event.source_messages.set(Message.objects.filter(content__in=lines), through_defaults={"bond": bond})

    say(bond, "发行星尘互动那个事你忘了吧", now=NOW, llm=FakeLLM("好。"))

    event.refresh_from_db()
    assert (event.deleted_at is not None, read_prompted(bond)) == (True, lines[1:])


@pytest.mark.parametrize(
    ("told", "wish", "content"),
    [
        ("I weigh 131 kilos.", "Forget that.", "The user weighs 131 kilos."),
        ("我一百三十一公斤了。", "你忘了吧", "用户一百三十一公斤了。"),
    ],
)
def test_where_a_wish_may_be_an_idiom_the_question_names_what_it_may_mean(bond, told, wish, content):
    llm = FakeLLM("Hm.", f"Do you mean this: {told}", "Gone.")
    say(bond, told, now=NOW, llm=llm)
    say(bond, wish, now=NOW, llm=llm)

    assert (forgotten(bond), unmet(llm)) == ([], [("unsure", (content,))])
    assert told in llm.calls[-1].text

    say(bond, "Yes, please" if told.isascii() else "是的", now=NOW, llm=llm)

    assert forgotten(bond) == [content]


@pytest.mark.parametrize(
    ("told", "wish", "denials"),
    [
        (["I weigh 131 kilos.", "My cousin Vera is in rehab."], "Forget that.", ["No", "no, not that"]),
        (["我一百三十一公斤了。", "我表妹又进戒毒所了。"], "你忘了吧", ["不是", "不是这个"]),
    ],
)
def test_what_was_denied_is_not_asked_about_again(bond, told, wish, denials):
    llm = FakeLLM("Hm.", "Hm.", *[f"Shall I forget 忘 that: {one}?" for one in reversed(told)], "Which one?", "Well.")
    for line in told:
        say(bond, line, now=NOW, llm=llm)
    asked = []
    for line in (wish, *denials, "no"):
        say(bond, line, now=NOW, llm=llm)
        asked.append(unmet(llm))

    contents = [(third_person.turn(one),) for one in reversed(told)]
    assert asked == [*([("unsure", one)] for one in contents), [("not_found", ())], []]
    assert forgotten(bond) == []


def test_a_yes_forgets_nothing_that_was_not_asked_about(bond):
    llm = FakeLLM("Hm.", "Shall we talk of the sea?", "Good.")
    for line in ("I weigh 131 kilos.", "Forget that.", "Yes, please"):
        say(bond, line, now=NOW, llm=llm)

    assert forgotten(bond) == []


@pytest.mark.parametrize("answer", ["ok thanks", "no"])
def test_what_is_said_after_a_wish_that_was_met_forgets_and_asks_nothing_more(bond, answer):
    llm = FakeLLM("Nice.", "Hm.", "It is forgotten. Anything else?", "You're welcome.")
    for line in ("I sing in a choir on Mondays.", "I weigh 131 kilos.", "Delete that, please.", answer):
        say(bond, line, now=NOW, llm=llm)

    assert (forgotten(bond), unmet(llm)) == (["The user weighs 131 kilos."], [])


@pytest.mark.parametrize(
    "line",
    [
        "Do you ever delete that?",
        "She asked me to delete that.",
        "这句删掉好不好：感谢公司多年培养",
        "你会把我说的话删掉吗",
        "她说就当没听过",
        "Ah forget it, let's talk about films.",
    ],
)
def test_what_only_sounds_like_such_a_wish_forgets_nothing(bond, line):
    llm = FakeLLM("Hm.", "Hm.")
    say(bond, "I weigh 131 kilos.", now=NOW, llm=llm)
    say(bond, line, now=NOW, llm=llm)

    assert forgotten(bond) == []


def test_what_was_told_in_an_earlier_chat_is_not_what_a_wish_points_to(bond):
    say(bond, "I weigh 131 kilos.", now=NOW)
    close(bond, now=NOW + timedelta(hours=1), llm=provider.get_fallback_llm())
    llm = FakeLLM("Which?")
    say(bond, "Delete that, please.", now=NOW + timedelta(days=1), llm=llm)

    assert (forgotten(bond), unmet(llm)) == ([], [("not_found", ())])


def test_without_a_model_the_question_is_answered_by_a_yes(bond):
    say(bond, "I weigh 131 kilos.", now=NOW)
    asked = say(bond, "Forget that.", now=NOW)
    done = say(bond, "yes", now=NOW)

    assert "you weigh 131 kilos" in reply(asked)
    assert "orgotten" in reply(done)
    assert forgotten(bond) == ["The user weighs 131 kilos."]


def test_a_yes_forgets_what_was_asked_about_and_not_the_wish(bond, settings):
    settings.EMBEDDING_BACKEND = "bundled"
    say(bond, "我割过双眼皮 割坏了 一大一小", now=NOW)
    say(bond, "下个月去上海修复", now=NOW)
    close(bond, now=NOW + timedelta(hours=1), llm=provider.get_fallback_llm())

    asked = say(bond, "眼睛的事别记了呗 我敏感", now=NOW + timedelta(days=1))
    say(bond, "对。", now=NOW + timedelta(days=1))

    assert "双眼皮" in reply(asked)
    assert (len(forgotten(bond)), read_prompted(bond)) == (1, ["下个月去上海修复"])


@pytest.mark.parametrize(
    "said",
    [
        "别跟我妈说啊😂",
        "我还不想让我爸知道",
        "别问为什么",
        "手机换成旧的了，我记一下怕忘",
        "我妈劝我别看小说，我没听",
        "你说话别老用那些洋词儿我听不懂 叫我王姨就行",
        "你跟俺说话直接点 别文绉绉的",
        "别再发那么长了，看着累",
    ],
)
def test_who_asks_to_keep_a_secret_or_not_to_ask_or_fears_to_forget_is_not_asked_what_to_forget(bond, settings, said):
    settings.EMBEDDING_BACKEND = "bundled"
    say(bond, "昨天晚自习被老班抓到看小说 手机没收了 现在用的我妈旧手机", now=NOW)

    assert "忘" not in reply(say(bond, said, now=NOW))


@pytest.mark.parametrize("wish", ["From now on please don't keep my recipe", "以后别记我的菜谱"])
def test_a_wish_to_forget_from_now_on_is_no_wish_of_manner(bond, wish):
    save(bond, "The user's recipe has nutmeg." if wish.isascii() else "用户的菜谱里放了肉豆蔻。")
    say(bond, wish, now=NOW, llm=FakeLLM("Gone."))

    assert live(bond) == []


@pytest.mark.parametrize(
    "wish", ["Um. The peach incident: erase.", "um, can you un-know the peach incident", "桃子那件事你务必忘了"]
)
def test_a_message_that_only_asks_to_forget_becomes_no_event(bond, wish):
    say(bond, wish, now=NOW)
    say(bond, "I moved to a house by the sea, and the roof leaks.", now=NOW + timedelta(minutes=1))

    close(bond, now=NOW + timedelta(hours=1), llm=provider.get_fallback_llm())

    events = ConceptNode.objects.for_bond(bond).not_deleted().events()
    assert [one.description for one in events] == ["I moved to a house by the sea, and the roof leaks."]


def test_what_the_companion_says_to_a_wish_is_no_fact_of_the_user(bond):
    remember = (
        "Jay and I ran 10k in the rain.",
        "persona: Hm.",
        "Forget my physio.",
        "persona: Ben is out of my head.",
    )
    told = {"facet": "about_you", "content": "The user's physio is Ben.", "source_lines": [3, 4]}

    consolidate(closed_talk(*remember, bond=bond), model(extraction(facts=[told])))

    assert live(bond) == []


@pytest.mark.parametrize(
    ("told", "wish", "yes"),
    [
        (
            "I hid four thousand pounds in the freezer.",
            "The freezer money, I'd rather you had no record of it at all.",
            "Yes.",
        ),
        ("我在冰箱里藏了四千块钱。", "冰箱那笔钱，最好从你那边消失。", "对。"),
    ],
)
def test_a_wish_in_words_that_no_rule_reads_is_asked_about_and_forgotten_after_a_yes(bond, settings, told, wish, yes):
    settings.EMBEDDING_BACKEND = "bundled"
    say(bond, told, now=NOW)
    say(bond, "I moved to a house by the sea, and the roof leaks.", now=NOW)
    close(bond, now=NOW + timedelta(hours=1), llm=provider.get_fallback_llm())

    asked = say(bond, wish, now=NOW + timedelta(days=1))

    assert forgotten(bond) == []
    assert ("freezer" if told.isascii() else "冰箱") in reply(asked)
    say(bond, yes, now=NOW + timedelta(days=1))
    assert len(forgotten(bond)) == 1
    assert read_prompted(bond) == ["I moved to a house by the sea, and the roof leaks."]
    events = ConceptNode.objects.for_bond(bond).not_deleted().events()
    assert [one.description for one in events] == ["I moved to a house by the sea, and the roof leaks."]


@pytest.mark.parametrize(
    "line",
    [
        "I took the peas out of the freezer for tea.",
        "My mum says I should let the garden go.",
        "冰箱里的豆子我拿出来了。",
    ],
)
def test_what_is_no_wish_by_its_vector_is_not_asked_about(bond, settings, line):
    settings.EMBEDDING_BACKEND = "bundled"
    llm = FakeLLM("Hm.", "Hm.")
    say(bond, "I hid four thousand pounds in the freezer.", now=NOW, llm=llm)
    say(bond, line, now=NOW, llm=llm)

    assert (forgotten(bond), unmet(llm)) == ([], [])


def test_a_fact_of_whom_a_wish_names_stays_where_messages_tell_what_it_means(bond):
    say(bond, "Mrs Tate is as blind as a bat.", now=NOW)
    save(bond, "The user lives next door to Mrs Tate.")

    say(bond, "Forget what I said about Mrs Tate being blind.", now=NOW + timedelta(minutes=1))

    assert forgotten(bond) == ["Mrs Tate is as blind as a bat."]
    assert live(bond) == ["The user lives next door to Mrs Tate."]


def test_who_asks_what_they_hid_asks_to_forget_nothing(bond, settings):
    settings.EMBEDDING_BACKEND = "bundled"
    llm = FakeLLM(*["Hm."] * 5)
    for line in ("Tess found the pan. she laughed her head off", "what did i hide from Tess"):
        say(bond, line, now=NOW, llm=llm)
    for line in ("我小时候我爸喝了酒就砸东西 这个我谁都没讲过", "你记得我小时候的事吗", "你们这机器能听懂这个不"):
        say(bond, line, now=NOW, llm=llm)

    assert unmet(llm) == []


@pytest.mark.parametrize(
    ("takes_tools", "asked"), [(False, [("unsure", ("The user blocked Gareth tonight.",))]), (True, [])]
)
def test_a_wish_in_words_that_only_a_model_was_trusted_with_is_asked_about(bond, settings, takes_tools, asked):
    settings.EMBEDDING_BACKEND = "bundled"
    llm = FakeLLM("Hm.", "Hm.", takes_tools=takes_tools)
    say(bond, "I blocked Gareth tonight.", now=NOW, llm=llm)
    say(bond, "Can you wipe everything about Gareth? I don't want to see that name here again.", now=NOW, llm=llm)

    assert (forgotten(bond), unmet(llm)) == ([], asked)


def test_a_yes_after_such_words_forgets_only_where_the_reply_spoke_of_forgetting(bond, settings):
    settings.EMBEDDING_BACKEND = "bundled"
    told, wish = "I blocked Gareth tonight.", "Can you wipe everything about Gareth? I never want to see that name."
    llm = FakeLLM("Hm.", "So you blocked Gareth tonight?", "Good.", f"Shall I forget this: {told}", "Gone.")
    for line in (told, wish, "Yes."):
        say(bond, line, now=NOW, llm=llm)

    assert forgotten(bond) == []

    for line in (wish, "Yes."):
        say(bond, line, now=NOW, llm=llm)

    assert forgotten(bond) == ["The user blocked Gareth tonight."]


@pytest.mark.parametrize("line", ["She says I should just forget about Gareth.", "我想把高磊忘掉"])
def test_a_wish_of_another_or_to_forget_oneself_is_not_asked_about(bond, settings, line):
    settings.EMBEDDING_BACKEND = "bundled"
    llm = FakeLLM("Hm.", "Hm.")
    say(bond, "I blocked Gareth tonight." if line.isascii() else "我今晚把高磊拉黑了", now=NOW, llm=llm)
    say(bond, line, now=NOW, llm=llm)

    assert (forgotten(bond), unmet(llm)) == ([], [])


@pytest.mark.parametrize(
    ("told", "others", "wish", "left"),
    [
        (
            ["We had a miscarriage in March.", "Tom hasn't cried once about the miscarriage."],
            ["Tom mowed the lawn."],
            "I can't bear you knowing about the miscarriage. Please take it out.",
            ["Tom mowed the lawn."],
        ),
        (
            ["上周做了检查，左耳后面长了个瘤子", "医生说叫听神经瘤，良性的"],
            ["煮了锅白菜汤"],
            "我耳朵后面那个瘤子的事，你忘了吧",
            ["煮了锅白菜汤"],
        ),
        (
            ["I owe Clifford a gasket."],
            ["I owe Sheila eighty pounds."],
            "Forget that I owe Clifford a gasket.",
            ["I owe Sheila eighty pounds."],
        ),
    ],
)
def test_what_tells_the_same_in_other_messages_goes_along(bond, settings, told, others, wish, left):
    settings.EMBEDDING_BACKEND = "bundled"
    for line in (*told, *others):
        say(bond, line, now=NOW)
    asked = say(bond, wish, now=NOW)
    if not forgotten(bond):
        assert "?" in reply(asked)
        say(bond, "Yes.", now=NOW)

    assert read_prompted(bond) == left


def test_facts_that_rest_only_on_forgotten_messages_go_along(bond):
    texts = ["高磊半夜给我发微信", "我今晚把高磊拉黑了"]
    lines = [say(bond, line, now=NOW, llm=FakeLLM("嗯。")).burst[0] for line in texts]
    for line, content in zip(lines, ["用户的前男友高磊半夜发微信。", "用户拉黑了高磊。"], strict=True):
        save(bond, content, by=writer(messages=[line]))

    say(bond, "高磊的事全删掉，我不想再看见这个名字", now=NOW, llm=FakeLLM("好。"))

    assert live(bond) == []


@pytest.mark.parametrize(
    ("lines", "wish"),
    [
        (["im smoking again", "Joan is my mother."], "forget that I said anythin about smokin"),
        (["Joan is my mother.", "the coach was being weird"], "forget the thing abt the coach, its sorted"),
    ],
)  # fmt: skip
def test_what_partly_rests_on_forgotten_messages_goes_along(bond, lines, wish):
    told = [say(bond, line, now=NOW, llm=FakeLLM("Hm.")).burst[0] for line in lines]
    save(bond, "The user is smoking again as the coach was being weird.", by=writer(messages=told))
    save(bond, "Joan is the user's mother.", by=writer(messages=told))

    say(bond, wish, now=NOW, llm=FakeLLM("Gone."))

    assert live(bond) == ["Joan is the user's mother."]


def test_what_else_the_message_of_a_forgotten_fact_tells_stays(bond):
    said = "Remember I'm running the Bath half on 14 March 2027, and I'm allergic to ibuprofen."
    say(bond, said, now=NOW, llm=FakeLLM("Noted."))
    noted = live(bond)
    Session.objects.for_bond(bond).drop_loaded()
    llm = FakeLLM("Hm.", "Gone.")
    say(bond, "The kettle is on.", now=NOW, llm=llm)
    say(bond, "Forget the bit about ibuprofen.", now=NOW, llm=llm)

    assert (len(noted), [one for one in noted if "Bath" in one]) == (2, live(bond))
    assert ["allergic" in call.text for call in llm.calls] == [True, False]


@pytest.mark.parametrize(
    ("told", "wish", "yes", "gone"),
    [
        (
            [
                "Ok so Ella is 11, Noah is 8 and the little one, Bertie, just turned 4",
                "Noah still wets the bed some nights, we're seeing a clinic about it",
                "Ella made the county swim squad, yay",
            ],
            "Noah would die if he knew I'd told anyone about his nights. Can you get rid of that bit?",
            ["Yes.", "No."],
            [1],
        ),
        (
            [
                "I'm going to propose to Hannah on the ferry to Skye",
                "ring is a sapphire, hidden in my golf bag",
                "The roof leaks.",
            ],
            "Hannah uses this laptop. I need everything about me proposing gone. Ring, ferry, the lot",
            ["Yes.", "Yes."],
            [0, 1],
        ),
        (
            ["我们寝四个人 我 阿紫 路路 还有苗苗", "路路跟她男朋友在外面租房了 辅导员不知道", "阿紫养了只仓鼠叫汤圆"],
            "路路那个不该跟你讲的 别人的隐私 删了吧",
            ["对。", "不是。"],
            [1],
        ),
    ],
    ids=["one of an event", "two at once", "a name that several have"],
)
def test_what_a_wish_means_goes_after_a_yes_to_each_and_what_was_told_beside_it_stays(
    bond, settings, told, wish, yes, gone
):
    settings.EMBEDDING_BACKEND = "bundled"
    for line in told:
        say(bond, line, now=NOW)
    close(bond, now=NOW + timedelta(hours=1), llm=provider.get_fallback_llm())

    for line in (wish, *yes):
        say(bond, line, now=NOW + timedelta(days=1))

    held = read_prompted(bond)
    assert [line for line in told if line in held] == [line for at, line in enumerate(told) if at not in gone]


def test_who_is_asked_which_is_meant_may_name_it(bond):
    llm = FakeLLM("Hm.", "Hm.", "Which of them shall I forget: the bike in Leeds, or the bike in York?", "Gone.")
    for line in ("My red bike is in Leeds.", "My blue bike is in York."):
        save(bond, line.replace("My", "The user's"), by=writer(messages=say(bond, line, now=NOW, llm=llm).burst))
    say(bond, "Forget what I told you about my bike.", now=NOW, llm=llm)
    assert forgotten(bond) == []

    say(bond, "The one in York", now=NOW, llm=llm)

    assert forgotten(bond) == ["The user's blue bike is in York."]
