"""Reads what is true no longer, was never true, or has changed: "I'm not a nurse any more", 其实我住在苏州."""

from collections.abc import Iterator, Mapping

from echovessel import lazy_re as re
from echovessel.llm.offline.text import changes, clauses, lexicon, passages, slots, third_person
from echovessel.llm.offline.text.passages import Passage
from memory.facts.rules import endings
from memory.facts.rules.acts import Kind, Op, RuleAct

# Characters before a value in which the negation stands.
_BEFORE, _BEFORE_CHINESE = 30, 12
_AFTER, _AFTER_CHINESE = 24, 12
_MOST_WORDS, _MOST_HAN = 3, 8

_NO = r"(?:\s+(?:even|actually|really|currently|still|ever))?"
_ARE_NOT = r"\bi(?:'m| am| was)(?: no longer| not| never)"
_DO_NOT = r"\bi (?:don't|do not|didn't|did not|no longer|never)"
# The verbs of each slot: what "I am not" goes on with, what "I don't" goes on with, and my word for it.
_ENGLISH_SLOTS = {
    "preferred_name": (r"(?: called| named| known as)?", r" (?:go by|use)", r"name"),
    "full_name": (r"(?: called| named)?", r" (?:go by|use)", r"full name"),
    "pronouns": (r"", r" (?:go by|use|prefer)", r"pronouns"),
    "birthday": (r" born(?: on)?", r" (?:celebrate on)", r"birthday"),
    "home": (r" (?:(?:living|based|staying|settled) (?:in|at|near)|in)", r" (?:live|lived|living|stay|reside)(?: over)?(?: in| at| near)?", r"home|city|town|hometown|address"),
    "work": (r"(?: working| employed)?(?: as| at| for| with| in)?(?: an?| the)?", r" (?:works?|worked|working)(?: as| at| for| with| in)?(?: an?| the)?", r"job|work|profession|employer|occupation"),
    "partner": (r" (?:with|dating|seeing|married to|engaged to|together with)", r" (?:date|see|live with)", r"partner|wife|husband|boyfriend|girlfriend"),
    "diet": (r"(?: an?| on an?)?", r" (?:eat|follow|keep|do)(?: an?)?", r"diet"),
    "language": (r" an?(?: native)?", r" speak", r"language|tongue"),
}  # fmt: skip
_DENIALS = {
    slot: re.compile(
        rf"(?:(?P<is>{_ARE_NOT}){_NO}{are}|{_DO_NOT}{_NO}{do}|\bmy (?:{mine}) (?:isn't|is not|is no longer|wasn't|are not|aren't)(?: an?| in| at)?)\s+[\"“]?$",
        re.IGNORECASE,
    )
    for slot, (are, do, mine) in _ENGLISH_SLOTS.items()
}
_DENIALS["preferred_name"] = re.compile(
    rf"{_DENIALS['preferred_name'].pattern}|\b(?:don't|do not|never|stop)(?: ever| you)? call(?:ing)? me\s+[\"“]?$",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(r"\bno longer\b", re.IGNORECASE)
_ANY_MORE = re.compile(
    r"^[\"”]?(?: (?:job|diet|there))?,? (?:any ?more|any longer|nowadays|these days|now)\b", re.IGNORECASE
)
_ENDS = re.compile(
    r"^[\"”]?\s*(?:[.!,;)]|$|(?:and|but|so|because|since|at all|by the way|either|actually)\b)", re.IGNORECASE
)
_FOR_NOW = re.compile(
    r"\b(?:today|tonight|tomorrow|yet|this (?:week|weekend|month|morning)|right now|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|every|all the time|full[- ]time)\b|今天|明天|这[两几]?[天周]|周末|这会儿|每天|天天",
    re.IGNORECASE,
)
_OTHER_SUBJECT = re.compile(
    r"\b(?:she|he|they|who|mom|mum|dad|brother|sister|friend|wife|husband|says?|said|thinks?)\b[^,.;]*$|[他她它][^，。]*$|(?:说|听说|以为|觉得)[^，。]*$|[妈爸哥姐弟妹友事][^，。我]{0,4}$",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"^[\"”]?\s*(?:(?:is|was|'s) (?:wrong|not right|not correct|incorrect|not true|a mistake|an error|outdated)|(?:这个?)?(?:是)?(?:错了|错的|不对|弄错了|记错了|写错了))[\s.!。！,，]*$",
    re.IGNORECASE,
)
_WRONG_LEAD = re.compile(
    r"^\W*(?:no|sorry|but|wait|actually|hm+|oh|that|my (?:\w+ )?|不|不是|等等|哦|啊|那个?|我的\w{0,3})?[\s,，、]*$",
    re.IGNORECASE,
)

_CHINESE_SLOTS = {
    "preferred_name": (r"(?:叫|是)", r""),
    "full_name": (r"(?:叫|是)", r""),
    "pronouns": (r"(?:用|是)", r""),
    "birthday": (r"(?:是|在)", r"(?:出?生)?"),
    "home": (r"(?:住在?|在|定居在?|是住在?)", r"(?:住|生活|定居)?"),
    "work": (r"(?:在[\u4e00-\u9fff]{2,6}[当做]|在|是|做|当|干|是在|给)(?:一?[名个位])?", r"(?:上班|工作|干|做|任职)?"),
    "partner": (r"(?:跟|和|与)", r"(?:在一起|谈|交往|恋爱|好)?"),
    "diet": (r"(?:是|吃)?", r""),
    "language": (r"(?:说|讲|是)", r""),
}
_NOT_CHINESE = r"(?P<not>早就不|已经不|已经没|不再|再也不|没有?|从没|从来没|并不|不)"
_DENIALS_CHINESE = {
    slot: (re.compile(rf"我(?:现在|真的|其实|早就|已经|也|可|今年|的?(?:生日|名字|工作|家|母语|代词))*{_NOT_CHINESE}{verb}[“\"「]?$"), re.compile(rf"^[”\"」]?(?P<verb>{behind})(?P<over>了)?[呢啊呀哦哈]?(?:[，。！!,.~\s]|$)"))
    for slot, (verb, behind) in _CHINESE_SLOTS.items()
}  # fmt: skip
_UNWANTED_NAME = re.compile(
    rf"{_DENIALS_CHINESE['preferred_name'][0].pattern}|(?:别|不要|不许|不准)再?(?:叫|喊)我[“\"「]?$"
)
_DENIALS_CHINESE["preferred_name"] = (_UNWANTED_NAME, _DENIALS_CHINESE["preferred_name"][1])
_OVER_CHINESE = re.compile(r"早就|已经|再")

_SET_RIGHT = re.compile(
    r"^\W*(?:(?:no|sorry|oh|well|wait|hm+|but|and|hey|ah|by the way)\b[\s,.]*)*(?:actually|in fact|i (?:got (?:it|that) wrong|misspoke))\b[\s,:.–—-]*(?P<said>.+)|(?:^|[，,])\W*(?:其实|事实上|准确地说|不对|我?(?:刚才|之前|上次)?(?:记|说|弄|搞)错了)[，,\s]*(?P<told>.+)",
    re.IGNORECASE | re.DOTALL,
)
_FRESH = re.compile(
    r"\b(?:i|we) (?:now |currently )?(?:live|work)\b.{1,40}\bnow\b|\b(?:now|these days),? (?:i|we) (?:live|work)\b|\b(?:i|we) now (?:live|work)\b|\b(?:my new job is|i(?:'m| am) now|now,? i(?:'m| am))\b|\bi(?:'m| am) (?:an? )?[\w-]+(?: [\w-]+){0,6}? (?:now|these days)\b|\b(?:i|we) live\b.{1,30}\bthese days\b|\b(?:i|we)(?:'ve| have) settled\b|我现在|我们(?:现在|如今)住|现在我|我已经(?:在|住)|跳槽|入职|换工作|搬|租到|接我们?到",
    re.IGNORECASE,
)
# 我辞职了，现在是老师: the subject is that of the clause before.
_NOW_WITHOUT_SUBJECT = re.compile(
    r"^\W*我(?!的|[们妈爸哥姐弟妹爷奶叔姨舅]|老[公婆板师]|朋友|同[事学]|[女男][友朋儿]|儿子)[^，,。；;]*[，,]\s*(?P<now>(?:现在|如今)[是在做当住开][^，,。；;]*)"
)
_BETWEEN = re.compile(
    r"[,;:，；\s]\s*(?=(?:我|现在|如今))|[,;:]\s*(?:and |so |but )?|\s(?:and|so|but) (?=i(?:'m| am)\b)", re.IGNORECASE
)
# How a sentence begins that goes on with what was said.
_ALSO = re.compile(r"^(?:also|and|so)\b[\s,]+", re.IGNORECASE)
_OF_SELF = re.compile(r"i(?:'m| am| now)?\b|我们?(?:现在|如今|已经)", re.IGNORECASE)
_WHEN_CHINESE = re.compile(r"^(?:昨天|前天|今天|最近|刚刚?|上个?[周月]|上星期|这个?[周月])[，,]?(?=我)")
_MOVED = re.compile(
    r"\b(?:i|we)(?:'ve| have)?(?: just| finally| recently| also| already)?(?: got)? (?:moved|relocated|married|engaged)\b(?: (?:house|home|back|over|out|away|to|from|up|down|in with)\b)?|\bi(?:'ve| have)?(?: just| finally| recently)? (?:started|switched|changed)\b",
    re.IGNORECASE,
)
# 我们在集美买了房，现在就住那儿: the place is named where it was got.
_THERE = re.compile(
    r"\b(?:i|we)\b[^,.;]{0,30}? in (?P<place>(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)*)\b[^.;]{0,30}?\b(?:live|living) there (?:now|already)\b"
    r"|^我们?(?:刚|已经|终于)*在(?P<got>[\u4e00-\u9fff]{2,6}?)(?:买|租|找|盖|分|换)[^，,。]{1,8}[，,](?:现在|已经|就|都)+(?:搬过去|住)(?:在)?(?:那|了)",
    re.IGNORECASE,
)


def read(passage: Passage, slot_values: Mapping[str, str]) -> list[RuleAct]:
    """Return what a sentence sets right about the slots; `slot_values` are the live values by slot."""
    if passage.is_question or passages.is_imagined(passage.text):
        return []
    found: dict[str, RuleAct] = {}
    said = clauses.add_speaker(passage.text)
    for act in (*_read_changes(said, slot_values), *_read_ends(said, slot_values)):
        found.setdefault(act.slot, act)
    return list(found.values())


def _read_ends(text: str, slot_values: Mapping[str, str]) -> Iterator[RuleAct]:
    for slot, value in slot_values.items():
        for match in re.finditer(
            rf"(?<![^\W_]){re.escape(value)}" if value.isascii() else re.escape(value), text, re.IGNORECASE
        ):
            if reason := _find_reason(text, match, slot):
                # "I'm not a teacher, I'm a nurse."
                instead = _replace(text[match.end() :].lstrip(" ,，;；"), slot_values)
                yield instead if instead and instead.slot == slot else _end(slot, value, reason)
    for slot in endings.find_ended(text, slot_values):
        yield _end(slot, slot_values[slot], "ended")


def _find_reason(text: str, match: re.Match[str], slot: str) -> str:
    """Return why a value holds no longer, "ended" or "wrong"; "" where nothing is said against it."""
    before, after = text[: match.start()], text[match.end() :]
    if _WRONG.match(after) and _WRONG_LEAD.match(before):
        return "wrong"
    denied = _DENIALS[slot].search(before[-_BEFORE:]) if slot in _DENIALS else None
    if denied and not _OTHER_SUBJECT.search(before[: max(0, len(before) - _BEFORE) + denied.start()]):
        return _weigh_english(denied, after, slot)
    return _weigh_chinese(before, after, slot)


def _weigh_english(denied: re.Match[str], after: str, slot: str) -> str:
    if _NO_LONGER.search(denied.group()) or _ANY_MORE.match(after):
        return "ended"
    is_elsewhere = (
        slot == "home" and re.search(r" in\s*$", denied.group()) and denied["is"] and "ing" not in denied.group()
    )
    return "" if is_elsewhere or _FOR_NOW.search(after[:_AFTER]) or not _ENDS.match(after) else "wrong"


def _weigh_chinese(before: str, after: str, slot: str) -> str:
    start, end = _DENIALS_CHINESE[slot]
    lead = before[-_BEFORE_CHINESE:]
    denied, goes_on = start.search(lead), end.match(after)
    if not denied or not goes_on or _OTHER_SUBJECT.search(before[: len(before) - len(lead) + denied.start()]):
        return ""
    if _FOR_NOW.search(lead) or _FOR_NOW.search(after[:_AFTER_CHINESE]):
        return ""
    if goes_on["over"] or _OVER_CHINESE.search(denied["not"] or denied.group()):
        return "ended"
    # 我不在上海 may mean today.
    is_elsewhere = (
        slot in ("home", "work")
        and denied.group().endswith("在")
        and "住" not in denied.group()
        and not goes_on["verb"]
    )
    return "" if is_elsewhere else "wrong"


def _end(slot: str, value: str, reason: str) -> RuleAct:
    return RuleAct(kind=Kind.CORRECTION, op=Op.END, content="", slot=slot, value=value, reason=reason)


def _read_changes(text: str, slot_values: Mapping[str, str]) -> Iterator[RuleAct]:
    for said in _find_told(text):
        if _OTHER_SUBJECT.search(text.partition(said)[0] if said in text else ""):
            continue
        if act := _replace(said, slot_values):
            yield act


def _replace(said: str, slot_values: Mapping[str, str]) -> RuleAct | None:
    """Return the act for a new value that is told; None where it is too long, or the live one."""
    slot, value = _read_new_value(said)
    if not value or _is_too_long(value) or value.casefold() == slot_values.get(slot, "").casefold():
        return None
    return RuleAct(
        kind=Kind.CORRECTION,
        op=Op.REPLACE if slot in slot_values else Op.SAVE,
        content=third_person.turn(_ALSO.sub("", _cut_behind(said, value))),
        slot=slot,
        value=value,
    )


def _find_told(text: str) -> Iterator[str]:
    """Yield the parts of a sentence that tell outright that something is otherwise now."""
    if match := _SET_RIGHT.search(text):
        yield match["said"] or match["told"]
    if match := _NOW_WITHOUT_SUBJECT.search(text):
        yield f"我{match['now']}"
    if match := _THERE.search(text):
        yield f"我住在{match['got']}" if match["got"] else f"I live in {match['place']}"
    # "I finished with surveying, I'm a museum guide now."
    yield from (part for part in _BETWEEN.split(text, maxsplit=2)[1:] if _OF_SELF.match(part) and _FRESH.search(part))
    if slots.read_start(text) or _FRESH.search(text) or (_MOVED.search(text) and changes.is_change(text)):
        yield text


def _read_new_value(said: str) -> tuple[str, str]:
    return slots.read_start(said) or slots.read_slot(said) or ("", "")


def _is_too_long(value: str) -> bool:
    return len(value) > _MOST_HAN if lexicon.is_chinese(value) else len(value.split()) > _MOST_WORDS


def _cut_behind(said: str, value: str) -> str:
    """Return the words up to the clause's end behind the value, with the subject that a Chinese clause leaves out."""
    at = said.find(value) + len(value)
    end = re.search(r"[,;，；。.!！]|\s(?:and|but|because|so|last|this|today|yesterday)\b", said[at:])
    begin = re.search(r".*[,，;；]\s*(?=.*$)", said[: at - len(value)], re.DOTALL)
    clause = _WHEN_CHINESE.sub("", said[begin.end() if begin else 0 : at + end.start() if end else len(said)])
    return f"我{clause}" if lexicon.is_chinese(clause) and "我" not in clause else clause
