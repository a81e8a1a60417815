"""That each sentence which an answer of the REST API or a page may give has a translation, whichever its values are."""

import ast
import gettext
import importlib
from pathlib import Path

import django
import rest_framework
from django.conf import settings
from rest_framework.exceptions import APIException, ErrorDetail
from rest_framework.serializers import ValidationError

from echovessel.errors import CodedError
from echovessel.llm.errors import LLMError

ROOT = Path(settings.BASE_DIR)
PACKAGES = ("chat", "memory", "personas", "echovessel")
REST = ("chat/api", "memory/api", "memory/serializers", "personas/api", "personas/rest")
# What these raise is told to a model, a program or a worker's log.
UNREAD = ("chat/live", "chat/turns/tools", "memory/consolidation", "memory/importing/facts.py")
NO_PART = {"migrations", "evaluation", "benchmark", "management", "__main__.py"}
MARKS = {"gettext", "gettext_lazy", "_"}


def load_translated():
    """The sentences of the project's catalogue, Django's and the REST framework's."""
    folders = (ROOT / "echovessel", Path(django.__file__).parent / "conf", Path(rest_framework.__file__).parent)
    found = set()
    for folder in folders:
        with (folder / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.mo").open("rb") as file:
            found |= set(gettext.GNUTranslations(file)._catalog)
    return found


def list_calls(*folders):
    """Each call of a name in the folders, with its module and what is called."""
    for path in (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))):
        at = path.relative_to(ROOT)
        if NO_PART.isdisjoint(at.parts) and not at.as_posix().startswith(UNREAD):
            module = importlib.import_module(".".join(at.with_suffix("").parts).removesuffix(".__init__"))
            calls = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
            yield from ((module, call, look_up(call.func, module)) for call in calls)


def look_up(node, module):
    """What a name stands for in a module, None if only a function knows."""
    match node:
        case ast.Name():
            return getattr(module, node.id, None)
        case ast.Attribute():
            return getattr(look_up(node.value, module), node.attr, None)
    return None


def list_texts(node, module):
    """The texts that an argument may be: as it is written there, either of two, or a constant of the module."""
    match node:
        case ast.Constant(value=str(said)):
            return [said]
        case ast.JoinedStr():
            return [ast.unparse(node)]
        case ast.IfExp():
            return [*list_texts(node.body, module), *list_texts(node.orelse, module)]
        case ast.List():
            return [said for one in node.elts for said in list_texts(one, module)]
        case ast.Dict():
            return [said for one in node.values for said in list_texts(one, module)]
        case ast.BinOp():
            return list_texts(node.left, module)
    constant = look_up(node, module)
    return [constant] if isinstance(constant, str) else []


def list_sentences(call, module):
    return {said for argument in call.args for said in list_texts(argument, module) if " " in said}


def list_untranslated(said):
    translated = load_translated()
    return sorted(one for one in said if one[0] not in translated)


def is_kind(made, *kinds):
    return isinstance(made, type) and issubclass(made, kinds)


def test_each_sentence_of_an_error_and_each_marked_text_is_translated():
    """All our modules are read for both, so that they are parsed once."""
    said, marked = set(), set()
    for module, call, made in list_calls(*PACKAGES):
        if is_kind(made, CodedError, LLMError):
            said |= {(sentence, module.__name__) for sentence in list_sentences(call, module)}
        if isinstance(call.func, ast.Name) and call.func.id in MARKS:
            marked |= {(text, module.__name__) for argument in call.args for text in list_texts(argument, module)}

    assert len(said) > 150
    assert len(marked) > 1000
    assert list_untranslated(said | marked) == []


def test_the_rest_api_says_nothing_unmarked():
    unmarked = {
        sentence
        for module, call, made in list_calls(*REST)
        if is_kind(made, APIException, ValidationError, ErrorDetail)
        for sentence in list_sentences(call, module)
    }

    assert unmarked == set()
