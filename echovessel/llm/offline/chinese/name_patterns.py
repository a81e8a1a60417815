"""The words around Chinese names."""

from echovessel.llm.offline.chinese import vocabulary

_HAN = r"[\u4e00-\u9fff]"
_QUOTE = r"[\"'“”‘’「『《]?"
# A Chinese name ends where a word that cannot belong to it begins.
_HAN_END = r"(?=[^\u4e00-\u9fff]|[的总会很是在每晚特最今经老又也都它他她我因了跟和有去来说]|[大小]的|一[只个条]|$)"
_HAN_NAME = rf"{_QUOTE}(?P<name>[A-Z][A-Za-z\u00c0-\u024f]+(?![A-Za-z\u00c0-\u024f])|{_HAN}{{2,4}}?(?={_QUOTE}{_HAN_END})){_QUOTE}"
# Words that begin with a character that is also a surname.
_HAN_WORDS = "周[一二三四五六日天末围]|马[上路]|常[常说年去来]|安[排心静]|方[便法]|白天|高[兴中考]|黄[昏瓜]|钱[包都]|于是|何时|万一|温柔|夏天|季节|石头|路上|毛病|余下|江边|田里|小名|[天日年刚偷慢渐往悄默每妈爸爷奶哥姐弟妹公婆叔宝谢看想说]{2}"
_PET = "|".join(vocabulary.PETS.values())
_KIN = "|".join(vocabulary.KIN.values())

# Whom 老 or 小 before the surname names; others make words: 小路, 老白.
_COMMON_SURNAMES = "张王李赵刘陈杨吴周徐孙朱胡郭罗郑谢宋唐韩冯邓曹彭萧蔡潘袁董蒋"
# 室友, 老板, 他们: what somebody is, no name.
_NO_HAN_NAME = rf"(?!{_HAN}{{1,3}}(?<=[友事学板导人居生师们妈爸娘爹姐哥弟妹婆公女子儿象任司方家己谁])(?:关系|吵|闹|绝交|冷战|昨|今|前天|刚|又|[跟和]我))(?!{_HAN}{{0,2}}[我你他她它])"
_TITLE = "阿姨|叔叔|大[爷妈叔婶哥姐嫂]|师傅|医生|大夫|老师|教授|经理|主任|校长|先生|女士|小姐|奶奶|爷爷|老板|教练|护士|警官|律师|[院局队组店班]长|总监|书记"
# What stands before the name of somebody who is spoken of.
_BEFORE = r"(?:^|[，,。！!？?；;、：:\s的]|[跟和给找让被对向陪替帮请喊是问同与]|同事|邻居|朋友|同学|[室舍队]友|同桌|闺蜜|发小|死党|哥们儿?|领导|老板|班主任|房东|楼[上下]|店里|隔壁|[昨今前]天|[昨今]晚|早上|晚上|刚才)"
# What stands behind it.
_DOES = r"(?=[^\u4e00-\u9fff]|[说让来去给跟和把被又不要问打约请答生住结也还今昨明刚哭很特最在是有发抢送考摔感帮带做教陪走死病离骂喜爱想会能没就都才突终先再从对向找拿买卖叫欠借的们天半每总经两你我他她得到回出吃喝睡分表怀辞退升]|$)"
# 芳姐, but no 学姐 and no 表哥.
_NO_FIRST = "月我你他她它这那哪大二三四五六七八九小老表堂的是了叫个位学师空帅美御富网姐哥叔阿姨姑舅伯干继亲妈爸爷奶婆公嫂婶喊见有跟和找让给对从被在到去来说做认当像一两几多没名谁家长各该某俩外警军女男新后前义喂嗨嘿哎问请帮陪替向同与"
_NO_LITTLE = "孩学姐偷鬼编区狗猫鸟时心气名便事伙朋三吃菜店车镇城县长宝妹弟哥叔姑姨舅婆娃子丫家路票费米麦巷公程组队班型腿肚脚指声众资白酒贷雨雪说书号测考婴两黑狐猪羊牛马鱼虾蛋脸手嘴眼情康贩卖道结算修调改作品曲歌剧熊龙虫花草树桥河湖岛山村楼屋房门窗灯床桌椅碗本人物领职主助市户农商厨瓜飞菜透迷粉"
_TITLED_SHORT = rf"(?:[{vocabulary.SURNAMES}](?:[姐哥叔姨婶嫂董]|(?<![于方常时万华高白金安温房])总|(?<![施高安白黄方金石于康华])工)|(?![{_NO_FIRST}]){_HAN}[姐哥叔姨婶嫂])(?![姐哥弟妹儿夫父母嫂爸妈们子])"
# What one reads, sees or hears is nobody of one's life.
WORKS = r"《[^》]{0,30}》"
# Who does what only people do: 小敏 and 阿雅 of 小敏答应了, 我跟阿雅和好了.
ACTING = rf"{_BEFORE}(?P<name>阿(?![姨姐哥爸妈公婆嬷爷奶叔嫂弟妹拉根富里联司胶塞斯尔迪玛凡兹门]){_HAN}|小(?![{_NO_LITTLE}]){_HAN}){_DOES}"
# (kind, or None where the words before decide; pattern)
PATTERNS = [
    ("other", rf"(?:车|船|房子|吉他|电脑|扫地机器人|摩托)(?:的?名字)?(?:就)?叫(?:做)?(?!什么|啥){_HAN_NAME}"),
    ("person", rf"{_BEFORE}(?P<name>{_TITLED_SHORT})"),
    ("person", r"(?<![\u4e00-\u9fffA-Za-z](?=阿[a-z]))(?P<name>[阿老大小][A-Z][A-Za-z]{0,20})(?![A-Za-z])"),
    ("person", rf"{_BEFORE}(?P<name>[二三]胖|二[狗娃妞丫虎强柱毛]|[大小][胖壮强毛鹏伟]|胖[子虎]){_DOES}"),
    (None, rf"(?:(?<![真本])名叫|名字叫|名字是|叫做|取名叫?|起名叫?|(?<![我不])(?<!真名)(?<!本名)叫(?:的是?)?(?!惯|我|你|他|她|它|人|妈|爸|爷|奶|哥|姐|醒|起|声|一声|喊|着|不|什|啥|做|外卖|车|滴滴|了))(?:[它他她]|(?<=名叫) )?{_HAN_NAME}"),
    ("pet", rf"(?:{_PET}){_QUOTE}(?P<name>[小阿大老](?![的得了是小])[\u4e00-\u9fff]|[A-Z][A-Za-z\u00c0-\u024f]+)"),
    ("pet", rf"(?:^|[，,。、])(?P<name>{_HAN}{{2,3}}|[A-Z][A-Za-z\u00c0-\u024f]+)是我们?(?:家)?(?:的|养的)?(?:{_HAN}{{0,6}})(?:{_PET})"),
    ("person", r"(?:^|[，,。、和\s])(?P<name>[大二三小]宝)(?!贝|宝)"),
    ("person", r"(?:^|[，,。\s])(?P<name>阿(?![姨姐哥爸妈公婆嬷爷奶叔嫂弟妹])[\u4e00-\u9fff])(?=[，,。\s]|$)"),
    ("person", rf"(?:{_KIN})(?!{_HAN_WORDS})(?![{vocabulary.SURNAMES}](?:{_TITLE}|[姐哥叔姨婶嫂总])|[老小阿]?[{vocabulary.SURNAMES}]?[妈爸])(?P<name>[小阿](?![时气心学名便]){_HAN}|老(?!师|板)[{vocabulary.SURNAMES}]|(?P<twice>{_HAN})(?P=twice)(?!(?P<more>{_HAN})(?P=more))|[{vocabulary.SURNAMES}]{_HAN}(?:(?![考说去来做吃买当要想给把又也都就还才刚正再没不让在抄骂打追约带请送问找喊拉抢偷骗欠借帮陪看听拿跑走哭笑病死住搬换谈结离分教照是垫]){_HAN}(?={_HAN_END}|[考教借打问请送买开住没升被病结离怀辞失摔哭骂]|关系|数学|语文|英语|成绩|学习|喜欢|天天|长得|性格|脾气))?|阿?[A-Z][A-Za-z\u00c0-\u024f]+)"),
    ("person", rf"(?<![大缩最从矮细弱狭渺胆窄变减们])(?P<name>[老小][{_COMMON_SURNAMES}]|老[许梁沈卢魏姚丁范贾崔])(?![板师子同]|太太)"),
    ("person", rf"我[跟和]{_NO_HAN_NAME}(?P<name>{_HAN}{{2,3}}?)(?=关系|吵架|吵了|闹翻|绝交|冷战)"),
    ("person", rf"(?:^|[，,。、\s]){_NO_HAN_NAME}(?P<name>{_HAN}{{2,3}}?)(?:昨[天晚]|今[天早晚]|前天|刚才|又)?[跟和]我(?:吵架|吵了|绝交|冷战|表白|道歉)"),
    ("person", rf"(?<![小老大阿{vocabulary.SURNAMES.replace('任', '')}])(?!(?<=主)任|(?<=保)安|(?<=[对双官校院警])方)(?P<name>[{vocabulary.SURNAMES.replace('于', '')}](?:{_TITLE}))(?!叫)"),
    ("person", rf"(?:借给|欠)了?(?!房东|高利|白条)(?P<name>[小阿]{_HAN}|老[{_COMMON_SURNAMES}]|[{vocabulary.SURNAMES}]{_HAN}{{1,2}}?)(?=[\d一二两三四五六七八九十几]|的?钱|了|[，,。\s]|$)"),
    ("person", rf"(?:^|[，,。\s])(?P<name>[小阿]{_HAN}|老[{_COMMON_SURNAMES}]|[{vocabulary.SURNAMES}]{_HAN}{{1,2}}?)(?=(?:还|一共)?欠着?了?我)"),
    ("person", rf"我(?:的)?(?:最好的|好)?(?:朋友|闺蜜|死党|发小|搭档|同桌|[室舍]友)是(?P<name>[小阿](?![三孩学姐偷鬼]){_HAN}|老[{_COMMON_SURNAMES}]|(?!{_HAN}{{1,2}}[人员师生手民客]|高[管手中考]|白领|房东|金领|江湖)[{vocabulary.SURNAMES}]{_HAN}{{1,2}})(?=[，,。！!\s]|$)"),
    ("place", rf"(?P<name>{vocabulary.CITIES})(?!(?<=[国本])[人菜话语队货片剧车牌])"),
    ("org", rf"在(?P<name>(?![一这那我他她]){_HAN}{{2,8}}?(?:公司|大学|医院|银行|学校|中学))"),
]  # fmt: skip
