"""Where a scene may end by what is said: a gate without a model, and what of a model's answer is believed.

The gate is TextTiling (Hearst 1997): where the lines before and behind a border share few rare terms, between stretches
that share more, and where many rare terms are new, the subject changes. Vectors of short lines tell subjects badly.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from echovessel import lazy_re as re
from echovessel import text
from memory.models import Message
from memory.story import grounding
from memory.story.scenes import borders, cues

# So many lines on either side of a border are compared. Half as many find a third less.
BESIDE = 8
# New is what the nearest lines behind a border say and so many lines before it did not; it tells more than the valley.
NEW_AHEAD, NEW_SINCE = 4, 16
VALLEY_SHARE = 0.5
# The newest lines are not judged: what follows may go on with them.
NEWEST = 8
# A scene has so many lines behind the break before it.
LEAST = 10
# It looks once so many borders are new.
NEW_LEAST = 8
SENT_MOST = 3
# Of candidates so near one another one is sent.
BESIDE_LINES = 2
# What a cue or another day adds to the depth of a border, of which the mean is about 1.5.
CUE_DEPTH, DAY_DEPTH = 1.5, 0.5


@dataclass(frozen=True)
class Candidate:
    """A border at which a scene may end: the index of its last line, and how deep the valley is."""

    at: int
    depth: float


@dataclass(frozen=True)
class Talk:
    """A bond's newest told lines in order; those from index `begins` on are the open scene."""

    lines: Sequence[Message]
    begins: int = 0

    @cached_property
    def ends(self) -> list[bool]:
        return borders.find_borders(self.lines)

    @cached_property
    def depths(self) -> list[float]:
        """How deep the border behind each line is: its valley of shared terms, and its new terms, each in means of the talk."""
        terms = [extract(line.content) for line in self.lines]
        valleys, news = self.scale(measure_valleys(terms)), self.scale(measure_news(terms))
        return [VALLEY_SHARE * valley + new for valley, new in zip(valleys, news, strict=True)]

    @cached_property
    def mean_depth(self) -> float:
        """The mean depth behind turns, of those that are valleys at all."""
        return self.average(self.depths)

    def scale(self, measured: Sequence[float]) -> list[float]:
        mean = self.average(measured)
        return [value / mean if mean else 0.0 for value in measured]

    def average(self, measured: Sequence[float]) -> float:
        found = [value for value, ends in zip(measured, self.ends, strict=True) if ends and value > 0]
        return sum(found) / len(found) if found else 0.0

    def find_eligible(self, *, past: int = 0) -> list[int]:
        """Find the borders at which the open scene may end, of lines with ids above `past`."""
        first, last = self.begins + LEAST - 1, len(self.lines) - NEWEST
        return [at for at in range(first, last) if self.ends[at] and self.lines[at].pk > past]

    def is_cue(self, at: int) -> bool:
        """Whether somebody says goodbye at the border, or the user begins with another subject behind it."""
        behind = self.lines[at + 1] if at + 1 < len(self.lines) else None
        opens = behind is not None and behind.role == Message.Role.USER and cues.opens_subject(behind.content)
        turn = [line for line in self.lines[max(0, at - 3) : at + 1] if line.turn_id == self.lines[at].turn_id]
        return opens or any(cues.closes_talk(line.content) for line in (*turn, self.lines[at]))

    def is_other_day(self, at: int) -> bool:
        return at + 1 < len(self.lines) and self.lines[at].day != self.lines[at + 1].day


def extract(said: str) -> Counter[str]:
    return Counter(text.extract_terms(said))


def find_candidates(talk: Talk, *, past: int = 0, forced: bool = False) -> list[Candidate]:
    """Find where the open scene may end, of borders with ids above `past`, the deepest first, at most three.

    A valley counts from the mean of the talk's depths; so do a goodbye, a change of subject in words, and another day.
    Forced, the deepest borders count whatever their depth.
    """
    found: dict[Candidate, bool] = {}
    for at in talk.find_eligible(past=past):
        depth = talk.depths[at]
        bonus = (CUE_DEPTH if talk.is_cue(at) else 0.0) + (DAY_DEPTH if talk.is_other_day(at) else 0.0)
        is_valley = depth > 0 and depth >= talk.mean_depth and is_lowest(talk, at)
        if is_valley or bonus or forced:
            found[Candidate(at=at, depth=depth + bonus)] = bonus > 0
    # What is said in words wins over a valley beside it.
    apart: list[Candidate] = []
    for one in sorted(found, key=lambda one: (not found[one], -one.depth, one.at)):
        if all(abs(one.at - other.at) > BESIDE_LINES for other in apart):
            apart.append(one)
    return sorted(apart, key=lambda one: (-one.depth, one.at))[:SENT_MOST]


def is_lowest(talk: Talk, at: int) -> bool:
    """Whether no border within two lines is deeper."""
    beside = range(max(0, at - BESIDE_LINES), min(len(talk.lines), at + BESIDE_LINES + 1))
    near = [talk.depths[other] for other in beside if talk.ends[other]]
    return talk.depths[at] >= max(near, default=0.0)


def measure_valleys(terms: Sequence[Counter[str]]) -> list[float]:
    """Measure behind each line how far the likeness of both sides lies under the nearest peaks: 0 to 2."""
    likeness = measure_likeness(terms)
    depths = []
    for at, low in enumerate(likeness):
        before, behind = _climb(likeness, at, -1), _climb(likeness, at, 1)
        depths.append(max(0.0, before - low) + max(0.0, behind - low))
    return depths


def _climb(likeness: Sequence[float], at: int, step: int) -> float:
    """Return the peak that is reached uphill from a place, over dips of one line."""
    peak, dips = likeness[at], 0
    at += step
    while 0 <= at < len(likeness):
        if likeness[at] >= peak:
            peak, dips = likeness[at], 0
        else:
            dips += 1
            if dips > 1:
                break
        at += step
    return peak


def measure_likeness(terms: Sequence[Counter[str]]) -> list[float]:
    """Measure behind each line the cosine of the rare terms of the lines before and behind it."""
    rarity = weigh_by_rarity(terms)
    # What lies behind a line lies before the one eight further on.
    sides = [_weigh(terms[max(0, at) : at + BESIDE], rarity) for at in range(1 - BESIDE, len(terms) + 1)]
    return [_compare(before, behind) for before, behind in zip(sides, sides[BESIDE:], strict=False)]


def measure_news(terms: Sequence[Counter[str]]) -> list[float]:
    """Measure behind each line the rarity of the terms that are new there, the nearer the more; at the end nothing is."""
    rarity = weigh_by_rarity(terms)
    found = []
    for at in range(len(terms)):
        known = set().union(*terms[max(0, at - NEW_SINCE + 1) : at + 1])
        weight = 0.0
        for distance, line in enumerate(terms[at + 1 : at + 1 + NEW_AHEAD]):
            weight += (1 - distance / NEW_AHEAD) * sum(rarity[term] for term in line if term not in known)
            known |= line.keys()
        found.append(weight)
    return found


def weigh_by_rarity(terms: Sequence[Counter[str]]) -> dict[str, float]:
    holders = Counter(term for line in terms for term in line)
    return {term: math.log((len(terms) + 1) / count) for term, count in holders.items()}


def _weigh(lines: Sequence[Counter[str]], rarity: Mapping[str, float]) -> dict[str, float]:
    counts = Counter(chain.from_iterable(line.elements() for line in lines))
    weights = {term: (1 + math.log(count)) * rarity[term] for term, count in counts.items()}
    length = math.hypot(*weights.values())
    return {term: weight / length for term, weight in weights.items()}


def _compare(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(one[term] * other[term] for term in one.keys() & other.keys())


# What a reason may name beside what changes; alone it ends no scene.
_FORMATTING = re.compile(
    r"-{3,}|\*{3,}|={3,}|\bdash(?:es|ed)?\b|asterisks?|punctuation|separator|divider|horizontal|formatt?ing|markdown|heading|blank line|line break|emoji|分隔|分割线|破折号|标点|格式|标题|换行|空行|表情",
    re.IGNORECASE,
)
_INWARD = re.compile(
    r"\b(?:mood|tone|emotion\w*|feel\w*|atmosphere|plan\w*|decision|decid\w*|resol\w*|agree\w*|realis\w*|realiz\w*|promis\w*|intent\w*)\b"
    r"|情绪|心情|语气|气氛|感受|计划|决定|打算|决心|答应|意识到",
    re.IGNORECASE,
)
_OUTWARD = re.compile(
    r"\b(?:subject|topic|theme|talk(?:s|ing)? about|turn(?:s|ed|ing)? to|switch\w*|mov(?:e|es|ed|ing) on|another|different|new|other|time|later|next|day|morning|afternoon|evening|night|week|hours?|"
    r"tomorrow|place|location|somewhere|arriv\w*|leav\w*|left|go(?:es|ing)? (?:home|out|to|off)|return\w*|home|company|joins?|joined|someone|somebody|people|goodbye|farewell|bye|parting|ends?|sleep)\b"
    r"|话题|主题|聊到|转到|转向|换|别的|另|新|时间|后来|之后|第二天|早上|上午|下午|晚上|夜|小时|明天|地点|地方|到了|到达|离开|回家|出门|回来|加入|来了|走了|告别|道别|再见|晚安|睡",
    re.IGNORECASE,
)
_UNCHANGED = re.compile(
    r"\b(?:same|stays?|still|remains?|unchanged|continu\w*|keeps?|no (?:new|other|change)|not? chang\w*|(?:not|n't) (?:a )?(?:new|different|other))\b|不变|没变|仍|还是|依旧|继续|同一|一样|没有(?:新|换|变)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;.!?，；。！？、]|\b(?:but|while|although|though|whereas)\b|而|但|虽然")


def check_answer(
    talk: Talk, sent: Sequence[Candidate], *, break_after: int | None, quote: str, reason: str
) -> tuple[Candidate | None, str]:
    """Return the candidate that an answer names, or None with why it is refused. `sent` are numbered from 1."""
    if break_after is None:
        return None, "no scene ends here"
    if not 1 <= break_after <= len(sent):
        return None, f"number {break_after} was not sent"
    chosen = sent[break_after - 1]
    beside = talk.lines[chosen.at : chosen.at + 2]
    if not any(grounding.holds_quote(line.content, quote) for line in beside):
        return None, "the quote is not in that line or the next"
    if is_no_reason(reason):
        return None, "formatting, a mood, a plan or a decision ends no scene"
    return chosen, ""


def is_no_reason(reason: str) -> bool:
    """Whether a reason names formatting, a mood, a plan or a decision, and no other subject, time, place or company."""
    changed = " ".join(clause for clause in _CLAUSE.split(reason) if not _UNCHANGED.search(clause))
    names_other = _FORMATTING.search(reason) or _INWARD.search(reason)
    return names_other is not None and _OUTWARD.search(changed) is None


def force(talk: Talk, sent: Sequence[Candidate]) -> int | None:
    """Choose where a scene ends that is too long: at the deepest valley, else at the border nearest the middle.

    Returns the index of its last line, or None where no turn ends in it.
    """
    if sent and max(one.depth for one in sent) > 0:
        return max(sent, key=lambda one: (one.depth, -one.at)).at
    inside = range(talk.begins, len(talk.lines) - 1)
    middle = talk.begins + (len(talk.lines) - talk.begins) / 2
    ends = [at for at in inside if talk.ends[at]]
    return min(ends, key=lambda at: (abs(at + 1 - middle), at), default=None)
