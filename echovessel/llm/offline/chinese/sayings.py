"""All Chinese sayings and questions, as in `english/sayings.py`. {echo} is a clause of the user's in the second person."""

from echovessel.llm.offline.chinese.answers import ANSWERS
from echovessel.llm.offline.chinese.everyday import EVERYDAY
from echovessel.llm.offline.chinese.product import PRODUCT
from echovessel.llm.offline.chinese.questions import ASKED, ASKED_AFTER
from echovessel.llm.offline.chinese.reactions import REACTIONS

SAYINGS = {**REACTIONS, **ANSWERS, **{kind: one.sayings for kind, one in (*EVERYDAY.items(), *PRODUCT.items())}}
QUESTIONS = {**ASKED, **ASKED_AFTER, **{kind: one.questions for kind, one in (*EVERYDAY.items(), *PRODUCT.items())}}

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
