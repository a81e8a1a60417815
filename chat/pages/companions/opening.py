"""Brings back an earlier version of how the first chat with a companion begins."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.pages.companions.persona import get_own_persona
from chat.pages.requests import get_user, own_bond_page
from personas.authored import openings
from personas.models import Bond, OpeningRevision


@own_bond_page
@require_POST
def restore_opening(request: HttpRequest, bond: Bond, n: int) -> HttpResponse:
    persona = get_own_persona(request, bond)
    revision = get_object_or_404(OpeningRevision.objects.filter(opening=persona.pk), n=n)
    openings.restore(revision=revision, user=get_user(request), now=timezone.now())
    messages.success(request, _("Earlier version restored."))
    return redirect("persona", bond.pk)
