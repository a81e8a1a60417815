"""Names whom "she" or 她 means in what shall be remembered, or is asked: whoever was spoken of last, if that was one; and tells
what goes on with the line before it.
"""

from collections.abc import Iterable, Iterator, Sequence

from echovessel import lazy_re as re
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import changes, clauses, lexicon, mentions, names, sentences

_SHE = re.compile(r"^(?:(?P<own>his|her)|(?P<who>s?he)(?P<short>'s)?)(?=\s)|^[他她](?!们)", re.IGNORECASE)
_SHE_INSIDE = re.compile(r"\b(?:s?he|(?P<own>his|her(?= \w)))\b|\bh(?:er|im)\b|[他她](?!们)", re.IGNORECASE)
# 她叫什么，我喜欢的那个: the question says itself who is meant.
_TELLS_WHO = re.compile(r"的那[个位]|\bthe one (?:who|that|i)\b", re.IGNORECASE)
# "11.9 seconds! That's my best time": a number alone stands before what it is.
_THAT_IS = re.compile(r"^\W*(?:that['’]?s|that is|it['’]?s|it is)\s+(?P<thing>(?:my|our)\b[^,.;]*)", re.IGNORECASE)
_VALUE = re.compile(r"(?:^|[.!?]\s+)(?P<value>(?=[^.!?]*\d)[^!?,;\s]+(?:\s+[^!?,;\s]+){0,2}?)\W*$")
_BARE = re.compile(
    r"^\W*(?:(?:and|so|but|ok)\W+)*(?:when|where|why|who|how (?:old|many|much|long))(?:'s| is| was| are)?(?: (?:he|she|it|they|that))?(?: (?:again|now|exactly))?\W*$"
    r"|^(?:那|那么|所以|现在|今年|[它他她是在又])*(?:几岁|几年级|多大|叫什么|叫啥|谁|在?哪[里儿]|什么时候|几点|哪天|多少[钱块]?|几[个只])(?:了|呢|啊|来着)*\W*$",
    re.IGNORECASE,
)
_ASKS_NAME = re.compile(r"\bcalled\b|\bname\b|叫什么|叫啥|名字", re.IGNORECASE)
_AND = re.compile(
    r"^\W*(?:and|what about|how about)\s+(?P<thing>(?:(?:the|my|our|his|her|their)\s+)?[\w'’-]+)\W*$", re.IGNORECASE
)
_THING = re.compile(r"\b(?i:the|my|our|his|her|their)\s+[\w’-]+|(?<!^)\b[A-Z][a-z]+\b")
# How many lines back somebody is still meant.
_NEAR_LINES = 3
# Where a name is said to be a relative's.
_BEFORE_NAME = re.compile(r"(?<!\btheir )(?<!\bhis )(?<!\bher )(?<![A-Za-z'-])[^\s,，。和跟与、]{1,16},? ?$")
_BEHIND_NAME = re.compile(r"(?:,|'s| is| was|就?是)? ?(?:my|our|我)的? ?[\w-]{1,12}", re.IGNORECASE)
# "She forgets a lot. It is Alzheimer's.", "I wrote him a letter. Then I tore it up."
_GOES_ON = re.compile(
    r"\W*(?:it|that|this)(?:'s| is| was)\b(?! (?:my|your|all|so)\b)|[那这就]+是"
    r"|\W*(?:(?:and|then|so|but)\W+)*(?:i|we|s?he|they) (?:\w+ )?\w+ (?:it|them)\b",
    re.IGNORECASE,
)
_SEX = re.compile(r"\b(?:(she|hers?|herself)|he|him|his|himself)\b|(她)|他", re.IGNORECASE)
_OF_OTHERS = re.compile(rf"\b(?:his|her) (?=(?:\w+ )?(?:{'|'.join(english.KIN.values())})\b)", re.IGNORECASE)
# What says who somebody is, before their name and behind it.
_WHO_BEFORE = re.compile(
    r"\b(?:my|our|the|an?|his|her|their)(?: (?!(?:for|to|with|from|of|by|at|in|on|and|or|that|when|if|because|but|told|asked|saw|met|gave)\b)[\w'’-]+){1,3}?,? $"
    r"|(?:我|咱|他|她)(?:家|们)?的?[^\W\d_a-z见跟和对给找问说陪帮让被把骂想爱]{1,5}[，,]?(?:就?[叫是])?$",
    re.IGNORECASE,
)
_WHO_BEHIND = re.compile(
    r"(?:,|['’]s| is| was|,? who(?:['’]s| is| was)) (?:my|our|an?|the|his|her|their) [\w-]|就?是(?!谁|不|什么)[^\W\d_]",
    re.IGNORECASE,
)

_BEGINS = re.compile(r"\W*(?:he|she|it|they|his|her|their)\b|[它他她]", re.IGNORECASE)
# "My cat", "my boss Karen", 我的猫: no sentence, and says whom the one before it meant.
_WHOM = re.compile(
    r"\W*(?:(?:it's|it was|i mean) )?(?:my|our|the) (?!.*\b(?:is|was|are|were|has|had|and|but)\b)(?:[\w'-]+ ){0,2}(?:[\w'-]+(?!ed\b)\w|[A-Z]\w+)(?: i mean)?\W*|是?[我咱](?:们|家)*的?(?![^，,。]*[了是要会在有])[^，,。]{1,5}\W*"
)
# What one answered to what was told just before: "Dan proposed!", "I said yes".
_ANSWERED = re.compile(
    r"\W*(?:(?:and|so|of course|obviously) )*(?:i|she|he|they) (?:said|told (?:him|her|them)) (?:yes|no)\b(?! to\b)|(?:[我他她]|然后我)(?:就|当场|马上|当然|也|没)*(?:答应|同意|拒绝)了?",
    re.IGNORECASE,
)
# What somebody says or does about what was told just before: "Mark says I should leave", "Max bit him".
_REPORTS = re.compile(
    r"(?!(?:i|we|you)\b)(?:[\w'-]+ ){1,3}(?:says?|said|thinks?|thought|reckons?|wants?) (?:that )?(?:i|we|it|he|she|they|me|us)\b|(?!(?:i|we|you)\b)(?:[\w'-]+ ){1,2}\w+ (?:him|her|them)\W*|.*\b(?:gi?ve|gave|tell|told|help) (?:him|her|them)\b|[^，,。]{1,6}(?:说|觉得|让|劝|叫)我",
    re.IGNORECASE,
)


def tells_whom(said: str, before: str) -> bool:
    """Whether a line of a few words says whom the one before it meant: "she's dead", "my cat"."""
    return _WHOM.fullmatch(said) is not None and _BEGINS.match(before) is not None


def continues(said: str, before: str) -> bool:
    """Whether a sentence sets right the one before it, answers it, or says whom that meant."""
    return changes.sets_right(said, before) or tells_whom(said, before) or tells_answer(said)


def tells_answer(said: str) -> bool:
    """Whether a sentence begins with how one answered to what was told just before it."""
    return _ANSWERED.match(said) is not None


def answers_whom(said: str, before: str) -> bool:
    """Whether a sentence names whom the question before it brings up: "did I tell you I have a hamster? He's called Biscuit"."""
    return sentences.is_question(before) and bool(lexicon.find_concepts(before)) and clauses.answers(said)


def is_about(said: str, before: str) -> bool:
    """Whether a sentence is about what the line before it told, whomever it names."""
    return tells_whom(said, before) or tells_answer(said) or _REPORTS.match(said) is not None


def name_referent(content: str, *, before: str, earlier: Iterable[str]) -> str:
    """Return the content with the name; as it is where nobody was named, or several at once."""
    match = _SHE.match(content)
    found = _find_meant(match.group(), [before, *list(earlier)[: -_NEAR_LINES - 1 : -1]]) if match else ""
    return _write(found, match, content) if match and found else content


def name_value(content: str, *, before: str) -> str:
    """Return what "that" is said to be with the number that stands alone before it; as it is where none does."""
    match, value = _THAT_IS.match(content), _VALUE.search(before)
    return f"{match['thing'].strip()} is {value['value']}{content[match.end() :]}" if match and value else content


def name_asked(question: str, *, earlier: Iterable[str]) -> str:
    """Return a question with the name of whom "she" or 她 means in it: 她叫什么."""
    match = None if _TELLS_WHO.search(question) else _SHE_INSIDE.search(lexicon.normalise(question))
    if not match:
        return question
    lines, plain = list(earlier), lexicon.normalise(question)
    known = {name for line in lines for name in _find_people(line)}
    # What he is called is asked of nobody whose name is known.
    is_nameless = _ASKS_NAME.search(plain) is not None
    near = lines[: -_NEAR_LINES - 1 : -1]
    others = {name for name in known if _is_introduced_as(_list_others(match.group()), name, lines)}
    found = _find_meant(match.group(), near, known, others, is_nameless=is_nameless)
    ending = "'s" if match["own"] else ""
    return f"{plain[: match.start()]}{found}{ending}{plain[match.end() :]}" if found else question


def complete(question: str, *, earlier: Iterable[str]) -> str:
    """Return a bare question with what was asked or named just before: "When?", 几岁了."""
    if not _BARE.search(lexicon.normalise(question)) or _SHE_INSIDE.search(question):
        return question
    lines = [line for line in earlier if not _BARE.search(lexicon.normalise(line))]
    if not lines or sentences.is_question(lines[-1]):
        return " ".join((question, *lines[-1:]))
    known = {name.text for line in lines for name in names.find(line)}
    return " ".join((question, *(name for name in known if mentions.is_named(name, lines[-1]))))


def carry_over(said: str, before: str) -> str:
    """Return the question before asked of another: "and my cat" behind "what's my dog called?"; "" where it asks nothing."""
    match = _AND.match(said) if sentences.is_question(before) else None
    return _THING.sub(match["thing"], before, count=1) if match and _THING.search(before) else ""


def _find_meant(
    pronoun: str,
    lines: Iterable[str],
    known: Iterable[str] = (),
    others: Iterable[str] = (),
    *,
    is_nameless: bool = False,
) -> str:
    """Find who is meant: whoever is spoken of in the nearest of these lines that names somebody, if that is one, and none of the `others`.

    With `is_nameless` only relatives are, whatever names the lines hold.
    """
    for line in lines:
        named = set() if is_nameless else _find_people(line) | {name for name in known if mentions.is_named(name, line)}
        found = named.difference(others) or {*_find_kin(line, _list_others(pronoun))}
        if found:
            return found.pop() if len(found) == 1 else ""
    return ""


def _list_others(pronoun: str) -> set[str]:
    """Return the relatives that a pronoun cannot mean: "he" is no sister."""
    return english.MEN if pronoun.lower().startswith(("she", "her", "她")) else english.WOMEN


def find_introduced(kin: set[str], lines: Sequence[str]) -> set[str]:
    """Find whom lines call one of these relatives of the user: "my wife Hannah", "Arthur was my husband"."""
    named = {name.text for line in lines for name in names.find(line) if name.kind == "person"} if kin else set()
    return {name for name in named if _is_introduced_as(kin, name, lines)}


def refers_to(before: str, said: str, *, is_named: bool) -> bool:
    """Whether a sentence sets right the one before it or goes on with it: "He is called Nimbus" behind one that speaks of somebody.

    `is_named` tells whether the text names whom the question asks about.
    """
    if changes.sets_right(said, before):
        return True
    # Of "his granddaughter" it is not he who is spoken of.
    parts = (_OF_OTHERS.sub("", before), said)
    before_sex, sex = ({bool(one[1] or one[2]) for one in _SEX.finditer(part)} for part in parts)
    if before_sex and sex and not before_sex & sex:
        return False
    is_of_somebody = (
        is_named or lexicon.matches("THIRD_PERSON", before) or lexicon.find_concepts(before) or names.find(before)
    )
    return bool(_GOES_ON.match(said) or (is_of_somebody and lexicon.matches("THIRD_PERSON", said)))


def introduces(text: str, name: str) -> bool:
    """Whether a text says who somebody is: "my landlady Mrs Kaya", 老吴是我领导."""
    before, found, behind = text.partition(name)
    return bool(found and (_WHO_BEFORE.search(before) or _WHO_BEHIND.match(behind)))


def find_kin_of(named: Iterable[str], lines: Sequence[str]) -> set[str]:
    """Find as which relatives of the user lines introduce somebody, where that is one: 苏晴 is 我媳妇."""
    return {
        kin for name in named for relatives in _list_introduced(name, lines) if len(relatives) == 1 for kin in relatives
    }


def _is_introduced_as(kin: set[str], name: str, lines: Iterable[str]) -> bool:
    """Whether one of the lines calls somebody one of these relatives and no other: "my sister Berit"."""
    return any(relatives and relatives <= kin for relatives in _list_introduced(name, lines))


def _list_introduced(name: str, lines: Iterable[str]) -> Iterator[set[str]]:
    around = (line.partition(name) for line in lines if name in line)
    told = ((_BEFORE_NAME.search(before), _BEHIND_NAME.match(behind)) for before, _, behind in around)
    return (lexicon.find_kin(match.group()) for pair in told for match in pair if match)


def _find_people(line: str) -> set[str]:
    """Find whom a line names: by the words around the name, or by a given name."""
    found = {name.text for said in sentences.split(line) for name in names.find(said) if name.kind == "person"}
    return found | {word for word in names.find_acting(line) if not any(word in name for name in found)}


def _find_kin(line: str, others: Iterable[str]) -> Iterator[str]:
    """Yield the user's relatives in a line who have no name in it: "my brother", 我弟弟."""
    for concept, word in lexicon.find_kin_words(line).items():
        own = f"我{word}" if lexicon.is_chinese(word) else f"my {word}"
        if concept not in others and own in lexicon.normalise(line):
            yield own


def _write(name: str, match: re.Match[str], content: str) -> str:
    ending = "'s" if match["own"] else " is" if match["short"] else ""
    return name + ending + content[match.end() :]
