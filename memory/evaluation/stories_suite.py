"""Stories told over several days, then asked about: what was kept, what is found again, what was taken for a peak and was none."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import yaml

from echovessel import embedding
from echovessel.llm.protocol import LLM
from memory import recall, sessions
from memory.consolidation import run
from memory.ingest import ingest
from memory.models import ConceptNode, Message, Session
from personas import onboarding
from personas.models import Bond, User

FOLDER = Path(__file__).parent / "stories"
BEGIN = datetime(2026, 3, 2, 19, 0, tzinfo=UTC)
DAYS_BETWEEN = timedelta(days=3)
PEAK_IMPACT = 6
# What `quality.md` asks of the offline voice where it extracts.
TARGETS = {"factual recall": (">=", 0.8), "peak retention": (">=", 0.9), "false peaks": ("<=", 0.2)}


@dataclass
class Tally:
    """Hits and trials of each figure, with what was missed."""

    hits: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    trials: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    misses: list[str] = field(default_factory=list)

    def count(self, figure: str, *, hit: bool, miss: str = "") -> None:
        self.trials[figure] += 1
        self.hits[figure] += hit
        if miss:
            self.misses.append(f"{figure}: {miss}")


def stories() -> list[dict[str, Any]]:
    return [
        yaml.safe_load(path.read_text(encoding="utf-8")) | {"name": path.stem} for path in sorted(FOLDER.glob("*.yaml"))
    ]


def evaluate(*, llm: LLM) -> tuple[list[dict[str, Any]], list[str]]:
    """The figures of the suite by language, each with its target and whether it held, and the misses."""
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for story in stories():
        bond = told(story, llm=llm)
        ask_facts(story, bond, tallies[story["lang"]])
        look_for_peaks(story, bond, tallies[story["lang"]])
    figures = [figure(name, lang, tally) for lang, tally in sorted(tallies.items()) for name in TARGETS]
    return figures, [f"{lang} {miss}" for lang, tally in sorted(tallies.items()) for miss in tally.misses]


def told(story: dict[str, Any], *, llm: LLM) -> Bond:
    """A new bond in which the story was told, a session every three days, and consolidated."""
    user = User.objects.create(username=f"story-{uuid4().hex}")
    _, bond = onboarding.create(owner=user, name="Marian", persona="A friend.", now=BEGIN, language=story["lang"])
    for at, lines in enumerate(story["sessions"]):
        now = BEGIN + at * DAYS_BETWEEN
        session = sessions.begin(bond=bond, channel=("web", "api")[at % 2], now=now)
        for line in lines:
            ingest(session=session, role=Message.Role.USER, content=line, turn_id=uuid4(), now=now)
        sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=now)
        run.consolidate(session_id=session.pk, llm=llm, clock=lambda now=now: now)  # type: ignore[misc]  # a default binds it
    return bond


def ask_facts(story: dict[str, Any], bond: Bond, tally: Tally) -> None:
    now = BEGIN + 14 * timedelta(days=1)
    for fact in story["facts"]:
        [vector] = embedding.embed([fact["ask"]])
        kept = recall.search(bond=bond, query=fact["ask"], vector=vector, now=now).kept
        found = "\n".join(item.node.description for item in kept)
        hit = all(word in found for word in fact["expect"])
        tally.count("factual recall", hit=hit, miss="" if hit else f"{story['name']}: {fact['ask']} {fact['expect']}")


def look_for_peaks(story: dict[str, Any], bond: Bond, tally: Tally) -> None:
    events = list(ConceptNode.objects.of(bond).live().events())
    strong = [event for event in events if abs(event.emotional_impact) >= PEAK_IMPACT]
    for peak in story["peaks"]:
        hit = any(is_peak(event, peak) for event in strong)
        tally.count("peak retention", hit=hit, miss="" if hit else f"{story['name']}: {peak['words']}")
    for event in strong:
        false = not any(is_peak(event, peak) for peak in story["peaks"])
        miss = f"{story['name']}: {event.description} {event.emotional_impact:+d}" if false else ""
        tally.count("false peaks", hit=false, miss=miss)


def is_peak(event: ConceptNode, peak: dict[str, Any]) -> bool:
    return event.emotional_impact * peak["sign"] > 0 and all(word in event.description for word in peak["words"])


def figure(name: str, lang: str, tally: Tally) -> dict[str, Any]:
    sense, target = TARGETS[name]
    value = tally.hits[name] / tally.trials[name] if tally.trials[name] else 0.0
    held = value >= target if sense == ">=" else value <= target
    return {"name": name, "lang": lang, "value": round(value, 3), "target": f"{sense} {target}", "held": held}
