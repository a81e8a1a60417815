"""Writes Chinese in simplified characters for comparing, and in traditional ones for who writes those.

Each character becomes one character, so that a place in the text stays the same place.
"""

from collections.abc import Callable
from functools import cache

from opencc import OpenCC

from echovessel import lazy_re as re

_HAN = (range(0x3400, 0x4DC0), range(0x4E00, 0xA000))
# What OpenCC leaves as it is, and Taiwan writes for 着, 你, 它 and 他.
_TAIWANESE = str.maketrans("著妳牠祂", "着你它他")
# Words of dialects, and plain ones of as many characters, of Cantonese and then of the south-west and the north.
_DIALECT_WORD_LIST = (
    "边个:是谁 边度:哪里 点样:怎样 点解:为啥 几时:何时 几耐:多久 几多:多少 而家:现在 宜家:现在 啱啱:刚刚 头先:刚才 琴日:昨天 寻日:昨天 "
    "听日:明天 今日:今天 琴晚:昨晚 阿妈:妈妈 阿爸:爸爸 老豆:爸爸 阿嫲:奶奶 家姐:姐姐 细佬:弟弟 屋企:家里 钟意:喜欢 挂住:想念 好耐:好久 "
    "返嚟:回来 返咗:回了 识咗:认识 佢:他 哋:们 嘅:的 喺:在 唔:不 冇:没 咗:了 嚟:来 啲:些 嗰:那 咁:这 嘢:事 睇:看 攞:拿 俾:给 畀:给 乜:啥 "
    "咩:啥 瞓:睡 揾:找 喊咗:哭了 喊到:哭到 "
    "啥子:什么 没得:没有 晓得:知道 屋头:家里 婆娘:老婆 堂客:老婆 娃儿:孩子 昨儿:昨天 今儿:今天 明儿:明天 一哈:一下 "
    "得嘞:的是 啥嘞:什么 嘞:的 记岔:记错 说岔:说错 记混:记错 "
    "侬:你 阿拉:我们 小囡:孩子 伐啦:吗啦 好伐:好吗 "
)
_DIALECT_WORDS = dict(pair.split(":") for pair in _DIALECT_WORD_LIST.split())
# の, and the mark of a long vowel, are written in Chinese, too.
KANA = re.compile(r"[\u3041-\u306d\u306f-\u3096\u30a1-\u30fa]")
# Characters that Japanese has not, and those that it has in few words.
_CHINESE_ALONE = re.compile(r"[吗嗎呢吧们們这這那哪么麼她你您很咱啊呀啦哦嗯说过]")
_CHINESE_MOSTLY = re.compile(r"[我的了是在有不就和叫]")
_LEAST_KANA = 2
_DIALECT_RUN = re.compile("|".join(_DIALECT_WORDS))
# 係 and 系 are Cantonese for 是, and in 關係 and 我系学生会 of all.
_TO_BE = re.compile("係(?<![關关聯联幹]係)(?![數数列])|系(?<=[我你佢他她它]系)(?![的学主统列里])")
# What only asks is of a dialect: 吃过馄饨伐, 房租好多钱, 哪个送的.
_DIALECT_ASKING = (
    (re.compile(r"伐(?<![砍步讨征]伐)(?=\W*(?:$|\n))"), "吗"),
    (re.compile(r"好多(?<![了过着花赚欠存有买给]好多)(?=[钱岁斤号]\W*(?:$|\n))"), "多少"),
    (re.compile(r"哪个(?<![^\s，,]哪个)(?=[送给跟和帮打教陪骂劝借背扎写])"), "是谁"),
)
_RUN = re.compile(r"[\u3400-\u9fff]+")
# So many characters together are words of somebody's, and of a dialect one more, as 我嘅 is a plain 我的; one alone may be of any.
_WORD = 2


def simplify(text: str) -> str:
    # What dialects write for 我 is compared as 我.
    return _simplify_script(text).replace("俺", "我") if _RUN.search(text) else text


def read(text: str) -> str:
    """Return a text in simplified characters and without words of dialects, as the rules read it; Japanese as it is."""
    if is_japanese(text):
        return text
    plain = _DIALECT_RUN.sub(lambda word: _DIALECT_WORDS[word[0]], simplify(_TO_BE.sub("是", text)))
    for asking, word in _DIALECT_ASKING:
        plain = asking.sub(word, plain)
    return plain


def traditionalise(text: str) -> str:
    """Return a text in the traditional characters of Taiwan, by the words that they stand in."""
    written: str = _load_converter("s2tw").convert(text)
    # No place may move.
    return written if len(written) == len(text) else text


def is_japanese(said: str) -> bool:
    """Whether kana join the characters of a text; Chinese may quote some."""
    is_chinese = _CHINESE_ALONE.search(said) is not None
    kana = len(KANA.findall(said))
    return kana > 0 and not is_chinese and kana >= _LEAST_KANA * len(_CHINESE_MOSTLY.findall(said))


def is_traditional(text: str) -> bool:
    """Whether a text holds traditional characters; what only Cantonese writes says nothing of that."""
    plain = _TO_BE.sub("是", text)
    return _RUN.search(text) is not None and _simplify_script(plain) != plain


def is_simplified(text: str) -> bool:
    """Whether a text holds simplified characters, and no traditional ones."""
    is_plain = _RUN.search(text) is not None and not is_traditional(text) and not is_japanese(text)
    return is_plain and traditionalise(text) != text


def list_pairs() -> dict[str, str]:
    """Return each character that is compared as another one with that other one."""
    characters = [chr(code) for codes in _HAN for code in codes]
    return {one: other for one in characters if (other := simplify(one)) != one}


def restore(text: str, *, told: str, own: Callable[[str], str] = str) -> str:
    """Return a text of words that were read with those that somebody told in the characters in which they told them.

    `own` writes the words that nobody told, in as many characters.
    """
    simple = read(told)
    if own is str and simple == told:
        return text
    return _RUN.sub(lambda run: _restore_run(run[0], told, simple, own(run[0])), text)


def _restore_run(run: str, told: str, simple: str, own: str) -> str:
    if len(run) == 1 and (alone := simple.find(run)) >= 0:
        return told[alone]
    restored, at = "", 0
    while at < len(run):
        end, place = at + 1, -1
        while end < len(run) and (found := simple.find(run[at : end + 1])) >= 0:
            end, place = end + 1, found
        words = told[place : place + end - at]
        is_somebodys = end - at > _WORD or (end - at == _WORD and simplify(words) == run[at:end])
        restored += words if is_somebodys else own[at:end]
        # The first of two like characters, of which somebody told the second: 妈媽.
        if is_somebodys and run[at - 1 : at] == run[at]:
            restored = restored[: at - 1] + words[0] + words
        at = end
    return restored


def _simplify_script(text: str) -> str:
    return text.translate(_load_simple())


@cache
def _load_simple() -> dict[int, int | str]:
    """Return the simplified character of each traditional one: OpenCC reads words, which may move a place."""
    characters = [chr(code) for codes in _HAN for code in codes]
    simple = _load_converter("t2s").convert("\n".join(characters)).split("\n")
    pairs = zip(characters, simple, strict=True)
    # Whose simplified form no run holds could not be restored: 嗰.
    of_traditional = {ord(one): other for one, other in pairs if one != other and _RUN.fullmatch(other)}
    return _TAIWANESE | {one: other.translate(_TAIWANESE) for one, other in of_traditional.items()}


@cache
def _load_converter(config: str) -> OpenCC:
    return OpenCC(config)
