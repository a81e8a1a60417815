"""The shape of the answer that names a session."""

import re
from typing import Annotated

from pydantic import BaseModel, Field

from echovessel import chinese_script
from memory.answers.coercion import on_text, one_line

WORDS_MOST = 5
CHARACTERS_MOST = 12
# Kana take more of them.
JAPANESE_MOST = 20
_HAN = re.compile(r"[\u3400-\u9fff]")
# What some models write around a title.
_AROUND = " \t\"'`*#_“”‘’「」『』《》.。"
_LABEL = re.compile(r"(?:chat )?(?:title|标题|题目)\s*[:：]", re.IGNORECASE)


def clean(title: str) -> str:
    return _LABEL.sub("", one_line(title).strip(_AROUND), count=1).strip(_AROUND)


class TitleAnswer(BaseModel):
    title: Annotated[str, on_text(clean), Field(min_length=1, max_length=120)]


def is_short(title: str) -> bool:
    """Whether a title has at most five words; a Chinese one, at most twelve characters, a Japanese one twenty."""
    if chinese_script.is_japanese(title):
        return len(title) <= JAPANESE_MOST
    return len(title) <= CHARACTERS_MOST if is_chinese(title) else len(title.split()) <= WORDS_MOST


def is_chinese(title: str) -> bool:
    """Whether at least half its words have Chinese: "A cat called 小黑" is English. Korean parts its words."""
    words = title.split()
    return 0 < 2 * sum(_HAN.search(word) is not None for word in words) >= len(words)
