"""All components on one page, in light and dark, for developers."""

import re
from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from chat.pages.display import colours
from personas.models import User

COLOURS = ("paper", "paper-deep", "paper-high", "ink", "ink-soft", "ink-faint", "line", "line-firm", "alert", "good")
SIZES = ("small", "note", "body", "read", "1", "2", "3", "4", "5")
SPACES = ("half", "1", "2", "3", "4", "6", "8", "12")
ICONS_FILE = settings.BASE_DIR / "static" / "img" / "signs.svg"
MIN_CONTRAST = 4.5


@dataclass(frozen=True)
class Hue:
    number: int
    # The contrast of accent text on paper.
    light: float
    dark: float

    @property
    def holds(self) -> bool:
        return min(self.light, self.dark) >= MIN_CONTRAST


@require_GET
def design(request: HttpRequest) -> HttpResponse:
    """Only operators see it, unless DEBUG is on."""
    is_operator = isinstance(request.user, User) and request.user.is_superuser
    if not (settings.DEBUG or is_operator):
        raise Http404
    context = {
        "sides": ("light", "dark"),
        "colours": COLOURS,
        "sizes": SIZES,
        "spaces": SPACES,
        "signs": re.findall(r'id="([\w-]+)"', ICONS_FILE.read_text()),
        "hues": [measure_hue(number) for number in colours.read_hues()],
    }
    return render(request, "chat/design/page.html", context)


def measure_hue(number: int) -> Hue:
    light, dark = (
        colours.compute_contrast(
            colours.resolve_token("accent", theme=theme, hue=number), colours.resolve_token("paper", theme=theme)
        )
        for theme in (colours.LIGHT, colours.DARK)
    )
    return Hue(number, round(light, 2), round(dark, 2))
