"""What every prompt says of itself, whatever is filled in: it never knows by which way somebody talks."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROMPTS = sorted(path for app in ("chat", "memory", "personas") for path in (ROOT / app / "prompts").glob("*.md"))
GOLDEN = sorted((ROOT / "tests").glob("*/golden/*.txt"))
TRANSPORT = re.compile(r"\b(?:web|api|browser|discord|channel)\b", re.IGNORECASE)


def test_all_prompts_are_looked_at():
    assert {"extract.md", "reflect.md", "rules.md"} <= {path.name for path in PROMPTS}
    assert {"extract.txt", "reflect.txt", "prompt_en.txt", "prompt_zh.txt"} <= {path.name for path in GOLDEN}


@pytest.mark.parametrize("path", [*PROMPTS, *GOLDEN], ids=lambda path: path.name)
def test_no_prompt_names_a_way_in(path):
    assert TRANSPORT.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("said", ["the web", "an API", "Browser.", "Discord!", "channel-wise"])
def test_a_way_in_would_be_found(said):
    assert TRANSPORT.findall(said) != []


@pytest.mark.parametrize("said", ["cobweb", "rapid", "browsers", "channelled", "discordant"])
def test_other_words_are_let_be(said):
    assert TRANSPORT.findall(said) == []
