"""What a user leaves open, or says of others: a model that is told it for a fact of theirs says more than they did."""

from collections.abc import Collection, Sequence

from echovessel import lazy_re as re
from echovessel import text
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import lexicon, names, sentences, third_person
from memory.facts.checks import grounding, values, wording

_IMAGINED = re.compile(
    r"\bif (?:i|we)\b.*(?:\bwould\b|\w'd\b)|\bif \w+\b.*\b(?:i|we)(?:'ll| will|'(?:m|re) \w+ing)\b|(?:如果|要是|假如|万一).*(?:就|会|想)",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"\b(?:could|should|wish|swear)\b|\bi(?:['’]ll| will)\b(?! not)|真想|恨不得|要是|再这样", re.IGNORECASE
)
_PLANNED = re.compile(
    r"\b(?:interview\w*|appl(?:y|ied|ying) (?:for|to)|(?<!you )might|considering|thinking (?:of|about))\b|面试|应聘|考虑|说不定",
    re.IGNORECASE,
)
# Contents that leave it open, too.
_SAYS_IMAGINED = re.compile(r"\b(?:if|would|might|wish\w*|dream\w*)\b|如果|要是|想|希望|梦", re.IGNORECASE)
_SAYS_PLANNED = re.compile(
    rf"{_PLANNED.pattern}|\b(?:would|wants?|plans?|hopes?|(?-i:may)|considers?|considered|th(?:inks?|ought) (?:of|about)|un(?:sure|decided))\b"
    r"|[想要]|计划|打算|希望|可能|犹豫",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[,;，；。](?!\s*(?:too|as well)\b)|(?<=[\u4e00-\u9fff])\s(?=[\u4e00-\u9fff])|\b(?:so|but|and|because|while) (?=(?:i|we|my)\b)",
    re.IGNORECASE,
)
_PART_END = re.compile(r"[,;，；。]|\band\b")
_OF_OTHERS = re.compile(r"\W*(?:(?:he|she|they)\b|[他她])", re.IGNORECASE)
# Somebody of whom one talks, and who decides nothing for the user, as a boss or a doctor does.
_SOMEBODY = re.compile(
    r"\W*(?:(?:my|ma|me|our|the|this|that|some|an?|had this|one of (?:my|the)) (?:[\w'-]+ ){0,2}?)?(?:fella|lady|guy|man|woman|bloke|chap|girl|boy|kid|wean|lad|passenger|patient|customer|client|neighbou?r|(?:room|flat|house|class|team)-?mate|co-?worker|colleague|mate|friend|cousin)s?\b"
    r"|(?:今天|昨天|刚才|最近|高中|大学|小学|以前|隔壁|楼上|楼下|[我那这的有个位]|一个){0,4}(?:同学|同學|同桌|同事|战友|乘客|客人|顾客|患者|邻居|室友|舍友|闺蜜|哥们|朋友|网友|细佬|細佬)(?![^，,。]{0,8}(?:给|让|叫|帮|带|介绍))",
    re.IGNORECASE,
)
_DOES_TO_SPEAKER = re.compile(
    r"\b(?:gave|gives|got|bought|lent|left|sent|taught|let|took|brought|made|hired|promoted|fired|sold|paid|offered) (?:me|us)\b|[给送教借带]我",
    re.IGNORECASE,
)
_GIVEN_NAMES = english.GIVEN_NAMES - english.NAMES_AND_WORDS
_JOINS = re.compile(r"^\W*(?:(?:and|but|so|well|oh|also|btw|then)\b\W*)*(?:our (?=[A-Z]))?", re.IGNORECASE)
_CALLED = re.compile(r"(?<!我)叫([\u4e00-\u9fff]{2,3})(?![\u4e00-\u9fff])")
_OF_SPEAKER = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours)\b|[我咱俺]", re.IGNORECASE)
# Who tells of the user by what another says: 妈妈说我们不住船了.
_TOLD_OF_US = re.compile(r"^[^,，]{1,30}?(?:\b(?:says?|said)(?: that)? (?=(?:we|i)\b)|说(?=[我咱]))", re.IGNORECASE)
_HAS = re.compile(
    r"^[^,;，；]{1,40}?(?:\b(?:owns|keeps|has (?:an?|the|two|three|four|some|several|their))\b|[有养])", re.IGNORECASE
)
_OWNED = re.compile(r"\b(?:my|our) [\w'-]+(?: [\w'-]+){0,2}|[我咱](?:们?家?的?)[\u4e00-\u9fff]{1,6}", re.IGNORECASE)
_ALSO = re.compile(r"\b(?:too|as well|also|both|same|so (?:am|do) i)\b|也|(?<![成首古京])都", re.IGNORECASE)

_ASKS = re.compile(r"[?？]\W*$|[吗嘛么呢][。!！]*$")
# A content that takes the user's words as they are.
_FIRST_PERSON = re.compile(r"(?:i|my|we|our)\b|[我咱俺]", re.IGNORECASE)
# What a content says of the fact whose place it takes: "with the neighbour (no longer under the pot)".
_NO_LONGER = re.compile(
    r"\s*[,;(（，；]\s*(?:(?:and |but )?(?:no longer|not|instead of|rather than)\b|不再|而?不是)(?P<what>[^,;.()（），；。]+)[)）]?",
    re.IGNORECASE,
)
# The characters of a line that are read.
_READ_MOST = 4_000


def is_wished(said: str) -> bool:
    """Whether a sentence only wishes or threatens something: "some days I could chuck my keys at him", 真想把它送人."""
    return _WISHED.search(said) is not None


def is_open(said: str, content: str = "") -> bool:
    """Whether a sentence leaves open what a content says to be so: "I have an interview at ...", "If I won the lottery I'd ..."."""
    plain = said.replace("’", "'")
    is_imagined = _IMAGINED.search(plain) is not None and not _SAYS_IMAGINED.search(content)
    return is_imagined or (_PLANNED.search(plain) is not None and not _SAYS_PLANNED.search(content))


def is_only_open(content: str, lines: Sequence[str]) -> bool:
    """Whether all sentences that speak of what a content says leave it open."""
    own = wording.list_firm_words(content)
    said = [one for line in lines for one in sentences.split(line[:_READ_MOST]) if count_words(one, own)]
    return bool(said) and all(is_open(one, content) for one in said)


def turn_first_person(content: str) -> str:
    return third_person.turn(content) if _FIRST_PERSON.match(content) else content


def is_only_asked(content: str, lines: Sequence[str], *, speakers: Sequence[str]) -> bool:
    """Whether lines only ask, or imagine, and do not say what a content does: what the companion answered is not told."""
    heard = list_heard(lines, content)
    states = any(not _ASKS.search(one) for line in heard for one in sentences.split(line[:_READ_MOST]))
    return not states and not grounding.is_grounded(content, heard, speakers=speakers)


def list_heard(lines: Sequence[str], content: str) -> list[str]:
    """List lines without the sentences that leave open what a content says."""
    return [" ".join(one for one in sentences.split(line) if not is_open(one, content)) for line in lines]


def is_of_others(
    content: str, *, burst: Sequence[str], before: Sequence[str], user_name: str, known: Collection[str] = ()
) -> bool:
    """Whether a content tells of the user what the burst tells of somebody else alone, maybe of one whose name is known: "Omar's a
    vegan", 我爸血压高.
    """
    told = third_person.replace_user_name(content, [user_name])
    if not wording.is_of_user(told) or any(_ALSO.search(line) for line in burst):
        return False
    heard = [*before, *burst]
    named = {name for line in heard for name in (*grounding.find_names(line), *_CALLED.findall(line))}
    named |= {text.fold(name) for line in burst for name in names.find_acting(line[:_READ_MOST])} | {*known}
    named -= {text.fold(user_name)}
    # "... is allergic to wasps and carries an EpiPen": the user may do what is told second.
    first = _PART_END.split(told, maxsplit=1)[0]
    words = wording.list_pairs(first) or wording.list_telling_words(first)
    own = [word for word in words if word not in {text.stem(name) for name in named}]
    said = [one for line in burst for one in sentences.split(line[:_READ_MOST])]
    told_of = [one for sentence in said for one in _list_told_of_others(sentence, content, named)]
    are_of_others = [of_others for one, of_others in told_of if 2 * _count_parts(one, own) > len(own)]
    return bool(own) and bool(are_of_others) and all(are_of_others)


def _list_told_of_others(said: str, content: str, named: Collection[str]) -> list[tuple[str, bool]]:
    """List the clauses of a sentence, each with whether it tells of somebody else: in Chinese also of whom the one before does."""
    found: list[tuple[str, bool]] = []
    for clause in _CLAUSE_END.split(said):
        goes_on = bool(found) and found[-1][1] and text.has_cjk(clause) and not _OF_SPEAKER.search(clause)
        found.append((clause, goes_on or _is_of_others(clause, content, named)))
    return found


def _count_parts(said: str, parts: Sequence[str]) -> int:
    return sum(one in said if text.has_cjk(one) else count_words(said, [one]) for one in parts)


def _is_of_others(clause: str, content: str, named: Collection[str]) -> bool:
    clause = _TOLD_OF_US.sub("", clause)
    if _owns(content, clause) or _DOES_TO_SPEAKER.search(clause):
        return False
    if lexicon.is_of_another(clause):
        return not lexicon.find_kin(clause) & lexicon.find_kin(content)
    clause = _JOINS.sub("", clause)
    somebody = _SOMEBODY.match(clause)
    first = text.fold(clause).replace("’", "'").strip().partition(" ")[0].partition("'")[0]
    is_named = first in named or first in _GIVEN_NAMES
    is_named = is_named or any(text.has_cjk(name) and clause.startswith(name) for name in named)
    is_of_others = somebody or is_named or _OF_OTHERS.match(clause)
    return bool(is_of_others) and not _OF_SPEAKER.search(clause[somebody.end() if somebody else 0 :])


def _owns(content: str, clause: str) -> bool:
    """Whether a content says that the user has what a clause calls theirs: "our mutt Cornbread eats socks"."""
    owned = _OWNED.search(clause) if _HAS.search(content) else None
    if owned is None or lexicon.find_kin(owned[0]):
        return False
    return count_words(content, wording.list_parts(owned[0])) > 0


def is_besides(content: str, told: str, *, burst: Sequence[str]) -> bool:
    """Whether a clause of the burst says what a content does as something more, of which a fact tells hardly anything: 血糖也有点高,
    not 我人也跟着过来了 of who has moved, nor another value of the same.
    """
    own, new = wording.list_firm_words(told), wording.list_firm_words(content)
    said = [one for line in burst for one in sentences.split(line[:_READ_MOST])]
    more = [wording.list_firm_words(one) for part in said for one in _CLAUSE_END.split(part) if _ALSO.search(one)]
    is_more = any(2 * count_words(content, words) >= min(len(words), len(new)) for words in filter(None, more))
    return is_more and 2 * count_words(content, own) < len(own) and not values.takes_place_of(told, content)


def count_words(said: str, wanted: Sequence[str]) -> int:
    words = wording.list_words(said)
    return sum(wording.holds_words(words, [one]) for one in wanted)


def leave_out_old(content: str, told: str) -> str:
    """Leave out of a content what it only says to hold no longer, in words of the fact whose place it takes."""
    own = wording.list_words(told)
    return _NO_LONGER.sub(
        lambda match: "" if wording.holds_words(own, wording.list_words(match["what"])) else match[0], content
    )
