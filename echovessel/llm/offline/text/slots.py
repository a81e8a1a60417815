"""Reads the value of a slot from a line: what a person has one of at a time, such as a name, a home, a job."""

from functools import cache
from itertools import chain
from types import ModuleType

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese.vocabulary import CITIES
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.english.vocabulary import JOB
from echovessel.llm.offline.text import lexicon, naming, passages

LONGEST_VALUE = 80

_ME = r"(?:i|the user)"
_AM = r"(?:i'm|i am|the user is)"
_MY = r"(?:my|the user's)"
_SOON = r"(?: (?:also|now|still|currently|actually|just|only|really|always))?"
# A name of a place or an organisation: one to three words with capitals, "of", "upon" and "the" between them.
_NAME = r"(?>(?-i:[A-Z\u00c0-\u00de][\w'.&-]*(?: (?!(?:and )?I\b|(?:on )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?:(?:of|upon|on|de|la|the|and|&) )?[A-Z\u00c0-\u00de][\w'&-]*){0,2}))(?! (?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?:of |the )?(?-i:[A-Z])(?!\\b))"
_NAME_OR_HAN = rf"(?P<value>{_NAME}|[\u4e00-\u9fff]{{2,8}})"
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DAY = r"(?:the )?\d{1,2}(?:st|nd|rd|th)?"
DATE = rf"(?:{_MONTH}\.? {_DAY}(?:,? \d{{4}})?|{_DAY} (?:of )?{_MONTH}(?:,? \d{{4}})?|\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}}[./]\d{{1,2}}(?:[./]\d{{2,4}})?)"
_WORKPLACE = (
    r"(?:\w+ )?(?:shop|store|bakery|caf[eé]|restaurant|bar|pub|hotel|hospital|clinic|surgery|practice|pharmacy|"
    r"school|nursery|university|college|library|museum|gallery|theatre|bank|office|factory|warehouse|garage|garden cent(?:re|er)|farm|brewery|supermarket|start-?up|law firm|agency|studio|salon|care home|call cent(?:re|er)|council|post office|(?:petrol|gas|police|fire) station|[a-z]+ firm|building site|nursing home|dental practice)"
)
_DWELLING = r"(?:room|flat|house|place|studio|bedsit|cottage|apartment|bungalow|houseboat|maisonette|terrace|semi|loft)"
_LOVE = r"(?:wife|husband|girlfriend|boyfriend|partner|fianc[ée]e?|spouse|bf|gf)"
_WITH = r"(?: together| alone| on (?:my|our) own| with (?:my|our) [\w' -]{2,24}?)?"
_ENGLISH = (
    ("full_name", rf"\b{_MY} full name(?:'s| is) (?P<value>{_NAME})"),
    ("pronouns", rf"\b(?:{_MY} pronouns are|{_ME} (?:uses?|go(?:es)? by|prefers?)) (?:the )?(?P<value>(?:she|he|they|xe|ze|it|any)(?:/\w+){{1,2}})"),
    ("pronouns", rf"\b{_MY} pronouns are (?P<value>(?:she|he|they)(?: (?:and|or) \w+)?)"),
    ("birthday", rf"\b{_MY} birthday(?:'s| is)?(?: on|(?: in)? [\w ]{{2,12}},)? (?P<value>{DATE})"),
    ("birthday", rf"\b(?:{_ME} was|i've been) born on (?P<value>{DATE})"),
    ("home", rf"(?<!where )\b(?:i|we|the user){_SOON} lives?{_WITH} (?:in|at|near)(?: the)? {_NAME_OR_HAN}"),
    ("home", rf"\b(?:i'm|we're)(?: (?:out|over|up|down|back))? in {_NAME_OR_HAN} now\b"),
    ("home", rf"\b(?:i|we)(?:'ve| have) been(?: living)? in {_NAME_OR_HAN} (?:since (?:19|20)\d\d|for \w+ years)\b"),
    ("home", rf"\b{_AM}{_SOON} (?:based|living|settled) (?:in|near)(?: the)? {_NAME_OR_HAN}"),
    ("home", rf"\b(?:i|we)(?:'ve| have)(?: now| finally)? settled (?:in|at|near)(?: the)? {_NAME_OR_HAN}"),
    ("home", rf"\b(?:i|we|the user)(?:'ve| have| has)?{_SOON}(?: recently| finally)? (?:moved|relocated)(?: back| house| home| over| down| up| out| across| from {_NAME})* to {_NAME_OR_HAN}"),
    ("home", rf"\b(?:i|we|the user)(?:'ve| have| has)?{_SOON}(?: recently| finally)? moved (?:back )?in (?:together|with [\w' -]{{1,40}}?) in(?: the)? (?!{_MONTH}\b){_NAME_OR_HAN}"),
    ("home", rf"^\W*(?:my )?home(?:'s| is)(?: now)?(?: (?:an?|the|our) [\w' -]{{2,30}}?)?(?: in| on| at| near)* {_NAME_OR_HAN}"),
    ("home", rf"\b(?:i|we)(?:'ve| have)?{_SOON}(?: all)? (?:ended up|wound up|washed up|landed)(?: living)? in {_NAME_OR_HAN}"),
    ("home", rf"\b(?:i|we)(?:'ve| have)?{_SOON} (?!share (?:an?|the) studio\b)(?:have|got|rent|own|bought|f(?:ou|i)nd|took|taken|share)(?: myself| ourselves)? (?:(?:an?|the|my own|our own|our first) |(?!(?:an?|the|my|our)\b))(?!(?:holiday|second|summer|hotel|meeting|spare)\b)(?:[\w-]+ ){{0,2}}?{_DWELLING}(?: of (?:my|our) own)?,? (?:(?!booked\b|to\b)[\w ]{{1,15}} )?(?:in|on) {_NAME_OR_HAN}(?! (?:booked|for))"),
    ("home", rf"\b(?:i'm|we're|that's (?:me|us)|(?:i|we)(?:'ve| have)?(?: just| finally| recently)? moved)(?:\W+[\w' ]{{1,40}}?)? (?:into|moving into|renting|sharing) (?:an?|the|our|my) (?:[\w-]+ ){{0,3}}?{_DWELLING} (?:up |down |over |(?:above|over|near|by|behind|opposite|next to) (?:an?|the|my|our) [\w -]{{2,24}}? )?(?:in|on) {_NAME_OR_HAN}"),
    ("home", rf"\bit's {_NAME_OR_HAN} for (?:me|us) now\b"),
    ("home", rf"\bi'm (?:back )?(?:in|at) my (?:mum|mom|dad|nan|gran|sister|brother|parents|mate)(?:'s?)? (?:[\w' -]{{1,25}} )?in {_NAME_OR_HAN}"),
    ("home", rf"\b{_MY} (?:home|city|town|home town|hometown|village|home city|place of residence)(?:'s| is)(?: now| in| called)* {_NAME_OR_HAN}"),
    ("home", rf"^(?-i:[^A-Z]*)\b(?:(?:i|we){_SOON} live{_WITH} in|(?:i'm|i am){_SOON} (?:based|living) in|(?:i|we)(?:'ve| have)?(?: just| finally| recently)? moved to) (?P<value>(?!the\b|an?\b|my\b|our\b|his\b|her\b|their\b|this\b|that\b|one\b|two\b|different\b|fear\b|peace\b|hope\b|town\b|another\b|bed\b|with\b|work\b|day\b|night\b|it\b|each\b|separate\b|student\b|halls\b|digs\b|temporary\b|strange\b|interesting\b|uncertain\b)(?-i:[a-z]{{3,}}(?: (?!last|this|since|now|with|when|for|and|but|in|by|at|on|as|two|three|a\b)[a-z]{{3,}})?))(?=\W*$|, | (?:last|this|since|now|with|when|for|and|but|in|by|two|three|a)\b)"),
    ("work", rf"\b{_ME}{_SOON} works?(?: (?:nights|days|shifts|part-time|full-time|freelance|remotely|(?:from|at) home))? as (?:an? |the )?(?P<value>[a-z][\w-]*(?: [a-z][\w-]*){{0,2}}?)(?= (?:at|for|in|with|and|on|now|these|nowadays|but|because|from|up|down|out|over|here|there|near|by|under|since|again|part-time|full-time|most|every|all)\b|[.,;!]|$)"),
    ("work", rf"\b{_ME}{_SOON} teach(?:es)? (?P<value>(?:year \w+|maths?|english|french|german|spanish|latin|physics|chemistry|biology|science|history|geography|music|piano|guitar|violin|cello|singing|yoga|pilates|ballet|swimming|art|drama|primary|secondary|reception|nursery)\b(?: (?:and|at|in) [\w ]{{2,24}}?)?)(?=[.,;!]|$| (?:and|but|so|now|for|at|in|from|to)\b)"),
    ("home", rf"\bi{_SOON} (?:works?|teach|write|run) (?:[\w' ]{{1,30}} )?from home in {_NAME_OR_HAN}"),
    ("work", rf"\b{_ME}{_SOON} works?(?: (?:nights|days|shifts|part-time|full-time|weekends|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days(?: and )?)+))? (?:at|for)(?: the)? {_NAME_OR_HAN}"),
    ("work", rf"\b{_ME}{_SOON} works?(?: (?:nights|days|shifts|part-time|full-time|weekends|mornings|evenings))? (?:at|in|for) (?:an?|the) (?P<value>{_WORKPLACE})\b"),
    ("work", rf"\b(?:i|the user)(?:'ve| have)?{_SOON}(?: recently)? (?:started|begun)(?: (?:work|working|a (?:new )?job))? (?:at|in) (?:an?|the) (?!.*\b(?:left|quit|lasted|hated|school|nursery|college|university)\b)(?P<value>{_WORKPLACE})\b"),
    ("work", rf"\b{_ME}{_SOON} (?:manages?|runs?|owns?) (?:an?|the|my own|our) (?P<value>{_WORKPLACE})\b"),
    ("work", rf"\b{_AM}{_SOON} working (?:as (?:an? )?(?P<job>{JOB})|(?:at|for)(?: the)? {_NAME_OR_HAN})"),
    ("work", rf"\b{_AM}{_SOON} (?:an? |the )(?P<value>{JOB})\b(?! of\b| to\b|'s)"),
    ("work", rf"\b{_AM}{_SOON} (?P<value>(?![a-z]+ing (?:an?|the|my)\b)(?-i:[a-z]+ )?(?-i:{JOB}))(?= (?:at|in|on|for) | now\b(?!,)| these days\b)"),
    ("work", rf"\bi'm (?:[\w' ]{{1,30}} )?(?:now|for good)(?: now)?, an? (?P<value>{JOB})\b"),
    ("work", rf"^\W*(?:i've |i have )?been (?:working )?(?:at|in) (?:the|an?) (?P<value>{_WORKPLACE}) (?:since (?:{_MONTH}|last|the|(?:19|20)\d\d)|for \w+ (?:years|months))\b"),
    ("work", rf"^\W*(?:i've |i have )?been an? (?P<value>{JOB}) (?:for|since) "),
    ("work", r"\bi do (?P<value>(?:night|day|early|late|weekend)s?(?: shifts?)? (?:at|in|for) (?:(?:an?|the) )?[\w' -]{2,24}?)(?=[.,;!]|$| (?:and|but|so|which)\b)"),
    ("work", rf"\b{_ME}{_SOON} works? in (?P<value>(?-i:A&E|ER|ICU|HR|IT|PR))\b"),
    ("work", r"\bi do (?P<value>(?:reception|admin|accounts|lighting|sound|costumes|make-?up|stage management|data entry|the accounts|the books|bookkeeping|payroll|security|nights|deliveries|catering|the cleaning|hr|it|pr) (?:at|for|in) (?:an?|the|some) [\w -]{2,30}?)(?=[.,;!]|$| (?:and|but|which|in|on)\b)"),
    ("work", rf"(?:\b(?:i|i've|and) |^\W*|, )(?:just |finally )?got (?:an?|the|my) (?:new )?job (?:at|with|in|for)(?: the| an?)? (?P<value>{_WORKPLACE}|{_NAME})"),
    ("work", rf"\b(?:i|i've|i also) (?:have|got|have got|do|work) (?:an? )?(?:new )?(?:part[- ]?time|full[- ]?time|weekend|saturday|sunday|evening|night|summer) job (?:at|in|with|for)(?: the| an?)? (?P<value>{_WORKPLACE}|{_NAME}|(?!an?\b|the\b|my\b|this\b|that\b|town\b)[a-z]+)"),
    ("work", r"^\W*(?:my )?day job(?:'s| is) (?P<value>[a-z][\w' -]{3,50}?)(?=[.,;!]|$)"),
    ("work", rf"\b(?:took|taken|hired|put) me on(?: full[- ]time| properly)? (?:as (?:an? |the )?(?P<job>{JOB})|(?:at|in) (?:the|an?) (?P<value>{_WORKPLACE}))\b"),
    ("work", rf"\bi{_SOON} works? in (?P<value>(?!(?:an?|the|my|silence|peace|pyjamas|bed|person|town|shifts|groups|pairs|hospital|here|there|\w+ing)\b)[a-z]{{2,}}(?: (?!at|for|and|but|in|on|with|now)[a-z]+)?)(?=[.,;!]|$| (?:and|but|for|at|in|now)\b)"),
    ("work", rf"\b{_MY} (?:new )?(?:job|work|profession|occupation|employer)(?:'s| is)(?: now| at| with| as| an?| that of an?)* (?P<value>{JOB}|{_NAME})"),
    ("partner", rf"\b{_MY} {_LOVE}(?:'s name(?:'s| is)|(?:'s| is)(?: called| named)?) (?P<value>{_NAME})(?! (?:a|an|the|and)\b)"),
    ("partner", rf"\b{_MY} (?:{_LOVE}|other half|hubby|missus),? (?P<value>{_NAME})(?=,|\W*$| (?:and i|(?!died|passed)[a-z]+(?:s|ed))\b)(?!'s)"),
    ("partner", rf"\b(?:live|living|moved in|been) with {_MY} (?:{_LOVE}|other half|hubby|missus),? (?P<value>{_NAME})(?= (?:for|since)\b| and (?:our|my|the|two|three)\b|,|\W*$)"),
    ("partner", rf"^\W*(?:(?:i've|i have|we've) )?been (?:married|engaged) to (?P<value>{_NAME})"),
    ("partner", r"^\W*(?P<value>(?-i:[A-Z])[\w-]+) and i(?:'ve| have| are|'re)?(?: been)?(?: now)? (?:together|married|engaged|a couple|an item)\b(?! (?:at|in|on) the)"),
    ("partner", rf"^\W*(?P<value>{_NAME})(?:, my {_LOVE},| \(my {_LOVE}\))"),
    ("partner", rf"\b{_AM}{_SOON} (?:seeing|going out with) (?P<value>(?!(?:Dr|Mr|Mrs|Ms|Professor)\b){_NAME})(?! (?:again|on|at|tomorrow|later|next|this|about|for))"),
    ("partner", rf"^\W*(?P<value>(?!(?:she|he|it|this|that|who|what|there|here)\b)(?-i:[A-Z])[\w-]+)(?:'s| is) {_MY} {_LOVE}\b(?!'s)"),
    ("partner", rf"\b(?:{_AM}{_SOON} (?:married|engaged) to|{_AM}{_SOON} dating|{_ME} (?:married|got married to|got engaged to)) (?P<value>{_NAME})"),
    ("diet", rf"\b{_AM}{_SOON} (?:an? )?(?:strict |lifelong )?(?P<value>vegan|vegetarian|pescatarian|lacto-vegetarian|flexitarian|fruitarian)\b"),
    ("diet", r"\b(?:i've|i have) been (?:an? )?(?P<value>vegan|vegetarian|pescatarian) (?:for|since)\b"),
    ("diet", rf"\b{_ME}{_SOON} (?:only )?(?:eats?|keeps?)(?: only)? (?P<value>halal|kosher|vegan|vegetarian|gluten-free|plant-based|keto|low-carb)\b"),
    ("diet", rf"\b{_AM}{_SOON} on an? (?P<value>[\w-]+(?: [\w-]+)?) diet\b"),
    ("diet", rf"\b{_MY} diet(?:'s| is)(?: strictly)? (?P<value>vegan|vegetarian|pescatarian|halal|kosher|gluten-free|keto)\b"),
    ("language", rf"\b{_MY} (?:native |first |mother |home |preferred )?(?:language|tongue)(?:'s| is) (?P<value>(?-i:[A-Z])[a-z]+)"),
    ("language", rf"\b{_AM} a native (?P<value>(?-i:[A-Z])[a-z]+) speaker|\b{_AM} a native speaker of (?P<tongue>(?-i:[A-Z])[a-z]+)"),
)  # fmt: skip

# Of whom others want something nothing is told: 非要我搬去深圳住.
_I = r"(?<![让叫劝逼催请喊要])(?:我|用户)"
_SINCE = r"(?:已经|刚刚?|最近|终于|现在|又|去年|今年|上[周个月]+)*"
_PLACE_END = r"(?=了|我|[跟和]|住|定居|[，。！!；;、,.~\s]|$|这边|那边|已经|快|好几|有|上班|工作|生活|来|的时候)"
_HAN_PLACE = r"(?P<value>[A-Za-z][A-Za-z ]{1,30}|[\u4e00-\u9fff]{2,8}?)"
HAN_DATE = r"(?:农历|阴历)[一二三四五六七八九十正冬腊]{1,2}月[初十廿一二三四五六七八九]{1,3}|(?:\d{4}年)?(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号]?|(?:正|冬|腊)月[初十廿一二三四五六七八九]{1,3}"
HAN_JOB = (
    r"(?:[\u4e00-\u9fff]{0,5}(?:护士|医生|大夫|老师|教师|律师|会计|厨师|工程师|设计师|程序员|教授|研究员|记者|编辑|翻译|司机|飞行员|警察|军人|消防员|公务员|"
    r"店员|服务员|快递员|外卖员|骑手|跑腿|保安|保洁|农民|工人|演员|歌手|画家|作家|摄影师|导游|药剂师|咨询师|产品经理|经理|销售|学生|研究生|博士生|大学生|理发师|"
    r"面包师|园丁|花匠|花艺师|木匠|裁缝|咖啡师|调酒师|美容师|按摩师|图书管理员|管理员|护工|店长|班主任|主任|组长|队长|领班|部长|处长|科长|校长|院长|主管|总监|秘书|助理|出纳|导演|编剧|模特|电工|水管工|焊工|矿工|船员|海员|"
    r"法官|检察官|社工|保姆|月嫂|讲师|助教|科学家|艺术家|音乐家|作曲家|博主|"
    r"建筑师|插画师|美甲师|营养师|收银员|网约车司机|兽医|牙医|会计师|分析师|教练|主播|运营|自由职业者|(?<![会成党团队人学])员|(?<![大宗祖])师|匠|飞手|老板))"
)
# What one does there: 在Google做PM, 在腾讯做后端.
_HAN_FIELD = r"(?-i:[A-Z]{2,3})|[前后]端|测试|开发|算法|产品|运维|市场|客服|财务|行政|人事|法务|采购|设计|翻译"
# Characters of the words for others who may be named next: 我老婆在带孩子,闺女叫甜甜.
_OTHERS = "女儿子孩娃妹弟哥姐爸妈爷奶猫狗"
HAN_LOVE = "老婆|媳妇|老公|妻子|丈夫|太太|先生|女朋友|男朋友|女友|男友|对象|爱人|未婚妻|未婚夫|伴侣|另一半"
_CHINESE = (
    ("full_name", rf"{_I}的?(?:全名|全称|大名|真名)(?:是|叫)(?P<value>[\u4e00-\u9fff·]{{2,6}}?|[A-Z][A-Za-z ]{{2,40}})(?=[，。！!；;、,.~\s]|$)"),
    ("pronouns", rf"(?:{_I}的?(?:人称)?代词(?:是|用)|(?:称呼|提到|说到){_I}(?:时|的时候)?(?:请)?用)[“\"「]?(?P<value>TA|ta|[他她它]|[a-z]+(?:/[a-z]+)+)"),
    ("birthday", rf"{_I}的?生日(?:是|在|就是|：|快到了[，,\s]*)?(?:每年)?(?P<value>{HAN_DATE})"),
    ("birthday", rf"{_I}(?:是|出生于|生于)(?P<value>{HAN_DATE})(?:出?生|的生日)?(?=的|[，。！!；;、,.~\s]|$)"),
    ("home", rf"{_I}(?:们)?(?:现在|目前|一直|就|家|还|也|是|自己|一个人)*(?:住在|定居在?|住(?=[\u4e00-\u9fff]))(?!校|院|宿|得|的|了|不|过|着|一起|哪|什么|在哪){_HAN_PLACE}{_PLACE_END}"),
    ("home", rf"{_I}(?:们)?(?:已经|刚刚?|最近|现在|又|终于|最后|后来|总算|前[天几]|上[周个月末底初星期礼拜]+|这[周个月末]+|周末|昨天|去年|今年|[一二三四五六七八九十\d]{{1,2}}月份?|把家|举家|全家|一家[人子]?)*(?:搬家?|迁)(?:了[，,\s]+搬)?(?:到|去|来|回|至)了?(?![^，,。\s]{{0,8}}[去来]?(?:摆|卖|开店|营业|办公))(?:{_HAN_PLACE}){_PLACE_END}"),
    ("home", rf"{_I}(?:们)?(?:一家|全家|一家[人子三四五]口?|后来|最后|已经|刚)*搬(?!家|走|出|进|回|新|砖|东西|到|去|来|至|了|运|过|上|下|不)(?P<value>[\u4e00-\u9fff]{{2,4}}?)了(?=[，。！,]|$)"),
    ("home", rf"(?:^|[，,\s])(?:我)?(?:现在|目前)?(?:家|人)(?:已经|现在|就|都|还)*在{_HAN_PLACE}(?<![上里中边站场院])(?=了|[，。！!；;,.~\s]|$)"),
    ("home", rf"(?:^|(?:走|去世|过世|没)了?[，,\s])(?:我|现在|目前|如今|就|还是)*(?:一个人|自己)(?:在)?住(?:在)?(?!校|院|宿|得|的|了|不|过|着|一起|哪|什么){_HAN_PLACE}{_PLACE_END}"),
    ("home", rf"^(?:现在|一直|就)*住(?:在)?(?!校|院|宿|得|的|了|不|过|着|一起|哪|什么|在){_HAN_PLACE}{_PLACE_END}"),
    ("home", rf"{_I}(?:们)?{_SINCE}(?:租|住)(?:到|下|进)了?(?P<value>[\u4e00-\u9fff]{{2,6}}?)的?[一两三][居室房间套]"),
    ("home", rf"{_I}(?:们)?{_SINCE}在(?P<value>[\u4e00-\u9fff]{{2,6}}?)(?:合|整)?租(?:了|着|的)(?:一?[个间套])?[^，,。]{{0,4}}(?:[一两三][居室房]|房子?|公寓|单间)"),
    ("home", rf"^(?:我们?)?(?:现在|目前)?(?:租的房子?|房子租|住的地方)(?:就)?在(?![漏装修施停拆涨翻搬吵闹响着掉]){_HAN_PLACE}{_PLACE_END}"),
    ("home", rf"{_I}(?:们)?{_SINCE}到{_HAN_PLACE}住了"),
    ("home", rf"{_I}[^，,。她他]{{0,8}}合?租在{_HAN_PLACE}{_PLACE_END}"),
    ("home", rf"^我?[跟和][\u4e00-\u9fff]{{2,4}}?(?:同居|搬到一起)了?[，,]\s*(?:现在|一起)?住在?{_HAN_PLACE}{_PLACE_END}"),
    ("home", rf"{_I}(?:们|现在|目前|一直|自己|一个人|[一两]家[三四五]?口?|[带跟和][^，,。]{{1,8}}){{0,3}}在(?P<value>{CITIES})(?:生活|定居|安家)(?!过)"),
    ("home", rf"(?:^|{_I}|[，,\s](?:现在|目前|人|自己))(?:现在|目前|人|自己)*(?:base|坐标|常驻)(?:是?在|是|[:：])?{_HAN_PLACE}{_PLACE_END}"),
    ("home", rf"{_I}的?(?:家|住处|城市|住的城市|所在地|所在的?城市)(?:现在)?(?:就?在|是){_HAN_PLACE}{_PLACE_END}"),
    ("work", rf"{_I}(?:现在|目前|一直|就|还|也|刚|是)*(?:在|去了?|到)(?:一[家个间])?(?:叫)?(?P<value>[A-Za-z][\w&. -]{{1,30}}?|(?:(?![找换丢])[\u4e00-\u9fff]){{2,8}}?)(?<!新)(?:上[夜白早晚中]?班|工作|任职|就职|当差|打工|实习|兼职)(?!的|吗|过|很|太|好|压)"),
    ("work", rf"{_I}(?:现在|目前|是|就|还|也|刚)*(?:是|[当做干](?:了[^，,。]{{1,4}}[年月])?)(?:一?[名个位])?(?![^，,。]{{0,4}}(?:退役|退休|离休|失业|下岗|待业|离职))(?:[\u4e00-\u9fff]{{2,8}}的)?(?P<value>{HAN_JOB})(?=了|[，。！!；;、,.~\s]|$)"),
    ("work", rf"(?:{_I}(?:现在|目前|一直|就|还|也|刚)*|我(?:叫|是)[^，,。]{{1,12}}[，,\s])在(?P<value>[\u4e00-\u9fffA-Za-z]{{2,12}}?教(?:语文|数学|英语|物理|化学|生物|历史|地理|政治|体育|音乐|美术|科学|书|[一二三四五六七八九]年级|[高初][一二三])[\u4e00-\u9fff]{{0,3}}?)(?=了|[，。！!；;、,.~\s]|$)"),
    ("work", rf"{_I}(?:现在|目前|一直|就|还|也|刚)*在[\u4e00-\u9fffA-Za-z]{{2,12}}?(?:公司|厂|单位|银行|医院|学校|店|酒店)(?:当|做)(?P<value>[\u4e00-\u9fff]{{2,4}}?)(?=了|[，。！!；;、,.~\s]|$)"),
    ("work", rf"{_I}(?:现在|目前|一直|就|还|也|刚)*在[\u4e00-\u9fffA-Za-z]{{2,12}}?(?:当|做)(?:一?[名个位])?(?P<value>{HAN_JOB})(?=了|[，。！!；;、,.~\s]|$)"),
    ("work", rf"{_I}(?:现在|目前|是|就|还|也)*(?P<value>(?:开(?!玩笑|心|始|会|门|窗)|跑|卖(?!萌|力)|修)[\u4e00-\u9fff]{{1,4}})的(?=了|[，。！!；;、,.~\s]|$)"),
    ("work", rf"{_I}(?:现在|目前|如今|已经)+在(?P<value>[\u4e00-\u9fff]{{2,6}}?)(?:里|给人)?(?:打工|打菜|干活|帮厨|看店|帮忙)"),
    ("work", rf"{_I}(?:现在|目前|如今|已经)+开(?:了|着)?(?:一?[家个间])?(?P<value>[\u4e00-\u9fff]{{1,5}}(?:店|馆|铺|厂|公司))"),
    ("work", rf"(?:^|{_I}|我(?:叫|是)[^，,。]{{1,12}}[，,\s])(?:现在|如今|[今明]年|下(?:个?月|赛季|学期)|[一二三四五六七八九十]{{1,2}}月份?)*(?:去了?|到了?|在)(?:一?[家个间](?=小?公司|店|企业|单位|机构|医院|学校|工厂))?(?P<value>(?:[\u4e00-\u9fff]{{2,8}}|[A-Za-z][\w&.-]{{1,20}})(?:当|做)(?:{HAN_JOB}|{_HAN_FIELD}))(?=了|[一二两三四五六七八九十几半\d]+[个多]*(?:年|月)|的(?=[，。,\s]|$)|[，。！!；;、,.~\s]|$)"),
    ("work", rf"{_I}的?(?:工作|职业|职位)(?:现在)?是(?:一?[名个位]|做|当)?(?P<value>[\u4e00-\u9fffA-Za-z]{{2,10}}?)(?=了|[，。！!；;、,.~\s]|$)"),
    ("work", rf"{_I}(?:已经|刚刚?|最近|终于)*(?:跳槽|换工作|调)(?:到|去)了?(?P<value>[A-Za-z][\w&. -]{{1,30}}?|[\u4e00-\u9fff]{{2,8}}?)(?=了|上班|工作|[，。！!；;、,.~\s]|$)"),
    ("work", rf"{_I}(?:现在|一直|也|是)*做(?P<value>(?!什么|啥|出|梦|好|过|这|那|错|主|你|他|她|了|饭|人)[\u4e00-\u9fffA-Za-z]{{2,8}}?)的(?=[，。！!；;、,.~\s]|$)"),
    ("work", rf"{_I}(?:已经|刚刚?|最近|终于)*换到了?(?:一[家个])?(?P<value>[\u4e00-\u9fff]{{2,6}}(?:公司|医院|学校|银行))"),
    ("work", rf"{_I}(?:已经|刚刚?|最近|终于)*入职了?(?P<value>[A-Za-z][\w&. -]{{1,30}}?|[\u4e00-\u9fff]{{2,8}}?)(?=了|[，。！!；;、,.~\s]|$)"),
    ("partner", rf"^(?:(?:我?(?:脱单|谈恋爱|有对象|结婚|订婚)了|(?:新|现在的))[，,\s]*)?(?:{HAN_LOVE}|老伴)叫(?P<value>(?![我你他她])[\u4e00-\u9fff]{{2,3}}?)(?=[，。！!；;、,.~\s]|$)"),
    ("partner", rf"{_I}[跟和](?:{HAN_LOVE})?(?!{HAN_LOVE}|老伴|[我你他她它]|前|同学|朋友|同事)(?P<value>[\u4e00-\u9fff]{{1,3}}?)(?:在一起|结婚|恋爱|谈|同居)(?:都|已经|快|了)*[一二三四五六七八九十\d两半]+[个多]*[年月]"),
    ("partner", rf"{_I}的?(?:{HAN_LOVE})(?:的名字)?(?:叫做?|名叫|名字是|是叫)(?P<value>[A-Z][A-Za-z]+|(?![我你他她])[\u4e00-\u9fff]{{2,4}}?)(?=[，。！!；;、,.~\s]|$)"),
    ("partner", rf"{_I}(?:[跟和]我?)?的?(?:{HAN_LOVE})[^。！!?？，,她他{_OTHERS}]{{0,8}}[，,\s][^。！!?？{_OTHERS}]{{0,8}}?(?<![你我])叫(?P<value>(?![我你他她])[\u4e00-\u9fff]{{2,3}}?)(?=[，。！!；;、,.~\s]|$)"),
    ("partner", rf"(?:^|{_I}的?)(?:{HAN_LOVE}|老伴)(?P<value>(?!曾经|原来|原先|原本|以前|之前|从前|刚刚|最近|当年|已经|一直|平时|本来|[我你他她是叫在说姓不也都就还真又去来有没给跟和对让要想做老今明昨现])[\u4e00-\u9fff]{{2,3}}?)(?=(?:现在|也|平时)*(?:是[\u4e00-\u9fff]{{0,6}}(?:师|员|工|医生|护士|老师|会计|司机|经理|警察)|在[\u4e00-\u9fffA-Za-z]{{1,10}}(?:上班|工作|读书|上学|读[博研硕]士?|实习|创业|当兵|打工|[做当][\u4e00-\u9fffA-Za-z]{{2,6}}))(?=[了，。,\s]|$))"),
    ("diet", rf"{_I}(?:现在|一直|平时|是|只|都|已经)*(?P<value>吃素|素食者|纯素|素食主义者|严格素食|全素|吃清真|清真饮食|生酮饮食|吃生酮|无麸质饮食|低碳饮食)"),
    ("language", rf"{_I}的?(?:母语|第一语言)(?:就)?是(?P<value>[\u4e00-\u9fff]{{2,5}}?)(?=[，。！!；;、,.~\s]|$)"),
)  # fmt: skip
# How a beginning is told outright.
_HAVE = r"(?:'ve| have| has| was|'s)?(?: just| finally| recently| now| also)*"
_JOB_FOUND = r"(?:started|began|found|got|landed|took|accepted)(?: an?| the| my)?(?: new)? (?:job|position|role)"
_NO_EMPLOYER = r"(?:moment|weekends?|end|beginning|start|time|same|last|age|morning|evening|summer|winter|spring|autumn|new year|week|month|year|hurry|good|bad|nick)\b"
_NEW_JOB = (
    rf"(?:{_JOB_FOUND}(?: working)?|(?:switched|changed) (?:jobs|careers?|over)(?: and (?:started|began))?|"
    r"(?:started|began|switched)(?: out| over| work| working)?(?: to)?|(?:been |got )?hired|retrained)"
)
_NEW_WORK = (
    r"(?:换了?(?:一?[份个家])?新?(?:工作|单位|公司)|找到了?(?:一?[份个])?新?工作|跳槽|辞职|离职)了?[，,\s]\s*(?:现在)?"
)
_ENGLISH_STARTS = (
    ("work", rf"\b{_ME}{_HAVE} {_NEW_JOB}(?: as| being) an? (?P<value>{JOB}|[a-z][\w-]*(?: [a-z][\w-]*){{0,2}}?)(?=[.,;!]|$| (?:last|this|at|for|in|on|with|and|today|yesterday|now|because|so)\b)"),
    ("work", rf"\b{_ME}{_HAVE} {_NEW_JOB} (?:at|with|for|to)(?: the)? (?P<value>(?-i:[A-Z])[\w'&-]*(?: (?-i:[A-Z])[\w'&-]*){{0,2}})(?=[.,;!]|$| (?:last|this|as|in|on|and|today|yesterday|now|two|a)\b)"),
    ("work", rf"\b{_ME}{_HAVE} {_JOB_FOUND} (?:at|in|with) (?:the|an?) (?P<value>(?!{_NO_EMPLOYER})[a-z][\w-]*(?: (?!last|this|today|yesterday|instead|now|too)[a-z][\w-]*)?)(?=[.,;!]|$| (?:last|this|as|in|on|and|today|yesterday|now|two|a|instead|too)\b)"),
    ("work", rf"^\W*(?:{_ME}{_HAVE} )?(?:just |finally )?(?:started|starting)(?: work(?:ing)?)? (?:at|in) (?:an?|the) (?P<value>{_WORKPLACE})\b"),
    ("work", rf"\b{_ME}{_HAVE} became (?:an? |the )(?P<value>{JOB})\b(?! of\b| to\b|'s)"),
    ("work", rf"\bmade me (?:an? |the )?(?P<value>{JOB})\b"),
    ("work", rf"\b{_ME}(?:'ve| have| has|'s)?(?: just| recently| finally)? (?:been |got |was |were )?(?:promoted to|made) (?:an? |the )?(?P<value>{JOB})\b"),
)  # fmt: skip
_CHINESE_STARTS = (
    ("work", rf"{_I}{_SINCE}(?:升职|升|被提拔|晋升)(?:为|成|到|做|当)?了?(?P<value>{HAN_JOB}|[\u4e00-\u9fff]{{0,4}}(?:护士长|副?总|合伙人|[副主]任医师|店长))(?=了|[，。！!；;、,.~\s]|$)"),
    ("work", rf"(?:^|{_I})(?:{_SINCE}|周[一二三四五六日天])*(?:开始|正式)(?:去|在|到)(?P<value>[\u4e00-\u9fff]{{2,8}}?)(?:上班|工作)"),
    ("work", rf"{_I}{_SINCE}(?:改行|转行)去?(?:当|做|成为?)了?(?:一?[名个位])?(?P<value>{HAN_JOB})"),
    ("work", rf"{_I}{_SINCE}(?:当上|成为|当了|做了)了?(?:一?[名个位])?(?P<value>{HAN_JOB})(?=了|[，。！!；;、,.~\s]|$)"),
    ("work", rf"{_I}{_SINCE}{_NEW_WORK}(?:(?:在|去了?|到)(?P<value>[A-Za-z][\w&. -]{{1,30}}?|[\u4e00-\u9fff]{{2,8}}?)(?:上班|工作|任职|就职|(?=了|[，。！!；;,.~\s]|$))|(?:是|做|当)(?:一?[名个位])?(?P<job>{HAN_JOB}))"),
    ("home", rf"{_I}(?:们)?{_SINCE}(?:去|来|到|在)了?{_HAN_PLACE}(?:定居|落户|安家)"),
)  # fmt: skip

_NO_VALUES = re.compile(
    r"^(?:i|a|an|the|my|this|that|here|there|it|god|hell|paradise|fear|hope|peace|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$"
    r"|^[一二三四五六七八九十\d]+[楼层号]|^(?:沙发|客厅|房间|卧室|阳台|隔壁|楼[上下]|[河海江湖路]边|外面|里面|一[起个楼直]|桌|床|[这那哪他她它别另你]|前面|后面|旁边|角落|窗|工位|一间|几|单位|公司(?:里|附近)?$|学校(?:里|附近)?$|"
    r"宿舍$|[前后左右首末]排|第.{1,2}[排桌座行列]|最[前后]|家里?$|办公室|新家$|新房|老家$|出租屋|自己|对面|顶楼|[东西南北]边|哪|[\u4e00-\u9fff]*(?:衣|被窝|被子)里?$|城里$|乡下$|郊区$|市区$|国外$|外地$|网上$|线上$|酒店|旅馆|医院(?:里|住)?$|朋友家|爸|妈|父母|奶|外婆|姐|哥|弟|妹|同学|朋友)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|no longer|used to|if|wish|when i was|would|could|might)\b|n't\b|不是|没有?|不再|以为|以前|曾经|小时候|如果|(?<![目眼])前\W*$|(?<![主只])要是|当年|那时|想(?=当|做|住|去|搬)",
    re.IGNORECASE,
)
# Beside a value: it was then, or would be.
_THEN = re.compile(
    r"\b(?:years? ago|ago|as a (?:child|kid|boy|girl|teenager|student)|back then|at the time|in (?:19|20)\d\d|until|when i was|for a (?:while|week|month|year)|for (?:two|three|six|\d+) (?:days|weeks|months)|next (?:week|month|year))\b"
    r"|年前|那年|那时候|当时|小时候|(?:19|20)\d\d年(?!\d{1,2}月)|直到|一阵子|几[天周个]|下[周个]|明年",
    re.IGNORECASE,
)
# What began so lately goes on.
_LATELY = re.compile(
    r"\b(?:an?|one|two|three|four|\d+|a few|a couple of) (?:days?|weeks?|months?) ago\b|[一两三四几\d]+(?:天|周|个月|个星期)前"
)
_NEAR = 30

# The words by which somebody speaks of a slot: "my job".
_CALLED = {
    "preferred_name": r"name|名字",
    "full_name": r"full name|全名",
    "pronouns": r"pronouns|代词",
    "birthday": r"birthday|date of birth|生日",
    "home": r"address|home|city|town|where i live|地址|住址|住哪|住处|城市",
    "work": r"job|work|profession|occupation|where i work|工作|职业",
    "partner": r"partner|wife|husband|boyfriend|girlfriend|老婆|老公|男朋友|女朋友|对象|伴侣",
    "diet": r"diet|饮食",
    "language": r"(?:native |first )?language|母语",
}
_NAMES_OF_SLOTS = [
    (slot, re.compile(rf"^(?:my |the |我的?)?(?:{words})$", re.IGNORECASE)) for slot, words in _CALLED.items()
]


def find_named(words: str) -> str:
    """Return the slot that these words name: "my job" is work; "" for other words."""
    return next((slot for slot, pattern in _NAMES_OF_SLOTS if pattern.match(words.strip())), "")


def read_slot(text: str) -> tuple[str, str] | None:
    """Return the slot that a statement of or about the user fills, and its value of at most 80 characters."""
    plain = lexicon.normalise(text)
    if passages.is_question(plain):
        return None
    if called := naming.find(plain):
        return "preferred_name", called.name[:LONGEST_VALUE]
    return read_start(text) or _read(plain, of_starts=False)


def read_start(text: str) -> tuple[str, str] | None:
    """Return the slot and the value that a statement says have begun: "I started a new job as a baker"."""
    return _read(lexicon.normalise(text), of_starts=True)


def _read(plain: str, *, of_starts: bool) -> tuple[str, str] | None:
    patterns = (_compile(words, of_starts=of_starts) for words in lexicon.list_vocabularies(plain))
    for slot, pattern in chain.from_iterable(patterns):
        for match in pattern.finditer(plain):
            if value := _read_value(match, plain, slot):
                return slot, value
    return None


@cache
def _compile(words: ModuleType, *, of_starts: bool) -> list[tuple[str, re.Pattern[str]]]:
    # When the first text is read: it takes a quarter of a second, and most programs read none.
    starts, states = (_ENGLISH_STARTS, _ENGLISH) if words is english else (_CHINESE_STARTS, _CHINESE)
    return [(slot, re.compile(pattern, re.IGNORECASE)) for slot, pattern in (starts if of_starts else states)]


def read_slots(line: str) -> list[tuple[str, str]]:
    """Return the slots of each statement of a line."""
    found = (read_slot(statement) for statement in passages.split_statements(line))
    return [one for one in found if one]


def _read_value(match: re.Match[str], plain: str, slot: str) -> str:
    groups = match.groupdict()
    value = next((groups[name] for name in ("value", "job", "tongue") if groups.get(name)), "").strip(" .'\"")
    before = re.split(r"[,;，；]", plain[max(0, match.start() - _NEAR) : match.start()])[-1]
    around = match.group() + plain[match.end() : match.end() + _NEAR]
    if not value or len(value) > LONGEST_VALUE or _NO_VALUES.search(value):
        return ""
    if _NEGATED.search(before) or _NEGATED.search(match.group()) or passages.is_reported(before):
        return ""
    if slot in ("home", "work", "partner") and _THEN.search(_LATELY.sub("", before + around)):
        return ""
    return value
