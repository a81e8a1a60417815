"""Measure what sockets of a real web process receive while a model streams."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from django.utils import timezone

from chat.benchmark import figures, websocket_client
from chat.benchmark.figures import Figure
from chat.benchmark.model_server import PROMPT
from chat.benchmark.seeding import get_username
from chat.benchmark.site import Site
from chat.live import tickets
from personas import onboarding
from personas.accounts.credentials import Credential
from personas.models import Bond, User

# Words a second, and how many seconds each reply takes: long enough for all to overlap.
RATE = 20
SECONDS = 30
FIRST_TOKEN_MS, FRAME_MS = 15, 250
GROWTH_MB = 20
# How many turns run at once while memory is measured; others before them warm the process up.
TALKERS, WARM_TURNS, TURN_WORDS, FAST = 10, 100, 20, 1000


class ReplyLostError(Exception):
    """A reply did not arrive completely."""


@dataclass(frozen=True)
class ReceivedReply:
    """When each word was sent, its delay in milliseconds, and how many frames did not continue the previous one."""

    sent: list[float]
    delays: list[float]
    wrong: int


def measure(site: Site, *, runs: int, turns: int, conversations: int) -> list[Figure]:
    talkers = [get_or_create_talker(at) for at in range(conversations)]
    alone = asyncio.run(run_side_by_side(site, issue_ticket_paths(talkers[:1]), words=3, rate=RATE, times=runs))
    paths = issue_ticket_paths(talkers)
    together = asyncio.run(run_side_by_side(site, paths, words=SECONDS * RATE, rate=RATE, times=1))
    delays = select_busy_delays(together)
    wrong = sum(heard.wrong for heard in together)
    name = f"{conversations} conversations at once"
    return [
        figures.p95("first token", [heard.delays[0] for heard in alone], limit=FIRST_TOKEN_MS),
        figures.at_most(f"{name}, lost or out of order", wrong, limit=0, unit="frames", runs=len(delays)),
        figures.p95(f"{name}, delay of a frame", delays, limit=FRAME_MS),
        measure_growth(site, talkers[:TALKERS], turns=turns),
    ]


def select_busy_delays(together: Sequence[ReceivedReply]) -> list[float]:
    """Return the delays from when all have received their first word."""
    began = max(heard.sent[0] for heard in together)
    return [delay for heard in together for sent, delay in zip(heard.sent, heard.delays, strict=True) if sent >= began]


def measure_growth(site: Site, talkers: Sequence[Bond], *, turns: int) -> Figure:
    """Return by how much so many turns grow the web process after it is warm."""
    for count in (WARM_TURNS, turns):
        before = site.measure_memory_mb()
        paths, times = issue_ticket_paths(talkers), -(-count // len(talkers))
        asyncio.run(run_side_by_side(site, paths, words=TURN_WORDS, rate=FAST, times=times))
    return figures.at_most(
        f"memory of the web process after {turns} turns",
        site.measure_memory_mb() - before,
        limit=GROWTH_MB,
        unit="MB",
        runs=1,
    )


def get_or_create_talker(number: int) -> Bond:
    """Return a user without any history, created once."""
    known = Bond.objects.filter(user__username=get_username(f"talker {number}")).first()
    if known is not None:
        return known
    owner = User.objects.create(username=get_username(f"talker {number}"))
    return onboarding.create(owner=owner, name="Marian", persona="Says what is asked.", now=timezone.now())[1]


def issue_ticket_paths(talkers: Sequence[Bond]) -> list[str]:
    return [f"/ws/bonds/{bond.pk}/?ticket={tickets.issue(Credential(bond.user_id))}" for bond in talkers]


async def run_side_by_side(
    site: Site, paths: Sequence[str], *, words: int, rate: int, times: int
) -> list[ReceivedReply]:
    """Run some turns one after the other in each conversation, all conversations at once."""
    found = await asyncio.gather(*(run_turns(site, path, words=words, rate=rate, times=times) for path in paths))
    return [heard for of_one in found for heard in of_one]


async def run_turns(site: Site, path: str, *, words: int, rate: int, times: int) -> list[ReceivedReply]:
    async with websocket_client.open_socket(port=site.port, path=path) as socket:
        while (await socket.receive())["type"] != "chat.connection.ready":
            pass
        return [await run_turn(socket, words=words, rate=rate) for _ in range(times)]


async def run_turn(socket: websocket_client.Socket, *, words: int, rate: int) -> ReceivedReply:
    """Run one turn. Raises ReplyLostError and SocketClosed."""
    asked = {"type": "message.send", "content": PROMPT.format(count=words, rate=rate), "client_id": str(uuid4())}
    await socket.send(asked)
    said, wrong = "", 0
    sent: list[float] = []
    delays: list[float] = []
    while True:
        frame = await socket.receive()
        match frame["type"]:
            case "chat.message.token":
                now = time.time()
                wrong += frame["offset"] != len(said)
                sent += map(float, frame["delta"].split())
                delays += [(now - at) * 1000 for at in sent[len(delays) :]]
                said += frame["delta"]
            case "chat.message.done":
                wrong += abs(words - len(sent)) + (frame["content"].split() != said.split())
                return ReceivedReply(sent, delays, wrong)
            case "chat.message.error" | "error":
                raise ReplyLostError(str(frame))
