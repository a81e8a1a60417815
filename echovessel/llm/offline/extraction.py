"""What the rules remember of a talk, in the shape the extraction prompt asks for."""

import re

from pydantic import JsonValue

from echovessel.llm.offline import chinese, english, lexicon, topics, weighing
from echovessel.llm.offline.topics import Topic
from echovessel.prompts import unescape

MAX_EVENTS = 3
_LINE = re.compile(r"^\[(\d+)\] \d{4}-\d\d-\d\d \d\d:\d\d(?: \w+)? (user|persona): ?(.*)$")
_TRANSCRIPT = re.compile(r"<transcript>\n?(.*?)</transcript>", re.DOTALL)
_UNNAMED_KIN = {"friend", "colleague", "neighbour", "teacher", "boss", "child", "parents", "in-law"}
_MOODS = (
    (-5, "heavy", "沉重", 3),
    (-1, "subdued", "低落", 4),
    (1, "calm", "平静", 5),
    (5, "warm", "温暖", 6),
    (10, "joyful", "喜悦", 8),
)


def extract(prompt: str) -> dict[str, JsonValue]:
    lines = _user_lines(prompt)
    found = topics.group(lines)
    best = sorted(found, key=_salience, reverse=True)[:MAX_EVENTS]
    events = [topic for topic in found if topic in best]
    return {
        "events": [_event(topic) for topic in events],
        "session_summary": _summary(best, lines),
        "mentioned_entities": _entities(events),
        "possible_same": [],
        "entity_clarification": None,
        "session_mood_signal": _mood(events, lines),
        "self_check_notes": "Read by rules, without a model.",
    }


def _user_lines(prompt: str) -> list[tuple[int, str]]:
    transcripts = _TRANSCRIPT.findall(prompt)
    said: list[tuple[int, str, list[str]]] = []
    for raw in transcripts[-1].split("\n") if transcripts else []:
        if match := _LINE.match(raw):
            said.append((int(match[1]), match[2], [match[3]]))
        elif said and raw.startswith("    "):
            said[-1][2].append(raw[4:])
    return [(number, unescape("\n".join(parts))) for number, speaker, parts in said if speaker == "user"]


def _salience(topic: Topic) -> tuple[int, int, int]:
    return abs(topic.impact), len(topic.names), len(topic.sentences)


def _event(topic: Topic) -> dict[str, JsonValue]:
    text = topic.text
    return {
        "description": text,
        "emotional_impact": topic.impact,
        "emotion_tags": [feeling.tag for feeling in topic.feelings[:4]],
        "relational_tags": _relational_tags(text),
        "subject": "user",
        "event_time": None,
        "source_lines": [*topic.lines],
        "supersedes": [],
    }


def _relational_tags(text: str) -> list[JsonValue]:
    patterns = lexicon.language(text).RELATIONAL
    return [tag for tag, pattern in patterns.items() if re.search(pattern, text, re.IGNORECASE)][:3]


def _summary(best: list[Topic], lines: list[tuple[int, str]]) -> str:
    if best:
        return best[0].text[:200]
    sentences = [sentence for _, text in lines for sentence in topics.split(text)]
    said = [sentence for sentence in sentences if not lexicon.matches("SMALL_TALK", sentence)]
    return max(said or sentences, key=len, default="")[:200]


def _entities(events: list[Topic]) -> list[JsonValue]:
    kinds: dict[str, str] = {}
    for topic in events:
        kinds |= {name.text: name.kind for name in topic.names.values() if name.text in topic.text}
        kinds |= dict.fromkeys(_kin_without_name(topic), "person")
    texts = [topic.text.casefold() for topic in events]
    return [
        {
            "canonical_name": name,
            "kind": kind,
            "aliases": [],
            "in_events": [at for at, text in enumerate(texts) if name.casefold() in text],
            "description": None,
        }
        for name, kind in kinds.items()
    ]


def _kin_without_name(topic: Topic) -> list[str]:
    if any(name.kind == "person" for name in topic.names.values()):
        return []
    return [word for concept, word in lexicon.kin_words(topic.text).items() if concept not in _UNNAMED_KIN]


def _mood(events: list[Topic], lines: list[tuple[int, str]]) -> JsonValue:
    if not events:
        return None
    mean = sum(topic.impact for topic in events) / len(events)
    in_chinese = lexicon.is_chinese(" ".join(text for _, text in lines))
    _, calm, calm_zh, energy = next(mood for mood in _MOODS if mean <= mood[0])
    return {"mood": calm_zh if in_chinese else calm, "energy": energy, "last_user_signal": _signal(lines)}


def _signal(lines: list[tuple[int, str]]) -> str | None:
    """The tone of the last words that had one."""
    for _, text in reversed(lines):
        for signal, pattern in {**english.SIGNALS, **chinese.SIGNALS}.items():
            if re.search(pattern, text, re.IGNORECASE):
                return signal
        felt = weighing.feelings(text)
        if felt or lexicon.pets(text):
            return None if felt and felt[0].impact < 0 else "warm"
    return None
