"""Splits what the user tells in one sentence into statements that each stand alone, without the wish to remember them."""

from collections.abc import Iterator
from itertools import pairwise

from echovessel import lazy_re as re
from echovessel.llm.offline import capitals, fillers
from echovessel.llm.offline.chinese.vocabulary import CITIES
from echovessel.llm.offline.text import lexicon, sentences, slots

_JOINT = re.compile(
    r"\s*[;,]\s+(?:(?:and|but)\s+)?(?=(?:i|my|we)\b)|\s+but\s+(?=i (?:now )?(?:live|work)\b)|\s+and\s+(?=(?:i|my|we)\b)(?!i(?:'ve| have| are|'re)? (?:been )?(?:together|married|engaged|a couple|an item)\b)",
    re.IGNORECASE,
)
# How a sentence begins that leaves out "I" or "I'm": "quit Greggs today", "can't stand coriander", "off meat now".
_DONE = (
    r"(?:quit|left|lost|sold|flogged|binned|ditched|scrapped|bought|got|moved|started|stopped|finished|passed|handed|packed|gave|given|paid|cancell?ed|dropped|retired|resigned|broke|met|found|"
    r"switched|changed|donated|threw|thrown|called off|stepped down|pulled out|came off|signed|opened|booked|won|beat|ordered|joined|unsubscribed|live|used to|had to|can't (?:stand|eat|drink)|don't (?:eat|drink|smoke))"
)
_IS_SO = r"(?:living|working|doing|starting|studying|training|(?:(?:deathly|deadly|severely|badly|highly|super|very|really|seriously|also) )?allergic|vegan|vegetarian|diabetic|divorced|married|widowed|retired|pregnant|off|done with|finished with|over|rid of|cured of|no longer|not\b[^,;]{1,40}\b(?:any ?more|any longer))"
_LEFT_OUT = re.compile(
    rf"^\W*(?:(?:so|and|well|also|now) )*(?:(?P<done>(?:just |finally )?{_DONE})|(?P<is_so>(?:back |now |currently |just |finally )?{_IS_SO}))\b",
    re.IGNORECASE,
)
# "… and work as a nurse": who is left out.
_WITHOUT_SUBJECT = re.compile(r"(?:,\s*|\s+)and\s+(?=[a-z])", re.IGNORECASE)
# "I'm Jonas, 29, from Ghent but living in Lyon since last year": what somebody is, one after the other.
_IS = re.compile(
    r"^\W*(?:(?:hi+|hiya|hello|hey+|so|well|ok|cool|yeah)\b\W*)*(?P<lead>i'm|i am|m[ye] name is|m[ye] name's|call me)\s(?!not\b)",
    re.IGNORECASE,
)
_DOES = r"(?:live|work|have|own|run|teach|drive|study|love|rent|keep|speak)\b(?! (?:was|is|you|got)\b)"
_DOES_OR_HAS = re.compile(
    rf"(?:now |still )?(?P<does>{_DOES})|(?:(?:an?|one|two|three|four|five|six|no|\d) (?:[\w-]+ ){{0,2}}?)(?:kids?|child(?:ren)?|sons?|daughters?|twins|grand(?:children|kids|sons?|daughters?)|cats?|dogs?)(?=\W*$| aged\b)",
    re.IGNORECASE,
)
_AND_IS = re.compile(
    rf"\s*,\s*(?:(?:and|but|now)\s+)*|\s+(?=(?:living|based) in\b)|\s+(?:and|but)\s+(?:now\s+)?(?=(?:an? |living|based|from|born|divorced|married|single|retired|widowed|\d|{_DOES}))",
    re.IGNORECASE,
)
_WHAT_ONE_IS = re.compile(
    r"(?:\d{1,2}\b(?! (?:days|weeks|months|hours|minutes|of))|(?:originally )?from\b|born in\b|based in\b|living in\b|divorced\b|married\b|single\b|widowed\b|retired(?! (?:\w+ (?:years?|months?) ago|in|last|early)\b)|(?:studying|working|training|learning)\b|(?:mum|mom|dad|mother|father) of \w+\b|an? (?!bit|little|lot|few)(?:(?!got\b|is\b|was\b|me\b)[\w-]+ ?){1,5}\W*$)",
    re.IGNORECASE,
)
# "Married to Sam, an engineer": what Sam is; "getting a tattoo, a swallow": what that is.
_OF_ANOTHER = re.compile(r"\b(?:(?:married|engaged) to|with)(?: [\w'-]+){1,2}\W*$|^I'm (?!stud|work|train|liv)\w+ing\b")
_A_ROLE = re.compile(r"an? ", re.IGNORECASE)
_FORMER_ROLE = re.compile(r"retired (?!from\b|since\b|in\b|now\b|and\b|but\b)[a-z]", re.IGNORECASE)
_FOR_NOW = re.compile(
    r"\s+(?:since (?:last|this) \w+|these days|now|nowadays|at the moment|originally|years? old|btw|by the way|lol|haha+)\W*$",
    re.IGNORECASE,
)
_AGE_FIRST = re.compile(r"^\W*(\d{2})\s*,\s*(?=[a-z])", re.IGNORECASE)
_AGED_ROLE = re.compile(r"\ban? (\d{2})[- ]years?[- ]old (?=[a-z])", re.IGNORECASE)
# "im kai 17 from croydon"
_BARE_AGE = re.compile(
    r"^(\W*(?:hi+ |hiya |hello |hey+ |yo )?(?:i'm|i am) (?!nearly|almost|about|only|just|now|over|under|like|maybe|still|turning)[a-z]+) (\d{2})(?=\W*$|,| (?:from|and|an?)\b)",
    re.IGNORECASE,
)
_BRINGS_UP = re.compile(
    r"(?<!独)(?:有|养|买|租|开|认识|遇|捡|收|生|造|写)了?[一两三几这那]?[\u4e00-\u9fff]?[\u4e00-\u9fff]"
)
_WHO_ONE_IS = re.compile(
    r"我(?:今年|\d{2}|是(?!.*[的个位])|是一?[名个位](?:[^，,妈爸儿女孩娃猫狗朋友同]{1,12}(?:，[^，,我他她]{1,8}的)?$)|是做|来自|(?:住|在)(?!.*(?:[一两三几][家只条间辆个台座]|开了?家|养|买))|姓|大[一二三四]|刚来|从)"
)
_OWN_STUDY = re.compile(
    r"(?:现在|今年)?(?:在[\u4e00-\u9fff]{2,8}?)?(?:(?:读|念|上)?(?:大[一二三四]|研[一二三]|高[一二三]|初[一二三])|(?:读|念|上)(?:研究生|博士))"
    r"|学(?![我你他她过会了习到])[\u4e00-\u9fff]{2,6}的?|养了?[一两三几]?[只条个][\u4e00-\u9fff]{1,10}"
)
_OWN_STATE = re.compile(r"离[异婚]了?|单身|[已未]婚|丧偶|退休了?")
_CALLS = re.compile(r"^(?:哥们儿?|姐妹们?|兄弟们?|家人们|对了|话说|那个)[，,\s]*(?=我)")
# "software dev" in the middle of it tells nothing alone; a sentence of more clauses is no wish.
_ROLE_WORDS, _MOST_PARTS = 3, 40
# Many type a space for a comma.
_JOINT_CHINESE = re.compile(r"[，,；;]\s*|(?<=[\u4e00-\u9fff\d])\s+(?=[\u4e00-\u9fff\d])")
_TENS = r"(?:\d{2}|[二三四五六七八九]?十[一二三四五六七八九]?)"
# Behind who one is, in words of its own: 我叫周亦然，今年27，重庆人.
_OWN_AGE = re.compile(rf"(?:今年|[周虚]岁|刚满?|快|都|已经)*(?P<age>{_TENS})岁?了?")
_OWN_ORIGIN = re.compile(
    r"[\u4e00-\u9fff]{2,5}(?<![有个的多好坏病女男])人|(?:来自|老家(?:是|在)?)[\u4e00-\u9fff]{2,6}的?"
)
_OWN_PLACE = re.compile(rf"(?:现在|目前)?在(?:{CITIES})")
_REMEMBER = r"(?:remember|(?:don't|do not) forget|keep|bear|note|make a note of|write)"
_WISH_BEFORE = re.compile(
    rf"^\W*(?:(?:please|also|and|so|oh|hey|just)\s+)*{_REMEMBER}(?: (?:this|that|it))?(?: in mind| down)?(?: that)?\s*[:,–—-]?\s+(?=(?:i|my|we|our|the|his|her|their|he|she|they)\b)"
    r"|^\W*(?:请|麻烦|拜托|你|也|还|帮我|给我|要|千万|一定)*(?:记住|记得|记一下|记着|记下来?|别忘了?|不要忘了?|别忘记)[了啊哦吧，,：:\s]*(?=我)",
    re.IGNORECASE,
)
# A clause that only asks to remember is made of words that say nothing else.
_AROUND = r"(?:this time|next time|after all|once more|in future|instead|may|about me|fine|then|actually|(?:ha)+|lol|please|pls|plz|can|could|will|would|must|should|have|you|u|i'd|i want|i need|like|to|just|also|and|so|do|make|sure|that|this|it|one|too|(?:his|her|their|its|the) names?|for|me|later|ok|okay|kindly|always|ever|again|now|though|will you|thanks|thank you)"
# Who changed their mind about what was forgotten: "keep it this time", "you can have that back", "it's fine for you to know now".
_KEPT_AGAIN = r"(?:(?:put|add|have) (?:it|this|that) back(?: in)?|(?:keep|(?:re-?)?save|store|log|record|hang on to) (?:this one|(?:it|this|that)(?: one)? (?:again|back|after all|this time|now|on (?:record|file)))|it's (?:fine|ok|okay|all right) for you to know)"
_MEMORY = rf"(?:remember|(?:don't|do not|never) (?:you )?(?:ever )?forget|(?:keep|bear|have) (?:(?:it|this|that|(?:his|her|their|its|the) [a-z]+|them) )?in mind|(?:make|take) a (?:mental )?note(?: of)?|note|(?:write|jot|put|note|get) (?:it|this|that|them) down|put (?:it|this|that) in (?:the|your) diary|(?:hold|keep)(?: hold of| on to)? (?:this|that|it)(?: date| number)? for me|{_KEPT_AGAIN})"
_WISH = re.compile(
    rf"\W*(?!(?:do |did |as )?(?:you|u) (?:will |do )?remember|i )(?:{_AROUND}\s+)*{_MEMORY}(?:\s+{_AROUND})*\W*",
    re.IGNORECASE,
)
_ONLY_AROUND = re.compile(rf"\W*(?:{_AROUND}\W+)*(?:{_AROUND}\W*)?", re.IGNORECASE)
_WISH_CHINESE = re.compile(
    r"(?=.*(?:记|别忘|不要忘|(?:还是|可以|这[次回]|重新|再|你).*(?:存[上着下]|留[着下]|别删)|[补录加存写]回|[补录]上))(?!.*(?:[不没][记存留]|(?:别|不[要用必])[^忘删]*[记存留录补]|记[不没错]|(?<![帮给替为])我记|忘[不没]|记得吗|记了吗))"
    r"(?:你们?|您|请|麻烦|拜托|[帮给替为]我|帮|一笔|可|也|再|都|就|先|得|要|全|还是|一定|重新|千万|务必|必须|应该|可以|能|最好|好好|这[个点条些次回]?|这件?事|这话|那|它|把|一下|在?心[里上]|脑子里|别|不要|忘|删|记|存|留|录|补|加|写|住|着|牢|上|下|来|去|回|进|好|了|掉|行|哈|吧|啊|哦|呀|呢|嘛|啦|噢|喔|哟|点|儿|[~～\s])+"
)
# "Did I tell you I have a hamster?" tells it.
_ASKED_LEAD = re.compile(
    r"^\W*(?:\w+ )?did i (?:ever )?(?:tell|mention to) (?:you|u)(?: that| about)? ((?:i|we|my|our)\b[^?]*)\?",
    re.IGNORECASE,
)
# "Who looks after him? My neighbour does, btw."
_ANSWERS = re.compile(
    r"^[^.?!,]{1,40}\b(?:does|did|do|is|was|are|were|will|would|has|have|can|could)(?:,? (?:btw|by the way|actually|now|too))?(?=\W*$|,)"
    # "When is my lesson? It's on 12 June."
    r"|^\W*(?:s?he|they|it)(?:'s|'re| is| are) (?:called|named) \w"
    r"|^\W*(?:it's|it is|it was|'?twas|they're) (?:on|in|at|due|around|about|next|this|tomorrow|today|(?:the )?\d|(?:the )?(?-i:[A-Z])[a-z])|^\W*我?(?:也|真的?|其实|还|自己)*(?:不知道|说不清|不确定|没想好|不好说)[啊呀呢]?\W*$",
    re.IGNORECASE,
)
_OF_MEMORY = re.compile(
    r"[记忘存留录补]|\b(?:remember|forget|mind|note|down|diary|hold|keep|back|save|resave|re-save|store|log|record|hang|know)\b",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"([,;:.!–—]+\s*|\s-+\s|\s+(?=(?:and|so|please|pls|plz|can|could|just)\b(?:\s(?:and|so|please|pls|plz|can|could|will|would|you|u|just|also|do))*\s(?:remember|don't|never|do not|keep|bear|note|make|take|write|jot|put)\b))",
    re.IGNORECASE,
)
# English words between Chinese ones stand together: 我 allergic to peanuts 记一下.
_BREAK_CHINESE = re.compile(r"([，,；;：:。！!、…]+\s*|(?<=[\u4e00-\u9fff])\s+|\s+(?=[\u4e00-\u9fff]))")
_EDGES = " \t,，;；:：–—-"
_PLEASE_BEHIND = re.compile(r",? please(?=[\s.!]*$)", re.IGNORECASE)
_FORGET = re.compile(
    r"\b(?:wish i hadn['’]?t|shouldn['’]?t have) (?:told you|said|mentioned)\b|^\W*(?:(?:please|just|also|and|so|oh|hey|ok|okay|omg|lol|haha|um|btw|wait|right|yeah|actually|could you|can you|i want you to)[\s,]+)*(?:forget|delete|erase|(?:don't|do not) (?:keep|remember))\b"
    r"|(?<![我他她们会老总又也别怕易想能])忘[掉记]|忘了[^，,。]{1,20}吧|删掉|删了|删除|别记|不要记",
    re.IGNORECASE,
)


def answers(sentence: str) -> bool:
    """Whether a sentence answers the question before it, with a verb alone or with what "it" is: "my neighbour does", "it's on 12 June"."""
    return not sentences.is_question(sentence) and _ANSWERS.match(lexicon.normalise(sentence)) is not None


def split(statement: str) -> Iterator[str]:
    """Yield the statements of a sentence that ask for nothing; none where it asks to forget."""
    plain = lexicon.normalise(statement)
    if asks_to_forget(plain):
        return
    told = strip_wish(plain)
    for clause in _split_chinese(told) if lexicon.is_chinese(told) else _JOINT.split(told):
        for statement in _split_introduction(clause):
            yield from _add_subject(statement)


def add_speaker(sentence: str) -> str:
    """Return a sentence with the "I" that it leaves out: "quit Greggs today"."""
    match = _LEFT_OUT.match(sentence)
    if match is None:
        return sentence
    at, speaker = (match.start("done"), "I") if match["done"] else (match.start("is_so"), "I'm")
    return f"{sentence[:at]}{speaker} {sentence[at].lower()}{sentence[at + 1 :]}"


def tells(text: str, slot: str | None) -> bool:
    """Whether a clause fills a slot of facts: "I'm Tomas, 41, lorry driver" tells the work."""
    told = (slots.read_slot(clause) for sentence in sentences.split(text) for clause in split(sentence))
    return slot is not None and any(one is not None and one[0] == slot for one in told)


def asks_to_forget(sentence: str) -> bool:
    return _FORGET.search(lexicon.normalise(sentence)) is not None


def strip_wish(plain: str) -> str:
    """Return a sentence without the wish to remember it."""
    begun = _WISH_BEFORE.sub("", plain)
    return begun if (told := take_out_wish(begun)) is None else told.strip(_EDGES)


def take_out_wish(plain: str) -> str | None:
    """Return a sentence without the clauses that only ask to remember: "can you remember that", 你替我记着; None where there is none."""
    if not _OF_MEMORY.search(plain):
        return None
    is_chinese = lexicon.is_chinese(plain)
    breaks, wish = (_BREAK_CHINESE, _WISH_CHINESE) if is_chinese else (_BREAK, _WISH)
    parts = breaks.split(plain)
    if len(parts) > _MOST_PARTS:
        return None
    kept = [at for at in range(0, len(parts), 2) if not (parts[at] and wish.fullmatch(parts[at]))]
    if 2 * len(kept) > len(parts):
        return None
    kept = [at for at in kept if not _ONLY_AROUND.fullmatch(parts[at])]
    return "".join(part for at in kept for part in parts[at : at + 2]).lstrip(_EDGES)


def write_told(sentence: str) -> str:
    """Return a sentence as a memory tells it: with a capital, without what only leads to it and the wish to remember it."""
    begun = fillers.strip_opening(lexicon.remove("SHIFTS", _ASKED_LEAD.sub(lambda match: f"{match[1]}.", sentence)))
    told = strip_wish(begun)
    if told != begun:
        told = _PLEASE_BEHIND.sub("", told)
    return capitals.begin(told.lstrip(" ,，:：.!…").strip()) or sentence


def _is_role(part: str) -> bool:
    """Whether a part of an introduction names a role without its article: "lorry driver", "retired signalman"."""
    if _A_ROLE.match(part):
        return False
    if _WHAT_ONE_IS.match(part):
        return _FORMER_ROLE.match(part) is not None
    return slots.read_slot(f"I'm a {part}") is not None


def _split_introduction(clause: str) -> Iterator[str]:
    """Yield what a clause says that the user is, each as a statement of its own; the clause where it says one thing."""
    clause = _BARE_AGE.sub(r"\1, \2,", _AGE_FIRST.sub(r"I'm \1, ", clause))
    match = _IS.match(clause)
    first, *more = _AND_IS.split(_AGED_ROLE.sub(r"\1, a ", clause)) if match else [clause]
    first = _FOR_NOW.sub("", first)
    more = [f"{'an' if part[:1] in [*'aeiou'] else 'a'} {part}" if _is_role(part) else part for part in more]
    more = [
        part for before, part in pairwise([first, *more]) if not (_OF_ANOTHER.search(before) and _A_ROLE.match(part))
    ]
    is_introduction = match is not None and _is_introduction(first[match.end() :])
    told = [(part, _complete_introduction(part, is_introduction=is_introduction)) for part in more]
    unread = [part for part, one in told if not one and len(part.split()) > _ROLE_WORDS]
    if len(unread) == len(told) or (unread and not is_introduction):
        yield clause
        return
    yield first
    yield from (one or add_speaker(part) for part, one in told if one or part in unread)


def _is_introduction(told: str) -> bool:
    """Whether "I'm" goes on with who one is: an age, a name, a role; not with how one feels."""
    return bool(_WHAT_ONE_IS.match(told)) or told.istitle() or _is_role(told)


def _complete_introduction(part: str, *, is_introduction: bool) -> str:
    """Return a part of an introduction with its subject: "I live in Hull", "I'm 71"; "" where it does not tell of the user."""
    if is_introduction and (done := _DOES_OR_HAS.match(part)):
        return f"I {part}" if done["does"] else f"I have {part}"
    told = _FOR_NOW.sub("", part)
    if not _WHAT_ONE_IS.match(part):
        return ""
    return f"I was {told}" if told.lower().startswith("born") else f"I'm {told}"


def _add_subject(clause: str) -> Iterator[str]:
    """Yield the parts of a clause: one of which the slot can be read once it begins with "I" is a part of its own."""
    for match in _WITHOUT_SUBJECT.finditer(clause):
        before, behind = clause[: match.start()], f"I {clause[match.end() :]}"
        if slots.read_slot(behind) and re.match(r"\W*i\b", before, re.IGNORECASE):
            yield from (before, behind)
            return
    yield clause


def _speaks_of_more(clause: str) -> bool:
    """Whether a clause brings up somebody or something of which the next may speak: 我有一条船，叫苍鹭号."""
    return bool(lexicon.find_concepts(clause)) or _BRINGS_UP.search(clause) is not None


def _may_go_on(first: str, clause: str) -> bool:
    """Whether a clause without a subject still speaks of the user: a name only behind who they are, not in 我喜欢一个女生，叫小鹿."""
    if clause.startswith("叫"):
        return _WHO_ONE_IS.match(first) is not None
    return first.startswith("我") and not _speaks_of_more(first)


def _complete(first: str, clause: str) -> str:
    """Return a clause without a subject as the user's own statement, behind `first` that speaks of them; "" where it is none."""
    if "我" in clause or not _may_go_on(first, clause):
        return ""
    is_introduction = _WHO_ONE_IS.match(first) or first.startswith("我叫")
    if is_introduction:
        if age := _OWN_AGE.fullmatch(clause):
            return f"我今年{age['age']}岁"
        if _OWN_ORIGIN.fullmatch(clause):
            return f"我是{clause}" if clause.endswith("人") else f"我{clause}"
        if _OWN_PLACE.fullmatch(clause):
            return f"我住{clause}"
        if _OWN_STUDY.fullmatch(clause) or _OWN_STATE.fullmatch(clause):
            return f"我{clause}"
    is_noun = is_introduction and clause[:1] not in "干做当带有养管雇"
    is_role = clause.startswith("做") and clause.endswith("的")
    told = (f"我{clause}", f"我是{clause}") if is_noun else (f"我是{clause}" if is_role else f"我{clause}",)
    return next(filter(slots.read_slot, told), "")


def _split_chinese(told: str) -> Iterator[str]:
    """Yield clauses with a subject of their own; others belong to the clause before them.

    What is left out is the user only where that clause speaks of nobody else: not in 我养了一只狗，叫豆豆.
    """
    parts: list[str] = []
    for clause in _JOINT_CHINESE.split(_CALLS.sub("", told)):
        if not parts or clause.startswith("我"):
            parts.append(clause)
        elif told := _complete(parts[-1], clause):
            parts.append(told)
        else:
            parts[-1] += f"，{clause}"
    yield from parts
