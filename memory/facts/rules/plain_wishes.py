"""Says wishes to remember in the plain words that the rules read: "for your notes: I'm a twin" is "remember: I'm a twin"; and parts a wish to forget
from what it says is to be kept: "forget the dementia, but keep the biscuits", 工资别记了，在杭州上班可以留着.
"""

from echovessel import lazy_re as re
from echovessel.llm.offline.text import lexicon, sentences
from memory.facts.rules import letting_go

_OWN = r"(?=(?:i|my|we|our)\b)"
_YOURS = r"(?:(?:in|into|to|on|for) (?:your|the) (?:\w+ )?(?:notes?|head|mind|memory|memory bank|books?|lists?|diary|files?|records?|system))"
_STORE = r"(?:sav(?:e|ing)|stor(?:e|ing)|log(?:ging)?|record(?:ing)?|fil(?:e|ing)|keep(?:ing)?|hold(?:ing)?(?: on to)?|tuck|put(?:ting)?|get|writ(?:e|ing)|add|pop|enter|tak(?:e|ing)|mark|memori[sz](?:e|ing))"
# What begins so is no wish: "he wrote in his notes: I'm off", "I keep in mind: I'm no boxer".
_OF_OTHERS = (
    r"(?:he|she|they|it|his|her|their|it's|was|were|said|says|wrote|told|got|left|sent|asked|i (?!'d|would|want|need))"
)
_ENGLISH = (
    (r",? and (?:please )?(?:also )?(?:note|remember|keep in mind|save) that (?=(?:i|my|we|our|he|she|they|it|his|her|their|[A-Z]\w+)\b)", ". Remember that "),
    (r"\b(?:rmbr|rembr|rember|remeber|rememebr|remmember|rememer|rememba)\b", "remember"),
    (r"\b(?:don'?t|do not) 4get\b", "don't forget"),
    (
        r"\b(?:(?:can|could|will|would) (?:you|u)|do) mind remembering\b|\b(?:would|do) (?:you|u) mind remembering\b",
        "could you remember",
    ),
    (
        r"^\W*(?:(?:be an? \w+|do me a favou?r|be so kind) and|(?:be|make) sure (?:to|(?:that )?you)|(?:you|u) ought to|it(?:'s| is) (?:very |really )?important (?:that )?you|i(?:'m| am) telling you so (?:that )?you|if you could|never fail to)\s+remember\b",
        "please remember",
    ),
    (
        rf"\b(?:(?:i(?:'d| would)? (?:need|want|like) you to|can you|could you|please)(?: please)? (?:remember|keep in mind|note)(?: down)? (?:something|one thing|a thing)(?: for me)?|(?:can|could|let|may|here'?s)\b[^.?!:]{{0,24}} (?:something|one thing|a thing)(?: for you)? to (?:remember|keep(?: in mind)?|note))\s*[.?!:,]+\s+{_OWN}",
        "remember: ",
    ),
    # "Can you remember that ..." would only ask.
    (
        rf"\bcan (?:you|u)(?: please)?(?= (?:(?:make|take|keep) (?:an? )?(?:mental )?note|keep track|{_STORE})\b)",
        "could you please",
    ),
    (
        rf"\b(?:(?:make|take|keep) (?:an? )?(?:mental )?note(?: of)?|commit to memory|keep track of|(?:be )?aware|(?:keep|hold)(?: it)? in memory|{_STORE}(?: (?:it|this))? {_YOURS}|{_STORE}|don'?t let it slip your mind|never forget)(?: the fact)? that\s+{_OWN}",
        "remember that ",
    ),
    (rf"^\W*(?:have it (?:written|noted) down|(?:i want )?it (?:be )?(?:remembered|noted)) that\s+{_OWN}", "remember that "),
    (
        rf"^\W*(?:(?:please|pls|plz|just|kindly|you can|so|and|also|ok|okay) )*{_STORE}(?: (?:this|that|it|one))*(?: (?:away|down))?(?: for (?:me|later))?(?: {_YOURS})?\s*[:,–—-]\s*{_OWN}",
        "remember: ",
    ),
    (rf"^\W*(?:please |kindly |and |also )*(?:note {_OWN}|remind me (?:that )?(?=(?:i|we) (?:owe|promised|lent|have)\b))", "remember that "),
    (
        rf"^\W*(?!{_OF_OTHERS}\b)(?:(?!\b{_OF_OTHERS}\b)[^:.?!]){{0,40}}\b(?:note|notes|memory bank|remember(?:ing)?|keep|next time|your (?:notes|memory|records?|head))\s*:\s*{_OWN}",
        "remember: ",
    ),
    # Why it shall be remembered is no part of it.
    (
        r"(?:,? ?please)?\s*[,;–—-]\s*(?:(?:cos|cause|because|as|since|or) )?(?:i|i'll) (?:(?:always|keep|just|tend to|never|only|will) )*(?:forget(?:ting)?|remember)(?: (?:it|that|this|them))?\s*[.!]*$",
        "",
    ),
    # Before a witness one says what shall not be forgotten.
    (
        r"[,.;–—-]\s*(?:and |so )?(?:(?:you|u)(?:'?re| are) (?:my|the) witness|(?:please )?(?:keep|hold) me to (?:it|that))\s*[.!]*$",
        ", remember that",
    ),
    (
        rf"(?:,|\s[–—-]) ?(?:and |so )?(?:please |pls |kindly )?(?:(?:{_STORE}|note) (?:it|that|this)(?: one)?(?: (?:down|away|somewhere safe|on file|for me|{_YOURS}))*|that(?:'s| is) (?:one|something) (?:for you )?to (?:remember|keep|note))\s*[.!]*$",
        ", remember that",
    ),
)  # fmt: skip
_TO_YOU = r"(?:请|你|您|得|要|可以?|帮我|替我|给我|麻烦你?|劳驾|帮忙|再|也|都|就|先|来|那|好|对了[，,]?|有件事[，,]?)*"
_KEEP = r"(?:(?:存|保存|登记|记录|标记|收藏|录|备注|写|拿笔记)(?:一?下)|存(?:着|好|上|起来)|记一笔|记个?(?:数|账|事儿?)|写(?:下来?|上)|做个?(?:笔记|记录|备注)|留个?(?:底|档|记录)|备个?[案注]|[添加]一[条笔]|收(?:好|着)|要你记|听好记好|记到心里)"
_CHINESE = (
    # Asked for politely: 能不能别老问我问题.
    (
        r"^\W*(?:你|您|(?:[跟和]我)?(?:说话|聊天)(?:的时候|时)?|那|以后|请问|[，,\s])*(?:能不能|可不可以|能否|可以|能|麻烦)(?:你|请|以后)*(?![^，,。]{0,6}(?:[劝催]我[^了吗啊呀嘛？?]|[叫喊]我?(?:加班|去|来|做|干|吃|买|回|起|写)))((?:别|不要|少)(?:再|一直|老是?|总是?|动不动就?)*[^，,。？?]{0,6}?(?:叫|喊|问|劝|催|安慰|用|发|讲|说|重复|道歉)[^，,。？?吗]{1,10}?|(?:说话|回复|回答|聊天|讲话)[^，,。？?]{1,6}(?:一点|点儿?|一些))[吗么啊呀嘛]?[？?。！!\s]*$",
        r"以后\1",
    ),
    (
        r"^\W*(?:你|请|就|可以)*((?:别|不要)(?:再|一直|老是?|总是?|动不动就?)+(?:(?:反问|安慰|打断|敷衍|[劝催])我?|重复(?:我[^，,。]{0,4})?|道歉|说教|(?:[跟给对]我)?讲大?道理)(?:了|啦)?[。！!\s]*)$",
        r"以后\1",
    ),
    (r"替我(?=记)", "帮我"),
    (r"(?:你?可?别给|永远别|可千万别)忘了?|别给我忘了?", "别忘了"),
    (r"(?:请知悉|值得一记|(?:敲|划)(?:黑板|重点)|给你提个醒|记得[哦喔噢哈啊])[，,：:\s]*(?=我)", "记住，"),
    (rf"^{_TO_YOU}{_KEEP}[了吧哈啊哦]?\s*[，,：:]\s*", "记住，"),
    (
        r"^(?=[^，,：:]*(?:[往在记写添装放存]|心里有))(?![^，,：:]*了)[^我，,：:。？?]{0,8}(?:本子?|小本本|脑子|脑袋|心|笔记)[里上]?(?:[添加记写][^，,：:。]{0,4}|有个?数[哈啊]?|)\s*[：:，,]\s*(?=我)",
        "记住，",
    ),
    (r"^(?:跟你说个|有个)要(?:留着|记着|存着)的[，,：:]\s*", "记住，"),
    (r"^(?:麻烦|请|帮我|你)*把[“\"「]?(我[^”\"」]{2,20}?)[”\"」]?(?:这[点事条]|的事)?(?:记(?:一下|下来?|住|上|着)|存(?:下来?|着))[吧哦哈。！]*$", r"记住，\1"),
    (
        rf"[，,]\s*(?:这[个条件点]事?)?(?:所以|你|就|要|帮我|替我|请)*(?:请记住|存(?:起来|着|一下|好)|留(?:着|个底)|收(?:着|好)|{_KEEP}|记住这[个点件]\w{{1,2}})[吧哦哈。！]*$",
        "，记住",
    ),
    (r"(?<=[^，,\s])[，,\s]+(?:这[事次回])?(?:你|您)(?:来|给我|替我|可得?|要)*(?:(?:做|作)个?证|当个?证人|监督我?)[哦啊吧哈。！!]*$", "，记住"),
)  # fmt: skip
_BY_LANGUAGE = {
    is_chinese: [(re.compile(form, re.IGNORECASE), plain) for form, plain in table]
    for is_chinese, table in ((False, _ENGLISH), (True, _CHINESE))
}
# What each of them has in it: other messages are not read further.
_MAY = re.compile(
    r"rem|rmb|4get|witness|mind|note|noted|memor|sav|stor|log|record|fil[ei]|keep|hold|tuck|put|down|writ|add |aware|forget|next time|me to|something|one thing|[记存忘写录收留案底数添加醒悉证]|别|不要|(?:能|可|麻烦)[^，,]{0,4}(?:少|说话|回[复答])|监督|黑板|重点|本子|脑[子袋]",
    re.IGNORECASE,
)
# Who asks for two things in one sentence: "Forget that Jo drinks, and note that I'm vegan", 忘掉这事，记住我吃素.
_PLEASE = r"(?:(?:please|pls|also|just|kindly|instead|then|do|can you|could you)\s+)*"
_JOINT = r"(?:\s*[,;–—]\s*(?:(?:and|but|then)\s+)?|\s+(?:and|but|then)\s+)"
_TO_KEEP = r"(?:remember|note|keep in mind|make a note|write down|jot down|save|don'?t forget|do not forget)\b"
_TO_DROP = r"(?:(?:forget|delete|erase|remove)\b(?= (?:that|what|about|all|every\w*|the|my)\b))"
_FOR_ME = r"(?:请|麻烦|帮我|你|再|也|然后|但是?|不过|并且?)*"
_KEEP_CHINESE, _DROP_CHINESE = (
    r"(?:记住|记下|记得|记一下|别忘了?)",
    r"(?:把[^，,；;。]{1,20}?)?(?:忘[掉了]|忘记|删[掉了除])",
)
_TWO = [
    (re.compile(rf"^\W*(?:{_PLEASE}{one}|{_FOR_ME}{its})", re.IGNORECASE), re.compile(rf"{_JOINT}(?={_PLEASE}{other})|\s*[，,；;]\s*(?={_FOR_ME}{others})", re.IGNORECASE))
    for one, other, its, others in (
        (_TO_DROP, _TO_KEEP, _DROP_CHINESE, _KEEP_CHINESE),
        (_TO_KEEP, _TO_DROP, _KEEP_CHINESE, _DROP_CHINESE),
    )
]  # fmt: skip
# What a wish to forget says is to be kept, clause by clause.
_CLAUSES = re.compile(
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
_STILL = r"(?:但是?|不过|可是|只|就|光|还|请|你|麻烦|帮我|把|仍然?)*"
_KEPT_CHINESE = re.compile(
    rf"{_STILL}(?:保留|留着|留下|继续记着?|(?:别|不要|不用|不必)(?:忘[了掉记]?|删[了掉除]?|动))(?![它他她这那]?[吧了啊哦]*\W*$)(?P<what>.+)$"
    r"|(?P<stays>.{2,30}?)(?:的?(?:事情?|话|部分)|[这那][个件句条点段些]|这|那)*(?:请|你|还是|可以|还|要|得|就|都|继续|仍然?|给我|帮我)*"
    r"(?<![别要用许再])(?:留着|记着|保留|留下|(?:别|不要|不用|不必)(?:忘|删|动)[了掉记除]?)(?:它|他|她|吧|啊|哦|呢|就行|就好|即可|好了)*\W*$",
)
# What one of them has, and a wish to forget that stands beside it.
_MAY_KEEP = re.compile(
    r"keep|kept|hold on|save|forget|delete|remove|erase|touch|lose|leave|remember|stay|remain|\bnot\b|except|apart from|other than|留|记着|[别要用必][忘删动]",
    re.IGNORECASE,
)
# Beside it an order to drop something means what was told: "take Jo paying for it out, keep nan", 把前夫送的那句忘了，猫的事留着.
_ORDERS = (
    (
        re.compile(
            r"^\W*(?:(?:please|pls|ok|okay|just|and|so|(?:can|could|would|will) you)\W+)*"
            r"(?:(?:forget|delete|erase|remove|scrap|scratch|drop|wipe|bin|strike|scrub|ditch|lose|cut|get rid of) (?!that\b|it\b|this\b|everything\b|all\b|what\b|about\b)(?P<one>[^?]+)"
            r"|(?:take|leave|cut|strike) (?P<two>[^?]{1,60}?) out\b.*)$",
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
# Who asks for this is brief.
_LONGEST = 300


def say(line: str) -> str:
    """Return a line with its wishes to remember in plain words."""
    line, _ = split_kept(line)
    if len(line) > _LONGEST or not _MAY.search(line):
        return line
    line = part(line)
    for form, plain in _BY_LANGUAGE[lexicon.is_chinese(line)]:
        line = form.sub(plain, line)
    return line


def part(line: str) -> str:
    """Return a line in which what to forget and what to remember are asked for by sentences of their own."""
    said = [] if len(line) > _LONGEST else sentences.split(line)
    parted = [*map(_part_sentence, said)]
    return line if parted == said else " ".join(parted)


def _part_sentence(said: str) -> str:
    end = "。" if lexicon.is_chinese(said) else ". "
    return next((joint.sub(end, said, count=1) for begins, joint in _TWO if begins.match(said)), said)


def split_kept(line: str) -> tuple[str, str]:
    """Part a message that asks to forget one thing and to keep another: what it says without the latter, and the words of that, "the
    rest" too; (line, "") where it does not ask for both, ("", "") where it takes back the wish.
    """
    if len(line) > _LONGEST or not (_MAY_KEEP.search(line) and letting_go.may_let_go(line)):
        return line, ""
    if _TAKEN_BACK.search(line):
        return "", ""
    kept: list[str] = []
    left: list[str] = []
    for sentence in sentences.split(line):
        first, *more = _CLAUSES.split(sentence)
        clauses = [("", first), *zip(more[::2], more[1::2], strict=True)]
        read = [_read_kept(joint, clause) for joint, clause in clauses]
        kept += filter(None, read)
        left.append("".join(joint + clause for (joint, clause), words in zip(clauses, read, strict=True) if not words))
    asked = [_say_plainly(one.strip(" ,;，；、")) for one in left if one.strip()]
    is_wish = kept and any(map(letting_go.lets_go, asked))
    return (" ".join(asked), " ".join(kept)) if is_wish else (line, "")


def _say_plainly(sentence: str) -> str:
    order, plain = _ORDERS[lexicon.is_chinese(sentence)]
    match = order.match(sentence)
    return plain.format(next(filter(None, match.groups())).strip()) if match else sentence


def _read_kept(joint: str, clause: str) -> str:
    """Return the words of what a clause asks to keep; "" where it does not."""
    is_chinese = lexicon.is_chinese(clause)
    match = (_KEPT_CHINESE if is_chinese else _KEPT).match(
        clause if is_chinese else f"{joint.strip(' ,;:–—')} {clause}".strip()
    )
    if match is None or (match.groupdict().get("not") and not joint.strip()):
        return ""
    return str(next(filter(None, match.groups()))).strip()
