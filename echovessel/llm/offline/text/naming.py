"""Reads how the user wants to be called: "my name is Alex", "call me Sam from now on", 叫我小黑吧."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Characters before the words that are looked at for a negation or another subject.
_BEFORE, _BEFORE_CHINESE = 24, 8

_WORD = r"[^\W\d_]+(?:[-'][^\W\d_]+)*"
_HAN = "[\u4e00-\u9fff]"
_ENGLISH = re.compile(
    rf"\b(?:(?P<strong>my (?:first |real |given )?name(?:'s| is)|i go by|i'm called|i am called|i(?:'m| am) known as|refer to me as)|call me)"
    rf" (?:just |simply )?[\"“]?(?P<first>{_WORD})(?: (?P<second>{_WORD}))?(?P<after>.{{0,24}})",
    re.IGNORECASE,
)
_WORDINGS = {
    "my": "The user's name is {}.",
    "i go": "The user goes by {}.",
    "i": "The user is known as {}.",
    "refer": "The user is referred to as {}.",
    "call": "The user is called {}.",
}
_DENIED = re.compile(r"n't\b|\b(?:not|never|no|nobody|stop|without|cannot|hate when|hates?)\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:(?i:he|she|they|people|everyone|everybody|someone|somebody|who|nobody|you always|mom|mum|mother|dad|father|parents|brother|sister|"
    r"grandma|grandpa|wife|husband|boyfriend|girlfriend|partner|boss|friends?|colleagues?|kids?|teacher|guys|some|others?|used to|would|"
    r"said|told|says|if|when|once)|[A-Z][a-z]+(?<!Please)(?<!You)(?<!Just)(?<!And)(?<!But)(?<!So)(?<!Hi)(?<!Hello)(?<!Hey)(?<!Well)(?<!Oh)(?<!Ok)(?<!Okay) (?:always |still )?(?:calls|called|and))\b"
)
_NO_NAMES_TEXT = (
    "a an the not no never back later maybe when if again tomorrow tonight today anytime anyway now soon after before once whatever whenever "
    "what that this it something anything someone crazy weird silly stupid lazy picky biased naive romantic selfish mad insane nuts cynical "
    "dramatic dumb strange odd paranoid spoiled spoilt sentimental nostalgic sensitive superstitious old-fashioned old ungrateful names on in "
    "at by up out first any every some and or but so because my your his her their our hard easy long short common rare unusual difficult "
    "important spelled spelt pronounced written taken still also very too really just quite actually all only mine yours well known here "
    "there gone mr mrs ms miss dr monday tuesday wednesday thursday friday saturday sunday january february march april june july august "
    "september october november december chinese english french german italian spanish russian polish irish scottish turkish greek japanese "
    "korean indian swedish dutch danish norwegian american british a-list everything nothing one two to for of with from as i i'm i'll i've "
    "is was will would can could please thanks thank you we he she they cab taxi ambulance doctor uber mud"
)
_NO_NAMES = frozenset(_NO_NAMES_TEXT.split())
_ADJECTIVE = re.compile(r"\w+(?:ful|less|ous|able|ible|tive)$|\w{3,}ing$")
_CLAUSE_END = re.compile(
    r"[\"”]?(?:\s*(?:[.!,;:)~]|$)|\s+(?:from now on|please|ok|okay|instead|by the way|btw|and i\b|and i'm\b|and my\b))"
)
_YET = re.compile(r"[\"”]?,? but\b")

_CHINESE = re.compile(
    r"(?P<how>我的名字[是叫]|(?<![帮给替让要跟对教被])我叫做?|叫我|喊我|称呼我为?|管我叫)\s*[“\"「]?"
    rf"(?P<name>[A-Za-z][A-Za-z'-]{{0,20}}(?: [A-Z][a-z]+)?|(?:{_HAN}|·){{2,4}}?(?<![吧呀啊呢哦]))[”\"」]?"
    r"(?=吧|就好|就行|就可以|好了|好啦|呀|哦|啊|呢|[，。！!；;、,.~～\s]|$)"
)
_DENIED_CHINESE = re.compile(r"[别不没勿休甭]|不要|讨厌")
_OTHERS_CHINESE = re.compile(
    r"[他她它]|们|人|妈|爸|哥|姐|弟|妹|爷|奶|外婆|老师|同事|同学|朋友|老板|领导|谁|家里|大家|[都总老]$|小时候|以前|曾|"
    r"为什么|怎么|干嘛|说|问|如果|要是|等|明天|每天"
)
_YOU_ALL = re.compile(r"你们|我们")
_NO_NAMES_CHINESE = re.compile(
    r"[得了他她它你我您不没什啥谁人起醒来去回做吃喝帮快别晚一个着过到出进上下先再也就给把跟停滚闭等坐站试拿搬洗带打写看买睡走听说还陪学]|"
    r"早[点些起上]|关[门灯机掉]|开[门车会心]|外卖|滴滴|代驾|救护|快递|服务|保安|警|老师|老板|爸|妈|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶|叔|阿姨|大家|自己|"
    r"加班|干[活嘛什]|车|名字|有点|怎|哪|这|那|真的?|其实|现在|以后|随便|都行|从前|姑娘|小姐|先生|女士|师傅|美女|帅哥"
)
_WORDINGS_CHINESE = {"我的名字是": "用户的名字是{}。", "我的名字叫": "用户的名字叫{}。"}


@dataclass(frozen=True)
class Naming:
    """A name and the sentence in which it is stored."""

    name: str
    content: str


def find(sentence: str) -> Naming | None:
    """Return how the user wants to be called. The sentence has straight apostrophes and is no question."""
    found = [*_find_english(sentence), *_find_chinese(sentence)]
    return found[-1] if found else None


def _find_english(sentence: str) -> Iterator[Naming]:
    for match in _ENGLISH.finditer(sentence):
        before = sentence[max(0, match.start() - _BEFORE) : match.start()]
        if _DENIED.search(before) or _OTHERS.search(before):
            continue
        if name := _read_english_name(match):
            how = match.group().lower()
            wording = next(text for start, text in _WORDINGS.items() if how.startswith(start))
            yield Naming(name, wording.format(name))


def _read_english_name(match: re.Match[str]) -> str:
    first, second = match["first"], match["second"] or ""
    if first.lower() in _NO_NAMES or first.lower().endswith("'s"):
        return ""
    if second[:1].isupper() and first[:1].isupper() and second.lower() not in _NO_NAMES:
        return f"{first} {second}".removesuffix("'s")
    if first[:1].isupper():
        return first
    after = f" {second}{match['after']}" if second else match["after"]
    if match.group().lower().startswith("i go by"):
        # "I go by bus."
        return ""
    if not _CLAUSE_END.match(after) and not (match["strong"] and re.match(r" (?:and|but|by|from)\b", after)):
        return ""
    if not match["strong"] and (_ADJECTIVE.match(first) or _YET.match(after)):
        return ""
    return first.capitalize()


def _find_chinese(sentence: str) -> Iterator[Naming]:
    for match in _CHINESE.finditer(sentence):
        before = _YOU_ALL.sub("", sentence[: match.start()])[-_BEFORE_CHINESE:]
        name = match["name"]
        if _DENIED_CHINESE.search(before) or _OTHERS_CHINESE.search(before) or _NO_NAMES_CHINESE.match(name):
            continue
        if name.isascii() and (name.lower() in _NO_NAMES or len(name) == 1):
            continue
        shown = name if not name.islower() else name.capitalize()
        yield Naming(shown, _WORDINGS_CHINESE.get(match["how"], "用户叫{}。").format(shown))
