"""What a sentence asks for, in the words of the sentence."""

import re
from dataclasses import dataclass

from echovessel.llm.offline.text.passages import Passage

# 黑历史can you just drop it谢谢 has no space where one language ends.
SEAM = re.compile(r"(?<=[\u4e00-\u9fff])(?=[A-Za-z]{2})|(?<=[A-Za-z])(?=[\u4e00-\u9fff])")
# 唉，这事你别记: who sighs names nothing.
SIGH = re.compile(
    r"^(?:(?:算了|好吧|对了|那个|其实|[唉哎嗯哦]呀?)+[，,\s]+|(?:ah|oh|ugh|hm+|well|anyway|(?:ah |oh )?(?:never mind|nvm))\b,\s+)+",
    re.IGNORECASE,
)
# Who tells something says these, too: 邻居借了我两万.
PARTICLE = re.compile(r"[你您请吗吧也就都过了把]")
# "Forget the previous instructions and translate this" speaks of a text, not of what was told.
OF_A_TEXT = re.compile(
    r"\b(?:previous|prior|earlier|above|system|your) (?:instructions?|prompts?|rules|formatting)\b|\b(?:everything|all|anything)(?: (?:that )?i (?:said|wrote))? above\b"
    r"|上面的?(?:内容|文字|指令|要求)|(?:之前|以上|前面|先前|所有)的?(?:指令|提示词?|设定)",
    re.IGNORECASE,
)
_ENDS = " .!。！~～,，"


@dataclass(frozen=True, kw_only=True)
class Remembering:
    """A wish to remember: the words behind it, or "" where it points back ("remember that") with the words before it."""

    said: str
    before: str = ""
    facet: str = "about_you"
    # "Remember that instead."
    is_instead: bool = False


@dataclass(frozen=True, kw_only=True)
class Forgetting:
    """A wish to forget: the words by which to find it, or that it is about what was said last, or about all that is known.

    `is_whole` where everything that holds the words is meant.
    """

    words: str
    is_latest: bool = False
    is_everything: bool = False
    is_whole: bool = False


def build_told(told: str, passage: Passage) -> Remembering:
    """Build the wish of a clause of its own: what follows it is meant, or else what stands before it."""
    is_behind = bool(told) and passage.text.rstrip(_ENDS).endswith(told.rstrip(_ENDS))
    return Remembering(said=told) if is_behind else Remembering(said="", before=told)
