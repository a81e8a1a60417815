"""What a burst says of the talk itself: what was told before, another subject, this subject."""

from echovessel import lazy_re as re
from echovessel.llm.offline import subject_openers

_SHARED = re.compile(
    r"\byou (?:still |do |don't |even |really |also |ever )*(?:remember|recall)\b(?! to\b)|^\W*(?:and |so |hey |oh )?(?:still )?remember (?:when|what|that|how|who|where|the time|our|my)\b(?![^?]*\b(?:milk|keys|appointment)\b)"
    r"|\b(?:like|as|what|which|that) i(?:'ve| have)? (?:just |already |once |had )?(?:told|said|mentioned)\b|\bi(?:'ve| have)? (?:just |already |once |have )*(?:told|mentioned to) you\b|\b(?:did|have|haven't|didn't) i (?:ever |not |already |really )*(?:tell|told|mention|mentioned|say|said)\b"
    r"|\bwhat did i (?:tell|say)\b|\byou (?:once |just |already |have |'ve )*(?:said|told me|mentioned|promised|asked me)\b|\bhave you forgotten\b|\bdid you forget\b"
    r"|\blast time (?:we|you|i (?:told|said|mentioned|wrote|was here|talked))\b|\bwe(?:'ve| have)? (?:just |already |once |were |had )*(?:talk(?:ed|ing)|sp(?:oke|oken)|discuss(?:ed|ing)|chatt(?:ed|ing)) about\b|\b(?:did|have) we (?:ever )?(?:talk|talked|speak|spoken|discuss)"
    r"|\bour last (?:talk|chat|conversation)\b|\bremind me (?:what|who|when|where|which|how|again)\b"
    r"|上次(?!数)|上回|(?:你|还)(?:还|不)?(?:记得|记不记得)(?!真|好清|很清|挺清|带|拿|吃|买|去|要|早|按时|给|把|锁|关)|我(?:之前|以前|上次|有没有|是不是|曾经|不是|已经|刚才|刚刚)*(?:跟|和|对|给)?你?(?:说|提|讲|聊|告诉)(?:起|到)?过|有(?:没有印象|印象[吗么没不])|告诉过你|我(?:之前|以前|刚才|刚刚)(?:跟|和|对)你(?:说|讲|提)"
    r"|你(?:之前|以前|上次|不是|曾经|也|还|刚才|刚刚)*(?:说|答应|提|讲|问|保证)过|你(?:之前|以前|上次|刚才|刚刚)(?:不是)?(?:说|答应|问)|我们(?:之前|以前|上次|刚才|昨天)*(?:聊|说|谈|讲|讨论)(?:过|的|到|起)|就?像我说的|我说的那个|(?:之前|以前)(?:聊|提|说)(?:过|的|到)|你(?:是不是)?(?:都)?忘了(?:吗|没|我)"
)
# A filler needs a mark behind it; "by the way, " may stand within a sentence.
_TURN = re.compile(
    rf"{subject_openers.ENGLISH_LEAD}(?:(?:{subject_openers.ENGLISH_FILLERS})\s*(?:[,:;.…-]|$)|(?:{subject_openers.ENGLISH_PHRASES})(?![a-z]))"
    rf"|\bby the way, |{subject_openers.CHINESE_LEAD}(?:(?:{subject_openers.CHINESE_FILLERS})(?=[，,、：:！!…\s]|$)|{subject_openers.CHINESE_PHRASES})"
)
_SENTENCES = re.compile(r"[.!?。！？\n]+|(?<=[…,，])(?=[\u3400-\u9fff])")
_STAY = re.compile(
    r"(?<!don't want to )(?<!do not want to )\b(?:i (?:really |just |still )*(?:need|want|have|would like|wanted|'d like)|i'd (?:really )?like|can we|could we|can i|could i|may i|let'?s|let us)(?: to)? (?:please |just |keep |still )*"
    r"(?:(?:talk|talking|chat|speak)(?: (?:to|with) you)?(?: some more| more)? about(?! (?:something|anything) else)|tell you (?:more |all )?about|stay (?:on|with)|stick (?:to|with)|go back to|get back to|keep to)\b"
    r"|\b(?:back to what|let me tell you (?:more |all )?about)\b"
    r"|(?<!不)(?:我|咱|咱们|我们)(?:真的|就|还|很|一直|今天|特别)?(?:想|要|得|需要|来)(?:再|先|好好|继续|接着)?(?:跟|和|同)?你?(?:再|先|好好|继续|接着)?(?:聊聊|聊一聊|聊一?下|说说|谈谈|谈一谈|说一说)(?!别的)|(?:我们|咱们?)(?:来|再)?好好(?:聊聊|谈谈|说说)|(?:继续|接着)(?:聊|说|谈)(?:这|那|刚才|它|他|她|下去|我)|(?:先|就)(?:聊|说|谈)这个|回到(?:刚才|之前)"
)


def refers_to_shared_past(folded: str) -> bool:
    """Whether it refers to what the two have talked about: "like I told you", 上次."""
    return _SHARED.search(folded) is not None


def turns_away(folded: str) -> bool:
    """Whether it announces another subject: "by the way,", 对了，."""
    return any(map(_TURN.search, _SENTENCES.split(folded)))


def keeps_to(folded: str) -> bool:
    """Whether it asks to talk about one subject: "I need to talk about Peg", 我想聊聊."""
    return _STAY.search(folded) is not None
