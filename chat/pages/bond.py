"""The page of a bond, and what all pages share."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST

from chat.models import Turn
from chat.pages import conversation, languages, session_list, timeline, tour
from chat.pages.display import errors, labels
from chat.turns import actions
from echovessel import events
from echovessel.llm import provider
from memory.models import Message, Session
from personas import onboarding
from personas.models import Bond, Persona, User
from personas.rest import rates

View = Callable[..., HttpResponse]


def private_page(view: View) -> View:
    """Require a sign-in, use the reader's zone and language, and forbid caching."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = get_user(request)
        with timezone.override(user.zone), translation.override(user.language or get_language()):
            response = view(request, *args, **kwargs)
        if user.language and request.COOKIES.get(languages.COOKIE) != user.language:
            languages.remember_language(response, user.language)
        return response

    # Not as middleware, which would buffer streams. Django pads compressed answers by a random length and masks the CSRF
    # token anew in each answer, so sizes reveal no secret next to reflected text.
    return never_cache(login_required(gzip_page(shown)))


def get_user(request: HttpRequest) -> User:
    return cast(User, request.user)


def get_own_bond(request: HttpRequest, bond_id: int) -> Bond:
    return get_object_or_404(Bond.objects.for_user(get_user(request)).select_related("persona", "user"), pk=bond_id)


def check_costly_rate(request: HttpRequest) -> str:
    """Count a costly action. Returns an error sentence if there were too many in this minute."""
    wait_seconds = rates.count_request(user_id=get_user(request).pk, kind="costly", now=timezone.now())
    return _("Wait a minute, then try again.") if wait_seconds else ""


def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "chat/home/welcome.html", {"signup_open": settings.SIGNUP_OPEN})
    return companion_list(request)


@private_page
def companion_list(request: HttpRequest) -> HttpResponse:
    user = get_user(request)
    now = timezone.now()
    bonds = list(annotate_last_message(Bond.objects.for_user(user)))
    shown = [{"bond": bond, "mood": bond.episodic_state(now)} for bond in bonds]
    offered = Persona.objects.open_to(user).exclude(bonds__user=user).order_by("name", "id")
    own = [persona for persona in offered if persona.owner_id == user.pk]
    others = [persona for persona in offered if persona.owner_id != user.pk]
    return render(request, "chat/home/companions.html", {"companions": shown, "own": own, "offered": others})


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


@private_page
@require_POST
def begin_bond(request: HttpRequest, persona_id: int) -> HttpResponse:
    user = get_user(request)
    persona = get_object_or_404(Persona.objects.open_to(user), pk=persona_id)
    bond, _made = onboarding.begin_bond(user=user, persona=persona, now=timezone.now())
    return redirect("bond", bond.pk)


@private_page
@require_GET
def bond_page(request: HttpRequest, bond_id: int) -> HttpResponse:
    own = get_own_bond(request, bond_id)
    # Read first: events while the page is rendered are sent twice, not missed.
    seq = events.get_last_seq(own.pk)
    stretch = conversation.load_last(own)
    opened = get_open_session(own)
    newest = get_newest_turn(own)
    context = {
        "bond": own,
        **build_head_context(own),
        "stretch": stretch,
        "blank": conversation.build_blank_rows(),
        "newest": newest and actions.get_newest_replies(newest),
        "off_record": opened is not None and opened.off_record,
        "new_chat": opened if opened is not None and opened.message_count == 0 else None,
        "tour": tour.get_step(bond=own, session=request.session, now=timezone.now()),
        "page": build_page_data(own, seq=seq, opened=opened, newest=newest),
        "sessions": session_list.build(own, now=timezone.now()),
        **build_memories_context(own),
    }
    return render(request, "chat/conversation/page.html", context)


@private_page
@require_GET
def bond_head(request: HttpRequest, bond_id: int) -> HttpResponse:
    """Render the header of an open page again after its companion has changed."""
    own = get_own_bond(request, bond_id)
    return render(request, "chat/conversation/_refreshed.html", build_head_context(own) | {"bond": own})


def build_head_context(own: Bond) -> dict[str, Any]:
    return {"mood": own.episodic_state(timezone.now()), "offline_voice": provider.get_llm().offline}


@private_page
@require_GET
def bond_memories(request: HttpRequest, bond_id: int) -> HttpResponse:
    return render(request, "chat/timeline/_timeline.html", build_memories_context(get_own_bond(request, bond_id)))


def build_memories_context(own: Bond) -> dict[str, Any]:
    being_remembered = [Session.Status.CLOSING, Session.Status.CONSOLIDATING]
    return {
        "doubts": timeline.list_uncertain_pairs(own),
        "entries": timeline.list_entries(own),
        "working": Session.objects.for_bond(own).not_empty().filter(status__in=being_remembered).exists(),
    }


def get_int_param(request: HttpRequest, name: str) -> int | None:
    """Return a number of the query; None if it is no number."""
    value = request.GET.get(name, "")
    return int(value) if value.isdecimal() and len(value) < 19 else None


def build_page_data(own: Bond, *, seq: int, opened: Session | None, newest: Turn | None) -> dict[str, Any]:
    """Return the data for the page's script."""
    return {
        "bond": own.pk,
        "name": own.persona.name,
        "seq": seq,
        "failed_turn": newest and describe_failure(newest),
        "off_record": opened.pk if opened is not None and opened.off_record else None,
        "strings": build_strings(),
        "refusals": errors.translate_sentences(),
    }


def get_open_session(own: Bond) -> Session | None:
    """Return the session of the page's next message, if there is one."""
    return Session.objects.for_bond(own).filter(channel=Session.Channel.WEB, status=Session.Status.OPEN).first()


def get_newest_turn(own: Bond) -> Turn | None:
    turns = Turn.objects.for_bond(own).select_related("session").defer("trace", "timings")
    return turns.order_by("-created_at").first()


def describe_failure(newest: Turn) -> dict[str, Any] | None:
    """Return the error of the newest turn, if it ended without a reply."""
    if newest.status not in (Turn.Status.FAILED, Turn.Status.INTERRUPTED) and newest.error is None:
        return None
    error = newest.error or {"code": "interrupted", "detail": errors.get_sentence("interrupted"), "retryable": True}
    return {"id": str(newest.pk), **error, "stopped": newest.is_stopped}


def build_strings() -> dict[str, Any]:
    return {
        "moods": labels.translate_moods(),
        "sending": _("Sending"),
        "waiting": _("Not sent yet"),
        "connecting": _("Connecting"),
        "online": _("Connected"),
        "offline": _("Not connected"),
        "lost": _("Connection lost. Trying again in %s s. What you write is kept."),
        "connecting_again": _("Connection lost. Trying again now. What you write is kept."),
        "off_record": _("Off the record"),
        "new_chat": _("New chat"),
        "stopped": _("Stopped"),
        "not_started": _("The new chat could not be started. Try again."),
        "off_record_over": _("The chat off the record has ended and is erased."),
        "not_done": _("That did not work. Try again."),
        "deleted": _("Message deleted."),
        "deleted_with": _("Message deleted, and what was based on it is forgotten."),
        "copied": _("Copied"),
        "not_copied": _("The browser does not allow copying here."),
        "gone": _("You are signed out, or this chat no longer exists. Reload the page."),
    }
