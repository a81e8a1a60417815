"""All Chinese sayings and questions, as in `english/sayings.py`. {echo} is a clause of the user's in the second person."""

from echovessel.llm.offline.chinese.answers import ANSWERS
from echovessel.llm.offline.chinese.everyday import EVERYDAY
from echovessel.llm.offline.chinese.product import PRODUCT
from echovessel.llm.offline.chinese.reactions import REACTIONS

SAYINGS = {**REACTIONS, **ANSWERS, **{kind: one.sayings for kind, one in (*EVERYDAY.items(), *PRODUCT.items())}}
# By tone or subject.
QUESTIONS = {
    "grief": ("{who}是个什么样的人？", "今天有人陪着你吗？"),
    "grief_again": ("你记得最清楚的是什么？",),
    "pet_loss": ("{name}是个什么脾气？", "你最忘不了它什么？"),
    "fear": ("现在最担心的是哪一样？", "有人陪着你一起吗？"),
    "worry": ("现在怎么样了？",),
    "their_fatigue": ("什么时候能歇一歇？",),
    "their_nerves": ("平时怎么哄最管用？",),
    "nerves": ("怎样能让你轻松一点？",),
    "sadness": ("愿意多说说吗？", "现在做点什么会好受些？"),
    "anger": ("以前也这样过吗？",),
    "fatigue": ("今天最耗你的是什么？", "吃过东西了吗？"),
    "laughed_off": ("那心里呢，还好吗？",),
    "joy": ("再跟我多说说？",),
    "news": ("都有谁知道了？", "心里是什么滋味？"),
    "ahead": ("心里有底吗？", "准备得怎么样了？"),
    "outing": ("最期待的是哪一样？", "都想好怎么玩了吗？"),
    "unsettled": ("大概什么时候能有准信？", "你心里是盼着多些，还是怕多些？"),
    "echoed": ("说来听听？", "再跟我说说？", "能多说一点吗？", "说给我听听？"),
    "birthday": ("怎么过的？",),
    "pet": ("它平时什么样？",),
    "pet_ill": ("这样多久了？",),
    # After an answer of their kind.
    "greet_first": ("今天心里有什么事吗？", "今天过得怎么样？"),
    "greet": ("这阵子怎么样？", "今天想聊什么？", "有什么新鲜事吗？"),
    "how_i_am": ("你呢，今天过得怎么样？", "你那边今天怎么样？"),
    "who": ("那我该怎么叫你？",),
    "forgot": ("你愿意告诉我吗？", "给我讲讲？"),
    "request": ("你自己是怎么想的？",),
    "play": ("你有好的吗，讲给我听听？", "要不你来一个？"),
    "of_me": ("你呢？", "那你呢，是怎样的？"),
    "advice": ("你自己心里偏向哪样？",),
    "affection": ("今天过得怎么样？",),
    **{kind: one.questions for kind, one in (*EVERYDAY.items(), *PRODUCT.items())},
}

# How long ago something was told, and its own time where that is another.
AGES = {
    "now": "刚才",
    "chat": "刚才聊天的时候",
    "today": "今天",
    "yesterday": "昨天",
    "older": "之前",
    "days": "{}天前",
    "weeks": "{}周前",
    "months": "{}个月前",
    "years": "{}年前",
}
# How two of them are written.
TWO = "两"
OWN_TIMES = {
    "happened": "那是{when}的事。",
    "planned": "定在{when}。",
    "was to be": "本来定在{when}。",
    "ended": "到{when}就结束了。",
    "going on": "现在还在进行。",
}
# In the place of a password or a PIN that was told in an earlier chat.
NOT_KEPT = "……（这类东西我不留）"
SEMICOLON, ON_DAY = "；", "{quote}（{day}）"
DAYS_AHEAD = ("今天", "明天")
WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")
DATE = "{0.year}年{0.month}月{0.day}日"
MONTH, DATED = "{0.year}年{0.month}月", "{}："
