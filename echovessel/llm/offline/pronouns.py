"""Turns the user's words and noted facts to the second person: "my sister called me" becomes "your sister called you", 我姐 becomes 你姐."""

from collections.abc import Iterable

from echovessel import lazy_re as re
from echovessel.llm.offline import fillers
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import clauses, cue_matching, lexicon, names, parties, sentences

_TURNED = {
    "i": "you", "i'm": "you're", "i've": "you've", "i'll": "you'll", "i'd": "you'd", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
    "we": "you", "we're": "you're", "we've": "you've", "we'll": "you'll", "we'd": "you'd", "us": "you", "our": "your", "ours": "yours", "ourselves": "yourselves",
}  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_AGREES = re.compile(r"\b(you) (am|was)(?=n't\b|\b)", re.IGNORECASE)
# "So that stays between us": of the two who talk.
_KEPT_BETWEEN = re.compile(
    r"\b((?:stays?|(?:keep|keeping|kept)(?: it| this| that)?)(?: just| only)?) between you\b", re.IGNORECASE
)
_TO_YOU = re.compile(r"\byou(?:r|rs|rself|'re|'ve|'ll|'d)?\b", re.IGNORECASE)
_FIRST_PERSON = {
    "you are": "I am", "you were": "I was", "you're": "I'm", "yourself": "myself", "your": "my", "yours": "mine", "you": "I",
}  # fmt: skip
_SECOND_PERSON = re.compile(r"\b(?:you (?:are|were)|you're|yourself|yours|your|you)\b", re.IGNORECASE)
_REQUEST = re.compile(
    r"^(?:please|just|call|remember|forget|don't|do not|never|tell|note|keep|write|let|stop|ask|delete)\b|[,;] (?:please |just )?call me\b",
    re.IGNORECASE,
)
_GOT = re.compile(r"^got (?=(?:an?|one|two|three|four|five|six|some|\d+) )", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,;—–.!?()\"“”]|(?<!\d):|\b(?:because|although|though|(?<!a )while|which|and then|but|so(?= (?:i|we|my|it|that)\b)|(?=(?:it|that)'s (?:so|too|just|really|not)\b))\b",
    re.IGNORECASE,
)
_HAN_REQUEST = re.compile(r"^(?:请|麻烦)?(?:你)?(?:记住|记得|记着|别忘|不要忘|帮我|忘掉|忘了|删掉|别)")
_NOT_WHO = frozenset(("child", "boss", "colleague", "teacher", "neighbour"))
_KIN = rf"((?:(?:best|older|younger|little|big|late|twin|dear) )?(?:{'|'.join(pattern for concept, pattern in english.KIN.items() if concept not in _NOT_WHO)}))"
_ENGLISH_KIN = re.compile(rf"\b(?:my|our) {_KIN}\b", re.IGNORECASE)
_BARE_KIN = re.compile(
    rf"(?<!his )(?<!her )(?<!their )(?<!'s )(?<!your )\b(?!(?<=\ba )(?:little |young )?(?:boy|girl|baby|child|kid)\b){_KIN}\b(?!'(?!s (?:funeral|burial|death|passing|wake|cremation|ashes)))",
    re.IGNORECASE,
)
_UNBORN = re.compile(
    r"\bmiscarr\w+|\bstill-?b(?:orn|irth)\b|\blost (?:the|our|her|their|a) baby\b|流产|孩子没保住", re.IGNORECASE
)
_OF_KIN = re.compile(rf"(?<=my )(?:{_KIN})'s (?:{_KIN})\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“「][^\"”」]*[\"”」]")
# "My kids are Theo, 8, and Ivy, 5" is no clause before its comma.
_LISTED = re.compile(r"\W*,? (?:\d{1,3}\b|(?-i:[A-Z])[\w'-]+,? and (?-i:[A-Z]))")
_CLAUSE_WORDS = 14
# "My own fault" tells nothing.
_LEAST_WORDS, _LEAST_OF_THING = 3, 4
_WISH = re.compile(r"\b(?:ask|remind) me\b.*", re.IGNORECASE)
_HAN_POLITE = re.compile(r"^(?:请|麻烦|记得|你)+")
# What is only thought, hoped or about to be done is nothing to say back: "I'd better go", 我觉得.
_UNSETTLED = re.compile(
    r"\b(?:think|know|mean|guess|suppose|sure|believe|wonder|hope|wish|better|should|could|would|might|bet|doubt|swear|going to|i'd|i'll|tho|af|ngl|tbh|lol|lmao|obvs|btw|i said|(?:i am|i'm) (?:ok|okay|fine|good|alright))\b"
    r"|要是|就好了|^我?[^，,。]{0,2}希望|^我[^，,。]{0,4}(?:觉得|知道|说|猜|信|敢|懂|就是|先|要去|该)|^[他她][^，,。]{0,2}说|^时间到了",
    re.IGNORECASE,
)
# What others are is a judgement of the user's, and not said back: "he's a bully".
_TELLS = re.compile(
    r"(?:I|I've|I'm|We|We've|We're|My|Our)\b|(?:He|She|They|The \w+)\b(?!'|.{0,12}\b(?:is|are|was|were)\b|.{0,12}n't\b)",
    re.IGNORECASE,
)
# What a clause begins with; who cuts it short ("eleven years at the mill") is quoted.
_SUBJECT = re.compile(
    r"(?:i|the|an?|my|our|we|it|there|he|she|they|this|that|his|her|their|tomorrow|today|yesterday|everyone|everybody)\b",
    re.IGNORECASE,
)
_HAN_TELLS = re.compile(r"^我|^(?![太好真别不行对完得算是说]).{3,}[了着过在](?!太|好|真).*(?<!死了)$")
_HAN_CLAUSE = re.compile(r"[，。！？；、,.!?;~～…：:“”\"\n]+|哈{2,}|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_HAN_LEAD = re.compile(
    r"^(?:今天早上|(?:今天|昨天)(?!的)|刚才|刚刚|而且|但是|然后|所以|其实|真的|最后(?!一)|终于|算了|对了|哎呀|哎|唉|就|那(?![个些种位家天边次件条只]))+"
)
_HAN_NO = re.compile(r"^(?:不对|不是|不|错了|我?(?:记|说|搞|弄)错了)[，,！!\s]+")
# 浩宇跟我说老师我爸打我妈: behind whom somebody speaks to, 我 is who speaks.
_HAN_SPEECH = re.compile(
    r"[说问写喊讲][，,：:\s]*(?:老师|爸爸?|妈妈?|爷爷|奶奶|叔叔|阿姨|[哥姐]{1,2}|医生|大夫|师傅|老板)[，,\s]*我"
)
_HAN_LEAST, _HAN_MOST = 4, 16

_ADVERBS = (
    r"(?:(?: (?:no longer|also|always|never|still|often|usually|really|just|only|sometimes|actually|now|even|\w+ly))*)"
)
_USER = re.compile(rf"\b[Tt]he user(?P<adverbs>{_ADVERBS}) (?P<verb>[a-z]+(?:n't)?)\b(?!')")
_OWNED = re.compile(r"\b[Tt]he user's\b")
_BARE = re.compile(r"\b[Tt]he user\b")
_SECOND_VERB = re.compile(r"(,|\b(?:and|but))((?: (?:also|never|always|still|mostly))?) (works|lives|likes|loves|hates|prefers|has|needs|wants|studies|plays|eats|drinks|speaks|takes|goes|does|doesn't|is|uses|keeps|sleeps|gets|runs|teaches|writes|reads|makes|feeds|sells|walks|rides|drives|swims|sings|paints|cooks|bakes|coaches|helps|visits|calls|rents|owns|grows|collects|volunteers|cycles|climbs|dances|watches|supports|trains|dislikes|enjoys|[a-z]+(?<!s)s(?= (?:an?|the|it|two|no|their)\b))\b")  # fmt: skip
# "She is nine and sleeps all day": who stands nearest does it.
_ANOTHER = re.compile(r"\b(?:he|she|who|which)\b|\b(?:it|that|they) (?:are|[a-z]+s)\b")
# "She wants them to come", "he says they are soft": of the user, unless several others were spoken of.
_OF_USER = re.compile(r"(?P<does>(?:\b(?:wants|wanted|asks|asked|tells|told|invited|expects)|^[Tt]he user's (?:[\w-]+(?<!s) ){1,3}(?:[a-z]+s|[a-z]+ed|gave|bit|let|lent|sent|taught|left|hit|met|made|took|bought|wrote)) )them\b|(?P<says>\b(?:says|thinks|believes|hopes|knows)(?: that)? )they\b")  # fmt: skip
_SEVERAL = re.compile(r"\b(?:two|three|four|five|six|some|several|many|both|parents|kids|children|twins|friends|people|cats|dogs)\b")  # fmt: skip
# Behind these words somebody else may do it: "you like it when people give them flowers".
_DOES = re.compile(r"you (?P<what>.*)", re.DOTALL)
_OTHER_SUBJECT = re.compile(
    r"\b(?:who|whom|when|where|that|because|as|which|if|while|whose|since|until|so|but|like|want|wants|let|make|help|see|hear|than)\b|[,;:]"
)
_THEIRS = re.compile(r"\b(their|them|theirs|themselves)\b")
_YOURS = {"their": "your", "them": "you", "theirs": "yours", "themselves": "yourself"}
# What a thing does to somebody, it does to the user: "it drives them mad".
_FELT = re.compile(
    r"\b((?:it|that|this|which)(?: (?:really|always|still|just))? (?:annoys|bores|bothers|breaks|calms|cheers|drives|helps|hurts|keeps|makes|reminds|scares|upsets|wakes|worries)) them\b"
)
_SECOND = {
    "is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't", "hasn't": "haven't", "doesn't": "don't", "goes": "go",
}  # fmt: skip
_NO_VERB_S = frozenset(("as", "its", "this", "always", "sometimes", "perhaps", "yes"))
_ARTICLE = re.compile(
    r"^(?:The|An?|This|That|These|Those|There|It|It's|They|He|She|His|Her|Their|No|Every|Each|On|At|In|From)\b"
)
_END = re.compile(r"[\s.。!！]+$")
_OWN_WORDS = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|us|[Oo]ur)\b|我")


def turn(sentence: str) -> str:
    """Turn a sentence to the second person, without its full stop; "" where no rule can."""
    plain = sentences.part(fillers.strip(lexicon.normalise(sentence))).strip(" ,.。!！…")
    if sentences.is_question(sentence) or "\n" in plain or not lexicon.has_words(plain):
        return ""
    if lexicon.is_chinese(plain):
        plain = _HAN_NO.sub("", plain)
        is_for_you = re.search("[你您]", plain) or _HAN_REQUEST.match(plain) or _HAN_SPEECH.search(plain)
        return "" if is_for_you else re.sub("[我咱]", "你", plain)
    plain = _GOT.sub("I have ", plain)
    if not plain or _TO_YOU.search(plain) or _REQUEST.search(plain):
        return ""
    said = _AGREES.sub(
        lambda match: f"{match[1]} {'are' if match[2].lower() == 'am' else 'were'}", _WORD.sub(_turn_word, plain)
    )
    said = _KEPT_BETWEEN.sub(r"\1 between us", said)
    if _SUBJECT.match(plain):
        return said[:1].lower() + said[1:]
    return said if _begins_with_name(plain) else ""


def _begins_with_name(plain: str) -> bool:
    return plain.startswith((*(name.text for name in names.find(plain)), *names.find_acting(plain)))


def turn_clause(text: str) -> str:
    """Turn a short clause about what somebody did or what happened; "" where there is none."""
    if lexicon.is_chinese(text):
        return _turn_han_clause(text)
    for sentence in sentences.split(text):
        plain = clauses.add_speaker(fillers.strip_leading(lexicon.normalise(sentence)))
        first = _CLAUSE.split(plain, maxsplit=1)[0].strip()
        if plain[len(first) :].lstrip().startswith(('"', "“")):
            # He called me "the spare": the words in quotation marks are its point.
            return ""
        if _LISTED.match(plain[len(first) :]):
            return ""
        tells = _TELLS.match(first) or _begins_with_name(first)
        least = _LEAST_OF_THING if first.lower().startswith(("my ", "our ")) else _LEAST_WORDS
        if tells and not _UNSETTLED.search(first) and least <= len(first.split()) <= _CLAUSE_WORDS:
            return turn(first)
    return ""


def turn_reminder(asked: str) -> str:
    """Turn a wish to be reminded or asked on a day into a promise: "I'll ask you on Monday"; "" where it names no day."""
    cues = cue_matching.choose_cues(asked)
    plain = lexicon.normalise(asked).strip(" ,.。!！…?？")
    if not cue_matching.search(cues.EVIDENCE["when"], plain):
        return ""
    if lexicon.is_chinese(plain):
        return _HAN_POLITE.sub("", plain).replace("我", "你")
    wish = _WISH.search(plain)
    return f"I'll {wish[0][0].lower()}{_WORD.sub(_turn_word, wish[0][1:])}." if wish else ""


def turn_kin(text: str) -> str:
    """Return the user's relative in the text: "your sister", "你姐姐"; "" where there is none, or more than one."""
    if lexicon.is_chinese(text):
        words = lexicon.find_kin_words(parties.leave_out_others(text))
        own = [f"你{word}" for concept, word in words.items() if concept not in _NOT_WHO]
        # 女朋友 is no friend beside.
        own = [one for one in own if not any(one[1:] in other[2:] for other in own)]
    else:
        own = [f"your {word.lower()}" for word in _ENGLISH_KIN.findall(lexicon.normalise(_QUOTED.sub("", text)))]
    return own[0] if len(set(own)) == 1 else ""


def is_of_other(text: str) -> bool:
    """Whether a text tells of the loss of a child not born yet, or its last clause, in Chinese, of somebody else's relative: 她娘家哥哥没了."""
    is_theirs = re.search(rf"(?:{parties.RELATIVE_OF_OTHER})[^，,。！!\s]*$", text)
    return is_theirs is not None or _UNBORN.search(text) is not None


def leave_others(text: str, told: Iterable[str]) -> str:
    """Return a Chinese text with 他 for whom it names before a relative of theirs: 浩宇妈妈 is none of the user's where one told of 张浩宇."""
    known = {name.text for said in (*told, text) for name in names.find(said)} if lexicon.is_chinese(text) else set()
    called = {part for name in known for part in (name, name[-2:]) if len(part) > 1 and lexicon.is_chinese(part)}
    whose = "|".join(map(re.escape, called))
    return re.sub(rf"(?:{whose})的?(?=[爸妈爹娘爷奶姥外公婆姐哥弟妹])", "他", text) if called else text


def turn_last_kin(text: str) -> str:
    """Return the last relative that a text speaks of as the user's, by its whole word (姥爷, not 爷), in English also without "my": "your dad";
    "" where there is none.
    """
    if not lexicon.is_chinese(text):
        found: list[str] = _BARE_KIN.findall(text)
        # "My husband's grandmother passed": it is not the husband.
        of_kin = _OF_KIN.search(text)
        whose = of_kin[0] if of_kin else found[-1] if found else ""
        return whose and f"your {whose.lower()}"
    # Cut off behind 她, somebody's father would be the user's.
    text = re.sub(f"{parties.RELATIVE_OF_OTHER}|{parties.ONLY_CALLED}", "", text)
    starts = (at for at in reversed(range(len(text))) if turn_kin(text[at:]))
    last = next(starts, 0)
    return turn_kin(text[max(0, last - 1) :]) or turn_kin(text[last:])


def _turn_han_clause(text: str) -> str:
    # 我网名叫“半糖”: the words in quotation marks are its point.
    first = _HAN_LEAD.sub(
        "", _HAN_CLAUSE.split(_QUOTED.sub(lambda said: said[0][1:-1], text).strip(), maxsplit=1)[0]
    ).rstrip("啦啊呀哦呢")
    is_plain = _HAN_TELLS.search(first) and not re.search(r"[你您]", first) and not _UNSETTLED.search(first)
    return turn(first) if is_plain and _HAN_LEAST <= len(first) <= _HAN_MOST else ""


def _turn_word(match: re.Match[str]) -> str:
    word = match.group()
    # The US is no "us".
    return word if word == "US" else _TURNED.get(word.lower().replace("’", "'"), word)


def address(text: str) -> str:
    """Return a fact as a clause to the user, in the present: "The user lives in York." becomes "you live in York"."""
    plain = _END.sub("", text.strip())
    if lexicon.is_chinese(plain):
        return plain.replace("用户", "你")
    plain = _FELT.sub(r"\1 you", plain) if _BARE.search(plain) else plain
    turned = _USER.sub(lambda match: f"you{match['adverbs']} {reduce_verb(match['verb'])}", plain)
    is_alone = turned != plain and not _mentions_others(plain, turned)
    if turned != plain:
        turned = _SECOND_VERB.sub(lambda match: _turn_second(match, is_alone=is_alone), turned)
    elif _OWNED.match(plain):
        turned = _OF_USER.sub(_turn_object, plain)
    if is_alone:
        turned = _THEIRS.sub(
            lambda match: match[0] if match[1] == "them" and _is_own(match) else _YOURS[match[1]], turned
        )
    return _ARTICLE.sub(lambda match: match[0].lower(), _BARE.sub("you", _OWNED.sub("your", turned)))


def address_told(text: str) -> str:
    """Return what is remembered as a clause to the user, also where it is in their own words; in quotation marks where no rule turns these."""
    if _USER.search(text) or "用户" in text or not _OWN_WORDS.search(text):
        return address(text)
    return turn(text) or f"“{text.strip()}”"


def _turn_object(match: re.Match[str]) -> str:
    return match[0] if _SEVERAL.search(match.string[: match.start()]) else f"{match['does'] or match['says']}you"


def _turn_second(match: re.Match[str], *, is_alone: bool) -> str:
    if _ANOTHER.search(match.string[: match.start()]) or not (is_alone or _is_own(match)):
        return match[0]
    return f"{match[1]}{match[2]} {reduce_verb(match[3])}"


def _is_own(match: re.Match[str]) -> bool:
    """Whether the user does what a word belongs to, and nobody else may: "you have three kids and love them"."""
    doing = _DOES.match(match.string[: match.start()])
    return doing is not None and not _OTHER_SUBJECT.search(_SECOND_VERB.sub("", doing["what"]))


def reduce_verb(verb: str) -> str:
    """Return the form of the verb after "you"."""
    if verb in _SECOND:
        return _SECOND[verb]
    if not verb.endswith("s") or verb.endswith("ss") or verb in _NO_VERB_S:
        return verb
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else verb[:-1]


def _mentions_others(text: str, turned: str) -> bool:
    """Whether a further verb, or else the first "their", may be somebody else's."""
    first = None if _SECOND_VERB.search(turned) else _THEIRS.search(text)
    said = text[: first.start()] if first else text
    return bool(lexicon.find_kin(said)) or bool(re.search(r"\b(?:friends|people|they)\b", said))


def turn_to_first(sentence: str) -> str:
    """Turn a sentence in the second person to the first: "You bake your own bread" becomes "I bake my own bread"."""
    if lexicon.is_chinese(sentence):
        return sentence.replace("你", "我")
    return _SECOND_PERSON.sub(lambda match: _FIRST_PERSON[match.group().lower()], sentence)
