from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from echovessel.llm import provider
from memory.models import Story, StoryStep
from memory.storytelling.work import story_worker, user_requests
from personas.models import Bond


class Command(BaseCommand):
    help = "Do what is due on the stories of talks now, in this process, and print each step."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("bond_id", type=int, nargs="?", help="this bond alone; without it, each that has a story")
        parser.add_argument("--all", action="store_true", dest="is_all", help="tell everything of the bond anew")

    def handle(self, *args: Any, bond_id: int | None, is_all: bool, **options: Any) -> None:
        if not settings.STORY_ENABLED:
            raise CommandError("STORY_ENABLED is off: no story is told")
        if is_all and bond_id is None:
            raise CommandError("--all tells one bond anew: name it")
        bonds = list(Bond.objects.order_by("id") if bond_id is None else Bond.objects.filter(pk=bond_id))
        if bond_id is not None and not bonds:
            raise CommandError(f"there is no bond {bond_id}")
        for bond in bonds:
            if is_all:
                user_requests.tell_all(bond=bond, now=timezone.now())
            self.tell(bond)

    def tell(self, bond: Bond) -> None:
        """Go on slice by slice, until nothing is due or can be done now."""
        last = StoryStep.objects.order_by("-id").values_list("pk", flat=True).first() or 0
        began = timezone.now()
        while True:
            if not story_worker.tell(bond_id=bond.pk, llm=provider.get_llm()):
                self.stdout.write(f"bond {bond.pk}: another worker tells it")
                return
            story = Story.objects.get(pk=bond.pk)
            if story.wake_at is None or story.wake_at > timezone.now():
                break
        steps = StoryStep.objects.for_bond(bond)
        done = steps.filter(pk__gt=last) | steps.filter(ended_at__gte=began)
        for step in done.order_by("id"):
            target = f" {step.target}" if step.target else ""
            self.stdout.write(f"bond {bond.pk} {step.kind}{target}: {step.state} {step.detail}".rstrip())
        waits = f", is looked at again at {story.wake_at:%Y-%m-%d %H:%M:%S} UTC" if story.wake_at else ""
        self.stdout.write(f"bond {bond.pk}: {done.count()} steps{waits}")
        if story.paused:
            self.stdout.write(f"bond {bond.pk}: paused")
