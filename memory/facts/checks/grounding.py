"""Decide whether a content was said: only then is a model's call as good as the user's own words."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date, timedelta

from echovessel import lazy_re as re
from echovessel import periods, text
from echovessel.llm.offline.text import lexicon
from echovessel.periods import Period, days
from memory.facts.checks import other_languages

# How a content speaks of the user; nobody says it of themselves.
THIRD_PERSON = frozenset(text.extract_terms("user 用户"))
# What a user says of themselves has another form in the third person, which the stemmer does not lead back.
_FIRST_PERSON = {"goe": "go"}
# How many of the user's lines before a burst count, too.
LINES_BEFORE = 6
SAID_SHARE = 0.5
# What stands before a day that is left out.
_OF_DAYS = frozenset(text.extract_terms("since around early mid late"))
# How long something lasts already.
_LASTING = re.compile(
    rf"\bfor (?:about |nearly |almost |over |more than |the (?:last|past) )?(?P<number>{text.COUNT.pattern}) (?P<unit>year|month)s?\b"
    rf"|(?P<han>{text.COUNT.pattern})(?:多)?(?P<han_unit>年|个月)(?:多)?了"
)
_LONGEST_COUNT = 4
_DIGITS = re.compile(r"\d+")
_YEAR_OF = re.compile(r"\b(?P<of>[a-z]+|Year|Christmas|Easter) (?:of )?(?P<year>20\d\d)\b")
_MONTH = timedelta(31)
# What people list one by one.
_COUNTS = frozenset("2345")
_NUMBERED_NAME = re.compile(r"(?=\S*\d)\S*[^\W\d]\S*")


def is_grounded(
    content: str,
    said: Sequence[str],
    *,
    today: date | None = None,
    speakers: Sequence[str] = (),
    known: str = "",
    names: str = "",
) -> bool:
    """Whether every name, number and day of a content, and half of its other terms, stand in what was said: the burst and the
    six lines of the user before it.

    The names of the two who talk, and others that are known, need not be said. With `today`, a day may be said in other words:
    "since Tuesday" is the 24th. What is `known` need not be said again, if the content says something more.
    """
    if not are_names_said(content, [*said, known], today=today, speakers=speakers, known=names):
        return False
    heard = "\n".join(said)
    undated = leave_out_told_days(content, said, today=today)
    own = split_names(speakers)
    if other_languages.is_of_other_language(content, said):
        return other_languages.is_said(undated, said, known=known, own=own)
    told_before = (
        own | set(text.extract_terms(known)) if known else {text.stem(one) for one in find_names(undated) | own}
    )
    plain = "\n".join(map(lexicon.normalise, said))
    heard_terms = {*text.extract_terms(f"{heard}\n{plain}"), *text.find_numbers(text.fold(heard))}
    terms_by_form = [{_FIRST_PERSON.get(term, term) for term in extract_own_terms(one)} for one in (content, undated)]
    if undated != content:
        terms_by_form[1] -= _OF_DAYS
    return any(
        len(terms & heard_terms) >= max(bool(known), SAID_SHARE * len(terms))
        for terms in (one - told_before for one in terms_by_form)
    )


def are_names_said(
    content: str, said: Sequence[str], *, today: date | None = None, speakers: Sequence[str] = (), known: str = ""
) -> bool:
    """Whether every name, number and day of a content stands in what was said; known names, and those of the two who talk, need not."""
    heard, own = "\n".join(said), split_names(speakers)
    undated = leave_out_told_days(content, said, today=today)
    names = find_names(undated) - own
    if other_languages.is_of_other_language(content, said):
        return other_languages.are_names_said(names, leave_out(own, text.fold(undated)), [heard, known])
    numbers = text.find_numbers(leave_out(own, text.fold(undated)))
    heard_words = {word for word, _ in text.split_words(f"{heard}\n{known}")}
    # "To Wednesday by Rudy" is on Wednesdays.
    heard_words |= {f"{word}s" for word in heard_words if word.endswith("day")}
    said_numbers = text.fold(heard).replace("’", "'")
    # Who says "a 10k" may have run 10 km.
    unsaid = set(numbers) - {*text.find_numbers(said_numbers), *_DIGITS.findall(said_numbers)}
    years = {match["year"] for match in _YEAR_OF.finditer(undated) if is_year_of(match, heard_words, today)}
    return names <= heard_words and all(is_count(one, numbers, names) for one in unsaid - years)


def is_year_of(match: re.Match[str], heard: Collection[str], today: date | None) -> bool:
    """Whether this year, or one beside it, only dates what was said: "until summer 2027" of who said "til summer"."""
    is_near = today is not None and abs(int(match["year"]) - today.year) <= 1
    return is_near and match["of"].lower() in heard and bool(text.extract_terms(match["of"]))


def is_count(number: str, numbers: Sequence[str], names: Collection[str]) -> bool:
    """Whether a number only counts what a content lists: two sons, Tom and Ben; 两个孩子，老大五岁，老二八个月."""
    others = [one for one in numbers if one != number]
    return number in _COUNTS and int(number) in (len(names), len(others))


def find_names(content: str) -> set[str]:
    """Find the words with a capital; the first one has it anyway."""
    return {word for word, is_name in text.split_words(content)[1:] if is_name}


def split_names(speakers: Sequence[str]) -> set[str]:
    return {word for speaker in speakers for word in text.fold(speaker).split()}


def leave_out_told_days(content: str, said: Sequence[str], *, today: date | None) -> str:
    """Leave out the days that were said, or of another language, that may have been."""
    if today is None:
        return content
    if other_languages.is_of_other_language(content, said):
        return other_languages.leave_out_dates(content, said, today=today)
    return leave_out_days(content, "\n".join(said), today=today)


def leave_out_days(content: str, heard: str, *, today: date) -> str:
    """Leave the days of a content out, if each is a time that was said: the same or a longer one around it, or the day that is
    as many weeks, months or years away; or now, since what grows old is noted with its day: "17 (November 2026)".
    """
    told = periods.find_periods(content, today=today)
    given = periods.find_periods(heard, today=today) if told else []
    began = find_beginnings(heard, today=today) if told else set()
    # A day without its year is told as the last and the next one: one of them is enough.
    by_day = defaultdict(list)
    for one in told:
        by_day[one.start.month, one.start.day, one.end == one.start].append(one)
    is_heard = all(
        any(
            one.start in began
            or is_now(one, today=today)
            or any(is_same_time(one, other, today=today) for other in given)
            for one in alike
        )
        for alike in by_day.values()
    )
    return periods.remove_periods(content, today=today) if told and is_heard else content


def is_now(told: Period, *, today: date) -> bool:
    """Whether a period is today, or the week or month around it; "since the 11th" ends today and is not."""
    return told.start == told.end == today or told.start <= today < told.end <= told.start + _MONTH


def is_same_time(told: Period, given: Period, *, today: date) -> bool:
    """Whether a period is what another one says: "two weeks ago" is its whole week, and the day two weeks ago."""
    is_around = told.start < given.start and given.end <= told.end
    is_distance = (told.start - today).days % 7 == 0 or told.start.day == today.day
    is_day = told.end in (told.start, today)
    return told.start == given.start or is_around or (is_day and is_distance and given.start <= told.start <= given.end)


def find_beginnings(said: str, *, today: date) -> set[date]:
    """Find since when something lasts, as the first day of that year or month: "for ten years", 三年了."""
    found = set()
    for match in _LASTING.finditer(text.fold(said)):
        count, unit = text.read_number(match["number"] or match["han"]), match["unit"] or match["han_unit"]
        is_years = unit in ("year", "年")
        months = int(count) * (12 if is_years else 1) if count.isdigit() and len(count) <= _LONGEST_COUNT else 0
        if 0 < months < 12 * (today.year - 1):
            first = days.shift_by_months(today, -months).replace(day=1)
            found.add(first.replace(month=1) if is_years else first)
    return found


def leave_out(names: Collection[str], folded: str) -> str:
    """Leave names out of a folded text: one may hold a number, as in mara92."""
    for name in names:
        if _NUMBERED_NAME.fullmatch(name):
            folded = folded.replace(name, " ")
    return folded


def extract_own_terms(content: str) -> list[str]:
    """Extract the terms of a fact without the user as its subject, as their own words have them: 我家的猫, not 用户家的猫."""
    return [term for term in text.extract_terms(content.replace("用户", "我")) if term not in THIRD_PERSON]
