"""The piece of a text that a search is shown by, with what was found marked by `[[` and `]]`."""

import re
import unicodedata
from collections.abc import Iterator

from memory import matching, text

WIDTH = 160
# So much of it comes before the first mark.
BEFORE = 40
_WORD = re.compile(r"[^\W_]+")


def of(said: str, asked: str) -> str:
    """One line of about WIDTH characters around the first place where the query occurs, or the text's beginning."""
    line = " ".join(said.split())
    found = joined(sorted(spans(line, asked)))
    start = cut(line, found[0][0] - BEFORE) if found else 0
    end = min(len(line), max(start + WIDTH, found[0][1] if found else 0))
    marked = "".join(pieces(line, start, end, [span for span in found if span[1] <= end]))
    return f"{'…' if start else ''}{marked}{'…' if end < len(line) else ''}"


def cut(line: str, at: int) -> int:
    """The beginning of a word near to a place."""
    if at <= 0:
        return 0
    space = line.find(" ", at, at + BEFORE)
    return at if space < 0 else space + 1


def pieces(line: str, start: int, end: int, found: list[tuple[int, int]]) -> Iterator[str]:
    for first, last in found:
        yield line[start:first]
        yield f"[[{line[first:last]}]]"
        start = last
    yield line[start:end]


def spans(line: str, asked: str) -> Iterator[tuple[int, int]]:
    """Where in a line the query stands as it is, and where its words do."""
    folded, places = fold(line)
    whole = fold(asked.strip())[0]
    for part in [whole] if matching.is_part(whole) else [*cjk_parts(folded, asked)]:
        for match in re.finditer(re.escape(part), folded):
            yield places[match.start()], places[match.end() - 1] + 1
    stems = {stem for run in text.runs(asked) if not text.has_cjk(run) for stem in text.search_terms(run)}
    last = text.runs(asked)[-1:]
    for match in _WORD.finditer(folded):
        word = match[0]
        if stems.intersection(text.search_terms(word)) or (last and len(last[0]) >= 3 and word.startswith(last[0])):
            yield places[match.start()], places[match.end() - 1] + 1


def cjk_parts(folded: str, asked: str) -> Iterator[str]:
    """Chinese words of the query; the pairs of a long one where it does not occur whole."""
    for run in text.runs(asked):
        if text.has_cjk(run):
            yield from [run] if run in folded else text.search_terms(run)[len(run) :]


def fold(line: str) -> tuple[str, list[int]]:
    """A text as words are compared, and where each of its characters stands in the original."""
    folded = [unicodedata.normalize("NFKC", character).casefold() for character in line]
    return "".join(folded), [at for at, piece in enumerate(folded) for _ in piece]


def joined(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that touch as one."""
    whole: list[tuple[int, int]] = []
    for first, last in found:
        if whole and first <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(last, whole[-1][1]))
        else:
            whole.append((first, last))
    return whole
