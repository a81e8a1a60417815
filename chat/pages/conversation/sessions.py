"""The conversation page's list of sessions, its search, and messages that it loads."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.pages.conversation import failures, folding, session_list, stretches
from chat.pages.conversation.folding import Gap
from chat.pages.conversation.stretches import Stretch
from chat.pages.display import errors
from chat.pages.memory import status_lines
from chat.pages.memory.search import SearchItem
from chat.pages.requests import get_int_param, own_bond_page
from echovessel.errors import CodedError
from memory.forgetting import sessions as forgetting_sessions
from memory.models import Message, Session
from memory.search import search
from personas.models import Bond

PAGE_SIZE = 20
QUERY_MOST = 200


@own_bond_page("GET")
def message_list(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Load messages of a gap: its last, its first, or those around a message or the beginning of a session."""
    gap = Gap(after=get_int_param(request, "after"), before=get_int_param(request, "before"))
    stretch = load_stretch(request, bond, gap)
    status_lines.attach(bond, stretch.messages)
    failures.attach(bond, stretch.messages)
    status_lines.count_learned(bond, stretch.begun_sessions)
    return render(request, "chat/messages/_messages.html", {"bond": bond, "stretch": stretch})


def load_stretch(request: HttpRequest, bond: Bond, gap: Gap) -> Stretch:
    target, session = get_int_param(request, "message"), get_int_param(request, "session")
    if session is not None:
        target = stretches.get_first_message_id(bond, session)
    if target is not None:
        return stretches.load_around(bond, gap, target=target)
    if "down" in request.GET and gap.after is not None:
        return stretches.load_first(bond, gap)
    return stretches.load_last(bond, gap, folds="lines" not in request.GET)


@own_bond_page("GET")
def session_panel(request: HttpRequest, bond: Bond) -> HttpResponse:
    has_scenes = folding.has_scenes(bond)
    if has_scenes and request.GET.get("show") == "scenes":
        months = folding.list_months(bond)
        return render(request, "chat/sessions/_scenes.html", {"bond": bond, "months": months, "has_scenes": True})
    listed = session_list.build(
        bond,
        now=timezone.now(),
        most=get_int_param(request, "most"),
        is_archive_open=request.GET.get("archive") == "open",
    )
    return render(request, "chat/sessions/_list.html", {"bond": bond, "sessions": listed, "has_scenes": has_scenes})


@own_bond_page("GET")
def session_divider(request: HttpRequest, bond: Bond, session_id: int) -> HttpResponse:
    """Render the rule of a chat of which something was learned."""
    session = get_object_or_404(Session.objects.for_bond(bond).not_deleted(), pk=session_id)
    status_lines.count_learned(bond, [session])
    return render(request, "chat/messages/_session_divider.html", {"bond": bond, "session": session})


@dataclass(frozen=True)
class FoundMessage:
    place: SearchItem
    is_own: bool


@own_bond_page("GET")
def search_messages(request: HttpRequest, bond: Bond) -> HttpResponse:
    query = request.GET.get("q", "")[:QUERY_MOST].replace("\x00", "").strip()
    behind = get_int_param(request, "behind")
    # The next page of messages begins after an id.
    after = None if behind is None else {"L2": search.SearchPosition(at=timezone.now(), id=behind)}
    found = search.search(bond=bond, query=query, layers=["L2"], after=after, most=PAGE_SIZE + 1)
    has_more = len(found) > PAGE_SIZE
    context = {
        "bond": bond,
        "query": query,
        "behind": behind,
        "found": build_found_messages(bond, found[:PAGE_SIZE]),
        "has_more": has_more,
        "said": describe_count(min(len(found), PAGE_SIZE), has_more=has_more),
    }
    return render(request, "chat/sessions/_found_messages.html", context)


def describe_count(count: int, *, has_more: bool) -> str:
    if has_more:
        return _("More than %(count)s messages found") % {"count": count}
    return ngettext("%(count)s message found", "%(count)s messages found", count) % {"count": count}


def build_found_messages(bond: Bond, found: list[search.SearchHit]) -> list[FoundMessage]:
    own = Message.objects.for_bond(bond).filter(pk__in=[one.id for one in found], role=Message.Role.USER)
    said_by_user = set(own.values_list("pk", flat=True))
    return [FoundMessage(SearchItem(one), one.id in said_by_user) for one in found]


@own_bond_page("GET", "POST")
def forget_session(request: HttpRequest, bond: Bond, session_id: int) -> HttpResponse:
    """Show what goes with a session, then forget it."""
    session = get_object_or_404(Session.objects.for_bond(bond).select_related("bond"), pk=session_id, off_record=False)
    if request.method == "POST":
        try:
            has_memories_go = request.POST.get("memories") == "go"
            forgetting_sessions.forget(session=session, has_memories_go=has_memories_go, now=timezone.now())
        except CodedError as error:
            return render_refusal(error)
        return HttpResponse(status=204)
    going = forgetting_sessions.preview_forgetting(session)
    return render(request, "chat/sessions/_forget.html", build_forget_context(bond, session, going))


def build_forget_context(bond: Bond, session: Session, going: forgetting_sessions.SessionForgetting) -> dict[str, Any]:
    memories = [(node, node.get_type_display()) for node in going.memories]
    title = session.shown_title or session_list.load_first_words(bond, [session.pk]).get(session.pk, "")
    shown = {"title": title, "lines": going.lines, "memories": memories, "others": going.others, "story": going.story}
    return {"bond": bond, "session": session, **shown}


@own_bond_page("POST")
def restore_session(request: HttpRequest, bond: Bond, session_id: int) -> HttpResponse:
    try:
        forgetting_sessions.restore(bond=bond, session_id=session_id, now=timezone.now())
    except CodedError as error:
        return render_refusal(error)
    return HttpResponse(status=204)


def render_refusal(error: CodedError) -> HttpResponse:
    return HttpResponse(
        errors.translate_error(error), status=404 if error.code == "not_found" else 409, content_type="text/plain"
    )
