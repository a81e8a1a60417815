"""The form of a question, in English and Chinese, with or without a question mark; and what it asks about now or later."""

import re

_CLAUSES = re.compile(r"(?<=[.!?;:,\n。！？；，：…])\s*|\s+(?:-|–)\s+")
# What may stand before the question in its clause.
_OPENERS = re.compile(
    r"^\W*(?:(?:so|and|but|or|hey|hi|hello|well|ok|okay|oh|ah|hm+|um+|now|then|anyway|also|just|wait|sorry|actually|seriously|honestly|please|"
    r"by the way|btw|tell me|say|yes|yeah|no|my dear|dear|love)\b[\s,]*)+",
    re.IGNORECASE,
)
_AUXILIARY = r"(?:is|are|am|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must)(?:n't)?|'s|'re|'d|'ll|'ve"
_SUBJECT = r"(?:i|you|he|she|it|we|they|there|this|that|these|those|my|your|his|her|our|their)"
# A question word, at most three words that are no subject, and a verb before its subject: "what colour was", but not "when I was".
_WITH_WORD = re.compile(
    rf"^(?:what|where|when|why|how|whose|whom)(?!\s+an?\b)(?:\s+(?!{_SUBJECT}\b|the\b|an?\b)[\w'-]+){{0,3}}?(?:\s+|(?='))(?:{_AUXILIARY})\b"
    r"|^(?:what (?:happened|about|else|if|next|now|kind|time|made|makes|brought)|how (?:many|much|long|old|often|far|come|about)|why not|where to)\b",
    re.IGNORECASE,
)
# "who" and "which" go on with a sentence behind a comma: "my sister, who is five".
_WHO = re.compile(
    rf"^who(?!\s+(?:knows|cares|am i|{_SUBJECT})\b)(?:\s+(?:else\s+)?\w+|'s|'d|'ll)|^which\s+(?!is\b|was\b|are\b|were\b|means\b|meant\b|made\b|makes\b|i\b|we\b|he\b|she\b|they\b|you\b)[\w'-]+",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"^(?:(?:is|are|was|were|does|did|has|can|could|will|would|shall|should)(?:n't)?\s+(?:i|you|he|she|it|we|they|there|this|that|these|those)\b"
    r"|(?:is|are|does|has|can|could|will|would|should)(?:n't)?\s+(?:my|your|his|her|our|their|the|an?)\s"
    r"|(?:was|were)(?:n't)?\s+(?:my|your|his|her|our|their)\s"
    r"|am i\b|ain't (?:i|you|he|she|it|we|they)\b|do(?:n't)? (?:i|we|they)\b|do you\b|don't you (?!worry|dare|ever|forget)|have(?:n't)? (?:i|you|we|they)\b|had(?:n't)? (?:you|he|she|they|we)\b"
    r"|(?:may|might|must) (?:i|we)\b)",
    re.IGNORECASE,
)
# Before a name, whose capital tells it.
_INVERTED_BEFORE_NAME = re.compile(
    r"^(?:[Ii]s|[Ww]as|[Dd]oes|[Dd]id|[Hh]as|[Cc]an|[Ww]ill|[Ww]ould|[Ss]hould)(?:n't)? [A-Z][a-z]+ \w"
)
_ENDS_SENTENCE = re.compile(r"[.!?;\n。！？；…]\s*$")

# A question word that 都, 也 or 好 makes a statement, or that stands for "something".
_ASKS_CHINESE = re.compile(
    r"吗(?!啡)|呢(?=\s*[？?。.!！~～…]*\s*$)|多少|多久|多大|多长|(?<!没)(?<!没有)(?:什么|啥)(?!的(?:[。，,.!！]|$))|谁(?!知道)|哪(?!怕)|(?<!不)怎么|咋"
    r"|(?<![好这那前后过近十上下没])几(?!乎|年前|天前|个月前|个?(?:年|月|天|周|星期)以?来)|([是有能会要好行可记想])[不没]\1|对不对(?!得)"
)
_OF_ALL = re.compile(
    r"(?:什么|啥|谁|哪|怎么|几|多少)[^，。！？,.!?；;]{0,5}?(?:都|也)|(?:无论|不管|不论|随便)[^，。！？,.!?]{0,4}(?:什么|谁|哪|怎么|多少)"
)
_KNOWN = re.compile(
    r"(?:我|他|她|他们|她们|我们)(?:也|都|真的|还|早就?|当然|大概)?(?:不|没)?(?:知道|明白|清楚|确定|记得|想好|忘了|看看|想想)[^，。！？,.!?；;]{0,16}$"
    # What somebody asks or is to ask is no question: 到时候问问我怎么样.
    r"|问(?:问|一下)?(?:我|他|她)们?[^，。！？,.!?；;]{0,16}$"
)
_STILL = re.compile(r"(?:还|正|在|才|可)[^，。！？,.!?]{0,8}呢")
_CHINESE_CLAUSES = re.compile(r"[，。！？,.!?；;：:\n…]+")

# What the companion does or feels, what may or shall be done, how things are with the user right now.
_OF_NOW = re.compile(
    r"\b(?:can|could|may|might|shall|should|will|would|must)(?:n't)? (?:i|we|he|she|it|they|this|that|there|my|our)\b"
    r"|\b(?:can|could|will|would)(?:n't)? you (?!remind|remember|recall|say what|tell me (?:again )?(?:what|who|where|when|which|how (?:old|many)|my|the name))"
    r"|\bdo(?:n't)? you (?:really |still |even |also |ever |actually |sometimes |ever )*(?:love|like|think|want|miss|feel|care|believe|mind|need|trust|hate|enjoy|prefer|"
    r"hope|wish|understand|see|hear|get|agree|promise|worry|dream|have|fancy|sleep|expect|suppose|recommend|consider|judge|talk|find|know (?:that|what i mean|how i feel|how much|how to|any|a good|why|if))\b"
    r"|\bare(?:n't)? you\b|\bare(?:n't)? we\b|\bhow (?:are|do) you\b|\bwhat do you (?!know|remember|recall)|\bwhat are you\b|\bwhat would\b"
    r"|\b(?:what|where|when|how|who) (?:shall|should|can|could|will|would)\b"
    r"|(?:^|[.!?,;] )(?:so |and |but )?am i (?!allergic|afraid|scared|married|from|called|named|vegetarian|vegan|left-handed)|\bwhy\b|\bwhat(?:'s| is) wrong with me\b"
    r"|\bwhat if\b|\bhow (?:do|does) (?:i|we|one) (?:get|make|stop|tell|look|cope|deal|know|go on|start|sleep|handle)\b|\bhow am i\b|\bwhat (?:do i (?:do|say)(?: now| about| with| if|\W*$)|am i (?:supposed|going to|missing|doing wrong))"
    r"|\b(?:want|wanna|fancy) (?:to |a )|\bdo we have (?:time|to)\b|\bguess (?:what|who)\b|\bis (?:it|this|that|there|everything) (?:ok|okay|normal|my fault|true|wrong|possible|bad|weird|fair|too late|worth|hope|any|a way|anything (?:i|we) can|something wrong)\b"
    r"|\b(?:where|how) do i (?:even |possibly )?(?:start|begin)\b|\bwhat was i thinking\b|\bwho am i kidding\b|\bwhy (?:did|do|am|was) i\b|\bi mean,? who\b"
    r"|\bdo i (?:really |just |even |still |not )*(?:look|seem|sound|take|go|call|text|tell|ask|say|wear|need|have to|bring|buy|stay|leave|send|quit|deserve)\b"
    r"|\b(?:is|are) (?:my|our) [\w' ]{1,24}? (?:valid|normal|ok|okay|weird|wrong|bad|fair|silly|stupid|unreasonable)\b"
    r"|\bis there (?:a|an|any|some) (?!thing (?:i|you|we)\b)|\bguess how\b|\b(?:have i (?:ever )?told you|did i (?:mention|tell you|say)) (?:how (?:much|bad|badly|tired|happy|glad)|that|it's|i'm|i)\b"
    r"|\bdo you remember (?:being|your|when you)\b"
    r"|我(?:还|也|就)?(?:可以|能|可不可以|能不能|该|应该|应不应该|该不该|要不要|会不会|配不配)(?!喝|吃.{0,4}吗)|我(?:是不是|算不算)(?:很|太|个|真|有点|做错|特别|不|疯|变|错)|我(?:现在|今天|今晚|明天)?(?:该)?怎么办|为什么|为啥|凭什么"
    r"|我怎么(?:这么|那么|老|总|又|才能|才)|在不在乎|没有我你|你说我|我这是怎么|帮我.{1,20}(?:好吗|好不好|行吗|可以吗|行不行)|我哪(?:知道|敢|能|有空)|谁(?:让|叫)我|我怎么还(?:没|不|在)|我跟你说过我(?:最|特别|多|有多|超)|你知道我(?:有多|多)|你猜|我(?:穿|吃|做|选|买|送)(?:什么|哪|这)[^，。]{0,6}(?:好|呢|行吗|合适吗)|(?:我|我们|咱们?)(?:一起|今晚|明天|现在|待会儿?|晚上|周末|下次|以后|等下|接下来)*(?:去|要不要|可以|能|该|还能|来|会)"
    r"|(?:今晚|明天|周末|待会儿?|接下来|以后|将来|等下|下周)(?:我们|咱们?)|(?:我们|咱们?)(?:今晚|明天|周末|待会儿?|接下来|以后|将来|等下|下周)"
    r"|你(?:真的|还|会|也|会不会|是不是|到底|有没有|现在|最近|其实|究竟|有|更|最|都|到底|心里|为什么|怎么|就|这么|才)*(?:爱|喜欢|想(?!得?起)|觉得|认为|愿意|愿不愿意|在乎|讨厌|恨|介意|相信|信|嫌|希望|担心|懂|理解|关心|"
    r"在意|生|烦|离开|陪|帮|听|能|可以|可不可以|能不能|要不要|想不想|爱不爱|喜不喜欢|怕|累|难过|开心|高兴|舍得|骗|怪|嫌弃|同意|支持|要(?!我)|后悔|需要|看好|看我|看得|明白|睡|忙|困|饿|嫉妒|吃醋|在(?:吗|么|听|干|做|忙|想))"
    r"|(?:可以|能不能|能|可不可以)(?:陪|帮|抱|给|跟|和|听|再)|要不要(?:一起|我)|是不是我(?:的错|做错|太|不)|是我的错|(?:我|我们)(?:是|算)(?:朋友|什么关系|不是)|有没有(?:办法|时间)|怎么办|怎样才能|如何",
    re.IGNORECASE,
)


def is_interrogative(plain: str) -> bool:
    """Whether a clause begins as an English question, or a Chinese one holds a question word or particle."""
    return _asks_in_english(plain) or any(map(_asks_in_chinese, _CHINESE_CLAUSES.split(plain)))


def _asks_in_english(plain: str) -> bool:
    begins_sentence = True
    for clause in _CLAUSES.split(plain):
        bare = clause.strip()
        if not bare:
            continue
        opened = _OPENERS.sub("", bare)
        if _WITH_WORD.search(opened) or _INVERTED.search(opened) or _INVERTED_BEFORE_NAME.search(opened):
            return True
        if begins_sentence and _WHO.search(opened):
            return True
        # An opener alone ("So,") begins nothing.
        begins_sentence = _ENDS_SENTENCE.search(bare) is not None or (begins_sentence and not opened.strip(" ,"))
    return False


def _asks_in_chinese(clause: str) -> bool:
    match = _ASKS_CHINESE.search(clause)
    if match is None:
        return False
    if match[0] == "吗":
        return True
    if match[0] == "呢":
        return _STILL.search(clause) is None
    return _OF_ALL.search(clause) is None and _KNOWN.search(clause[: match.start()]) is None


def is_of_now(folded: str) -> bool:
    """Whether a question asks what the companion does or feels, or what may or shall be done, rather than for what was told."""
    return _OF_NOW.search(folded) is not None
