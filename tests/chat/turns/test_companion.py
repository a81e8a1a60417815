"""A companion with a history: messages, a file and thoughts fill every section of its prompt."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chat.turns import claiming, receiving
from chat.turns.prompting import base_context, prompt_context
from echovessel.embeddings import embedding
from memory.consolidation.slow_tick import run
from memory.models import ConceptNode
from memory.recall import embeddings
from personas import blocks
from personas.models import Bond
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM
from tests.support.prompt_reader import read_sections
from tests.support.talking import fill_window
from tests.support.talks import closed_talk, consolidate, event, extraction

pytestmark = pytest.mark.django_db
GOLDEN = Path(__file__).parents[1] / "golden"
WEEK_AGO = NOW - timedelta(days=7)
HOURS_AGO = NOW - timedelta(hours=5)


@dataclass(frozen=True)
class Life:
    """A session of a week ago, one of some hours ago, the model's answers for both, and the current burst."""

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


def days(start: str, end: str) -> dict[str, Any]:
    return {"event_time": {"start": start, "end": end}}


FRIDAY = days("2026-11-27", "2026-11-27")
SUNDAY = days("2026-11-29", "2026-11-29")


def concert(*, plays: str, carried: str, promise: str, summary: str, met: dict[str, str], mood: str) -> dict[str, Any]:
    """The model's answer for the first session."""
    return extraction(
        event(plays, impact=4, lines=[1], **FRIDAY),
        event(carried, impact=3, lines=[3, 4], relational_tags=["identity-bearing"]),
        event(promise, impact=0, lines=[2], subject="persona", **SUNDAY),
        session_summary=summary,
        mentioned_entities=[{"canonical_name": name, "kind": kind} for name, kind in met.items()],
        session_mood_signal={"mood": mood, "energy": 7, "last_user_signal": "warm"},
    )


def rehearsal(*, broke: str, summary: str, pair: tuple[str, str], mood: str) -> dict[str, Any]:
    """The model's answer for the second session: two people who may be one."""
    return extraction(
        event(broke, impact=-1, lines=[1, 3]),
        session_summary=summary,
        mentioned_entities=[{"canonical_name": name, "kind": "person"} for name in pair],
        possible_same=[{"a": pair[0], "b": pair[1], "stated_in": None}],
        session_mood_signal={"mood": mood, "energy": 6, "last_user_signal": "tired"},
    )


def thought_over(*, thought: str, about: str, prediction: str, described: dict[str, str]) -> dict[str, Any]:
    """The slow tick between the two."""
    return {
        "thoughts": [{"description": thought, "subject": "persona"}],
        "expectations": [{"about": about, "prediction": prediction, "due_at": "2026-11-27"}],
        "entity_descriptions": [{"entity": name, "description": text} for name, text in described.items()],
    }


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
    extraction=concert(
        plays="Mara's sister Yiyang plays in the quartet on 27 November.",
        carried="Yiyang carried Mara's white cat Nimbus home in the violin case.",
        promise="Ask Mara how Yiyang's concert went.",
        summary="Yiyang's quartet on Friday, and the cat in the violin case.",
        met={"Yiyang": "person", "Nimbus": "pet"},
        mood="amused",
    ),
    thought="Mara is happiest when somebody is carried home.",
    between=thought_over(
        thought="I have begun to listen for Yiyang's name.",
        about="the quartet",
        prediction="Mara will sit in the front row.",
        described={"Yiyang": "Mara's sister; she plays the violin."},
    ),
    second=(
        "Scott broke a string before the rehearsal.",
        "persona: Before it, luckily.",
        "Yiyang laughed about it until the cellist came.",
    ),
    doubt=rehearsal(
        broke="Scott broke a string before the rehearsal; Yiyang laughed about it.",
        summary="A broken string before the rehearsal.",
        pair=("Scott", "Yiyang"),
        mood="tender",
    ),
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
    extraction=concert(
        plays="马拉的妹妹逸扬11月27日有四重奏演出。",
        carried="逸扬冒着雨用琴盒把马拉的白猫小黑提回了家。",
        promise="问马拉逸扬的演出怎么样。",
        summary="逸扬周五演四重奏，小黑睡在琴盒里。",
        met={"逸扬": "person", "小黑": "pet"},
        mood="好笑",
    ),
    thought="有谁被带回家的时候，马拉最高兴。",
    between=thought_over(
        thought="我开始留意逸扬这个名字。",
        about="四重奏",
        prediction="马拉会坐第一排。",
        described={"逸扬": "马拉的妹妹，拉小提琴。"},
    ),
    second=("阿杨排练前断了一根弦。", "persona: 还好是排练前。", "逸扬一直笑到大提琴来了为止。"),
    doubt=rehearsal(
        broke="阿杨排练前断了一根弦，逸扬笑了很久。", summary="排练前断了一根弦。", pair=("阿杨", "逸扬"), mood="温柔"
    ),
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
    run.run(session_id=session.pk, llm=Thinking(life, answer), clock=lambda: now)


class Thinking(FakeLLM):
    """Cites every existing event in what it thinks."""

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


@pytest.mark.parametrize("has_story", [False, True], ids=["no story", "story"])
@pytest.mark.parametrize(("language", "life"), [("en", ENGLISH), ("zh", CHINESE)], ids=["en", "zh"])
def test_the_whole_prompt_of_a_full_companion(language, life, has_story, settings):
    settings.STORY_ENABLED = has_story
    bond = live(life)
    for message in life.asked:
        receiving.receive(bond=bond, content=message, channel="api", now=NOW)
    turn = claiming.claim(bond_id=bond.pk, now=NOW + timedelta(minutes=1))
    [vector] = embedding.embed(["\n".join(life.asked)])

    found = prompt_context.load(base_context.load(turn, NOW), vector)

    system = read_sections(found.assemble_prompt().messages)
    headings = [line.removeprefix("# ") for line in system.splitlines() if line.startswith("# ")]
    assert headings == [
        "Persona",
        "About the user",
        "Style",
        "Who you are",
        *(["Earlier in this talk"] if has_story else []),
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
    golden = (GOLDEN / f"companion_{language}.txt").read_text(encoding="utf-8")
    if has_story:
        # The rules say besides what notes are, and recaps tell what the window leaves; the other sections are the same.
        [_, *told], [_, *plain] = (text.split("\n# ") for text in (system + "\n", golden))
        assert [section for section in told if not section.startswith("Earlier in this talk\n")] == plain
        return
    assert system + "\n" == golden
