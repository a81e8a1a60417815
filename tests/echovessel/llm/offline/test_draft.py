import pytest

from echovessel.llm.inputs import DraftInputs
from echovessel.llm.offline import draft


def test_draft_is_divided_by_headings():
    material = "Marian keeps a mill.\n\n## Style\nPlain & dry.\n\nAbout me:\nI am a nurse."

    assert draft.write_draft(DraftInputs(material)) == {
        "blocks": {"persona": "Marian keeps a mill.", "user": "I am a nurse.", "style": "Plain & dry."},
        "name": "",
        "facts": {},
        "notes": "Divided by headings, without a model.",
    }


def test_facts_of_a_draft_are_those_of_the_companion():
    material = "# 伊尔莎\n- **职业**：养蜂人\n时间：很多\nHome: Graz\n\n## 关于我\n姓名：小雨\n# Voice\nLanguage: plain"

    assert draft.write_draft(DraftInputs(material)) == {
        "blocks": {"persona": "时间：很多", "user": "姓名：小雨", "style": "Language: plain"},
        "name": "伊尔莎",
        "facts": {"occupation": "养蜂人", "location": "Graz"},
        "notes": "Divided by headings, without a model.",
    }


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Ilse", "Ilse"),
        ("Persona", ""),
        ("The Character", ""),
        ("人设", ""),
        ("Background:", ""),
        ("Persona of Ilse", "Persona of Ilse"),
    ],
)
def test_a_heading_that_names_a_part_is_nobodys_name(heading, name):
    assert draft.write_draft(DraftInputs(f"# {heading}\nKeeps bees."))["name"] == name
