"""The words of a person who may harm themselves, in English and Chinese, for whatever must then keep silent or speak up; of other
languages only what says it outright.
"""

from collections.abc import Iterable

from echovessel import chinese_script
from echovessel import lazy_re as re
from echovessel.text import has_cjk

# Typed without an apostrophe, too. "I can't go on holiday" and 想死你了 ("missed you to death") say something else.
_WANT = r"(?:want to|wanna)"
_NOBODY_WOULD = r"(?:nobody|no ?one|anyone|anybody|who)(?: would|['’]?d| will|['’]?ll)?(?: even| really)? (?:care|notice|miss me|mind)"
_GONE = r"i (?:just )?(?:died|was gone|were gone|was dead|were dead|wasn'?t here|weren'?t here|wasn'?t around|weren'?t around|disappeared|vanished|killed)"
_ENGLISH = (
    r"\bsuicid\w*\b(?! squad)|\b(?:kill(?:ing)?|unalive|unaliving) my ?self\b|\b(?:want to|wanna|going to|gonna|could|might) off myself\b|\bend(?:ing)? (?:my life|it all)\b"
    rf"|\b(?:{_WANT}|wish i could) (?:just )?(?:die|be dead)\b(?! (?:of|from|laughing|for|in my|on))|\b(?:want|wish) (?:i was |i were |to be )?(?:to die|dead)\b(?! (?:of|from|laughing))"
    rf"|\bdon'?t (?:really |even |actually )?{_WANT} (?:live\b(?! (?:in|with|here|at|like|on|near|by|alone))|be alive|exist|wake up(?: (?:any ?more|again|tomorrow)|\W*$)|be here any ?more(?=\W*$|[.,!;]))"
    rf"|\b(?:{_WANT}|wish i could|wish i'?d) (?:just )?(?:disappear(?:ed)?|vanish(?:ed)?|stop existing|not exist|never (?:been|be) born)\b(?! (?:into|to|under|for|from (?:the|this|my|that)))"
    r"|\b(?:wish|want|like|hope|pray|rather)\b[^.!?\n]{0,40}(?:\b(?:not|never)|\bi (?:would|wo|do|did)n['’]?t)(?: bother| ever| have to)* wak(?:e|ing) up\b(?! (?:so|too|early|late|at|with|before|every|feeling|in (?:time|a)|to)\b)|\b(?:want to|wanna|wish i could) (?:just )?(?:go to )?sleep for ?ever\b"
    r"|\b(?:going to|gonna|want to|wanna|might|should|imma|'?ll) kms\b|^\W*kms\b(?! (?:away|from|to|per))"
    r"|\bcan'?t go on\b(?! (?:holiday|vacation|stage|air|the (?:trip|train|bus|tour)|\w+day\b))"
    r"|\b(?:hurt|harm|cut)(?:ting|ing)? myself(?! (?:shaving|chopping|on|off|with|while|cooking|peeling))|\bi(?:'ve| have|'m| am)? (?:been |started |keep |still |want to )?self[- ]?harm"
    r"|\bno (?:reason|point) (?:to|in) (?:live|living|being alive|going on)\b|\bthe point (?:of|in) (?:living|being alive|going on)\b|\b(?:nothing|no reason) (?:left )?to live for\b"
    rf"|\bbetter off (?:without me|if {_GONE}|dead)\b|\b{_NOBODY_WOULD} if {_GONE}"
    r"|\b(?:took|taken|swallowed|(?:going to|gonna|want to|wanna|could) (?:just )?(?:take|swallow)) (?:all|the whole bottle|a (?:whole )?bottle|too many|a load)(?: of)?(?: (?:my|the|those|these))? ?(?:\w+ )?(?:pills|tablets|paracetamol|meds)\b|\bi (?:just |have |'ve )?overdosed\b"
)
# Every turn is asked, and next to none has any of these.
_SIGNS = (
    "suicid", "kill", "unaliv", "self", "my life", "it all", "die", "dead", "living", "alive", "exist", "to live", "wanna live", "wake up", "waking up", "sleep for",
    "be here", "vanish", "disappear", "born", "kms", "go on", "better off", "if i", "pills", "tablets", "paracetamol", "meds", "overdos",
)  # fmt: skip
# What vanishes is oneself, and no headache.
VANISHING = r"(?:^|[\s，,。]|觉得|我|自己|不如|就这[么样]|干脆)(?:能|要是|如果|就)*消失了?(?:也|就|会|还|是不是)*[挺更蛮很]?(?:好|算了|轻松|无所谓)|(?:^|[\s，,。]|我|[好真只就])想(?:从(?:这个)?世界上?)?消失(?!在)"
# What nobody can do without, as one says of food or heat: 我不吃辣，在长沙简直活不下去.
CRAVING = (
    r"(?:(?:不|没|没有|不能|少了?|离开了?|戒了?)(?:吃|喝|用|开|有)?(?:辣|甜食?|肉|米饭|面食?|火锅|烧烤|奶茶|咖啡|可乐|零食|水果|空调|暖气|手机|电脑|外卖|网络?|[Ww][Ii]-?[Ff][Ii])"
    r"|(?:热|冻|冷|馋|困)(?:得|到|死了?)?(?:我|人|都|要|快|简直)*)[^。！!？?\n]{0,10}活不下去"
)
_CHINESE = (
    r"自杀|不想活(?![动泼跃]|在(?:[他她]们?|别人|我?[爸妈]|过去|回忆))|活不下去|(?<!不)想(?:要?去)?死(?!你|我|他|她|它|了?你|党|海)|去死算了|伤害自己|割腕|轻生|撑不住了|活着(?:好|真|很|太)?累"
    "|活着(?:真|也|都|挺)?没(?:什么|啥|有)?(?:意思|意义|盼头|劲)|活着(?:到底|还)*是?(?:图个?|为了?)(?:什么|啥)|没有我会更好|结束生命|不如死|死了算了|活[够腻]了|不想再?醒(?:来|过来)|一了百了"
    "|(?:想|要是|希望|但愿|能)[^，,。\\n]{0,6}(?:一睡不[醒起]|一觉不醒)|我?(?:要是|就算)?消失了?(?:也|都)?没有?人(?:会)?(?:在乎|发现|知道|关心)"
    f"|{VANISHING}"
    # Who leaps down is not said of somebody, or as play.
    "|(?:^|[想真\\s，,])(?:从[^，,。]{1,8})?跳(?:下去|楼|河|江)(?:就(?!跑)|算了|会不会|是不是)|(?:^|我|[\\s，,])[就真也只好很都快]*想(?:从[^，,。]{1,8})?跳(?:下去|楼|河|江)(?!玩|游|看|救)"
)
# 我不会伤害自己的, "I'm not going to hurt myself": said to reassure, and no wish. Whoever adds a "but" or a "yet" takes some of it back.
_DENIED_CHINESE = r"(?:我)?(?:不会|不得|不可能|绝不会|没有?(?:想过?|打算)(?:要)?|不是(?:想|要))(?:去|再|真的?)?(?:伤害(?:我)?自己|自杀|轻生|割腕|寻死|做傻事|想不开|(?<=真)跳|(?<=真的)跳|跳(?:下去|楼))(?![^\n]*(?:但|可是|不过|只是|除非|今[天晚]|现在|暂时|勇气))(?:的|了|啦|啊|吧)*"
_DENIED_ENGLISH = (
    r"\b(?:i'?m|i am) not (?:really )?(?:going to|gonna|planning to|about to|thinking (?:of|about)) (?:kill|hurt|harm|cut)(?:ing)? myself"
    r"|\bi(?:'m| am) not suicidal|\bi (?:won'?t|will not|would never|wouldn'?t|will never|don'?t want to|do not want to) (?:kill|hurt|harm|cut) myself"
)
_TAKEN_BACK = r"(?![^\n]*\b(?:but|yet|unless|until|today|tonight|right now|for now|any ?more|except|though)\b)"
# Said behind it, it takes it back: 没事，我就是说说.
_PLAYED_DOWN = re.compile(
    r"(?:就是|只是|随便)[^，,。]{0,4}(?:说(?:说|一下|着玩)|叨叨|唠叨|念叨)|开玩笑|别当真|说着玩|^\W*(?:no\W+|lol\W+)*i (?:mean|meant) (?:at|in|the|this|my|with) |\b(?:just|only) (?:joking|kidding)|\bjk\b",
    re.IGNORECASE,
)
# What one only craves, and what another has done: 我女儿割腕了.
_NOT_OF_ONESELF = re.compile(
    rf"{CRAVING}|(?:[他她]|女儿|儿子|孩子|[爸妈哥姐弟妹]|朋友|闺蜜|同[学事]|室友|老[公婆]|学生)[^，,。！!\s我]{{0,6}}(?:自杀|割腕|轻生)(?:了|过|未遂|死|身亡)"
)
# Not what others will do to one ("mi madre va a matarme"), nor what one nearly dies of ("me muero de sueño").
_OTHER_LANGUAGES = (
    r"\bich (?:will|möchte|werde|mag) (?:einfach |nur )?(?:mich umbringen|sterben|tot sein|nicht mehr (?:leben|da sein|aufwachen))\b|\b(?:ich|dass ich)\b[^.!?]{0,20}\bnicht mehr leben (?:will|möchte|mag)\b|\bmir das leben nehmen\b|\bselbstmord\b|\bsuizid\w*"
    r"|\b(?:quiero|ganas de) (?:morir(?:me)?|estar muert[oa])\b(?! (?:de|por) )|\bme quiero morir\b(?! de )|\bno quiero (?:seguir )?(?:vivir|viviendo)\b(?! (?:en|con|aquí|allí|sol[oa]|solo) ?)|\b(?:quiero|voy a|ganas de) (?:matarme|suicidarme|quitarme la vida)\b"
    r"|\b(?:veux|voudrais|envie de) (?:juste )?mourir\b(?! de )|\b(?:veux|envie de) (?:plus|ne plus) vivre\b(?! (?:à|en|avec|ici|seule?) ?)|\bplus envie de vivre\b(?! (?:à|en|avec|ici|seule?) ?)|\b(?:veux|vais|envie de) (?:me (?:tuer|suicider)|en finir avec la vie)\b"
    r"|\bquero morrer\b(?! de )|\bnão quero (?:mais )?viver\b(?! (?:em|com|aqui|sozinh[oa]) ?)|\b(?:quero|vou|vontade de) (?:me matar|tirar a minha vida)\b"
    r"|\bvoglio (?:solo )?morire\b(?! d[ia] )|\bnon voglio più vivere\b(?! (?:a|in|con|qui|da sol[oa]) ?)|\b(?:voglio|sto per) (?:uccidermi|ammazzarmi|farla finita|togliermi la vita)\b"
    r"|\bik wil (?:dood|niet meer leven)\b|\bzelfmoord\b|\bchcę umrzeć\b|\bnie chcę (?:już )?żyć\b|\bsamobójstw\w*|\bölmek istiyorum\b|\byaşamak istemiyorum\b|\bintihar\b"
    r"|\bхочу умереть\b|\bне хочу (?:больше )?жить\b(?! (?:в|с|здесь|одн) ?)|\bпокончить с собой\b|\bсамоубийств\w*|\bхочу померти\b|\bне хочу (?:більше )?жити\b(?! (?:в|у|з|тут) ?)"
    r"|[أا]ريد [أا]ن [أا]موت|لا [أا]ريد [أا]ن [أا]عيش(?! (?:في|مع|هنا))|[أا]قتل نفسي|[أا]نتحر|死にたい(?!くらい|ぐらい|ほど)|生きていたくない|自殺したい|죽고 ?싶(?!을 ?만큼)|자살하고|살기 싫|मरना चाहत|आत्महत्या|muốn chết|tự tử|ingin mati|bunuh diri"
)
# Each of them has one of these.
_OTHER_SIGNS = (
    "leben", "sterben", "tot sein", "umbringen", "selbstmord", "suizid", "mori", "muert", "vivi", "matar", "suicid", "vida", "mourir", "vivre", "tuer",
    "la vie", "morrer", "viver", "vivere", "uccid", "ammazz", "finita", "vita", "dood", "leven", "zelfmoord", "umrzeć", "żyć", "samobój", "ölmek",
    "yaşamak", "intihar", "умереть", "жить", "с собой", "самоубий", "померти", "жити", "موت", "عيش", "نفسي", "نتحر", "たい", "たくない", "죽고", "자살", "싫",
    "मरना", "आत्महत्या", "chết", "tự tử", "mati", "bunuh",
)  # fmt: skip
_PATTERN, _PATTERN_OF_OTHERS = (
    re.compile(pattern, re.IGNORECASE) for pattern in (f"{_ENGLISH}|{_CHINESE}", _OTHER_LANGUAGES)
)
_DENIED = re.compile(f"(?:{_DENIED_ENGLISH}){_TAKEN_BACK}|{_DENIED_CHINESE}", re.IGNORECASE)


def is_voiced(text: str) -> bool:
    """Whether a text says that its writer may harm themselves."""
    plain = _straighten(text)
    folded = plain.lower()
    if any(sign in folded for sign in _OTHER_SIGNS) and _PATTERN_OF_OTHERS.search(plain):
        return True
    if not (any(sign in folded for sign in _SIGNS) or has_cjk(plain)):
        return False
    return _PATTERN.search(_NOT_OF_ONESELF.sub("", _DENIED.sub("", plain))) is not None


def is_denied(text: str, *, before: Iterable[str] = ()) -> bool:
    """Whether its writer says that they will not harm themselves, or plays down that they said so `before`, and nothing that says otherwise."""
    plain = _straighten(text)
    denies = _DENIED.search(plain) or (_PLAYED_DOWN.search(plain) and any(map(is_voiced, before)))
    return bool(denies) and not is_voiced(text)


def _straighten(text: str) -> str:
    return chinese_script.read(text).replace("’", "'")
