"""The parts of an install are killed at random moments while people talk with it.

`KILLS` says how often (200), `KILL_SEED` repeats the choices of an earlier run, whose seed it printed; the moments still differ.
"""

import os
import random
import shutil
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from echovessel.postgres import server, server_paths
from tests.support.model_server import ModelServer
from tests.support.serving import Install
from tests.support.talkers import Talker

NAMES = ("mara", "lin", "teo", "yiyang")
PARTS = ("web", "worker", "postgres")
VARIABLES = {
    "SESSION_IDLE_MINUTES": "0.2",
    "DEBOUNCE_SECONDS": "0.5",
    "REFLECTION_HARD_GATE_24H": "1000",
    **dict.fromkeys(("RATE_MESSAGES", "RATE_WRITES", "RATE_READS"), "1000000"),
}
WORD_SECONDS, THINKING_SECONDS = 0.12, 3
# `serve` starts a part again after a pause that doubles until the part has run for a minute: between two spells of kills it may.
KILLS_A_SPELL = (10, 22)
SOUND_SECONDS = 61
RECOVERY_SECONDS = 60
CONSOLIDATED_SECONDS = 300


class Killer:
    def __init__(self, install: Install, *, seed: str) -> None:
        self.install = install
        self.chance = random.Random(seed)
        self.kills: Counter[str] = Counter()

    def spell(self, count: int) -> None:
        """So many kills, at times two at once, at times after all has come back."""
        until = self.kills.total() + count
        while self.kills.total() < until:
            time.sleep(self.chance.uniform(0.05, 2.5))
            if self.chance.random() < 0.1:
                self.install.wait_for(self.install.is_ready)
            for part in self.chance.sample(PARTS, 2 if self.chance.random() < 0.15 else 1):
                for head in self.install.running(part):
                    self.kill(part, head)

    def rest(self) -> None:
        """Until every part has run for long enough that `serve` has forgotten its end."""

        def is_sound() -> bool:
            began = [head.create_time() for part in PARTS for head in self.install.running(part)]
            return len(began) == len(PARTS) and time.time() - max(began) > SOUND_SECONDS

        self.install.wait_for(is_sound)

    def kill(self, part: str, head: psutil.Process) -> None:
        """The first process of a part, all of them, or one that it started."""
        how = self.chance.choice(("head", "head", "group", "one below"))
        with suppress(psutil.NoSuchProcess, ProcessLookupError):
            below = head.children(recursive=True)
            if how == "group":
                os.killpg(head.pid, signal.SIGKILL)
            elif how == "one below" and below:
                self.chance.choice(below).kill()
            else:
                how = "head"
                head.kill()
            self.kills[f"{part}, {how}"] += 1


@pytest.mark.soak
def test_random_kills_lose_no_message_and_end_no_bond():
    kills, seed = int(os.environ.get("KILLS", "200")), os.environ.get("KILL_SEED") or f"{random.randrange(10**9)}"
    # It stays where the test fails.
    folder = Path(tempfile.mkdtemp(prefix="echovessel-kills-"))
    folder.chmod(0o711)
    tell(f"{kills} kills with KILL_SEED={seed} in {folder}")
    with ModelServer() as model:
        model.delay_seconds, model.thinking_seconds = WORD_SECONDS, THINKING_SECONDS
        install = Install(folder, OPENAI_BASE_URL=model.url, **VARIABLES)
        install.start()
        try:
            people = [Talker(name, port=install.port, seed=seed) for name in NAMES]
            recoveries = through(Killer(install, seed=seed), people, kills=kills)
            in_the_end(install, people)
            assert len(left_over(folder)) > len(PARTS)
        finally:
            code = install.stop()
    assert (code, left_over(folder)) == (0, [])
    assert max(recoveries) <= RECOVERY_SECONDS
    shutil.rmtree(folder)


def through(killer: Killer, people: Sequence[Talker], *, kills: int) -> list[float]:
    """So many kills in spells; after each how long it took until everybody had a reply again."""
    recoveries = []
    while killer.kills.total() < kills:
        count = min(killer.chance.randint(*KILLS_A_SPELL), kills - killer.kills.total())
        recoveries.append(talking(people, partial(killer.spell, count)))
        tell(f"{killer.kills.total()} kills, recovered after {recoveries[-1]:.0f} s")
        if killer.kills.total() < kills:
            talking(people, killer.rest)
    tell(f"{dict(killer.kills)}, recovered after {[round(seconds) for seconds in sorted(recoveries)]} s")
    for person in people:
        waited, unanswered = person.longest_wait_seconds, dict(person.unanswered)
        tell(
            f"{person.name} said {len(person.lines)} lines, waited {waited:.0f} s at most, was not answered {unanswered}"
        )
    return recoveries


def talking(people: Sequence[Talker], meanwhile: Callable[[], None]) -> float:
    """Let them talk while something happens; how long after it the last of them had a reply to a new line."""
    calm = threading.Event()
    with ThreadPoolExecutor(len(people)) as threads:
        talks = [threads.submit(person.talk, calm) for person in people]
        try:
            meanwhile()
        finally:
            calm.set()
            began = time.monotonic()
    return max(talk.result() for talk in talks) - began


def in_the_end(install: Install, people: Sequence[Talker]) -> None:
    for person in people:
        person.close()
    began = time.monotonic()
    while rows(install, "SELECT id FROM memory_session WHERE status NOT IN ('closed', 'failed')"):
        assert time.monotonic() - began < CONSOLIDATED_SECONDS, rows(install, SESSIONS)
        time.sleep(1)
    tell(f"every session ended {time.monotonic() - began:.0f} s after the last was closed: {rows(install, SESSIONS)}")
    tell(f"turns: {rows(install, TURNS)}, memories: {rows(install, NODES)}")
    for person in people:
        assert rows(install, LINES.format(bond=person.bond)) == person.lines
    for wrong, query in WRONGS.items():
        assert (wrong, rows(install, query)) == (wrong, [])


SESSIONS = "SELECT status, failure_code, count(*) FROM memory_session GROUP BY status, failure_code"
TURNS = "SELECT status, count(*) FROM chat_turn GROUP BY status"
NODES = "SELECT type, count(*) FROM memory_conceptnode GROUP BY type"
LINES = "SELECT id, client_id, content FROM memory_message WHERE role = 'user' AND bond_id = {bond} ORDER BY id"
WRONGS = {
    "a line without the end of its turn": """
        SELECT line.id, turn.status FROM memory_message line LEFT JOIN chat_turn turn ON turn.id = line.turn_id
        WHERE line.role = 'user' AND (turn.status IS NULL OR turn.status IN ('pending', 'running'))
    """,
    "a turn that is done without just one reply": """
        SELECT turn.id FROM chat_turn turn
        LEFT JOIN memory_message reply ON reply.turn_id = turn.id AND reply.role = 'persona' AND reply.chosen
        WHERE turn.status = 'done' GROUP BY turn.id HAVING count(reply.id) <> 1
    """,
    "a failure without a code": "SELECT id FROM memory_session WHERE status = 'failed' AND failure_code = ''",
    "an event that cites nothing": """
        SELECT id FROM memory_conceptnode node
        WHERE type = 'event' AND NOT EXISTS (SELECT FROM memory_nodesource WHERE node_id = node.id)
    """,
    "a thought that cites nothing": """
        SELECT id FROM memory_conceptnode node
        WHERE type = 'thought' AND NOT EXISTS (SELECT FROM memory_filling WHERE parent_id = node.id)
    """,
    "an event that was drawn twice": """
        SELECT session_id, description FROM memory_conceptnode WHERE type = 'event'
        GROUP BY session_id, description HAVING count(*) > 1
    """,
}


def rows(install: Install, query: str) -> list[tuple[Any, ...]]:
    with server.Server(install.folder).connect(server_paths.DATABASE) as connection:
        return connection.execute(query).fetchall()


def left_over(folder: Path) -> list[str]:
    """Processes of the install, also those that nobody is the parent of any more."""
    return [str(process) for process in psutil.process_iter() if str(folder) in places_of(process)]


def places_of(process: psutil.Process) -> str:
    """Its data folder and where it works: PostgreSQL's know only that."""
    try:
        return f"{process.environ().get('ECHOVESSEL_DATA_DIR')} {process.cwd()}"
    except psutil.Error:
        # It has ended.
        return ""


def tell(line: str) -> None:
    print(time.strftime("%H:%M:%S"), line, flush=True)  # noqa: T201 - pytest shows it where the test fails, and with -s
