"""A scripted server that speaks the OpenAI protocol, for tests: in this process, or alone with `python -m tests.support.model_server`.

Without a script it extracts and reflects by the rules of the offline voice, and replies with the first line it is told to remember.
A behaviour is a dict: `kind` and what the kind takes, and `feature` where it is meant for calls of one feature only.

Asked in the words of `echovessel.llm.trial`, it says the JSON that it is told to say, and calls the tool.
The behaviour `calls` calls tools: `calls` is a list of names with arguments, `text` what it says before, `oddity` one of ODDITIES.

GET /requests gives the bodies received; POST /script takes a list of behaviours, each used once; DELETE /script forgets them.
"""

import argparse
import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from echovessel.llm.offline import rules
from tests.support import prompt_reader

USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "prompt_tokens_details": {"cached_tokens": 40}}
HUGE = 6_000_000
# In what ways servers send the calls of tools, besides the usual one.
ODDITIES = ("no_index", "no_index_or_id", "repeated_name", "object", "same_index", "text", "tag", "stop")


class ModelServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.script: list[dict[str, Any]] = []
        # What it lists; a behaviour of the feature `models` is for these calls.
        self.models: list[str] = []
        # Between words, and before an answer that does not stream.
        self.delay_seconds = 0.0
        self.thinking_seconds = 0.0
        # Ends every behaviour that waits.
        self.over = threading.Event()
        # Set when a client went away before the end of its answer.
        self.left = threading.Event()

    def will(self, kind: str, **details: Any) -> None:
        self.script.append({"kind": kind, **details})

    def behaviour(self, feature: str) -> dict[str, Any]:
        for at, behaviour in enumerate(self.script):
            meant = behaviour.get("feature")
            if meant == feature or (meant is None and feature != "models"):
                return self.script.pop(at)
        return {"kind": "default"}

    def forget(self) -> None:
        """Everything it was asked and told to do; what waits ends."""
        self.over.set()
        self.over = threading.Event()
        self.left.clear()
        for kept in (self.script, self.requests, self.headers, self.models):
            kept.clear()

    def __enter__(self) -> "ModelServer":
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        self.left.set()


class Handler(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path == "/requests":
            self.json(self.server.requests)
            return
        behaviour = self.server.behaviour("models")
        listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in self.server.models]}
        getattr(self, f"act_{behaviour['kind']}", lambda _: self.json(listed))(behaviour)

    def do_DELETE(self) -> None:
        self.server.script.clear()
        self.json({})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/script":
            self.server.script.extend(body)
            self.json({})
            return
        self.server.requests.append(body)
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        behaviour = self.server.behaviour("tools" if is_trial_of_tools(body) else feature_of(body))
        act = getattr(self, f"act_{behaviour['kind']}", None)
        if act:
            act(behaviour)
        elif body.get("stream"):
            self.stream(body, behaviour)
        else:
            self.whole(body, behaviour)

    def end_headers(self) -> None:
        # A connection kept for later would outlive the test's event loop.
        self.send_header("Connection", "close")
        super().end_headers()

    def act_status(self, behaviour: dict[str, Any]) -> None:
        said = behaviour.get("message", "Key sk-secret is wrong.")
        error = {"message": said, "code": behaviour.get("code"), "type": "error"}
        self.json({"error": error}, status=behaviour["status"], headers=behaviour.get("headers", {}))

    def act_hang(self, behaviour: dict[str, Any]) -> None:
        self.server.over.wait(60)
        self.close_connection = True

    def act_garbage(self, behaviour: dict[str, Any]) -> None:
        self.body(b"data: <html>not the protocol</html>\n\n", "text/event-stream")

    def act_web_page(self, behaviour: dict[str, Any]) -> None:
        self.body(b"<!doctype html><title>Router</title>", "text/html; charset=utf-8")

    def act_huge(self, behaviour: dict[str, Any]) -> None:
        self.body(b"x" * HUGE, "text/event-stream")

    def act_drip(self, behaviour: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(HUGE))
        self.end_headers()
        while not self.server.over.wait(0.05):
            self.wfile.write(b" ")

    def act_unended(self, behaviour: dict[str, Any]) -> None:
        part = {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}
        self.body(f": a comment\n\ndata: {json.dumps(part)}".encode(), "text/event-stream")

    def whole(self, body: dict[str, Any], behaviour: dict[str, Any]) -> None:
        text = answer_to(body)
        time.sleep(self.server.thinking_seconds)
        kind = behaviour["kind"]
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if kind == "prose":
            message["content"] = "I would say that nothing much happened."
        elif kind == "fenced":
            message["content"] = f"```json\n{text}\n```"
        elif kind == "refuse":
            message = {"role": "assistant", "content": None, "refusal": "I cannot."}
        elif kind == "answer":
            message["content"] = behaviour["text"]
        choices = [] if kind == "empty_choices" else [{"index": 0, "message": message, "finish_reason": "stop"}]
        self.json({"id": "1", "object": "chat.completion", "choices": choices} | usage_of(kind))

    def stream(self, body: dict[str, Any], behaviour: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if behaviour["kind"] == "default" and is_trial_of_tools(body):
            behaviour = {"kind": "calls", "calls": [(body["tools"][0]["function"]["name"], {"city": "Leeds"})]}
        kind = behaviour["kind"]
        for at, word in enumerate(words_of(body, behaviour)):
            if kind in {"cut", "stall", "error_chunk", "jinja_chunk"} and at == behaviour.get("after", 2):
                self.interrupt(kind, behaviour.get("message", "overloaded"))
                return
            self.chunk({"choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}]})
            time.sleep(behaviour.get("delay", self.server.delay_seconds))
        reason = {"refuse": "content_filter", "too_long": "length"}.get(kind, "stop")
        if kind == "calls":
            reason = "stop" if behaviour.get("oddity") == "stop" else "tool_calls"
            for delta in deltas_of(behaviour["calls"], behaviour.get("oddity", "")):
                self.chunk({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        if kind != "no_finish":
            self.chunk({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        if kind != "no_usage":
            self.chunk({"choices": []} | usage_of(kind))
        if kind == "no_done":
            self.server.over.wait(60)
        self.raw(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def interrupt(self, kind: str, message: str) -> None:
        if kind == "stall":
            self.server.over.wait(60)
        if kind == "error_chunk":
            self.chunk({"error": {"message": message}})
        if kind == "jinja_chunk":
            self.chunk({"error": {"message": "Error rendering prompt with jinja template."}})
        self.close_connection = True

    def chunk(self, part: dict[str, Any]) -> None:
        self.raw(f"data: {json.dumps(part, ensure_ascii=False)}\n\n".encode())

    def raw(self, text: bytes) -> None:
        self.wfile.write(f"{len(text):x}\r\n".encode() + text + b"\r\n")

    def json(self, value: object, *, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.body(json.dumps(value, ensure_ascii=False).encode(), "application/json", status=status, headers=headers)

    def body(
        self, content: bytes, content_type: str, *, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": content_type,
            "Content-Length": str(len(content)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_request(self, code: object = "-", size: object = "-") -> None:
        pass


def feature_of(body: dict[str, Any]) -> str:
    described = body.get("response_format", {}).get("json_schema", {})
    return "reply" if body.get("stream") else described.get("name", "unknown")


def is_trial_of_tools(body: dict[str, Any]) -> bool:
    return bool(body.get("tools")) and body["messages"][-1]["content"].endswith("with your tool.")


def answer_to(body: dict[str, Any]) -> str:
    prompt = "\n".join(message["content"] for message in body["messages"])
    dictated = re.search(r"Answer with this JSON and nothing else: (\{.*\})", prompt)
    if dictated:
        return dictated[1]
    read = prompt_reader.READERS.get(feature_of(body))
    return rules.answer(read(prompt)) if read else "{}"


def words_of(body: dict[str, Any], behaviour: dict[str, Any]) -> Iterator[str]:
    memory = prompt_reader.first_memory(body["messages"][0]["content"])
    remembered = f"I remember: {memory}" if memory else f"You said: {prompt_reader.burst(body['messages'])}"
    yield from re.findall(r"\s*\S+", behaviour.get("text", "" if behaviour["kind"] == "calls" else remembered))


def deltas_of(calls: list[tuple[str, dict[str, Any]]], oddity: str) -> Iterator[dict[str, Any]]:
    for at, (name, arguments) in enumerate(calls):
        written = json.dumps(arguments, ensure_ascii=False)
        if oddity in {"text", "tag"}:
            text = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
            text = f"<tool_call>\n{text}\n</tool_call>\n" if oddity == "tag" else f"{text}\n"
            yield from ({"content": text[at : at + 5]} for at in range(0, len(text), 5))
            continue
        parts = [arguments] if oddity == "object" else [written[:7], written[7:]]
        for number, part in enumerate(parts):
            piece: dict[str, Any] = {"index": 0 if oddity == "same_index" else at, "function": {"arguments": part}}
            if number == 0:
                piece |= {"id": f"id{at}", "type": "function"}
            if number == 0 or oddity == "repeated_name":
                piece["function"]["name"] = name
            if oddity in {"no_index", "no_index_or_id"}:
                del piece["index"]
            if oddity == "no_index_or_id":
                piece.pop("id", None)
            yield {"tool_calls": [piece]}


def usage_of(kind: str) -> dict[str, Any]:
    return {} if kind == "no_usage" else {"usage": USAGE}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=9009)
    parser.add_argument("--delay", type=float, default=0.03, help="seconds between words")
    options = parser.parse_args()
    server = ModelServer(options.port)
    server.delay_seconds = options.delay
    print(f"OPENAI_BASE_URL={server.url}", flush=True)  # noqa: T201 - a command
    server.serve_forever()


if __name__ == "__main__":
    main()
