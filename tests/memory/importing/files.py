"""How the tests of imports take files in and have them read by a scripted model."""

import json
from datetime import UTC, datetime
from functools import partial
from typing import Any

from memory.consolidation.asking import Asker
from memory.importing import control, intake, run
from memory.models import Import
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM

DIARY = "I have a white cat called Nimbus.\n\nHe jumps on my face at night."
CAT = "The user has a white cat called Nimbus."


def told(description=CAT, *, quote="I have a white cat called Nimbus.", impact=3, **more) -> dict[str, Any]:
    return {"description": description, "emotional_impact": impact, "source_quote": quote} | more


def thought(description="They are fond of the cat.", *, quote="He jumps on my face", filling=(0,), **more):
    return told(description, quote=quote, filling=list(filling), **more)


def said(*events, **more) -> dict[str, Any]:
    return {"events": list(events)} | more


def model(*answers) -> FakeLLM:
    return FakeLLM(answers={"import": list(answers)})


def mara(**more):
    return BondFactory(user__username="mara", **more)


def taken(content=DIARY, *, bond=None, name="diary.txt", now=NOW) -> Import:
    raw = content if isinstance(content, bytes) else content.encode()
    imported, _ = intake.take_in(bond=bond or mara(), name=name, content=raw, now=now)
    return imported


def started(*args, now=NOW, **more) -> Import:
    return control.start(taken(*args, now=now, **more), now=now)


def read_on(imported: Import, llm, *, now=NOW, clock=None) -> Import:
    run.run(
        import_id=imported.pk, llm=llm, clock=clock or (lambda: now), asker=partial(Asker, pause=lambda seconds: None)
    )
    imported.refresh_from_db()
    return imported


def read(*answers, content=DIARY, bond=None, **more) -> Import:
    """A file, taken in, started and read with these answers, one for each piece."""
    return read_on(started(content, bond=bond, **more), model(*answers))


def chat(*conversations: tuple[str, str, list[str]]) -> str:
    """A ChatGPT export: of each conversation the title, the day, and what is said, the user's and the program's in turn."""
    return json.dumps([conversation(title, day, lines) for title, day, lines in conversations])


def conversation(title: str, day: str, lines: list[str]) -> dict[str, Any]:
    at = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC).timestamp()
    roles = ("user", "assistant")
    nodes: dict[str, Any] = {
        f"n{number}": {
            "id": f"n{number}",
            "parent": f"n{number - 1}" if number else None,
            "children": [],
            "message": {
                "author": {"role": roles[number % 2]},
                "create_time": at + number,
                "content": {"content_type": "text", "parts": [line]},
            },
        }
        for number, line in enumerate(lines)
    }
    return {"title": title, "create_time": at, "mapping": nodes, "current_node": f"n{len(lines) - 1}"}
