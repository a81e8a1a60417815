"""Writes out what a line of the user leaves out, such as its subject, so that each clause says alone what it tells."""

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese.vocabulary import CITIES, PROVINCES
from echovessel.llm.offline.english.vocabulary import GIVEN_NAMES, JOB, WORDS_TOO
from echovessel.llm.offline.extraction import fact_patterns
from echovessel.llm.offline.text import clauses, lexicon, naming, slots

# "I'm 52, divorced, two grown kids" tells three things of the user.
_STATUS = r"(?:divorced|married|single|widowed|retired(?! \w)|separated|engaged|vegan|vegetarian)"
_AGED = re.compile(rf"\b(i(?:'m| am)) (\d{{1,2}}),? (?:and )?(?={_STATUS}\b|an? {JOB}\b)", re.IGNORECASE)
# What is told so far of nobody else.
_OWN = rf"((?:(?!{fact_patterns.KIN}|[他她它猫狗孙]|同事|朋友|同学|邻居|老板|师傅).){{0,40}}?)"
# 我叫陆远，在厦门做快递站站长: the second clause has the subject of the first.
_SUBJECT_BEFORE = re.compile(
    r"(我(?:叫|是)[^，,。我你他她]{1,8})[，,]\s*(?=在[\u4e00-\u9fff]{2,12}?(?:做|当|开|上班|工作)|(?<![妈爸奶爷婆公姥友事][，,])叫[\u4e00-\u9fff]{2,3}(?=[，,。！!]|$))"
)
# 我叫苏棠，是个护士，在郑州
_TOWN_BEHIND = re.compile(
    rf"^(\W*(?:你好|哈喽|嗨)?[，,\s]*我叫[^，,。]{{1,4}}[，,]\s*是[^，,。！!？?]{{2,10}})[，,]\s*(?:现在)?在(?=(?:{CITIES})(?:[，,。！!]|$))"
)
# 我找到新工作了，在一家小公司做财务
_NEW_WORK = re.compile(r"(我(?:终于|刚刚?|已经)?找到了?(?:一?份)?新?工作了?)[，,]\s*(?=[在去]|做[^，,。]{2,6}的)")
# What one likes, whatever there is no time for: 我喜欢打羽毛球，可是现在没时间打
_LIKED = re.compile(
    r"^(我(?:最|很|特别|非常|超|一直|从小|就|也)*(?:喜欢|爱|讨厌|怕)[^，,。！!？?]{2,12})[，,]\s*(?:可惜|可是?|但是?|不过|只是|就是)[^。！!？?]*(?=[。！!]|$)"
)
_LIKED_ENGLISH = re.compile(
    r"^(\W*i (?:really |absolutely |also |still )?(?:love|like|enjoy|adore|hate) (?!him\b|her\b|you\b|them\b|it\b|that\b)[\w' -]{2,40}?),? but (?=(?:i|i've|i'm|there|no|not|never|can't|don't|haven't|my)\b)[^.!?]*",
    re.IGNORECASE,
)
# 医生开了舍曲林 and 医生给我换成了达格列净, where nobody else is spoken of.
_PRESCRIBED = re.compile(
    rf"^{_OWN}(?:[，,。]\s*|^)(?:医生|大夫)(?:又|就|还|刚)*(?:给我)?(?:开了|换成了?|换了|改成了?|[让叫]我(?:每天|早上|晚上|饭前|饭后|空腹|睡前|先|都)*吃)(?={fact_patterns.MEDICINE_CHINESE})"
)
# 血压药换成缬沙坦了
_NEW_MEDICINE = re.compile(
    rf"^(?:我的?)?(?:(?![爸妈哥姐弟妹爷奶公婆儿女他她的])[\u4e00-\u9fff]){{0,3}}药(?:又|也|都|刚|已经)*[换改](?:成|用|吃)了?({fact_patterns.MEDICINE_CHINESE})了?"
)
# 豆包上小班，对牛奶过敏
_CHILD_REACTS = re.compile(
    r"^((?![我你您他她它谁今明昨这那])[\u4e00-\u9fff]{2,3}?)((?:也|刚|在|今年)*(?:上|读|念|在|是|[一两二三四五六七八九十\d]+岁)[^，,。]{0,10})[，,]\s*(?=(?:也|还|从小)?对[^，,。]{1,8}过敏)"
)
# "My back's been bad, the physio says it's a slipped disc", 最近膝盖不好，医生说是骨关节炎
_FOUND = re.compile(
    rf"^(\W*(?:(?!\b(?:{fact_patterns.RELATIVE}|he|she|they|his|her|their|cat|dog)\b)[^.!?])*?\b(?:i|my|i've|i'm)\b(?:(?!\b(?:{fact_patterns.RELATIVE}|he|she|they|his|her|their|cat|dog)\b)[^.!?])*?),? (?:but |and )?(?:(?:the|my) )?(?:doctors?|gp|physio|consultant|specialist|hospital|they) (?:now )?(?:says?|said|thinks?|reckons?|told me)(?: that)? (?:it's|it is|it was|i have|i've got) (?=(?:an? )?{fact_patterns.ILLNESS}\b)",
    re.IGNORECASE,
)
_FOUND_CHINESE = re.compile(
    rf"^{_OWN}[，,。]\s*(?:医生|大夫|医院)(?:检查)?说?(?:是|我?[有得]了?|确诊(?:是|为)?)(?=[\u4e00-\u9fff]{{1,8}}(?:炎|症|结节|突出|囊肿|肌瘤|息肉|结石|病)(?=[，,。！!]|$))"
)
# "Mum is vegetarian and Tom can't have gluten"
_OTHER_EATER = re.compile(rf",? and (?=(?-i:[A-Z])[\w'-]+ {fact_patterns.CANNOT_EAT})", re.IGNORECASE)
# 孙女今年五岁，叫安安，会背唐诗了: what a child can do now says nothing of the rest.
_CAN_NOW = re.compile(r"[，,][^，,。]{0,8}会[^，,。会]{1,8}了(?=$|[。！!])")
_AT_HOME = re.compile(rf"^{_OWN}[，,]\s*(?=(?:现在|目前)(?:全职)?在家(?:全职)?带(?:娃|孩))")
# 在深圳做产品经理，今年31; 跟林溪同居了，住在福田
_AGE_BEHIND = re.compile(rf"^{_OWN}[，,]\s*今年(\d{{2}}|[二三四五六七八九]?十[一二三四五六七八九]?)岁?(?=[，,。！!]|$)")
# "I'm vegetarian, allergic to sesame", 我吃素，对芒果过敏, 我是护士，有糖尿病
_OWN_ENGLISH = rf"((?:^\W*(?:(?:hi|hey|hello)\W+)?|(?<=\. ))i(?:'m| am| live| work| study| have|'ve got) (?:(?!\b(?:{fact_patterns.RELATIVE}|he|she|they|cat|dog|patients?|students?|friends?|colleagues?)\b)[^.!?]){{2,60}}?)"
_IS_ILL_BEHIND = re.compile(
    rf"{_OWN_ENGLISH}(?:,| and| but) (?:and |but |also |just |only )*(?=(?:\w+ly |very |really )?(?:allergic to|diabetic|coeliac|celiac|asthmatic|epileptic|lactose intolerant|pregnant|on {fact_patterns.MEDICINE})\b)",
    re.IGNORECASE,
)
_HAS_ILLNESS_BEHIND = re.compile(
    rf"{_OWN_ENGLISH}(?:,| and| but) (?:and |but |also )*(?=(?:can't|cannot|can not) (?:eat|have|drink|tolerate) \w|have (?:got )?(?:{fact_patterns.ILLNESS})|take {fact_patterns.MEDICINE}\b)",
    re.IGNORECASE,
)
_ILL_BEHIND_CHINESE = re.compile(
    rf"^(?=\W*(?:你好|哈喽|嗨)?[，,\s]*我(?!不对|没有?对)){_OWN}[，,]\s*(?:但是?|可是?|不过|而且|还|也)*(?=(?:从小|天生)?(?:对[^，,。]{{1,8}}|(?![我是])[\u4e00-\u9fff]{{1,4}})过敏(?!原))"
)
_HAS_ILLNESS_BEHIND_CHINESE = re.compile(
    rf"^(?=\W*(?:你好|哈喽|嗨)?[，,\s]*我(?:今年|现在|也|就|一直|平时|一个人)*(?:叫|是|姓|\d|[二三四五六七八九]?十|在|住|吃素|不吃|单身|离异|已婚|退休|做|当|教|开)){_OWN}[，,]\s*(?:但是?|可是?|不过|而且|还|也)*"
    rf"(?=(?:从小|天生|现在)?(?:有(?![点些时人一几两空])|患有?|得了|不能[吃喝碰沾]|(?:乳糖|麸质)不耐|怀孕|怀了|在?吃着?(?={fact_patterns.MEDICINE_CHINESE})))"
)
_KIN_ALLERGIC_BEHIND = re.compile(
    rf"^(\W*我的?(?:{fact_patterns.KIN}))([^，,。我你他她]{{1,14}})[，,]\s*(?:但是?|可是?|不过|而且|还|也)*(?=对[^，,。]{{1,8}}过敏)"
)
_HOME_BEHIND = re.compile(
    r"^(我?[跟和][\u4e00-\u9fff]{2,4}?(?:同居|搬到一起|结婚|领证|合租)了?)[，,]\s*(?=(?:现在|一起)?住)"
)
# "Tom here, 41, divorced"
_HERE = re.compile(r"^(\W*(?:[\w ]{2,14}[.!,]\s)?)((?-i:[A-Z])[a-z]+) here(?=, )", re.IGNORECASE)
_NAMED_AND_AGED = re.compile(
    rf"\b(i(?:'m| am) (?-i:[A-Z])[a-z'-]+, \d{{2}}), (?=(?:and )?{_STATUS}\b|an? {JOB}\b)", re.IGNORECASE
)
# "I'm Zainab, 19, first year at Leeds doing dentistry"
_YEAR_BEHIND = re.compile(
    r"\b(i(?:'m| am) (?-i:[A-Z])[a-z'-]+,(?: \d{2},)?) (?=(?:first|second|third|fourth|final)[- ]year\b)", re.IGNORECASE
)
# "I'm Ollie, barista in Brighton", "im priya, 29, nurse in Hull", "I'm Callum, Scottish, 31, electrician"
_NAMED_AND_WORKING = re.compile(
    rf"\bi(?:'m| am) ([a-z'-]+), ((?:[a-z]+(?:ish|[ei]an|ese), )?(?:\d{{2}}, )?)(?=(?!an? |the |[^,.!?]* (?:and|or) ){JOB}\b)",
    re.IGNORECASE,
)
# "I'm Omar, doing a master's in Manchester"
_NAMED_AND_DOING = re.compile(
    r"\b(i(?:'m| am) (?-i:[A-Z])[a-z'-]+), (?=(?:doing an?|studying|working (?:as|at|for)|living in|based in)\b)",
    re.IGNORECASE,
)
# "The cats are Bartok, Clara and Pudding", "due date is 10 Feb"
_OURS = re.compile(
    r"^(\W*)(?:the )?(?=(?:cats|dogs|kids|children|boys|girls|twins|lads) are (?:called |named )?(?-i:[A-Z])|due date is\b)",
    re.IGNORECASE,
)
# "Been a postie for 22 years", "my girlfriend and I have been together four years"
_BEEN = re.compile(r"^(\W*)been (?=an? \w+ (?:for|since)\b)", re.IGNORECASE)
_AND_I = re.compile(
    r"^(\W*)(?:my (wife|husband|girlfriend|boyfriend|partner|fianc[ée]e?) and i|me and my (\w+))(?=(?:'ve| have) been (?:together|married)\b)",
    re.IGNORECASE,
)
# "two cats, Biscuit and Moon"; "baby name Elif, 8 month"
_HAS_THESE = re.compile(
    r"^(\W*)(?=(?:two|three|four) (?:[a-z]+ )?(?:cats|dogs|kids|children|boys|girls|sons|daughters|sisters|brothers)(?:,|:| -| called| named) (?-i:[A-Z])\w+(?:, (?-i:[A-Z])\w+)*,? and )",
    re.IGNORECASE,
)
_NAME_LEFT = re.compile(
    rf"^(\W*)(?:my )?({fact_patterns.RELATIVE}|baby|cat|dog) name(?:d)? (?=(?-i:[A-Z])[a-z]+)", re.IGNORECASE
)
# "I'm Marcus. Freelance illustrator, based in Glasgow."
_NAMED_FIRST = re.compile(
    rf"\b((?:i'm|i am|my name's|my name is) (?-i:[A-Z])[\w'-]+)[.!] (?=(?:(?:{JOB})\b|(?:originally )?from (?-i:[A-Z])|(?:living|based) in )[^.!?]*(?:[.!]|$))",
    re.IGNORECASE,
)
_OF_STATUS = re.compile(
    rf"^(\W*i(?:'m| am) {_STATUS})(?: (?:last|since|in|for) [\w ]{{2,16}})?, .{{20,}}$", re.IGNORECASE
)
_AGED_CHINESE = re.compile(
    r"(我(?:今年|已经|都)*(?:\d{2}|[二三四五六七八九]?十[一二三四五六七八九]?)岁?了?)[，,]\s*(?=有[一两二三]?个|在[\u4e00-\u9fff]|是[一个]|做[\u4e00-\u9fff]|单身|离[了异婚]|未婚|已婚|退休|老伴|老[公婆])"
)
# "Margaret, that's my wife, had an operation"
_BESIDE_NAME = re.compile(
    rf"\b((?!(?-i:Hi|Hey|Hello|So|Well|And|Yes|No|Oh|Ok)\b)(?-i:[A-Z])\w+), (?:that's |who's |who is )?my ((?:{fact_patterns.LOVE})),",
    re.IGNORECASE,
)
# 药也换了，现在吃缬沙坦; 我有点抑郁，在吃舍曲林
_NOW_TAKES = re.compile(
    rf"(?<=药换了|也换了|又换了)[，,]\s*(?=现在吃)|[，,]\s*(?=(?:现在|一直|目前|每天|每晚|早上|晚上|空腹|饭前|饭后|睡前)*在?吃(?:着)?{fact_patterns.MEDICINE_CHINESE})"
)
# 叫我阿泽就行，坐标成都: what follows is the user's, too.
_CALL_ME = re.compile(
    r"^\W*(?:你?就|你可以|大家都|朋友都)?叫我([\u4e00-\u9fffA-Za-z]{1,6}?)(?:就行|就好|就可以|即可|吧|好了)?了?[，,](?=\S)"
)
# "Mum works nights" is of the user's.
_MUM = re.compile(
    r"^(\W*)(mum|mom|mam|dad|nan|gran|grandma|grandad|grandpa)(?=(?:'s| is| works| has| lives| used to) )",
    re.IGNORECASE,
)
_LIVES_AT = re.compile(r"(^|[，,。\s])坐标(?:是?在|是|[:：])?\s*(?=[\u4e00-\u9fff])")
_CHILD_BEHIND = re.compile(
    r"[，,]\s*(?=(?:儿子|女儿|闺女|孩子|老大|老二)(?:今年|刚|在|也)*(?:上|读|念)(?:幼儿园|小学|初中|高中|大学|[小初高大][一二三四五六]))"
)
_SINGLE = re.compile(r"^我?(?:还是?|一直|目前|现在)*单身[，,。\s]+我?(?=养|有|一个人|在|住|[跟和])")
# 程序员一枚
_ONE_OF = re.compile(rf"^(?:我是)?({slots.HAN_JOB})一枚(?=[，,。！\s]|$)")
# What is asked behind it is another sentence: 阿楠12月12号生日，帮我想想送什么.
_ASKED_BEHIND = re.compile(r"[，,]\s*(?=你?帮我)")
# A line of its own that leaves out who: 老家是潮汕的, 有个儿子.
_SUBJECTLESS = re.compile(
    rf"^(?=(?:{fact_patterns.KIN}|孙[女子]|外孙女?)(?:叫(?![我你他她])|在(?:{CITIES})|[\u4e00-\u9fff]{{0,3}}?今年)|(?:老[大二三]|[大小][儿女][子儿])(?:叫(?![我你他她])|是(?:男孩|女孩|儿子|女儿))|{fact_patterns.BODY_PART}(?:一直|也|都|最近)*不太?好(?=[，,。]|$)|(?:血压|血糖|血脂|尿酸)(?:一直|也|有点|偏|很|比较)*高|产后抑郁|有(?:点|些|轻度|中度|重度)?(?:产后抑郁|抑郁症|焦虑症|[\u4e00-\u9fff]{{1,4}}(?:炎|结节))(?=[，,。]|$)|(?:刚刚?|最近|上周|上个?月|去年|今年)*(?:查出来?|确诊)|{fact_patterns.KIN}对[\u4e00-\u9fff]{{1,8}}过敏|老家(?:是|在|(?={CITIES}|{PROVINCES}))|[周虚]岁|今年(?:\d{{2}}|[二三四五六七八九]十[一二三四五六七八九]?)(?=[，,岁]|$)|吃的药(?:是|叫)|现在(?:是|当|做)(?=[\u4e00-\u9fff]{{2,6}}(?:[，,。]|$))|预产期|住在|每[天周晚](?:早上|晚上|下午|中午|都|[一二三四五六日天])*(?:去|打|跑|跳|练|学|补|游|遛)|在(?:{CITIES})(?:读书|上学|上班|工作|念书|打工)|平时就?(?:爱|喜欢)|家里(?:养|有)|有(?:个|一个|两个)(?:儿子|女儿|弟弟|妹妹|哥哥|姐姐|孩子)(?![说跟问来给在加让叫看想])|坐标|养了?[一两三]?[只条个盆]|(?:还|一直|目前|现在)?单身(?=[，,。\s]|$))"
)
_FROM = re.compile(rf"^(?=(?:{CITIES})人(?:[\s，,]|$))")
# "Dan proposed! I said yes", 小杨求婚了，我答应了
_SAID_YES = re.compile(
    rf"\b(?:my (?:{fact_patterns.LOVE})(?:,? (?P<love>(?-i:[A-Z])[\w'-]+))?|he|she|they|(?P<name>(?-i:[A-Z])[\w'-]+)) (?:just |finally |has )*(?:proposed(?: to me)?(?! (?:an?|the|that|we|to)\b)|asked me to marry \w+)\b[^.!?]{{0,40}}?[.!?,]*\s*(?:and |so |of course )*i said yes\b"
    r"|\bi (?:just |finally )?(?:proposed to (?P<her>(?-i:[A-Z])[\w'-]+|her|him)|asked (?P<whom>(?-i:[A-Z])[\w'-]+|her|him) to marry me)[^.!?]{0,30}?[.!?,]*\s*(?:and )?(?:she|he|they) said yes\b"
    r"|(?:(?P<han>(?![我你他她])[\u4e00-\u9fff]{2,3}?)|[他她]|我?(?:[男女]朋友|对象))(?:今天|昨[天晚]|刚刚?|终于|突然|居然)*(?:[跟和向对]我)?求婚了?[啦！!，,。\s]*我(?:就|当场|马上|当然|也)*(?:答应|同意)了?",
    re.IGNORECASE,
)
# What follows the thing itself: "vegetarian, so no steak please", "swimming to kids, mostly small ones", "dementia, it's been hard".
_TAIL = re.compile(
    r"(?:,? (?:tho|though))?(?<!^right)(?<!^ok)(?<!^okay)(?<!^well),? so (?=no\b|please|excuse|sorry|forgive|bear with|i\b|we\b|don't|that\b|it\b|(?:[\w']+ ){1,3}(?:is|are|isn't|aren't|can|will|gets?)\b).*$|,? (?:tho|though)\W*$|,? (?:though|although) (?:it|i|he|she|they|we)\b.*$|,? but they\b.*$|\s*[:;]-?[)(DP]+\W*$|,? and i (?:really |do |still )?(?:miss|love|hate|need|regret) (?:it|them|that)(?: \w+){0,3}\W*$|, (?:i've )?had (?:it|them|him|her|one) (?:since|for)\b.*$|, (?:it )?keeps (?:me|us) [a-z]+\W*$|, (?:mostly|mainly|which|(?:please )?help me|who|never (?:have|did)|not that|as you|like you|(?:and |but |honestly |so )?(?:it|that)(?:'s|'ll)?)\b.*$",
    re.IGNORECASE,
)
_LIST = re.compile(r"\s+[-–—]\s.*$|:\s.*$", re.DOTALL)
# "got two cats": who is left out.
_GOT = re.compile(
    rf"^\W*(?:i've )?got (?=(?:an?|one|two|three|four|five|six|\d+) (?:[\w-]+ ){{0,2}}?{fact_patterns.OWNED}\b)",
    re.IGNORECASE,
)


def _introduce(match: re.Match[str]) -> str:
    return f"{match[1]}I'm {match[2]}" if match[2].lower() in GIVEN_NAMES - WORDS_TOO else match[0]


def _introduce_at_work(match: re.Match[str]) -> str:
    # The sentences of a message stand in lines of their own.
    is_name = naming.find(lexicon.normalise(match.string[match.start() :].partition("\n")[0])) is not None
    is_name = is_name and (match[1][0].isupper() or match[1].lower() in GIVEN_NAMES - WORDS_TOO)
    beside = "".join(f"I'm {one}. " for one in match[2].split(", ") if one)
    article = "an" if match.string[match.end()].lower() in "aeiou" else "a"
    return f"I am {match[1]}. {beside}I'm {article} " if is_name else match[0]


def _engage(match: re.Match[str]) -> str:
    name = next((match[one] for one in ("love", "name", "her", "whom", "han") if match[one]), "")
    if lexicon.is_chinese(match[0]):
        return f"我订婚了。我对象叫{name}" if name else "我订婚了"
    return f"I'm engaged. My partner is {name}" if name[:1].isupper() else "I'm engaged"


# What is left out, written: in this order.
_REWRITTEN = (
    (_CALL_ME, r"我叫\1，"),
    (_SAID_YES, _engage),
    (_ONE_OF, r"我是\1"),
    (_MUM, r"\1my \2"),
    (_HERE, _introduce),
    (_NAMED_AND_WORKING, _introduce_at_work),
    (_NAMED_AND_AGED, r"\1. I'm "),
    (_YEAR_BEHIND, r"\1. I'm "),
    (_NAMED_AND_DOING, r"\1. I'm "),
    (_OURS, r"\1my "),
    (_HAS_THESE, r"\1I have "),
    (_NAME_LEFT, r"\1my \2's name is "),
    (_BEEN, r"\1I've been "),
    (_AND_I, r"\1I and my \2\3"),
    (_LIKED, r"\1"),
    (_LIKED_ENGLISH, r"\1"),
    (_NEW_WORK, r"\1。我"),
    (_CHILD_REACTS, r"\1\2。\1"),
    (_PRESCRIBED, r"\1。我在吃"),
    (_NEW_MEDICINE, r"我在吃\1"),
    (_AT_HOME, r"\1。我"),
    (_FOUND, r"\1. I have "),
    (_FOUND_CHINESE, r"\1。我有"),
    (_OTHER_EATER, ". "),
    (_IS_ILL_BEHIND, r"\1. I'm "),
    (_HAS_ILLNESS_BEHIND, r"\1. I "),
    (_ILL_BEHIND_CHINESE, r"\1。我"),
    (_HAS_ILLNESS_BEHIND_CHINESE, r"\1。我"),
    (_KIN_ALLERGIC_BEHIND, r"\1\2。\1"),
    (_CAN_NOW, ""),
    (_AGE_BEHIND, r"\1。我今年\2岁"),
    (_HOME_BEHIND, r"\1。我"),
    (_LIVES_AT, r"\1我住在"),
    (_CHILD_BEHIND, "。我"),
    (_SINGLE, "我单身。我"),
    (_TOWN_BEHIND, r"\1。我住在"),
    (_SUBJECT_BEFORE, r"\1。我"),
    (_NOW_TAKES, "。我"),
    (_ASKED_BEHIND, "。"),
)

# "I live in Leeds with my boyfriend Jake" tells two things, one of which may end.
_ALSO_NOT = re.compile(r"(?P<mark>[。！!])\s*也(?=不[吃喝能会])")
_LIVES_WITH = re.compile(
    rf"\b((?:i|we) live (?:in|near|at) (?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)*) with my ((?:{fact_patterns.LOVE}),? (?-i:[A-Z])[\w-]+)(?=\W*$|,| and\b)",
    re.IGNORECASE,
)


def separate(text: str) -> str:
    """Set a full stop where a clause ends without one."""
    plain = lexicon.normalise(text)
    text = _NAMED_FIRST.sub(r"\1, ", _BESIDE_NAME.sub(r"My \2 is \1. \1", plain)).replace("我俩", "我们")
    text = _ALSO_NOT.sub(r"\g<mark>我", text) if text.startswith("我") else text
    text = _LIVES_WITH.sub(r"\1. I live with my \2", text)
    for pattern, written in _REWRITTEN:
        text = pattern.sub(written, text)
    return _AGED.sub(r"\1 \2. \1 ", _AGED_CHINESE.sub(r"\1。我", text))


# Why one does not eat something is no part of it, nor what stands beside it: 叫豆豆哈哈.
_REASON = re.compile(r",? because\b.*$|[，,]\s*(?:因为|由于|毕竟).*$", re.IGNORECASE | re.DOTALL)
_BARRED = re.compile(
    rf"\W*i {fact_patterns.CANNOT_EAT}|我(?:自己|也|从来|从小|一直)*(?:不|不能)[吃喝碰]", re.IGNORECASE
)
_BESIDE = re.compile(r"(?<=[\u4e00-\u9fffA-Za-z])(?:哈{2,}|嘿嘿+|嘻嘻+|呢|啦)(?=[\s。！!~～]*$)")


def trim(statement: str, *, longest: int) -> str:
    """Return one statement with its subject and without what follows the thing itself, of a longer one what its list is of."""
    statement = naming.BARE_AGED.sub(r"I'm \g<name>, ", statement) if naming.find(statement) else statement
    statement = _BESIDE.sub("", _REASON.sub("", statement) if _BARRED.match(statement) else statement)
    said = _OF_STATUS.sub(r"\1", _SUBJECTLESS.sub("我", _FROM.sub("我是", statement)))
    # "three children - Anne in Toronto, Mark in Leeds, ..."
    said = said if len(said) <= longest else _LIST.sub("", said)
    return _TAIL.sub("", clauses.add_speaker(_GOT.sub("I have ", said)))
