"""Reads that a job, a home or a love ended: "I quit my job as a nurse", "I moved out of Leeds", 我们分手了."""

from collections.abc import Iterator, Mapping

from echovessel import lazy_re as re
from echovessel.llm.offline.text import slots

_HAVE = r"\b(?:i|we)(?:'ve| have| was| were)?(?: just| finally| recently| already)*"
# "I fired Marcus" ends another's job.
_GONE = r"(?:been|was|were|got)(?: just| finally| recently| already| all)* (?:fired|sacked|laid off|made redundant)"
_VALUE = r"(?P<value>[\w' &-]{2,40})"
_SINCE = r"(?:已经|刚刚?|最近|终于|昨天|今天|前天|去年|今年|上[周个月]+|(?:\d{1,2}|[一二三四五六七八九十]{1,2})月份?)*"
_HAN_VALUE = r"(?P<value>[\w ]{2,12}?)"
_HAN_PLACE, _HAN_PLACE_OVER = r"(?P<place>[\w ]{2,12}?)", r"(?P<place_over>[\w ]{2,12}?)"
_HAN_END = r"(?=[，。！!；;,.~…\s]|$|[去到来搬回])"
_MEAT, _HAN_MEAT = r"(?P<meat>meat|fish|chicken|beef|pork|everything)", r"(?P<meat>吃[肉荤]|开荤)"
_MEATLESS = re.compile(r"vegan|vegetarian|pescatarian|plant-based|素")
# So many letters of a verb tell a job: "nurs", "teach".
LEAST_ROOT = 3
_ENDINGS = (
    ("work", rf"{_HAVE} (?:(?:quit|left|gave up|lost|resigned from) (?:my|the) job|handed (?:in )?my notice(?: in)?|resigned|retired|{_GONE})\b(?! (?:as|at|from|with)\b)"),
    ("work", rf"{_HAVE} (?:(?:quit|left|gave up|lost|resigned from)(?: (?:my|the) (?:job|position))?|resigned|retired|stopped (?:working|being)|{_GONE})(?: (?:as|at|from|with|for))?(?: an?| the| my)? {_VALUE}"),
    ("work", rf"{_HAVE} (?:packed|jacked) (?:my|the) (?:job|(?P<value>[\w' &-]{{2,40}}?)) in(?=\W*$|[.,;!])"),
    ("work", rf"{_HAVE} (?:quit|given up|gave up|left) (?P<doing>[a-z]{{3,16}}ing)(?=\s*(?:[.,;!]|$)|\s+(?:last|this|today|yesterday|in|two|three|a|after|because|and|but|for|so|altogether|for good)\b)"),
    ("work", rf"\b(?:they|(?:my|the) (?:\w+ )?(?:boss|company|firm|manager|work|job))(?:'ve| have| has|'s)?(?: just| all| finally)* (?:let me go|fired me|sacked me|laid me off|made me redundant)\b(?: as (?:an? |the )?{_VALUE})?(?! (?:early|home|first|in|on|to|through|for (?:a|the))\b)"),
    ("work", rf"(?:^|我|[，,。\s]){_SINCE}被(?:公司|单位|店里?|厂里?|老板|领导|上司|人家|那边)?(?:给)?(?:开了|开除|裁了|裁掉|裁员|辞退|炒了|炒鱿鱼)"),
    ("work", rf"我{_SINCE}(?:把工作)?(?:辞职|辞了|离职|退休|被裁|失业|被辞退|被开除)(?:[了啦咯喽]|[，。！!\s]|$)"),
    ("work", rf"我{_SINCE}(?:从|被){_HAN_VALUE}{_SINCE}(?:辞职|辞了|离职|退休|裁了|裁掉|辞退|开除|炒了)"),
    ("work", rf"我{_SINCE}(?:离开了|辞掉了?|辞去了?)(?P<value>[\w ]{{2,12}})"),
    ("home", rf"{_HAVE} moved (?:out of|away from)(?: the)? {_VALUE}"),
    ("home", rf"{_HAVE} left (?P<value>[\w' -]{{2,40}}?) (?:for good|for ever|forever|behind)\b"),
    ("home", rf"(?:我(?:们)?|^|[，,]\s*){_SINCE}离开(?:了{_HAN_PLACE}了?|{_HAN_PLACE_OVER}了){_HAN_END}"),
    ("home", rf"(?:^|[，,]\s*|我(?:们)?){_SINCE}从{_HAN_PLACE}{_SINCE}搬(?:走|出|离)"),
    ("diet", rf"{_HAVE} (?:stopped|quit|gave up|given up) (?:being|eating)(?: an?| strictly)? {_VALUE}"),
    ("diet", rf"{_HAVE} (?:started (?:eating|to eat)|(?:went|gone) back to eating|eat|am eating) {_MEAT} (?:again|now|nowadays|these days)\b"),
    ("diet", rf"我{_SINCE}(?:现在|又|重新|已经|恢复|开始)+{_HAN_MEAT}了?"),
    ("partner", rf"(?:\b(?:me and [A-Z]\w+|(?:[A-Z]\w+|my (?:girlfriend|boyfriend|partner|husband|wife|fianc\w+)) and (?:i|me)|me and my (?:girlfriend|boyfriend|partner|husband|wife|fianc\w+))(?: have|'ve)?(?: just| finally| recently)?|{_HAVE}) (?:broke up|broken up|split up|got divorced|are divorced|separated|called it (?:a day|quits))\b(?! the\b)"),
    ("partner", r"\b(?:(?P<value>[A-Z][\w-]+)|he|she|they|my (?:boy|girl)friend|my (?:husband|wife|partner|ex)|my fianc\w+)(?: has|'s)?(?: just| finally)? (?:broke up with|broken up with|dumped|left) (?:me|us)\b(?! (?:a|an|the|some|alone|with|on|at|in|to|no|voicemails?|messages?)\b)"),
    ("partner", r"\bwe(?:'re| are)(?: not| no longer) together(?: any ?more| any longer)?\b|\bit(?:'s| is) (?:over|finished) (?:with|between)\b"),
    ("partner", r"\b(?:me and (?P<value>[\w-]+)|(?P<name>[\w-]+) and (?:i|me)) are(?: \w+ly| now| all)? (?:finished|done|over|through|history)\b(?! (?:with|\w+ing)\b)"),
    ("partner", rf"我(?:们|跟\w{{1,6}}|和\w{{1,6}})?{_SINCE}(?:分手|离婚)了|我们{_SINCE}(?:分|散|掰|分开)了(?=[，。！!~…\s]|$)"),
    ("partner", rf"(?:我|^|[，,。\s])[跟和与](?P<value>\w{{1,6}}?)(?:聊[^，,。]{{0,6}}[，,])?(?:还是|终究)?{_SINCE}(?:分手|离婚|分|散|掰|吹|断|分开|闹掰)了(?=[，。！!~…\s]|$)"),
    ("partner", rf"(?:^|[，,。\s])(?P<value>\w{{1,6}}?)[跟和与]我{_SINCE}(?:分手|分|散|掰|吹|断|分开|闹掰)了(?=[，。！!~…\s]|$)"),
    ("partner", r"(?P<value>[\u4e00-\u9fff]{2,4}?)(?:提的?|跟我提了?)分手"),
)  # fmt: skip
_LOVE = re.compile(f"我?的?(?:{slots.HAN_LOVE})", re.IGNORECASE)
_PATTERNS = [(slot, re.compile(pattern, re.IGNORECASE)) for slot, pattern in _ENDINGS]


def find_parted(text: str) -> str | None:
    """Return the name of whom a sentence says that the user parted from, "" where it names nobody; None where it tells no parting."""
    found = (pattern.search(text) for slot, pattern in _PATTERNS if slot == "partner")
    match = next(filter(None, found), None)
    groups = match.groupdict() if match else {}
    name = groups.get("value") or groups.get("name") or ""
    return None if match is None else "" if _LOVE.fullmatch(name) else name


def find_ended(text: str, slot_values: Mapping[str, str]) -> Iterator[str]:
    """Yield the slots whose live value a sentence says is over; where it names another, that one is."""
    for slot, pattern in _PATTERNS:
        match = pattern.search(text) if slot in slot_values else None
        if match and _is_of_value(match, slot_values[slot]):
            yield slot


def _is_of_value(match: re.Match[str], value: str) -> bool:
    groups = {name: (found or "").strip().casefold() for name, found in match.groupdict().items()}
    if doing := groups.get("doing"):
        # "I quit nursing": a nurse.
        root = doing.removesuffix("ing")
        return len(root) >= LEAST_ROOT and any(word.startswith(root) for word in value.casefold().split())
    if groups.get("meat"):
        return _MEATLESS.search(value.casefold()) is not None
    if place := groups.get("place") or groups.get("place_over"):
        # 学校的教师公寓 is told to be over as 公寓.
        return place == f"{value.casefold()}市" or value.casefold().endswith(place)
    named = groups.get("value") or groups.get("name", "")
    # "The bakery" is where one works "nights at a bakery".
    is_last = value.casefold().endswith(f" {named}")
    return (
        not named
        or _LOVE.fullmatch(named) is not None
        or is_last
        or re.match(rf"{re.escape(value.casefold())}(?![a-z])", named) is not None
    )
