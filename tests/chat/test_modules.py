from pathlib import Path

from django.conf import settings
from django.template import Context, Template

from chat.templatetags import modules


def test_the_files_that_a_joined_script_imports_are_named_once_and_are_there():
    found = modules.list_imports("js/conversation/main.js")

    assert sorted(found) == [
        "js/times.js",
        "js/toasts.js",
        "vendor/dompurify/purify.min.js",
        "vendor/marked/marked.esm.js",
    ]
    assert [path for path in found if not (Path(settings.BASE_DIR) / "static" / path).is_file()] == []


def test_hints_are_given_for_what_is_imported():
    page = Template('{% load modules %}{% preload_imports "js/app.js" %}').render(Context())

    assert '<link rel="modulepreload" href="/static/js/times.js">' in page
