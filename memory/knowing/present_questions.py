"""Questions about now or later, in English and Chinese: for advice, for an opinion, or what the companion does or feels."""

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import vocabulary as english

# What the companion does, feels or would do.
_OF_COMPANION = (
    r"\b(?:can|could|will|would)(?:n't)? you (?!remind|remember|recall|say what"
    r"|tell me (?:again )?(?:what|who|where|when|which|how (?:old|many)|my|the name))"
    r"|\bdo(?:n't)? you (?:really |still |even |also |ever |actually |sometimes )*(?:love|like|think|want|miss|feel|care|believe|mind|need|trust"
    r"|hate|enjoy|prefer|hope|wish|understand|see|hear|get|agree|promise|worry|dream|have|fancy|sleep|expect|suppose|recommend|consider|judge"
    r"|talk|find|take|drink|eat|smoke|drive|cook|read|sing|dance|swim|pray|own|cry|laugh|know (?:that|what i mean|how i feel|how much|how to|any|a good|why|if))\b"
    r"|^\W*you (?:understand|hear|follow|get|like|love|miss|trust)\b|\bdid(?:n't)? you (?:hear|see|sleep|like|enjoy|miss|have|go|mean|wake|notice)\b|\bdid i (?:wake|bore|upset|scare|hurt) you\b|\bare(?:n't)? you\b|\bhow (?:are|do) you\b|\bwhat do you (?!know|remember|recall)|\bwhat are you\b|\bdo you remember (?:being|your|when you)\b"
)
# A habit is told, one act is to be decided: "what do I wear to work" is no question for advice, "what do I wear tonight" is.
_NO_HABIT = (
    r"(?!.*\b(?:usually|always|normally|generally|tend|every|each|again|most|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|(?:to|at|for) work|for a living)\b)"
)
_ACT = (
    r"(?:cook|make|wear|say|tell|put|find|buy|bring|pick|choose|order|ask|write(?! with)|give|send|tip|boil|bake|let|go from|begin|reply|answer"
    r"|cut|fix|clean|store|serve|cancel|pack|plant|charge|offer|hide|sit|invite|text|email|apply|paint|park|turn|sign|draw the line|leave it|call about)"
)
_TO_DECIDE = (
    rf"\b(?:what|which|whom?|where|when|how (?:much|many|long|often|hot|thick|deep|far))\b(?: ones?| \w+)? do (?:i|we) (?:even |just |actually |best )?{_ACT}\b{_NO_HABIT}"
    r"|\b(?:can|could|may|might|shall|should|will|would|must)(?:n't)? (?:i|we|he|she|it|they|this|that|there|my|our)\b"
    r"|\b(?:what|where|when|how|who) (?:shall|should|can|could|will|would)\b|\bwhat if\b|\bare(?:n't)? we\b"
    r"|\bhow (?:do|does) (?:i|we|one) (?:get(?! to (?:work|school)\b)|make|stop|tell|look|cope|deal|know|go on|start|sleep|handle)\b"
    r"|\bwhat (?:do (?:i|we) (?:do|say)(?: now| about| with| if|\W*$)|am i (?:supposed|going to|missing|doing wrong))"
    r"|\b(?:where|how) do (?:i|we) (?:even |possibly )?(?:start|begin|go from)\b|\bdo we have (?:time|to)\b|\b(?:want|wanna|fancy) (?:to |a )"
    r"|(?<!what )(?<!who )(?<!where )\bdo (?:i|we) [\w' ]{1,40} or (?!something|whatever)\w|\bdo (?:i|we) [\w' ]{1,24} first\b|\bwhat now\b"
    r"|\bwhat do i (?:need|deserve)\b|(?<!what )\bdo i (?:really |just |even |still |not )*(?:look|seem|sound|take(?! (?:sugar|milk|it\b|my (?:tea|coffee)))|go|call|text|tell|ask|say|wear|need|have to"
    r"|bring|buy|stay|leave|send|quit|deserve)\b"
    r"|\bis there (?:a|an|any|some) (?!thing (?:i|you|we)\b)"
)
# How things are with the user or theirs right now, as nobody told it: an opinion, a cause, what is usual.
_OPINION = (
    r"(?:^|[.!?,;] )(?:so |and |but )?am i (?!allergic|afraid|scared|married|from|called|named|vegetarian|vegan|left-handed)|\bwhat(?:'s| is) wrong with me\b|\bhow am i\b"
    r"|\bis (?:it|this|that|there|everything) (?:ok|okay|normal|my fault|true|wrong|possible|bad|weird|fair|too late|worth|hope|any|a way|anything (?:i|we) can|something wrong)\b"
    r"|\b(?:is|are) (?:my|our) [\w' ]{1,24}? (?:valid|normal|ok|okay|weird|wrong|bad|fair|silly|stupid|unreasonable|too \w+|out of line|allowed|entitled|supposed|meant to|safe|legal)\b"
    r"|\bdo(?:es)? (?:my|our) [\w' ]{1,24}? (?:think|mind|care|notice|need|(?:even |really |secretly )*(?:like|hate|love|respect|trust|resent) (?:me|us))\b|\bwhat does (?:it|that|this) mean\b|\bhow (?:is|come) it that\b"
)
_EXCLAIMED = (
    r"\bguess (?:what|who|how)\b|\bdo you know,? i (?:am|was|had|have|once|used)\b|\btell (?:me|us) (?:a|an|another|some)\b|\bwhat was i thinking\b|\bwho am i kidding\b|\bi mean,? who\b"
    r"|\b(?:have i (?:ever )?told you|did i (?:mention|tell you|say)) (?:how (?:much|bad|badly|tired|happy|glad)|that|it's|i'm|i)\b"
)
_OF_COMPANION_CHINESE = (
    r"你(?:真的|还|会|也|会不会|是不是|到底|有没有|现在|最近|其实|究竟|有|更|最|都|心里|为什么|怎么|就|这么|才)*(?:爱|喜欢|想(?!得?起)|觉得|认为|愿意|愿不愿意|在乎|讨厌|恨|介意|相信|信|嫌"
    r"|希望|担心|懂|理解|关心|在意|生|烦|离开|陪|帮|听|能|可以|可不可以|能不能|要不要|想不想|爱不爱|喜不喜欢|怕|累|难过|开心|高兴|舍得|骗|怪|嫌弃|同意|支持|要(?!我)|后悔|需要|看好|看我|看得|明白|睡|忙|困|饿"
    r"|嫉妒|吃醋|在(?:吗|么|听|干|做|忙|想))"
    r"|(?:可以|能不能|能|可不可以)(?:陪|帮|抱|给|跟|和|听|再)|要不要(?:一起|我)|帮我.{1,20}(?:好吗|好不好|行吗|可以吗|行不行)|在不在乎|没有我你|你说我|你敢信|想不想(?:听|看|知道)"
)
_TO_DECIDE_CHINESE = (
    r"我(?:还|也|就)?(?:可以|能|可不可以|能不能|该|应该|应不应该|该不该|要不要|会不会|配不配)(?!喝|吃.{0,6}吗)|我(?:现在|今天|今晚|明天)?(?:该)?怎么办|怎么办|怎样才能|如何|有没有(?:办法|时间)"
    r"|我怎么(?:这么|那么|老|总|又|才能|才)"
    # 给我妈做点什么好, 穿什么去参加婚礼, 买哪个颜色好, but not 我妈喜欢做什么 or 我上次买了什么.
    r"|我(?:[给跟对为][^，。了过]{1,4}?)?(?:穿|吃|做|选|买|送|带|准备|写)(?:点儿?|些|个)?(?:什么|啥|哪|这)[^，。]{0,6}(?:好|呢|行吗|合适吗)|我穿(?:什么|啥|哪)[^，。]{0,3}去"
    r"|(?:什么时候|几[点岁]|怎么|哪\w?)[^，。了过]{1,6}(?:比较好|更好|才好|合适)|要不要(?:去|先|带|买|跟|告诉|给)|我要(?!是)[^，。了过]{1,6}吗"
    # Without somebody who does it 怎么洗 asks how to, and 什么好 what to choose.
    r"|(?:^|[，,。！？!?\s])怎么(?!了|样|会|回事|[来走]的|没)[^，。,]*(?<!的)(?<!来着)\W*$|(?:什么|啥|哪.{1,2})[^，。,]{0,4}好[呢啊呀]?\W*$"
    # A choice: 选理科还是文科. 还是 in 我还是 means "all the same".
    r"|(?:选|买|去|吃|穿|坐|挑|学|送)[^，。！？了过]{1,12}还是|吃什么呢|怎么(?:跟|和|对|给|向)[^，。了过]{1,5}(?:开口|说|讲|解释|提|交代|相处)(?!的|过)"
    r"|(?:我|我们|咱们?)(?:一起|今晚|明天|现在|待会儿?|晚上|周末|下次|以后|等下|接下来)*(?:去|要不要|可以|能(?!喝|吃)|该|还能|来|会(?![开游弹骑滑唱拉打说]))"
    r"|(?:今晚|明天|周末|待会儿?|接下来|以后|将来|等下|下周)(?:我们|咱们?)|(?:我们|咱们?)(?:今晚|明天|周末|待会儿?|接下来|以后|将来|等下|下周)"
)
_OPINION_CHINESE = (
    r"我(?:是不是|算不算)(?:很|太|个|真|有点|有问题|有毛?病|做错|特别|不|疯|变|错)|凭什么|怎么(?:这么|那么|老是|总是|一直|还不|又)|会不会(?![开游弹骑滑唱拉打说])|算不算|是不是[^，。]{1,10}了(?=\W*$)|[他她]会(?![开游弹骑滑唱拉打说走不])|会怎么|要是|如果|是不是(?:很|太|挺|有点)|我这是怎么|我怎么还(?:没|不|在)|是不是我(?:的错|做错|太|不)|是我的错"
    r"|我们?(?:是|算)(?:朋友|什么关系)|我们是不是|我是不是对(?:你|他|她|孩子)|要紧吗|要不要紧|(?:好看|合适|标准|正常|严重|可笑|丢人|过分)吗|是不是(?:觉得|不对|错了|该)"
)
_EXCLAIMED_CHINESE = (
    r"我哪(?:知道|敢|能|有空)|谁(?:让|叫)我|我跟你说过我(?:最|特别|多|有多|超)|你知道我(?:有多|多)|你猜"
)

_OF_COMPANION_ENGLISH = re.compile(rf"{_OF_COMPANION}|\byour?\b")
_OF_NOW = re.compile(
    "|".join(
        [
            *(_OF_COMPANION, _TO_DECIDE, _OPINION, _EXCLAIMED, english.DEFINITION),
            *(_OF_COMPANION_CHINESE, _TO_DECIDE_CHINESE, _OPINION_CHINESE, _EXCLAIMED_CHINESE, chinese.DEFINITION),
        ]
    ),
    re.IGNORECASE,
)
# Nobody may have told a cause.
_CAUSE = re.compile(r"\bwhy\b|为什么|为啥")


def asks_cause(folded: str) -> bool:
    return _CAUSE.search(folded) is not None


def is_of_now(folded: str) -> bool:
    """Whether a question asks what the companion does or feels, or what may or shall be done, rather than for what was told."""
    return _OF_NOW.search(folded) is not None


def is_of_companion(folded: str) -> bool:
    """Whether an English question asks about the companion."""
    return _OF_COMPANION_ENGLISH.search(folded) is not None
