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
# Things that people give a name.
THING = r"car|(?:camper ?)?van|campervan|caravan|motorhome|truck|lorry|tractor|boat|yacht|narrowboat|canoe|kayak|(?:motor)?bike|bicycle|scooter|moped|house|cottage|cabin|guitar|cello|piano|violin|laptop|robot|hoover|roomba|sourdough starter|plant|cactus"
# Behind these a name is another's, or the user's own word for somebody: "Auntie Sheila", "Father Michael".
_ADDRESS = r"Aunt(?:ie|y)?|Uncle|Nana|Nanna|Nan|Gran|Granny|Grandma|Grandad|Granddad|Grandpa|Cousin|Sister|Brother|Father|Pastor|Reverend|Rev|Rabbi|Imam|Sir"
_TITLE = r"[A-Z\u00c0-\u00de][\w'’-]{0,30}(?: (?:(?:of|the|and|in|to|me|a|for|on) ){0,2}[A-Z\u00c0-\u00de][\w'’-]{0,30}){0,5}"
_AUTHOR = r"[A-Z\u00c0-\u00de][\w'’.-]{0,30}(?: (?:(?:du|de|van|von|le|la) )?[A-Z\u00c0-\u00de][\w'’.-]{0,30}){0,3}"
# What one reads, sees or hears, and who made it, are nobody of one's life: "I'm reading Emma by Jane Austen", "Adele's new album".
WORKS = (
    rf"\b(?i:(?:re-?)?read(?:ing)?) (?:(?i:the|a|my) )?{_TITLE}(?: by {_AUTHOR}|(?=\W*$|[,.;]| (?i:again|for (?:school|class|english|my book)|at the moment|and (?:i|it))\b))"
    rf"|\b(?i:(?:re)?watch(?:ed|ing)?|binge\w*|cried (?:at|over|through)|sobbed (?:at|over|through)) (?:(?i:the|a) )?{_TITLE}(?= (?i:again|on (?:netflix|tv|telly|iplayer|prime|disney|dvd|bbc|channel)|at the (?:cinema|pictures)|last night|tonight|and (?:cried|sobbed|i))\b|(?<=Me)\W*$)"
    rf"|(?<!\w)(?:{_TITLE}|(?i:books?|novels?|poems?|songs?|films?|movies?|paintings?|plays?|albums?|something|one|stuff|anything|everything|piece)) by {_AUTHOR}"
    rf"|(?<!\w){_AUTHOR}['’]s (?i:(?:new|latest|last|first|debut|greatest|old) )?(?:(?i:albums?|novels?|concerts?|tour|gigs?|music|films?|movies?|podcast|poetry|biography|autobiography)|(?<=new )(?i:books?|songs?|singles?)|(?<=latest )(?i:books?|songs?|singles?))\b"
)
# (kind, or None where the words before decide; pattern). `(?i:…)` because names are known by their capital.
PATTERNS = [
    # "My car, Betty, broke down", "we named our caravan Doris".
    ("other", rf"\b(?i:my|our|the) (?i:[\w-]+ ){{0,2}}(?i:{THING})(?:, (?i:the )?| (?i:is|was|['’]s) (?i:called|named) (?i:the )?){_NAME}(?=,|\W*$| (?i:and|because|after)\b)"),
    ("other", rf"\b(?i:my|our) (?i:[\w-]+ ){{0,2}}(?i:{THING}) {_NAME}(?= (?i:is|was|has|broke|failed|died|won't|needs|got|sank)\b)"),
    ("other", rf"\b(?i:nam(?:e|ed|ing)|call(?:ed|ing)?) (?i:my|our|the) (?i:[\w-]+ ){{0,2}}(?i:{THING}) (?i:the )?{_NAME}"),
    ("person", r"\b(?P<name>(?:Dr|Prof|Professor|Mrs|Mr|Ms|Miss)\.? [A-Z\u00c0-\u00de][\w'’-]{1,40})"),
    ("person", rf"(?<!\w)(?P<name>(?:{_ADDRESS}) (?!Christmas|Time|Ted|Act|Sledge)[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]{{1,20}})(?!\w)"),
    # "Monty, Gill's cat, sleeps", "Gill's cat Monty".
    ("pet", rf"(?<!\w){_NAME}(?:,| (?i:is)|['’]s) (?i:(?:my|our|his|her|their) )?(?:[\w-]+ ){{0,2}}[\w-]+['’]s (?i:\w+ )?(?i:{_PET})(?![\w-])(?!['’])"),
    ("pet", rf"\w['’]s (?i:\w+ )?(?i:{_PET}),? {_NAME}"),
    ("person", rf"(?<!\w)(?P<name>(?!(?:It|He|She|That|There|What|Who|Here|Let|My|Our|Today|Yesterday|Tomorrow|Every\w+|Some\w+|Any\w+|No\w+|People|Women|Children|Valentine|New|\w+day|(?i:{_KIN}))\b)[A-Z][a-z]{{1,20}})(?=['’]s (?:\w+ )?(?i:{_KIN}|{_PET}|house|flat|birthday|wedding|funeral|baby)\b)"),
    # "My new lad at the bakery, Josh, is useless", "our lodger, Colin, never".
    ("person", rf"\b(?i:my|our|the|an?) (?i:[\w-]+ ){{0,2}}(?i:{_KIN}|{ROLE}|lad|lass|bloke|guy|boy|girl|woman|man|lady|lodger|apprentice|trainee|carer|nurse|midwife|cleaner|builder|partner|mate|pal|kid|pupil|student|date|crush)(?: (?i:at|from|in|on|of|next) [^,.!?;:]{{1,32}})?, {_NAME}(?=,|\W*$| (?i:and|who)\b)"),
    ("person", rf"\b(?i:my|our) (?i:new |old |late )?(?i:best |oldest |closest |good )(?i:mate|friend|pal|bud(?:dy)?)(?i: is|'s) (?!{_ORIGIN}){_NAME}(?=\W*$|[.,]| and\b)"),
    # "Going to the ball with Ffion", "I argued with Ingrid".
    ("person", rf"\b(?i:going|went|gone|go|coming|came|out|lunch|dinner|coffee|tea|drinks?|date|walk\w*|danc\w+|liv\w+|moved in|stay\w*|bro?ke?n? up|breaking up|split up|row|argu\w+|fell out|fallen out|in love|chat\w*|talk\w*|sp[eo]a?k\w*|fight|fought|friends|slept|drunk|night) (?:[^,.!?]{{0,24}} )?(?i:with) {_NAME}(?=\W*$|[,.;]| (?i:and|about|at|in|on|last|yesterday|today|again|but|because|who|from|over|for)\b)"),
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
    ("person", rf"(?:\b(?i:my|our|a|an|the|his|her|their)|\w['’]s) (?i:\w+[ -])?(?i:{_KIN}|{ROLE}|lass|lad)(?: now| tho| though| too)*,? {_NAME}"),
    ("person", rf"(?:^|(?<=[.!?] ))(?i:(?:and|so|also|then) )?(?i:(?:grand)?(?:son|daughter)|nephew|niece|brother|sister|cousin|husband|wife) {_NAME}(?= [a-z])"),
    ("person", rf"\b(?i:my|our) (?i:{_KIN}) (?P<name>(?!s?he\b|they\b|it\b|just\b|never\b|also\b|still\b|always\b|who\b|birthday\b|name\b|job\b|work\b|phone\b|car\b|house\b|home\b|place\b|school\b|email\b|address\b|age\b|dog\b|cat\b|almost\b|even\b|soon\b|once\b|first\b|later\b|alone\b|too\b|h\w+self\b|(?!sally|polly|molly|emily|lily|billy|kelly|holly)\w+ly\b)[a-z]{{2,12}})(?= (?:is|was|rang|came|got|went|died|has|works|lives|plays|studies|teaches|says|said|thinks|wants|told|cried|gave|passed)\b)"),
    ("pet", rf"{_not_a_verb(_PET)}{_NAME},? (?:is )?(?i:my|our|a|the) (?i:\w+ ){{0,2}}(?i:{_PET})\b"),
    ("person", rf"(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bfrom )(?<!\bnear ){_not_a_verb(_KIN)}{_NAME}(?:,| is| was|'s|’s)? (?i:my|our) (?i:\w+ ){{0,2}}(?i:{_KIN})\b(?!['’])"),
    ("person", rf"(?:^|\b(?i:my|our) )(?i:new |old |late )?(?i:{ROLE}|{_KIN})(?i: is|'s) (?!{_ORIGIN}){_NAME}(?=\W*$|[.,]| and\b)"),
    ("person", rf"{_NAME} (?:is|turns|turned) \d{{1,2}}(?=\W*$|,| and\b| (?:now|today|tomorrow|next|years old)\b)"),
    ("org", rf"\b(?i:work|job|intern\w*|working|worked) (?i:at|for|with) (?i:the )?{_NAME}"),
    ("org", rf"\b(?i:stud(?:y|ied|ying)|graduated) (?i:at|from) (?i:the )?{_NAME}"),
    ("place", rf"\b(?i:live|lives|lived|living|move|moved|moving|went|going|go|travel\w*|trip|flew|flying|fly|born|grew up|holiday|vacation|back|stay\w*) (?i:in|to|from|at) (?i:the )?(?![\w’'-]+['’]s\b){_NAME}"),
]  # fmt: skip
