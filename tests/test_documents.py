import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTEXT.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = ("echovessel/", "personas/", "memory/", "chat/", "tests/", "templates/", "static/", "docs/")


def test_every_variable_of_the_settings_is_described():
    sources = [ROOT / "echovessel/settings.py", *(ROOT / "echovessel/configuration").glob("*.py")]
    source = "\n".join(path.read_text() for path in sources)
    read = re.findall(r'environ(?:ment)?\.\w+\(\s*"([A-Z0-9_]+)"', source)
    assert "EMBEDDING_BACKEND" in read

    described = set(re.findall(r"`([A-Z0-9_]+)`", (ROOT / "docs/settings.md").read_text()))

    assert len(read) > 30
    assert [name for name in read if name not in described] == []


def test_every_event_is_described():
    sources = [path.read_text() for app in ("chat", "memory", "personas") for path in (ROOT / app).rglob("*.py")]
    # Types of events end in what happened; `tell` and `record` take them as they stand.
    kinds = "message|session|mood|settings|connection|event|thought|node|fact|doubt|entity|import"
    kinds += "|scene|recap|story|tidying"
    sent = set(re.findall(rf'"((?:chat|memory)\.(?:{kinds})\.[a-z_]+)"', "\n".join(sources)))

    described = set(re.findall(r"`((?:chat|memory)\.\w+\.\w+)`", (ROOT / "docs/api.md").read_text()))

    assert "chat.settings.updated" in sent
    assert sent == described


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_everything_a_document_names_is_there(document):
    text = document.read_text()
    linked = [target for target in re.findall(r"\]\(([^)#]+)", text) if "://" not in target]
    named = [name for name in re.findall(r"`([\w./-]+)`", text) if name.startswith(CODE)]

    missing = [target for target in linked if not (document.parent / target).exists()]
    missing += [name for name in named if not (ROOT / name).exists()]

    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_dotted_name_in_a_document_is_in_the_code(document, sources):
    prose = re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)
    named = re.findall(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)`", prose)

    assert [name for name in named if not is_in_code(name, sources)] == []


@pytest.fixture(scope="module")
def sources():
    return {path: path.read_text() for app in CODE[:4] for path in (ROOT / app).rglob("*.py")}


def is_in_code(name, sources):
    """Whether it is a path, a module, a name that its module or class holds, or a string of the code."""
    path = name.replace(".", "/")
    owner, last = name.split(".")[-2:]
    if any((ROOT / there).exists() for there in (name, path, f"{path}.py")):
        return True
    for module, source in sources.items():
        home = module.parent.name if module.stem == "__init__" else module.stem
        is_home = home == owner or re.search(rf"class {owner}\b", source)
        if f'"{name}"' in source or (is_home and re.search(rf"\b{last}\b", source)):
            return True
    return False
