"""The words around English names."""

from echovessel.llm.offline.english import vocabulary

_PET = "|".join(vocabulary.PETS.values())
_KIN = "|".join(vocabulary.KIN.values())
_HAN = r"[\u4e00-\u9fff]"
_QUOTE = r"[\"'“”‘’「『《]?"
LATIN_NAME = r"(?<!\w)[A-Z\u00c0-\u00de][\w'’-]{1,40}(?: [A-Z\u00c0-\u00de][\w'’-]{1,40}){0,2}"
_NAME = rf"{_QUOTE}(?P<name>{LATIN_NAME}|{_HAN}{{1,6}}){_QUOTE}"
_ANY_NAME = rf"{_QUOTE}(?P<name>{LATIN_NAME}|{_HAN}{{1,6}}|[a-z]{{3,}}){_QUOTE}"
# A sentence whose subject is left out begins with a verb, not with a name: "Took our dog out", but "Biscuit, our dog" and "Ben my brother came".
_DOES = (
    r"(?:['’]s|(?: (?i:is|was|has|had|died|came|went|got|rang|says?|said|lives|works|loves|wants|turns|\w{2,}ed)))\b"
)


def _not_a_verb(nouns: str) -> str:
    # Only where a name begins: else each character of a long word would be the beginning of a search.
    return rf"(?<!\w)(?={_QUOTE}[^\W\d_a-z])(?:(?<!^)(?<![.!?] )|(?=[\w'’-]+(?:,| is\b| was\b|['’]s\b))|(?=[\w'’-]+(?: [\w-]+){{1,3}}? (?i:{nouns}){_DOES}))"


# "My sister is Dutch" names nobody.
_ORIGIN = r"(?:\w+(?:ish|ese|ian|ean|ican|isian|tic|ist)|Dutch|French|German|Welsh|Greek|Thai|Swiss|Czech|Jewish|Muslim|Hindu|Sikh|Catholic|Buddhist|Iraqi|Pakistani|Israeli|Somali|Bengali|Punjabi|Deaf)\b"
# Who is around somebody without being kin.
ROLE = r"boss|(?:line )?manager|supervisor|teammates?|colleagues?|co-?workers?|teacher|tutor|coach|landlord|landlady|room-?mates?|flat-?mates?|house-?mates?|neighbou?rs?|therapist|doctor|gp|dentist|best friend|ex"
# (kind, or None where the words before decide; pattern). `(?i:…)` because names are known by their capital.
PATTERNS = [
    (None, rf"\b(?i:(?:is|was|'s|’s|are|{_PET}|one) (?:called|named)|(?<!my )(?<!me )(?<!^)(?:name is|name's|name’s|name was)|named? (?:him|her|it)|call(?:ed|ing)? (?:him|her|it)) {_ANY_NAME}"),
    (None, rf"\b(?i:by|of|has|with) (?i:the name(?: of)?) {_NAME}"),
    (None, rf"\b(?i:called|named)(?i: him| her| it| the)? {_NAME}"),
    (None, rf"\b(?i:his|her|its|their) names? {_NAME}(?=\W*$|,)"),
    # Behind the question that it answers: "What's your nan's name? It's Dorothy."
    (None, rf"\b(?i:name|called)\b[^.!?]{{0,16}}\?\s+(?:[^.!?]{{0,40}}\b(?i:it's|it is|s?he's|that's|that would be) )?{_NAME}"),
    ("pet", rf"\b(?i:my|our|an?|one) (?i:\w+ )?(?i:{_PET})(?i: (?:for|since) [\w ]{{2,16}}| now)?,? {_NAME}"),
    # "The lad, Iestyn, is on nights", "mate of mine, Dai, he".
    ("person", rf"\b(?i:(?:the|my|our|an?) (?:[\w-]+ ){{0,2}}(?:lad|lass|bloke|guy|boy|girl|woman|man|lady|pupil|student|{_KIN})|(?:mate|friend|pal) of mine), {_NAME},"),
    ("person", rf"(?<=, ){_NAME}, (?i:s?he)(?i:['’]?s| is|['’]ll) "),
    # "we adopted a greyhound last month, Biscuit."
    ("pet", rf"\b(?i:my|our|an?|one|two) (?i:\w+ ){{0,2}}(?i:{_PET})\b[^.!?,:;]{{1,40}}(?:,|:| [-–—]) ?{_NAME}(?=\W*(?:$|[.!?,]))"),
    ("person", rf"(?:\b(?i:my|our|a|an|the|his|her|their)|\w['’]s) (?i:\w+[ -])?(?i:{_KIN}|lass|lad)(?: now| tho| though| too)*,? {_NAME}"),
    ("person", r"\b(?P<name>(?:Dr|Prof|Professor|Mrs|Mr|Ms|Miss)\.? [A-Z\u00c0-\u00de][\w'’-]{1,40})"),
    ("person", rf"(?:^|(?<=[.!?] ))(?i:(?:and|so|also|then) )?(?i:(?:grand)?(?:son|daughter)|nephew|niece|brother|sister|cousin|husband|wife) {_NAME}(?= [a-z])"),
    ("person", rf"\b(?i:my|our) (?i:{_KIN}) (?P<name>(?!s?he\b|they\b|it\b|just\b|never\b|also\b|still\b|always\b|who\b|birthday\b|name\b|job\b|work\b|phone\b|car\b|house\b|home\b|place\b|school\b|email\b|address\b|age\b|dog\b|cat\b|almost\b|even\b|soon\b|once\b|first\b|later\b|alone\b|too\b|h\w+self\b|(?!sally|polly|molly|emily|lily|billy|kelly|holly)\w+ly\b)[a-z]{{2,12}})(?= (?:is|was|rang|came|got|went|died|has|works|lives|plays|studies|teaches|says|said|thinks|wants|told|cried|gave|passed)\b)"),
    ("pet", rf"{_not_a_verb(_PET)}{_NAME},? (?:is )?(?i:my|our|a|the) (?i:\w+ ){{0,2}}(?i:{_PET})\b"),
    ("person", rf"(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bfrom )(?<!\bnear ){_not_a_verb(_KIN)}{_NAME}(?:,| is| was|'s|’s)? (?i:my|our) (?i:\w+ ){{0,2}}(?i:{_KIN})\b"),
    ("person", rf"\b(?i:my|our) (?i:new |old |late )?(?i:{ROLE}|{_KIN})(?i: is|'s) (?!{_ORIGIN}){_NAME}(?=\W*$|[.,]| and\b)"),
    ("person", rf"{_NAME} (?:is|turns|turned) \d{{1,2}}(?=\W*$|,| and\b| (?:now|today|tomorrow|next|years old)\b)"),
    ("org", rf"\b(?i:work|job|intern\w*|working|worked) (?i:at|for|with) (?i:the )?{_NAME}"),
    ("org", rf"\b(?i:stud(?:y|ied|ying)|graduated) (?i:at|from) (?i:the )?{_NAME}"),
    ("place", rf"\b(?i:live|lives|lived|living|move|moved|moving|went|going|go|travel\w*|trip|flew|flying|fly|born|grew up|holiday|vacation|back|stay\w*) (?i:in|to|from|at) (?i:the )?{_NAME}"),
]  # fmt: skip
