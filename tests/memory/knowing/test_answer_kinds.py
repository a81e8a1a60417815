import pytest

from memory.knowing import answer_kinds


def holds(kinds, told, *, of_whom=None):
    return len(kinds.list_answered(told, of_whom=of_whom or told, beyond=told)) == len(kinds.kinds)


@pytest.mark.parametrize(
    ("question", "answer", "beside"),
    [
        (
            "How much did I pay for the mare?",
            "The user paid nine hundred for the mare.",
            "The user will pay for the mare.",
        ),
        ("How old is Peg?", "Peg is seventy-one.", "Peg turned down two jobs."),
        ("How old was I when he left?", "He left at the age of six.", "He left with six bags."),
        ("What did Arthur die of?", "Arthur died of pneumonia.", "Arthur died in spring."),
        ("Where is Lin from?", "Lin was born in Hull.", "Lin works in Hull."),
        ("Where does Lin work?", "Lin works in Hull.", "Lin works from Monday to Friday."),
        ("Where does Lin work?", "Lin works at the library.", "Lin wants to work at night."),
        ("Where did I study?", "The user studied at college.", "The user has a degree in biology."),
        ("Where did I meet Lin?", "The user met Lin at yoga.", "The user met Lin at seven in the morning."),
        ("Where did I meet Lin?", "The user met Lin by the harbour.", "Lin wants to marry the user in June."),
        ("Where is my key?", "The key is behind the user's clock.", "The user lost the key in May."),
        ("采薇想去哪里？", "采薇想移民新西兰。", "采薇想移民。"),
        ("Which school did I go to?", "The user studied at Hull.", "The user voted in Hull."),
        ("Which hospital is he in?", "He is in the ward at St James's.", "He sings in the choir."),
        ("What breed is my dog?", "The user's dog is a greyhound.", "The user's dog is a racer."),
        ("我哥在哪家医院？", "用户的哥哥在人民医院。", "用户的哥哥在上海。"),
        ("我在哪所大学上学？", "用户考上了同济大学。", "用户大学读的是海洋生物。"),
        ("我父亲是干什么的？", "用户的爸爸是火车司机。", "用户的爸爸爱下棋。"),
        ("我的猫怎么死的？", "用户的猫冬眠时死了。", "用户的猫死了。"),
        ("Who do I teach?", "The user teaches deaf children.", "The user teaches sign language."),
        ("When did I stop smoking?", "He stopped on the day of the operation.", "He stopped smoking."),
        ("When is Peg's birthday?", "Peg's birthday is in May.", "Peg visits in May."),
        ("Where does Dana live?", "Dana moved to Lisbon.", "Dana sang in Lisbon."),
        ("Where did Tom grow up?", "Tom is from Hull.", "The user broke up with Tom in Hull."),
        ("Who is Petrie married to?", "Petrie's wife is Ann.", "Petrie offered the user a share, with Ann."),
        ("What does Wendy do for a living?", "Wendy works in a bank.", "Wendy lost her hat."),
        ("What do I do for work?", "I've been a paramedic for six years.", "My boss shouted at me."),
        (
            "What colour did I paint the kitchen?",
            "The user painted the kitchen yellow.",
            "The user painted the kitchen.",
        ),
        ("What breed is my dog?", "The user's dog is a collie.", "The user's dog sleeps."),
        ("What is my dog called?", "The user's dog is called Biscuit.", "The user's dog sleeps."),
        ("How many tomatoes did I grow?", "The user grew eleven tomatoes.", "The user grew tomatoes."),
        ("When did my brother stop drinking?", "He stopped drinking in January.", "He stopped drinking."),
        ("Where was I born?", "The user was born in Hull.", "The user moved to Hull."),
        ("Who brought the soup?", "Then Winnie brought the soup.", "The soup was hot."),
        ("面粉多少钱？", "面粉一袋九十块。", "面粉用完了。"),
        ("孟晓的生日是哪天？", "孟晓的生日是三月五号。", "孟晓三月五号去复查。"),
        ("丹丹住在哪里？", "丹丹搬到了里斯本。", "丹丹生了双胞胎。"),
        ("厨房刷成了什么颜色？", "厨房刷成了黄色。", "厨房刷完了。"),
        ("我妈是哪里人？", "妈妈是扬州人。", "爸爸一个人住。"),
        ("我妈是做什么的？", "妈妈做裁缝。", "妈妈的手术没有在周三做，改到周五。"),
        ("On what date do we strike?", "They strike on the fifteenth.", "They strike for the first time."),
        ("我的狗叫什么？", "用户的狗叫豆豆。", "用户的狗怕吸尘器。"),
        ("小黑几岁了？", "小黑十二岁。", "小黑有两个窝。"),
        ("六叔是怎么去世的？", "六叔是得癌症走的。", "六叔留下一把萨克斯。"),
        ("小屋值多少钱？", "小屋值十二万。", "小屋被淹了两次。"),
        ("我挣多少钱？", "一小时十五块。", "上高一，周六理货。"),
        ("车是什么颜色？", "车是白的。", "做了白内障手术。"),
        ("林大夫在哪家医院？", "林大夫在华山医院。", "林大夫做白内障手术。"),
        ("谁教我打手鼓？", "用户跟着大鹏学打手鼓。", "用户每周四学手鼓。"),
        ("谁看过我写的诗？", "只有室友看过用户的诗。", "用户偷偷写诗。"),
        ("番茄结了几个？", "番茄结了十一个。", "番茄没有结果。"),
        ("我是靠什么吃饭的？", "用户开早点铺。", "用户爱吃粽子。"),
        ("我干的是什么活？", "用户在送报纸。", "用户的器官很健康。"),
        ("What's my profession?", "The user is a prosecutor.", "The user is tired."),
        ("What does Mads work as?", "Mads is a nurse.", "Mads is vegan."),
        ("Who is Jess marrying?", "Jess is marrying Tom.", "Jess is getting married in Crete."),
        ("How did Rui die?", "Rui died of a stroke.", "The user's late husband Rui was a steward."),
        ("How did Tasha meet Cornelius?", "They met on a ferry.", "The user has never met Cornelius."),
        ("What was he interned for?", "He was interned for his leaflets.", "He was interned in 1982."),
        ("What year did I have the accident?", "The accident was in 1998.", "The user is a 52-year-old farmer."),
        ("When do I take it?", "The user takes it at seven.", "The user takes it twice a day."),
        ("What evening are my lessons?", "The lessons are on Tuesdays.", "The user takes lessons."),
        ("How many puzzles do I own?", "The user owns four puzzles.", "Dot gave the user one of her puzzles."),
        ("What do the robots cost?", "A robot costs ninety pounds.", "Who mends the robots at 3 am?"),
        ("How much was in my purse?", "There was forty euros in the purse.", "A student brought the purse back."),
        ("我钢琴考到几级了？", "用户钢琴考过了八级。", "用户弹了三年钢琴。"),
        ("我跟老婆怎么认识的？", "用户和妻子相亲认识。", "用户的妻子在学配音。"),
        ("我爸那趟货赔了多少？", "爸爸赔了八万。", "货全毁了，是一车橘子。"),
        ("我在哪儿上班？", "用户在洗衣店上班。", "周一到周三归她。"),
        ("我在哪儿上班？", "用户住在温哥华。", "用户来了个新同事。"),
        ("When is my operation?", "The operation is booked for june 12.", "The user may have an operation."),
        ("When is the lift mended?", "It is mended on the fifth.", "The user lives on the fifth floor."),
        ("When am I due?", "The user is due in May.", "The user is six months pregnant."),
        (
            "How many sheep has Callum got?",
            "Callum has one sheep.",
            "The bus hit one of Callum's sheep, and missed one.",
        ),
        ("洗一次肺多少钱？", "洗一次肺八千。", "用户是尘肺二期。"),
        ("摊位费多少钱？", "一天八十。", "开了六间房，涨两成。"),
        ("How much is a night with us?", "A night is ninety-five.", "We have six rooms."),
        ("我攒了多少？", "用户攒了五万。", "用户打算攒够十五万。"),
        ("一串卖多少钱？", "一串卖三块。", "让我往里挪两米，送了四百件。"),
        ("外孙女叫啥名字？", "外孙女叫苗苗。", "外孙女会叫姥爷了。"),
        ("我爸是做什么的？", "爸爸是机关公务员。", "爸爸希望用户考公务员。"),
        ("How long have I had the dog?", "The user has had the dog for three years.", "The user has three dogs."),
        ("我妈攒了多久？", "妈妈攒了八年。", "妈妈攒了二十万。"),
        ("跑五公里我要多长时间？", "用户跑五公里要半小时。", "用户跑五公里。"),
        ("Which company do I work for?", "The user works for Larkin Freight.", "The user works in an office in May."),
        ("Which surgeon treated me?", "Then Grace Obi operated.", "The user had cancer in 2017."),
        ("我住过哪家医院？", "用户住过人民医院。", "用户住院二十三天。"),
        ("Which ear is bad?", "The left ear is worse.", "The user's ear hurts."),
        ("我哪条腿动过刀？", "用户左腿做过手术。", "用户的腿做过手术。"),
        ("What is my sister's trade?", "The user's sister is a potter.", "The user's sister is late."),
        ("韩冰啥时候走？", "韩冰五月走。", "韩冰要走。"),
        ("耳鸣是咋引起的？", "因为放炮，用户耳鸣。", "用户耳鸣两年。"),
        ("儿子的大排档开在哪？", "儿子的大排档开在码头。", "儿子的大排档很忙。"),
    ],
)
def test_only_an_answer_is_of_the_kind_asked_for(question, answer, beside):
    kinds = answer_kinds.find(question)

    assert [holds(kinds, told) for told in (answer, beside)] == [True, False]


@pytest.mark.parametrize(
    ("question", "told", "words"),
    [
        ("What colour is my bike?", "The user's bike is green.", ["colour"]),
        ("What colour is my bike?", "The user's bike is fast.", []),
        ("How much do I weigh?", "The user has two cats.", ["much"]),
        # What stands between the words for a kind is no such word.
        ("Where does my brother live?", "Dana lives in Lisbon.", ["live", "Where"]),
        ("我的车是什么颜色的？", "用户的车是绿色的。", ["颜色"]),
    ],
)
def test_a_kind_tells_the_word_that_asks_for_it(question, told, words):
    assert answer_kinds.find(question).list_answered(told, of_whom=told, beyond=told) == words


@pytest.mark.parametrize(
    "question",
    # Where it hurts is no place.
    [
        "Do you remember the lighthouse?",
        "What got at my lettuces?",
        "What did I do on my birthday when I turned thirty?",
        "你还记得灯塔吗？",
        "波姨身上哪儿疼？",
        "我收到了什么生日礼物？",
    ],
)
def test_a_question_of_no_known_kind_is_answered_by_anything(question):
    assert answer_kinds.find(question).kinds == []


@pytest.mark.parametrize(
    ("question", "told", "of_whom", "is_held"),
    [
        ("我妈是做什么的？", "弟弟是画师，为妈妈请了假。", "妈妈请了假。", False),
        ("What does Cormac do for a living?", "Oisín works nights, and Cormac sleeps.", "Cormac sleeps.", False),
        ("Where did I meet Cormac?", "In Galway the user met Cormac.", "Cormac.", True),
    ],
)
def test_what_somebody_is_stands_behind_their_name(question, told, of_whom, is_held):
    assert holds(answer_kinds.find(question), told, of_whom=of_whom) is is_held
