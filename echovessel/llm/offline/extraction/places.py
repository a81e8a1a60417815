"""Finds places and organisations by their names and by what one does there: "drove to Limerick", "lunch at Nando's", 考上了武汉大学."""

from collections.abc import Iterator

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese.vocabulary import CITIES, PROVINCES
from echovessel.llm.offline.english.vocabulary import GIVEN_NAMES
from echovessel.llm.offline.text import lexicon

_CAPITAL = r"[A-Z\u00c0-\u00de][\w'’&-]*"
_NAME = rf"(?P<name>(?!I['’]|I\b){_CAPITAL}(?: {_CAPITAL}){{0,2}})"
# Chains and employers that people name without saying what they are.
_CHAINS = (
    r"Greggs|Nando['’]?s|Tesco['’]?s?|Asda|Lidl|Aldi|Morrisons?|Sainsbury['’]?s|Waitrose|Boots|Primark|I[Kk][Ee][Aa]|Argos|Amazon|Google|Microsoft|Starbucks|Costa|McDonald['’]?s|KFC|Burger King|Pizza Hut|Pizza Express|Domino['’]?s|Subway|"
    r"(?:Wether)?[Ss]poons?|Marks (?:and|&) Spencers?|M&S|John Lewis|Debenhams|B&Q|Homebase|Wickes|Screwfix|Halfords|Currys|Barclays|Lloyds|NatWest|HSBC|Santander|Vodafone|BT|Royal Mail|the NHS|NHS|BBC|DHL|UPS|FedEx|Uber|Deliveroo|Walmart|Costco|"
    r"Walgreens|CVS|Home Depot|Best Buy|Chipotle|Taco Bell|Wendy['’]?s|Dunkin['’]?(?: Donuts)?|Whole Foods|Trader Joe['’]?s|Nike|Adidas|Zara|H&M|Rolls[ -]Royce|WHSmith|Superdrug|TK Maxx|Poundland|Iceland(?= (?:and|for|to buy|supermarket))"
)
_OF_ORG = r"(?:Hospital|Infirmary|School|College|University|Academy|Church|Cathedral|Bank|Clinic|Surgery|Hospice|Hotel|Inn|Arms|Caf[eé]|Museum|Library|Theatre|Cinema|Nursery|Prison|Care Home)"
_OF_PLACE = r"(?:Park|Street|Road|Avenue|Lane|Beach|Bay|Lake|Castle|Square|Market|Gardens|Airport|Station|Bridge|Island|Zoo|Common|Moor|Forest|Hill|Harbour|Cemetery)"
_MOVES = r"(?:dr[oi]v(?:e|es|ing)|driven|fl(?:y|ew|ies|ying|own|ights?)|mov(?:e|es|ed|ing)|travel\w*|trips?|trains?|bus|coach|ferry|relocat\w+|emigrat\w+|commut\w+|went|go(?:ing|es|ne)?|been|back|head(?:ed|ing)|transferred|honeymoon|holidays?|cycl(?:ed|ing)|sail(?:ed|ing)|invited|way|came|coming|return(?:ed|ing))"
_WORKS = r"(?:work\w*|job|interview\w*|intern\w*|shifts?|apprentice\w*|employed|placement|start(?:s|ed|ing)?|role|contract|redundant|sacked|fired|laid off|promoted)"
_EATS = r"(?:lunch|dinner|breakfast|brunch|coffee|drinks?|table|meal|ate|eat|eating|tea)"
_LANDS = r"(?:land(?:ed|ing|s)|arriv\w+|stay\w*|camp(?:ed|ing)|ashes|scattered|festival|beach|holiday|buried|moored|stationed)"
_ENGLISH = [
    ("org", rf"\b(?:at|for|from|to|into|in|outside|by|left|quit|joined|joining|with) (?:the |my |our |a |an )?(?P<name>{_CHAINS})(?![\w'’-])"),
    ("org", rf"(?<![\w'’-])(?P<name>University of {_CAPITAL}|(?:(?!(?:The|My|Our|At|In|To|A|This|That) ){_CAPITAL} ){{1,4}}{_OF_ORG})(?![\w'’])"),
    ("org", r"\bthe (?P<name>Royal [A-Z]\w+|[A-Z]\w+ (?:General|Royal))(?![\w'’])(?! Family)"),
    ("org", r"\b(?:at|in|to|from|into) (?P<name>(?:St|Saint|King|Queen|Prince|Christ) [A-Z][a-z]+['’]s)(?![\w-])(?! (?:house|car|place|flat|party|wedding|birthday)\b)"),
    ("place", rf"\b(?:in|at|to|on|near|from|by|through|around|past) (?P<name>(?:{_CAPITAL} ){{1,3}}{_OF_PLACE})(?![\w'’])"),
    ("place", rf"(?<!believe )(?<!believed )(?<!believing )(?<!interested )(?<!disappointed )(?<!confide )(?<!confided )(?<!trust )(?<!faith )(?<!degree )(?<!invested )(?<!an A )(?<!fluent )\b(?:in|near) (?:the |north |south |east |west |central )?{_NAME}(?!['’]s)"),
    ("place", rf"\b{_MOVES} (?:back |over |down |up |out |across |home |away )?to (?:the )?{_NAME}(?!['’]s)"),
    ("place", rf"(?:\b(?:I'm|I am|[Hh]e's|[Ss]he's|is|are|was|were|comes?|came|originally|moved|flew|drove|back|home|driver|nurse|guy|girl|family|parents|lad|people|all the way|up|down|over)) from {_NAME}(?!['’]s)"),
    ("place", rf"\b{_LANDS} (?:[\w' ]{{0,16}} )?at {_NAME}(?!['’]s)"),
    ("org", rf"\b{_WORKS} (?:[\w' -]{{0,20}} )?(?:at|for|from) {_NAME}(?!['’]s)"),
    ("org", rf"\b{_EATS} (?:[\w' ]{{0,12}} )?at (?:the )?{_NAME}(?!['’]s)"),
]  # fmt: skip
_NO_PLACE_TEXT = (
    "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday "
    "spring summer autumn winter christmas easter lent ramadan eid diwali lockdown covid english french german italian spanish chinese japanese "
    "latin maths math physics chemistry biology history geography science art drama music spanish welsh irish polish russian arabic hindi "
    "year god jesus heaven hell mass church uni pilates zumba yoga ladies gents mensa scouts guides brownies hr it pe icu a&e er gp word excel chrome teams zoom whatsapp instagram facebook "
    "i mum mom dad nan gran grandma grandpa grandad auntie uncle mr mrs ms dr section room ward unit class grade stage chapter part page week day"
)
_NO_PLACE = frozenset(_NO_PLACE_TEXT.split())
_OWNED = re.compile(r"['’]s$")
_COUNTRIES = frozenset(("UK", "US", "USA", "UAE", "NYC", "LA", "NZ"))

_CHAINS_CHINESE = "星巴克|麦当劳|肯德基|海底捞|宜家|沃尔玛|盒马|山姆|永辉|瑞幸|蜜雪冰城|喜茶|必胜客|汉堡王|优衣库|无印良品|腾讯|阿里巴巴|阿里|华为|字节跳动|字节|百度|京东|美团|滴滴|拼多多|小红书|网易|小米|比亚迪|富士康|中石油|中石化|国家电网|顺丰|中通|圆通|中国移动|中国电信|新东方|学而思|罗森|屈臣氏|名创优品|苏宁|格力|海尔|联想|特斯拉|蔚来|谷歌|微软|亚马逊|协和|华西"
_MORE_CITIES = "常州|徐州|扬州|镇江|南通|盐城|淮安|连云港|嘉兴|湖州|台州|舟山|丽水|衢州|芜湖|蚌埠|马鞍山|安庆|阜阳|泉州|漳州|莆田|赣州|九江|景德镇|上饶|烟台|潍坊|临沂|济宁|淄博|威海|开封|南阳|新乡|许昌|襄阳|荆州|十堰|岳阳|株洲|衡阳|邵阳|湘潭|常德|汕头|湛江|江门|肇庆|梅州|揭阳|柳州|遵义|曲靖|咸阳|宝鸡|天水|包头|呼和浩特|鞍山|吉林市|大庆|齐齐哈尔|牡丹江|保定|邯郸|秦皇岛|张家口|大同市|景德镇|敦煌|西双版纳|香格里拉|九寨沟|张家界|鼓浪屿|乌镇|周庄|阳朔|北戴河|冲绳|北海道|普吉岛|巴厘岛|清迈|吉隆坡|马来西亚|越南|印度|埃及|土耳其|希腊|荷兰|瑞士|瑞典|挪威|芬兰|丹麦|俄罗斯|莫斯科|巴西|墨西哥|新西兰|迪拜|米兰|罗马|威尼斯|巴塞罗那|马德里|阿姆斯特丹|爱丁堡|曼彻斯特|布里斯班|珀斯|奥克兰"
_TO_CHINESE = r"(?:在|[去到进回从来飞]|[去到进回来飞]了|离开|入职|跳槽到|嫁到|搬到|搬去|老家|家住|考上了?|考进了?|考|念|读|上了?|转到|送[到去进]|住进了?|面试了?|拿到了?|目标是)"
# Words that tell which one, and are no name: 附近的医院, 重点大学.
_NO_HAN = "看边的了我你他她它们是在去到个家这那和跟被送进读大好小市县区省某什别其几两一每同"
_INSTITUTION = r"(?:大学|学院|医院|中学|小学|公司|银行|幼儿园|养老院)"
_CHINESE = [
    ("org", rf"(?P<name>(?:{CITIES}|{_MORE_CITIES}|{PROVINCES})(?:市|省)?(?:[^\W{_NO_HAN}]{{0,4}}?){_INSTITUTION})"),
    # Of a firm the words before tell what it does as often as its name: 在游戏公司.
    ("org", rf"{_TO_CHINESE}(?P<name>(?!附近|名牌|重点|本地|当地|私立|公立|理想|三甲|民办|国外|隔壁|最好|中医|动物|宠物|精神|普通|外地|美国|现在|以前|原来|老年)[\u4e00-\u9fff](?<![{_NO_HAN}])(?:(?![{_NO_HAN}])[\u4e00-\u9fff]){{1,5}}?{_INSTITUTION}(?<!公司))"),
    ("org", rf"{_TO_CHINESE}(?P<name>{_CHAINS_CHINESE})(?!大学|粥|人|医院)"),
    ("place", rf"{_TO_CHINESE}(?P<name>{_MORE_CITIES})(?![人菜话语队货片剧])"),
]  # fmt: skip
_ENGLISH_COMPILED = [(kind, re.compile(pattern)) for kind, pattern in _ENGLISH]
_CHINESE_COMPILED = [(kind, re.compile(pattern)) for kind, pattern in _CHINESE]


def find(told: str) -> dict[str, str]:
    """Return the places and organisations that a text names, each with its kind."""
    found: dict[str, str] = {}
    for name, kind in _find(told):
        if not any(name in known for known in found):
            found[name] = kind
    return found


def _find(told: str) -> Iterator[tuple[str, str]]:
    patterns = _CHINESE_COMPILED if lexicon.is_chinese(told) else _ENGLISH_COMPILED
    text = lexicon.normalise(told)
    for kind, pattern in patterns:
        for match in pattern.finditer(text):
            name = match["name"].rstrip(".'’-&")
            if is_name(name) and not (kind == "place" and _OWNED.search(name)) and not _is_of_given(name):
                yield name, kind


def _is_of_given(name: str) -> bool:
    """Whether it is somebody's home: "lunch at Emma's"."""
    return _OWNED.search(name) is not None and name[:-2].casefold() in GIVEN_NAMES


def is_name(name: str) -> bool:
    """Whether words with a capital name a place or an organisation: not Pilates, nor the Ladies."""
    first = name.split(" ", maxsplit=1)[0]
    is_short = (
        name.isupper() and name not in _COUNTRIES and len(name) <= len("UAE") and re.fullmatch(_CHAINS, name) is None
    )
    return first.casefold() not in _NO_PLACE and not is_short
