import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from inspect import iscoroutinefunction
from typing import Any
from urllib.parse import parse_qs

from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from chat.broadcast import hub
from chat.broadcast.frames import build_appended_again, encode
from chat.broadcast.hub import Item
from chat.live import tickets
from chat.live.client_frames import (
    BadFrame,
    ClientFrame,
    EditFrame,
    FrameT,
    MessageFrame,
    ResumeFrame,
    build_error,
    check_fields,
    parse_after,
    parse_frame,
)
from chat.live.followers import HEARTBEAT_SECONDS, Follower
from chat.live.sse import CHECK_SECONDS
from chat.models import Turn
from chat.turns import actions, editing, receiving, runner
from chat.turns.editing import Edit
from echovessel.errors import CodedError
from echovessel.http import clients
from echovessel.postgres.threads import run_in_database_thread
from memory import sessions
from memory.models import Message, Session
from memory.sessions import leaving
from personas.accounts.credentials import Credential, SignedOut
from personas.models import Bond, User
from personas.rest import rates

NOT_SIGNED_IN = 4401
NOT_FOUND = 4404
TOO_MUCH = 4408
# The websocket protocol's code for an unexpected server error.
BROKEN = 1011
FRAME_BYTES = 256 * 1024
FRAMES_PER_SECOND = 30
logger = logging.getLogger("echovessel.sockets")

Handler = Callable[["BondConsumer", FrameT], Any]
# What handles each type of frame, and what the frame's other fields must fit.
COMMANDS: dict[str, tuple[Handler[Any], type[ClientFrame]]] = {}


def command(name: str, model: type[FrameT]) -> Callable[[Handler[FrameT]], Handler[FrameT]]:
    """Let a method handle a type of frame. A sync one runs in a database thread; what it returns goes to the follower."""

    def register(method: Handler[FrameT]) -> Handler[FrameT]:
        COMMANDS[name] = method, model
        return method

    return register


class UnknownPathConsumer(AsyncWebsocketConsumer):
    """Any other path: it is closed as the socket of an unknown bond is."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(NOT_FOUND)


class BondConsumer(AsyncWebsocketConsumer):
    """Transport only: authenticate, turn frames into calls and relay what happens in the bond."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a socket; however it ends, also by an error while a frame is handled, nothing of it goes on."""
        async with AsyncExitStack() as self.stack:
            await super().__call__(scope, receive, send)

    async def connect(self) -> None:
        self.relaying: asyncio.Task[None] | None = None
        self.recent: deque[float] = deque(maxlen=FRAMES_PER_SECOND)
        self.channel = Session.Channel.WEB
        await self.accept()
        credential = await self._get_credential()
        user = None if credential is None else await run_in_database_thread(credential.find_holder, timezone.now())
        if credential is None or user is None:
            return await self.close(NOT_SIGNED_IN)
        self.credential = credential
        own = Bond.objects.for_user(user).select_related("user", "persona")
        bond = await run_in_database_thread(own.filter(pk=self.scope["url_route"]["kwargs"]["bond_id"]).first)
        if bond is None:
            return await self.close(NOT_FOUND)
        self.bond = bond
        await self._check_in()
        if hub.get_current().is_crowded(bond.pk):
            return await self.close(TOO_MUCH)
        mailbox = await self.stack.enter_async_context(hub.get_current().follow(bond.pk))
        self.follower = Follower(bond_id=bond.pk, mailbox=mailbox)
        after, refusal = parse_after(self._get_query("after"))
        await self._send(await self.follower.start(after))
        if refusal is not None:
            await self._send(refusal)
        if after is not None:
            mailbox.put(None)
        self.relaying = asyncio.create_task(self._relay())
        self.relaying.add_done_callback(self._handle_relay_end)
        self.stack.callback(self.relaying.cancel)
        return None

    async def _get_credential(self) -> Credential | None:
        """Return the credential of a ticket (any origin, counts as API) or of the session cookie (own origin only)."""
        if ticket := self._get_query("ticket"):
            self.channel = Session.Channel.API
            return await run_in_database_thread(tickets.redeem, ticket)
        user: object = self.scope["user"]
        if not isinstance(user, User) or not clients.is_own_origin(self.scope):
            return None
        return Credential(user.pk, session_key=self.scope["session"].session_key or "")

    def _get_query(self, name: str) -> str:
        return parse_qs(self.scope["query_string"].decode("latin-1")).get(name, [""])[0]

    async def _relay(self) -> None:
        beat_at = time.monotonic() + HEARTBEAT_SECONDS
        check_at = time.monotonic() + CHECK_SECONDS
        while True:
            for frame in await self.follower.next_frames():
                await self._send(frame)
            if time.monotonic() >= check_at:
                check_at = time.monotonic() + CHECK_SECONDS
                await run_in_database_thread(self._check_signed_in)
            if time.monotonic() >= beat_at:
                beat_at = time.monotonic() + HEARTBEAT_SECONDS
                await self._send(self.follower.build_heartbeat())
                await self._check_in()

    async def _check_in(self) -> None:
        """Say that a page is open, so that the chat of one that was closed goes on."""
        await run_in_database_thread(partial(leaving.come_back, bond=self.bond, channel=self.channel))

    def _handle_relay_end(self, relaying: asyncio.Task[None]) -> None:
        """Close the socket when its relay ends, so that the page opens another."""
        if relaying.cancelled():
            return
        error = relaying.exception()
        code = BROKEN
        if isinstance(error, Bond.DoesNotExist):
            code = NOT_FOUND
        elif isinstance(error, SignedOut):
            code = NOT_SIGNED_IN
        elif isinstance(error, (OperationalError, InterfaceError)):
            logger.warning("a socket of bond %s is closed since the database is away: %s", self.bond.pk, error)
        else:
            logger.error("the relay of bond %s ended with a bug", self.bond.pk, exc_info=error)
        self.closing = asyncio.create_task(self.close(code))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.relaying is None:
            return
        if self._is_too_much(text_data, bytes_data):
            await self.close(TOO_MUCH)
            return
        fields: dict[str, Any] = {}
        try:
            name, fields = parse_frame(text_data)
            await self._handle_frame(name, fields)
        except CodedError as error:
            await self._send(build_error(error, client_id=fields.get("client_id")))
        except Bond.DoesNotExist:
            # It was erased while this frame was on its way.
            await self.close(NOT_FOUND)
        except SignedOut:
            await self.close(NOT_SIGNED_IN)

    def _is_too_much(self, text_data: str | None, bytes_data: bytes | None) -> bool:
        size = len((text_data or "").encode("utf-8", "surrogatepass")) + len(bytes_data or b"")
        now = time.monotonic()
        is_flood = len(self.recent) == FRAMES_PER_SECOND and now - self.recent[0] < 1
        self.recent.append(now)
        return size > FRAME_BYTES or is_flood

    async def _handle_frame(self, name: str, fields: dict[str, Any]) -> None:
        if name not in COMMANDS:
            raise BadFrame("invalid", f"This type of frame is not known; known are {', '.join(COMMANDS)}.")
        handle, model = COMMANDS[name]
        frame = check_fields(model, fields)
        if iscoroutinefunction(handle):
            await handle(self, frame)
            return
        item = await run_in_database_thread(handle, self, frame)
        if item is not None:
            self.follower.mailbox.put(item)

    @command("message.send", MessageFrame)
    def message_send(self, frame: MessageFrame) -> Item:
        self._check_rate("messages")
        received = receiving.receive(
            bond=self.bond,
            content=frame.content,
            channel=self.channel,
            now=timezone.now(),
            client_id=frame.client_id,
            session_id=frame.session,
            about=frame.about,
            greeting=frame.greeting,
        )
        runner.notify(self.bond.pk)
        # Nothing in the event log answers one sent again.
        stored_before = None if received.is_new else build_appended_again(received.message, now=timezone.now())
        # Behind what the log still has to tell, of which it may be a part.
        return stored_before and {"type": "stored_before", "frame": stored_before}

    @command("message.edit", EditFrame)
    def message_edit(self, frame: EditFrame) -> None:
        self._check_rate("messages")
        messages = Message.objects.for_bond(self.bond).without_deleted_sessions().select_related("session")
        if (message := messages.filter(pk=frame.message).first()) is None:
            raise BadFrame("not_found", "Message not found.")
        wanted = Edit(message=message, content=frame.content, client_id=frame.client_id)
        editing.edit(bond=self.bond, wanted=wanted, channel=self.channel, now=timezone.now())
        runner.notify(self.bond.pk)

    @command("turn.stop", ClientFrame)
    def turn_stop(self, _: ClientFrame) -> None:
        self._check_rate("writes")
        actions.request_stop(bond=self.bond, now=timezone.now())
        runner.notify_stop(self.bond.pk)

    @command("turn.retry", ClientFrame)
    def turn_retry(self, _: ClientFrame) -> None:
        self._apply_action(actions.retry)

    @command("turn.regenerate", ClientFrame)
    def turn_regenerate(self, _: ClientFrame) -> None:
        self._apply_action(actions.regenerate)

    @command("turn.continue", ClientFrame)
    def turn_continue(self, _: ClientFrame) -> None:
        self._apply_action(actions.continue_reply)

    def _apply_action(self, action: Callable[..., Turn]) -> None:
        self._check_rate("writes")
        turn = Turn.objects.for_bond(self.bond).with_messages().order_by("-created_at").first()
        if turn is None:
            raise BadFrame("conflict", "There is no turn yet.")
        action(turn=turn, now=timezone.now())
        runner.notify(self.bond.pk)

    @command("turn.snapshot", ClientFrame)
    async def turn_snapshot(self, _: ClientFrame) -> None:
        self.follower.mailbox.put({"type": "snapshot"})

    @command("session.close", ClientFrame)
    def session_close(self, _: ClientFrame) -> None:
        self._check_rate("writes")
        session = Session.objects.for_bond(self.bond).filter(channel=self.channel, status=Session.Status.OPEN).first()
        if session is None or session.message_count == 0:
            raise BadFrame("conflict", "There is no open session with messages to close.")
        sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=timezone.now())

    @command("resume", ResumeFrame)
    def resume(self, frame: ResumeFrame) -> Item:
        # Resuming reads events from the database.
        self._check_rate("reads")
        return {"type": "resume", "after": frame.after}

    @command("ping", ClientFrame)
    async def ping(self, _: ClientFrame) -> None:
        await self._send(self.follower.build_heartbeat())

    def _check_signed_in(self) -> None:
        """Raises SignedOut."""
        if self.credential.find_holder(timezone.now()) is None:
            raise SignedOut

    def _check_rate(self, kind: str) -> None:
        """Count a request against the user's limit per minute. Raises SignedOut and BadFrame."""
        self._check_signed_in()
        if wait_seconds := rates.count_request(user_id=self.bond.user_id, kind=kind, now=timezone.now()):
            raise BadFrame("rate_limited", f"Too many messages in one minute. Try again in {wait_seconds} seconds.")

    async def _send(self, frame: dict[str, Any]) -> None:
        await self.send(text_data=encode(frame))
