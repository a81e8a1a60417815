"""Which names of a recap may stand for somebody or something on a card."""

import re
from collections.abc import Iterable
from datetime import date

from echovessel import periods, text
from memory.answers.coercion import one_line

NAME_CHARACTERS = 40
NAMES_MOST = 10
_NUMBER = re.compile(r"[\d\s.,:/%+-]+|[零〇一二三四五六七八九十百千万亿两]+")
# Words that name a kind, and nobody or nothing in particular.
_GENERIC_ENGLISH = (
    "man woman person people guy girl boy kid child children friend friends family parents neighbour neighbor colleague colleagues boss "
    "doctor teacher nurse student customer client stranger team group company office shop store house home flat apartment room kitchen garden "
    "city town village country street park place thing things stuff work job project school university college hospital church car train bus "
    "plane trip holiday vacation weekend party dinner lunch breakfast food book film movie song game phone computer email message photo "
    "picture monday tuesday wednesday thursday friday saturday sunday january february march july september october november december day night morning evening week month year time life world love idea problem question dog cat pet bird fish baby partner"
)
_GENERIC_CHINESE = (
    "人 男人 女人 人们 男孩 女孩 孩子 小孩 朋友 家人 父母 邻居 同事 老板 医生 老师 护士 学生 客户 顾客 陌生人 团队 小组 公司 办公室 商店 房子 家 公寓 房间 厨房 花园 "
    "城市 小镇 村子 国家 街道 公园 地方 东西 事情 工作 项目 学校 大学 医院 教堂 汽车 车 火车 公交 公交车 飞机 旅行 假期 周末 聚会 晚饭 午饭 早饭 食物 书 电影 歌 游戏 "
    "周一 周二 周三 周四 周五 周六 周日 星期一 星期二 星期三 星期四 星期五 星期六 星期日 星期天 手机 电脑 邮件 消息 照片 图片 早上 晚上 今天 明天 昨天 时间 生活 世界 爱 想法 问题 狗 猫 宠物 鸟 鱼 宝宝 伴侣"
)
GENERIC = frozenset([*_GENERIC_ENGLISH.split(), *_GENERIC_CHINESE.split()])
_ARTICLE = re.compile(r"(?:the|a|an|my|your|his|her|our|their|这个|那个|我的|你的|他的|她的)\s*")


def select_names(names: Iterable[str], *, said: str, today: date) -> list[str]:
    """Select the names that stand in the told text `said`, at most ten, in their order.

    Left out are stop words, dates, numbers, generic nouns, single characters, and names of more than 40 characters.
    """
    folded = text.fold(said)
    found = [one_line(name) for name in names]
    usable = [name for name in dict.fromkeys(found) if is_usable(name, today=today)]
    return [name for name in usable if text.contains_name(folded, text.fold(name))][:NAMES_MOST]


def is_usable(name: str, *, today: date) -> bool:
    folded = text.fold(name)
    if not 1 < len(folded) <= NAME_CHARACTERS or _NUMBER.fullmatch(folded):
        return False
    bare = _ARTICLE.sub("", folded, count=1) if _ARTICLE.match(folded) else folded
    return (
        bare not in GENERIC
        and bool(text.extract_terms(folded))
        and bool(periods.remove_periods(name, today=today).strip())
    )
