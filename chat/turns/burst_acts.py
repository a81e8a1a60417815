"""Reads what a burst asks for and tells, as acts on the facts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from chat.turns import own_words
from echovessel import chinese_script
from echovessel.llm.offline.text import cue_matching
from memory.facts import framing
from memory.facts.rules import changed, over, reading
from memory.facts.rules.acts import Kind, Op, RuleAct
from memory.models import ConceptNode


def read_acts(
    burst: Sequence[str], before: Sequence[str], of_session: Sequence[str], slot_values: Mapping[str, str]
) -> list[RuleAct]:
    """Read what the lines of a burst ask for and tell; the rules read simplified characters.

    `before` are the user's lines before it, `of_session` those of them that this session has.
    """
    said, earlier, here = (
        [chinese_script.read(own_words.read(line)) for line in lines] for lines in (burst, before, of_session)
    )
    # Who wants to be remembered asks for nothing to be noted.
    said = ["" if cue_matching.find_product_kind(line) == "kept_for_good" else line for line in said]
    asked, told = reading.read_acts(said, earlier, slot_values), reading.read_told(said, here, at=len(earlier))
    return own_words.leave_out_parts([*asked, *(say_once(one, asked) for one in told)], [*before, *burst])


def asks_to_note(burst: Sequence[str]) -> bool:
    """Whether the lines of a burst ask to remember or to forget something."""
    return any(act.kind in (Kind.REMEMBER, Kind.FORGET) for act in read_acts(burst, [], [], {}))


def say_once(told: RuleAct, asked: Sequence[RuleAct]) -> RuleAct:
    """Let what a line tells only end another fact where its rest fills a slot: "I'm not a nurse any more, I'm a vet now"."""
    slots = (act.content for act in asked if act.slot)
    filled = next((one for one in slots if one[:-1].casefold() in told.content.casefold()), "")
    return replace(told, content=filled or told.content)


def find_lapses(asked: Sequence[RuleAct], *, at: int, count: int) -> Iterator[RuleAct]:
    """Return the act that lets lapse what the lines from a position on say to hold no longer, if they ask to forget nothing; what they
    say to be so now takes its place.
    """
    if any(act.op == Op.FORGET for act in asked):
        return
    told = [act for act in asked if act.op == Op.CHANGE]
    lapse = RuleAct(kind=Kind.CORRECTION, op=Op.LAPSE, content="", lines=tuple(range(at, count)))
    marked = replace(lapse, is_marked=tells_change(asked))
    yield replace(marked, content=told[0].content, change=told[0].change) if len(told) == 1 else marked


def tells_change(asked: Sequence[RuleAct]) -> bool:
    """Whether what was read says that something is over or otherwise; not that a plan is done: 芝麻看过医生了 ends no cat."""
    ends = (act.op in (Op.END, Op.REPLACE) or {one.sort for one in act.endings} - {over.Sort.PLAN} for act in asked)
    return any(ends) or any(act.change is not None for act in asked)


def restore(act: RuleAct, *, told: str) -> RuleAct:
    """Return an act with what it writes in the characters in which it was told."""
    content, value = (chinese_script.restore(text, told=told) for text in (act.content, act.value))
    return replace(act, content=content, value=value)


def put_right(act: RuleAct, old: ConceptNode) -> RuleAct:
    """Let an act that only says what stands in the place of what, or changes one value of several, say the fact with it."""
    if kept := framing.keep_rest(old.description, act.content):
        return replace(act, content=kept)
    is_put_right = act.change is not None and act.change.instead
    return replace(act, content=changed.put_right(old.description, act.change)) if is_put_right and act.change else act
