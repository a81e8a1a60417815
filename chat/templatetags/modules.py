from functools import cache
from pathlib import Path

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from echovessel.http import bundling

register = template.Library()


@register.simple_tag
def preload_imports(script: str) -> SafeString:
    """Render preload hints for the files that a joined script imports, so that a browser loads them at once."""
    hint = '<link rel="modulepreload" href="{}">'
    return format_html_join("\n", hint, ((static(path),) for path in list_imports(script)))


@cache
def list_imports(script: str) -> list[str]:
    return bundling.order_modules(script, read_source)[1]


def read_source(path: str) -> str:
    place = finders.find(path)
    assert isinstance(place, str), path
    return Path(place).read_text()
