"""Tells whether something told holds what a question asks for, or tells it of somebody else."""

from collections.abc import Sequence

from echovessel import lazy_re as re
from echovessel.llm.offline.english import cues as english_cues
from echovessel.llm.offline.reply.asking import asked_names, content_words, question_kinds
from echovessel.llm.offline.text import changes, clauses, cue_matching, lexicon, mentions, names

_DENIED = re.compile(r"(?:\b(?:not|never)|n't) (?:\w+ )??([a-z]+)", re.IGNORECASE)
_OWN_THING = re.compile(r"\b(?:my|our) ([a-z]+)\b", re.IGNORECASE)
# "A doctor's appointment" is one's own.
_WHOM_ONE_SEES = (
    "doctor|dentist|vet|gp|hairdresser|barber|optician|solicitor|lawyer|consultant|physio|midwife|nurse|driver"
)
_OWN_THING_CHINESE = re.compile(r"我的?(生日|名字|工作|电话|地址|家|车|手机)")
# How long one has been sober is not told by "my sponsor is Gene, he's 22 years sober".
_OWN_TIME = re.compile(r"\b(?:how long|since when) (?:have|has|was|am|did|do) i\b", re.IGNORECASE)
# What one eats is not told by "Pickle ate half a Lego set", but by "Eat no meat".
_OWN_HABIT = re.compile(r"^\W*(?:(?:and|so|but) )?(?:what|where) do i (\w+)\W*$", re.IGNORECASE)
# "Do I have kids?" is not told by "he has a daughter too".
_THEY_HAVE = re.compile(
    r"\b(?:he|she|they|(?:my|our) (?!partner\b|wife\b|husband\b)[a-z]+(?: and (?:his|her) \w+)?)(?: has| have|'s got|'ve got)\b",
    re.IGNORECASE,
)
_WE_HAVE = re.compile(r"\b(?:(?:i|we)(?: have|'ve|'ve got| got)|my|our|user has)\b", re.IGNORECASE)
_OF_USER = re.compile(r"\b(?:i|i'\w+|me|my|we|we'\w+|us|our|user)\b", re.IGNORECASE)
_OF_SELF = re.compile(r"\b(?:i|i'\w+|me|we|we'\w+|us)\b|^\W*(?:just )?(?:been|going|started)\b", re.IGNORECASE)
_BEGUN_BY_VERB = re.compile(r"\W*([a-z]{2,})s\b(?!')", re.IGNORECASE)
# 我喜欢谁 is not answered by 他喜欢她.
_OWN_DOING = re.compile(r"我(?:最|很|也|都|真)?([^\W是在有叫的]{1,3}?)(?:谁|什么|啥)")
# 苏晴喜欢什么 and "what does Jo like?" are not answered by whom the user likes.
THEIR_DOING = re.compile(
    r"^\W*(?:你(?:还?记得|知道))?(?![我你他她])(?P<who>[\u4e00-\u9fff]{2,4}?)(?:最|很|也|都)?(?P<does>喜欢|讨厌|爱吃|爱喝|害怕|怕)(?:吃|喝|看|听|玩|的)?(?:是)?(?:什么|啥|谁|哪)"
    r"|^\W*(?:what|who|which) (?:\w+ )?does (?P<name>(?-i:[A-Z])\w+) (?P<verb>like|love|hate|fear|prefer)\b",
    re.IGNORECASE,
)
# 我怀孕了吗 is not answered by 李倩怀孕了.
_OWN_STATE = re.compile(r"我(?:现在|还|已经|又|是不是|有没有)*([\u4e00-\u9fff]{1,4}?)了?(?:吗|没有?)\W*$")
# 我在哪个医院 is not answered by 我妹妹在医院当护士.
_OF_ONESELF = re.compile(r"\W*我(?![们的]|.*[谁啊]\W*$)")
# 我对花生过敏吗 is not answered by 小王对花生过敏.
_OWN_ALLERGY = re.compile(r"\W*(?:那)?我(?:也|是不是|自己|会不会)*对[^，,。他她]{1,8}过敏")
_THEIR_ALLERGY = re.compile(r"(?<!我)(?<!用户)(?<!自己)(?<!也)(?<!一直)(?<!从小)对[^，,。]{1,8}过敏")
_THEIR_KIN = re.compile(rf"[我咱]?们?家?的?(?:{question_kinds.KIN.pattern})")
_CLAUSES = re.compile(r"[，,。！!？?\s]+")
_OF_OTHERS_KIN = re.compile(r"^([\u4e00-\u9fff]{2,3})[他她](?=[爸妈爹娘爷奶哥姐弟妹]|老[婆公]|儿子|女儿)")
_ASKS_WHAT = re.compile(r"[吃喝看听玩穿买送煮唱写画](?:[了过的]|给[我他她])?(?:什么|啥)")
# 我最喜欢吃什么 is not answered by 我最喜欢的颜色是蓝色.
_BEST_COLOUR = re.compile(r"最(?:喜欢|爱)的(?:颜色|季节|城市|地方|动物|花|数字|人|球队|球星|科目|节日)")
_LIKES_DOING = re.compile(r"(?:喜欢|爱)([吃喝看听玩])")
_WHETHER = re.compile(r"([\u4e00-\u9fff])[不没]\1")
_WHEN_DOING = re.compile(
    r"(?:什么时候|啥时候|哪天)(?:我们?|他|她|就|会|能|要|才|再|去)*([\u4e00-\u9fff])(?<![没走死去])"
)
_WORDS = re.compile(r"[说讲骂夸劝问]|告诉|嘱|交代")
# What others asked, or what would be if, says nothing of what is.
_NOT_SO = re.compile(r"(?i)\basked (?:me|us)\b|问我|\bif (?:i|we)\b.*\b(?:would|could|'d)\b")
_TAKES_SEVERAL = re.compile(r"^\W*(?:why|how)\b|\b(?:remember|about|happened|say|said|ask|think)\b", re.IGNORECASE)
_DISLIKES = re.compile(
    r"\b(?:dislike|hate|loathe|can't stand|don't like)\w*|讨厌|不喜欢|不爱(?=吃|喝|看|听)", re.IGNORECASE
)
_HOW_LONG = re.compile(r"\bhow long\b", re.IGNORECASE)
_SPAN = re.compile(
    r"\b(?:minute|hour|day|night|week|fortnight|month|year|decade|yr)s?\b|\bsince\b|\ball (?:my|our) li(?:fe|ves)\b",
    re.IGNORECASE,
)
_ASKS_WHICH = re.compile(r"\b(?:what|which)\b|什么|啥|哪", re.IGNORECASE)
_LIKES = re.compile(r"\b(?:like|love|enjoy|favou?rite|prefer)\w*|喜欢|爱(?=吃|喝|看|听)", re.IGNORECASE)
# "Dreading it", "she's a bridesmaid".
_NEEDS_BEFORE = re.compile(
    rf"{question_kinds.SAYS_OF_WHAT.pattern}|\W*(?:s?he|they|it|that|this)\b|\W*(?:s?he|they|it|that)s\b|\W*(?!this\b|his\b)\w+s (?:an?|the|at|in|for)\b",
    re.IGNORECASE,
)
WISHES = re.compile(r"想(?:要)?([学考读去做当买吃看养开])(?:的是)?(?:什么|哪|啥)")
_MALE, _FEMALE = re.compile(r"[爸哥弟爷叔舅]|公公|外公|儿子|丈夫"), re.compile(r"[妈姐妹奶婆姑姨]|女儿|妻子")


def lacks_asked(text: str, question: str) -> bool:
    """Whether a question asks what somebody said, and a text tells of nothing said; or why, or in Chinese for a kind
    of thing, and all they share is a relative or an animal.
    """
    if question_kinds.ASKS_WORDS.match(question):
        return _WORDS.search(text) is None
    if _BEST_COLOUR.search(text) and (liked := _LIKES_DOING.search(question)) and liked[1] not in text:
        return True
    kind = question_kinds.classify_question(question)
    asked, told = (content_words.list_all(question_kinds.KIN.sub(" ", one)) for one in (question, text))
    called = content_words.list_all(" ".join(re.findall(english_cues.NAMED, text)))
    if not all(map(lexicon.find_concepts, (asked & told) - called)):
        return False
    is_of_kin = lexicon.is_chinese(question) and bool(lexicon.find_concepts(question) & lexicon.find_concepts(text))
    doing = _WHEN_DOING.search(question) or _WHETHER.search(question)
    verb = doing[1] if doing else content_words.find_verb(question)
    lacks_verb = (doing or _ASKS_WHAT.search(question)) and verb not in text
    lacks_kind = kind in question_kinds.NEEDS_EVIDENCE and not (
        has_evidence(text, kind) or asked_names.names_doer(text, question)
    )
    is_reason = question_kinds.ASKS_WHY.search(question) and content_words.share(text, question) < 1
    return (is_of_kin and bool(lacks_verb or lacks_kind)) or bool(is_reason)


def tells_wish(text: str, question: str) -> bool:
    """Whether one asks what one wants to study or the like, and a text tells of it: 我想学什么专业."""
    wish = WISHES.search(question)
    return wish is not None and re.search(rf"想[^。]{{0,16}}?{wish[1]}", text) is not None


def is_of_other_sex(text: str, question: str) -> bool:
    """Whether a Chinese text only says 她 where one asks of a man, or 他 of a woman: 我爸妈离婚了，她开店 tells nothing of 我爸."""
    asked, other = ("他", "她") if _MALE.search(question) else ("她", "他")
    return bool(_MALE.search(question) or _FEMALE.search(question)) and other in text and asked not in text


_OWN_BIRTHDAY, _TELLS_BIRTHDAY = re.compile(r"我的?生日"), re.compile(r"我的?生日|过生日|用户的?生日")


def is_of_another(text: str, question: str) -> bool:
    """Whether a question asks for something of one's own and a text tells of somebody else's, or the other way round: a sister's birthday."""
    plain = lexicon.normalise(text)
    is_of_birthday = _OWN_BIRTHDAY.search(question) and "生日" in plain and not _TELLS_BIRTHDAY.search(plain)
    if is_of_birthday or _tells_own_liking(plain, question) or _tells_state_of_other(plain, question):
        return True
    is_of_kin = (kin := _THEIR_KIN.match(plain)) and not re.search("[我咱户]", plain[kin.end() :])
    if is_of_kin and _OF_ONESELF.match(question) and not lexicon.find_concepts(question):
        return True
    if (theirs := _OF_OTHERS_KIN.search(question)) and theirs[1] not in plain:
        return True
    if (
        _OWN_TIME.search(question)
        and not _OF_SELF.search(plain)
        and (lexicon.matches("THIRD_PERSON", plain) or names.find_acting(text))
    ):
        return True
    own = _THEY_HAVE.sub(" ", plain)
    if question_kinds.ASKS_HAVING.match(question) and own != plain and not _WE_HAVE.search(own):
        return True
    habit = _OWN_HABIT.match(question)
    if habit and not (_OF_USER.search(plain) or plain.lower().startswith(habit[1].lower())):
        return True
    begun = _BEGUN_BY_VERB.match(plain)
    if begun and re.search(rf"\b(?:i|we) {begun[1]}\b", question, re.IGNORECASE):
        # Who begins with "Drives a bus now" has just spoken of somebody.
        return True
    if doing := _OWN_DOING.search(question):
        of_others, own = (rf"{of}(?:[^，,。我他她]{{0,4}}){doing[1]}" for of in ("[他她]", "[我户]"))
        if re.search(of_others, plain) and not re.search(own, plain):
            return True
    return any(
        re.search(
            rf"\b(?:its|his|her|their|(?!(?:what|who|that|it|s?he|{_WHOM_ONE_SEES})\b)\w+'s) {thing}\b",
            plain,
            re.IGNORECASE,
        )
        and not re.search(rf"\b(?:my|our|the user's) {thing}\b", plain, re.IGNORECASE)
        for thing in _OWN_THING.findall(question)
    ) or any(
        (found := re.search(rf"(.{{0,3}}?)的?{thing}", plain))
        and lexicon.find_kin(found[1])
        and not re.search(rf"[我户]的?{thing}", plain)
        for thing in _OWN_THING_CHINESE.findall(question)
    )


def lacks_span(text: str, question: str) -> bool:
    """Whether one asks how long something lasts, and a text tells of no time: "two sons" of "how long was I married?"."""
    return bool(_HOW_LONG.search(question)) and not _SPAN.search(text)


def _tells_state_of_other(plain: str, question: str) -> bool:
    if _OWN_ALLERGY.match(question):
        return _THEIR_ALLERGY.search(plain) is not None
    if not (state := _OWN_STATE.match(question)):
        return False
    leads = [before for before, found, _ in (one.partition(state[1]) for one in _CLAUSES.split(plain)) if found]
    return bool(leads) and all(names.ends_with_other(lead) for lead in leads)


def _tells_own_liking(plain: str, question: str) -> bool:
    if not (theirs := THEIR_DOING.match(question)):
        return False
    who, does = theirs["who"] or theirs["name"], theirs["does"] or theirs["verb"]
    is_own = re.search(rf"(?:我|\bi\b)[^，,。]{{0,12}}{does}", plain, re.IGNORECASE) is not None
    return is_own and not re.search(rf"{re.escape(who)}[^，,。我]{{0,8}}{does}", plain, re.IGNORECASE)


def is_opposite(text: str, question: str) -> bool:
    """Whether one asks what one dislikes and a text tells what one likes, or the other way round."""
    asked, told = (
        (_DISLIKES.search(one) is not None, _LIKES.search(_DISLIKES.sub(" ", one)) is not None)
        for one in (question, text)
    )
    is_what = _ASKS_WHICH.search(question) is not None
    return is_what and (asked, told) in (((True, False), (False, True)), ((False, True), (True, False)))


def is_denied(text: str, question: str) -> bool:
    """Whether a text denies of somebody what a question asks for: "he's not mad", where one asks who is."""
    denied = content_words.list_all(" ".join(_DENIED.findall(lexicon.normalise(text))))
    return bool(denied & content_words.list_all(question)) and not _DENIED.search(question)


def has_evidence(text: str, kind: str) -> bool:
    """Whether a text holds what a question of the kind asks for: a day, an age, a place."""
    if kind == "called":
        return bool(names.find(text))
    evidence = cue_matching.choose_cues(text).EVIDENCE
    parts = [text]
    if kind in question_kinds.OWN and kind != "partner":
        told = (text, *clauses.split(text))
        parts = [one for one in told if not (lexicon.is_of_another(one) or _NOT_SO.search(one))]
    return kind in evidence and any(cue_matching.search(evidence[kind], part) for part in parts)


def find_whole_answer(said: Sequence[str], text: str, question: str, kind: str) -> str:
    """Find the one of several sentences that tells what the whole text does of what is asked, not only of whom; "" where none does."""
    kin = lexicon.find_kin(question)
    words = [
        one
        for one in said
        if question_kinds.SAYING.search(one)
        and (asked_names.find_capitalised(question, one) or kin & lexicon.find_kin(one))
    ]
    if words and question_kinds.SAID_BY_OTHER.search(question):
        return words[-1]
    is_changed = any(changes.is_correction(one) or changes.puts_off(one) or changes.tells_end(one) for one in said)
    if len(said) == 1 or is_changed or lexicon.is_chinese(text) or _TAKES_SEVERAL.search(question):
        return ""
    called = {name.text for name in names.find(text)} | {*asked_names.find_capitalised(question, text)}
    of_whom = content_words.list_all(" ".join(called))
    asked = {word for word in content_words.list_all(question) - of_whom if not lexicon.find_concepts(word)}
    held = asked & content_words.list_told(text)
    # "Shes got the biopsy Thursday" tells when it is, whoever she is.
    whole = [one for one in said if not _NEEDS_BEFORE.match(one) or (kind == "when" and has_evidence(one, kind))]
    telling = [one for one in whole if held and held <= content_words.list_told(one)]
    if not asked and kind in ("where", "when", "age", "their_job"):
        named = [one for one in whole if any(mentions.is_named(name, one) for name in called)]
        telling = [one for one in named if has_evidence(one, kind)]
    alone = max(reversed(telling), key=lambda one: content_words.count_exact(one, question), default="")
    names_them = kind == "called" and any(mentions.is_named(name, alone) for name in called)
    return alone if names_them or has_evidence(alone, kind) or not has_evidence(text, kind) else ""
