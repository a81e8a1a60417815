"""What the style sheets say to WebKit, in which no other test looks at the pages."""

import pytest
from django.conf import settings

SHEETS = "".join(sheet.read_text() for sheet in sorted((settings.BASE_DIR / "static" / "css").rglob("*.css")))


@pytest.mark.parametrize("name", ["user-select", "text-size-adjust"])
def test_what_webkit_knows_by_its_own_name_only_has_that_name_too(name):
    assert SHEETS.count(f"-webkit-{name}:") * 2 == SHEETS.count(f"{name}:") > 0


def test_only_one_rule_that_webkit_does_not_read_makes_texts_of_several_lines_pretty():
    guarded = "@supports not (-webkit-nbsp-mode: space) {\n    p, .message__text { text-wrap: pretty; }\n"

    assert (guarded in SHEETS, SHEETS.count("text-wrap: pretty")) == (True, 1)
