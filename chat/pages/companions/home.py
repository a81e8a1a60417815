"""The start page: the reader's companions, or a welcome."""

from django.conf import settings
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from chat.pages.companions.new_companion import get_reader_language
from chat.pages.requests import get_user, private_page
from memory.models import Message
from personas import onboarding, ready
from personas.models import Bond, Persona


def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "chat/home/welcome.html", {"signup_open": settings.SIGNUP_OPEN})
    return companion_list(request)


@private_page()
def companion_list(request: HttpRequest) -> HttpResponse:
    user = get_user(request)
    now = timezone.now()
    bonds = list(annotate_last_message(Bond.objects.for_user(user)))
    shown = [{"bond": bond, "mood": bond.episodic_state(now)} for bond in bonds]
    offered = Persona.objects.open_to(user).exclude(bonds__user=user).order_by("name", "id")
    own = [persona for persona in offered if persona.owner_id == user.pk]
    others = [persona for persona in offered if persona.owner_id != user.pk]
    context = {
        "companions": shown,
        "own": own,
        "offered": others,
        "characters": ready.sort_by_language(get_reader_language()),
    }
    return render(request, "chat/home/companions.html", context)


def annotate_last_message(bonds: QuerySet[Bond]) -> QuerySet[Bond]:
    """Order bonds by their last message and add it."""
    last = Message.objects.visible().not_off_record().filter(bond=OuterRef("pk")).order_by("-id")
    return (
        bonds.select_related("persona")
        .annotate(
            last_content=Subquery(last.values("content")[:1]),
            last_role=Subquery(last.values("role")[:1]),
            last_at=Subquery(last.values("created_at")[:1]),
        )
        .order_by(Subquery(last.values("id")[:1]).desc(nulls_last=True), "-id")
    )


@private_page("POST")
def begin_bond(request: HttpRequest, persona_id: int) -> HttpResponse:
    user = get_user(request)
    persona = get_object_or_404(Persona.objects.open_to(user), pk=persona_id)
    bond, _made = onboarding.begin_bond(user=user, persona=persona, now=timezone.now())
    return redirect("bond", bond.pk)
