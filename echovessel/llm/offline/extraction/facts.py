"""Finds what holds of the user until further notice: slots such as home and job, what they are, like and have."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import takewhile

from pydantic import JsonValue

from echovessel.llm.inputs import ExtractionInputs, NumberedFact
from echovessel.llm.offline.chinese.vocabulary import CITIES
from echovessel.llm.offline.text import changes, clauses, lexicon, names, naming, passages, slots, third_person

# What harms is told first, then what is sure.
FACTS_MOST = 6
_REACTION = r"\b(?:throat|tongue|lips|face) (?:\w+ )?(?:clos|swell)\w*|\bhives\b|\banaphyla"
_HARMS = re.compile(rf"{_REACTION}|\ballergic\b|\ballerg(?:y|ies)\b|过敏|糖尿病|癫痫|哮喘", re.IGNORECASE)
SURE, UNSURE = 0.75, 0.5
# Longer statements tell more than one thing.
_LONGEST, _LONGEST_CHINESE = 100, 32
_I = r"^(?:(?:and|also|well|so|oh|yes|yeah|no|but|honestly|by the way|btw)[,.]? )*"
_OWNED = (
    r"(?:cats?|dogs?|puppy|kittens?|rabbits?|horses?|parrots?|hamsters?|pets?|sisters?|brothers?|twins?|siblings?|sons?|daughters?|kids?|child(?:ren)?|"
    r"nephews?|nieces?|grandchildren|husband|wife|girlfriend|boyfriend|allerg(?:y|ies)|asthma|diabetes|epilepsy|migraines?|adhd|coeliac|celiac|"
    r"lurchers?|greyhounds?|labradors?|spaniels?|collies?|terriers?|whippets?|poodles?|tortoises?|budgies?|ferrets?|goats|hens|chickens|guinea pigs?|"
    r"garden|allotment|motorbike|degree|phd|tattoos?|stammer|pacemaker|hearing aids?|[a-z]{3,}itis|[a-z]{4,}osis)"
)
_MEDICINE = r"(?:insulin|antidepressants|statins|blood thinners|steroids|the pill|(?!caffeine|line|mine|fine|time|route|date|plate|vaseline)[a-z]{4,}(?:in|ine|pril|azole|pam|mab|xaban|statin))"
_FAITH = r"(?:a )?(?:quakers?|muslims?|catholics?|jewish|hindus?|sikhs?|buddhists?|christians?|methodists?|atheists?)"
_RELATIVE = (
    r"(?:(?:older|younger|big|little|elder|middle|twin|half)[- ])?(?:mum|mom|mother|dad|father|sister|brother|son|daughter|wife|husband|girlfriend|boyfriend|partner|gran|"
    r"grandma|grandmother|grandad|grandpa|nan|fianc[ée]e?|eldest|youngest|twin|step\w+)(?:-in-law)?"
)
_ILLNESS = r"(?:dementia|alzheimer'?s|parkinson'?s|diabetes|asthma|ms|epilepsy|autism|adhd|copd|lupus|(?!bronch|gastr|tonsill|sinus)[a-z]{3,}itis|[a-z]{4,}osis)"
_YEARS = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_ENGLISH_SURE = (
    (
        rf"{_I}(?:my|our) {_RELATIVE},?(?: (?-i:[A-Z])[\w'-]+,? lives (?:in|at|near) |(?: (?-i:[A-Z])[\w'-]+,?)? (?:works (?:at|for|as) |(?:studies|teaches) (?!me\b|us\b|my\b|you\b|it\b)[a-z]|(?:has|suffers from) (?:type \d |an? |severe )?{_ILLNESS}\b))"
    ),
    (
        rf"{_I}(?:my|our) {_RELATIVE},?(?: (?-i:[A-Z])[\w-]+,?)?(?:'s| is) (?:(?:allergic to|intolerant to|vegetarian|vegan|deaf|blind|diabetic|autistic|coeliac|celiac|retired|divorced)\b"
        rf"|an? {slots.JOB}\b(?! of\b| to\b|'s)|(?:only |just |already )?{_YEARS}(?: years old| months old)?(?=,| and\b(?! a half)|\W*$))"
    ),
    rf"{_I}(?:(?:it's|it is) )?(?:(?:my|our) {_RELATIVE}(?: (?-i:[A-Z])[\w-]+)?|(?-i:[A-Z])[\w-]+)'s birthday(?:'s| is)?(?: on)? {slots.DATE}",
    rf"{_I}i (?:can't|cannot) (?:eat|do|have|touch|go near) (?=.*(?:{_REACTION}))",
    rf"{_I}i(?:'ve| have) been (?:an? )?(?:vegetarian|vegan|pescatarian|sober|teetotal|diabetic|asthmatic) (?:for|since)\b",
    rf"{_I}i(?:'m| am) (?:studying|reading) [a-z]+(?: [a-z]+){{0,2}} (?:at|in) (?-i:[A-Z])",
    rf"{_I}i(?:'m| am) (?:doing|finishing|writing) (?:an?|my) (?:phd|doctorate|master'?s|degree|apprenticeship)\b",
    (
        rf"{_I}i(?:'m| am) (?:also |still |really )?(?:allergic to|afraid of|scared of|intolerant to|left-handed|right-handed|colou?r ?-?blind|deaf|vegetarian|vegan|gluten-free|(?:type \d )?diabetic|"
        rf"asthmatic|coeliac|celiac|epileptic|lactose intolerant|on {_MEDICINE}\b|on (?-i:[A-Z])[a-z]+,? \d+ ?m[cg]|learning (?-i:[A-Z])[a-z]+|{_FAITH}\b|autistic|dyslexic|introverted|extroverted|married(?! to my)|divorced|single|widowed|retired|an? (?!bit|little|lot|few|mess|wreck|fan\b|fool|idiot|mood|hurry|minute|while|day|week|huge fan|big fan)[\w-]+)"
    ),
    rf"{_I}i (?:really |also |just |absolutely |still )?(?:like|love|enjoy|adore|prefer|hate|dislike|can't stand|cannot stand|don't like) (?!it\b|that\b|this\b|how\b|when\b|what\b|you\b|your\b|him\b|her\b|them\b|the (?:way|idea|sound|thought)\b|to think\b|these days)",
    rf"{_I}(?:(?:i|we) (?:also |still )?have(?: got)?|(?:(?:i|we)'ve )?got) (?:(?:an?|one|two|three|four|five|six|no|\d+|my|type \d) )?(?:[\w-]+ ){{0,2}}?(?:{_OWNED}|{_ILLNESS})\b",
    rf"{_I}i(?:'m| am)(?: now)? (?:\d{{1,2}}(?: years old)?\W*$|(?:originally )?from \w)",
    rf"{_I}i (?:was born|grew up) (?:in|on) \w",
    rf"{_I}(?:(?:i|we)(?: have|'ve got|'ve| have got) |(?:i've )?got |there's )(?:an?|two|three|four|our) [\w -]{{2,30}}? (?:called|named) (?-i:[A-Z])",
)
_ENGLISH_UNSURE = (
    rf"{_I}i (?:also |still )?(?:can't|cannot|don't|never) (?:eat|drink|smoke|drive|swim)\b",
    rf"{_I}i (?:also |still )?(?:play (?!with\b|along\b)(?:the )?\w+|speak (?-i:[A-Z])\w+|study|collect|coach|volunteer|sing in|run (?:every|each)|swim (?:every|each)|teach \w+|take \w+ every)\b",
    rf"{_I}i (?:also |still )?(?:own|run) (?:an?|my own|our) [\w -]{{3,40}}",
    rf"{_I}i (?:also |still )?work (?:nights|night shifts|shifts|weekends|part[- ]time|full[- ]time|from home|freelance)(?=\W*$|,| (?:at|as|in|for|and)\b)",
    rf"{_I}i (?:also |still )?drive (?:an? |the )?(?:[\w-]+ )?(?:bus(?:es)?|taxis?|cabs?|trucks?|lorry|lorries|trams?|trains?|ambulances?|forklifts?|cranes?|coach(?:es)?|tractors?|minicabs?)\b(?! to\b)",
    rf"{_I}i (?:also |still )?(?:drive|ride) an? (?:(?:old|new|used|second-hand|battered|tiny|little|red|blue|black|white|green|silver|grey|yellow) )*(?-i:[A-Z])\w+",
    rf"{_I}my favou?rite [\w ]{{2,30}} (?:is|are)\b",
    rf"{_I}(?:my|our) (?:sister|brother|son|daughter|cat|dog|best friend|mother|mum|mom|father|dad|boss|youngest|eldest|niece|nephew|granddaughter|grandson|horse)(?:'s name is|(?:'s| is) called)\b",
)
# It was, or will be, or holds this once.
_PASSING = re.compile(
    r"\b(?:was|were|had|did|used to|yesterday|today|tonight|tomorrow|this (?:morning|week|evening|time|one)|last (?:night|week(?! (?:of|in))|time)|right now|at the moment|just now|will|going to|"
    r"gonna|would|if|when|because|but|though|ago|again|anymore|any more|so much|too much|(?:try|hop|plan|hav|gett|start|want|look|learn|need)ing to)\b|n't know\b|\?",
    re.IGNORECASE,
)
_KIN = r"(?:妈妈?|爸爸?|姐姐?|哥哥?|弟弟?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|老婆|老公|媳妇|妻子|丈夫|对象|男朋友|女朋友|男友|女友|老伴|儿子|女儿|闺女|丈母娘|婆婆|公公|室友|同桌|闺蜜|好朋友)"
_PETS = r"(?:猫|狗|犬|兔子?|鸟|鹦鹉|仓鼠|乌龟|金鱼|柯基|金毛|泰迪|哈士奇|边牧|布偶|英短)"
_AGE = r"(?:\d{2}|[二三四五六七八九]?十[一二三四五六七八九]?)岁"
_WO = r"^(?:[嗯哦啊对是]+[了]?[，,]?|其实|而且|还有|另外|不过|顺便说)*我"
_CHINESE_SURE = (
    rf"{_WO}(?:就|也|一直|还|从小|现在)*是(?:一?[名个位只])?(?!不是|说|想|觉得|在|真|认真|怕|为了|因为|这么|这样|那|来|去)[\u4e00-\u9fffA-Za-z]{{2,10}}(?:人|师|员|工|生|者|手|长|子|控|派|党|迷|盲|教徒|儿)(?![\u4e00-\u9fff])",
    rf"{_WO}(?:现在|一直|就|也)*(?:在[\u4e00-\u9fff]{{1,8}})?(?:做|当)(?:一?[名个位])?[\u4e00-\u9fff]{{1,6}}(?:师|员|工|匠|手|长|人|家|医|警|商)(?![\u4e00-\u9fff])",
    rf"{_WO}(?:最|很|特别|非常|超|也|一直|从小|就|真的|更|比较)*(?:喜欢|爱(?!你|上)|讨厌|不喜欢|受不了|怕(?!是|不|我|他|她))(?![你这那他她它]|的是|上了|听你|了|$)",
    rf"{_WO}们?(?:家)?(?:还|也|现在)*有(?:[一两二三四五六几]|\d)?(?:个|只|条|匹|位)?[\u4e00-\u9fff]{{0,4}}(?:猫|狗|兔子|鸟|仓鼠|妹妹|弟弟|姐姐|哥哥|孩子|儿子|女儿|双胞胎|哮喘|糖尿病|偏头痛|癫痫|高血压|过敏)",
    rf"{_WO}(?:今年|已经|都)*(?:{_AGE}|\d{{2}}$)|{_WO}(?:今年|[周虚]岁)+(?:\d{{2}}|[二三四五六七八九]十[一二三四五六七八九]?)$",
    rf"{_WO}(?:家)?(?:的)?{_KIN}(?:有|得了|患有)(?:糖尿病|高血压|哮喘|帕金森|老年痴呆|阿尔茨海默|心脏病|痛风|关节炎|抑郁症)",
    rf"{_WO}(?:家)?(?:的)?(?:儿子|女儿|闺女|孙[女子]|妹妹|弟弟|老大|老二|老三|孩子)(?![我你他她])[\u4e00-\u9fff]{{0,3}}?(?:今年)?(?:(?:上|读|念)(?:幼儿园|小学|初中|高中|大学|[小初高大][一二三四五六])|(?:\d{{1,2}}|[一两二三四五六七八九十]{{1,3}})(?:岁|个月)(?=$|，|,|了))",
    rf"^(?:我(?:家|的)?{_KIN}|(?![我你您他她它谁今明昨这那])[\u4e00-\u9fff]{{2,3}})(?:的)?(?:生日(?:是|在)?(?:每年)?(?:{slots.HAN_DATE})|(?:是|每年)?(?:{slots.HAN_DATE})(?:过)?生日)",
    rf"{_WO}(?:一直|有点)*(?:血压|血糖|血脂|尿酸)(?:一直|有点|偏|很|比较)*高",
    rf"{_WO}是(?:{CITIES})的$",
    rf"{_WO}(?:现在|正)*在?(?:读|念)(?:博士?|硕士?|研究生|研)(?=$|，|,)",
    rf"{_WO}(?:现在|今年)?(?:在[\u4e00-\u9fff]{{2,8}}?)?(?:读|念|上)(?:大[一二三四]|研[一二三]|高[一二三]|初[一二三]|研究生|博士)(?=$|，)",
    rf"{_WO}(?:的)?老家(?:就)?(?:是|在)[\u4e00-\u9fff]{{2,8}}|{_WO}(?:一直|现在)?(?:来自|姓)[\u4e00-\u9fff]{{1,6}}$",
    rf"{_WO}们?(?:家里?)?(?:还|也)*(?:养|有)了?(?:[一两二三四五])?(?:只|条|个|头)?[\u4e00-\u9fff]{{0,4}}{_PETS}",
    rf"{_WO}们?家?(?:的)?{_PETS}(?:就)?叫",
    rf"{_WO}(?:的)?(?:{_KIN}|孙[女子])(?:住?在)(?:{CITIES})(?=$|，)",
    rf"{_WO}(?:的)?(?:孙[女子]|外孙女?)叫(?![我你他她外车])",
    rf"{_WO}(?:的)?{_KIN}(?:(?!说|叫|在|是)[\u4e00-\u9fff]{{2,3}}(?=在[\u4e00-\u9fff]{{1,8}}当))?(?:也|就)?(?:是(?!不|说|想|觉得|在|怕|真|那|这|要|来|去|我|你)[\u4e00-\u9fff]{{0,6}}(?:师|员|工|生|医生|护士|老师|会计|司机|农民|警察|军人|经理|翻译|的)$|叫(?![我你他她外车])|姓|(?:在|做|开|跑)[\u4e00-\u9fffA-Za-z]{{1,12}}(?:上班|工作|当[\u4e00-\u9fff]{{2,5}}|教书|读书|读[\u4e00-\u9fff]{{1,3}}|上学|运输的?|翻译的?|生意|店|的)$|今年{_AGE}|(?:今年)?(?:上|读)(?:小学|初中|高中|大学|[初高大一二三四五六])[^，]{{0,5}}(?:，叫|$))",
    rf"{_WO}(?:也|一直|从小)*(?:对[\u4e00-\u9fff]{{1,8}}|(?![不妈爸哥姐弟妹奶爷姥外公婆老儿女男们家])[\u4e00-\u9fff]{{2,4}})过敏(?!了|的|原|药|科|体)",
)
_CHINESE_UNSURE = (
    rf"{_WO}(?:也|一直|从来|从|现在)*(?:不能吃|不吃|不喝|不抽|不能喝|吃不了|喝不了|闻不了|闻不得|碰不得)",
    rf"{_WO}们?(?:自己|现在|也|就)*(?:在[\u4e00-\u9fff]{{1,8}})?(?:开|经营)(?:了|着)?(?:一?[家间个])?[\u4e00-\u9fff]{{1,8}}(?:店|馆|厂|公司|工作室|诊所|民宿|农场|铺子?)$",
    rf"{_WO}(?:也|还)*会(?:弹|拉|吹|说(?![什你我他她的])|游泳|画画|下棋|开车)",
    rf"{_WO}(?:也|一直)*(?:每[天周晚]都?(?!在[\u4e00-\u9fff]{{1,3}}这)|从不|从来不|总是)",
    rf"{_WO}最(?:喜欢|爱)的[\u4e00-\u9fff]{{1,8}}是",
    rf"{_WO}(?:的)?(?:妹妹|弟弟|姐姐|哥哥|儿子|女儿|猫|狗)叫",
)
_PASSING_CHINESE = re.compile(
    r"昨天|今天|明天|刚才?|现在(?!是|住|在)|这次|上[周次]|下[周次]|以前|曾经|打算|准备|如果|要是|因为|但|不过.|当时|那时|(?<!岁)了$|过$|[?？]|吗|呢$|时候"
)
_ENDS = "。.!！~～ "
_LOVE = re.compile(
    r"\b(?:wife|husband|girlfriend|boyfriend|partner|fianc[ée]e?)\b|老婆|老公|媳妇|妻子|丈夫|太太|先生|女朋友|男朋友|女友|男友|对象|爱人|未婚妻|未婚夫|伴侣|另一半",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[，,；;]\s*|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_TURNS = re.compile(
    r"[我你]|^(?:昨|今|前)[天晚]|^(?:所以|但|不过|记|别|求|请|哈|呵)|^[\u4e00-\u9fff]{0,5}(?:难[受过的熬]|累|烦|辛苦|不容易|心疼|开心|高兴|崩溃|害怕|担心|揪心|折腾)"
)
# 我妈 is 用户的妈妈.
_OWN_KIN = re.compile(r"(?<!自)我([妈爸姐哥弟妹])(?!\1)")
# 我叫陆远，在厦门做快递站站长: the second clause has the subject of the first.
_SUBJECT_BEFORE = re.compile(
    r"(我(?:叫|是)[^，,。我你他她]{1,8})[，,]\s*(?=在[\u4e00-\u9fff]{2,8}?(?:做|当|开|上班|工作))"
)
# "I'm 52, divorced, two grown kids" tells three things of the user.
_STATUS = r"(?:divorced|married|single|widowed|retired(?! \w)|separated|engaged|vegan|vegetarian)"
_AGED = re.compile(rf"\b(i(?:'m| am)) (\d{{1,2}}),? (?:and )?(?={_STATUS}\b)", re.IGNORECASE)
_OF_STATUS = re.compile(rf"^(\W*i(?:'m| am) {_STATUS}), .{{20,}}$", re.IGNORECASE)
_UNNAMED = re.compile(r"\b(?:him|her|he|she)\b|[他她]", re.IGNORECASE)
_AGED_CHINESE = re.compile(
    r"(我(?:今年|已经|都)*(?:\d{2}|[二三四五六七八九]?十[一二三四五六七八九]?)岁?了?)[，,]\s*(?=有[一两二三]?个|在[\u4e00-\u9fff]|是[一个]|做[\u4e00-\u9fff]|单身|离[了异婚]|未婚|已婚|退休)"
)
# What is asked behind it is another sentence: 阿楠12月12号生日，帮我想想送什么.
_ASKED_BEHIND = re.compile(r"[，,]\s*(?=你?帮我)")
# A line of its own that leaves out who: 老家是潮汕的, 有个儿子.
_SUBJECTLESS = re.compile(
    rf"^(?=(?:{_KIN}|孙[女子]|外孙女?)(?:叫(?![我你他她])|在(?:{CITIES})|今年)|老家(?:是|在)|[周虚]岁|住在|平时就?(?:爱|喜欢)|家里(?:养|有)|有(?:个|一个|两个)(?:儿子|女儿|弟弟|妹妹|哥哥|姐姐|孩子)(?![说跟问来给在加让叫看想]))"
)
_FROM = re.compile(rf"^(?=(?:{CITIES})人(?:[\s，,]|$))")
# What follows the thing itself: "vegetarian, so no steak please", "swimming to kids, mostly small ones", "dementia, it's been hard".
_TAIL = re.compile(
    r"(?:,? (?:tho|though))?,? so (?=no\b|please|i\b|we\b|don't|that\b|it\b).*$|,? (?:tho|though)\W*$|,? but they\b.*$|\s*[:;]-?[)(DP]+\W*$|, (?:mostly|mainly|which|(?:please )?help me|who|never (?:have|did)|not that|as you|like you|(?:and |but |honestly |so )?(?:it|that)(?:'s|'ll)?)\b.*$",
    re.IGNORECASE,
)
# "got two cats": who is left out.
_GOT = re.compile(
    rf"^\W*(?:i've )?got (?=(?:an?|one|two|three|four|five|six|\d+) (?:[\w-]+ ){{0,2}}?{_OWNED}\b)", re.IGNORECASE
)
# Since or at which age holds as well: "asthmatic since I was six".
_AT_AGE = re.compile(
    r",? (?:since|when) i was (?:\w+|in (?:\w+ )?\w+)(?=\W*$|,)|在?我[\u4e00-\u9fff\d]{1,4}岁那年", re.IGNORECASE
)
# Who one is holds, whatever the rest of the sentence tells.
_WHO_ONE_IS = re.compile(
    r"^\W*(?:i(?:'m| am) (?:\d{1,2}\W*$|from )|i was born in )|^我是[\u4e00-\u9fff]{2,4}人$", re.IGNORECASE
)
_BORN = re.compile(r"\bi was (?=born\b)", re.IGNORECASE)
# 我现在是养蜂人了: 了 says since now.
_NOW_IS = re.compile(r"(?<=[人师员工手长年岁])了$")
_LONG_AGO = re.compile(r"年前|那年|小时候")


def find_facts(said: Iterable[tuple[int, str]], inputs: ExtractionInputs) -> list[JsonValue]:
    """Return facts from numbered lines of the user, what is new and surest first, in the shape of an extraction's answer."""
    found: dict[str, tuple[bool, bool, float, int, JsonValue]] = {}
    for number, text in said:
        filled: set[str] = set()
        for part, certainty, read in _read_clauses(text):
            # "I work nights at a care home. I'm a nurse really" tells of no change.
            slot, value = ("", "") if read[0] in filled and not changes.is_change(text) else read
            filled |= {slot} - {""}
            if (content := _word(part, slot, value)) and (slot or not _speaks_of_unnamed(content)):
                fact = _write(content, number, certainty, slot, value, inputs.facts)
                found[content.casefold()] = (fact["op"] == "skip", not _HARMS.search(content), -certainty, number, fact)
    best = sorted(found.values(), key=lambda one: one[:-1])
    return [fact for *_, fact in best[:FACTS_MOST]]


def tells_of_harm(text: str) -> bool:
    """Whether a line tells for good of what harms the user."""
    return any(_HARMS.search(part) for part, *_ in _read_clauses(text))


def _read_clauses(text: str) -> Iterator[tuple[str, float, tuple[str, str]]]:
    """Yield each clause of a line that holds until further notice, how sure that is, and its slot with the value."""
    for raw in passages.split_statements(_separate(text)):
        said = _OF_STATUS.sub(r"\1", _SUBJECTLESS.sub("我", _FROM.sub("我是", raw)))
        statement = _TAIL.sub("", clauses.add_speaker(_GOT.sub("I have ", said)))
        holds = not _is_passing(_AT_AGE.sub("", statement))
        for part in clauses.split(statement):
            slot = _read_slot(part, within=statement) or ("", "")
            is_harm = _HARMS.search(part) and not _is_passing(_SEPARATOR.split(part)[0])
            stands = holds or part not in statement or _WHO_ONE_IS.match(part) or is_harm
            certainty = SURE if slot[0] else _weigh(_cut(part)) if stands else 0.0
            if certainty:
                yield part, certainty, slot


def _speaks_of_unnamed(content: str) -> bool:
    """Whether a fact alone does not tell who "her" is: 用户每周六接她."""
    is_named = bool(lexicon.find_concepts(content) or names.find(content))
    return bool(_UNNAMED.search(content)) and not is_named


def _separate(text: str) -> str:
    """Set a full stop where a clause ends without one."""
    said = _ASKED_BEHIND.sub("。", _SUBJECT_BEFORE.sub(r"\1。我", text))
    return _AGED.sub(r"\1 \2. \1 ", _AGED_CHINESE.sub(r"\1。我", lexicon.normalise(said)))


def _word(clause: str, slot: str, value: str) -> str:
    """Return a clause as a fact says it, of what fills a slot that alone: 我跟我对象异地，叫许航 tells the name of 用户的对象."""
    if slot == "preferred_name" and (called := naming.find(lexicon.normalise(clause))):
        return called.content
    is_chinese = lexicon.is_chinese(clause)
    if slot == "partner" and (kin := _LOVE.search(clause)):
        return f"用户的{kin[0]}叫{value}。" if is_chinese else f"The user's {kin[0].lower()} is {value}."
    told = _cut_to(value, clause) if slot and is_chinese else _cut(clause)
    return third_person.turn(_OWN_KIN.sub(r"我的\1\1", lexicon.remove("SHIFTS", told).lstrip(",， ")))


def _cut_to(value: str, clause: str) -> str:
    """Return the part of a Chinese clause that tells a value, as the user's own: 住铁西 of 老伴前年走的，剩我一个人住铁西."""
    part = next((one for one in _SEPARATOR.split(clause) if value in one), clause)
    return part[part.index("我") :] if "我" in part else f"我{part}"


def _cut(clause: str) -> str:
    """Return a Chinese clause up to where it turns to something else: 养了只乌龟，叫慢慢 without 放在我这儿."""
    head, *more = _SEPARATOR.split(clause)
    behind = takewhile(lambda part: not _TURNS.search(part), more)
    return "，".join((head, *behind)) if more and lexicon.is_chinese(clause) else clause


def _read_slot(clause: str, *, within: str) -> tuple[str, str] | None:
    is_told = not passages.is_imagined(within) and not _LONG_AGO.search(within)
    found = slots.read_slot(clause) if is_told else None
    # 我跟女朋友分手了，她叫沈月 names nobody that the user is with.
    return None if found and found[0] == "partner" and changes.ends(within, changes.LOVES) else found


def _is_passing(statement: str) -> bool:
    """Whether a statement was so, will be, or holds this once."""
    plain = _BORN.sub("i ", _NOW_IS.sub("", statement.rstrip(_ENDS)))
    passing = _PASSING_CHINESE if lexicon.is_chinese(plain) else _PASSING
    return bool(passing.search(plain)) or passages.is_imagined(plain)


def _weigh(clause: str) -> float:
    """Return how sure it is that a clause holds until further notice; 0 where it says nothing of the kind."""
    plain = _NOW_IS.sub("", clause.rstrip(_ENDS))
    if len(plain) > (_LONGEST_CHINESE if lexicon.is_chinese(plain) else _LONGEST):
        return 0.0
    if any(pattern.search(plain) for pattern in _compile(is_sure=True)):
        return SURE
    return UNSURE if any(pattern.search(plain) for pattern in _compile(is_sure=False)) else 0.0


@cache
def _compile(*, is_sure: bool) -> list[re.Pattern[str]]:
    # When the first text is read: it takes a tenth of a second, and most programs read none.
    patterns = (*_ENGLISH_SURE, *_CHINESE_SURE) if is_sure else (*_ENGLISH_UNSURE, *_CHINESE_UNSURE)
    return [re.compile(pattern, re.IGNORECASE) for pattern in patterns]


def _write(
    content: str, number: int, certainty: float, slot: str, value: str, noted: Sequence[NumberedFact]
) -> dict[str, JsonValue]:
    holder = next((fact for fact in noted if slot and fact.slot == slot), None)
    is_other = holder is not None and holder.value.casefold() != value.casefold()
    is_noted = any(fact.text.casefold() == content.casefold() for fact in noted) or (
        holder is not None and not is_other
    )
    return {
        "op": "skip" if is_noted else "update" if is_other else "add",
        "how": "contradicts" if is_other else None,
        "target": holder.number if holder is not None else None,
        "facet": "about_you",
        "content": content,
        "detail": None,
        "slot": slot or None,
        "value": value or None,
        "certainty": certainty,
        "since": None,
        "until": None,
        "source_lines": [number],
    }
