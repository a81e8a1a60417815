"""Whether a Chinese clause asks something, with or without a question mark: 我该穿什么去面试, 你是机器人吧, 我抽烟不."""

import re

_CLAUSES = re.compile(r"[，。！？,.!?；;：:\n…~～\s]+")
# 喝不喝, 去没去: but 时不时 and 动不动 are adverbs.
_CHOICE = r"([\u3400-\u9fff])(?<![时动])(?<!没事)[不没]\1|应不应该|值不值|知不知道|喜不喜欢|愿不愿意|觉不觉得|是男是女"
# Text without one of these asks nothing, and is soon read.
_MAY_ASK = re.compile(
    rf"[吗么嘛呢吧啥谁哪怎咋几]|多[少久大长高重远]|[如为]何|干[嘛吗]|[不没](?:\W|$)|没有|还是|{_CHOICE}"
)
_ASKS = re.compile(
    r"吗(?!啡)|多少|多久|多大|多长|多高|多重|多远|(?<!没)(?<!没.)(?<!没..)(?<!有点)(?<![那这]个)(?:什么|啥)(?!的$|鬼|破|玩意|时候都)|(?<=[做干开卖是学姓搞教写])(?:什么|啥)的$"
    r"|(?<!谁)谁(?!知道|让|叫|料|都|也|谁)|哪(?!怕|[里儿](?:有(?:空|钱|时间|心思|[工功]夫|力气|脸)|敢|舍得|好意思|顾得|睡得|吃得)|有|敢|舍得|能|会|儿?[都也]|知道)"
    r"|(?<!不)(?<!没)(?:怎么(?![这那]么)|怎样|咋)|如何|为何|干嘛|干吗|(?<![好这那前后过近十下没了点])(?<!上)(?<!不.)几(?!乎|年前|天前|个月前|个?(?:年|月|天|周|星期)以?来|次[都也])|(?<=[了过])几[年天次个][^，]{0,6}的$|(?:上几年|几等奖|第几|(?<!十)几[号岁点])"
    rf"|(?:{_CHOICE})(?!就|都|也|得)|^你说.{0, 6}是不是|记不记得"
)
# 我抽烟不, 你能算出来不, 我爸退休没, 你是机器人吧, 你呢: the end alone asks.
_ENDS = re.compile(
    r"^(?!.*(?:[都也还]|一[点个]|半|什么|啥)).{3,16}(?<![来真们的是我他她它你])没有?$|^你.{1,8}[过了]没$|^(?:我|你|他|她)[^没]{1,12}[过了][^没]{0,8}(?<![都也还])没有?$|^(?=.{0,3}(?:你|我|他|她|它|咱|能|会|可以|在|还)).{1,16}(?<![了又就才也都要说差绝从])不$|^.{0,4}在不$"
    r"|^\W*(?:哎|诶|那)?你(?:(?:不会|该不会|应该)?(?:是|叫|有)|该?不会[也都]?(?:觉得|嫌|认为|以为)).{1,10}吧$|(?<!着)(?<!还在)呢$|^(?!.*(?:还[行不]|挺|蛮|就是)).{1,12}(?:嘛|(?<![什怎这那多])么)$"
)
# 阿强嘛，回老家了 names what is told of; what 他说， begins, another asked, as 她说傻孩子你咋不早说.
_NOT_ASKED = re.compile(
    r"^\W*(?:(?!你)[^，,\s]){1,6}嘛(?=[，,\s])|(?:[他她]|有个[^，,。\s]{1,4}|有人|人家|老师|医生|大夫|领导|老板|同事|邻居|[婆公]|我?[爸妈])说[，,：:\s][\s\S]*|(?<![你我])[说骂喊][^，,。！？?\s]{0,6}你(?:咋|怎么|干嘛|为啥|为什么|是不是)[^，,。！？?\s]*"
)
# 我煎带鱼散了几条, and no more; 就去过几次 tells.
_COUNTS = re.compile(
    r"^[^\s，,。都好就也还才只]{2,12}[了过]几[\u4e00-\u9fff](?:[^\s，,。]{0,2}了)?\W*$|^我[^\s，,。都好就也还才只]{1,6}[了过]几年[^\s，,。]{0,3}\W*$"
)
# 去饭店还是在家: asked for a choice.
_OR = re.compile(r"^(?:你|那|我该|该).{1,14}还是.{1,12}$|是.{1,6}还是(?!.*[都也]).{1,6}$")
# 我在公司呢, 还没睡呢, 三千多块呢 and 才不是呢 tell.
_TELLS_ON = re.compile(
    r"^[^几]*[一二三四五六七八九十百千万半\d][^几哪什谁]{0,4}呢$|谁(?:知道|不)|[还正在才可].{0,8}呢$|^(?!.*(?:你|什么|谁|哪|怎|几)).{5,}呢$"
)
_OF_ALL = re.compile(
    r"(?:什么|啥|谁|哪|怎么|几|多少)[^，。]{0,5}?(?:都|也)|(?:无论|不管|不论|随便|(?:^|谁)管|管[他她它])[^，。]{0,4}(?:什么|啥|谁|哪|怎么|多少)"
    r"|(?:什么|啥|谁|哪[里儿]?|怎么|多少)[^，。]{0,4}就?(?:不要|别|不用)再?(?:记|说|提)"
)
# Of what is not known, thought over or asked by others nothing is asked here: 真不知道咋管, 在考虑要不要辞职.
_INDIRECT = re.compile(
    r"(?:(?<!你)(?<!你还)(?<!你都)(?:不|没|也不|才)(?:知道|晓得|清楚|明白|确定|懂|记得|想好)|想知道|我(?:都|也|当然|早就?)?知道|不管|好奇|纠结|犹豫|考虑|琢磨|商量|研究|讨论|"
    r"(?:因为|为了).|关于(?!我)|(?<!有)没\S{0,4}[过了][他她它]?$|在想|想想|[爱老总欢]问|看看(?!你)|问(?:问|了|过|一下)?[句声]?(?:我(?!借)|他|她|自己|医生|老师|别人)们?|(?<!你)告诉(?:我|他|她)妈?|我会[^，。]{0,8}问你)(?!吗).{0,10}$"
)
# 店员问我是不是自由职业: asked by others, of whomever.
_ASKED_BY_OTHERS = re.compile(
    r"^(?!.{0,4}[想请要来]问)[^你，,。\s]{1,6}(?<!我)问(?![题候下一过了我你])|^[^你]*(?<![你我])说(?=要不要|该不该|能不能|会不会)|^[^你]*问(?:了|过)?(?:我(?!借)|[他她]|自己)(?![了的过]?(?:什么|啥|谁|几|哪|多少).{0,4}$)"
)
# 记不记得 and 要不要 ask of both, 要不我们走 does not.
_RHETORICAL = re.compile(
    r"凭什么|(?:这|一)辈子[^，,。]{0,6}多少|谁(?:知道|不)|怎么可能|怎么会(?!.*[吗？?])|有什么(?:用|办法|意思)(?!吗)|又能怎|算什么|什么[时候]*才能|是个头"
)
# What is asked there shall be forgotten: 棉袄里缝着什么，请你忘掉.
_LETS_GO = re.compile(r"[，,\s](?:请|麻烦|拜托)?你?(?:帮我|给我)?[就都]?(?:忘掉|忘了吧|忘记吧|删掉|抹掉)[吧啊了]?\W*$")


def asks(text: str) -> bool:
    """Whether one of the text's clauses asks something."""
    told = _NOT_ASKED.sub("", text)
    if _MAY_ASK.search(told) is None or _LETS_GO.search(told):
        return False
    return _COUNTS.match(told) is not None or any(map(_is_asking, _CLAUSES.split(told)))


def _is_asking(clause: str) -> bool:
    of_others = _ASKED_BY_OTHERS.match(clause)
    if _ENDS.search(clause) and not (_TELLS_ON.search(clause) or of_others):
        return True
    if _OR.search(clause):
        return True
    match = _ASKS.search(clause)
    if match is None or _RHETORICAL.search(clause) or (of_others and of_others.end() <= match.start()):
        return False
    return match[0] in ("吗", "是不是") or not (_OF_ALL.search(clause) or _INDIRECT.search(clause[: match.start()]))
