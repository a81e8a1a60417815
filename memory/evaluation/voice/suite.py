"""Evaluate the offline voice: a chat of forty messages in each language, printed, with the figures that can be counted.

The scripts in `voice/` were written before the rules; the misses of the kept-back half are counted and not printed.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from echovessel.llm.inputs import ReplyInputs, SaidMessage
from echovessel.llm.offline import reply
from echovessel.llm.offline.reply import tones
from memory.evaluation.tally import Tally, build_figure
from personas import ready

FOLDER = Path(__file__).parent
WINDOW = 20
NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
TONE, ANSWERS, REPEATED, MODELS = (
    "right tone",
    "answers of what was told",
    "replies said twice",
    "replies that speak of models",
)
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


def evaluate(*, say: Callable[[str], None]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the figures by language, each with its target, and the misses."""
    figures: list[dict[str, Any]] = []
    misses: list[str] = []
    for lines in load_scripts():
        counted = Tally()
        play_chat(lines, counted, say=say)
        count_tones(lines, counted)
        ask(lines, counted)
        names = (REPEATED, MODELS, TONE, TONE + KEPT_BACK, ANSWERS, ANSWERS + KEPT_BACK)
        figures += [build_figure(name, lines.lang, counted.value(name)) for name in names]
        misses += [f"{name} {lines.lang}  {miss}" for name in names for miss in counted.misses[name]]
    return figures, misses


def load_scripts() -> Iterator[VoiceScript]:
    for lang, name in (("en", "english"), ("zh", "chinese")):
        yield VoiceScript(lang=lang, **yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")))


def play_chat(lines: VoiceScript, counted: Tally, *, say: Callable[[str], None]) -> None:
    chat = VoiceChat(lines)
    for text in lines.talk:
        is_new = (answer := chat.say(text)) not in chat.said[:-1]
        say(f"  {text}\n      {answer}")
        # These two count a fault: a reply found twice.
        counted.count(REPEATED, found=not is_new, miss="" if is_new else answer)
        counted.count(MODELS, found=bool(_OF_MODELS.search(answer)), miss=answer if _OF_MODELS.search(answer) else "")


def count_tones(lines: VoiceScript, counted: Tally) -> None:
    for one in lines.tones:
        tone = str(tones.find_tone(one["line"]))
        is_right = tone == one["tone"]
        name = build_figure_name(TONE, one)
        counted.count(
            name, found=is_right, miss=format_miss(one, is_right, f"{tone}, not {one['tone']}: {one['line']}")
        )


def ask(lines: VoiceScript, counted: Tally) -> None:
    for one in lines.questions:
        chat = VoiceChat(lines)
        for text in one["told"]:
            chat.say(text)
        answer = chat.say(one["ask"])
        is_right = any(part in answer for part in one["answer"])
        name = build_figure_name(ANSWERS, one)
        counted.count(name, found=is_right, miss=format_miss(one, is_right, f"{one['ask']} {answer}"))


def build_figure_name(name: str, one: dict[str, Any]) -> str:
    return name + KEPT_BACK if one.get("kept_back") else name


def format_miss(one: dict[str, Any], is_right: bool, what: str) -> str:  # noqa: FBT001  (whether there is a miss at all)
    return "" if is_right or one.get("kept_back") else what
