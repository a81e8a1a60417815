"""Tell talks in which facts change, and ask: is the current value given, and nothing that is stale, forgotten or made up?

Each talk is told twice: to a model scripted to call its tools as a good one would, and to the rules alone. `asking` says
what is judged. Some of the talks and of the neutral lines are judged apart (*kept back*): nothing is tuned on these.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from chat.evaluation.facts import asking, processes, talks, telling
from chat.evaluation.facts.asking import (
    AGAIN,
    BACK,
    CURRENT,
    DOUBLES,
    NOT_FOUND,
    NOTHING,
    SAID,
    SAID_STALE,
    SOURCE,
    STALE,
)
from chat.evaluation.facts.models import ScriptedLLM
from chat.evaluation.facts.talks import Half, Talk
from echovessel.llm import provider
from echovessel.llm.protocol import LLM
from memory.evaluation import bonds, tally
from memory.evaluation.tally import GAP, LANGUAGES, Evaluated, Tally
from memory.facts import matching
from memory.facts.checks import wording
from memory.facts.rules import letting_go, over, reading
from memory.facts.rules.acts import Op, RuleAct

SCRIPTED, RULES, LIVE = "scripted", "rules alone", "live"
FALSE_WRITES = "false writes in neutral lines"
INTENT, FALSE_CLAIMS, UNDOABLE = "intent met", "false claims", "something to undo"
GAP_TARGET = ("<=", 0.05)
# The figures with the least or the most that they may be, first with tools, then by the rules alone.
TARGETS: dict[str, tuple[str, dict[str, float]]] = {
    CURRENT: (">=", {SCRIPTED: 0.95, RULES: 0.8}),
    STALE: ("<=", {SCRIPTED: 0.02, RULES: 0.1}),
    NOTHING: (">=", {SCRIPTED: 0.9, RULES: 0.9}),
    BACK: ("<=", {SCRIPTED: 0.0, RULES: 0.0}),
    AGAIN: (">=", {SCRIPTED: 1.0, RULES: 1.0}),
    SOURCE: (">=", {SCRIPTED: 1.0, RULES: 1.0}),
    DOUBLES: ("<=", {SCRIPTED: 0.02, RULES: 0.01}),
    FALSE_WRITES: ("<=", {SCRIPTED: 0.02, RULES: 0.01}),
}
# Reported: what the offline voice says by itself, and what came of what was told.
REPORTED = (SAID, SAID_STALE, NOT_FOUND, INTENT, FALSE_CLAIMS, UNDOABLE)
# The live values in a neutral line's bond, which a rule could set right.
SLOTS = {
    "en": {"work": "nurse", "home": "Leeds", "partner": "Ann", "preferred_name": "Sam", "diet": "vegan"},
    "zh": {"work": "护士", "home": "上海", "partner": "安安", "preferred_name": "小王", "diet": "吃素"},
}
# What stands there besides, which a neutral line could be read to change or to end.
STANDING = {
    "en": [
        "The user is allergic to cats.", "The user has a boat in Whitby.", "The user plays the cello.", "The user collects stamps.", "The user is on night shifts.",
        "The user sings in a choir.", "The user can't eat gluten.", "The user has a dog called Rex.", "The user's sister lives in Berlin.", "The user's bike is red.",
        "The user goes running on Fridays.", "The user has a garden.", "The user reads in the evening.", "The user's mother is ill.", "The user is afraid of flying.",
    ],
    "zh": [
        "用户对猫过敏。", "用户有一条船停在码头。", "用户练大提琴。", "用户集邮。", "用户上夜班。", "用户参加了合唱团。", "用户不能吃海鲜。", "用户养了一条狗叫豆豆。",
        "用户的姐姐住在柏林。", "用户的自行车是红色的。", "用户每周五跑步。", "用户有一个院子。", "用户晚上看书。", "用户的妈妈病了。", "用户怕坐飞机。",
    ],
}  # fmt: skip
LINES_BEFORE = 2
# By way, half and language.
Tallies = dict[tuple[str, Half, str], Tally]


def evaluate(*, live: LLM | None, say: Callable[[str], None], told: Sequence[Talk] | None = None) -> Evaluated:
    """Return the figures by way, half and language, each with its target and whether it held, and the misses.

    With `live` that model replies, calls and extracts, and its figures have no target. All talks are told by several processes,
    unless that model or the `told` ones are given. Raises LLMError.
    """
    bonds.erase_all()
    all_talks = talks.load_all() if told is None else told
    is_apart = live is None and told is None
    measured = processes.map_apart(measure, all_talks) if is_apart else map(partial(measure, live=live), all_talks)
    tallies: Tallies = defaultdict(Tally)
    for at, (talk, by_way) in enumerate(zip(all_talks, measured, strict=True), start=1):
        say(f"Told {talk.name} ({at} of {len(all_talks)})")
        for way, counted in by_way.items():
            tallies[way, talk.half, talk.lang].add(counted)
    for (_, half, lang), counted in tallies.items():
        count_false_writes(lang, half, counted)
    return Evaluated(build_figures(tallies), list_misses(tallies))


def measure(talk: Talk, *, live: LLM | None = None) -> dict[str, Tally]:
    """Tell a talk and ask about it in each way."""
    ways = {LIVE: live} if live is not None else {SCRIPTED: ScriptedLLM(talk), RULES: provider.get_fallback_llm()}
    return {way: run(talk, llm=llm) for way, llm in ways.items()}


def run(talk: Talk, *, llm: LLM) -> Tally:
    counted = Tally()
    bond, steps = telling.tell(talk, llm=llm)
    for one in steps:
        if one.step.call is not None:
            counted.count(INTENT, found=one.writes > 0, miss=f"{talk.name}: {one.step.say}")
        if one.is_claimed:
            counted.count_fault(FALSE_CLAIMS, found=one.writes == 0, miss=f"{talk.name}: {one.step.say}")
        if one.undone is not None:
            counted.count(UNDOABLE, found=one.is_undone, miss=f"{talk.name}: {one.undone.say}")
    asking.measure(telling.leave_out_never_undone(talk, steps), bond, llm=llm, counted=counted)
    return counted


def count_false_writes(lang: str, half: Half, counted: Tally) -> None:
    """Count the neutral lines of which the rules would write something; they are the same with tools and without."""
    lines = talks.load_neutral_lines(lang, half=half)
    for at, line in enumerate(lines):
        acts = reading.read_acts([line], lines[max(0, at - LINES_BEFORE) : at], SLOTS[lang]) or find_touched(line, lang)
        counted.count_fault(FALSE_WRITES, found=bool(acts), miss=line)


def find_touched(line: str, lang: str) -> list[str]:
    """Find the standing facts that a neutral line would change or end."""
    acts = reading.read_told([line])
    let_go = [
        STANDING[lang][at]
        for act in acts
        if act.op == Op.FORGET and not act.is_unsure
        for at in letting_go.find_meant(STANDING[lang], act.content)
    ]
    return let_go + [told for told in STANDING[lang] for act in acts if touches(act, told)]


def touches(act: RuleAct, told: str) -> bool:
    if act.endings:
        return any(over.is_over(told, ending) for ending in act.endings)
    if act.op == Op.FORGET:
        return not act.is_unsure and wording.tells(told, act.content)
    return act.change is not None and matching.weigh(told, content=act.content, change=act.change, is_asked=False) > 0


def build_figures(tallies: Tallies) -> list[dict[str, Any]]:
    made = [
        build_figure(name, way, half, lang, counted.value(name))
        for (way, half, lang), counted in sorted(tallies.items())
        for name in (*TARGETS, *REPORTED)
        if counted.found[name] + counted.missed[name]
    ]
    return [*made, *build_gaps(tallies)]


def build_figure(name: str, way: str, half: Half, lang: str, value: float) -> dict[str, Any]:
    sense, bounds = TARGETS.get(name, (">=", {}))
    target = (sense, bounds[way]) if way in bounds else None
    return tally.build_figure(join_names(way, name, half), lang, value, target=target)


def join_names(way: str, name: str, half: Half) -> str:
    return ", ".join(filter(None, (way, name, half)))


def build_gaps(tallies: Tallies) -> Iterator[dict[str, Any]]:
    """Build, for each way and half told in both languages, by how much Chinese is behind English in its worst figure."""
    senses = {name: sense for name, (sense, _) in TARGETS.items()}
    for half in talks.HALVES:
        for way in (SCRIPTED, RULES):
            of_lang = {lang: tallies[way, half, lang] for lang in LANGUAGES if (way, half, lang) in tallies}
            gap = tally.compute_worst_gap(of_lang, senses=senses)
            if gap is not None:
                yield tally.build_figure(join_names(way, GAP, half), "zh", gap, target=GAP_TARGET)


def list_misses(tallies: Tallies) -> list[str]:
    return [
        f"{join_names(way, name, half)} {lang}  {miss}"
        for (way, half, lang), counted in sorted(tallies.items())
        for name in (*TARGETS, *REPORTED)
        for miss in counted.misses[name]
    ]
