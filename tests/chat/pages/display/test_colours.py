import re

import pytest

from chat.pages.display import colours
from chat.templatetags.pages import HUES

AA, AA_LARGE = 4.5, 3.0
# The hue of pages without a persona.
OWN_HUE = int(re.findall(r":root \{ --hue: (\d+); \}", colours.STYLES.read_text())[0])


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#ffffff", 1.0),
        ("#767676", "#ffffff", 4.54),
        ("#0000ff", "#ffffff", 8.59),
    ],
)
def test_contrast_is_as_others_reckon_it(one, other, ratio):
    assert round(colours.compute_contrast(colours.parse_hex(one), colours.parse_hex(other)), 2) == ratio


@pytest.mark.parametrize(
    ("value", "hue", "as_hex"),
    [
        ("oklch(1 0 var(--hue))", 0, "#ffffff"),
        ("oklch(0.628 0.2577 var(--hue))", 29, "#ff0000"),
        ("oklch(0.5 0 x)", 0, "#636363"),
    ],
)
def test_oklch_is_what_browsers_show(value, hue, as_hex):
    assert colours.parse_oklch(value, hue) == pytest.approx(colours.parse_hex(as_hex), abs=0.01)


def test_a_token_that_is_not_there_is_missed():
    with pytest.raises(KeyError):
        colours.read_token_values("mauve")


def test_every_class_has_a_hue():
    assert len(colours.read_hues()) == HUES


@pytest.mark.parametrize("theme", [colours.LIGHT, colours.DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [
        ("accent", "paper", AA),
        ("accent", "paper-high", AA),
        ("accent", "paper-deep", AA),
        ("accent", "accent-ground", AA),
        ("accent-firm", "accent-ground", AA),
        ("on-accent", "accent", AA),
        ("on-accent", "accent-firm", AA),
        ("ink", "accent-ground", AA),
        ("ink-soft", "accent-ground", AA),
        ("ink-faint", "paper-deep", AA),
        ("alert", "alert-ground", AA),
        ("line-firm", "paper-high", AA_LARGE),
        ("ink-faint", "paper-high", AA),
        ("code-word", "paper-high", AA),
        ("code-text", "paper-high", AA),
        ("code-number", "paper-high", AA),
        ("code-name", "paper-high", AA),
        ("code-type", "paper-high", AA),
    ],
)
def test_every_hue_keeps_its_contrast(ink, ground, least, theme):
    ratios = {
        hue: colours.compute_contrast(
            colours.resolve_token(ink, theme=theme, hue=hue), colours.resolve_token(ground, theme=theme, hue=hue)
        )
        for hue in [*colours.read_hues(), OWN_HUE]
    }

    assert {hue: ratio for hue, ratio in ratios.items() if ratio < least} == {}
