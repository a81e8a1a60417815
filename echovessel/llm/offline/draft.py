"""Drafts of core blocks: the material is divided by its headings, nothing is written anew."""

import re

from pydantic import JsonValue

from echovessel.prompts import unescape

_MATERIAL = re.compile(r"<material>\n?(.*)</material>", re.DOTALL)
_HEADING = re.compile(r"^(?:#{1,6} *(?P<hash>.+?)|(?P<colon>[^\n:：]{1,40})[:：])\s*$")
_LABELS = {
    "user": r"\b(?:user|about (?:me|the user)|me)\b|用户|关于我",
    "style": r"\b(?:style|voice|tone|speech|talks?|speaks?)\b|语气|风格|说话|文风",
}
_BLOCK_MOST = 5000


def draft(prompt: str) -> dict[str, JsonValue]:
    material = _MATERIAL.search(prompt)
    blocks: dict[str, list[str]] = {"persona": [], "user": [], "style": []}
    label = "persona"
    for line in unescape(material[1] if material else prompt).splitlines():
        if heading := _HEADING.match(line.strip()):
            label = _label(heading["hash"] or heading["colon"])
        else:
            blocks[label].append(line)
    texts: dict[str, JsonValue] = {name: "\n".join(lines).strip()[:_BLOCK_MOST] for name, lines in blocks.items()}
    return {"blocks": texts, "facts": {}, "notes": "Divided by headings, without a model."}


def _label(heading: str) -> str:
    return next((label for label, pattern in _LABELS.items() if re.search(pattern, heading, re.IGNORECASE)), "persona")
