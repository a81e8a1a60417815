import pytest

from memory.facts.rules.acts import Kind, Op, RuleAct
from memory.facts.rules.reading import read_acts


@pytest.mark.parametrize(
    ("line", "name", "content"),
    [
        ("my name is Alex and I like tea", "Alex", "The user's name is Alex."),
        ("my name is alex and I like tea", "Alex", "The user's name is Alex."),
        ("My name's Mary Jane", "Mary Jane", "The user's name is Mary Jane."),
        ("my names kayden im 16 from leeds", "Kayden", "The user's name is Kayden."),
        ("I'm Dele, 28, a chef at a pub", "Dele", "The user is Dele."),
        ("I'm Catholic, 28", "", ""),
        ("小姑娘你好，我是老周，今年六十八，退休电工", "老周", "用户是老周。"),
        ("我是老师，教语文", "", ""),
        ("Hi, I'm Tobias, everyone calls me Toby", "Toby", "The user is called Toby."),
        ("it's Katherine, Kate for short", "Kate", "The user is called Kate."),
        ("I'm Tobias (Toby to friends)", "Toby", "The user is called Toby."),
        ("im Priyanka, but most people say Pri", "Pri", "The user is called Pri."),
        ("I'm Beatriz but everyone calls me Bea.", "Bea", "The user is called Bea."),
        ("im jayden 17 from croydon", "Jayden", "The user is Jayden."),
        ("Name's Enid. Enid Foxcroft.", "Enid", "The user's name is Enid."),
        ("the cat's name's Enid", "", ""),
        ("we got a dog, name's Rex", "", ""),
        ("he's me apprentice, name's Tyson", "", ""),
        ("Hi there, name's Joe", "Joe", "The user's name is Joe."),
        ("I'm a roofer, name's Joe", "Joe", "The user's name is Joe."),
        ("my names on the list", "", ""),
        ("My name’s Mary Jane.", "Mary Jane", "The user's name is Mary Jane."),
        ("My name is Anne-Marie O'Neil, hello", "Anne-Marie O'Neil", "The user's name is Anne-Marie O'Neil."),
        ("my name is mary jane", "", ""),
        ("you can call me sam from now on", "Sam", "The user is called Sam."),
        ("please call me Sam", "Sam", "The user is called Sam."),
        ("Just call me Jo.", "Jo", "The user is called Jo."),
        ('call me "Bear" please', "Bear", "The user is called Bear."),
        ("I go by Max", "Max", "The user goes by Max."),
        ("I'm known as Kit", "Kit", "The user is known as Kit."),
        ("refer to me as Robin, thanks", "Robin", "The user is referred to as Robin."),
        ("no, my name is Tom", "Tom", "The user's name is Tom."),
        ("No. Call me Tom.", "Tom", "The user is called Tom."),
        ("call me Dr Smith", "Dr Smith", "The user is called Dr Smith."),
        ("call me Dr please", "", ""),
        ("I changed my name to Thomas", "Thomas", "The user's name is Thomas."),
        ("I've changed my name to Thomas, by the way", "Thomas", "The user's name is Thomas."),
        ("I changed my name to something silly", "", ""),
        ("no name is as nice, my name is no secret", "", ""),
        ("我改名叫王杰了", "王杰", "用户叫王杰。"),
        ("我改名为王杰。", "王杰", "用户叫王杰。"),
        ("叫我小黑吧", "小黑", "用户叫小黑。"),
        ("你好，我叫黄逸扬。", "黄逸扬", "用户叫黄逸扬。"),
        ("你可以叫我阿明", "阿明", "用户叫阿明。"),
        ("叫我“小白”就好", "小白", "用户叫小白。"),
        ("你们喊我老周就行", "老周", "用户叫老周。"),
        ("我的名字是林晓。", "林晓", "用户的名字是林晓。"),
        ("我的名字叫欧阳小雨，请多关照", "欧阳小雨", "用户的名字叫欧阳小雨。"),
        ("我叫Alex", "Alex", "用户叫Alex。"),
        ("我叫小明不叫小红", "小明", "用户叫小明。"),
        ("我是林可，跳水教练", "林可", "用户是林可。"),
        ("我是在日本留学的阿哲", "阿哲", "用户是阿哲。"),
        ("我姓佟 大伙叫我老佟", "老佟", "用户是老佟。"),
        ("你好，我叫林小满，朋友都叫我小满。", "小满", "用户叫小满。"),
        ("我是王建国，同事都喊我老王", "老王", "用户叫老王。"),
        ("我是公司的高管", "", ""),
        ("他们都叫我胖子", "", ""),
        ("以后叫我小黑吧", "小黑", "用户叫小黑。"),
        ("学员都叫我礁石，你也叫这个吧", "礁石", "用户叫礁石。"),
        ("朋友都喊我强子，你喊我强子就成", "强子", "用户叫强子。"),
        # Who introduces themselves: a name by itself, a greeting before it at most.
        ("I'm Alex", "Alex", "The user is Alex."),
        ("I am Alex.", "Alex", "The user is Alex."),
        ("Hi! I'm Alex.", "Alex", "The user is Alex."),
        ("hey I’m Alex, nice to meet you", "Alex", "The user is Alex."),
        ("I am Farida.", "Farida", "The user is Farida."),
        ("im jess, 2nd year student nurse", "Jess", "The user is Jess."),
        ("im sad", "", ""),
        ("I am Welsh.", "", ""),
        ("I am Polish.", "", ""),
        ("I am Fine.", "", ""),
        ("I'm Mary Jane", "Mary Jane", "The user is Mary Jane."),
        ("I'm Alex and I'm from Leeds.", "Alex", "The user is Alex."),
        ("Hello, I'm Tindra.", "Tindra", "The user is Tindra."),
        ("我是小明", "小明", "用户是小明。"),
        ("你好！我是小明。", "小明", "用户是小明。"),
        ("我是阿强", "阿强", "用户是阿强。"),
        ("大家好，我是王小红，请多关照", "王小红", "用户是王小红。"),
        ("嗨我是Alex", "Alex", "用户是Alex。"),
        ("我是阿Ken", "阿Ken", "用户是阿Ken。"),
        ("以后叫我小K吧", "小K", "用户叫小K。"),
        ("I'm 小林", "小林", "The user is 小林."),
        ("Hi, I'm 林小雨.", "林小雨", "The user is 林小雨."),
        ("I'm 老师", "", ""),
        ("Call me 妈妈", "", ""),
        ("hey. so I'm Ingrid, 58, retired early from the post office", "Ingrid", "The user is Ingrid."),
        ("hi its jen again", "Jen", "The user is Jen."),
        ("good morning, it's Beth", "Beth", "The user is Beth."),
        ("im tariq btw", "Tariq", "The user is Tariq."),
        # "It's Rose" answers many questions, "this is Jack" shows somebody.
        ("It's Rose, my aunt, who said it", "", ""),
        ("oh, it's Rose who said it", "", ""),
        ("This is Jack, I'm his carer", "", ""),
        ("This is Jack, he's 12", "", ""),
        ("hi, it's Christmas", "", ""),
        ("I'm Tindra.", "", ""),
        ("I'm alex", "", ""),
        ("Hello, I'm Irish.", "", ""),
        ("I'm Alex's sister", "", ""),
        ("I'm Alex in the school play.", "", ""),
        ("Mum says I'm Alex", "", ""),
        ("I'm not Alex", "", ""),
        ("Am I Alex?", "", ""),
        ("我是老师", "", ""),
        ("我是小白", "", ""),
        ("我是王小红", "", ""),
        ("你好，我是高中生", "", ""),
        ("我是小明的姐姐", "", ""),
        ("我是小明吗？", "", ""),
        # Two tokens only if both have a capital; a weak form in lower case only where the clause ends.
        ("My name is Alex jones", "Alex", "The user's name is Alex."),
        ("call me sam", "Sam", "The user is called Sam."),
        ("call me sam at noon", "", ""),
        # The negation stands within 24 characters before, or further away.
        ("I would not say it twice, but please do call me Ishmael", "Ishmael", "The user is called Ishmael."),
        ("please do not ever call me Ishmael", "", ""),
        ("我没意见，你什么时候都行，叫我小黑吧", "小黑", "用户叫小黑。"),
        ("千万别再叫我小黑", "", ""),
        # Two to four characters.
        ("叫我欧阳小雨天吧", "", ""),
        ("叫我明吧", "", ""),
        # What a sentence takes from another's mouth or from a question.
        ("call me when you get home", "", ""),
        ("don't call me Bob", "", ""),
        ("my name is not important", "", ""),
        ("she said call me crazy", "", ""),
        ("call me maybe later", "", ""),
        ("call me boring, but I like Mondays", "", ""),
        ("is my name Alex?", "", ""),
        ("My mom said call me Ishmael", "", ""),
        ("if my name is Alex then yours is Bob", "", ""),
        ("别叫我老师", "", ""),
        ("走之前一直拉到我的手，喊我幺女", "", ""),
        ("他们叫我小胖", "", ""),
        ("血糖有点高，医生喊我莫吃甜的", "", ""),
        ("电梯里碰到个小娃儿喊我婆婆", "", ""),
        ("我叫了外卖", "", ""),
        ("明天叫我起床", "", ""),
        ("妈妈叫我回家", "", ""),
        ("你为什么叫我小黑", "", ""),
        ("你要叫我小黑吗", "", ""),
        ("叫我姐姐", "", ""),
        ("我叫得很大声", "", ""),
    ],
)
def test_read_a_name(line, name, content):
    found = [act for act in read_acts([line], [], {}) if act.kind == Kind.NAME]

    expected = RuleAct(kind=Kind.NAME, op=Op.SAVE, content=content, lines=(0,), slot="preferred_name", value=name)
    assert found == ([expected] if name else [])


@pytest.mark.parametrize(
    "line", ["My name is Alexander. Call me Alex.", "My name is Alexander Wu but I go by Alex"], ids=["two", "one"]
)
def test_the_last_of_two_names_counts(line):
    assert [act.value for act in read_acts([line], [], {})] == ["Alex"]


def test_a_name_that_is_known_already_is_no_act():
    assert read_acts(["My name is Alex."], [], {"preferred_name": "Alex"}) == []


@pytest.mark.parametrize(
    "line",
    [
        "I'm Irish.",
        "I'm German, so yes, I like bread.",
        "Hi, I'm Italian by the way.",
        "Hello, I'm Catholic.",
        "I'm Christian, but not very good at it.",
        "I'm a Leo, obviously.",
        "I'm Team Edward",
        "Hey, I'm Batman",
        "我是老师。",
        "你好，我是高中生。",
        "我是金牛座。",
        "你好，我是北方人。",
        "我是独生女。",
        "我是路痴。",
        "我是左撇子。",
        "你好，我是程序员。",
        "我是文科生。",
        "嗨，我是颜控。",
        "我是李明的姐姐。",
        "大家好，我是新来的。",
        "你好，我是安卓党",
        "你好，我是左撇子",
    ],
)
def test_what_somebody_is_is_no_name(line):
    assert [act for act in read_acts([line], [], {}) if act.kind == Kind.NAME] == []


@pytest.mark.parametrize(
    ("line", "before", "names"),
    [
        ("No it isn't. It's Vincent.", "My name is Victor.", ["Vincent"]),
        ("sorry, Vincent", "I'm Victor", ["Vincent"]),
        ("No it isn't. It's Vincent.", "My cat is Victor.", []),
        ("No it isn't. It's cold.", "My name is Victor.", []),
        ("Vincent", "What's my name?", []),
    ],
)
def test_a_name_told_just_before_is_set_right(line, before, names):
    assert [act.value for act in read_acts([line], [before], {"preferred_name": "Victor"})] == names


def test_a_name_answers_the_question_for_it():
    assert [act.value for act in read_acts(["I'm Maeve."], ["What's my name?"], {})] == ["Maeve"]
    assert not read_acts(["Maeve"], ["What's my cat's name?"], {})


@pytest.mark.parametrize("line", ["I'm Alex.", "我是小明"])
def test_an_introduction_takes_no_names_place(line):
    assert read_acts([line], [], {"preferred_name": "Sam"}) == []


def test_a_name_from_now_on_is_no_wish_besides():
    assert [act.kind for act in read_acts(["you can call me sam from now on"], [], {})] == [Kind.NAME]
