"""Evaluate what a companion knows of what it knows: signals by rules, and whether it claims what it was never told.

Half is for tuning, the other half is judged apart (*kept back*): of signals the even lines; lives, and questions about the stories, in
files of their own.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from chat.evaluation.mind import stories, telling
from chat.evaluation.mind.telling import ToldLife
from echovessel.llm.inputs import Certainty
from echovessel.postgres import scratch
from memory.evaluation import bonds, tally
from memory.evaluation.mind import boundaries
from memory.evaluation.stories import telling as story_telling
from memory.evaluation.stories.scripted import ScriptedLLM
from memory.evaluation.stories.story import Story, load_all
from memory.evaluation.tally import GAP, LANGUAGES, Evaluated, Tally, Target
from memory.knowing import signals
from memory.knowing.confidence import Knowing
from memory.knowing.signals import Signals
from personas.models import Bond

FOLDER = Path(__file__).parent
SIGNALS, TRAPS, NOW_AND_LATER = "signals", "signal traps", "now and later: no state"
ANSWERED, ABSTAINED, CLAIMED = "told: answered", "not told: abstained", "not told: claimed as known"
NEAR_MORE = "not told, more that comes near: abstained"
LIVES_ANSWERED, LIVES_ABSTAINED = "more lives: answered", "more lives, not told: abstained"
TUNING_ALONE = (NEAR_MORE,)
STORY_ANSWERED, STORY_ABSTAINED, STORY_CLAIMED = (
    "stories: answer in the prompt, sure",
    "stories, not told: abstained",
    "stories, not told: claimed as known",
)
TARGETS = {
    SIGNALS: (">=", 0.95),
    TRAPS: (">=", 1.0),
    NOW_AND_LATER: (">=", 0.97),
    ANSWERED: (">=", 0.85),
    ABSTAINED: (">=", 0.85),
    CLAIMED: ("<=", 0.08),
    NEAR_MORE: (">=", 0.85),
    LIVES_ANSWERED: (">=", 0.85),
    LIVES_ABSTAINED: (">=", 0.85),
    STORY_ANSWERED: (">=", 0.85),
    STORY_ABSTAINED: (">=", 0.85),
    STORY_CLAIMED: ("<=", 0.08),
}
KEPT_BACK, CROWDED = ", kept back", ", among 10 000"
# The halves of the lives, as their files and their figures are named.
HALVES = {"": "", "_kept_back": KEPT_BACK}
GAP_TARGET = ("<=", 0.05)
SURE = tuple(one for one in Certainty if one.has_answer)
UNSURE = tuple(one for one in Certainty if not one.has_answer)
# The labels of `signals_*.txt`.
LABELS: dict[str, Callable[[Signals], bool]] = {
    "a": lambda found: found.asks,
    "p": lambda found: found.asks_past,
    "g": lambda found: found.greeting,
    "b": lambda found: found.bare,
    "+": lambda found: found.feedback > 0,
    "-": lambda found: found.feedback < 0,
    "r": lambda found: found.reference,
    "s": lambda found: found.shift,
    "t": lambda found: found.stay,
    "c": lambda found: found.crisis,
}
TRAP, NOTHING = "!", "."
# Whether a line is bare is judged of greetings and small talk; others of function words alone count as bare, too.
BARE, GREETS = "b", "g"


def evaluate(*, say: Callable[[str], None]) -> Evaluated:
    """Return the figures by language, each with its target, and the misses of the half for tuning: others must not be seen."""
    bonds.erase_all()
    tallies = {lang: Tally() for lang in LANGUAGES}
    for lang, counted in tallies.items():
        count_signals(lang, counted)
        count_now_and_later(lang, counted)
        for half, name in HALVES.items():
            say(f"Telling thirty things ({lang}{name})")
            count_thirty(telling.load_life(lang, half=half), counted, half=name)
            count_lives(telling.load_lives(lang, half=half), counted, half=name)
        for story in load_all():
            if story.lang == lang:
                say(f"Telling {story.name}")
                count_story(story, counted)
    bonds.erase_all()
    misses = [
        f"{lang} {name}: {miss}"
        for lang in LANGUAGES
        for name, missed in tallies[lang].misses.items()
        if not name.endswith(KEPT_BACK)
        for miss in missed
    ]
    of_boundaries = boundaries.evaluate()
    return Evaluated(figures=[*build_figures(tallies), *of_boundaries.figures], misses=[*misses, *of_boundaries.misses])


def count_signals(lang: str, counted: Tally) -> None:
    for at, line in enumerate(read_lines(f"signals_{lang}.txt")):
        labels, _, said = line.partition(" | ")
        found = signals.read(said, today=telling.NOW.date())
        is_small_talk = BARE in labels or GREETS in labels
        shown = {label for label, shows in LABELS.items() if shows(found) and (label != BARE or is_small_talk)}
        is_right = shown == set(labels) - {TRAP, NOTHING}
        miss = f"{said}  {''.join(sorted(shown))}, not {labels}"
        counted.count(SIGNALS + get_half(at), found=is_right, miss=miss)
        if TRAP in labels:
            counted.count(TRAPS + get_half(at), found=is_right, miss=miss)


def count_now_and_later(lang: str, counted: Tally) -> None:
    for at, line in enumerate(read_lines(f"now_{lang}.txt")):
        is_of_past = signals.read(line, today=telling.NOW.date()).asks_past
        counted.count(NOW_AND_LATER + get_half(at), found=not is_of_past, miss=line)


def count_thirty(life: ToldLife, counted: Tally, *, half: str) -> None:
    """Count what is known of thirty things, alone and among ten thousand memories."""
    bond = telling.tell(life)
    count_answers(life, bond, counted, half=half)
    for question in life.near_more:
        knowing = telling.ask(bond, question).knowing
        counted.count(NEAR_MORE, **judge(question, knowing, wanted=(*UNSURE, None)))
    telling.crowd(bond, lang=life.lang)
    scratch.update_statistics()
    count_answers(life, bond, counted, half=CROWDED + half)


def count_answers(life: ToldLife, bond: Bond, counted: Tally, *, half: str = "") -> None:
    for question in life.answerable:
        knowing = telling.ask(bond, question).knowing
        counted.count(ANSWERED + half, **judge(question, knowing, wanted=SURE))
    for question in (*life.near, *life.never):
        knowing = telling.ask(bond, question).knowing
        counted.count(ABSTAINED + half, **judge(question, knowing, wanted=UNSURE))
        counted.count_fault(CLAIMED + half, found=knowing.state is Certainty.KNOWN, miss=question)


def count_lives(lives: Sequence[ToldLife], counted: Tally, *, half: str = "") -> None:
    for life in lives:
        bond = telling.tell(life)
        for question in life.answerable:
            found = telling.ask(bond, question)
            if found.signals.asks_past:
                counted.count(LIVES_ANSWERED + half, **judge(question, found.knowing, wanted=SURE))
        for question in life.near:
            knowing = telling.ask(bond, question).knowing
            counted.count(LIVES_ABSTAINED + half, **judge(question, knowing, wanted=(*UNSURE, None)))


def count_story(story: Story, counted: Tally) -> None:
    bond = story_telling.tell(story, llm=ScriptedLLM(story))
    for half, asked in (("", story), (KEPT_BACK, stories.load_kept_back(story))):
        for question, knowing in stories.ask_answered(asked, bond):
            counted.count(STORY_ANSWERED + half, **judge(question, knowing, wanted=SURE))
        for question, knowing in stories.ask_untold(asked, bond):
            # One that is not taken for a question of the past gets no state, and claims nothing.
            counted.count(STORY_ABSTAINED + half, **judge(question, knowing, wanted=(*UNSURE, None)))
            counted.count_fault(STORY_CLAIMED + half, found=knowing.state is Certainty.KNOWN, miss=question)


def judge(question: str, knowing: Knowing, *, wanted: tuple[Certainty | None, ...]) -> dict[str, Any]:
    """Return whether the question got one of the wanted states, as `Tally.count` takes it."""
    return {"found": knowing.state in wanted, "miss": f"{question}  {knowing.state}, f {knowing.f:.2f}"}


def read_lines(name: str) -> list[str]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def get_half(at: int) -> str:
    return KEPT_BACK if at % 2 else ""


def build_figures(tallies: dict[str, Tally]) -> list[dict[str, Any]]:
    """Build each figure of each language, then by how much Chinese is behind in the worst of those kept back."""
    made = [
        tally.build_figure(name, lang, tallies[lang].value(name), target=target)
        for name, target in list_names()
        for lang in LANGUAGES
    ]
    senses = {name: sense for name, (sense, _) in list_names() if name.endswith(KEPT_BACK)}
    gap = tally.compute_worst_gap(tallies, senses=senses)
    return made if gap is None else [*made, tally.build_figure(GAP, "zh", round(gap, 3), target=GAP_TARGET)]


def list_names() -> Iterator[tuple[str, Target]]:
    """Yield the names of all figures with their targets."""
    for name, target in TARGETS.items():
        for among in ("", CROWDED) if name in (ANSWERED, ABSTAINED, CLAIMED) else ("",):
            for half in ("",) if name in TUNING_ALONE else ("", KEPT_BACK):
                yield name + among + half, target
