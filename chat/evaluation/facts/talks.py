"""Talks of several sessions in which facts are told, changed, ended, forgotten, undone and told anew.

A line that is only said is small talk. Another is a step: what is said, and what a good model calls where the rules have
noted nothing of it. What is asked after the last session, and what should be given then, are the probes.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from echovessel import text
from memory.evaluation.files import load_yaml
from memory.evaluation.stories.parts import Shape

FOLDER = Path(__file__).parent
TALKS = FOLDER / "talks"
# The rules are written with the one half in view; the other is only measured.
Half = Literal["", "kept back"]
HALVES: dict[Half, Path] = {"": TALKS, "kept back": TALKS / "kept_back"}


class TalkStep(Shape):
    """What the user says, with at most one call of a good model; or the press of *Undo* on what was written of the step before.

    `save` and `update` hold the arguments of the tools, `end`, `forget` and `confirm` the words by which a fact is found.
    """

    say: str = ""
    save: dict[str, str] = {}
    update: dict[str, str] = {}
    end: str = ""
    forget: str = ""
    confirm: str = ""
    undo: bool = False

    @property
    def call(self) -> tuple[str, dict[str, Any]] | None:
        """The tool that a good model calls, with its arguments."""
        made: dict[str, dict[str, Any]] = {
            "memory_save": self.save,
            "memory_update": self.update or ({"ref": self.end, "ended": True} if self.end else {}),
            "memory_forget": {"ref": self.forget} if self.forget else {},
            "memory_confirm": {"ref": self.confirm} if self.confirm else {},
        }
        return next(((name, arguments) for name, arguments in made.items() if arguments), None)

    @property
    def told(self) -> str:
        """What the step tells, as a fact; nothing where it takes something back."""
        return self.save.get("content", "") or self.update.get("content", "")


class Probe(Shape):
    """Questions about one thing. A text that holds a word of `now` tells how it is, one with a word of `was` alone how it
    was; nothing that stands may hold a word of `gone`. `again`: it was forgotten or undone, and then told anew.
    """

    ask: list[str] = []
    now: list[str] = []
    was: list[str] = []
    gone: list[str] = []
    again: bool = False


class Talk(Shape):
    name: str = ""
    half: Half = ""
    lang: Literal["en", "zh"]
    user: str
    persona: str
    sessions: list[list[str | TalkStep]] = Field(min_length=2)
    probes: list[Probe]
    # Questions of which nothing was told.
    nothing: list[str]

    @property
    def steps(self) -> Iterator[TalkStep]:
        return (step for session in self.sessions for step in read_steps(session))

    @property
    def values(self) -> list[str]:
        """All that was told at some time."""
        return [word for probe in self.probes for word in (*probe.now, *probe.was, *probe.gone)]

    @property
    def let_go(self) -> list[list[str]]:
        """The words of each thing that the user wants forgotten, also of one told anew later."""
        return [probe.gone or probe.now for probe in self.probes if probe.gone or probe.again]


def read_steps(session: list[str | TalkStep]) -> list[TalkStep]:
    return [TalkStep(say=step) if isinstance(step, str) else step for step in session]


def load_all() -> list[Talk]:
    return [load(file, half=half) for half, folder in HALVES.items() for file in sorted(folder.glob("*.yaml"))]


def load(file: Path, *, half: Half = "") -> Talk:
    return Talk.model_validate({"name": file.stem, "half": half, **load_yaml(file)})


def holds(said: str, words: Sequence[Any]) -> bool:
    folded = text.fold(said)
    return any(text.fold(word) in folded for word in words)


def load_neutral_lines(lang: str, *, half: Half = "") -> list[str]:
    """Load lines of which nothing is to be noted."""
    name = "_".join(["neutral", *half.split(), lang])
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
