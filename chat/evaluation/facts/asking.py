"""Ask about a talk, and judge what a reply is given.

*Given* is what stands in the sections of the prompt about facts and memories: the loaded set, the slots, what was recalled,
all that is known. A fact of the past with its "until", and an event, which says what happened then, are not stale. Where
nothing was told, recall may bring no fact, and the reply may say none; the loaded set stands in every prompt and is not counted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chat.evaluation.facts import telling
from chat.evaluation.facts.models import ObservedLLM
from chat.evaluation.facts.talks import Probe, Talk, holds
from echovessel.llm.inputs import ReplyInputs
from echovessel.llm.protocol import LLM
from memory.evaluation.tally import Tally
from memory.facts import standing
from memory.models import ConceptNode
from personas.models import Bond

CURRENT, STALE, NOTHING = "current value given", "stale value given", "nothing where nothing was told"
BACK, AGAIN, SOURCE = "forgotten or undone, back", "learned again when said anew", "a source line holds it"
DOUBLES = "doubles among live facts"
SAID, SAID_STALE = "current value said", "stale value said"
NOT_FOUND = "nothing told, no loaded fact found"
State = ConceptNode.State


@dataclass(frozen=True)
class Given:
    """What a question was answered with: the texts that a reply was given, those of facts that hold, the facts that were
    recalled beside the loaded ones, whether some of these were found as well, and the reply.
    """

    texts: Sequence[str]
    facts: Sequence[str]
    recalled: Sequence[str]
    is_loaded_found: bool
    reply: str


def measure(talk: Talk, bond: Bond, *, llm: LLM, counted: Tally) -> None:
    """Ask all questions of a talk, and look at what stands in memory, also after an export and its restoration."""
    for probe in talk.probes:
        for asked in probe.ask:
            judge(talk, probe, asked, ask(bond, asked, llm=llm), counted)
    for asked in talk.nothing:
        judge_nothing(talk, asked, ask(bond, asked, llm=llm), counted)
    restored = telling.make_round_trip(bond)
    for probe in talk.probes:
        check_gone(talk, probe, [bond, restored], counted)
        check_told_anew(talk, probe, bond, counted)
    count_doubles(talk, bond, counted)


def ask(bond: Bond, asked: str, *, llm: LLM) -> Given:
    """Ask in a session of its own, which is erased afterwards."""
    observed = ObservedLLM(llm)
    turn = telling.say(bond, asked, llm=observed)
    reply = telling.get_reply(turn)
    turn.session.delete()
    if observed.given is None:
        raise RuntimeError(f"no reply was asked for: {turn.error_detail}")
    given, items = observed.given, turn.trace["items"]
    loaded = [item["node"] for item in items if item["reason"] == "loaded"]
    shown = [item["node"] for item in items if item["kept"]]
    recalled = standing.load_live(bond).filter(pk__in=shown).values_list("description", flat=True)
    return Given(
        texts=[*list_standing(given), *(one.text for one in given.recalled)],
        facts=[*list_standing(given), *recalled],
        recalled=list(recalled),
        is_loaded_found=bool(loaded),
        reply=reply,
    )


def list_standing(given: ReplyInputs) -> list[str]:
    return [*given.loaded.splitlines(), *given.slots.values(), *given.all_known]


def judge(talk: Talk, probe: Probe, asked: str, given: Given, counted: Tally) -> None:
    where = f"{talk.name}: {asked}  "
    if probe.now:
        is_given = any(holds(one, probe.now) for one in given.texts)
        counted.count(CURRENT, found=is_given, miss=where + "/".join(probe.now))
        counted.count(SAID, found=holds(given.reply, probe.now))
    if probe.was:
        stale = [one for one in given.facts if is_stale(one, probe)]
        counted.count_fault(STALE, found=bool(stale), miss=where + " | ".join(stale))
        counted.count(SAID_STALE, found=is_stale(given.reply, probe))
    if probe.gone:
        back = [one for one in given.texts if holds(one, probe.gone)]
        counted.count_fault(BACK, found=bool(back), miss=where + " | ".join(back))


def judge_nothing(talk: Talk, asked: str, given: Given, counted: Tally) -> None:
    said = [given.reply] if holds(given.reply, talk.values) else []
    brought = [*given.recalled, *said]
    counted.count(NOT_FOUND, found=not given.recalled and not given.is_loaded_found)
    counted.count(NOTHING, found=not brought, miss=f"{talk.name}: {asked}  {' | '.join(brought)}")


def check_gone(talk: Talk, probe: Probe, bonds: Sequence[Bond], counted: Tally) -> None:
    for bond, where in zip(bonds, ("after the close", "after a round trip"), strict=True):
        if probe.gone:
            rows = ConceptNode.objects.for_bond(bond).not_deleted().exclude(state=State.SUPERSEDED)
            back = [one for one in rows.values_list("description", flat=True) if holds(one, probe.gone)]
            counted.count_fault(BACK, found=bool(back), miss=f"{talk.name}, {where}: {' | '.join(back)}")


def check_told_anew(talk: Talk, probe: Probe, bond: Bond, counted: Tally) -> None:
    if not probe.again:
        return
    standing_for = [node for node in standing.load_live(bond).order_by("id") if holds(node.description, probe.now)]
    what = f"{talk.name}: {'/'.join(probe.now)}"
    counted.count(AGAIN, found=bool(standing_for), miss=what)
    lines = [message.content for node in standing_for for message in node.source_messages.all()]
    counted.count(SOURCE, found=any(holds(line, probe.now) for line in lines), miss=what)


def count_doubles(talk: Talk, bond: Bond, counted: Tally) -> None:
    """Count the live facts that tell a current value which an older one tells."""
    live = list(standing.load_live(bond).order_by("id").values_list("description", flat=True))
    doubled = {one for probe in talk.probes for one in list(find_telling(live, probe))[1:]}
    for one in live:
        counted.count_fault(DOUBLES, found=one in doubled, miss=f"{talk.name}: {one}")


def find_telling(live: Sequence[str], probe: Probe) -> Iterator[str]:
    return (one for one in live if holds(one, probe.now))


def is_stale(said: str, probe: Probe) -> bool:
    return holds(said, probe.was) and not holds(said, probe.now)
