"""Joins the small modules of a page into one file when static files are collected, so that a browser asks once.

A script becomes one module: each module that it imports turns into a function that runs once, in the order in which a
browser would run them. What `js/app.js` imports too, and vendored files, stay files of their own, so that a page has
them once. A style sheet takes in the sheets that it imports.
"""

import posixpath
import re
from collections.abc import Callable

SCRIPTS = ("js/conversation/main.js", "js/graph/main.js")
STYLES = ("css/components.css", "css/conversation.css")
# The script of every page.
SHARED_BY = "js/app.js"
VENDORED = "vendor/"

Read = Callable[[str], str]

_IMPORT = re.compile(
    r'^import (?:(?:\{(?P<names>[^}]*)\}|\* as (?P<whole>\w+)) from )?"(?P<path>\.{1,2}/[^"]+)";\n', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_DEMANDED = re.compile(r'\bimport\("(\.{1,2}/[^"]+)"\)')
_STYLE = re.compile(r'^@import "(?P<path>[^"]+)";\n', re.MULTILINE)


class BundleError(Exception):
    """A source is written in a way that cannot be joined; the text names the file."""


def bundle_script(script: str, read: Read) -> str:
    """Return the script with its modules. Raises BundleError for imports in a circle or exports of another form."""
    inside, outside = order_modules(script, read)
    imported = [f'import * as {_name(path)} from "{_relative(path, script)}";\n' for path in outside]
    wrapped = [f"const {_name(path)} = (() => {{\n{_body(path, script, read)}}})();\n" for path in inside[:-1]]
    return "".join([*imported, *wrapped, _body(script, script, read)])


def order_modules(script: str, read: Read) -> tuple[list[str], list[str]]:
    """Return the modules that a bundle holds, each after those that it imports, and those that it imports as files."""
    shared = _find_all_imports(SHARED_BY, read)
    inside: list[str] = []
    outside: list[str] = []

    def visit(path: str, above: tuple[str, ...]) -> None:
        if path in above:
            raise BundleError(f"{path} imports itself, by way of {', '.join(above)}.")
        if path in inside or path in outside:
            return
        if path in shared or path.startswith(VENDORED):
            outside.append(path)
            return
        for target in _find_imports(path, read):
            visit(target, (*above, path))
        inside.append(path)

    visit(script, ())
    return inside, outside


def bundle_styles(sheet: str, read: Read) -> str:
    """Return the sheet with those that it imports. Raises BundleError where one leads to other files."""

    def take_in(found: re.Match[str]) -> str:
        path = _resolve(found["path"], sheet)
        source = read(path)
        if "url(" in source or "@import" in source:
            raise BundleError(f"{path} is joined into {sheet} and may not lead to other files.")
        return source

    return _STYLE.sub(take_in, read(sheet))


def _find_imports(path: str, read: Read) -> list[str]:
    return [_resolve(found["path"], path) for found in _IMPORT.finditer(read(path))]


def _find_all_imports(path: str, read: Read) -> set[str]:
    found = _find_imports(path, read)
    return set(found).union(*(_find_all_imports(target, read) for target in found))


def _body(path: str, bundle: str, read: Read) -> str:
    """Return a module's source: what it imports as constants, what it exports as an object."""

    def bind(found: re.Match[str]) -> str:
        target = _name(_resolve(found["path"], path))
        if found["whole"]:
            return f"const {found['whole']} = {target};\n"
        return f"const {{{found['names'].replace(' as ', ': ')}}} = {target};\n" if found["names"] else ""

    source = _IMPORT.sub(bind, read(path))
    source = _DEMANDED.sub(lambda found: f'import("{_relative(_resolve(found[1], path), bundle)}")', source)
    exported = _EXPORT.findall(source)
    source = _EXPORT.sub("", source)
    if re.search(r"^(import|export)\b[^(]", source, re.MULTILINE):
        raise BundleError(f"{path} imports or exports in a form that cannot be joined.")
    return source if path == bundle else f"{source}return {{ {', '.join(exported)} }};\n"


def _name(path: str) -> str:
    return re.sub(r"\W", "_", path)


def _resolve(target: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _relative(path: str, bundle: str) -> str:
    found = posixpath.relpath(path, posixpath.dirname(bundle))
    return found if found.startswith(".") else f"./{found}"
