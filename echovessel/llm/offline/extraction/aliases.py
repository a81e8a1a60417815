"""Finds other names that the user gives somebody, and whether the user cleared up an uncertain pair."""

from collections.abc import Iterator
from dataclasses import dataclass

from echovessel import lazy_re as re
from echovessel.llm.inputs import ExtractionInputs
from echovessel.llm.offline.text import lexicon, names, sentences

_LATIN = r"[A-Z\u00c0-\u00de][\w'’-]{0,40}(?: [A-Z\u00c0-\u00de][\w'’-]{1,40}){0,2}"
_HAN = r"[\u4e00-\u9fff]{2,4}?"
_QUOTE = r"[\"'“”‘’「『]?"
_END = r"(?=[^\w]|$)"
_HAN_END = r"(?=[^\u4e00-\u9fff]|[的了啊呀吧呢是啦嘛因]|$)"


def _group_of_name(group: str) -> str:
    return rf"{_QUOTE}(?P<{group}>{_LATIN}|[\u4e00-\u9fff]{{2,4}}){_QUOTE}"


def _group_of_han(group: str) -> str:
    return rf"{_QUOTE}(?P<{group}>[A-Z][A-Za-z]{{1,40}}|{_HAN}){_QUOTE}{_HAN_END}"


_CALLERS = r"(?i:everyone|everybody|people|we all|we|they|the family|my family|all (?:her|his|my|our) \w+|(?:her|his|my|our) \w+|friends|the others|i|most people)"
_OWN_NAME = r"(?i:real|full|actual|given|legal|birth|chinese|english|proper|first|middle|last|nick|pet|stage|family|official)[ -]?(?i:name|nickname)"
_PRONOUN = r"(?i:him|her|them|it)"
# `a` is who is meant, where it is said; `b` the other name.
_STATED = [
    rf"\b{_group_of_name('b')} is (?i:just |only |simply )?(?i:what|how) {_CALLERS} (?i:\w+ )?(?i:call|calls|called|know|knows) {_group_of_name('a')}{_END}",
    rf"\b{_CALLERS} (?i:just |always |all |only |usually |still )?(?i:call|calls|called) (?:{_PRONOUN}|{_group_of_name('a')}) (?i:just |by the name )?{_group_of_name('b')}{_END}",
    rf"\b(?:(?i:his|her|their|its)|{_group_of_name('a')}'s) {_OWN_NAME}(?i: is| was|'s) (?i:actually |really )?{_group_of_name('b')}{_END}",
    rf"\b{_group_of_name('a')},? \(?{_OWN_NAME}:? {_group_of_name('b')}{_END}",
    rf"\b{_group_of_name('b')} is {_group_of_name('a')}'s {_OWN_NAME}",
    rf"\b{_group_of_name('b')} is (?i:his|her|their) {_OWN_NAME}",
    rf"\b{_group_of_name('b')},? (?i:is |which is |it's |that's )?(?i:short|a nickname|the nickname|our nickname|his nickname|her nickname) (?i:for) {_group_of_name('a')}{_END}",
    rf"\b{_group_of_name('a')},? \(?(?i:is |was )?(?i:aka|a\.k\.a\.|also known as|also called|otherwise known as|better known as|nicknamed)\)? {_group_of_name('b')}{_END}",
    rf"\b(?:{_group_of_name('a')}|(?i:he|she|they)) (?i:mostly |usually |now |also )?(?i:goes by|is nicknamed|is known as|went by|prefers (?:to be called|being called|to go by|the name)) {_group_of_name('b')}{_END}",
    rf"\b{_group_of_name('a')} (?i:and|&) {_group_of_name('b')} (?i:are|is|were) (?i:actually |really |of course |just |both |one and )?(?i:the )?(?i:same)\b",
    rf"\b{_group_of_name('b')} (?i:is|and) (?i:actually |really )?(?i:the same (?:person |man |woman |cat |dog )?as) {_group_of_name('a')}{_END}",
    rf"\b(?i:by) {_group_of_name('b')},? (?i:i mean) {_group_of_name('a')}{_END}",
    rf"(?:(?:{_group_of_han('a')}(?=的|[，,]?(?:小名|外号)))的?|[他她它]的?|(?<![\u4e00-\u9fff]))(?:小名|乳名|外号|绰号|昵称|花名|英文名字?|中文名字?|真名|本名|大名|全名|艺名|网名|学名)(?:就)?(?:是|叫做?|为)?{_group_of_han('b')}",
    rf"(?:大家|我们|朋友们?|家里人?|全家|同学们?|同事们?|别人|邻居们?|我|他们|她们)(?:平时|都|总|也|一直|从小|喜欢|习惯)*(?:管|叫|喊|称呼?)(?:(?:[他她它]|{_group_of_han('a')})(?:叫|做|为)?|(?<=管)[他她它]叫){_group_of_han('b')}",
    rf"{_group_of_han('b')}(?:就)?是(?:大家|我们|朋友们?|家里人?|同学们?|同事们?|别人)(?:平时|都|总)*(?:对|叫|喊|给)(?:[他她它]|{_group_of_han('a')})(?:起)?的?(?:称呼|外号|名字|小名)?",
    r"(?P<a>[A-Z][A-Za-z]{1,40}|[\u4e00-\u9fff]{2,4})(?:和|跟|与|还有|、)(?P<b>[A-Z][A-Za-z]{1,40}|[\u4e00-\u9fff]{2,4}?)(?:其实|就|都|本来)*是(?:同)?一?(?:个人|同一个|一个人)",
    r"(?P<b>[A-Z][A-Za-z]{1,40}|[\u4e00-\u9fff]{2,4}?)(?:其实)?(?:就是|也就是|即)(?P<a>[A-Z][A-Za-z]{1,40}|[\u4e00-\u9fff]{2,4})(?=[^\u4e00-\u9fff]|[的啊呀嘛啦]|$)",
]
_COMPILED = [re.compile(pattern) for pattern in _STATED]
# "A is B" in Chinese is said of many things; there both have to be names that are known.
_NEEDS_KNOWN = 1
_NO_NAMES_TEXT = (
    "he she they everyone people what just this that there 大家 我们 他们 什么 自己 那个 这个 一个 名字 因为 所以"
)
_NO_NAMES = names.NO_NAMES | frozenset(_NO_NAMES_TEXT.split())

_SAME = (
    r"\b(?:same|one and the same|they are|that'?s (?:him|her|them|right|it))\b|同一个|一个人|一回事|就是(?:她|他|同)"
)
_OTHER = r"\b(?:different|not the same|two (?:different )?people|someone else|somebody else|unrelated|(?:are|is)n'?t|another (?:person|one))\b|不是(?:同)?一|两个人|不同|另一个|另外一个|没关系|不一样"
_YES = r"^\W*(?:yes|yeah|yep|yup|right|exactly|correct|indeed|of course|sure|they are|he is|she is|it is|same|是的?|对|嗯|没错|当然|就是)(?![\w])|^\W*(?:是的?|对|嗯|没错|当然|就是)"
_NO = r"^\W*(?:no|nope|nah|not)\b|^\W*(?:不|没有|才不|不是)"


@dataclass(frozen=True)
class Alias:
    owner: str
    other: str
    # The line that says so, and whether it holds both names.
    line: int
    is_explicit: bool


def find_aliases(inputs: ExtractionInputs) -> list[Alias]:
    """Return every other name the user gives somebody."""
    return list(dict.fromkeys(_find(inputs)))


def _find(inputs: ExtractionInputs) -> Iterator[Alias]:
    latest = ""
    heard = {name.casefold() for entity in inputs.known for name in entity.names}
    for number, text in ((number, part) for number, line in inputs.said_by_user for part in _split_long(line)):
        plain = lexicon.normalise(text)
        for at, pattern in enumerate(_COMPILED):
            for match in pattern.finditer(plain):
                parts = match.groupdict()
                # Whom a pronoun means is named before it: in the same line, else in an earlier one.
                before = plain[: match.start()]
                owner = (parts.get("a") or max(_list_names(before, inputs), key=before.rfind, default="")).strip()
                other = parts["b"].strip("'’ ")
                if {owner.casefold(), other.casefold()} & _NO_NAMES or owner.casefold() == other.casefold():
                    continue
                if any(f"{owner} {other}" == name.text for name in names.find(text)):
                    continue
                if at >= len(_COMPILED) - _NEEDS_KNOWN and not {owner.casefold(), other.casefold()} <= heard:
                    continue
                yield Alias(owner or latest, other, number, is_explicit=bool(owner))
        for name in _list_names(text, inputs):
            heard.add(name.casefold())
            latest = name


def _split_long(line: str) -> list[str]:
    """Split a long line into sentences: these patterns are slow on long text."""
    return [line] if len(line) <= sentences.MOST else sentences.split(line)


def _list_names(text: str, inputs: ExtractionInputs) -> list[str]:
    """Return the people and pets named in a line, the last one last."""
    known = [
        name for entity in inputs.known if entity.kind in ("person", "pet") for name in entity.names if name in text
    ]
    return known + [name.text for name in names.find(text) if name.kind in ("person", "pet")]


def judge_pair(inputs: ExtractionInputs) -> bool | None:
    """Whether the user says that the uncertain pair is the same; None where they do not say."""
    if inputs.pair is None:
        return None
    sides = [_list_names_of(side, inputs) for side in inputs.pair]
    for at, line in enumerate(inputs.lines):
        if not line.is_user:
            continue
        asked = inputs.lines[at - 1].text if at and not inputs.lines[at - 1].is_user else ""
        was_asked = all(any(name in asked for name in side) for side in sides)
        holds_both = all(any(name in line.text for name in side) for side in sides)
        if was_asked or holds_both:
            answer = _judge(line.text, was_asked=was_asked, is_stated=_is_stated(inputs, line.number))
            if answer is not None:
                return answer
    return None


def _list_names_of(side: str, inputs: ExtractionInputs) -> tuple[str, ...]:
    entity = inputs.entity_named(side)
    return entity.names if entity else (side,)


def _is_stated(inputs: ExtractionInputs, number: int) -> bool:
    pair = {name.casefold() for name in inputs.pair or ()}
    return any(
        alias.line == number and {alias.owner.casefold(), alias.other.casefold()} <= pair
        for alias in find_aliases(inputs)
    )


def judge_answer(text: str) -> bool | None:
    """Whether a line says yes or no to the question before it; None where it says neither."""
    plain = lexicon.normalise(text)
    if re.search(_NO, plain, re.IGNORECASE):
        return False
    return True if re.search(_YES, plain, re.IGNORECASE) else None


def _judge(text: str, *, was_asked: bool, is_stated: bool) -> bool | None:
    plain = lexicon.normalise(text)
    if re.search(_OTHER, plain, re.IGNORECASE):
        return False
    if is_stated or re.search(_SAME, plain, re.IGNORECASE):
        return True
    return judge_answer(text) if was_asked else None
