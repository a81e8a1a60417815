"""People who chat over REST while processes are killed; their clients retry every message."""

import http.client
import json
import random
import threading
import time
from collections import Counter
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

PASSWORD = "a blue kettle sings"
PERSONA = {"name": "Marian", "persona": "You are Marian, who keeps a lighthouse."}
ENDS = {"done", "failed", "stopped", "interrupted"}
# The test fails if a message is not accepted within this time.
PATIENCE_SECONDS = 180
CALL_SECONDS = 15
LOOK_SECONDS = 0.3
SAID = (
    "I was so happy today, my sister Ana came to visit, {place}.",
    "My cat Nimbus died last night and I cannot stop crying, {place}.",
    "We had soup, {place}.",
    "Tomorrow I will meet Yiyang at the harbour, {place}.",
    "My boss Scott fired me and I am furious, {place}.",
    "How was your day, {place}?",
)


def sign_up(address: str, name: str) -> None:
    browser, page = build_opener(HTTPCookieProcessor(cookies := CookieJar())), f"{address}/accounts/signup/"
    browser.open(page).close()
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    token = next(cookie.value for cookie in cookies if cookie.name == "csrftoken")
    browser.open(page, urlencode(form | {"csrfmiddlewaretoken": token}).encode()).close()


class Talker:
    """One person with one bond."""

    def __init__(self, name: str, *, port: int, seed: str) -> None:
        self.name = name
        self.port = port
        self.chance = random.Random(f"{seed} {name}")
        # Message id, client id and content of every message, in order.
        self.lines: list[tuple[int, str, str]] = []
        self.longest_wait_seconds = 0.0
        # How calls ended that were no answer: a status, or 0 where none came.
        self.unanswered: Counter[int] = Counter()
        self.headers = {"Content-Type": "application/json"}
        sign_up(f"http://127.0.0.1:{port}", name)
        token = self.insist("POST", "auth/login/", {"username": name, "password": PASSWORD})["token"]
        self.headers["Authorization"] = f"Token {token}"
        self.bond: int = self.insist("POST", "personas/onboarding/", PERSONA)["bond"]["id"]

    def talk(self, calm: threading.Event) -> float:
        """Until all is calm, and then until a new line has its reply; the time at which it has."""
        while not calm.is_set():
            turn = self.say()
            if self.chance.random() < 0.7:
                self.listen(turn, calm)
            if self.chance.random() < 0.12:
                self.close()
            # At times for longer than a session lasts.
            calm.wait(20 if self.chance.random() < 0.02 else self.chance.uniform(0, 2))
        while self.end_of(self.say()) != "done":
            pass
        return time.monotonic()

    def say(self) -> str:
        """Send a message until it is accepted, with one client id. Returns its turn."""
        number = len(self.lines)
        client_id, content = f"{self.name}-{number}", self.chance.choice(SAID).format(place=f"{self.name} {number}")
        body = {"content": content, "client_id": client_id, "debounce": self.chance.random() < 0.5}
        began = time.monotonic()
        taken = self.insist("POST", f"bonds/{self.bond}/messages/", body)
        self.longest_wait_seconds = max(self.longest_wait_seconds, time.monotonic() - began)
        self.lines.append((taken["message"], client_id, content))
        turn: str = taken["turn"]
        return turn

    def listen(self, turn: str, calm: threading.Event) -> None:
        """Wait for the reply, and ask for it again where it was interrupted, as some people do."""
        while not calm.is_set():
            status = self.status_of(turn)
            if status in {"failed", "interrupted"} and self.chance.random() < 0.5:
                self.ask("POST", f"bonds/{self.bond}/turns/{turn}/retry/")
            if status in ENDS:
                return
            calm.wait(LOOK_SECONDS)

    def end_of(self, turn: str) -> str:
        began = time.monotonic()
        while (status := self.status_of(turn)) not in ENDS:
            assert time.monotonic() - began < PATIENCE_SECONDS, f"turn {turn} of {self.name} does not end"
            time.sleep(LOOK_SECONDS)
        return status

    def status_of(self, turn: str) -> str:
        status: str = self.insist("GET", f"bonds/{self.bond}/turns/{turn}/")["status"]
        return status

    def close(self) -> None:
        """Close the open session, if there is one."""
        for session in self.insist("GET", f"bonds/{self.bond}/sessions/")["results"]:
            if session["status"] == "open":
                self.insist("POST", f"bonds/{self.bond}/sessions/{session['id']}/close/")

    def insist(self, method: str, path: str, body: object = None) -> Any:
        """The answer to a call that is made until there is one."""
        began = time.monotonic()
        while True:
            status, answer = self.ask(method, path, body)
            if 200 <= status < 300:
                return answer
            assert status == 0 or status >= 500, (method, path, status, answer)
            assert time.monotonic() - began < PATIENCE_SECONDS, (method, path, status, answer)
            self.unanswered[status] += 1
            time.sleep(LOOK_SECONDS)

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=CALL_SECONDS)
        try:
            connection.request(method, f"/api/{path}", json.dumps(body) if body else None, self.headers)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            return 0, None
        finally:
            connection.close()
        return answer.status, json.loads(content) if "json" in answer.headers.get("Content-Type", "") else content
