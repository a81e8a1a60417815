"""Messages in which a person narrates: recall should find the related memories of months ago, and nothing else.

The folder of a life says its half: recall's constants are chosen by the lives for development alone.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from memory.evaluation import bonds, tally
from memory.evaluation.baseline import Baseline
from memory.evaluation.narrating import lives
from memory.evaluation.narrating.lives import Half, Life, LifeQuestion, LivedBond
from memory.evaluation.tally import GAP, LANGUAGES, Evaluated, Target
from memory.facts import loaded_set
from memory.models import ConceptNode
from memory.recall import lines, memories, query_vectors
from personas.models import Bond

KEPT, TOLD, NOTHING = "memories among the kept", "messages told", "nothing where nothing bears"
WISHES_HEARD = "wishes: in the prompt, as a fact or a memory"
TARGETS = {KEPT: (">=", 0.65), TOLD: (">=", 0.5), NOTHING: (">=", 0.85), f"days: {TOLD}": (">=", 0.85)}
GAP_TARGET = ("<=", 0.05)
SHOWN_CHARACTERS = 70


@dataclass(frozen=True)
class NarratingResult:
    """The ids that a turn was given for a text, and the baselines' rankings of the memories."""

    life: str
    lang: str
    half: Half
    kind: str
    asked: LifeQuestion
    kept: list[str]
    told: list[str]
    # The facts that every prompt holds.
    known: list[str]
    # Memories and messages together, also the companion's.
    given: int
    baselines: dict[str, list[str]]

    def share(self, found: Sequence[str]) -> float:
        """Return the share of related ids that was found."""
        return len(set(self.asked.find).intersection(found)) / len(self.asked.find)


def evaluate(*, say: Callable[[str], None]) -> Evaluated:
    """Return the figures, those of the judged half with their targets, and the misses of the half for development."""
    bonds.erase_all()
    answers: list[NarratingResult] = []
    for name, life in lives.load_all().items():
        say(f"Living {name}")
        answers += ask(name, life, lives.write(life))
    made = [figure for half in lives.FOLDERS for figure in build_figures(answers, half=half)]
    shown = [one for one in answers if one.half == "development"]
    return Evaluated(figures=made, misses=[miss for one in shown for miss in format_misses(one)])


def ask(name: str, life: Life, lived: LivedBond) -> Iterator[NarratingResult]:
    bond = Bond.objects.select_related("user", "persona").get(pk=lived.bond_id)
    baseline = Baseline(list(ConceptNode.objects.for_bond(bond).order_by("pk")), content="description")
    known = lived.find_memories(loaded_set.build(bond, now=life.asked_at).ids)
    kinds = {"": life.messages, "long": life.long_messages, "days": life.days, "wishes": life.wishes}
    for kind, asked in kinds.items():
        vectors = query_vectors.embed(bond, [one.say for one in asked])
        for one, vector in zip(asked, vectors, strict=True):
            recalled = memories.search(bond=bond, query=one.say, vector=vector, now=life.asked_at)
            told = lines.search(bond=bond, query=one.say, vector=vector, today=life.now, recalled=recalled)
            kept = recalled.kept
            ranked = baseline.rank_by_all(one.say, vector)
            yield NarratingResult(
                life=name,
                lang=life.lang,
                half=life.half,
                kind=kind,
                asked=one,
                kept=lived.find_memories(item.node.pk for item in kept),
                told=lived.find_told(word.message.pk for word in told),
                known=known,
                given=len(kept) + len(told),
                baselines={by: lived.find_memories(pks[: settings.RETRIEVE_K]) for by, pks in ranked.items()},
            )


def build_figures(answers: Sequence[NarratingResult], *, half: str) -> Iterator[dict[str, Any]]:
    means: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for lang in LANGUAGES:
        of_lang = [one for one in answers if one.half == half and one.lang == lang]
        for name, counted in collect_values(of_lang).items():
            means[name][lang] = sum(counted) / len(counted)
    for name, by_lang in means.items():
        for lang, value in by_lang.items():
            yield build_figure(name, lang, value, half=half, target=TARGETS.get(name))
    behind = [by_lang["en"] - by_lang["zh"] for name, by_lang in means.items() if name in TARGETS and len(by_lang) > 1]
    if behind:
        yield build_figure(GAP, "zh", max(0.0, *behind), half=half, target=GAP_TARGET)


def collect_values(answers: Sequence[NarratingResult]) -> dict[str, list[float]]:
    """Collect the values of all answers for each figure, which is their mean."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for one in answers:
        if not one.asked.find:
            found[NOTHING].append(float(one.given == 0))
            continue
        of_kind = f"{one.kind}: " if one.kind else ""
        found[of_kind + KEPT].append(one.share(one.kept))
        found[of_kind + TOLD].append(one.share(one.told))
        if one.kind == "wishes":
            found[WISHES_HEARD].append(one.share([*one.kept, *one.known]))
        for by, ranked in one.baselines.items():
            found[f"{of_kind}{by}, memories among {settings.RETRIEVE_K}"].append(one.share(ranked))
    return found


def build_figure(name: str, lang: str, value: float, *, half: str, target: Target | None) -> dict[str, Any]:
    """Build a figure; only the judged half has a target."""
    return tally.build_figure(f"{half}, {name}", lang, value, target=target if half == "judged" else None)


def format_misses(one: NarratingResult) -> Iterator[str]:
    said = f"{one.life}, {one.half}: {one.asked.say.strip()[:SHOWN_CHARACTERS]}"
    for id in one.asked.find:
        lacking = [what for what, found in ((KEPT, one.kept), (TOLD, one.told)) if id not in found]
        if lacking:
            yield f"{said}  {id} is not among the {' and the '.join(lacking)}"
    if not one.asked.find and one.given:
        yield f"{said}  brings {', '.join(dict.fromkeys([*one.kept, *one.told])) or 'a reply'}"
