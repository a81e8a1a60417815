"""Build the snippet of a text with its matches marked by `[[` and `]]`."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from echovessel import text
from memory.search import conditions

WIDTH = 160
# The length before the first mark.
BEFORE = 40
_WORD = re.compile(r"[^\W_]+")
# Thai, Lao, Burmese and Khmer put no spaces between words: there only the words of the query tell where one is.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")


def build_snippet(said: str, asked: "SnippetQuery") -> str:
    """Build one line of about WIDTH characters around the first match, or the beginning of the text."""
    line = " ".join(said.split())
    found = join_spans(sorted(asked.find_spans(line)))
    start = find_word_start(line, found[0][0] - BEFORE) if found else 0
    end = find_whole(line, min(len(line), max(start + WIDTH, found[0][1] if found else 0)))
    marked = "".join(mark_spans(line, start, end, [span for span in found if span[1] <= end]))
    return f"{'…' if start else ''}{marked}{'…' if end < len(line) else ''}"


def find_word_start(line: str, at: int) -> int:
    if at <= 0:
        return 0
    space = line.find(" ", at, at + BEFORE)
    return find_whole(line, at) if space < 0 else space + 1


def find_whole(line: str, at: int) -> int:
    """Return the place from this one on where no letter is parted from its marks."""
    while at < len(line) and unicodedata.category(line[at]).startswith("M"):
        at += 1
    return at


def mark_spans(line: str, start: int, end: int, found: list[tuple[int, int]]) -> Iterator[str]:
    for first, last in found:
        yield line[start:first]
        yield f"[[{line[first:last]}]]"
        start = last
    yield line[start:end]


class SnippetQuery:
    """A parsed query, used for all texts of a page."""

    def __init__(self, asked: str) -> None:
        whole = fold_with_offsets(asked.strip())[0]
        self.whole = whole if conditions.is_part(whole) else None
        self.parts = whole.split()
        runs = text.split_runs(asked)
        self.chinese = [run for run in runs if text.has_cjk(run)]
        words = [run for run in runs if not text.has_cjk(run)]
        self.words = QueryWords(words) if words else None

    def find_spans(self, line: str) -> Iterator[tuple[int, int]]:
        folded, places = fold_with_offsets(line)
        for part in self.find_parts(folded):
            for match in re.finditer(re.escape(part), folded):
                yield places[match.start()], places[match.end() - 1] + 1
        if self.words and not _UNSPACED.search(folded):
            for match in _WORD.finditer(folded):
                if match[0] in self.words:
                    yield places[match.start()], places[match.end() - 1] + 1

    def find_parts(self, folded: str) -> Iterator[str]:
        """Find verbatim matches; else Chinese words, and the pairs of a long one."""
        if _UNSPACED.search(folded):
            yield from self.parts
            return
        if self.whole is not None:
            yield self.whole
            return
        for run in self.chinese:
            yield from [run] if run in folded else text.extract_search_terms(run)[len(run) :]


class QueryWords:
    """The words of a query; inflections match, and of the last word a prefix."""

    def __init__(self, words: list[str]) -> None:
        self.stems = {stem for word in words for stem in text.extract_search_terms(word)}
        # Compare first letters before stemming, which is slow and keeps them.
        self.initials = {word[0] for word in words}
        self.beginning = conditions.find_last_word(words[-1])

    def __contains__(self, word: str) -> bool:
        if word[0] not in self.initials:
            return False
        is_begun = self.beginning is not None and word.startswith(self.beginning)
        return is_begun or not self.stems.isdisjoint(text.extract_search_terms(word))


def fold_with_offsets(line: str) -> tuple[str, Sequence[int]]:
    """Fold a text, and map each folded character to its original position."""
    if line.isascii():
        return line.lower(), range(len(line))
    folded = [unicodedata.normalize("NFKC", character).casefold() for character in line]
    return "".join(folded), [at for at, piece in enumerate(folded) for _ in piece]


def join_spans(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    whole: list[tuple[int, int]] = []
    for first, last in found:
        if whole and first <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(last, whole[-1][1]))
        else:
            whole.append((first, last))
    return whole
