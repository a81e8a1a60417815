"""Forget facts of a told talk with their lines, and look for what is left of them."""

import subprocess
from collections.abc import Iterator, Sequence

from django.db import connection

from chat.evaluation.story.asking import Asking
from echovessel import text
from echovessel.postgres.server import find_client_program
from memory.evaluation.storytelling.weaving import WovenFact
from memory.evaluation.tally import Tally
from memory.forgetting import purging, removal
from memory.models import ConceptNode, Forgotten, Message, StoryVersion

LEFT = "forgotten facts left"
PROMPT, VERSIONS, DUMP = (f"{LEFT}, in {place}" for place in ("prompts", "versions", "a dump"))
# Of what the story tells every such fact is forgotten, besides what the stories take back.
EVERY = 6


def measure(asking: Asking, counted: Tally) -> None:
    """Forget, and look into prompts and versions, then into a dump once the trash is emptied."""
    gone = list(choose(asking))
    for fact in gone:
        forget(asking, fact)
    standing = [text.fold(fact.memory.text) for fact in asking.told.talk.facts if fact not in gone]
    wanted = {word for fact in gone for word in list_words(asking, fact, standing)}
    prompts = {asked: made.text for asked, made in asking.ask([fact.memory.text for fact in gone])}
    # What is asked is in its prompt.
    count(PROMPT, {asked: said.replace(text.fold(asked), "") for asked, said in prompts.items()}, wanted, counted)
    versions = StoryVersion.objects.for_bond(asking.told.bond)
    told = {f"version {one.number}": text.fold(str(one.points)) for one in versions}
    count(VERSIONS, told, wanted, counted)
    purging.erase_all(Forgotten.objects.filter(bond=asking.told.bond))
    count(DUMP, {"dump": text.fold(dump())}, wanted, counted)


def choose(asking: Asking) -> Iterator[WovenFact]:
    """Choose what the stories take back, and some of what the story tells."""
    [(_, first)] = asking.ask(["?"])
    inclusion = first.context.base.inclusion
    told = [text.fold(one) for one in inclusion.list_texts()] if inclusion else []
    in_story = [fact for fact in asking.told.talk.facts if asking.is_told(fact, told)]
    taken_back = {(scene.story.name, one.id) for scene in asking.told.talk.scenes for one in scene.story.forgets}
    for fact in asking.told.talk.facts:
        if (fact.story.name, fact.memory.id) in taken_back or fact in in_story[::EVERY]:
            yield fact


def forget(asking: Asking, fact: WovenFact) -> None:
    """Forget the memories of a fact with their lines, and lines of which there is no memory."""
    lines = [asking.told.messages[at] for at in fact.lines]
    nodes = ConceptNode.objects.for_bond(asking.told.bond).not_deleted().filter(source_messages__in=lines).distinct()
    for node in nodes.order_by("id"):
        removal.forget_node(node=node, dependents=removal.CASCADE, lines=removal.FORGET, now=asking.now)
    for message in Message.objects.for_bond(asking.told.bond).visible().filter(pk__in=lines).order_by("id"):
        removal.forget_message(message=message, now=asking.now)


def list_words(asking: Asking, fact: WovenFact, standing: Sequence[str]) -> Iterator[str]:
    """List the text of a fact and the pieces of its lines, without what other lines and standing facts still say."""
    left = [text.fold(line.content) for line in Message.objects.for_bond(asking.told.bond).visible()]
    left += standing
    for one in (fact.memory.text, *fact.memory.pieces):
        if not any(text.fold(one) in said for said in left):
            yield text.fold(one)


def count(name: str, places: dict[str, str], wanted: Sequence[str] | set[str], counted: Tally) -> None:
    for place, said in places.items():
        held = sorted(one for one in wanted if one in said)
        counted.count_fault(name, found=bool(held), miss=f"{place}: {' | '.join(held)}")


def dump() -> str:
    at = connection.get_connection_params()
    command = [find_client_program("pg_dump"), "-h", at["host"], "-p", str(at["port"]), "-U", at["user"], at["dbname"]]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout
