"""Finds strong feelings behind light words: by the companion's reaction, a change of subject, what the body did.

Strong words are found elsewhere (`text/feelings.py`); here several faint signs count points together. At least one sign must be
a reaction, the body or years of silence: a change of subject alone is small talk.
"""

from collections.abc import Sequence
from math import copysign

from echovessel import lazy_re as re
from echovessel.embeddings.feelings import Felt
from echovessel.llm.inputs import TranscriptLine
from echovessel.llm.offline import vector_feelings
from echovessel.llm.offline.chinese import sayings as chinese
from echovessel.llm.offline.english import sayings as english
from echovessel.llm.offline.feeling_types import Feeling
from echovessel.llm.offline.text import changes, feelings, lexicon, sentences

# How many points make a line a peak, and a strong one.
_ENOUGH, _PLENTY = 4, 6
# For how many lines a reaction may still refer to a line.
_GOES_ON = 4
_FELT, _FELT_MUCH = 2, 5
_ECHO_WORDS = 4
# What a message's vector tells weighs less than words that tell it: it takes a mother-in-law's arrival for grief, too.
_OF_FELT = {
    Felt.GRIEF: Feeling("sadness", -3, is_unworded=True),
    Felt.HEAVY: Feeling("sadness", -2, is_unworded=True),
    Felt.RATHER_BAD: Feeling("sadness", -1, is_unworded=True),
    Felt.RATHER_GOOD: Feeling("gladness", 1, is_unworded=True),
    Felt.GLAD: Feeling("gladness", 2, is_unworded=True),
}
_SHORT_CHARACTERS = 20
_ECHO_CHARACTERS = 5

# How the persona took it: (points, sign, pattern). 0 where it tells nothing about good or bad.
_TAKEN = (
    (4, -1, r"\b988\b|crisis line|emergency number|are you safe|not being alive|thinking (?:of|about) (?:dying|suicide|hurting|ending)|急救(?!员)|心理援助|热线|不想活|想不开|想不活|身边有(?:没有)?人|你现在安全|轻生|别做傻事"),
    (3, -1, r"\bi(?:'m| am) (?:so |very |truly |deeply )?sorry\b(?! (?:about that|for (?:the|not|being)|i|did|to be|that i|,? i))|my condolences|节哀|我很难过|抱抱"),
    (3, 0, r"\bthank you for (?:telling|saying|trusting)|(?:i'm )?glad you (?:told|said|could say)|you never (?:said|told me)|you(?:'ve| have) (?:carried|kept|held) (?:that|this|it)|said (?:it )?(?:so )?(?:lightly|in passing)|it'?s not (?:whatever|nothing|only)|it is a (?:thing|big)|that is(?:n't| not) (?:nothing|small)|谢谢你(?:肯|愿意)?(?:告诉|说)|顺口|放在最后说|轻描淡写|这不是小事|一直没说|怎么不早说"),
    (2, 0, r"\bcan wait\b|\bthat was a kindness\b|\bwhen you'?re ready\b|i'?m (?:here|listening|not laughing)\b|take your time|will you be (?:alone|all right|okay)|how are you(?: holding)?\b(?! today)|不急|慢慢说|我在(?:这儿|这里|呢)?[。！]|你一个人|不是一个人|还好吗"),
    (2, 1, r"congratulat|worth (?:it|every)|wonderful news|i'?m so (?:happy|proud|glad)|you did it|you're in\b|太好了|值得[。！]|恭喜|真好[。！]|好样的|替你高兴|为你高兴"),
)  # fmt: skip
# What the rules reply themselves: they know no more than the words that they answer. Beside a slot so much must be their own, or
# "So {echo}." would be anybody's.
_SLOT, _OWN_LEAST, _OWN_BESIDE = r"\\{\w+\\}", 4, 12
_SAID = (re.escape(saying) for words in (english, chinese) for kind in words.SAYINGS.values() for saying in kind)


def _is_own(saying: str) -> bool:
    fixed = re.sub(_SLOT, "", saying)
    return sentences.measure_width(fixed) > (_OWN_LEAST if fixed == saying else _OWN_BESIDE)


_OWN = re.compile("|".join(re.sub(_SLOT, ".{1,60}", one) for one in _SAID if _is_own(one)))
_QUOTED = r"“[^”]*”"
# Called by name, and nothing else in the sentence: "Oh, Theo.", "Dev.", "何老师。"
_CALLED = re.compile(
    r"^(?P<sigh>Oh,? )?[A-Z][\w'-]+(?: [A-Z][\w'-]+)?[.!…]|^(?P<oh>[哦唉啊][，,]?)?[\u4e00-\u9fff]{2,3}[。！…]"
)
_CALLED_LAST = r", [A-Z][\w'-]+[.!…]"
_NOT_CALLED = re.compile(
    r"^(?:Yes|No|Yeah|Good|Great|Nice|Right|Sure|Fine|Okay|Ok|Well|Hello|Hi|Hey|Thanks|Morning|Evening|Always|Never|Maybe|True|Done|Noted|Gladly|Agreed|Exactly|Promise|Tomorrow|Understood|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Both|Neither|Two|Three|Four|Five|Deal|Brave|Lucky|Poor|Sleep|Go|Rest|Eat|Salt|Ouch|Ha|Mm|Goodnight|Perhaps|Probably|Sometimes|Nothing|Everything|Of|I|It|That)\b"
    r"|^(?:[你我他她它这那].{0,2}|好的?|嗯+|是的?|对|行|可以|晚安|早安|你好|不客气|应该的|记得|没事|当然|真的|不错|辛苦|明天|今天|昨天|周.|我在|听着|醒着|加油|去吧|谢谢|有的|没有|不会|知道了?|记住了?|好吃|好看|慢点|多穿|小心|抱歉|对不起|太好|恭喜|真好|挺好|还好|也好|懂了?|明白|在呢|来了|哈哈+|那就好|放心|没关系|你说|你讲|说吧|会的|不用)[。！…，,]"
)
# What people do, rather than say, when something has struck them.
_BODY = (
    r"\b(?:had to|went and|just) (?:sit|sat|lie|lay|stand|stood) (?:down|there)|\bsat (?:there|in the car|on the (?:floor|stairs|edge|steps|kerb|curb|toilet|bathroom))|\b(?:hands|knees|legs|voice) (?:\w+ )?(?:shook|shaking|shak\w+|gave|wouldn't)|\bread it (?:\w+ )?(?:twice|three|four|five|ten|again|over)|\bheld (?:my|his|her) (?:hand|breath)|\bmissed my stop|\bcouldn'?t (?:speak|breathe|move|look|open it|say)|\bdidn'?t (?:open it|say a word|sleep)|(?<!could have )\b(?:cried|tears|wept|lump in)|didn'?t know (?:what to do with my hands|where to look|what to say)|\bstood (?:there|in the|outside)"
    r"|(?:看|读|听|念)了(?:两|三|四|五|十|好几|很多|无数|好多)+遍|(?:站|坐|蹲|愣|发呆)(?:了)?(?:好久|很久|半天|一(?:个)?(?:小时|下午|晚上|会儿)|到)|坐过了?.{0,3}站|手(?:一直|都)?(?:在)?(?:抖|发抖)|腿(?:都)?软|说不出话|(?:看|说|想)(?:着着)?哭了|红了眼|眼(?:睛|眶)(?:都)?(?:红|湿)|睡不着|不知道往哪|坐(?:在)?地上|没敢|攥着|愣住"
)
# After years without a word, or for the first time in years.
_AFTER_YEARS = (
    r"\b(?:for the )?first time in \w+ years|\bhad(?:n't| not) (?:spoken|called|written|seen|been home|set foot) \w+(?: \w+){0,3} (?:in|for) \w+ years|\b(?:not|never) (?:called|spoken|written|been home) in \w+ years"
    r"|[两三四五六七八九十几多]年(?:多)?没(?:打|联系|说话|说过话|见|回|理|通)|[两三四五六七八九十几多]年(?:来|里)?(?:头|第)一[次回]"
)
# It is made little of, or talked over.
_LITTLE = (
    r"\b(?:it'?s|it is|that'?s) (?:only|just|whatever|nothing|fine|all)\b|\bno big deal|\bdon'?t (?:laugh|make it|say anything|fuss|worry)|\bnot (?:a big|that big)|\bi suppose\b|\bas it happens\b|\bthat'?s (?:me told|that)\b|\bso\.\.\.|\bnever ?mind\b|\bnot now\b"
    r"|就那么回事|没什么(?:大不了)?|不算什么|也没啥|没事|就是说说|无所谓|有什么好说|有啥(?:子)?好说|别(?:紧张|笑|大惊小怪)|不提了|谁也没说|没跟(?:任何)?人说"
)
_TALKED_OVER = r"\banyway\b|\bso,? (?:how|what|do you)\b|\bchange the subject\b|\blet'?s not\b|\bgotta (?:run|go)\b|不说(?:这个|了)|说点别的|换个话题|对了|先这样|算了|哦，还有"
# A persona that is sorry for what it did or left undone itself.
_OWN_FAULT = r"\bi(?:'d| had)? (?:said|promised|didn't|forgot|should have|missed)\b|我(?:忘|没|答应过|昨天)"
_DENIED = r"^\W*(?:no|nope|nah|god no|not)\b|^\W*(?:不是|没有|不|才不|没)"
_GOOD = re.compile(
    r"\b(?:yes|hands?|offer\w*|gave me|give me|came (?:home|back|round)|home|danced?|accepted|passed|first|set foot|together|half the|picked me up|smil\w+|sang|waved|hugged|kissed|thanked|finally|real|said is he good)\b|回来|答应|过了|来了|不走了|笑|抱|第一次|终于|自己.{0,4}(?:走|吃|站|夹|说)|认了"
)
_BAD = re.compile(
    r"\b(?:never|nobody|no one|without|buried|under the|out since|gone|lost|last|wheeled|alone|dead|cold|not|stopped|failed|wrong|pistol|gun|pills|a year)\b|没|不|走|送|错|丢|最后|空|剩|一个人"
)


def weigh_lines(lines: Sequence[TranscriptLine]) -> dict[int, int]:
    """Return the impact of the lines that mean more than their words, by number."""
    found: dict[int, int] = {}
    latest, latest_sign = -_GOES_ON, 0
    for at, line in enumerate(lines):
        if not line.is_user:
            continue
        goes_on = at - latest <= _GOES_ON and not lexicon.matches("SHIFTS", line.text)
        hint = latest_sign if goes_on else _find_later_sign(lines, at)
        if impact := _weigh(line, _find_reply(lines, at), _find_next(lines, at), hint=hint):
            heard = _hear(line)
            found[line.number] = impact = int(copysign(impact, heard.impact)) if heard else impact
            latest, latest_sign = at, 1 if impact > 0 else -1
    return found


def hear_feelings(lines: Sequence[TranscriptLine]) -> dict[int, Feeling]:
    """Return what moves in lines whose words show no feeling, by number."""
    heard = {line.number: _hear(line) for line in lines if not _find_sign_of_feeling(sentences.split(line.text))}
    return {number: feeling for number, feeling in heard.items() if feeling}


def _hear(line: TranscriptLine) -> Feeling | None:
    felt = vector_feelings.doubt(line.felt, line.text) if line.felt else None
    return _OF_FELT.get(felt) if felt else None


def _find_later_sign(lines: Sequence[TranscriptLine], at: int) -> int:
    """Return the sign of the persona's reaction a little later."""
    later = [_read_reaction(line) for line in lines[at + 1 : at + 1 + _GOES_ON]]
    signs = [
        towards
        for text in later
        for _, towards, pattern in _TAKEN
        if towards and re.search(pattern, text, re.IGNORECASE)
    ]
    return signs[0] if signs else 0


def _find_reply(lines: Sequence[TranscriptLine], at: int) -> str:
    """Return what the persona said right after, unless the rules did."""
    return _read_reaction(lines[at + 1]) if at + 1 < len(lines) else ""


def _read_reaction(line: TranscriptLine) -> str:
    """Return what the persona says itself, without what it quotes of earlier days; nothing of a reply of the rules."""
    return "" if line.is_user or _OWN.match(line.text) else re.sub(_QUOTED, "", line.text)


def _find_next(lines: Sequence[TranscriptLine], at: int) -> str:
    return next((line.text for line in lines[at + 1 : at + 3] if line.is_user), "")


def _weigh(line: TranscriptLine, reply: str, following: str, *, hint: int) -> int:
    said = lexicon.normalise(line.text)
    parts = sentences.split(line.text)
    if (
        feelings.is_fiction(said)
        or changes.is_correction(said)
        or all(sentences.is_small_talk(one) or sentences.is_question(one) for one in parts)
    ):
        return 0
    if understood := _weigh_understanding(reply, following):
        return understood
    taken, sign = _weigh_reaction(lexicon.normalise(reply), said)
    after_years = re.search(_AFTER_YEARS, said, re.IGNORECASE) is not None
    carries = taken + 2 * after_years + (2 if re.search(_BODY, said, re.IGNORECASE) else 0)
    if carries < 2:
        return 0
    lightly = _weigh_lightness(parts, said, following)
    points = carries + lightly + _weigh_told_feeling(parts)
    if points < _ENOUGH:
        return 0
    if feelings.has_glad_tears(said):
        sign = 1
    # Who is heard of again after years is mostly welcome.
    return (sign or (1 if after_years else hint) or _find_sign_of_feeling(parts) or _count_sign(said)) * (
        7 if points >= _PLENTY else 6
    )


def _weigh_understanding(reply: str, following: str) -> int:
    """Weigh what the persona understood ("You're going to be a grandmother."), unless the user denied it."""
    if re.search(_DENIED, following, re.IGNORECASE):
        return 0
    heard = [own for one in sentences.split(reply) if (own := sentences.turn_to_user(one)) and _speaks_of(one, own)]
    felt = [feeling for one in heard for feeling in feelings.find_feelings(one)]
    strongest = max(felt, key=lambda feeling: abs(feeling.impact), default=None)
    return strongest.impact if strongest and abs(strongest.impact) >= feelings.PEAK else 0


def _speaks_of(sentence: str, own: str) -> bool:
    """Whether it speaks of the user or somebody else, or is a single word ("Melanoma."), and not a general saying."""
    is_short = len(sentence.split()) <= 2 and len(sentence) <= _SHORT_CHARACTERS
    return own != lexicon.normalise(sentence) or is_short or lexicon.matches("THIRD_PERSON", sentence)


def _weigh_reaction(reply: str, said: str) -> tuple[int, int]:
    """Return points and sign for the persona's reaction."""
    points, sign = 0, 0
    for worth, towards, pattern in _TAKEN:
        if re.search(pattern, reply, re.IGNORECASE) and not (
            towards < 0 and re.search(_OWN_FAULT, reply, re.IGNORECASE)
        ):
            points += worth
            sign = sign or towards
    echoes = _echoes(reply, said)
    called = _CALLED.match(reply)
    if called and not echoes and not _NOT_CALLED.match(reply):
        points += 3 if called["sigh"] or called["oh"] else 2
    return points + 2 * echoes + bool(re.search(_CALLED_LAST, reply)), sign


def _echoes(reply: str, said: str) -> bool:
    """Whether the reply repeats a few of the user's words as a sentence: "Half the practice." """
    folded = re.sub(r"\s+", " ", said.casefold())
    for sentence in sentences.split(reply)[:2]:
        plain = re.sub(r"，.*|, [A-Z][\w'-]+$", "", re.sub(r"[\s.。!！…]+$", "", sentence)).casefold()
        is_short = len(plain) <= _ECHO_CHARACTERS if lexicon.is_chinese(plain) else len(plain.split()) <= _ECHO_WORDS
        # "Ha!" repeats nothing of "I don't have one".
        edge = "" if lexicon.is_chinese(plain) else r"\b"
        is_said = len(plain) > 1 and re.search(f"{edge}{re.escape(plain)}{edge}", folded) is not None
        if is_short and is_said and not (sentence.endswith(("?", "？")) or sentences.is_small_talk(sentence)):
            return True
    return False


def _weigh_lightness(parts: list[str], said: str, following: str) -> int:
    """Return points for changing the subject or playing it down, here or in the next line."""
    points = 0
    asks_on = len(parts) > 1 and sentences.is_question(parts[-1])
    # What a message begins with leaves the one before it.
    if asks_on or re.search(_TALKED_OVER, re.sub(r"^\W*\w+", "", said), re.IGNORECASE):
        points += 2
    elif re.search(_TALKED_OVER, following, re.IGNORECASE) or sentences.is_question(following):
        points += 1
    if re.search(_LITTLE, said, re.IGNORECASE) or re.search(_LITTLE, following, re.IGNORECASE):
        points += 1
    return points + bool(lexicon.find_concepts(said))


def _weigh_told_feeling(parts: list[str]) -> int:
    """Return points for a feeling that the words name."""
    strongest = max((abs(feeling.impact) for one in parts for feeling in feelings.find_feelings(one)), default=0)
    return 2 if strongest >= _FELT_MUCH else 1 if strongest > _FELT else 0


def _find_sign_of_feeling(parts: list[str]) -> int:
    """Return the sign of the strongest feeling that the words name, 0 where it is weak."""
    felt = [feeling.impact for one in parts for feeling in feelings.find_feelings(one)]
    strongest = max(felt, key=abs, default=0)
    return 0 if abs(strongest) < _FELT else 1 if strongest > 0 else -1


def _count_sign(said: str) -> int:
    good, bad = len(_GOOD.findall(said.lower())), len(_BAD.findall(said.lower()))
    return 1 if good > bad else -1
