"""Ask questions after a story was told, and compare what a turn would be given with what it should be given."""

from collections.abc import Callable
from dataclasses import dataclass

from memory.entities import lookup
from memory.evaluation import given
from memory.evaluation.given import TurnMemory
from memory.evaluation.stories import matching
from memory.evaluation.stories.parts import PEAK_IMPACT, StoryQuestion
from memory.evaluation.stories.story import Story
from memory.evaluation.tally import Tally
from memory.models import ConceptNode
from personas.models import Bond

FIGURES = {"fact": "factual recall F1", "alias": "alias recall", "dated": "dated recall"}


@dataclass(frozen=True)
class Verdict:
    """The wanted ids that were given, and the given memories that are unrelated."""

    found: set[str]
    beside: list[str]


Judge = Callable[[Story, StoryQuestion, TurnMemory], Verdict]


def judge_by_story(story: Story, question: StoryQuestion, got: TurnMemory) -> Verdict:
    """Judge by the story's texts and messages. A thought is related to its evidence."""
    of_node = {node.pk: matching.find_story_ids(node, story=story) for node in (*got.recalled, *got.always)}
    quoted = [matching.find_ids_told_in(message, story=story) for message in got.quotes]
    found = {one for ids in (*of_node.values(), *quoted) for one in ids}
    asked_about = story.collect_related(question)
    beside = [
        node.description
        for node in got.recalled
        if not any(story.collect_threads(one) & asked_about for one in of_node[node.pk])
    ]
    return Verdict(found=found & set(question.find), beside=beside)


def ask(story: Story, bond: Bond, *, judge: Judge, tally: Tally) -> dict[str, TurnMemory]:
    """Ask the story's questions. Returns what was given for each."""
    heard: dict[str, TurnMemory] = {}
    for question in story.questions:
        got = given.load_turn_memory(bond=bond, said=question.ask, now=story.asked_at(question))
        verdict = judge(story, question, got)
        if question.by == "peak":
            count_peak(story, bond, question, verdict, tally)
        else:
            count_verdict(story, question, verdict, FIGURES[question.by], tally)
        heard[question.ask] = got
    return heard


def count_verdict(story: Story, question: StoryQuestion, verdict: Verdict, name: str, tally: Tally) -> None:
    for one in question.find:
        tally.count(name, found=one in verdict.found, miss=f"{story.name}: {question.ask}  does not find {one}")
    if name.endswith("F1"):
        for text in verdict.beside:
            tally.add_beside(name, miss=f"{story.name}: {question.ask}  brings: {text}")


def count_peak(story: Story, bond: Bond, question: StoryQuestion, verdict: Verdict, tally: Tally) -> None:
    """Count a peak as retained if it has its full strength and is found when asked about."""
    for one in question.find:
        strong = is_held(story.remembered[one].impact, matching.find_nodes(one, story=story, bond=bond))
        why = "is not found by" if strong else "is not held as a peak;"
        tally.count(
            "emotional peak retention",
            found=strong and one in verdict.found,
            miss=f"{story.name}: {one} {why} {question.ask}",
        )


def is_held(impact: int, nodes: list[ConceptNode]) -> bool:
    return any(abs(node.emotional_impact) >= PEAK_IMPACT and node.emotional_impact * impact > 0 for node in nodes)


def say_unrelated_texts(story: Story, bond: Bond, *, tally: Tally) -> dict[str, TurnMemory]:
    """Say texts to which no memory is related. Returns what was given for each."""
    heard = collect_given(story, bond, story.unrelated)
    for said, got in heard.items():
        brought = [node.description for node in got.recalled] + [message.content for message in got.quotes]
        miss = f"{story.name}: {said}  brings: {' | '.join(brought)}"
        tally.count_fault("over-recall", found=bool(brought), miss=miss)
    return heard


def check_forgotten(story: Story, bond: Bond, *, heard: dict[str, TurnMemory], tally: Tally) -> None:
    """Check that no prompt holds what was taken back, whether or not the question asks for it."""
    for forgotten in story.forgets:
        asked_for = [story.find_text(forgotten.id), *forgotten.gone]
        for said, got in (heard | collect_given(story, bond, asked_for)).items():
            left = [text for text in got.texts if any(piece in text for piece in forgotten.gone)]
            miss = f"{story.name}: {said}  brings what was forgotten: {' | '.join(left)}"
            tally.count("deletion compliance", found=not left, miss=miss)


def collect_given(story: Story, bond: Bond, said: list[str]) -> dict[str, TurnMemory]:
    return {one: given.load_turn_memory(bond=bond, said=one, now=story.asked_at()) for one in said}


def check_end_state(story: Story, bond: Bond, *, tally: Tally) -> None:
    """Check the entities, and the outcomes of promises, plans and corrections."""

    def check(*, held: bool, what: str) -> None:
        tally.count("things as they stand", found=held, miss=f"{story.name}: {what}")

    for names in story.ends.same:
        meant = [find_entity_ids(name, bond) for name in names]
        check(held=len(meant[0]) == 1 and all(one == meant[0] for one in meant), what=f"{names} are not one")
    for a, b in story.ends.different:
        held = (
            bool(find_entity_ids(a, bond))
            and bool(find_entity_ids(b, bond))
            and not find_entity_ids(a, bond) & find_entity_ids(b, bond)
        )
        check(held=held, what=f"{a} and {b} are not two")
    for id, state in story.ends.states.items():
        found = {node.state for node in matching.find_nodes(id, story=story, bond=bond)}
        check(held=found == {state}, what=f"{id} is {', '.join(sorted(found)) or 'not there'}, not {state}")


def find_entity_ids(name: str, bond: Bond) -> set[int]:
    return {entity.pk for entity, _ in lookup.find_named(bond=bond, said=name)}


def count_peaks(story: Story, bond: Bond, *, of: str, tally: Tally) -> None:
    """Count the peaks an extraction found, and what it took for one wrongly.

    A peak is found in a memory of the same sign that rests on its message and holds one of its words.
    """
    live = ConceptNode.objects.for_bond(bond).current().events().prefetch_related("source_messages").order_by("id")
    strong = [node for node in live if is_held(node.emotional_impact, [node])]
    peaks = {id: one for id, one in story.remembered.items() if one.peak}
    forgotten = {one.id for one in story.forgets}

    def tells(node: ConceptNode, id: str) -> bool:
        one = peaks[id]
        said = node.description.casefold()
        in_words = any(word.casefold() in said for word in one.peak)
        return id in matching.find_story_ids(node, story=story) and in_words and is_held(one.impact, [node])

    for id in sorted(peaks.keys() - forgotten):
        found = any(tells(node, id) for node in strong)
        tally.count(f"{of} peak retention", found=found, miss=f"{story.name}: {peaks[id].text}")
    for node in strong:
        false = not any(tells(node, id) for id in peaks)
        miss = f"{story.name}: {node.description} {node.emotional_impact:+d}"
        tally.count_fault(f"{of} false peaks", found=false, miss=miss)
