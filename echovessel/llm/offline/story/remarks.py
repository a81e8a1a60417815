"""Finds what is said of a person or an animal that will hold next month too: where they live, what they do, how old they are."""

from collections.abc import Iterable, Iterator

from pydantic import JsonValue

from echovessel import lazy_re as re
from echovessel.llm.offline import capitals
from echovessel.llm.offline.text import lexicon, sentences

REMARKS_MOST = 3
_CLAUSE = re.compile(
    r"[;；。]\s*|\s+and\s+(?=(?:i|we)\b)|,\s+(?!(?:he|she)(?:['’]s| is) (?:\w+ )?\w+\W*$)(?=(?:and|but|so|he|she|they|it|i|we|my|our|his|her|their)\b)",
    re.IGNORECASE,
)
_CLAUSE_CHINESE = re.compile(r"[，,；;。]\s*(?![今刚才都快]*[\d一二三四五六七八九十]+岁|(?:名字)?叫)")
_STILL = r"(?: (?:also|now|still|really|just|always|only|currently|actually|absolutely))?"
_NUMBER = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?)"
# Right behind the name of whom it is said.
_ENGLISH = {
    "work": rf"(?:{_STILL} (?:works?|worked) (?:at|as|for|in)|(?:'s| is){_STILL} an? (?:[\w-]+ ){{0,2}}\w*(?:er|or|ist|ian|nurse|chef|student))\b",
    "home": rf"{_STILL} lives? (?:in|at|near|with|next)\b",
    "likes": rf"{_STILL} (?:(?:likes|loves|hates|plays|collects|enjoys)\b(?! (?:to see|that|it when)\b)|can't stand\b)",
    "age": rf"(?:(?:,? who)?(?:'s| is){_STILL} (?:turning )?{_NUMBER}(?: years? old)?(?=\W*$|,| and\b| now\b| next\b| this\b)|,? (?:he|she)(?:'s| is) {_NUMBER}(?=\W*$|,| and\b| years? old)|{_STILL} turn(?:s|ed) {_NUMBER}\b|,? (?:aged )?{_NUMBER}(?=,|\W*$))",
    "who": r"(?:'s| is) (?:my|our)\b|, (?:my|our) \w+",
}
_HAN_STILL = r"(?:今年|现在|目前|其实|也|还|一直|就|都|很|最|特别|[，,])*"
_CHINESE = {
    "work": rf"{_HAN_STILL}(?:是(?!我|个好)[^，,。]{{0,6}}(?:师|员|工|医生|学生|警察|教授|护士|司机|老板|律师|校长)|在[^，,。]{{1,8}}(?:工作|上班))",
    "home": rf"{_HAN_STILL}(?:住在|住[^，,。]{{0,4}}楼)",
    "likes": rf"{_HAN_STILL}(?:不?喜欢|讨厌|不?爱[吃喝看听玩])",
    "age": rf"{_HAN_STILL}(?:才|刚|都|快|满)*(?:\d+|[一二三四五六七八九十]+)岁",
    "who": r"是我",
}
# In front of the name.
_CALLED = re.compile(r"\b(?:is |are |was )?(?:called|named)\W*$|(?:名字)?(?:就)?叫(?:做)?\W*$", re.IGNORECASE)
_MINE = re.compile(r"(?:\b(?:my|our)|我们?家?的?|我)\s*(?P<who>(?:[\w'-]+ ?){1,3}),?\s*$", re.IGNORECASE)
_OTHERS = re.compile(r"(?:\b(?:his|her|their)|['’]s)\W*$", re.IGNORECASE)


def find_remarks(name: str, said: Iterable[tuple[int, str]]) -> list[JsonValue]:
    """Return what is said of a name, the last of each kind."""
    found: dict[str, JsonValue] = {}
    for line, sentence in said:
        if name not in sentence or sentences.is_question(sentence):
            continue
        for label, clause in _read(name, sentence):
            found.pop(label, None)
            found[label] = {"label": label, "text": clause, "line": line}
    return list(found.values())[-REMARKS_MOST:]


def _read(name: str, sentence: str) -> Iterator[tuple[str, str]]:
    is_chinese = lexicon.is_chinese(sentence)
    if not (_CLAUSE_CHINESE if is_chinese else _CLAUSE).search(sentence.rstrip(" 。.!！")):
        clauses = [sentence]
    else:
        clauses = [one for one in (_CLAUSE_CHINESE if is_chinese else _CLAUSE).split(sentence) if name in one]
    for clause in clauses:
        if label := _label(name, clause):
            yield label, capitals.begin(clause.strip())


def _label(name: str, clause: str) -> str:
    """Return what a clause says of whom it names, "" where it says nothing that lasts."""
    is_chinese = lexicon.is_chinese(clause)
    begin = rf"(?<!\w){re.escape(name)}" if not is_chinese else re.escape(name)
    for place in re.finditer(begin, clause):
        before, behind = clause[: place.start()], clause[place.end() :].replace("’", "'")
        if _OTHERS.search(before) and name[:1].islower():
            continue
        for label, pattern in (_CHINESE if is_chinese else _ENGLISH).items():
            if re.match(pattern, behind, re.IGNORECASE):
                return label
        if _names_relative(before):
            return "who"
    return ""


def _names_relative(before: str) -> bool:
    """Whether what stands before a name tells who that is: "my sister", "we have a cat called"."""
    if called := _CALLED.search(before):
        return bool(lexicon.find_kin(before[: called.start()]) or lexicon.find_pets(before[: called.start()]))
    mine = _MINE.search(before)
    return mine is not None and bool(lexicon.find_kin(mine[0]) or lexicon.find_pets(mine["who"]))
