"""What Chinese sentences ask to remember, how to talk, and what to forget, as in `english.py`."""

from dataclasses import replace
from itertools import islice

from echovessel import lazy_re as re
from echovessel.llm.offline.text import clauses, passages, unwelcome
from echovessel.llm.offline.text.passages import Passage
from memory.facts.rules.requests import SIGH, Forgetting, Remembering, build_told

# How many wishes of a sentence are looked at.
_MOST = 3

_CLAUSE_END = re.compile(r"[，,。！!？?：:；;\s、]")
# What may stand before a request in its clause.
_LEAD = re.compile(
    r"^(?:那么?|嗯+|好的?|对了|还有|所以|请|麻烦|拜托|你们?|您|也|就|都|要|得|可|还是|重新|能|能不能|可不可以|这[次回]|下次|一定|千万|务必|必须|应该|可以|给我|帮我|帮忙|我(?:要|想|希望|想让|想要|需要|求|让|请)你|"
    r"先|再|这个|这点|这件事|这一点|这条|把这[个点句条话件事]*|把它|另外|顺便|记得|哦|啊|呀|总之|反正)*$"
)
# What one has to do on a day: 记得周六去接娃. Tomorrow is another day soon.
_ON_DAY = r"(?:[这下本]?个?(?:周|星期|礼拜)[一二三四五六日天末]|每(?:天|周|个?月)|(?:下个?)?月[底初]|[\d一二三四五六七八九十]{1,3}[月号日])"
_REMEMBER = re.compile(
    rf"记住|记得(?=我|{_ON_DAY})|别忘了?|不要忘了?|不要忘记|别忘记|帮我记(?:一下|着|住|下来?|好)?|记一下|记着(?:一?点)?|记下来?|可以记了|备注(?![是上里写名])(?:一下)?"
)
_REFUSED = re.compile(
    r"^(?:了[^我，,：:]?$|了没|没有?|不[住了]|的|过|吗|错|恨|仇|账|谁|什么|怎么|哪|[他她它](?!们?.{0,6}(?:对|不|怕|有|是|会|吃|叫|在|住|属|过敏|生日))|你)"
)
_LINK = re.compile(r"^(?:[了着好下]|一下|下来|哦|啊|呀|吧|噢|哈|[，,：:、\s]|以下|这点|一点|这件事|这个)*")
# Behind the trigger: what somebody shall do, or a scene they shall think of.
_IDLE = re.compile(
    r"^(?:要|去|来|给|带|吃|打|买|回|关|锁|把|跟|提醒|喝|早点|多|少|穿|写|做|看|拿|发|按时|好好|准时|照顾|联系|告诉|每天都?要|那(?![只条把辆张本台座])|当|第一|曾|刚|从前|以前|上次|小时候|初心|自己|休息|睡|开|交|充电|签|存|洗|放|定|订|叫|今天要|明天要|晚上要)"
    r"|^我(?:们?(?:第一|那|当|曾|刚|从前|以前|上次|小时候|说|讲|的好|的话|一起|在一起|约|见|相遇|认识)|爱你|想你|喜欢你|[啊呀哦吧，,。！!]|$|的?(?:样子|声音|存在|这个人|名字$)|妈说|爸说|跟你说|和你说|告诉过?你)"
)
# Asked for so, anything is noted.
_OUTRIGHT = re.compile(r"帮我记|记一下|备注(?![是上里写名])")
_LEAST = 4
_ASKING = re.compile(r"(?:吗|好吗|行吗)?[？?\s]*$")
_STATEMENT = re.compile(
    r"我们?[^，,。]{0,14}(?:是|在|有|叫|不|没|住|爱|吃|喝|会|要|怕|过敏|喜欢|讨厌|想|去|养|对|属|姓|做|学|忌|得了|用|开|搬|辞|每|最|从|已|周|星期|\d|只|能|戒|信|晕|听|看|读|写|练|打|跑|睡|起|恐|收|欠|被|借|戴|穿|种|教|骑|租|喂|吹|踢|弹|拉|唱|跳|打|卖|管|修|认识|需要)"
    r"|(?:妈|爸|哥|姐|弟|妹|儿|女|爷|奶|外婆|外公|老公|老婆|男友|女友|朋友|同事|老板|猫|狗|生日|纪念日|面试|考试|手术|航班|高铁|地址|过敏)(?:[^，,。]{0,12}(?:是|在|有|叫|不|没|住|爱|会|怕|过敏|喜欢|讨厌|对|属|周|星期|\d)|(?!的)[^，,。]{1,12}?[了过](?:[^，,。]{1,8})?(?:[，,。！!\s]|$))"
    r"|[A-Z][A-Za-z]+[是有在欠叫爱会不住]|[\u4e00-\u9fffA-Za-z]{1,8}(?:欠我|是我|对我|喜欢|讨厌|不吃|怕|住在|过敏|改[到成学]|[不没][^，,。]{1,8}了)"
    r"|[\u4e00-\u9fffA-Za-z]{1,8}?(?:今年|快|刚满?|已经)*(?:\d{1,3}|[一二三四五六七八九十]{1,3})岁"
    r"|^(?:[那这][只条把辆张本台座个])?[\u4e00-\u9fffA-Za-z]{1,10}?(?:放?在|是|叫|归|属于)[\u4e00-\u9fffA-Za-z\d]{2,}"
    r"|^[\u4e00-\u9fff]{2,8}?(?:每[天周月]|周[一二三四五六日天末]|星期[一二三四五六日天])[^，,。]{2,}"
    rf"|^{_ON_DAY}[^，,。的那]{{2,}}"
    r"|^(?!大家|我们|你们|咱|人|有|今|明|以|那|这|什|怎)[\u4e00-\u9fff]{2,3}?(?:要|总是?|每|只|从来?不|会|爱|不爱)[^，,。]{2,}"
)

# A fact of how to talk speaks to the companion, and beside 用户 its 你 would be somebody else.
_YOU = re.compile(r"^你(?:就)?(?=别|不要|少|以后|往后|今后|从)")
_HENCEFORTH = re.compile(r"(?:以后|往后|今后|从现在起|从现在开始|从今以后|从今天起|从今天开始|从今往后)")
# 以后别跟我说, 别这么说了, 别再问我了
_LEAVES_OUT_WHAT = re.compile(
    r"(?:以后|往后|今后|从\w{1,4}|请|麻烦|就|也|都|再也|，|,)*(?:别|不要|不许|不准)(?:再|老是?|总是?)*(?:[这那]么|[这那]样)?"
    r"(?:[跟对和给]我)?(?:再|[这那]么|[这那]样)*(?:说|讲|提|问|聊|叫|喊)我?(?:[这那](?:个|些|句话?|种话?|事))?(?:了|啦|吧|哦|[，。！!~\s])*"
)
_OPENING = re.compile(r"^(?:(?:对了|那个|还有|另外|唉|嗯+|好)[，,、\s]*)+")
_ADDRESSED = re.compile(
    r"^(?:那么?|嗯+|好|请|麻烦|拜托|你们?|您|希望你|我(?:要|想|希望|想让|想要)你|所以|还有|对了|记住|另外|那就|就|，|,)*$"
)
_TALK = r"(?:叫|喊|说|讲|用|回|答|写|提|问|聊|发|称呼|提醒|劝|催|安慰|哄|笑|加|带|打断|重复|道歉|建议|翻译|解释|总结|鼓励|夸|骂|怼|撒娇|讲道理|短|简短|直接|温柔|慢|认真)"
_MANNER = re.compile(
    rf"^[，,：:\s]*(?:(?:我[^，,。]{{1,16}}[，,]?(?:请|麻烦|你|您))|你|您|咱们?|我们)?(?:就|也|都|可以|能|要|得|尽量|最好|麻烦|多|少)*(?:请.{{0,10}}{_TALK}|(?:别|不要|不许|不准|不用|少|多)(?:再|老是?|总是?|一直|动不动就?)*.{{0,6}}?{_TALK}|(?:请|就|要)?(?:直说|直讲|实话实说|说实话)|(?:说|讲|回|答|写|聊)[^，,。]{{1,5}}(?:一?点儿?|一?些)[吧哦啊]?$|我[^，,。]{{1,16}}(?:你(?:就|要|得|可以|尽管)(?!知|等|看|懂|明白|后悔)[^，,。]{{1,6}}我|(?:的时候|时)你?(?:别|不要|请|就)(?:跟我|对我|老|再).+)|回(?:我|复)?[^，,。]{{0,6}}(?:别|不要|请|就|只|用).+|(?:一次|先|多|少)+.{{0,3}}?(?:只|先)?(?:问|说|讲|聊|回).+|(?!我)[^，,。]{{0,14}}?(?:你就|请|只|别)[^，,。]{{0,6}}?我.+|[给跟对]我[^，,。]{{1,6}}(?:别|不要|请|就|只).+|(?:只|都|统一)?(?:用(?!不[着上])|跟我|和我|对我|给我|陪我|叫我|喊我|叫|回答|回复|说话|讲话|称呼|提醒我).+)"
)
# 以后我的计划要是很傻，请直说: what is supposed is when it shall be done.
_PLEASE = re.compile(r"[，,]\s*(?:请|麻烦你?|你)")
_OF_MYSELF = re.compile(
    r"^[，,：:\s]*(?:我(?![^，,。]{1,16}[，,]?(?:请|麻烦|你|您|(?:的时候|时)(?:别|不要|就)(?:跟我|对我|老|再)))|他|她|它|大家|谁|别人|孩子|都不?(?:想|会|能|敢|再|去|来|吃|喝)|别(?:熬夜|加班|喝|吃|减肥|去|来|买|迟到))"
)

# 别留在Leeds speaks of a place.
_KEEP = r"(?:记(?:着|得|住|下)?|存|留着?(?!在(?!你?的?(?:脑|记|心|笔)))|保[存留])(?![恨仇错挂账])"
_NOT_KEPT = rf"(?:(?:别|不要|不用|不必|不需要|没必要|不想让你|不想要你)(?:再|一直)?{_KEEP})"
_GONE = r"(?:(?:忘|删|清|抹|划)(?:掉|除)|删了|删去|清空|抹去|去掉|忘记|收回)"
_NEVER_SAID = r"当(?:我|作|做)*(?:从来?)?没(?:有)?(?:跟你|和你|对你)?(?:说|提|讲)过?"
_FORGET = re.compile(rf"{_GONE}|忘了|{_NOT_KEPT}|{_NEVER_SAID}")
_FORGET_LEAD = re.compile(_LEAD.pattern.replace("|先|", "|把|帮我把|先|"))
# What is asked of the companion needs no "我" behind it: 别记费格是那座山的主人了.
_YOU_FORGET = rf"你(?:就|都|快|还是|给我|也|全)*(?:(?:忘了|{_GONE})它?吧|(?:忘|删|清|抹)掉它?)[。！!~\s]*$"
_YOU_ARE_BEGGED = (
    rf"(?:烦?请|劳驾|麻烦|拜托|求求?)[你您]+(?:就|把它|帮我|给我)*(?:忘了|{_GONE})它?[吧啊哈]?[。！!~\s]*$"
)
_OF_COMPANION = re.compile(rf"{_NOT_KEPT}|{_NEVER_SAID}|{_YOU_FORGET}|{_YOU_ARE_BEGGED}")
_TO_COMPANION = re.compile(r"[请你您]|麻烦|帮我|给我")
# 忘了伦先生的马甲吧。
_LET_GO = re.compile(r"忘[了掉][^，,。！!]{3,20}吧[。！!~\s]*")
_WHOLE = re.compile(
    rf"(?<![这那一两三几])(?:把|将)(?P<what>[^，,。！!]{{2,40}}?)(?:都|给|从(?:你的)?(?:记忆|脑子|笔记)里?|全部?)*(?:{_GONE}|忘了)(?![了的不过])(?:吧|掉|啊|好吗|吗|[，。！!？?~\s]|$)"
)
# 我的生日别记了, 我前男友的事，忘了吧: 忘了 alone may tell that somebody forgot.
_ADDRESSED_LEAD = r"(?:你|就|都|请|麻烦|拜托|快|还是|给我|帮我|也|全|可以)*"
_THING_FIRST = re.compile(
    rf"^(?P<what>[^，,。！!]{{2,30}}?)[，,\s]*{_ADDRESSED_LEAD}(?:{_NOT_KEPT}|{_NEVER_SAID}|{_GONE}吧|(?:{_GONE}|忘了)(?:好了|就好|就行|得了)|(?:(?<=你|请)|(?<=帮我|给我|那句|那条|记录|这句|这条)){_GONE})了?(?:吧|啊|哈|哦|呀|啦)?[。！!~\s]*$"
    rf"|^(?P<matter>[^，,。！!]{{2,30}}?)的?(?:事情?|事儿|话)[，,\s]*{_YOU_FORGET}"
    rf"|^(?P<story>(?=[^，,。！!]*(?:我|关于|说|[A-Z]))[^，,。！!]{{2,30}}?(?:的事情?|件事|的话)|.{{2,24}}?(?:[这那]件?事|[这那]条))(?:[^，,。]{{0,10}}?别[^，,。]{{1,8}})?[，,\s]*{_ADDRESSED_LEAD}(?:忘了|{_GONE})它?吧[。！!~\s]*$"
    rf"|^(?P<begged>[^，,。！!？?]{{2,30}}?)[，,\s]*{_YOU_ARE_BEGGED}"
    rf"|^(?P<named>(?=[^，,。！!]*[这那])[^，,。！!？?]{{2,24}}?)[，,\s]*{_YOU_FORGET}"
)
# Why it shall be forgotten: 仓鼠的事你忘了吧，怕室友看到.
_REASON = re.compile(rf"(?<=.)((?:{_GONE}|忘了|{_NOT_KEPT})(?:它|吧|了|好了)*)[，,][^忘删]*$")
# 那把钥匙 is 钥匙 in a fact.
_THAT = re.compile(r"[这那][个件把条封位只本些张台笔份]?(?=[\u4e00-\u9fff])")
_EVERYTHING = re.compile(
    rf"^\W*(?:请|麻烦|你|能|可以|能不能|帮我|给我|就|都|快)*(?:(?:把|将)(?P<all>(?:你?(?:记得|知道|记住|记下|存)的?)?(?:关于)?我?的?(?:一切|所有|全部)[^，,。！!]{{0,12}}?)(?:都|全|全都|给我|从记忆里)*(?:{_GONE}|忘了)"
    rf"|(?:{_GONE}|忘了)(?:关于我的|你(?:知道|记得|记住|记下)的|我(?:跟你|和你)?说过?的|我的)*(?:一切|所有|全部)(?:关于我的?|记忆|记录|事情?|信息|内容|话|的)*)[吧了啊吗。！!？?~\s]*$"
)
# 能把我养乌龟那条删掉吗？ asks for it like an order.
_ASKED = re.compile(r"^\W*(?:你|那|请问)*(?:能不能|可不可以|能|可以|麻烦)(?:请|再)?(?=把|帮|给我|记住我)")
_REFUSED_FORGETTING = re.compile(r"^(?:[了不没的过吃喝带拿锁给]|关(?!于)|他$|她$|它$|我$|你$)")
_REFERENCE = re.compile(
    r"我|关于|[这那]件事|[这那]条|[这那]个记忆|说[的过]|[讲聊提]的|告诉你|刚才|[A-Z][a-z]+|地址|生日|纪念日|工作|名字|(?:的事)"
)
_IDLE_THINGS = re.compile(
    r"过去|烦恼|一切|所有|不开心|不愉快|悲伤|痛苦|昨天的|前任(?!的事)|伤心|全部|软件|文件|应用|游戏|照片|相册|微信|好友|联系方式|邮件|App|APP|app"
)
_STRIP = (
    re.compile(r"^(?:[，,：:\s]|(?:别|不要|不用)再?记(?=我)|我?(?:不该|不想让你|不应该让?你?)(?:跟你|和你|对你)?(?:说|讲|提|知道)(?:了)?|吧|掉|了|关于|有关|(?:我|刚才|刚刚?|之前|以前|前面|前[几两]?天|上[回次周]|昨[天晚]|今[天早晚]|那天|早上|晚上|一?开始|曾经?)*(?:跟你|和你|对你|向你)*(?:说|讲|提|聊|告诉)(?:过|到|起|了)*(?:你|的)?(?:关于)?|你(?:知道|记得|记住|记下)的?(?:关于)?|那[条个件]|这[条个件])+"),
    re.compile(r"(?:的?(?:这件|那件|这些|那些|这|那)?(?:事情?|事儿|话|内容|记忆|记录|信息)|的?[这那][条个件点句]|吧|啊|哈|好吗|谢谢|了|(?<![成首古京])都|[，。！!~\s])+$"),
)  # fmt: skip
# 忘掉小雨吧 我说忘掉她的事: what is said once more.
_THEN = re.compile(r"吧[，,\s]+")
_ALL_RIGHT = re.compile(r"[，,\s]*(?:吧)?(?:行吗|好吗|可以吗|行不行|好不好|成吗)[？?\s]*$")
# 把关于阿珍的都忘了吧.
_WHOLE_MATTER = re.compile(
    r"(?:关于|有关|说[过的]|[\u4e00-\u9fff]的)[^，,。]{0,8}(?:一切|所有|全部|都|全)[^，,。]{0,3}(?:忘|删|清)|(?:所有|一切|全部)关于"
)
_LATEST = re.compile(
    r"^(?:我)?刚[才刚](?:我)?(?:跟你|和你|对你)?[说讲](?:的|过的)(?:那?句?话|事|内容|那些)?[吧啊。！!~\s]*$"
)
# 这个别跟别人说，也别记: what was said last.
_POINTS_AT_LAST = re.compile(
    r"[这那](?:个|事|件事|些)?你?(?:可|千万)*(?:别|不要|不许)(?:[跟和对]|告诉)[^，,。]{1,5}[说讲提]?"
)
_NOTHING = re.compile(
    r"^(?:[哈嘿呵嘻哦嗯呀啊，]+|那么\w*|这么\w*|他们?|她们?|它们?|你|我|这|那|这个|那个|它吧|掉|吧)?$"
)


def read_remembering(passage: Passage) -> Remembering | None:
    """Return what a sentence asks to remember."""
    if passage.is_question and not _ASKED.search(passage.text):
        return None
    if asked := _read_manner(passage):
        return asked
    told = clauses.take_out_wish(passage.text)
    if (
        told is not None
        and not passages.is_reported(told)
        and not (_IDLE.match(told) and not _OUTRIGHT.search(passage.text))
    ):
        return build_told(told, passage)
    for match in islice(_REMEMBER.finditer(passage.text), _MOST):
        before, behind = passage.text[: match.start()], passage.text[match.end() :]
        clause = _CLAUSE_END.split(before)[-1]
        if not _LEAD.match(clause) or _REFUSED.match(behind) or passages.is_reported(before):
            continue
        said = _ASKING.sub("", _LINK.sub("", behind))
        is_told = _STATEMENT.search(said) or (_OUTRIGHT.match(match[0]) and len(said) >= _LEAST)
        if not _IDLE.match(said) and is_told:
            return Remembering(said=said)
    return None


def _read_manner(passage: Passage) -> Remembering | None:
    """Return how to talk from now on, and what not to bring up.

    Words that leave out what shall not be said (以后别跟我说) are read with the clauses before them, and by themselves not at all.
    """
    if unwelcome.read_subject(passage.text):
        return Remembering(said=_YOU.sub("", passage.text), facet="how_to_talk")
    match = _HENCEFORTH.search(passage.text)
    is_imagined = passages.is_imagined(passage.text) and not _PLEASE.search(passage.text)
    if match is None or is_imagined or passages.is_reported(passage.text):
        return None
    clause = _CLAUSE_END.split(passage.text[: match.start()])[-1]
    behind = passage.text[match.end() :]
    if not _ADDRESSED.match(clause) or _OF_MYSELF.match(behind) or not _MANNER.match(behind):
        return None
    wish = _YOU.sub("", passage.text[match.start() - len(clause) :])
    if not _LEAVES_OUT_WHAT.fullmatch(wish):
        return Remembering(said=wish, facet="how_to_talk")
    told = _OPENING.sub("", passage.text[: match.start() - len(clause)])
    return Remembering(said=told + wish, facet="how_to_talk") if _STATEMENT.search(told) else None


def read_forgetting(passage: Passage) -> Forgetting | None:
    """Return the words by which to find what a sentence asks to forget; "…, is that all right?" asks like an order."""
    plain = SIGH.sub("", _ALL_RIGHT.sub("", passage.text))
    found = (
        _read_forgetting(Passage(said, passage.before)) for said in dict.fromkeys((_REASON.sub(r"\1", plain), plain))
    )
    asked = next(filter(None, found), None)
    if asked and points_at_last(asked.words):
        return Forgetting(words="", is_latest=True)
    return replace(asked, is_whole=True) if asked and asked.words and _WHOLE_MATTER.search(plain) else asked


def points_at_last(words: str) -> bool:
    return _POINTS_AT_LAST.fullmatch(words) is not None


def _read_forgetting(passage: Passage) -> Forgetting | None:
    if (passage.is_question and not _ASKED.search(passage.text)) or passages.is_imagined(passage.text):
        return None
    if _EVERYTHING.search(passage.text):
        return Forgetting(words="", is_everything=True)
    if words := _find_whole(passage.text) or _find_thing_first(passage.text):
        return _build(words, is_addressed=_OF_COMPANION.search(passage.text) is not None)
    for match in islice(_FORGET.finditer(passage.text), _MOST):
        before, behind = passage.text[: match.start()], passage.text[match.end() :]
        clause = _CLAUSE_END.split(before)[-1]
        if not _FORGET_LEAD.match(clause) or _REFUSED_FORGETTING.match(behind) or passages.is_reported(before):
            continue
        is_addressed = (
            _OF_COMPANION.fullmatch(match[0]) or _TO_COMPANION.search(clause) or _LET_GO.fullmatch(passage.text)
        )
        if asked := _build(behind, is_addressed=bool(is_addressed)):
            return asked
    return None


def _find_whole(text: str) -> str:
    """Return what stands between 把 and 忘掉, unless it is told of oneself."""
    match = _WHOLE.search(text)
    if match is None or not _FORGET_LEAD.match(_CLAUSE_END.split(text[: match.start()])[-1]):
        return ""
    return match["what"]


def _find_thing_first(text: str) -> str:
    match = _THING_FIRST.search(text)
    return (
        (match["what"] or match["matter"] or match["story"] or match["begged"] or _THAT.sub("", match["named"]))
        if match and not passages.is_reported(text)
        else ""
    )


def _build(behind: str, *, is_addressed: bool) -> Forgetting | None:
    if _LATEST.match(behind):
        return Forgetting(words="", is_latest=True)
    if not (is_addressed or _REFERENCE.search(behind)) or _IDLE_THINGS.search(behind):
        return None
    words = _THEN.split(behind, maxsplit=1)[0]
    for pattern in _STRIP:
        words = pattern.sub("", words)
    return None if _NOTHING.match(words) else Forgetting(words=words)
