"""Words for relatives, which tell two people apart whose vectors are alike: mother and father, 妈妈 and 爸爸."""

from collections.abc import Iterable
from functools import cache

from echovessel import lazy_re as re
from echovessel import text

# Each with its synonyms: "mum" and "mother" mean the same person.
KIN_PATTERNS = {
    "mother": r"\bm(?:other|um|am|om|ummy|ommy|ama)\b|\bamma\b|妈|母亲|老母",
    "father": r"\b(?:father|dad|daddy|papa)\b|爸|父亲|老爹",
    "grandmother": r"\bgrand(?:mother|ma)\b|\b(?:granny|nana)\b|奶奶|外婆|姥姥|祖母",
    "grandfather": r"\bgrand(?:father|pa|dad)\b|爷爷|外公|姥爷|祖父",
    "sister": r"\bsister\b|姐|妹",
    "brother": r"\bbrother\b|哥|弟|兄",
    "elder": r"\b(?:elder|older|big)\b|姐|哥",
    "younger": r"\b(?:younger|little)\b|妹|弟",
    "daughter": r"\bdaughter\b|女儿|闺女",
    "son": r"\bson\b|儿子",
    "wife": r"\bwife\b|妻子|老婆|太太",
    "husband": r"\bhusband\b|丈夫|老公",
    "aunt": r"\baunt(?:ie|y)?\b|阿姨|姑姑|姨妈|舅妈|婶",
    "uncle": r"\buncle\b|叔叔|舅舅|伯伯|姑父|姨父",
    "cousin": r"\bcousin\b|表[哥姐弟妹]|堂[哥姐弟妹]",
    "niece": r"\bniece\b|侄女|外甥女",
    "nephew": r"\bnephew\b|侄子|侄儿|外甥(?!女)",
    "in-law": r"-in-law\b|岳|公公|婆婆|嫂|姐夫|妹夫|女婿|儿媳",
    "partner": r"\b(?:partner|boyfriend|girlfriend)\b|男朋友|男友|女朋友|女友|对象",
    "boyfriend": r"\bboyfriend\b|男朋友|男友",
    "girlfriend": r"\bgirlfriend\b|女朋友|女友",
    "left": r"\bleft\b|左",
    "right": r"\bright\b|右",
}
# Forms of address for the same relatives, where a word means nobody else.
_CALLED = (
    "mother mum mom mam mummy mommy mama amma ammi", "father dad daddy papa appa abbu", "grandmother gran grandma granny nana",
    "grandfather grandad granddad grandpa", "sister sis", "brother bro", "aunt auntie", "husband hubby", "child kid wean bairn",
    "妈妈 母亲 老妈", "爸爸 父亲 老爸", "外婆 姥姥", "外公 姥爷", "奶奶 祖母", "爷爷 祖父", "丈夫 老公", "妻子 老婆 媳妇", "孩子 小孩 宝宝",
)  # fmt: skip
# Relatives and partners; of Chinese ones a character, where words for the same one share it.
_RELATIVES = (
    "mother father grandmother grandfather sister brother daughter son wife husband partner boyfriend girlfriend aunt uncle cousin niece "
    "nephew child 妈 爸 妈妈 爸爸 爷爷 奶奶 外婆 外公 哥 弟 姐 妹 儿子 女儿 妻子 丈夫 舅 姑 姨 叔 伯 侄 孩子"
)
_SIDES = ("left", "right")
_PATTERNS = {kin: re.compile(words) for kin, words in KIN_PATTERNS.items()}


def find_kin(folded: str) -> dict[str, int]:
    """Find the relatives in a folded text, each with its first position."""
    found = {kin: pattern.search(folded) for kin, pattern in _PATTERNS.items()}
    return {kin: match.start() for kin, match in found.items() if match is not None}


def begins_with_relative(said: str) -> bool:
    """Whether a Chinese text begins with a word for a relative: 姐在医院上夜班."""
    return text.has_cjk(said) and any(pattern.match(said) for kin, pattern in _PATTERNS.items() if kin not in _SIDES)


def normalize_term(term: str) -> str:
    """Map a term for a relative to the one that its synonyms share: "gran" to "grandmother"."""
    return build_common_terms().get(term, term)


def name_relative(terms: Iterable[str]) -> bool:
    return not _build_relative_terms().isdisjoint(terms)


@cache
def build_common_terms() -> dict[str, str]:
    """Map each word for a relative to the first of its synonyms."""
    # A Chinese word's pair follows its characters.
    groups = [[text.extract_terms(word)[-1] for word in called.split()] for called in _CALLED]
    return {term: group[0] for group in groups for term in group}


@cache
def _build_relative_terms() -> frozenset[str]:
    return frozenset(normalize_term(text.extract_terms(word)[-1]) for word in _RELATIVES.split())
