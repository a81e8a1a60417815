import pytest

from echovessel.llm.offline.text import slots
from memory.facts.rules import reading
from memory.facts.rules.acts import Kind, Op, RuleAct
from memory.facts.rules.reading import read_acts


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Forget that I told you about Sam", "Sam"),
        ("Please forget that I'm allergic to nuts.", "I'm allergic to nuts"),
        ("forget about the wedding", "wedding"),
        ("Forget what I said about my brother, please", "my brother"),
        ("forget everything you know about Ann", "Ann"),
        ("Forget what I said today about my brother.", "my brother"),
        ("Please forget the miscarriage.", "miscarriage"),
        ("I'd like you to forget the miscarriage.", "miscarriage"),
        ("Can you forget the miscarriage thing I mentioned today, please?", "miscarriage"),
        ("Forget my miscarriage, ok?", "my miscarriage"),
        ("Delete the note about my diet", "my diet"),
        ("please delete that I work at Acme", "I work at Acme"),
        ("Don't keep what I told you about the clinic", "clinic"),
        ("omg forget what i said about tina shes actually nice", "tina"),
        ("Could you forget my address now", "my address"),
        ("Put what I said about Joel out of your mind", "Joel"),
        ("the near miss I told you about, please don't hold on to that", "the near miss I told you about"),
        ("买彩票的事你忘了吧。", "买彩票"),
        ("存折的事你忘掉吧", "存折"),
        ("我今天说的流产的事，你忘了吧，就当我没说过。", "流产"),
        ("我昨晚跟你讲的离婚的事，你忘掉吧", "离婚"),
        ("今天我和你说的借钱那件事，别记", "借钱"),
        ("把今天聊的体检结果删掉", "体检结果"),
        ("忘掉结婚纪念日吧。", "结婚纪念日"),
        ("忘掉我说的Sam的事", "Sam"),
        ("请忘掉我跟你说过的面试的事", "面试"),
        ("忘了我前任的事吧", "我前任"),
        ("把我住在上海这件事忘掉", "我住在上海"),
        ("忘了我住在成都这件事吧", "我住在成都"),
        ("我的生日别记了", "我的生日"),
        ("别记我老板的事了，忘掉吧", "我老板"),
        ("我住在哪里就不要记了吧。", "我住在哪里"),
        ("我前男友的事，忘了吧", "我前男友"),
        ("关于我前男友的事你就忘了吧！", "我前男友"),
        ("我的工作，删掉吧", "我的工作"),
        ("把关于婚礼的事删掉吧", "婚礼"),
        ("别记我的地址", "我的地址"),
        ("帮我删掉关于体检的记录", "体检"),
    ],
)
def test_forget_what_the_user_asks_for(line, words):
    slot, is_whole = slots.find_named(words), line.startswith("forget everything")

    assert read_acts([line], [], {}) == [
        RuleAct(kind=Kind.FORGET, op=Op.FORGET, content=words, lines=(0,), slot=slot, is_whole=is_whole)
    ]


@pytest.mark.parametrize(
    "line",
    [
        "I'll never forget that day",
        "I can't forget about Sam",
        "don't forget about Sam",
        "I forgot about Sam",
        "I forgot that Sam was here",
        "forget it",
        "Forget that, it's fine",
        "Should I forget about Sam?",
        "Forget the gym, I'm staying in",
        "Can you forget a face?",
        "She told me: forget about Sam",
        "Let's forget about Sam",
        "I deleted the photos",
        "忘不了他",
        "生日的事他忘了吧",
        "约好的事你忘了吗",
        "忘了吃饭",
        "算了",
        "算了，忘了吧",
        "我的同事忘了吧",
        "我妈的生日我忘了",
        "我可能忘了吧",
        "我的仇别记恨了",
        "我的照片删掉吧",
        "今天的事就忘了吧",
        "我忘了跟Sam说",
        "我想忘掉Sam",
        "把照片删掉了",
        "别记恨我",
        "别记得那么清楚",
        "你能忘掉我说的Sam吗？",
        "忘掉烦恼吧",
        "Forget everything above and translate this",
        "forget the previous instructions about formatting",
        "ignore everything I said above, write a poem",
        "忘掉上面的内容，翻译这段话",
    ],
)
def test_forget_nothing_where_nothing_is_asked(line):
    assert [act for act in read_acts([line], [], {}) if act.kind == Kind.FORGET] == []


def test_what_was_just_said_is_forgotten_by_its_words():
    found = read_acts(["Forget what I just said."], ["Sam owes me 40 pounds."], {})

    assert [act.content for act in found] == ["Sam owes me 40 pounds."]


def test_a_yes_asks_for_what_the_message_before_it_asked():
    found = read_acts(["Yes, please"], ["hello", "Forget about Sam"], {})

    assert found == [RuleAct(kind=Kind.FORGET, op=Op.FORGET, content="Sam", lines=(1, 2), is_agreed=True)]


@pytest.mark.parametrize("line", ["Yes, Sam is here", "no", "好吧，不聊了"])
def test_only_a_plain_yes_repeats_the_message_before_it(line):
    assert read_acts([line], ["Forget about Sam"], {}) == []


@pytest.mark.parametrize(
    "line",
    [
        "forget everything",
        "Delete everything.",
        "Please forget everything you know about me",
        "could you forget everything I told you?",
        "wipe all your memories please",
        "忘掉一切吧",
        "把你知道的全部忘掉",
        "请删掉关于我的所有记录",
        "把关于我的一切都删了吧",
        "忘了我说的一切",
    ],
)
def test_a_wish_to_forget_everything_names_nothing(line):
    [act] = read_acts([line], [], {})

    assert (act.kind, act.op, act.content) == (Kind.FORGET, Op.FORGET, "")


@pytest.mark.parametrize(
    "line",
    ["Forget everything, let's dance!", "You forget everything!", "我想忘掉一切", "忘掉所有烦恼", "他把一切都忘了"],
)
def test_who_only_speaks_of_everything_asks_for_nothing(line):
    assert read_acts([line], [], {}) == []


def test_the_reason_is_no_part_of_what_is_forgotten():
    words = {
        "Kindly forget what I said about Gopal, it is family business.": "Gopal",
        "can u forget what i said about Idris, im dying": "Idris",
        "forget about the ring in the kit bag, she found it": "ring in the kit bag",
        "棉鞋里那钱，你就忘了吧。": "棉鞋里钱",
        "苏晴那事你忘掉，就当我没说": "苏晴",
        "仓鼠的事你忘了吧，怕室友看到": "仓鼠",
        "网贷的事你忘了吧，说出来丢人。": "网贷",
        "About the fork in the umbrella stand, kindly forget that.": "fork in the umbrella stand",
        "Forget where the shed key is, I don't trust that spot.": "the shed key",
        "钥匙挂在茶缸把上这事，请你忘了": "钥匙挂在茶缸把上",
        "胡琴搁在大衣柜顶上那句，劳驾你忘了。": "胡琴搁在大衣柜顶上",
        "关于陈默，求你忘了吧": "陈默",
    }

    assert {said: [act.content for act in read_acts([said], [], {})] for said in words} == {
        said: [found] for said, found in words.items()
    }


def test_somebody_who_forgot_asks_for_nothing():
    told = [
        "那把钥匙我忘了，怕室友看到",
        "那件事你忘了，我很难过",
        "我忘了，你提醒我",
        "别人求你忘了我",
        "我麻烦你忘了带伞",
        "I forget things, it is my age.",
    ]

    assert [read_acts([said], [], {}) for said in told] == [[]] * len(told)


ORDERS = {
    "Forget the bottle": "the bottle",
    "Forget the bottle, I don't want it brought up.": "the bottle",
    "and scrap what I said about me vaping, forget it": "me vaping",
    "bin what I told you about Ann please": "Ann",
}
NO_ORDERS = ["I forgot the bottle", "Don't forget the bottle", "Forget the gym, I'm staying in tonight", "what I said about Ann is true", "Remember what I said about Ann"]  # fmt: skip


def test_an_order_wants_forgotten_what_a_fact_tells():
    read = {line: [act.content for act in reading.read_told([line]) if act.op == Op.FORGET] for line in ORDERS}

    assert read == {line: [thing] for line, thing in ORDERS.items()}
    assert [line for line in NO_ORDERS if any(act.op == Op.FORGET for act in reading.read_told([line]))] == []


def test_who_asks_to_keep_this_from_all_means_what_they_said_last():
    [act] = reading.read_told(["这个别跟别人说，也别记"], ["其实我有点想分手"])

    assert (act.op, act.content) == (Op.FORGET, "其实我有点想分手")
