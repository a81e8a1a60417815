"""A companion that has lived through something: what was said, read and thought fills every section of its prompt."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chat import reading, turns
from echovessel import embedding
from memory import embeddings
from memory.consolidation import slow_tick
from memory.models import ConceptNode
from personas import blocks
from personas.models import Bond
from tests.chat.talking import fill_window
from tests.factories import NOW, BondFactory
from tests.fakes import FakeLLM
from tests.memory.talks import closed_talk, consolidate

pytestmark = pytest.mark.django_db
GOLDEN = Path(__file__).parent / "golden"
WEEK_AGO = NOW - timedelta(days=7)
HOURS_AGO = NOW - timedelta(hours=5)


@dataclass(frozen=True)
class Life:
    """A talk of a week ago, one of some hours ago, what a model made of both, and what is said now."""

    names: dict[str, str]
    zone: str
    authored: dict[str, str]
    occupation: str
    first: tuple[str, ...]
    extraction: dict[str, Any]
    thought: str
    between: dict[str, Any]
    second: tuple[str, ...]
    doubt: dict[str, Any]
    asked: tuple[str, ...]


def event(description: str, *, impact: int, lines: list[int], **more: Any) -> dict[str, Any]:
    return {"description": description, "emotional_impact": impact, "source_lines": lines, **more}


def days(start: str, end: str) -> dict[str, Any]:
    return {"event_time": {"start": start, "end": end}}


ENGLISH = Life(
    names={"user__username": "mara", "user__display_name": "Mara", "persona__name": "Marian"},
    zone="Europe/Vienna",
    authored={
        "persona": "Marian keeps a small bookshop by the river.",
        "style": "Short sentences. No exclamation marks.",
        "user": "Mara repairs violins.",
    },
    occupation="bookseller",
    first=(
        "My sister Yiyang plays in the quartet on Friday.",
        "persona: I'll ask you on Sunday how it went.",
        "Our white cat Nimbus slept in her violin case all day.",
        "Yiyang carried Nimbus home in it, through the rain.",
    ),
    extraction={
        "events": [
            event(
                "Mara's sister Yiyang plays in the quartet on 27 November.",
                impact=4,
                lines=[1],
                **days("2026-11-27", "2026-11-27"),
            ),
            event(
                "Yiyang carried Mara's white cat Nimbus home in the violin case.",
                impact=3,
                lines=[3, 4],
                relational_tags=["identity-bearing"],
            ),
            event(
                "Ask Mara how Yiyang's concert went.",
                impact=0,
                lines=[2],
                subject="persona",
                **days("2026-11-29", "2026-11-29"),
            ),
        ],
        "session_summary": "Yiyang's quartet on Friday, and the cat in the violin case.",
        "mentioned_entities": [
            {"canonical_name": "Yiyang", "kind": "person"},
            {"canonical_name": "Nimbus", "kind": "pet"},
        ],
        "session_mood_signal": {"mood": "amused", "energy": 7, "last_user_signal": "warm"},
    },
    thought="Mara is happiest when somebody is carried home.",
    between={
        "thoughts": [{"description": "I have begun to listen for Yiyang's name.", "subject": "persona"}],
        "expectations": [
            {"about": "the quartet", "prediction": "Mara will sit in the front row.", "due_at": "2026-11-27"}
        ],
        "entity_descriptions": [{"entity": "Yiyang", "description": "Mara's sister; she plays the violin."}],
    },
    second=(
        "Scott broke a string before the rehearsal.",
        "persona: Before it, luckily.",
        "Yiyang laughed about it until the cellist came.",
    ),
    doubt={
        "events": [
            event("Scott broke a string before the rehearsal; Yiyang laughed about it.", impact=-1, lines=[1, 3])
        ],
        "session_summary": "A broken string before the rehearsal.",
        "mentioned_entities": [
            {"canonical_name": "Scott", "kind": "person"},
            {"canonical_name": "Yiyang", "kind": "person"},
        ],
        "possible_same": [{"a": "Scott", "b": "Yiyang", "stated_in": None}],
        "session_mood_signal": {"mood": "tender", "energy": 6, "last_user_signal": "tired"},
    },
    asked=("Do you remember what Yiyang carried the cat home in?", "And what is on Friday next week?"),
)
CHINESE = Life(
    names={"user__username": "mara", "user__display_name": "马拉", "persona__name": "玛丽安"},
    zone="Asia/Shanghai",
    authored={"persona": "玛丽安在河边开了一家小书店。", "style": "句子短。不用感叹号。", "user": "马拉修小提琴。"},
    occupation="书店老板",
    first=(
        "我妹妹逸扬下周五有四重奏演出。",
        "persona: 下周日我来问你演得怎么样。",
        "我们家的白猫小黑在她琴盒里睡了一天。",
        "逸扬冒着雨，把小黑连琴盒一起提回来了。",
    ),
    extraction={
        "events": [
            event("马拉的妹妹逸扬11月27日有四重奏演出。", impact=4, lines=[1], **days("2026-11-27", "2026-11-27")),
            event(
                "逸扬冒着雨用琴盒把马拉的白猫小黑提回了家。",
                impact=3,
                lines=[3, 4],
                relational_tags=["identity-bearing"],
            ),
            event(
                "问马拉逸扬的演出怎么样。", impact=0, lines=[2], subject="persona", **days("2026-11-29", "2026-11-29")
            ),
        ],
        "session_summary": "逸扬周五演四重奏，小黑睡在琴盒里。",
        "mentioned_entities": [
            {"canonical_name": "逸扬", "kind": "person"},
            {"canonical_name": "小黑", "kind": "pet"},
        ],
        "session_mood_signal": {"mood": "好笑", "energy": 7, "last_user_signal": "warm"},
    },
    thought="有谁被带回家的时候，马拉最高兴。",
    between={
        "thoughts": [{"description": "我开始留意逸扬这个名字。", "subject": "persona"}],
        "expectations": [{"about": "四重奏", "prediction": "马拉会坐第一排。", "due_at": "2026-11-27"}],
        "entity_descriptions": [{"entity": "逸扬", "description": "马拉的妹妹，拉小提琴。"}],
    },
    second=("阿杨排练前断了一根弦。", "persona: 还好是排练前。", "逸扬一直笑到大提琴来了为止。"),
    doubt={
        "events": [event("阿杨排练前断了一根弦，逸扬笑了很久。", impact=-1, lines=[1, 3])],
        "session_summary": "排练前断了一根弦。",
        "mentioned_entities": [
            {"canonical_name": "阿杨", "kind": "person"},
            {"canonical_name": "逸扬", "kind": "person"},
        ],
        "possible_same": [{"a": "阿杨", "b": "逸扬", "stated_in": None}],
        "session_mood_signal": {"mood": "温柔", "energy": 6, "last_user_signal": "tired"},
    },
    asked=("你还记得逸扬是用什么把猫提回家的吗？", "下周五又有什么事？"),
)


def live(life: Life) -> Bond:
    bond = BondFactory(**life.names, user__time_zone=life.zone)
    for label, content in life.authored.items():
        holder = bond if label == "user" else bond.persona
        blocks.save(holder=holder, label=label, content=content, user=bond.user, now=WEEK_AGO)
    bond.persona.facts.occupation = life.occupation
    bond.persona.facts.save()
    talk_about(life, life.first, answer=life.extraction, bond=bond, now=WEEK_AGO)
    talk_about(life, life.second, answer=life.doubt, bond=bond, now=HOURS_AGO)
    fill_window(bond)
    embeddings.embed_bond(bond_id=bond.pk)
    return bond


def talk_about(life: Life, lines: tuple[str, ...], *, answer: dict[str, Any], bond: Bond, now: datetime) -> None:
    session = closed_talk(*lines, bond=bond, now=now)
    consolidate(session, Thinking(life, answer), now=now)
    slow_tick.run(session_id=session.pk, llm=Thinking(life, answer), clock=lambda: now)


class Thinking(FakeLLM):
    """Rests what it thinks on every event there is."""

    def __init__(self, life: Life, extraction: dict[str, Any]) -> None:
        super().__init__()
        self.life = life
        self.extraction = extraction

    def answer(self, messages, *, feature, **more):
        ids = list(ConceptNode.objects.events().order_by("id").values_list("pk", flat=True))
        thought = {"description": self.life.thought, "emotional_impact": 4, "filling": ids}
        rested = {
            kind: [one | ({} if kind == "entity_descriptions" else {"filling": ids}) for one in found]
            for kind, found in self.life.between.items()
        }
        self.answers = {
            "extraction": self.extraction,
            "reflection": {"thoughts": [thought] if self.extraction == self.life.extraction else []},
            "slow_tick": rested,
        }
        return super().answer(messages, feature=feature, **more)


@pytest.mark.parametrize(("language", "life"), [("en", ENGLISH), ("zh", CHINESE)], ids=["en", "zh"])
def test_the_whole_prompt_of_a_full_companion(language, life):
    bond = live(life)
    for line in life.asked:
        turns.receive(bond=bond, content=line, channel="api", now=NOW)
    turn = turns.claim(bond_id=bond.pk, now=NOW + timedelta(minutes=1))
    [vector] = embedding.embed(["\n".join(life.asked)])

    found = reading.read(turn, vector, NOW)

    system = found.assembled().messages[0]["content"]
    headings = [line.removeprefix("# ") for line in system.splitlines() if line.startswith("# ")]
    assert headings == [
        "Persona",
        "About the user",
        "Style",
        "Who you are",
        "Earlier talks",
        "How you see yourself lately",
        "What you have been thinking",
        f"About {life.between['entity_descriptions'][0]['entity']}",
        "Something to clear up",
        "What you remember",
        "Their exact words",
        "Promises you have made",
        "What you have been expecting",
        "How you feel right now",
        "Right now",
    ]
    assert system + "\n" == (GOLDEN / f"companion_{language}.txt").read_text(encoding="utf-8")
