"""That every colour a persona can have keeps its contrast in both themes, by the numbers of the stylesheet."""

import math
import re

import pytest
from django.conf import settings

from chat.templatetags.pages import HUES

CSS = (settings.BASE_DIR / "static/css/echovessel.css").read_text()
AA, AA_LARGE = 4.5, 3.0


def by_theme(name):
    """The two values of a token: by day, by night."""
    value = re.search(rf"--{name}: light-dark\((.+)\);", CSS)[1]
    parts = re.match(r"((?:[^,(]|\([^()]*(?:\([^()]*\))?[^()]*\))+), (.+)", value)
    return parts[1], parts[2]


def linear(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def of_hex(value):
    return tuple(linear(int(value[at : at + 2], 16) / 255) for at in (1, 3, 5))


def of_oklch(value, hue):
    """Linear RGB, cut to what a screen can show, as browsers do."""
    lightness, chroma = map(float, re.match(r"oklch\(([\d.]+) ([\d.]+) ", value).groups())
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long, medium, short = (
        (lightness + x * a + y * b) ** 3
        for x, y in ((0.3963377774, 0.2158037573), (-0.1055613458, -0.0638541728), (-0.0894841775, -1.2914855480))
    )
    rows = (
        (4.0767416621, -3.3077115913, 0.2309699292),
        (-1.2684380046, 2.6097574011, -0.3413193965),
        (-0.0041960863, -0.7034186147, 1.7076147010),
    )
    return tuple(min(1, max(0, x * long + y * medium + z * short)) for x, y, z in rows)


def colour(name, theme, hue):
    value = by_theme(name)[theme]
    return of_oklch(value, hue) if value.startswith("oklch") else of_hex(value)


def contrast(one, other):
    light, dark = sorted((0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def hues():
    """Those of the classes that `hue` gives, and that of pages that are nobody's."""
    of_personas = re.findall(r"\.hue-\d+ \{ --hue: (\d+); \}", CSS)
    assert len(of_personas) == HUES
    return [*map(int, of_personas), int(re.search(r":root \{ --hue: (\d+); \}", CSS)[1])]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
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
    ],
)
def test_every_hue_keeps_its_contrast(ink, ground, least, theme):
    low = {
        hue: round(ratio, 2)
        for hue in hues()
        if (ratio := contrast(colour(ink, theme, hue), colour(ground, theme, hue))) < least
    }

    assert low == {}
