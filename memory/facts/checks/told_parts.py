"""Parts what a message tells: of "I'm allergic to nuts, and I have MS" one part can be forgotten, and the other stays.

A part that cannot stand alone ("which makes my hands tingle", "she failed it") belongs to the one before it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from echovessel import lazy_re as re
from echovessel import text
from echovessel.llm.offline.extraction import fact_patterns
from echovessel.llm.offline.text import clauses, lexicon, names, sentences, slots, third_person
from memory.entities import kinship_terms
from memory.facts.checks import wording

_JOINT = re.compile(
    r"( ?[,;，；、] ?(?:(?:and|but|so|also|plus) )*| (?:and|but|plus) (?:also )?| [–—-]+ |(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff]))",
    re.IGNORECASE,
)
_STANDS = re.compile(
    r"(?:i|we|my|our|there|the user)\b|(?!(?:he|she|they|it|that|this|which|who|because|since|so|and|but)\b)(?-i:[A-Z])[\w-]+ (?:is|was|has|had|can|can't|will|does|did|(?-i:[a-z]+)(?:s|ed))\b"
    r"|(?:另外|还有|而且|但是?|也|并且|现在)*(?:[我咱]|用户)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|he|him|his|she|her|they|them|their|this|that|which|who|because|since)\b|[他她它这那]", re.IGNORECASE
)
# Only names what the part before brings up: 我养了一只柯基，叫土豆.
_NAMES_IT = re.compile(
    r"(?:(?:he|she|it)(?:'s| is)|and) (?:called|named)\b|(?:called|named) |[它他她]?(?:名字)?叫(?![我你])",
    re.IGNORECASE,
)
# Where or with whom it was what the part before tells: "I was fired from my first job, at Wipro".
_BESIDE = re.compile(r"(?:at|in|from|near|by|for|with|over|because of)(?: [\w'’-]+){1,3}\W*", re.IGNORECASE)
# A part of the user's own without its subject: "I'm 34, allergic to nuts", 我34岁，对坚果过敏.
_OF_USER = re.compile(r"\W*(?:i\b|the user\b(?!['’])|我(?!的|们|家)|用户(?!的|们|家))", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"(?:还|也|又|另外|同时|而且|并且|平时|一直|现在)*(?:有(?![点些])|对|是|不能|不吃|吃素|得[过了]|患|住|喜欢|爱|养|姓|月薪|年薪|刚(?=[从被辞换搬开]))"
)
# 钱 of 我弟弟欠我钱 stands alone.
_ALONE = re.compile(r"(?:(?<![\u4e00-\u9fff])|(?<=[我你的了]))[\u4e00-\u9fff](?=[我你的了]|[^\u4e00-\u9fff]|$)")


# Whom a part tells of, and one that goes on without saying it: "hides biscuits", "she hides biscuits", 还尿床.
_SUBJECT = re.compile(
    r"(?:(?:the|my|our|his|her|their) )?(?:[\w'’-]+ ){0,3}?[\w'’-]+(?= (?:is|was|has|had|can|can't|cannot|will|would|does|did|are|were|have|(?!\w*(?:ss|'s)\b)[a-z]{2,}(?:s|ed)\b))"
    r"|(?:用户|我)(?:[的家]{0,2}(?:女儿|儿子|孩子|[妈爸弟哥姐妹]{1,2}|老婆|老公|妻子|丈夫|[男女](?:朋友|友)|[奶爷]{2}|外[婆公]|[猫狗]|同事|室友|老板|朋友))?",
    re.IGNORECASE,
)
# What several things are told of: "I have an ex called Dana and a dog".
_NOUN = re.compile(r"(?:an?|the|one|two|three|some|my|their|his|her) ", re.IGNORECASE)
_LISTED = re.compile(
    r".*?\b(?:have|has|had|got|owns?|likes?|loves?|hates?|plays?) (?=(?:an?|the|one|two|three|some|my|their|his|her) )",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:he|she|it|they) (?=\w)|[他她它](?!们)|[还也又]", re.IGNORECASE)
_VERB_FIRST = re.compile(r"(?:is|was|has|had|can|can't|cannot|will|would|does|did|[a-z]{2,}(?:s|ed))\b", re.IGNORECASE)
# Who did it together with another: "Kate and Dan had a row".
_SOMEBODY = re.compile(
    rf"\W*(?:[A-Z][\w-]+(?: [A-Z][\w-]+)?|(?:[Mm]y|[Oo]ur) {fact_patterns.RELATIVE}(?: [A-Z][\w-]+)?)"
)
# What is no known name, but written as one: "that Max broke his arm", 乐乐, 阿诚.
_NICKNAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b|阿[\u4e00-\u9fff]|([\u4e00-\u9fff])\1")
# A sentence of more parts is one, and so much of a wish says what it is about.
_PARTS_MOST, _WORDS_MOST = 40, 300


@dataclass(frozen=True)
class Part:
    """A part of a text, as it would stand alone, and whether it goes on with the part before it."""

    said: str
    goes_on: bool
    # What stands between it and the part before.
    joint: str = ""


def divide(said: str, words: str, *, known: Collection[str] = (), kept: str = "") -> tuple[str, str]:
    """Divide what the user tells into what holds a word of something, and the rest; ("", text) where nothing holds one.

    A name, of those `known` or found in the text, or a relative only says of whom both tell, unless nothing else is held. A part that
    says nothing else goes with the next one: "my brother Jo" of "my brother Jo and his wife live in Kiel". What holds a word of what is
    to be `kept` is of the rest.
    """
    parts = read(said)
    wanted = wording.list_parts(words[:_WORDS_MOST])
    held = [find_held(part.said, wanted) for part in parts]
    named = find_names(said, known)
    firm = leave_out_whom(set().union(*held), named) or set().union(*held)
    gone = [not its.isdisjoint(firm) for its in held]
    stays = find_kept(parts, gone, kept, named)
    for at, part in enumerate(parts[1:], start=1):
        gone[at] = gone[at] or (gone[at - 1] and part.goes_on and not stays[at])
        if stays[at] and gone[at - 1]:
            parts[at] = stand_alone(part, parts[at - 1])
    for at in range(len(parts) - 1, 0, -1):
        before = parts[at - 1]
        is_whom = bool(parts[at].joint) and not match_user(before.said)
        is_whom = is_whom and says_only_whom(before.said, held[at - 1], named)
        gone[at - 1] = gone[at - 1] or (gone[at] and not stays[at - 1] and (is_whom or tells_of_before(parts[at])))
    told, rest = (
        [part for part, is_gone in zip(parts, gone, strict=True) if is_gone is side] for side in (True, False)
    )
    return " ".join(join(told)), " ".join(join(rest))


def holds_any(said: str, words: str, *, known: Collection[str] = ()) -> bool:
    """Whether a text holds a word of something that does not only say of whom."""
    return bool(leave_out_whom(find_held(said, wording.list_parts(words[:_WORDS_MOST])), find_names(said, known)))


def find_kept(parts: Sequence[Part], gone: Sequence[bool], kept: str, named: Collection[str]) -> list[bool]:
    """Find which parts stay since they hold a word of what is to be kept; where none holds any, those that stand alone: "his age"."""
    wanted = wording.list_parts(kept)
    held = [set() if is_gone else find_held(part.said, wanted) for part, is_gone in zip(parts, gone, strict=True)]
    firm = leave_out_whom(set().union(*held), named) or set().union(*held)
    if firm:
        return [not its.isdisjoint(firm) for its in held]
    return [bool(kept) and not (is_gone or part.goes_on) for part, is_gone in zip(parts, gone, strict=True)]


def stand_alone(part: Part, before: Part) -> Part:
    """Return a part with whom the one before it tells of: "hides biscuits" of "Nan has dementia and hides biscuits"."""
    subject = _SUBJECT.match(before.said)
    if not part.goes_on or subject is None:
        return replace(part, goes_on=False)
    told = part.said[match.end() :] if (match := _PRONOUN.match(part.said)) else part.said
    is_whole = not text.has_cjk(told) and told == part.said and not _VERB_FIRST.match(told)
    if (listed := _LISTED.match(before.said)) and _NOUN.match(told):
        return replace(part, said=f"{listed[0]}{told}", goes_on=False)
    joint = "" if text.has_cjk(told) else " "
    return replace(part, said=told if is_whole else f"{subject[0]}{joint}{told}", goes_on=False)


def tells_of_before(part: Part) -> bool:
    """Whether a part only names, or places, what the part before it brings up."""
    return bool(_NAMES_IT.match(part.said) or (part.joint and _BESIDE.fullmatch(part.said)))


def says_only_whom(said: str, held: Collection[str], named: Collection[str]) -> bool:
    """Whether a part only names somebody; "my name is Alex" tells of the user."""
    return slots.read_slot(said) is None and not leave_out_whom({*wording.list_parts(said)} - {*held}, named)


def find_held(said: str, wanted: Sequence[str]) -> set[str]:
    own = wording.list_firm_words(said) if wanted else []
    return {one for one in wanted if (one in said if text.has_cjk(one) else wording.holds_words(own, [one]))}


def list_told(said: str) -> list[str]:
    """List the parts of a text, each with what goes on with it."""
    return join(read(said))


def list_about(words: str, *, known: Collection[str] = ()) -> list[str]:
    """List the words that say what a text is about; those that say of whom only where there are no others."""
    words = words[:_WORDS_MOST]
    firm = wording.list_firm_words(words)
    held = [*wording.list_parts(words), *(one for one in _ALONE.findall(words) if one in firm)]
    named = [*find_names(words, known), *(match[0] for match in _NICKNAME.finditer(words))]
    return [*leave_out_whom(held, named)] or held


def read(said: str) -> list[Part]:
    return [part for sentence in sentences.split(said) for part in split(sentence)]


def split(sentence: str) -> Iterator[Part]:
    """Yield the parts of a sentence of the user."""
    plain = " ".join(sentence.split())
    first, *more = _JOINT.split(plain)
    if len(more) > 2 * _PARTS_MOST:
        first, more = plain, []
    if more and _SOMEBODY.fullmatch(first) and more[0].strip() == "and":
        first, more = "".join((first, *more[:2])), more[2:]
    yield Part(first, goes_on=_POINTS_BACK.match(first) is not None)
    head = first
    for joint, told in zip(more[::2], more[1::2], strict=True):
        whole = add_subject(told, head)
        if whole:
            head = whole
        if told:
            yield Part(whole or told, goes_on=not whole or _POINTS_BACK.search(told) is not None, joint=joint)


def add_subject(told: str, head: str) -> str:
    """Return a part as it stands alone behind one that does; "" where it does not."""
    if _STANDS.match(told):
        return told
    subject = match_user(head)
    if subject is None:
        return ""
    if _LEFT_OUT.match(told):
        return f"{subject[0]}{told}"
    whole = clauses.add_speaker(told)
    if whole == told:
        return ""
    return third_person.turn(whole) if "user" in subject[0].lower() else whole


def match_user(said: str) -> re.Match[str] | None:
    """Match the user as the subject, not somebody of theirs."""
    subject = _OF_USER.match(said)
    return None if subject and kinship_terms.begins_with_relative(said[subject.end() :]) else subject


def join(parts: Sequence[Part]) -> list[str]:
    """Join parts to sentences: what goes on with a part that is left stands behind it."""
    said: list[str] = []
    for part in parts:
        if said and part.goes_on and part.joint:
            said[-1] += f"{part.joint}{part.said}"
        else:
            said.append(part.said)
    return [sentences.end(one) for one in said]


def find_names(said: str, known: Collection[str]) -> list[str]:
    return [*known, *(name.text for name in names.find(said)), *names.find_acting(said)]


def leave_out_whom(held: Collection[str], named: Collection[str]) -> set[str]:
    """Leave out of words those that only say of whom something is told."""
    return {one for one in held if not is_of_whom(one, named)}


def is_of_whom(part: str, named: Collection[str]) -> bool:
    is_name = any(part in name if text.has_cjk(part) else part in wording.list_words(name) for name in named)
    return is_name or bool(kinship_terms.find_kin(part) or lexicon.find_kin(part))
