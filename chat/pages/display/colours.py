"""The stylesheet's colours and their contrast, for the design page and tests."""

import math
import re
from pathlib import Path

from django.conf import settings

RGB = tuple[float, float, float]
STYLES: Path = settings.BASE_DIR / "static" / "css" / "echovessel.css"
LIGHT, DARK = 0, 1
# From OKLab to LMS cubes and to linear RGB: Ottosson, "A perceptual color space for image processing", 2020.
TO_LMS = ((0.3963377774, 0.2158037573), (-0.1055613458, -0.0638541728), (-0.0894841775, -1.2914855480))
TO_RGB = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def resolve_token(name: str, *, theme: int, hue: int = 0) -> RGB:
    """Return a token's colour in linear RGB, with this hue as the accent."""
    value = read_token_values(name)[theme]
    return parse_oklch(value, hue) if value.startswith("oklch") else parse_hex(value)


def read_token_values(name: str) -> tuple[str, str]:
    found = re.search(rf"--{name}: light-dark\((.+)\);", STYLES.read_text())
    if found is None:
        raise KeyError(name)
    light, dark = re.split(r", (?=#|oklch)", found[1])
    return light, dark


def read_hues() -> list[int]:
    """Return the hues of personas, in the order of their classes."""
    return [int(hue) for hue in re.findall(r"\.hue-\d+ \{ --hue: (\d+); \}", STYLES.read_text())]


def compute_contrast(one: RGB, other: RGB) -> float:
    """Return the contrast ratio of WCAG, from 1 to 21."""
    dark, light = sorted(0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in (one, other))
    return (light + 0.05) / (dark + 0.05)


def parse_hex(value: str) -> RGB:
    red, green, blue = (linearize(int(value[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return red, green, blue


def linearize(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def parse_oklch(value: str, hue: int) -> RGB:
    """Return linear RGB, clipped to the sRGB gamut as in browsers."""
    lightness, chroma = (float(number) for number in re.findall(r"[\d.]+", value)[:2])
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    cones = [(lightness + x * a + y * b) ** 3 for x, y in TO_LMS]
    red, green, blue = (
        min(1.0, max(0.0, sum(part * cone for part, cone in zip(row, cones, strict=True)))) for row in TO_RGB
    )
    return red, green, blue
