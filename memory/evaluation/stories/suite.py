"""Tell stories of fourteen days and ask about them: what is found again, what is not, and what comes up unasked."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from echovessel.llm.protocol import LLM
from memory.evaluation import bonds, tally
from memory.evaluation.stories import asking, telling
from memory.evaluation.stories.asking import Judge
from memory.evaluation.stories.judging import ModelJudge
from memory.evaluation.stories.scripted import ScriptedLLM
from memory.evaluation.stories.story import Story, load_all
from memory.evaluation.tally import Evaluated, Tally
from memory.models import Session
from personas.models import Bond

# The figures that apply where a model chose the words.
JUDGED = (*tally.COMPARED, "live peak retention", "live false peaks")
# Sessions that were not consolidated: each makes the other figures worse.
FAILED = "failed talks"


def evaluate(
    *, offline: LLM, live: LLM | None, say: Callable[[str], None], stories: Sequence[Story] | None = None
) -> Evaluated:
    """Return the figures by language, each with its target and whether it held, and the misses.

    With `live` that model extracts and judges, and its figures have no target. Raises LLMError.
    """
    bonds.erase_all()
    told = load_all() if stories is None else stories
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for at, story in enumerate(told, start=1):
        say(f"Telling {story.name} ({at} of {len(told)})")
        if live is None:
            run_scripted(story, tallies[story.lang])
            run_offline(story, tallies[story.lang], llm=offline)
        else:
            run_live(story, tallies[story.lang], llm=live)
    names = JUDGED if live else tuple(tally.TARGETS)
    misses = [
        f"{name} {lang}  {miss}"
        for name in (*names, FAILED)
        for lang in sorted(tallies)
        for miss in tallies[lang].misses[name]
    ]
    return Evaluated(tally.build_figures(tallies, names=names, reported=live is not None), misses)


def run_scripted(story: Story, counted: Tally) -> None:
    """Run with a model that extracts what the story lists."""
    llm = ScriptedLLM(story)
    bond = tell(story, llm=llm, counted=counted)
    measure(story, bond, judge=asking.judge_by_story, counted=counted)
    asking.check_end_state(story, bond, tally=counted)
    counted.misses["things as they stand"] += [f"{story.name}: no prompt offered {one}" for one in llm.unoffered]


def run_offline(story: Story, counted: Tally, *, llm: LLM) -> None:
    bond = tell(story, llm=llm, counted=counted)
    asking.count_peaks(story, bond, of="offline", tally=counted)


def run_live(story: Story, counted: Tally, *, llm: LLM) -> None:
    bond = tell(story, llm=llm, counted=counted)
    measure(story, bond, judge=ModelJudge(llm), counted=counted)
    asking.count_peaks(story, bond, of="live", tally=counted)


def tell(story: Story, *, llm: LLM, counted: Tally) -> Bond:
    bond = telling.tell(story, llm=llm)
    for session in Session.objects.for_bond(bond).exclude(status=Session.Status.CLOSED).order_by("id"):
        counted.misses[FAILED].append(f"{story.name}: {session.started_at:%d %B} {session.failure_detail}")
    return bond


def measure(story: Story, bond: Bond, *, judge: Judge, counted: Tally) -> None:
    heard = asking.ask(story, bond, judge=judge, tally=counted)
    heard |= asking.say_unrelated_texts(story, bond, tally=counted)
    asking.check_forgotten(story, bond, heard=heard, tally=counted)
