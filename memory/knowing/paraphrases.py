"""Words of everyday life that ask for what was told in others, in English and Chinese: who asks for the boss was told of a
manager, who asks for a pet of a tortoise.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from memory import text
from memory.entities import kinship_terms

# The words of a line mean the same. Before a colon stand words that are told by those behind it, but not the other way round: a dog
# is a pet, and a pet need not be a dog.
_ENGLISH = """
boss manager supervisor employer
colleague coworker workmate
child kid: daughter son baby toddler girl boy twins
daughter girl lass
son boy lad
baby newborn born birth expecting pregnant
newborn: foal filly calf puppy kitten lamb
flatmate roommate housemate share
neighbour neighbor door next: downstairs upstairs street road
partner: wife husband boyfriend girlfriend fiance fiancee
spouse: wife husband
parents folks: mother father
grandchild: grandson granddaughter
sibling: brother sister
relative family: aunt uncle cousin niece nephew grandmother grandfather mother father brother sister
friend mate pal buddy
doctor physician surgeon consultant
teacher tutor professor lecturer instructor coach
lawyer solicitor attorney
man guy bloke fellow chap gentleman lad boy
woman lady girl
ex former divorced
home house flat apartment cottage
heating heater boiler radiator
garden allotment plot yard
live based reside home
move moved relocate
fridge refrigerator
sofa couch settee
kettle teapot
pet: dog cat rabbit hamster tortoise turtle parrot horse pony budgie guinea goldfish snake
dog: puppy collie terrier poodle spaniel labrador retriever beagle husky hound shepherd dachshund
cat: kitten tabby tomcat
horse: mare foal pony stallion
livestock cattle: cow sheep calf pig goat animal vet
bird: parrot pigeon canary budgie owl crow
job work employed profession career trade business occupation living retired
company firm employer office
ward hospital unit clinic
fire fired sacked dismissed redundant laid
quit resign resigned
salary wage earn pay
earn money pay
study degree course major thesis
learn lesson class
university college uni
exam test
repeat resit
subject: maths physics chemistry biology history geography french latin
teach taught show showed shown
ill sick unwell illness disease condition: flu cancer dementia diabetes stroke pneumonia asthma migraine
hurt injure injured break broke broken burn sprain wound cut
operation operate surgery replaced replacement transplant bypass
medicine pill tablet prescription
die died death dead late drowned killed funeral
bury buried grave
wedding married marry marriage wed remarried
divorce divorced separated
engagement engaged proposed propose
holiday vacation trip travel journey
honeymoon wedding
accident crash
gift present
win won winnings prize
game match: rugby football cricket hockey basketball
team club
car vehicle: truck van fiat ford volvo toyota
boat ship ferry
bike bicycle cycle
drive drove
phone mobile cell
call rang ring
mail post posted send sent
write wrote written scribble
picture photo photograph
talk speak spoken
eat ate eaten meal
food: shellfish prawn nut peanut milk egg fish bread cheese wheat gluten strawberry
drink alcohol: beer wine whisky gin
breakfast lunch dinner supper
meat: lamb beef pork chicken vegetarian vegan
bread loaf sourdough
cigarette smoke smoking
fruit: mango apple orange pear plum cherry
vegetable: carrot potato tomato bean cabbage lettuce
cost price paid pay
buy bought purchase
sell sold
spend spent bought
inherit left
steal stole stolen taken take took robbed thief
lose lost missing vanish
love crush fancy
hate dislike loathe stand bear
afraid scared fear frightened terrified
cry cried tears weep wept
angry quarrel quarrelled argue argued row fight fought shouted
quit stop stopped give gave
plant sow sowed sown grow grew
begin began start
come came arrive
fix repair mend
clean wash
bring brought
sing song choir
run ran race marathon
instrument: piano guitar violin viola cello flute whistle clarinet saxophone bagpipes accordion drum trumpet harmonica harp
language: english french german italian spanish chinese japanese arabic russian polish
flower: rose lily tulip daisy orchid
hobby: climbing chess knitting painting fishing running
sport: football tennis rugby swimming climbing boxing judo
religion: catholic muslim jewish buddhist church
sleep bed insomnia awake
meet met practise practice rehearse gather
dream want wish hope
become: be want
help assist support work
cook bake made
choose chose pick picked
visit visited stay stayed saw see
wear wore dress
build built made
lend lent borrow borrowed owe
hear heard
shout yell scream
worry anxious nervous
promise swore vowed
celebrate party celebration
draw drawing drew
fly flew flight plane
save saving
support fan
recover healed better
laugh joke
faint collapse
promote promotion promoted partner raise
apply applied application interview
message text texted letter email
find found discover
forget forgot forgotten
get got receive received
scold told shouted
praise praised compliment
apologise apologize sorry apology
sad upset unhappy depressed
happy glad delighted joy
tired exhausted
pain ache aching sore hurt
leave left gone went
return back home
rain storm wet
break down: died stalled
graduate graduated graduation degree
school: primary secondary
kitchen cooking
swim swimming swam
dance dancing danced
read reading book
watch watched film movie
movie film cinema
ticket seat
hide hid hidden
keep kept
teach: lesson class tutor
trouble problem wrong
lazy idle
rich wealthy
brush comb
expensive cheap cost
"""
_CHINESE = """
工作 上班 职业 单位 干活 打工
职业 行业 工作：老师 护士 司机 医生 会计 厨师 警察 程序员
买卖 生意：开店 铺 店
老板 领导 上司 经理 头儿
公司 单位
同事 同行
老婆 媳妇 妻子 爱人 太太 老伴 那口子 家里那位
老公 丈夫 爱人 老伴
男朋友 男友 对象
女朋友 女友 对象
孩子 小孩 宝宝 娃：女儿 儿子 闺女 双胞胎
女儿 闺女 丫头
儿子 小子
父母 爸妈 家里人
父亲 爸
母亲 妈
亲戚：姨 姑 舅 叔 伯 婶 表哥 表姐 表弟 表妹 堂哥 堂弟
室友 舍友 合租 合住 同屋
邻居 隔壁 对门：楼上 楼下
医生 大夫
老师 教授 教练 师傅
病 毛病 身体：住院 脑梗 癌 痴呆 糖尿病 血糖 感冒 发烧 中风 心脏 脑溢血 怀孕 哮喘
死 去世 过世 离世 没了 走的 走了 淹死 病逝
葬 下葬 埋 坟 墓
结婚 婚礼 嫁 娶 成亲
离婚 前夫 前妻
求婚 订婚
怀孕 产检 预产
出生 生于
搬 搬家
住 家在 搬到
宠物：猫 狗 兔 龟 鱼 鸟 鹦鹉 仓鼠
狗：犬 柯基 金毛 泰迪 哈士奇 拉布拉多
哭 流泪 眼泪 落泪
害怕 恐惧 怕
喜欢 爱上 看上 暗恋
讨厌 受不了 恨 嫌 反感
吵架 闹翻 吵 翻脸
摔 滑了一跤 跌倒 摔倒
坏 碎 断 裂 毛病 故障
受伤 弄伤 烫伤 摔伤 割伤
手术 开刀
戒 不抽 不喝
抽烟 香烟
裁 丢工作 失业 辞退 下岗
辞职 离职
面试 应聘
租金 房租
赚 挣
偷 丢 被盗
丢 弄丢 没了 掉进 吹走 找不到
继承 留给 遗产
车：面包车 汽车 轿车 卡车 摩托
电脑 笔记本
照片 相片 拍照
视频 录像
学什么 专业 念 读
乐器：钢琴 吉他 二胡 琵琶 古筝 笛子 口琴 小提琴 大提琴 手风琴
语言 国话：英语 法语 德语 日语 意大利语 西班牙语 俄语 韩语
种花：百合 玫瑰 菊花 茉莉 牡丹 月季
吃肉 肉：羊肉 牛肉 猪肉 吃素 素食
喝酒：啤酒 白酒 红酒
修 修理 修好 维修
漏 漏水 漏雨 进水
中奖 彩票
旅游 旅行 度假 蜜月
约会 相亲
打算 计划 约
帮忙 帮 搭把手
名字 叫 笔名 外号
耍赖 作弊
退休 退下来
运动：游泳 跑步 篮球 足球 羽毛球 乒乓球
衣服：裙子 外套 毛衣 棉袄 裤子 衬衫 大衣
食物 吃的：饭 菜 面 粥 饺子 糕 饼
早饭 早餐
午饭 午餐
晚饭 晚餐
做饭 烧菜 下厨 煮
睡 失眠
起床 起来
开车 驾照 司机
车祸 撞
飞机 航班
火车 高铁
船 轮渡 渡轮
工资 薪水 收入
价钱 价格 涨价 贵
攒 存钱 攒钱
借 欠
考上 录取
挂科 不及格 没过
升职 晋升 提拔
跳槽 换工作 新工作
生日 出生
朋友 闺蜜 哥们 发小 好友
男的 小伙子 大叔 大爷
女的 姑娘 女孩 阿姨
老人：奶奶 爷爷 老太太 老头 大爷
唱歌 唱 合唱
曲子 歌 曲
科室 科 部门
跳舞 舞蹈 舞伴
画画 画
跑步 马拉松
消息 微信 短信
骂 吼 训
夸 表扬
生气 发火 发脾气
伤心 难过
担心 焦虑 紧张
疼 痛
胖 瘦 体重
回来 回国 回家
找到 发现
忘 忘记
扔 丢掉
收到 寄来 送来
抛锚 熄火
分手 离婚 散了
吃药 药 药片
"""


@dataclass(frozen=True)
class Paraphrases:
    """For words of a question, as the terms it has of each, other words that tell the same."""

    told_by: Mapping[frozenset[str], Collection[str]]

    def find_terms(self, told: str, terms: Collection[str]) -> set[str]:
        """Find the question's terms that a text with these normalized terms tells in other words."""
        return {term for asked, words in self.told_by.items() if _holds_any(told, terms, words) for term in asked}


def find(question: str, terms: Collection[str]) -> Paraphrases:
    """Find other words for those of a question, which has these normalized terms."""
    if text.has_cjk(question):
        return Paraphrases(
            {frozenset({word, *word}): words for word, words in _list_chinese().items() if word in question}
        )
    return Paraphrases({frozenset({term}): _list_english()[term] for term in terms if term in _list_english()})


def _holds_any(told: str, terms: Collection[str], words: Collection[str]) -> bool:
    return any(word in told if text.has_cjk(word) else word in terms for word in words)


@cache
def _list_english() -> dict[str, set[str]]:
    return _read(re.sub(r"[a-z]+", lambda word: kinship_terms.normalize_term(text.stem(word[0])), _ENGLISH))


@cache
def _list_chinese() -> dict[str, set[str]]:
    return _read(_CHINESE.replace("：", ":"))


def _read(lines: str) -> dict[str, set[str]]:
    """Read for each word that may be asked for which others tell it."""
    found: dict[str, set[str]] = {}
    for line in lines.strip().splitlines():
        asked, _, narrower = line.partition(":")
        for word in asked.split():
            found.setdefault(word, set()).update(asked.split(), narrower.split())
    return found
