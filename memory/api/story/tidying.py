"""The work on a bond's story: what runs, failed and waits."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from memory.models import StoryStep
from memory.serializers.story import StepSerializer, TidyingSerializer
from memory.storytelling.work import tidying, user_requests
from personas.rest.api_errors import APIError
from personas.rest.views import BondView


class TidyingView(BondView):
    serializer_class = TidyingSerializer

    def get(self, request: Request, **_: Any) -> Response:
        """How many steps wait, run and have failed, whether it is paused, and the steps; what is only due has no id yet."""
        found = tidying.load(bond=self.bond, now=timezone.now())
        shown = {
            "waiting": len(found.waiting),
            "running": len(found.running),
            "failed": len(found.failed),
            "paused": found.paused,
            "hold": found.hold,
            "steps": [*found.running, *found.failed, *found.waiting],
        }
        return Response(TidyingSerializer(shown).data)


class StepBaseView(BondView):
    serializer_class = StepSerializer

    def get_step(self) -> StoryStep:
        return get_object_or_404(
            StoryStep.objects.for_bond(self.bond).select_related("bond"), pk=self.kwargs["step_id"]
        )

    def respond(self, step: StoryStep) -> Response:
        step.refresh_from_db()
        return Response(StepSerializer(step).data)


class RetryStepView(StepBaseView):
    rate_of = {"POST": "costly"}

    def post(self, request: Request, **_: Any) -> Response:
        """Tries a failed or cancelled step again, before all other work."""
        step = self.get_step()
        if not user_requests.retry(step=step, now=timezone.now()):
            raise APIError(
                "conflict",
                gettext("This step is %(state)s; only a failed or cancelled one can be tried again.")
                % {"state": step.state},
            )
        return self.respond(step)


class CancelStepView(StepBaseView):
    def post(self, request: Request, **_: Any) -> Response:
        """Cancels a step that waits, runs or has failed; it is due again once what it reads changes."""
        step = self.get_step()
        if not user_requests.cancel(step=step, now=timezone.now()):
            raise APIError("conflict", gettext("This step is %(state)s already.") % {"state": step.state})
        return self.respond(step)
