"""Notes what the user asked for, or what a reply says was noted, where the model of the reply wrote nothing itself.

The small model says what to write; each write is judged like a call of a tool.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from django.utils import timezone
from pydantic import BaseModel, BeforeValidator, Field, ValidationError, WithJsonSchema

from chat.models import Turn
from chat.turns import own_words
from chat.turns.tools import definitions, execution, said
from chat.turns.tools.calls import CallContext
from chat.turns.tools.said import SaidWords
from echovessel import chinese_script, text
from echovessel import lazy_re as re
from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import LLM, ChatMessage, Origin
from echovessel.postgres.threads import (
    release_connection,
    run_in_database_thread,
    run_in_model_thread,
    run_when_reachable,
)
from echovessel.prompts import escape, render
from memory.answers.fact_schemas import SlotWord, name_act
from memory.consolidation import asking
from memory.entities.names import name_user
from memory.facts.rules import reading
from memory.facts.rules.acts import Kind
from memory.messages import secrets, tombstones
from memory.models import ConceptNode, FactWrite, Message
from memory.recall.candidates import pick_rarest

PROMPT = Path(__file__).parents[1] / "prompts" / "fact_write.md"
FEATURE = "fact_write"
SECONDS = 8.0
WRITES_MOST = 3
FACTS_MOST = 40
_REPLY_MOST = 4_000
# What a reply says of a note that it made.
_CLAIM = re.compile(
    r"\b(?:noted|i(?:'ll| will) (?:remember|keep (?:that|it|this) in mind)|(?:i(?:'ve| have)|i just|it's|that's|is) (?:now )?"
    r"(?:noted|saved|remembered|written (?:that |it |this )?down|made a (?:mental )?note|updated|corrected|forgotten|deleted))\b"
    r"|记住了|记下了|记好了|我会记住|我会记得|我记下|已经?(?:记|改|删|忘)|忘掉了|删掉了|改好了|更新了",
    re.IGNORECASE,
)
# A wish to change a list that is kept.
_OF_LIST = re.compile(
    r"\b(?:add|put|write|stick|append|take|cross|strike|scratch|tick|remove|drop|delete)\b[^.!?\n]{1,100}"
    r"\b(?:on|onto|to|off|from) (?:my|our|the|that) (?:[\w'-]{1,20} ){0,3}lists?\b"
    r"|[把将][^。！？\n]{1,60}[加添放写记划删去移][^。！？\n]{0,8}(?:清单|单子|列表)"
    r"|(?:清单|单子|列表)[^。！？\n]{0,10}(?:加|添|删|划掉|去掉|移除)",
    re.IGNORECASE,
)
# What small models call those that a fact is of.
_FACETS = {"关于你": "about_you", "关于用户": "about_you", "怎么说话": "how_to_talk", "关于我们": "about_us"}
# What a reply quotes is not said by it: the user's own "remember that" claims nothing.
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|\"[^\"]*\"")
logger = logging.getLogger("echovessel.turns")


def read_facet(value: Any) -> Any:
    return _FACETS.get(value, value) if isinstance(value, str) else value


class FactAct(BaseModel):
    op: Annotated[Literal["save", "update", "end", "forget", "confirm"], BeforeValidator(name_act)]
    target: int | None = None
    content: str | None = None
    facet: Annotated[str | None, BeforeValidator(read_facet), WithJsonSchema({"enum": [*definitions.FACETS, None]})] = (
        None
    )
    slot: SlotWord = None
    value: str | None = None


class FactWriteAnswer(BaseModel):
    writes: list[FactAct] = Field(max_length=WRITES_MOST)


@dataclass(frozen=True, kw_only=True)
class Material:
    """What the small model reads: the user's lines, and facts, which it names by their place."""

    words: SaidWords
    facts: Sequence[ConceptNode]
    user_name: str


def is_asked(turn: Turn) -> bool:
    """Whether the burst asks to remember or forget something, or to change a list."""
    burst = [own_words.read(message.content) for message in turn.burst]
    is_of_list = any(_OF_LIST.search(chinese_script.simplify(said)) for said in burst)
    return is_of_list or any(act.kind in (Kind.REMEMBER, Kind.FORGET) for act in reading.read_acts(burst, [], {}))


def is_noting_asked(lines: Sequence[str]) -> bool:
    """Whether lines of the user ask to remember something."""
    return any(act.kind == Kind.REMEMBER for act in reading.read_acts(lines, [], {}))


def is_claimed(reply: str) -> bool:
    """Whether a reply says that something is noted, changed or forgotten."""
    return _CLAIM.search(chinese_script.simplify(_QUOTED.sub("", reply)).replace("’", "'")) is not None


def misses_note(turn: Turn, reply: str) -> bool:
    """Whether the burst asks to remember something, or the reply claims that it was noted. Off the record nothing is.

    A reply that lists what is known claims nothing.
    """
    said = [own_words.read(message.content) for message in turn.burst]
    is_list = reading.asks_what_is_known("\n".join(said))
    return not turn.session.off_record and ((is_claimed(reply) and not is_list) or is_noting_asked(said))


def has_written(turn: Turn) -> bool:
    """Whether something was written for the turn, by a tool or a rule."""
    return FactWrite.objects.for_bond(turn.bond).not_undone().filter(turn_id=turn.pk).exists()


async def write(*, turn: Turn, llm: LLM, origin: Origin, reply: str = "") -> bool:
    """Let the small model say what to write, and write it, unless something was written for the turn.

    Returns whether it wrote anything; a model that fails writes nothing. Raises LeaseLost.
    """
    if llm.offline or turn.session.off_record or await run_when_reachable(has_written, turn):
        return False
    material = await run_when_reachable(load, turn)
    messages: list[ChatMessage] = [{"role": "user", "content": render_prompt(turn, material, reply)}]
    try:
        asked = await run_in_model_thread(ask, llm, messages, origin)
    except LLMError as error:
        logger.warning("the notes of turn %s were not made: %s", turn.pk, error.code)
        return False
    answers = [
        await run_in_database_thread(execution.execute, build_context(turn, reply), *call)
        for act in asked
        if (call := build_call(act, material.facts)) is not None
    ]
    return any(answer.ok for answer in answers)


def load(turn: Turn) -> Material:
    words = said.load(turn)
    gone = tombstones.find_forgotten_messages(turn.bond, words.before)
    before = [line for line in words.before if line.pk not in gone]
    return Material(words=replace(words, before=before), facts=load_near_facts(turn), user_name=name_user(turn.bond))


def load_near_facts(turn: Turn) -> list[ConceptNode]:
    """Load the facts that share words with the burst, and the newest."""
    facts = ConceptNode.objects.for_bond(turn.bond).live_facts().without_heavy_columns("terms").order_by("-id")
    terms = pick_rarest({term for message in turn.burst for term in text.extract_terms(message.content)})
    near = list(facts.sharing(turn.bond_id, terms)[:FACTS_MOST]) if terms else []
    found = {node.pk: node for node in (*near, *facts[:FACTS_MOST])}
    return list(found.values())[:FACTS_MOST]


def render_prompt(turn: Turn, material: Material, reply: str) -> str:
    numbered = enumerate(material.facts, 1)
    return render(
        PROMPT,
        persona_name=escape(turn.bond.persona.name),
        user_name=escape(material.user_name),
        before=list_lines(material.words.before) or "(nothing)",
        lines=list_lines(material.words.burst),
        reply=escape(reply[-_REPLY_MOST:]),
        facts="\n".join(f"{number}. {escape(node.description)}" for number, node in numbered) or "(nothing)",
    )


def list_lines(messages: Sequence[Message]) -> str:
    return "\n".join(f"- {escape(secrets.mask(message.content))}" for message in messages)


def ask(llm: LLM, messages: Sequence[ChatMessage], origin: Origin) -> list[FactAct]:
    """Ask the small model once. Raises LLMError."""
    release_connection()
    answer = llm.answer(messages, feature=FEATURE, schema=FactWriteAnswer, origin=origin, seconds=SECONDS)
    writes = asking.build_structured_answer(answer, schema=FactWriteAnswer).parsed.get("writes")
    listed = writes if isinstance(writes, list) else [writes]
    return [act for one in listed[:WRITES_MOST] if (act := parse_act(one))]


def parse_act(written: object) -> FactAct | None:
    try:
        return FactAct.model_validate(written)
    except ValidationError:
        return None


def build_call(act: FactAct, facts: Sequence[ConceptNode]) -> tuple[str, dict[str, Any]] | None:
    """Return an act as the tool that does it, with its arguments; None where it names no fact of those it was shown."""
    if act.op == "save":
        told = {"content": act.content, "facet": act.facet, "slot": act.slot, "value": act.value}
        return definitions.SAVE.name, told
    if act.op == "forget" and act.target is None and act.content:
        return definitions.FORGET.name, {"ref": act.content}
    if act.target is None or not 1 <= act.target <= len(facts):
        return None
    ref: dict[str, Any] = {"ref": str(facts[act.target - 1].pk)}
    calls = {
        "update": (definitions.UPDATE.name, {**ref, "content": act.content, "value": act.value}),
        "end": (definitions.UPDATE.name, {**ref, "ended": True}),
        "forget": (definitions.FORGET.name, ref),
        "confirm": (definitions.CONFIRM.name, ref),
    }
    return calls[act.op]


def build_context(turn: Turn, reply: str) -> CallContext:
    return CallContext(turn=turn, offset=len(reply), now=timezone.now(), by=FactWrite.By.BACKSTOP)
