"""Drafts core blocks: splits the material by its headings and reads `name: value` lines as facts. Nothing is invented."""

import re
from collections.abc import Iterator

from pydantic import JsonValue

from echovessel.llm.inputs import DraftInputs

_HEADING = re.compile(r"^(?:#{1,6} *(?P<hash>.+)|(?P<colon>[^\n:：]{1,40})[:：])$")
_COLON = re.compile(r"[:：]")
_LABELS = {
    "user": r"\b(?:user|about (?:me|the user)|me)\b|用户|关于我",
    "style": r"\b(?:style|voice|tone|speech|talks?|speaks?)\b|语气|风格|说话|文风",
}
_FACTS = {
    "full_name": r"(?:full )?name|姓名|名字|全名",
    "gender": r"gender|sex|性别",
    "birth_date": r"birth ?(?:day|date)|date of birth|born|生日|出生(?:日期)?",
    "nationality": r"nationality|国籍",
    "native_language": r"(?:native |first )?language|mother tongue|母语",
    "location": r"location|home|lives in|residence|居住地|住址|所在地|现居",
    "time_zone": r"time ?zone|时区",
    "occupation": r"occupation|job|work|profession|职业|工作",
    "education": r"education|学历|教育",
    "relationship_status": r"relationship(?: status)?|marital status|婚姻(?:状况)?|感情状况",
}
_PART = r"(?:the )?(?:persona|character|personality|profile|background|description)[:：]?|人设|人物|角色|性格|背景|简介"
_BLOCK_MOST = 5000
_NAME_MOST = 80
_FACT_NAME_MOST, _FACT_MOST = 30, 120


def write_draft(inputs: DraftInputs) -> dict[str, JsonValue]:
    blocks: dict[str, list[str]] = {"persona": [], "user": [], "style": []}
    facts: dict[str, JsonValue] = {}
    for label, line in _split_sections(inputs.material):
        fact = _read_fact(line) if label == "persona" else None
        if fact is None:
            blocks[label].append(line)
        else:
            facts[fact[0]] = fact[1]
    texts: dict[str, JsonValue] = {name: "\n".join(lines).strip()[:_BLOCK_MOST] for name, lines in blocks.items()}
    name = str(facts.get("full_name", _find_title(inputs.material)))[:_NAME_MOST]
    return {"blocks": texts, "name": name, "facts": facts, "notes": "Divided by headings, without a model."}


def _split_sections(material: str) -> Iterator[tuple[str, str]]:
    """Yield each line that is no heading, with its block."""
    label = "persona"
    for line in material.splitlines():
        if heading := _HEADING.match(line.strip()):
            label = _find_label(heading["hash"] or heading["colon"])
        else:
            yield label, line


def _find_label(heading: str) -> str:
    return next((label for label, pattern in _LABELS.items() if re.search(pattern, heading, re.IGNORECASE)), "persona")


def _read_fact(line: str) -> tuple[str, str] | None:
    """Read a line like "Name: Bo", "- **Name:** Bo" or 姓名：小波 whose name is known."""
    said, _, told = _COLON.sub("\n", line.strip(), count=1).partition("\n")
    called, value = said[said.startswith(("-", "*")) :].strip().strip("*").strip(), told.strip().lstrip("*").lstrip()
    if not 0 < len(called) <= _FACT_NAME_MOST or not 0 < len(value) <= _FACT_MOST or "*" in value:
        return None
    name = next((name for name, pattern in _FACTS.items() if re.fullmatch(pattern, called, re.IGNORECASE)), None)
    return (name, value) if name else None


def _find_title(material: str) -> str:
    """Return the heading on the first line, if it is the name of somebody."""
    first = material.strip().partition("\n")[0]
    heading = _HEADING.match(first.strip())
    title = heading["hash"] or "" if heading else ""
    is_part = _find_label(title) != "persona" or re.fullmatch(_PART, title, re.IGNORECASE)
    return "" if is_part or len(title) > _NAME_MOST else title
