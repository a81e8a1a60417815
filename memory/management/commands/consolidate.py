from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from echovessel.llm import provider
from memory import sessions
from memory.consolidation import run
from memory.models import Session


class Command(BaseCommand):
    help = "Run due consolidation now, in this process, and print each step."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "session_id",
            type=int,
            nargs="?",
            help="this session alone; an open one is closed, a failed one tried again",
        )

    def handle(self, *args: Any, session_id: int | None, **options: Any) -> None:
        all_due = Session.objects.due(timezone.now()).order_by("id")
        due = list(all_due) if session_id is None else [self.make_due(session_id)]
        for session in due:
            self.consolidate(session)
        if not due:
            self.stdout.write("no session is due")

    def make_due(self, session_id: int) -> Session:
        session = Session.objects.not_deleted().filter(pk=session_id).first()
        if session is None:
            raise CommandError(f"there is no session {session_id}")
        sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=timezone.now())
        sessions.retry(session=session, now=timezone.now())
        return session

    def consolidate(self, session: Session) -> None:
        is_done = run.consolidate(session_id=session.pk, llm=provider.get_llm())
        session.refresh_from_db()
        if not is_done:
            self.stdout.write(f"session {session.pk} is {session.status}: not due, held by a turn, or another worker's")
            return
        for step in session.steps.order_by("id"):
            self.stdout.write(f"session {session.pk} {step.phase}: {step.outcome} {step.reason}{step.error}".rstrip())
        self.stdout.write(f"session {session.pk}: {session.status}")
        if session.status == Session.Status.FAILED:
            raise CommandError(session.failure_detail)
