"""Tells what a question asks for, and finds the name that it asks for in something told: the pet's, the relative's."""

import re
from collections.abc import Sequence

from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import cues as english_cues
from echovessel.llm.offline.reply.asking import content_words, question_times
from echovessel.llm.offline.text import changes, clauses, cue_matching, lexicon, mentions, names, sentences

# Questions about the user that only such words answer.
OWN = (
    "name",
    "job",
    "own_age",
    "own_grade",
    "home",
    "origin",
    "study",
    "partner",
    "forbidden",
    "medicine",
    "own_illness",
)
# A question that shows by its words what the answer must hold.
NEEDS_EVIDENCE = ("their_job", "when", "age", "how_many", "where", "called", "illness", "colour", "surname", "side")
# Questions for a view.
VIEWS = {"YEARNS": "yearned", "HOPES": "hoped", "SUPPOSES": "opinion", "WORTH": "worth"}
VIEWS |= {"SEEKS": "advice", "ADVICE": "advice", "OPINION": "opinion"}
# These are answered also where the question is heavy.
COMFORTING = ("yearned", "hoped", "worth")
WHO = re.compile(r"\bwho\b|谁", re.IGNORECASE)
# 跟谁说 asks to whom.
_WHO_DID = re.compile(r"\bwho\b|(?<![跟和对给被把为替向])谁", re.IGNORECASE)
# So many words, or Chinese characters, before a name say whose it is.
_NEAR_WORDS, _NEAR_HAN = 2, 4
_DENIED = re.compile(r"(?:\b(?:not|never)|n't) (?:\w+ )??([a-z]+)", re.IGNORECASE)
SAID_BY_OTHER = re.compile(
    r"\b(?:did|does|has|had) (?!i\b|we\b|you\b)(?:the |my |our )?\w+ (?:say|said|think|tell|told|mention|ask)",
    re.IGNORECASE,
)
_TAGGED_ORDER = re.compile(
    r"^\W*(?:(?:please|and|but|so|just)[\s,]+)*(?:don't|do not|never|keep|promise|let's)\b.*\b(?:ok|okay|deal|alright|all right|yeah)\s*\?+\W*$"
    r"|^\W*(?:请|求你|千万|可|你)*(?:别|不要|不许).*(?:好吗|好不好|行吗|行不行|可以吗|哈|哦|啊)\s*[?？]*\W*$"
    r"|^\W*(?:please )?(?:can|could|would|will) you (?:please |just )?(?:not|stop)\b|^\W*(?:求你|那)?你(?:能不能|可不可以|能|可以)(?:先)?(?:别|不要)",
    re.IGNORECASE,
)
_TELLS_NEWS = re.compile(
    r"^\W*(?:hey,? )?did you know\b(?! (?:my|our|me)\b)|^\W*can you (?:believe|imagine)\b|^\W*what(?:'?s| is) the (?:point|use)(?: (?:of|in) [^?]*)?\W*$|^\W*(?:is|was|are)n'?t (?:that|it|this|he|she|they) \w+\W*$|^\W*(?!(?:do|does|did|is|are|was|can|could|what|who|when|where|how)\b).{10,}\bbut (?:who|what|how|where)(?:'d| would| could| will|'ll)\b|^\W*(?:(?:and|but|so) )?i (?:just |still )?(?:feel|felt|guess|think|thought|hope|suppose|mean)\b(?!.*\b(?:you|right|what|where|who|when|or|is it|am i|did i)\b)[^?]*\?\W*$|^(?:.*[\s，,])?(?:你知道吗|知道吗)[，,\s].{4,}|^.{4,}[，,\s]你?(?:懂吗|明白吗|懂的?吧|知道吧|能理解吗)\W*$",
    re.IGNORECASE,
)
_OWN_THING = re.compile(r"\b(?:my|our) ([a-z]+)\b", re.IGNORECASE)
_OWN_THING_CHINESE = re.compile(r"我的?(生日|名字|工作|电话|地址|家|车|手机)")
# How long one has been sober is not told by "my sponsor is Gene, he's 22 years sober".
_OWN_TIME = re.compile(r"\b(?:how long|since when) (?:have|has|was|am|did|do) i\b", re.IGNORECASE)
_OF_SELF = re.compile(r"\b(?:i|i'\w+|me|we|we'\w+|us)\b", re.IGNORECASE)
_BEGUN_BY_VERB = re.compile(r"\W*([a-z]{2,})s\b(?!')", re.IGNORECASE)
# 我喜欢谁 is not answered by 他喜欢她.
_OWN_DOING = re.compile(r"我(?:最|很|也|都|真)?([^\W是在有叫的]{1,3}?)(?:谁|什么|啥)")
# 我怀孕了吗 is not answered by 李倩怀孕了.
_OWN_STATE = re.compile(r"我(?:现在|还|已经|又|是不是|有没有)*([\u4e00-\u9fff]{1,4}?)了?(?:吗|没有?)\W*$")
_CLAUSES = re.compile(r"[，,。！!？?\s]+")
_OF_OTHERS_KIN = re.compile(r"^([\u4e00-\u9fff]{2,3})[他她](?=[爸妈爹娘爷奶哥姐弟妹]|老[婆公]|儿子|女儿)")
# 我爸跟我说过什么 asks for his words.
_ASKS_WORDS = re.compile(r"^(?!.*(?:[跟和对]你|(?:^|[^跟和对给])[我你]说)).*[说讲][过了]?(?:些|的)?(?:什么|啥)(?!时候)")
# A relative of a Chinese text who does something: 我教弟弟游泳 and 我给妈妈送花 tell of whom it was done to.
KIN = re.compile("|".join(chinese.KIN.values()))
_DOER = rf"(?<![给跟和对把帮替陪为向])(?<![给跟和对把帮替陪为向]我)(?:{'|'.join(chinese.KIN.values())})"
_ASKS_WHAT = re.compile(r"[吃喝看听玩穿买送煮唱写画](?:[了过的]|给[我他她])?(?:什么|啥)")
_WHETHER = re.compile(r"([\u4e00-\u9fff])[不没]\1")
_WHEN_DOING = re.compile(
    r"(?:什么时候|啥时候|哪天)(?:我们?|他|她|就|会|能|要|才|再|去)*([\u4e00-\u9fff])(?<![没走死去])"
)
_ASKS_WHY = re.compile(r"为(?:什么|啥|何)|^\W*(?:(?:and|so|but)\W+)?why\b", re.IGNORECASE)
_WORDS = re.compile(r"[说讲骂夸劝问]|告诉|嘱|交代")

# What others asked, or what would be if, says nothing of what is.
_NOT_SO = re.compile(r"(?i)\basked (?:me|us)\b|问我|\bif (?:i|we)\b.*\b(?:would|could|'d)\b")
SAYING = re.compile(r"^\W*(?:\w+ ){1,4}(?:says?|said|thinks?|reckons?|told me)\b", re.IGNORECASE)
_TAKES_SEVERAL = re.compile(r"^\W*(?:why|how)\b|\b(?:remember|about|happened|say|said|ask|think)\b", re.IGNORECASE)
# "I've got an exam. Dreading it.": the sentence before says of what.
SAYS_OF_WHAT = re.compile(r"^\W*(?:\w+ ){1,3}(?:it|that|them)\W*$", re.IGNORECASE)
# "Dreading it", "she's a bridesmaid".
_NEEDS_BEFORE = re.compile(
    rf"{SAYS_OF_WHAT.pattern}|\W*(?:s?he|they|it|that|this)\b|\W*(?:s?he|they|it|that)s\b|\W*(?!this\b|his\b)\w+s (?:an?|the|at|in|for)\b",
    re.IGNORECASE,
)


def classify_question(question: str) -> str:
    asks = cue_matching.choose_cues(question).ASKS
    timeless = question_times.leave_out_time(question)
    found = (kind for kind, pattern in asks.items() if cue_matching.search(pattern, timeless))
    # 我姐姐做什么工作 and "what did Joel say about my job" ask for nothing of one's own.
    is_of_other = lexicon.find_concepts(question) or SAID_BY_OTHER.search(question)
    return next((kind for kind in found if not (is_of_other and kind in OWN and kind != "partner")), "")


def is_asked(said: str, *, is_of_memory: bool = False) -> bool:
    """Whether a sentence asks something of the companion; with `is_of_memory` memory knows an answer to it."""
    # "Don't tell anyone, ok?", "did you know octopuses have three hearts" and 他说画画能当饭吃吗 ask for nothing that is known.
    if _TAGGED_ORDER.match(said) or _TELLS_NEWS.match(said) or sentences.tells_words(said):
        return False
    return (
        is_of_memory
        or sentences.is_question(said)
        or cue_matching.has_cue("SEEKS", said)
        or any(
            lexicon.matches(name, said)
            for name in ("ASKS_MEMORY", "ASKS_WHAT_IS_KNOWN", "ASKS_WHO", "ASKS_HOW_YOU_ARE", "REQUEST", "REMINDER")
        )
        or asks_who_companion_is(said)
    )


def asks_who_companion_is(said: str) -> bool:
    return bool(cue_matching.search(cue_matching.choose_cues(said).OF_YOU["about"], said))


def asks_of_one(question: str) -> bool:
    """Whether a question asks for one thing: "am I allergic to anything?" does not ask for all."""
    return classify_question(question) in (*OWN, "when", "age")


def asks_one_thing_of_kin(question: str) -> bool:
    """Whether a question asks what a relative is called or said, or why, of which nothing else that was told of them comes near."""
    is_of_name = classify_question(question) == "called" and not WHO.search(question)
    is_of_one = is_of_name or _ASKS_WORDS.match(question) or _ASKS_WHY.search(question)
    return bool(is_of_one and lexicon.find_kin(question))


def lacks_asked(text: str, question: str) -> bool:
    """Whether a question asks what somebody said, and a text tells of nothing said; or why, or in Chinese for a kind
    of thing, and all they share is a relative or an animal.
    """
    if _ASKS_WORDS.match(question):
        return _WORDS.search(text) is None
    kind = classify_question(question)
    asked, told = (content_words.list_all(KIN.sub(" ", one)) for one in (question, text))
    called = content_words.list_all(" ".join(re.findall(english_cues.NAMED, text)))
    if not all(map(lexicon.find_concepts, (asked & told) - called)):
        return False
    is_of_kin = lexicon.is_chinese(question) and bool(lexicon.find_concepts(question) & lexicon.find_concepts(text))
    doing = _WHEN_DOING.search(question) or _WHETHER.search(question)
    verb = doing[1] if doing else content_words.find_verb(question)
    lacks_verb = (doing or _ASKS_WHAT.search(question)) and verb not in text
    lacks_kind = kind in NEEDS_EVIDENCE and not (has_evidence(text, kind) or names_doer(text, question))
    is_reason = _ASKS_WHY.search(question) and content_words.share(text, question) < 1
    return (is_of_kin and bool(lacks_verb or lacks_kind)) or bool(is_reason)


def names_doer(text: str, question: str) -> bool:
    """Whether a text tells of what the question asks who did it, and of a relative: 我姐送了我一盒拼图."""
    verb = content_words.find_verb(question)
    if not (_WHO_DID.search(question) and verb and verb in text):
        return False
    if not lexicon.is_chinese(text):
        return bool(lexicon.find_kin(text))
    return re.search(rf"{_DOER}[^，,。！!？?\s]{{0,8}}?{verb}", text) is not None


def names_one(text: str, question: str) -> bool:
    """Whether a sentence names whom or what the question asks for: the animal, the relative, or whoever is spoken of."""
    asked, fitting = lexicon.find_concepts(question), _list_fitting(text, question)
    said_of = sentences.split(text)
    # A question and its answer are read as one: "What's my nan called? It's Dorothy."
    parts = [text] if said_of and sentences.is_question(said_of[0]) else said_of
    return any(not asked or _is_name_of(name, said, asked) for said in parts for name in fitting if name in said)


def _is_name_of(name: str, said: str, asked: set[str]) -> bool:
    """Whether the last clause up to the name that speaks of somebody speaks of whom is asked for; so where none does."""
    before, _, behind = said.partition(name)
    *earlier, last = _split_clauses(before)
    for part in (last + _split_clauses(behind)[0], *reversed(earlier)):
        if spoken := lexicon.widen(lexicon.find_concepts(part)):
            return bool(asked & spoken)
        if names.SOMEBODY.search(part):
            return False
    return True


def _split_clauses(text: str) -> list[str]:
    """Split at commas, and where Chinese is typed with spaces in their place."""
    return re.split(r"[,，]|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])", text)


def find_one(text: str, question: str) -> str:
    """Find the one name in a text that a question may ask for; "" where there is none, or several, or 她 did it."""
    verb = content_words.find_verb(question)
    if verb and re.search(f"[他她]们?{verb}", text):
        return ""
    asked = lexicon.find_concepts(question) if re.search("(?<!是)谁(?!是|叫)", question) else set()
    # 谁说我孩子 is not answered with the child's name.
    fitting = [one for one in _list_fitting(text, question) if not (asked and _is_name_of(one, text, asked))]
    return fitting[0] if len(fitting) == 1 else ""


def _list_fitting(text: str, question: str) -> list[str]:
    """List the names of animals where the question asks for one's, else the others, of a relative no place's, of a shop no cousin's."""
    asked = lexicon.widen(lexicon.find_concepts(question))
    kinds = ("pet", "other") if "pet" in asked else ("person", "other")
    is_who = WHO.search(question) is not None
    is_thing = not asked and not is_who
    return [
        name.text
        for name in names.find(text)
        if (name.kind in kinds or (not asked and name.kind != "pet"))
        and not (is_who and name.kind == "place")
        and not (is_thing and _is_behind_somebody(name.text, text))
    ]


def _is_behind_somebody(name: str, text: str) -> bool:
    """Whether the words just before a name say who bears it: "my cousin Dev", 我表弟阿强."""
    before = text.partition(name)[0]
    near = before[-_NEAR_HAN:] if lexicon.is_chinese(before) else " ".join(before.split()[-_NEAR_WORDS:])
    return bool(lexicon.find_concepts(near))


def is_of_another(text: str, question: str) -> bool:
    """Whether a question asks for something of one's own and a text tells of somebody else's: a sister's birthday."""
    plain = lexicon.normalise(text)
    if state := _OWN_STATE.match(question):
        leads = [before for before, found, _ in (one.partition(state[1]) for one in _CLAUSES.split(plain)) if found]
        if leads and all(names.ends_with_other(lead) for lead in leads):
            return True
    if (theirs := _OF_OTHERS_KIN.search(question)) and theirs[1] not in plain:
        return True
    if (
        _OWN_TIME.search(question)
        and not _OF_SELF.search(plain)
        and (lexicon.matches("THIRD_PERSON", plain) or names.find_acting(text))
    ):
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
        re.search(rf"\b(?:its|his|her|their|(?!(?:what|who|that|it|s?he)\b)\w+'s) {thing}\b", plain, re.IGNORECASE)
        and not re.search(rf"\b(?:my|our|the user's) {thing}\b", plain, re.IGNORECASE)
        for thing in _OWN_THING.findall(question)
    ) or any(
        (found := re.search(rf"(.{{0,3}}?)的?{thing}", plain))
        and lexicon.find_kin(found[1])
        and not re.search(rf"[我户]的?{thing}", plain)
        for thing in _OWN_THING_CHINESE.findall(question)
    )


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
    if kind in OWN and kind != "partner":
        told = (text, *clauses.split(text))
        parts = [one for one in told if not (lexicon.is_of_another(one) or _NOT_SO.search(one))]
    return kind in evidence and any(cue_matching.search(evidence[kind], part) for part in parts)


def find_whole_answer(said: Sequence[str], text: str, question: str, kind: str) -> str:
    """Find the one of several sentences that tells what the whole text does of what is asked, not only of whom; "" where none does."""
    kin = lexicon.find_kin(question)
    words = [
        one for one in said if SAYING.search(one) and (find_capitalised(question, one) or kin & lexicon.find_kin(one))
    ]
    if words and SAID_BY_OTHER.search(question):
        return words[-1]
    is_changed = any(changes.is_correction(one) or changes.puts_off(one) or changes.tells_end(one) for one in said)
    if len(said) == 1 or is_changed or lexicon.is_chinese(text) or _TAKES_SEVERAL.search(question):
        return ""
    called = {name.text for name in names.find(text)} | {*find_capitalised(question, text)}
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


def find_capitalised(question: str, text: str) -> list[str]:
    """Return capitalised words of the question, except the first, that the text holds."""
    found = [match.group() for match in re.finditer(english_cues.NAMED, question) if match.start()]
    return [name for name in found if name.casefold() not in names.NO_NAMES and mentions.is_named(name, text)]
