"""The words of a person who may harm themselves, in English and Chinese, for whatever must then keep silent or speak up."""

import re

# Typed without an apostrophe, too. "I can't go on holiday" and 想死你了 ("missed you to death") say something else.
_ENGLISH = (
    r"\bsuicid\w*\b(?! squad)|\bkill(?:ing)? myself|\bend(?:ing)? my life|\b(?:want|wish) (?:i was |i were |to be )?(?:to die|dead)\b"
    r"|\bdon'?t want to (?:live|be alive)|\bcan'?t go on\b(?! (?:holiday|vacation|stage|air|the (?:trip|train|bus|tour)|\w+day\b))"
    r"|\b(?:hurt|harm|cut)(?:ting|ing)? myself(?! (?:shaving|chopping))|\bno reason to live|\bbetter off without me"
)
_CHINESE = (
    r"自杀|不想活(?![动泼跃])|活不下去|(?<!不)想死(?!你|我|他|她|它|了?你|党)|去死算了|伤害自己|割腕|轻生|撑不住了|活着(?:好|真|很|太)?累"
    "|活着没意思|没有我会更好|结束生命"
)
# 我不会伤害自己的, 没想过自杀: said to reassure, and no wish.
_DENIED = re.compile(
    r"(?:我)?(?:不会|不可能|绝不会|没有?(?:想过?|打算)(?:要)?|不是(?:想|要))(?:去|再|真的?)?(?:伤害(?:我)?自己|自杀|轻生|割腕|寻死|做傻事|想不开)(?!的勇气)(?:的|了|啦|啊|吧)*"
)
_PATTERN = re.compile(f"{_ENGLISH}|{_CHINESE}", re.IGNORECASE)


def is_voiced(text: str) -> bool:
    """Whether a text says that its writer may harm themselves."""
    return _PATTERN.search(_DENIED.sub("", text.replace("’", "'"))) is not None


def is_denied(text: str) -> bool:
    """Whether its writer says that they will not harm themselves, and nothing that says otherwise."""
    return _DENIED.search(text) is not None and not is_voiced(text)
