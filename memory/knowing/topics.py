"""What a talk is about, turn by turn: by names, words that announce a change, and silence.

Vectors alone do not tell the subjects of short messages: the median cosine of a talk's next message to its centre is
0.20, of another talk's first message 0.19. So evidence of a change is gathered over turns. A topic never divides memory;
a wrong one hurts nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import hypot

from echovessel import lazy_re as re
from echovessel import text
from echovessel.embeddings import embedding, vectors
from memory.knowing.signals import Signals
from memory.models import Topic
from memory.models.topics import MOST_TERMS, TERM_CHARACTERS
from memory.recall import scoring
from memory.recall.recent_topics import RecentTopics

SHIFT, OTHER_NAMES, UNLIKE, SAME_NAME, LIKE, BRIEF = 0.6, 0.6, 0.4, -0.6, -0.4, -0.3
UNLIKE_BELOW, LIKE_FROM = 0.25, 0.40
SHARED_TERMS_WEIGHT = 0.5
FEW_WORDS = 6
CARRIED_OVER = 0.5
# From which gathered evidence on a topic ends: without a focus, under any, and under one that the user asked for.
CHANGES_FROM, CHANGES_FROM_FOCUS, CHANGES_FROM_EXPLICIT = 0.6, 1.1, 1.6
INFERRED_STREAK = 5
FOCUS_LASTS = timedelta(hours=2)
CENTRE_MOST = 20
# A later topic goes on with an earlier one of which it names so much.
RESUMED_SHARE = 0.5
TURNS_OFF = 2
_PRECISION = 9
_CHANGE_SUBJECT = re.compile(
    r"\b(?:change|switch|drop) the (?:subject|topic)\b|\btalk about something (?:else|different)\b"
    r"|换个?话题|换一个话题|(?:说|聊)点?(?:别|其他|其它)的"
)
_CONTINUING = re.compile(
    r"\W*(?:(?:he|she|it|they|him|her|them|this|that|these|those|we|you|his|their|its|and|but|so|or|because|then|also|though)\b"
    r"|[他她它]|这|那|我们|你|而且|但是?|可是|不过|所以|因为|还有|也|然后|就是|后来)"
)


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What a turn says of its subject: its text, the entities it names, and its vector where it has a usable one.

    `shift`: it announces another subject; `stay`: it says what the user wants to talk about.
    """

    said: str
    shift: bool = False
    stay: bool = False
    named: frozenset[int] = frozenset()
    vector: Sequence[float] | None = None
    model: str = ""
    # The model's mean cosine of unrelated texts.
    baseline: float = 0.0

    @property
    def ends_focus(self) -> bool:
        return _CHANGE_SUBJECT.search(text.fold(self.said)) is not None

    @property
    def terms(self) -> list[str]:
        """Its first terms, each once."""
        once = dict.fromkeys(term for term in text.extract_terms(self.said) if len(term) <= TERM_CHARACTERS)
        return list(once)[:MOST_TERMS]


def build_subject(said: str, heard: Signals, *, named: frozenset[int], vector: Sequence[float] | None) -> Subject:
    """Build the subject of a turn from its signals; the vector is of the embedding model in use."""
    return Subject(
        said=said,
        shift=heard.shift,
        stay=heard.stay,
        named=named,
        vector=vector,
        model=embedding.get_model_name(),
        baseline=embedding.get_cosine_baseline(),
    )


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """For a change of subject, if positive, and against it."""

    shift: float = 0.0
    names: float = 0.0
    likeness: float = 0.0
    brief: float = 0.0

    @property
    def total(self) -> float:
        return round(self.shift + self.names + self.likeness + self.brief, _PRECISION)


@dataclass(frozen=True, kw_only=True)
class Step:
    """How a turn moves a talk's subject; `topic` is what is stored after it."""

    topic: Topic
    is_new: bool
    # Whether an earlier topic goes on.
    is_resumed: bool = False
    evidence: Evidence = Evidence()
    likeness: float | None = None

    @property
    def is_focused(self) -> bool:
        return bool(self.topic.focus)

    @property
    def has_left_focus(self) -> bool:
        """Whether the user has moved off what they wanted to talk about."""
        return self.topic.focus == Topic.Focus.EXPLICIT and self.topic.turns_off == TURNS_OFF


def take_step(known: RecentTopics, subject: Subject, *, is_return: bool, now: datetime) -> Step:
    """Decide whether a turn goes on with the current topic, with an earlier one, or begins another.

    The result's topic has no turn, bond or session yet; one that goes on keeps its id.
    """
    topic = known.current
    if topic is None or is_return:
        return Step(topic=begin(subject, now=now), is_new=True)
    focus = "" if subject.ends_focus else find_focus(topic, now=now)
    likeness = compute_likeness(topic, subject)
    evidence = weigh(topic, subject, beside=known.beside, likeness=likeness)
    acc = round(CARRIED_OVER * max(topic.acc, 0.0) + evidence.total, _PRECISION)
    if acc >= get_threshold(focus):
        # The newest of which half the entities are named.
        earlier = next((one for one in known.earlier if is_shared(one, subject.named)), None)
        if earlier is not None:
            resumed = resume(earlier, subject, now=now)
            return Step(topic=resumed, is_new=True, is_resumed=True, evidence=evidence, likeness=likeness)
        return Step(topic=begin(subject, now=now), is_new=True, evidence=evidence, likeness=likeness)
    is_off = evidence.total > 0
    # Names that lead away are none of the topic's. From one without names a turn that goes on with it leads nowhere: whom it is
    # about was not known yet when it began.
    leads_away = evidence.names > 0 and (is_off or bool(topic.entity_ids))
    own = replace(subject, named=frozenset()) if leads_away else subject
    gone_on = go_on(topic, own, acc=acc, focus=focus, is_off=is_off, now=now)
    return Step(topic=gone_on, is_new=False, evidence=evidence, likeness=likeness)


def is_first_turn(topic: Topic) -> bool:
    """Whether the topic's last turn is the one that it began or was resumed with."""
    return topic.streak == 1 and not topic.turns_off


def find_focus(topic: Topic, *, now: datetime) -> str:
    """Return the topic's focus, if it still lasts."""
    lasts = topic.focus_at is not None and timedelta() <= now - topic.focus_at < FOCUS_LASTS
    return topic.focus if lasts else ""


def get_threshold(focus: str) -> float:
    if focus == Topic.Focus.EXPLICIT:
        return CHANGES_FROM_EXPLICIT
    return CHANGES_FROM_FOCUS if focus else CHANGES_FROM


def weigh(topic: Topic, subject: Subject, *, beside: Collection[int], likeness: float | None) -> Evidence:
    """Weigh what a turn says for a change of subject, and against it."""
    return Evidence(
        shift=SHIFT if subject.shift or subject.ends_focus else 0.0,
        names=weigh_names(topic, subject.named, beside=beside),
        likeness=weigh_likeness(likeness),
        brief=BRIEF if is_brief(subject.said) else 0.0,
    )


def weigh_names(topic: Topic, named: Collection[int], *, beside: Collection[int]) -> float:
    if set(topic.entity_ids).intersection(named):
        return SAME_NAME
    return OTHER_NAMES if named and not set(beside).intersection(named) else 0.0


def weigh_likeness(likeness: float | None) -> float:
    if likeness is None:
        return 0.0
    if likeness < UNLIKE_BELOW:
        return UNLIKE
    return LIKE if likeness >= LIKE_FROM else 0.0


def compute_likeness(topic: Topic, subject: Subject) -> float | None:
    """Compute the cosine to the topic's centre, and half the share of the turn's terms that the topic has; None where one
    of the two has no vector of the same model.
    """
    if topic.centre is None or subject.vector is None or topic.centre_model != subject.model:
        return None
    centre = topic.centre
    cosine = scoring.compute_cosine(centre, subject.vector) / (hypot(*centre) * hypot(*subject.vector))
    shared = scoring.compute_overlap(scoring.build_term_bag(subject.terms), scoring.build_term_bag(topic.terms))
    return vectors.rescale(cosine, baseline=subject.baseline) + SHARED_TERMS_WEIGHT * shared


def is_brief(said: str) -> bool:
    """Whether a text has few words (Chinese characters), or goes on from what was said before."""
    folded = text.fold(said)
    runs = text.split_runs(folded)
    count = sum(len(run) if text.has_cjk(run) else 1 for run in runs)
    return count < FEW_WORDS or _CONTINUING.match(folded) is not None


def is_shared(topic: Topic, named: Collection[int]) -> bool:
    own = set(topic.entity_ids)
    return bool(own) and len(own.intersection(named)) >= RESUMED_SHARE * len(own)


def begin(subject: Subject, *, now: datetime) -> Topic:
    topic = Topic(terms=subject.terms, entity_ids=sorted(subject.named), began_at=now, last_turn_at=now)
    move_centre(topic, subject)
    set_focus(topic, Topic.Focus.EXPLICIT if subject.stay else "", now=now)
    return topic


def resume(topic: Topic, subject: Subject, *, now: datetime) -> Topic:
    """Go on with an earlier topic, as if it began anew."""
    topic.streak, topic.turns_off, topic.acc = 1, 0, 0.0
    take_in(topic, subject, now=now)
    set_focus(topic, Topic.Focus.EXPLICIT if subject.stay else "", now=now)
    return topic


def go_on(topic: Topic, subject: Subject, *, acc: float, focus: str, is_off: bool, now: datetime) -> Topic:
    # A turn that leads away begins the count anew.
    topic.streak = 1 if is_off else topic.streak + 1
    topic.turns_off = topic.turns_off + 1 if is_off else 0
    topic.acc = acc
    take_in(topic, subject, now=now)
    if subject.stay:
        set_focus(topic, Topic.Focus.EXPLICIT, now=now)
    elif not focus:
        is_kept_to = topic.streak == INFERRED_STREAK and not subject.ends_focus
        set_focus(topic, Topic.Focus.INFERRED if is_kept_to else "", now=now)
    return topic


def take_in(topic: Topic, subject: Subject, *, now: datetime) -> None:
    """Add a turn's names, terms and vector; its terms come before older ones."""
    topic.turn_count += 1
    topic.entity_ids = sorted({*topic.entity_ids, *subject.named})
    topic.terms = list(dict.fromkeys([*subject.terms, *topic.terms]))[:MOST_TERMS]
    topic.last_turn_at = now
    move_centre(topic, subject)


def move_centre(topic: Topic, subject: Subject) -> None:
    """Move the centre to the mean of its messages' vectors, which holds still after 20."""
    if subject.vector is None:
        return
    if topic.centre is None or topic.centre_model != subject.model:
        topic.centre, topic.centre_model, topic.centre_count = list(subject.vector), subject.model, 1
    elif topic.centre_count < CENTRE_MOST:
        count = topic.centre_count
        topic.centre = [(a * count + b) / (count + 1) for a, b in zip(topic.centre, subject.vector, strict=True)]
        topic.centre_count = count + 1


def set_focus(topic: Topic, focus: str, *, now: datetime) -> None:
    topic.focus = focus
    topic.focus_at = now if focus else None
