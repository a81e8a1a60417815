"""Finds answers to questions in what was told: messages, memories, and what the user wrote about themselves."""

from collections.abc import Callable, Sequence

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.reply.asking import asked_names, content_words, evidence, question_kinds, question_times
from echovessel.llm.offline.reply.context import Memory, ReplyContext
from echovessel.llm.offline.reply.recall import endings, narrowing, user_statements, weighing
from echovessel.llm.offline.reply.recall.weighing import FoundAnswer
from echovessel.llm.offline.text import changes, lexicon, mentions, names, referents, sentences, slots

# How somebody is, or all that was told of them.
_OF_ALL = re.compile(
    rf"(?i)(?!^\W*do (?:i|we) (?:still )?have\b)(?:{question_kinds.IS_SO.pattern}|\b(?:know|remember|tell me)\b)"
)
# 我女儿的男朋友 is the boyfriend.
_OWNER = re.compile(rf"我?(?:{'|'.join(chinese.KIN.values())})的(?={'|'.join(chinese.KIN.values())})")
# How old somebody is tells no message better that has "this year".
_THIS_YEAR = re.compile("今年(?=几岁|多大)")
_COUNTED = re.compile(r"\bhow many ([a-z]+?)s?\b", re.IGNORECASE)
_OF_NOW = re.compile(r"\b(?:now|nowadays|these days|currently|at the moment)\b|现在|如今|目前", re.IGNORECASE)
_OTHERWISE_NOW = re.compile(r"\bnow\W*$|其实|现在", re.IGNORECASE)
# How it stands what was told last tells.
_HOW, _OF_WHOM = (
    re.compile(
        r"怎么样|咋样|怎样了|^\W*(?:(?:and|so) )?how(?:'s| is| are) (?!you\b|your\b|it\b|this\b|that\b|things\b|life\b|everything\b|old\b|much\b|many\b|far\b|tall\b|long\b|big\b)[\w' ]{2,30}\W*$|\bwhat(?:'s| is) (?:new|up|happening|going on) with\b|\bany news (?:of|from|about)\b",
        re.IGNORECASE,
    ),
    re.compile(r"记得|知道|印象"),
)
# What became of somebody is how it ended.
_WHAT_BECAME = re.compile(r"\bwhat(?:'s| has)? (?:happen(?:ed)?|bec[ao]me) (?:to|with|of)\b|怎么了|后来")
_OF_BEFORE = re.compile(r"\bbefore\b|之前|以前|原来|原先")
_ASKS_WHO = re.compile(r"^\W*(?![你我他她它])([\u4e00-\u9fff]{2,4})是谁\W*$")
# "My new flatmate" is none that was told of before: "New guy's called Piotr".
_ASKS_NEW = re.compile(r"\bmy new (\w+)|我的?新(?!闻|年)(\w{1,4}?)(?=叫|是|在|怎|什么|啥|哪|多少)", re.IGNORECASE)
_OF_NEW = re.compile(r"\bnew (?:\w+ )?(?:guy|girl|one|woman|man|bloke|lad|lass|person)\b|新来的|新的那", re.IGNORECASE)
_EX = re.compile(r"\bex-(?:wife|husband|girlfriend|boyfriend|partner)\b", re.IGNORECASE)
_HOW_WENT = re.compile(
    r"\bhow did .+ go\b|考(?:试|得)[^，,。]{0,3}(?:怎么样|如何)|结果(?:怎么样|如何)|面得怎么样", re.IGNORECASE
)
_EITHER = re.compile(
    r"\b(?:an? )?(\w{3,}) or (?:an? )?(\w{3,})\W*$|是?([\u4e00-\u9fff]{1,3}?)的?还是([\u4e00-\u9fff]{1,3}?)的?\W*$",
    re.IGNORECASE,
)
_WHICH_ONE = re.compile(
    r"\b(?:which|what) (hospital|school|company|university|college|street|church|gym|hotel|restaurant|station)\b|哪[一]?[家个所间座](医院|公司|大学|餐厅|饭店|酒店|健身房)|什么(?=店)(店)",
    re.IGNORECASE,
)
# 查出肺癌 names an illness, 肿瘤小了一半 what became of it; who is called tells of a name; of a day that was put off the newest holds.
_TOLD_BEST: dict[str, Callable[[str], object]] = {
    "illness": re.compile(r"查出|确诊|患|得了|\bdiagnosed\b", re.IGNORECASE).search,
    "called": re.compile(r"[，,是]叫(?![我你他她])[\u4e00-\u9fff]").search,
    "when": re.compile(
        rf"{changes.PUT_OFF}|(?:日|期|天)(?:就)?(?:是|在|定在)(?:{slots.HAN_DATE})", re.IGNORECASE
    ).search,
}


def find_answers(context: ReplyContext, question: str) -> list[FoundAnswer]:
    """Return what answers the question, the best first; of equals a noted fact with all its words, which holds now, and then the newest.

    Where a name or the like is asked for, a single sentence says it better than several.
    """
    question = _EX.sub("ex", _THIS_YEAR.sub("", _OWNER.sub("我", lexicon.normalise(question))))
    kind = question_kinds.classify_question(question)
    told = [*user_statements.list_told(context)]
    known = {name.text for memory in told for name in names.find(memory.text)}
    asked = {name for name in known if mentions.is_named(name, question)}
    # 张姐 is somebody, though no words around it say so.
    asked |= {*_ASKS_WHO.findall(question)}
    if kind != "called":
        # Who asks for their wife's birthday told of Hannah's.
        asked |= referents.find_introduced(lexicon.find_kin(question), [memory.text for memory in told])
    kin = referents.find_kin_of(asked, [memory.text for memory in told])
    found = [one for memory in told if (one := weighing.weigh(memory, question, kind, asked, kin)) and one.fit]
    found = question_times.choose(found, question, kind, read=lambda one: one.memory.text)
    is_of_past = _OF_BEFORE.search(question) or question_times.asks_of_past(question)
    newest_first = found if is_of_past else found[::-1]
    is_brief = kind in (*question_kinds.OWN, "called")
    newest_first.sort(key=lambda one: is_brief and _is_long_or_of_somebody(one.memory.text))
    # What several messages tell is of use where one asks of somebody; else the others tell of another day or thing.
    is_of_one = kind in weighing.OF_NAMED or not (kind or _OF_ALL.search(question))
    newest_first.sort(key=lambda one: one.memory.is_joined and is_of_one and not one.has_name_alone)
    newest_first.sort(
        # Asked whether it remembers somebody, a companion tells what happened rather than that they are there.
        key=lambda one: (
            kind == "colour" and not _OTHERWISE_NOW.search(one.memory.text),
            -one.fit,
            not _holds_now(one, kind, question),
            kind in ("", "when", "forbidden") and -content_words.count_exact(one.memory.text, question),
        )
    )
    if _HOW.search(question):
        # How an exam went no birthday tells.
        of_whom = content_words.list_all(" ".join(asked))
        beyond = {word for word in content_words.list_all(question) - of_whom if not lexicon.find_concepts(word)}
        newest_first.sort(
            key=lambda one: (
                not (one.is_related or one.is_named),
                bool(beyond) and not beyond & content_words.list_told(one.memory.text),
                one.memory.is_joined,
                -told.index(one.memory),
            )
        )
    elif not kind and lexicon.is_chinese(question) and not _OF_WHOM.search(question):
        newest_first.sort(key=lambda one: one.memory.is_joined or content_words.share(one.memory.text, question) < 1)
    verb = asked_names.find_doing(question) or content_words.find_verb(question)
    if verb and question_kinds.WHO.search(question):
        newest_first.sort(key=lambda one: verb not in one.memory.text)
    newest_first.sort(key=lambda one: user_statements.is_of_anybody(one.memory.text, question))
    if kind == "called" and question_kinds.WHO.search(question):
        newest_first.sort(key=lambda one: not _introduces_asked(one.memory.text, question, asked))
    is_of_deed = kind == "called" and verb and question_kinds.WHO.search(question)
    if not is_of_deed and (tells_best := _TOLD_BEST.get(kind)):
        newest_first.sort(key=lambda one: not (one.is_related and tells_best(one.memory.text)))
    newest_first = _find_new(told, question) or newest_first
    wanted = _list_wanted(question)
    newest_first.sort(key=lambda one: not _has_all(one.memory.text, wanted))
    if counted := _COUNTED.search(question):
        newest_first.sort(
            key=lambda one: re.search(rf"\d(?:st|nd|rd|th)? (?:\w+ )??{counted[1]}", one.memory.text) is None
        )
    if _OF_NOW.search(question):
        # "She's switched to Newcastle" holds now, where she studied before does not.
        newest_first.sort(key=lambda one: not (one.is_named and changes.tells_end(one.memory.text)))
    is_of_love = changes.LOVES & lexicon.find_concepts(question)
    is_of_name = kind == "called" and not question_kinds.WHO.search(question)
    asks_of_end = kind == "when" or question_kinds.IS_SO.search(question) or _WHAT_BECAME.search(question.casefold())
    is_of_reason = question_kinds.ASKS_WHY.search(question) is not None
    may_be_over = not (is_of_name or is_of_reason) and (is_of_love or asks_of_end)
    ended = endings.find_end(context, question, kind) if may_be_over else None
    if not (ended or question_times.asks_of_past(question)):
        change = endings.find_change(context, endings.find_slot(question, kind))
        first = [one.memory for one in newest_first[:1] if not (wanted and _has_all(one.memory.text, wanted))]
        # Who lost a job lives where they did.
        since = [one for one in told if one in first or kind != "home" or not _tells_job_alone(one.text)]
        ended = change or endings.find_what_supersedes(first, since, question)
    best = (
        [FoundAnswer(ended, weighing.SUFFICIENT, is_over=True)]
        if ended
        else [one if _HOW.search(question) else narrowing.narrow(one, question, kind) for one in newest_first[:1]]
    )
    return best + newest_first[1:]


def _tells_job_alone(text: str) -> bool:
    return changes.changes_slot(text, "job") and not changes.changes_slot(text, "home")


def find_told_later(context: ReplyContext, question: str, found: FoundAnswer) -> str:
    """Find what was told after an answer and says that it is otherwise since; "" where nothing does."""
    told = [*user_statements.list_told(context)]
    kind = "went" if _HOW_WENT.search(question) else question_kinds.classify_question(question)
    return "" if found.is_over else endings.find_told_later(told, found.memory, question, kind)


def _find_new(told: Sequence[Memory], question: str) -> list[FoundAnswer]:
    """Return what was told last of the new one that a question asks for."""
    if not (asked := _ASKS_NEW.search(question)):
        return []
    what = re.compile(rf"\bnew {asked[1]}\b" if asked[1] else f"新\\w{{0,2}}?{asked[2]}", re.IGNORECASE)
    fresh = [one for one in told if what.search(one.text) or (_OF_NEW.search(one.text) and names.find(one.text))]
    return [FoundAnswer(one, weighing.SUFFICIENT, is_named=True) for one in fresh[-1:]]


def _has_all(text: str, wanted: Sequence[re.Pattern[str]]) -> bool:
    return all(pattern.search(text) for pattern in wanted)


def _list_wanted(question: str) -> list[re.Pattern[str]]:
    """List what the answer holds: "a boy" of "is it a boy or a girl?", 想学 of 我想学什么, a hospital of "which hospital"."""
    wanted = []
    if either := _EITHER.search(question):
        wanted.append("|".join(re.escape(one) for one in either.groups() if one))
    if wish := evidence.WISHES.search(question):
        wanted.append(rf"想[^。]{{0,16}}?{wish[1]}")
    if re.search("[考面]过了?[吗没么]", question):
        wanted.append("过了|没过|通过|挂了|[没未]考上|考上")
    if which := _WHICH_ONE.search(question):
        wanted.append(which[1] or which[2] or which[3])
    if theirs := evidence.THEIR_DOING.match(question):
        who, does = theirs["who"] or theirs["name"], theirs["does"] or theirs["verb"]
        wanted.append(rf"{re.escape(who)}[^，,。.!我]{{0,12}}{does}")
    return [re.compile(one, re.IGNORECASE) for one in wanted]


def _introduces_asked(text: str, question: str, asked: set[str]) -> bool:
    meant = asked or asked_names.find_capitalised(question, text)
    return any(referents.introduces(text, name) for name in meant)


def _is_long_or_of_somebody(text: str) -> int:
    """Weigh whether a text of more than one sentence says it less briefly, or one that only says "she" not of whom."""
    return 1 if len(sentences.split(text)) > 1 else 2 * bool(narrowing.OF_SOMEBODY.match(lexicon.normalise(text)))


def _holds_now(one: FoundAnswer, kind: str, question: str) -> bool:
    """Whether it is a noted fact that answers: about the user themselves, or with all words of the question."""
    is_answer = kind in question_kinds.OWN or content_words.share(one.memory.text, question) == 1
    return bool(kind) and one.is_noted and is_answer
