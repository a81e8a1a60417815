"""Detect whether a text asks for memory or advice, or is a greeting, by its words, in English and Chinese."""

from datetime import date
from enum import Enum, auto

from echovessel import lazy_re as re
from echovessel import periods, text
from echovessel.llm.offline import event_dates
from echovessel.periods import Leaning


def _extract_all(words: str) -> frozenset[str]:
    """Extract the terms of each of these words, which stand side by side."""
    return frozenset(term for word in words.split() for term in text.extract_terms(word))


# Greetings, thanks and agreement.
SMALL_TALK = _extract_all(
    "hi hello hey there ok okay yes yeah yep yup nope thanks thank thx bye goodbye good great nice cool fine sure right well haha hahaha "
    "lol hm hmm ah oh wow please sorry morning evening night kindly lovely 哈哈 哈 嘿 嗨 呵 呵呵 嘻 嘻嘻 哈喽 喽 早 安 早安 晚 晚安 拜 拜拜 谢 谢谢 "
    "行 对 对对 喂 在吗 在不 好 你好 嗯"
)
# Chinese question words; the stop words of `echovessel.text` are single characters.
_ASKING = re.compile(
    "多少|多久|多长时间|怎么办|为什么|什么时候|有没有|是不是|能不能|要不要|可不可以|记不记得|还?记得|有(?:没有)?印象|来着|一下|啥子?"
)
_ONESELF = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b|我")
_QUESTION = re.compile(
    r"[?？]|^(?:what|who|whose|where|when|why|how|which|did|do|does|is|was|are|were|have|has)\b|什么|啥|谁|哪|几|多少|多久|多大|怎么|吗|没有"
)
_ONCE = re.compile(
    r"\b(?:used to|before|formerly|previously|previous|back then|originally)\b"
    r"|以前|之前|从前|过去|原来|原先|曾经|当初"
)
# Questions how something is done, or for something good, ask for advice; how one takes one's tea was told.
_ADVICE = re.compile(
    r"\bhow (?:do(?! (?:i|we) (?:usually|normally|always|like|take (?:my|our)|get to (?:work|school)|spell my|know)\b)|can|could|should) (?:i|we)\b|\bwhat (?:should|can|could) (?:i|we)\b|\bany (?:tips|ideas)\b"
    r"|\b(?:can|could|would) you (?:explain|recommend|suggest)\b|推荐"
)
# In Chinese these ask for advice without a first person: 怎么洗, but not 怎么了 or 是怎么来的.
_ADVICE_OF_NOBODY = re.compile(r"有什么好|能\S{0,5}吗")
_HOW = re.compile(r"怎么(?!了|样|会|回事|来的|走的|没)")
# 怎么修好的 asks how something happened.
_CAME_ABOUT = ("的", "的?")
# Who asks for all that happened wants it in full.
_ACCOUNT = re.compile(
    r"\bsum up\b|\bsummar(?:y|ise|ize)\b|\b(?:account|overview|timeline|recap) of\b|\b(?:whole|full) story\b"
    r"|总结|概括|梳理|回顾|([理捋顺])一\1|从头到尾|来龙去脉|前因后果"
)

# Who asks for what was said without a question: "tell me what I said", 聊天记录.
_ASKING_FOR_TALK = re.compile(r"\b(?:tell|remind) me what\b|\brecap\b|聊天(?:记录|内容)")

# The words beside the day of a question for everything said on that day.
_TALK_TERMS = _extract_all(
    "talk talked talking speak spoke spoken tell telling mention mentioned discuss discussed chat chatted say days "
    "share shared write wrote hear heard bring brought come came recap remind mind anything everything what'd u "
    "between back story stories news things something conversation vent morning afternoon evening night "
    "聊 聊天 聊些 说 说起 讲 讲起 谈 提 提起 事 事情 天 都 些 啥 件 节 告诉 早上 上午 下午 中午 傍晚 晚上 夜里 半夜 凌晨 "
    "唠 念叨啥 聊天内容 聊天记录 咱俩聊 帮 回忆 交代 报告 主 老 多 样 做 干 忙 吐槽 分享 话 话题 具体"
)
# Who asks for any event or plan, whatever else the question names: 上周二店里出了什么事.
_HAPPENING = re.compile(
    r"\bwhat(?:'s| is| was)? happen\w*|(?:什么|啥子?)(?:事|安排|打算|计划|活动)|(?:得|要)办(?:什么|啥)"
)
# Those beside the day of a question for what happens then.
_HAPPENING_TERMS = _TALK_TERMS | _extract_all(
    "happen happened happening go went plan plans event schedule busy 做 干 去 打算 安排 计划 日子 发生 准备 在 要 过 儿"
)


class QueryIntent(Enum):
    MEMORY = auto()
    ADVICE = auto()
    # Any other text.
    OPEN = auto()


def detect_intent(said: str, *, names_someone: bool = False) -> QueryIntent:
    """Detect the intent; with `names_someone` a known entity is named, so a question is about memory."""
    folded = text.fold(said)
    is_of_oneself = _ONESELF.search(folded) is not None
    if _ADVICE.search(folded) or (not is_of_oneself and _asks_nobody(folded)):
        return QueryIntent.ADVICE
    is_question = _QUESTION.search(folded) is not None
    return QueryIntent.MEMORY if is_question and (is_of_oneself or names_someone) else QueryIntent.OPEN


def _asks_nobody(folded: str) -> bool:
    if _ADVICE_OF_NOBODY.search(folded):
        return True
    return not folded.endswith(_CAME_ABOUT) and _HOW.search(folded) is not None


def extract_subject(said: str) -> set[str]:
    """Extract the terms of a text without Chinese question words."""
    return set(text.extract_terms(_ASKING.sub(" ", said)))


def asks_of_past(said: str) -> bool:
    """Whether a question asks for what was so once and may hold no longer: "where did I live before?"."""
    folded = text.fold(said)
    return _ONCE.search(folded) is not None and _QUESTION.search(folded) is not None


def asks_for_account(said: str) -> bool:
    """Whether a text asks for all that happened: "sum up how it went with Ana"."""
    return _ACCOUNT.search(text.fold(said)) is not None


def is_small_talk(said: str) -> bool:
    return extract_subject(said) <= SMALL_TALK


def is_about_day(said: str, *, today: date) -> bool:
    """Whether a question asks for everything said in the time it names."""
    return _asks_of_time(said, today=today, besides=_TALK_TERMS)


def asks_what_happens(said: str, *, today: date) -> bool:
    """Whether a question asks for what was said or happens in the time it names, and for nothing else but where."""
    if _HAPPENING.search(text.fold(said)) and periods.find_periods(said, today=today):
        return True
    return _asks_of_time(said, today=today, besides=_HAPPENING_TERMS)


def asks_what_happened(said: str, *, today: date) -> bool:
    """Whether a question asks for what happened in a time that is over: "what did I do in March" means no March to come."""
    return event_dates.find_leaning(said) is Leaning.PAST and asks_what_happens(said, today=today)


def _asks_of_time(said: str, *, today: date, besides: frozenset[str]) -> bool:
    folded = text.fold(said)
    if _QUESTION.search(folded) is None and _ASKING_FOR_TALK.search(folded) is None:
        return False
    if not periods.find_periods(said, today=today):
        return False
    return extract_subject(periods.remove_periods(said, today=today)) <= besides
