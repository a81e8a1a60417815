"""Evaluate the offline voice: a chat of forty messages in each language, printed, with the figures that can be counted.

The scripts in `voice/` were written before the rules; the misses of the kept-back half are counted and not printed.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from echovessel.llm.inputs import ReplyInputs, SaidMessage
from echovessel.llm.offline import reply
from echovessel.llm.offline.reply import tones
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
        play_chat(lines, counted, say=say)
        count_tones(lines, counted)
        ask(lines, counted)
        names = (REPEATED, MODELS, TONE, TONE + KEPT_BACK, ANSWERS, ANSWERS + KEPT_BACK)
        evaluated.figures += tally.build_figures({lines.lang: counted}, names=names)
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
