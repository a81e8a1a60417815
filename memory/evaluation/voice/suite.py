"""Evaluate the offline voice: a chat of forty messages in each language, printed, with the figures that can be counted.

The scripts in `voice/` were written before the rules; the misses of the kept-back half are counted and not printed. How many messages
are heard as what they mean that name no feeling, and how many of others as something else, is only reported: a model reads them better.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from echovessel.embeddings import embedding
from echovessel.llm.inputs import ReplyInputs, SaidMessage
from echovessel.llm.offline import reply
from echovessel.llm.offline.reply import context
from echovessel.llm.offline.reply.hearing import tones
from echovessel.llm.offline.reply.hearing.message_analysis import MessageAnalysis
from echovessel.llm.offline.reply.hearing.tones import Tone
from memory.evaluation import tally
from memory.evaluation.files import load_yaml
from memory.evaluation.tally import Evaluated, Tally
from personas import ready

FOLDER = Path(__file__).parent
WINDOW = 20
NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
TONE, ANSWERS = "right tone", "answers of what was told"
REPEATED, MODELS = "replies said twice", "replies that speak of models"
KEPT_BACK = ", kept back"
HEARD, REVERSED, OVERHEARD = "feelings heard", "feelings heard as their opposite", "feelings heard in calm messages"
# What is heard of a message, by its tone.
_HEARD_AS = {**dict.fromkeys(tones.HEAVY_TONES, "bad"), Tone.JOY: "glad", Tone.RELIEF: "glad"}
# The companion speaks as a person, never about its technology.
_OF_MODELS = re.compile(r"language model|model server|\bmodels?\b|\bserver|\brules?\b|模型|服务器|规则", re.IGNORECASE)


@dataclass(frozen=True)
class VoiceScript:
    """The messages, questions and labels of one language."""

    lang: str
    companion: str
    user: str
    talk: list[str]
    tones: list[dict[str, Any]]
    questions: list[dict[str, Any]]


@dataclass
class VoiceChat:
    """One chat with the companion, with all messages sent now."""

    lines: VoiceScript
    messages: list[SaidMessage] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def say(self, text: str) -> str:
        answer = reply.compose(self.inputs(text))
        self.messages += [SaidMessage(is_user=True, text=text, at=NOW), SaidMessage(is_user=False, text=answer, at=NOW)]
        self.said.append(answer)
        return answer

    def inputs(self, text: str) -> ReplyInputs:
        character = ready.find(self.lines.companion)
        if character is None:
            raise ValueError(f"{self.lines.companion} is no ready-made companion.")
        return ReplyInputs(
            persona_name=character.name,
            user_name=self.lines.user,
            persona=character.persona,
            facts=character.facts,
            recent_messages=self.messages[-WINDOW:],
            session_messages=self.messages,
            burst=[text],
            now=NOW,
        )


def evaluate(*, say: Callable[[str], None]) -> Evaluated:
    evaluated = Evaluated()
    for lines in load_scripts():
        counted = Tally()
        count_feelings(lines.lang, counted)
        play_chat(lines, counted, say=say)
        count_tones(lines, counted)
        ask(lines, counted)
        names = (REPEATED, MODELS, TONE, TONE + KEPT_BACK, ANSWERS, ANSWERS + KEPT_BACK)
        evaluated.figures += tally.build_figures({lines.lang: counted}, names=names)
        heard = (HEARD, REVERSED, OVERHEARD)
        evaluated.figures += tally.build_figures({lines.lang: counted}, names=heard, reported=True)
        evaluated.misses += [f"{name} {lines.lang}  {miss}" for name in names for miss in counted.misses[name]]
    return evaluated


def load_scripts() -> Iterator[VoiceScript]:
    for lang, name in (("en", "english"), ("zh", "chinese")):
        yield VoiceScript(lang=lang, **load_yaml(FOLDER / f"{name}.yaml"))


def play_chat(lines: VoiceScript, counted: Tally, *, say: Callable[[str], None]) -> None:
    chat = VoiceChat(lines)
    for text in lines.talk:
        answer = chat.say(text)
        say(f"  {text}\n      {answer}")
        counted.count_fault(REPEATED, found=answer in chat.said[:-1], miss=answer)
        counted.count_fault(MODELS, found=bool(_OF_MODELS.search(answer)), miss=answer)


def count_tones(lines: VoiceScript, counted: Tally) -> None:
    for one in lines.tones:
        tone = str(tones.find_tone(one["line"]))
        count(TONE, one, counted, found=tone == one["tone"], miss=f"{tone}, not {one['tone']}: {one['line']}")


def count_feelings(lang: str, counted: Tally) -> None:
    """Count of messages that name no feeling, by a writer who knew no rule, how many are heard."""
    said = [(kind, one) for kind, lines in load_yaml(FOLDER / "feelings_kept_back.yaml")[lang].items() for one in lines]
    vectors = embedding.embed([one for _, one in said], of_question=True)
    for (kind, one), vector in zip(said, vectors, strict=True):
        known = context.read(ReplyInputs(persona_name="", user_name="", now=NOW, burst=[one]))
        felt = embedding.read_feeling(vector, text=one)
        analysis = MessageAnalysis(known, one, known.is_in_chinese, felt)
        heard = _HEARD_AS.get(analysis.tone, "moved" if analysis.kind == "moved" else "")
        if kind == "calm":
            counted.count(OVERHEARD, found=bool(heard))
        else:
            opposite = "bad" if kind == "glad" else "glad"
            counted.count(HEARD, found=heard not in ("", opposite))
            counted.count(REVERSED, found=heard == opposite)


def ask(lines: VoiceScript, counted: Tally) -> None:
    for one in lines.questions:
        chat = VoiceChat(lines)
        for text in one["told"]:
            chat.say(text)
        answer = chat.say(one["ask"])
        is_right = any(part in answer for part in one["answer"])
        count(ANSWERS, one, counted, found=is_right, miss=f"{one['ask']} {answer}")


def count(name: str, one: dict[str, Any], counted: Tally, *, found: bool, miss: str) -> None:
    if one.get("kept_back"):
        counted.count(name + KEPT_BACK, found=found)
    else:
        counted.count(name, found=found, miss=miss)
