from pathlib import Path

from django.conf import settings
from django.template import Context, Template

from chat.templatetags import modules


def test_all_that_the_conversation_imports_is_named_once_and_is_there():
    found = modules.list_imports("js/conversation/main.js")

    assert {"js/messages/messages.js", "js/times.js", "vendor/marked/marked.esm.js"} < set(found)
    assert len(found) == len(set(found))
    assert [path for path in found if not (Path(settings.BASE_DIR) / "static" / path).is_file()] == []


def test_hints_are_given_for_what_is_imported():
    page = Template('{% load modules %}{% preload_imports "js/app.js" %}').render(Context())

    assert '<link rel="modulepreload" href="/static/js/times.js">' in page
