"""Reads what a wish to forget says is to be kept: "forget the dementia, but keep the biscuits", 工资别记了，在杭州上班可以留着."""

from echovessel import lazy_re as re
from echovessel.llm.offline.text import lexicon, sentences
from memory.facts.rules import letting_go

_JOINT = re.compile(
    r"(\s*[,;:–—]\s*(?:(?:and|but|though|just|only)\s+)*|\s+(?:and|but)\s+(?=(?:just |please |do |you can )*(?:keep|leave|hold|don't|do not|save)\b)|[，；：、]\s*|(?<=[\u4e00-\u9fff]) )",
    re.IGNORECASE,
)
_OPENING = (
    r"\W*(?:(?:and|but|though|just|only|please|pls|do|still|you can|you may|you should|feel free to|go ahead and)\s+)*"
)
_KEPT = re.compile(
    rf"{_OPENING}(?:keep|hold on to|save|(?:don['’]?t|do not) (?:forget|delete|remove|erase|touch|lose)|leave(?! (?:me|us|him|you)\b| .*\bout\b)|(?<=just )remember|(?<=only )remember)\s+"
    r"(?!(?:that|this)\b(?! (?:i|he|she|it|they|we|my|our|his|her|the|there)\b)|it\b(?! about)|them\b|out\b|quiet|mum|calm|\w+ing\b|in mind|track|private|secret|the change)(?P<what>(?:(?!\b(?:out of|off|to yourself|private|secret|between us)\b).)+)$"
    r"|(?P<stays>(?!(?:i|you|he|she|we|they|it|who)\b).{2,60}?),? (?:(?:can|may|should|(?:is|are) (?:fine|ok|okay|good) to) (?:be kept|keep|stay|remain)|stays?|you can keep|is to be kept)(?: in| please| though| too)*\W*$"
    r"|not (?P<not>(?:the|my|his|her|our|their|that|about|where|what|how|when) .+)$"
    r"|(?:except|apart from|other than|save)(?: for)?(?: that| the fact that)? (?P<except>.+)$",
    re.IGNORECASE,
)
_FOR_ME = r"(?:但是?|不过|可是|只|就|光|还|请|你|麻烦|帮我|把|仍然?)*"
_KEPT_CHINESE = re.compile(
    rf"{_FOR_ME}(?:保留|留着|留下|继续记着?|(?:别|不要|不用|不必)(?:忘[了掉记]?|删[了掉除]?|动))(?![它他她这那]?[吧了啊哦]*\W*$)(?P<what>.+)$"
    r"|(?P<stays>.{2,30}?)(?:的?(?:事情?|话|部分)|[这那][个件句条点段些]|这|那)*(?:请|你|还是|可以|还|要|得|就|都|继续|仍然?|给我|帮我)*"
    r"(?<![别要用许再])(?:留着|记着|保留|留下|(?:别|不要|不用|不必)(?:忘|删|动)[了掉记除]?)(?:它|他|她|吧|啊|哦|呢|就行|就好|即可|好了)*\W*$",
)
# Who asks for both is brief.
_LONGEST = 300
# What one of them has, and a wish to forget that stands beside it.
_MAY = re.compile(
    r"keep|kept|hold on|save|forget|delete|remove|erase|touch|lose|leave|remember|stay|remain|\bnot\b|except|apart from|other than|留|记着|[别要用必][忘删动]",
    re.IGNORECASE,
)
# Beside it an order to drop something means what was told: "take Jo paying for it out, keep nan", 把前夫送的那句忘了，猫的事留着.
_ORDERS = (
    (
        re.compile(
            r"^\W*(?:(?:please|pls|ok|okay|just|and|so|(?:can|could|would|will) you)\W+)*"
            r"(?:(?:forget|delete|erase|remove|scrap|scratch|drop|wipe|bin|strike|scrub|ditch|lose|cut|get rid of) (?!that\b|it\b|this\b|everything\b|all\b|what\b|about\b)(?P<one>[^?]+)"
            r"|(?:take|leave|cut|strike) (?P<two>[^?]{1,60}?) out\b(?P<of>.*))$",
            re.IGNORECASE,
        ),
        "Please forget what I told you about {}",
    ),
    (
        re.compile(
            r"^\W*(?:请|你|麻烦|帮我|就)*把(?P<one>[^，,。]{1,30}?)(?:给我|都|也|先)*(?:[忘删抹][了掉除]|清掉|去掉|拿掉)[吧啊呗]?\W*$"
        ),
        "请忘掉{}",
    ),
)
# Who changes their mind in the same message asks for nothing.
_TAKEN_BACK = re.compile(
    r"[,.;–—-]\s*(?:(?:no|wait|actually|hang on|on second thoughts?|oh|sorry)\W+)+(?:(?:just|do|please) )*(?:keep|leave|don['’]?t (?:forget|delete|remove)) (?:it|that|this|them)(?: (?:in|there|after all))?\W*$"
    r"|[，,。！!\s](?:算了|不|等等|等一下|还是)+[，,\s]*(?:(?:还是|就|先)*(?:留着|记着)|(?:还是)?(?:别|不用|不要)(?:忘|删)[了掉]?)(?:它|吧|好了)*\W*$",
    re.IGNORECASE,
)


def part(line: str) -> tuple[str, str]:
    """Part a message that asks to forget one thing and to keep another: what it says without the latter, and the words of that, "the
    rest" too; (line, "") where it does not ask for both, ("", "") where it takes back the wish.
    """
    if len(line) > _LONGEST or not (_MAY.search(line) and letting_go.may_let_go(line)):
        return line, ""
    if _TAKEN_BACK.search(line):
        return "", ""
    kept: list[str] = []
    left: list[str] = []
    for sentence in sentences.split(line):
        first, *more = _JOINT.split(sentence)
        clauses = [("", first), *zip(more[::2], more[1::2], strict=True)]
        read = [_read(joint, clause) for joint, clause in clauses]
        kept += filter(None, read)
        left.append("".join(joint + clause for (joint, clause), words in zip(clauses, read, strict=True) if not words))
    asked = [_say_plainly(one.strip(" ,;，；、")) for one in left if one.strip()]
    is_wish = kept and any(map(letting_go.lets_go, asked))
    return (" ".join(asked), " ".join(kept)) if is_wish else (line, "")


def _say_plainly(sentence: str) -> str:
    order, plain = _ORDERS[lexicon.is_chinese(sentence)]
    match = order.match(sentence)
    return plain.format(next(filter(None, match.groups())).strip()) if match else sentence


def _read(joint: str, clause: str) -> str:
    """Return the words of what a clause asks to keep; "" where it does not."""
    is_chinese = lexicon.is_chinese(clause)
    match = (_KEPT_CHINESE if is_chinese else _KEPT).match(
        clause if is_chinese else f"{joint.strip(' ,;:–—')} {clause}".strip()
    )
    if match is None or (match.groupdict().get("not") and not joint.strip()):
        return ""
    return str(next(filter(None, match.groups()))).strip()
