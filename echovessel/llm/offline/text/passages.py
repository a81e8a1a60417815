"""Finds the sentences around keywords: of a long text little is read, so that every text is read in the same time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from heapq import merge
from itertools import pairwise

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import interrogatives
from echovessel.llm.offline.text import lexicon

# How many answers are kept: several rules ask whether a sentence is a question.
_KEPT = 1024
# Characters of a sentence that are read before and after a keyword.
_BEFORE, _AFTER = 160, 300
# How many sentences of a line are read, and how often a keyword is looked for in it.
_MOST = 6
_MOST_OF_WORD = 4
# It is searched in stretches, from both ends, no further than what is read; a keyword may go on behind the end of one.
_STRETCH, _KEYWORD = 1000, 100
_END = re.compile(r"[。！？!?；;\n]+|[.…]+(?=\s|$)")
# Who writes without marks sets a space between clauses: 打假赛那段你删了吧 当我没说.
_GAP = re.compile(r"[ \u3000](?<=[\u4e00-\u9fff].)(?=[\u4e00-\u9fff])")
# Who spoke stands so near, in characters.
_NEAR = 80
# The marks of another's words; a single word or a name in quotation marks is often the user's own.
_QUOTED = re.compile(r"[“\"「『][^“”\"「」『』\n]{1,400}[”\"」』]")
_MOST_WORDS_OF_NAME, _MOST_HAN_OF_NAME = 2, 4
_ASKS = re.compile(
    r"[?？]\W*$|(?<![什怎干])[吗嘛么][。!！~]*$|^\W*(?:(?:and|but|so|well|hey|oh|ok|okay)\W+)*(?:do(?! not\b)|did|does|are|is|was|were|am|what|who|whose|when|where|why|how|which|"
    r"have (?:you|i|we)|has|had you|isn't|aren't|don't you|didn't|doesn't|haven't|should)\b",
    re.IGNORECASE,
)
# Who only imagines something, or tells what another said, tells nothing of themselves.
_IMAGINED = re.compile(
    r"\b(?:if|unless|wish|wished|imagine|imagined|suppose|pretend\w*|dream\w*|as though|what if|almost|nearly|maybe|perhaps|"
    r"might|would(?! you believe)|could have|should have|thinking about|used to|novel|film|movie|character|in the (?:book|story|game|song))\b"
    r"|如果|(?<![主只])要是|假如|假装|梦[见到里]|希望|万一|想象|仿佛|差点|可能|也许|说不定|小说|电影|角色|游戏里|剧里|歌词",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:said|says|saying|told(?! you\b)|tells|asked|asks|wrote|writes|yelled|shouted|whispered|sang|sings|replied|reads|texted|quote)\b"
    r"|[他她它].{0,6}[说讲喊唱写问]|(?<![跟和对给]我)(?<![跟和对给])(?:妈|爸|师|板|事|友|人|歌|书)里?.{0,2}(?:说(?!话)|[讲喊唱写道])|说过|歌里|书里|唱的"
    r"|(?<![我你])[说道喊写][：:，,]",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Passage:
    """A sentence with straight apostrophes, and the text of the line before it."""

    text: str
    before: str

    @property
    def is_question(self) -> bool:
        return is_question(self.text)


def find(line: str, wanted: re.Pattern[str], words: Iterable[str] = ()) -> list[Passage]:
    """Return the sentences of a line that hold what is wanted (a pattern for lower case) or one of the words, in order.

    Of a line with many of them the first and the last are read.
    """
    lower, starts = line.lower(), range(0, len(line), _STRETCH)

    @cache
    def search(start: int) -> list[int]:
        hits = wanted.finditer(lower, start, start + _STRETCH + _KEYWORD)
        return [at for hit in hits if (at := hit.start()) < start + _STRETCH]

    of_words = sorted(at for word in words for at in _find_word(lower, word.lower()))
    if not of_words and not any(map(search, starts)):
        return []
    plain = _GAP.sub("，", _QUOTED.sub(_hide_quote, line))
    ahead = merge(of_words, (at for start in starts for at in search(start)))
    behind = merge(of_words[::-1], (at for start in starts[::-1] for at in search(start)[::-1]), reverse=True)
    spans = _list_sentences(plain, ahead, most=_MOST // 2)
    spans += [span for span in _list_sentences(plain, behind, most=_MOST // 2)[::-1] if span not in spans]
    return [
        Passage(lexicon.normalise(plain[start:end]), lexicon.normalise(plain[max(0, start - _AFTER) : start]))
        for start, end in spans
    ]


def _list_sentences(line: str, places: Iterable[int], *, most: int) -> list[tuple[int, int]]:
    """Return the sentences around the first of these places."""
    spans: list[tuple[int, int]] = []
    for at in places:
        if spans and spans[-1][0] <= at < spans[-1][1]:
            continue
        if len(spans) == most:
            break
        spans.append(_find_sentence(line, at))
    return spans


def _find_word(lower: str, word: str) -> Iterator[int]:
    at = -1
    for _ in range(_MOST_OF_WORD):
        at = lower.find(word, at + 1)
        if at < 0:
            return
        yield at


def _find_sentence(line: str, at: int) -> tuple[int, int]:
    start = floor = max(0, at - _BEFORE)
    for match in _END.finditer(line, floor, at):
        start = match.end()
    end = _END.search(line, at, at + _AFTER)
    return start, end.end() if end else min(len(line), at + _AFTER)


def _hide_quote(match: re.Match[str]) -> str:
    said = match.group()[1:-1]
    is_name = (
        len(said.split()) <= _MOST_WORDS_OF_NAME and len(re.findall(r"[\u3400-\u9fff]", said)) <= _MOST_HAN_OF_NAME
    )
    return match.group() if is_name else "…" * len(match.group())


def split_statements(text: str) -> list[str]:
    """Return the sentences of a text that ask nothing."""
    ends = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    parts = (text[start:end].strip() for start, end in pairwise(ends))
    return [part for part in parts if lexicon.has_words(part) and not is_question(part)]


@lru_cache(maxsize=_KEPT)
def is_question(sentence: str) -> bool:
    plain = interrogatives.leave_out_tag(lexicon.normalise(sentence))
    return _ASKS.search(plain) is not None or interrogatives.asks(plain)


def is_imagined(text: str) -> bool:
    return _IMAGINED.search(text) is not None


def is_reported(text: str) -> bool:
    """Whether the text, as far as it is near, says what another said."""
    return _REPORTED.search(text[-_NEAR:]) is not None
