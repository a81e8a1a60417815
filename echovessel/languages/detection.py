"""Tell that a text is in another language than the two for which rules are written, English and Chinese."""

from functools import lru_cache

from echovessel import chinese_script, text
from echovessel import lazy_re as re

# What other languages have, too, tells nothing.
_SHARED_WORDS = "a am an and as at be by do for had has have he her here i in is me more most no of on or over so to us was we were will"
_ENGLISH = frozenset(text.ENGLISH_STOP_WORDS - {*_SHARED_WORDS.split()} - text.FOREIGN_STOP_WORDS)
# What tells less: articles before a small letter ("de la Cruz" is a name), and small words with accents, such as "café".
_ARTICLE_LIST = "de la le les las los el un una al en du di del il lo da y yo se su mi te nos ella con"
ARTICLES = frozenset(_ARTICLE_LIST.split())
_ARTICLE = re.compile(
    rf"(?<!\w)(?:(?:{'|'.join(sorted(ARTICLES))})(?= [^\W\d_A-Z])|[a-z]*[à-öø-ÿāăąćčđęěğłńőřśşšťůűźżžı][a-zà-ÿ]*)(?!\w)"
)
_LEAST_ARTICLES = 2
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z\u00aa-\u024f\u1e00-\u1eff]+(?:['’][a-z]+)?")
# Words in neither Latin, Chinese characters nor kana; marks on letters belong to them.
_OTHER = re.compile(r"[^\W\d_A-Za-z\u00aa-\u024f\u1e00-\u1eff\u3040-\u30ff\u3400-\u9fff]+")
_TURNED = re.compile("[¿¡]")
# Rules read beginnings and ends; so much of a text tells its language.
_READ_MOST = 2_000


@lru_cache(maxsize=4096)
def is_foreign(said: str) -> bool:
    """Whether most words are neither English nor Chinese. A text of names alone is not."""
    read = said[:_READ_MOST]
    latin = [word.casefold().replace("’", "'") for word in _LATIN.findall(read)]
    is_kana = chinese_script.is_japanese(read)
    characters = (len(_HAN.findall(read)) + is_kana * len(chinese_script.KANA.findall(read))) / 2
    others = len(_OTHER.findall(read)) + characters * is_kana
    if others > len(latin) + characters * (not is_kana):
        return True
    foreign, english = (sum(word in known for word in latin) for known in (text.FOREIGN_STOP_WORDS, _ENGLISH))
    if not foreign:
        foreign = len(_ARTICLE.findall(read)) // _LEAST_ARTICLES or int(bool(_TURNED.search(read)))
    # Chinese with English words in it is Chinese.
    return foreign > english and len(latin) >= characters
