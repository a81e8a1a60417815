"""Complete the OpenAPI description: add the descriptions, examples and errors of `openapi.yaml`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).with_suffix(".yaml")
ERROR = {"$ref": "#/components/schemas/Error"}
JSON = "application/json"
PAGE = {"next": "http://127.0.0.1:8000/api/…?cursor=…", "previous": None}
STREAM = 'id: 41\ndata: {"type": "chat.message.done", "at": "2026-11-21T20:00:04Z", "seq": 41, "bond": 7, "content": "…"}\n\n'
_NODES = re.compile(r"memory/(event|thought|intention|expectation)s/")
RETRY_AFTER = {"description": "Seconds until the next request is allowed.", "schema": {"type": "integer"}}


def describe(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The last postprocessing hook of drf-spectacular."""
    described = yaml.safe_load(FILE.read_text())
    for path, method, operation in iterate_operations(result):
        called = f"{method.upper()} {path.removeprefix('/api/')}"
        describe_operation(operation, called, described["operations"])
        if called in described["bodies"]:
            operation["requestBody"] = {"content": {JSON: described["bodies"][called]}, "required": True}
        operation["tags"] = [get_tag(path)]
        add_errors(operation, path=path, method=method, examples=described["errors"])
        for holder in (operation.get("requestBody", {}), *operation["responses"].values()):
            for content in holder.get("content", {}).items():
                add_example(content, result["components"]["schemas"], described["examples"])
    return result


def iterate_operations(result: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def describe_operation(operation: dict[str, Any], asked: str, named: dict[str, Any]) -> None:
    """Set its summary and description. The types of memories share theirs."""
    kind = _NODES.search(asked)
    known = named.get(_NODES.sub("memory/{type}/", asked))
    if known is None:
        return
    summary, *description = [known] if isinstance(known, str) else known
    operation["summary"] = summary.replace("{type}", kind[1]) if kind else summary
    if description:
        operation["description"] = description[0]


def get_tag(path: str) -> str:
    """Return the group in which the path's operations are listed."""
    parts = [part for part in path.split("/") if part and not part.startswith("{")][1:]
    if "memory" in parts:
        return parts[2] if parts[2] in ("entities", "trash") else "memory"
    below = parts[1] if parts[0] == "bonds" and len(parts) > 1 else parts[0]
    return {"turns": "messages", "events": "messages", "import": "bonds", "export": "bonds"}.get(below, below)


def add_errors(operation: dict[str, Any], *, path: str, method: str, examples: dict[Any, Any]) -> None:
    """Add the errors that this kind of operation may return, beside `default` for all others."""
    answers = operation["responses"]
    public = path.endswith("/auth/login/")
    possible = {
        400: "requestBody" in operation or any(one["in"] == "query" for one in operation.get("parameters", ())),
        401: True,
        403: method != "get" and not public,
        404: "{" in path or method == "get",
        409: method != "get" and "{" in path,
        429: True,
    }
    for status in (status for status, is_possible in possible.items() if is_possible):
        answers[str(status)] = {
            "description": DESCRIPTIONS[status],
            "content": {JSON: {"schema": ERROR, "example": examples[status]}},
        }
    answers["429"]["headers"] = {"Retry-After": RETRY_AFTER}
    answers["default"]["content"][JSON]["example"] = examples["default"]


DESCRIPTIONS = {
    400: "The body or the query is invalid; `fields` says where.",
    401: "Not signed in.",
    403: "Signed in, but not allowed, or the CSRF token of a cookie is missing.",
    404: "Not found, or not yours.",
    409: "Not possible in the current state.",
    429: "Too many requests in one minute.",
}


def add_example(content: tuple[str, dict[str, Any]], shapes: dict[str, Any], examples: dict[str, Any]) -> None:
    """Add the example of a body's schema, or of a page of it."""
    kind, body = content
    shape = body["schema"].get("$ref", "").rpartition("/")[2]
    if kind == "text/event-stream":
        body["example"] = STREAM
    elif shape in examples:
        body["example"] = examples[shape]
    elif "results" in shapes.get(shape, {}).get("properties", ()):
        row = shapes[shape]["properties"]["results"]["items"]["$ref"].rpartition("/")[2]
        body["example"] = {**PAGE, "results": [examples[row]]} if row in examples else None
