"""Sentences with natural word frequencies: the n-th word occurs about 1/n as often as the first."""

import random
from itertools import accumulate, product

from echovessel import text

WORDS = 5000
LENGTH = 12
# Every fourth sentence is Chinese.
CHINESE_EACH = 4
_FIRST = "天地人山水花木鸟风雨雪月星夜春夏秋冬东西南北红白黑蓝高低远近新旧轻重冷暖长短快慢明暗"
_SECOND = "子头面边房门车路桥船书信画歌诗茶饭菜鱼羊猫狗马牛果米盐灯火石土金银纸笔衣帽鞋伞海河"
CHINESE = [first + second for first, second in product(_FIRST, _SECOND)]
# So that words with the same beginning are not equally common.
random.Random(len(CHINESE)).shuffle(CHINESE)


class SentenceGenerator:
    """Generates sentences; function words come first in the ranking, as in natural text."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.words = [*sorted(text.ENGLISH_STOP_WORDS), *(f"w{rank}" for rank in range(WORDS))]
        self.weights = _accumulate_zipf_weights(len(self.words))
        self.chinese_weights = _accumulate_zipf_weights(len(CHINESE))

    def make_sentence(self, length: int = LENGTH) -> str:
        return " ".join(self.random.choices(self.words, cum_weights=self.weights, k=length))

    def make_chinese_sentence(self) -> str:
        return "".join(self.random.choices(CHINESE, cum_weights=self.chinese_weights, k=LENGTH // 2)) + "。"

    def make_message_text(self, at: int) -> str:
        """Return the text of the message with this number; languages alternate."""
        return self.make_chinese_sentence() if at % CHINESE_EACH == 0 else self.make_sentence()


def _accumulate_zipf_weights(count: int) -> list[float]:
    return list(accumulate(1 / rank for rank in range(1, count + 1)))


def make_latin_queries(count: int) -> list[str]:
    """Return words from common to rare."""
    return [f"w{round(WORDS ** (at / count)) - 1}" for at in range(count)]


def make_chinese_queries(count: int) -> list[str]:
    """Return words of two characters from common to rare."""
    return [CHINESE[round(len(CHINESE) ** (at / count)) - 1] for at in range(count)]
