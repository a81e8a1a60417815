"""Check a text from outside before it is stored; fold names, and extract the terms, words and numbers of a text in any script."""

import threading
import unicodedata
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

import snowballstemmer

from echovessel import chinese_script
from echovessel import lazy_re as re
from echovessel.errors import CodedError

# Characters that PostgreSQL or UTF-8 cannot store. All others are kept: text is escaped when it is shown.
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
# They have no width, and names in Persian or Hindi and emoji of several signs are not written without them.
_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))
# Control and format characters, such as a space without width: alone they are no text.
_UNSEEN = {"Cc", "Cf"}

_CJK = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
CJK_CHARACTER = re.compile(f"[{_CJK}]")
# For patterns that ignore case. Without `-i` each takes 2 ms to compile, since Python looks for the other case of every character;
# the last four are those that [A-Za-z] matches besides where case is ignored.
HAN = r"(?-i:[\u4e00-\u9fff])"
HAN_OR_LETTER = r"(?-i:[\u4e00-\u9fffA-Za-z\u0130\u0131\u017f\u212a])"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:'[^\W_{_CJK}]+)?")
LONGEST_TERM = 64
# What stands in the place of a secret: `memory.messages.secrets`.
MASK = "[secret]"
# A cut text does not end in the first letters of a word, or in a word that only leads to the next.
_IN_WORD, _BEGUN_WORD = re.compile(rf"[^\W_{_CJK}]{{2}}"), re.compile(rf"[^\W_{_CJK}]+$")
_LEADS_ON = re.compile(
    r"(?:[\s,;:，；：、](?:and|or|but|so|as|than|because|that|which|who|with|without|of|to|in|on|at|by|for|from|about|into|a|an|the|my|our|your|his|her|its"
    r"|their|is|are|was|were|be)|[\s,;:，；：、的和与跟或而把被])+$",
    re.IGNORECASE,
)

# Letters that may have marks. Kana have theirs for other sounds, and a Russian short i is no i with an ornament.
_MARKED = re.compile(r"[\u00c0-\u024f\u0300-\u036f\u0370-\u06ff\u0900-\u0fff\u1e00-\u1fff]")
_MARKS = re.compile(
    r"(?<![\u0418\u0438])[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]"
)
# Whose stemmer reads words of a script; all others are read as English ones.
_STEMMERS = {
    "russian": re.compile("[\u0400-\u04ff]"),
    "arabic": re.compile("[\u0620-\u06ff]"),
    "greek": re.compile("[\u0370-\u03ff]"),
}


def strip_marks(folded: str) -> str:
    """Strip accents and vowel signs, which people leave out as they type: "Querétaro", "Ковалёва"."""
    if not _MARKED.search(folded):
        return folded
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", folded)))


# Function words and characters.
_STOP_WORD_LIST = (
    "a about after all also am an and any are as at be because been before being but by can could did do does doing don't for from get got had has "
    "have having he her here hers him his how i i'm i've if in into is isn't it it's its just know let like lot made make me more most my no nor "
    "not now of off on once one only or other our out over own really remember said same say she should so some still such than that that's the "
    "their them then there these they thing think this those through to today told too up us very was we well were what what's when where which "
    "while who whom why will with would yes yet you you're your"
)
# Those of many other languages, also without their accents, but none that English texts have, too: "die" and "war" are not among them.
FOREIGN_STOP_WORDS = frozenset(Path(__file__).with_name("function_words.txt").read_text(encoding="utf-8").split())
ENGLISH_STOP_WORDS = frozenset(_STOP_WORD_LIST.split())
STOP_WORDS = ENGLISH_STOP_WORDS | FOREIGN_STOP_WORDS
_STOP_CHARACTERS = frozenset(
    "的了是我你您他她它们在有和就不都也很到说要去会着没看好这那个吗呢吧啊呀哦嗯么什怎哪谁几还又再已被把让给跟与及或但而因为所以如果虽然其这些那些自己可能能想觉得记一二三两上下来过时候现最里嘛"
)


_WORD = re.compile(rf"[{_CJK}]+|[^\W\d_{_CJK}]+(?:'[^\W\d_{_CJK}]+)?")
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {word: value for value, word in enumerate(_SMALL.split())}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
_VALUES |= {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_COUNTED = rf"\d+(?:[.,:]\d+)*|\b(?:{'|'.join(_TENS.split())})[ -](?:{'|'.join(_SMALL.split()[1:10])})\b|\b(?:{'|'.join(_VALUES)})\b"
# So many Chinese characters are a number; more, such as 一一一一…, are none that anybody means.
_LONGEST_NUMBER = 20
_HAN = "".join((*_DIGITS, *_UNITS))
# What is counted, and the same with the words for a place in a row, a part, or how often. 老二 is who is the second child.
COUNT = re.compile(rf"{_COUNTED}|(?<!老)[{_HAN}]+")
NUMBER = re.compile(
    rf"{_COUNTED}|(?<!老)[{_HAN}半]+"
    r"|\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|half|once|twice|both|last|next)\b"
)

_THOUSANDS = re.compile(r"(?<![\d.,])(?P<number>\d[\d,]{0,12}(?:\.\d{1,4})?) ?(?P<unit>k|[千万亿])(?![a-z])")
# Question words; their single characters are content elsewhere (面条, 人口).
_ABOUT_ANYTHING = re.compile(
    "问题|事情|东西|结果|情况|[我你]家的?|[这那哪][块口支位条件只张把台辆本]|哪[天年月次种]|什么地方"
)
_NOTHING = "的"


class TextError(CodedError, ValueError):
    """A text that is not accepted."""


def check(text: object, *, most: int) -> str:
    """Return the text if it has 1 to `most` characters and can be stored. Raises TextError."""
    if not isinstance(text, str):
        raise TextError("invalid", "This must be text.")
    if _UNSTORABLE.search(text):
        raise TextError("invalid", "This text has a character that cannot be stored (a NUL or half a surrogate pair).")
    if all(sign.isspace() or unicodedata.category(sign) in _UNSEEN for sign in text):
        raise TextError("invalid", "This text is blank.")
    if len(text) > most:
        raise TextError(
            "too_long", "This text has %(count)s characters; at most %(most)s are allowed.", count=len(text), most=most
        )
    return text


def is_one_line(text: str) -> bool:
    """Return whether a text has neither line breaks nor control characters, and more than what has no width."""
    visible = text.translate(_JOINERS)
    return visible.isprintable() and bool(visible.strip())


def strip_unstorable(text: str) -> str:
    """Remove characters that cannot be stored from a model's text."""
    return _UNSTORABLE.sub("", text)


def fold(name: str) -> str:
    """Fold a name for comparison: NFKC, in simplified characters, casefolded, spaces joined."""
    return chinese_script.simplify(fold_case(name))


def fold_case(text: str) -> str:
    """Fold a text without changing its script: NFKC, casefolded, spaces joined."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _normalise(text: str) -> str:
    return chinese_script.simplify(unicodedata.normalize("NFKC", text))


def has_cjk(text: str) -> bool:
    return CJK_CHARACTER.search(text) is not None


def extract_terms(text: str) -> list[str]:
    """Extract the terms of a text in order: stemmed words of spaced scripts, characters and bigrams of CJK.

    Function words and function characters are left out.
    """
    found: list[str] = []
    for run in split_runs(text):
        if has_cjk(run):
            found += extract_cjk_terms(run)
        elif run not in STOP_WORDS:
            found.append(stem(run))
    return found


def split_runs(text: str) -> list[str]:
    """Split a text into folded CJK runs, in simplified characters, and words of other scripts, without accents; a typographic ’
    becomes '.
    """
    found: list[str] = _RUN.findall(strip_marks(_normalise(text).casefold()).replace("’", "'"))
    return found


def extract_cjk_terms(run: str) -> list[str]:
    """Extract CJK characters that are no function characters, and pairs of such neighbours."""
    run = _ABOUT_ANYTHING.sub(_NOTHING, run)
    singles = [character for character in run if character not in _STOP_CHARACTERS]
    pairs = [
        run[at : at + 2]
        for at in range(len(run) - 1)
        if run[at] not in _STOP_CHARACTERS and run[at + 1] not in _STOP_CHARACTERS
    ]
    return singles + pairs


def extract_search_terms(text: str) -> list[str]:
    """Extract terms for the index: like `extract_terms`, with function words and all CJK bigrams."""
    found: list[str] = []
    for run in split_runs(text):
        if has_cjk(run):
            found += [*run, *(run[at : at + 2] for at in range(len(run) - 1))]
        else:
            found.append(stem(run))
    return found


# A stemmer has state, so each thread has its own.
_of_thread = threading.local()


# Stemming is the slowest step, and people use some thousand words.
@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of a word in small letters, by the algorithm for its script: "dropped" is "drop"."""
    language = next((name for name, letters in _STEMMERS.items() if letters.search(word)), "english")
    if not hasattr(_of_thread, language):
        setattr(_of_thread, language, snowballstemmer.stemmer(language))
    stemmed: str = getattr(_of_thread, language).stemWord(word.removesuffix("'s"))
    return stemmed[:LONGEST_TERM]


def contains_name(text: str, name: str) -> bool:
    """Whether a folded text contains a folded name: Latin names as whole words, CJK names of two or more characters
    anywhere.
    """
    if has_cjk(name):
        return len(name) >= 2 and name in text
    return re.search(rf"(?<![^\W_{_CJK}]){re.escape(name)}(?![^\W_{_CJK}])", text) is not None


def split_words(description: str) -> list[tuple[str, bool]]:
    """Split a text into folded words. Flag each that is a name: its capital is not explained by a sentence's start."""
    words = _WORD.findall(_normalise(description).replace("’", "'"))
    folded = [(word.casefold().removesuffix("'s"), word[0].isupper()) for word in words]
    return [(word, has_capital and word not in STOP_WORDS | {"user"}) for word, has_capital in folded]


def find_numbers(folded: str) -> tuple[str, ...]:
    """Find the numbers of a folded text, as digits also where they are written as words: 15k is 15000."""
    return tuple(map(read_number, NUMBER.findall(_THOUSANDS.sub(_write_out, folded))))


def _write_out(thousands: re.Match[str]) -> str:
    number = Decimal(thousands["number"].replace(",", "")) * _UNITS.get(thousands["unit"], 1000)
    return f"{number.normalize():f} "


def read_number(found: str) -> str:
    """Return a number as digits, and other words as they are: forty-four is 44, 二十三 is 23, 一九九八 is 1998."""
    if found[0].isdigit():
        return re.sub(r"(?<=\d),(?=\d{3}\b)", "", found)
    words = re.split("[ -]", found)
    if all(word in _VALUES for word in words):
        return str(sum(_VALUES[word] for word in words))
    is_number = len(found) <= _LONGEST_NUMBER and set(found) <= {*_DIGITS, *_UNITS}
    return str(_read_chinese(found)) if is_number else found


def _read_chinese(found: str) -> int:
    if not _UNITS.keys() & set(found):
        return int("".join(str(_DIGITS[character]) for character in found))
    total, section, digit, last = 0, 0, 0, 1
    for character in found:
        unit = _UNITS.get(character)
        if unit is None:
            digit = _DIGITS[character]
        elif unit < _UNITS["万"]:
            section += (digit or 1) * unit
            digit = 0
        else:
            total = (total + section + digit or 1) * unit
            section = digit = 0
        last = unit or last
    # 一万五 is 15 000, 一万零五 10 005.
    is_short = found[-1] in _DIGITS and found[-2] in _UNITS and last >= _UNITS["百"]
    return total + section + digit * (last // 10 if is_short else 1)


def drop_unclosed(cut: str) -> str:
    """Return a text that was cut without the bracket that it opens and does not close any more, and what is in it."""
    for opening, closing in ("()", "[]", "（）"):
        at = cut.rfind(opening)
        if at > cut.rfind(closing):
            cut = cut[:at].rstrip() or cut[at + 1 :]
    return cut


def cut_to_ends(said: str, each: int) -> str:
    """Return a text, or a line of its beginning and one of its end, of so many characters each."""
    return said if len(said) <= 2 * each else f"{said[:each]}\n{said[-each:]}"


def cut_short(said: str, most: int) -> str:
    """Return a text, or as many of its words as fit with the mark that it goes on."""
    if len(said) <= most:
        return said
    cut = said[:most]
    whole = _BEGUN_WORD.sub("", cut) if _IN_WORD.match(said, most - 1) else cut
    return (_LEADS_ON.sub("", drop_unclosed(whole)) or cut) + "…"
