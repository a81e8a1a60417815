import posixpath
import re
from functools import cache
from pathlib import Path

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()
_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.{1,2}/[^"]+)"', re.MULTILINE)


@register.simple_tag
def preload_imports(script: str) -> SafeString:
    """Render preload hints for a module's imports, so that a browser loads them at once."""
    hint = '<link rel="modulepreload" href="{}">'
    return format_html_join("\n", hint, ((static(path),) for path in list_imports(script)))


@cache
def list_imports(script: str) -> list[str]:
    found: list[str] = []
    waiting = [script]
    while waiting:
        path = waiting.pop(0)
        for name in _IMPORT.findall(read_source(path)):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            if target not in found:
                found.append(target)
                waiting.append(target)
    return found


def read_source(path: str) -> str:
    place = finders.find(path)
    assert isinstance(place, str), path
    return Path(place).read_text()
