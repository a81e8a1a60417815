"""The page of a bond: the conversation, its head and the memories beside it."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import Turn
from chat.pages import tour
from chat.pages.companions.home import annotate_last_message
from chat.pages.conversation import failures, folding, session_list, stretches, timeline, timeline_groups
from chat.pages.display import errors, labels
from chat.pages.memory import status_lines
from chat.pages.requests import get_int_param, own_bond_page
from chat.turns import actions, greetings
from echovessel import events
from echovessel.llm import provider
from memory.models import ConceptNode, Session, StoryStep
from personas.models import Bond

# What is left is among all companions.
SWITCHER_MOST = 12


@own_bond_page("GET")
def bond_page(request: HttpRequest, own: Bond) -> HttpResponse:
    # Read first: events while the page is rendered are sent twice, not missed.
    seq = events.get_last_seq(own.pk)
    stretch = stretches.load_last(own)
    status_lines.attach(own, stretch.messages)
    status_lines.count_learned(own, stretch.begun_sessions)
    opened = Session.objects.for_bond(own).filter(channel=Session.Channel.WEB, status=Session.Status.OPEN).first()
    newest = get_newest_turn(own)
    failures.attach(own, stretch.messages, newest=newest)
    context = {
        "bond": own,
        **build_head_context(own),
        "stretch": stretch,
        "blank": stretches.build_blank_rows(),
        "newest": newest and actions.get_newest_replies(newest),
        "off_record": opened is not None and opened.off_record,
        "opening": None if stretch.lines or stretch.folds else greetings.offer(own),
        "new_chat": opened if opened is not None and opened.message_count == 0 else None,
        "tour": tour.get_step(bond=own, session=request.session, now=timezone.now()),
        "about": find_about(request, own),
        "page": build_page_data(own, seq=seq, opened=opened),
        "sessions": session_list.build(own, now=timezone.now()),
        "has_scenes": folding.has_scenes(own),
        **build_memories_context(own),
    }
    return render(request, "chat/conversation/page.html", context)


@own_bond_page("GET")
def bond_head(request: HttpRequest, own: Bond) -> HttpResponse:
    """Render the header of an open page again after its companion has changed."""
    return render(request, "chat/conversation/_refreshed.html", build_head_context(own) | {"bond": own})


@own_bond_page("GET")
def companion_switcher(request: HttpRequest, own: Bond) -> HttpResponse:
    """List the reader's companions, the one of the last message first, to go from chat to chat."""
    bonds = annotate_last_message(Bond.objects.for_user(own.user))[:SWITCHER_MOST]
    return render(request, "chat/conversation/_switcher.html", {"bond": own, "bonds": bonds})


def build_head_context(own: Bond) -> dict[str, Any]:
    return {"mood": own.episodic_state(timezone.now()), "offline_voice": provider.get_llm().offline}


@own_bond_page("GET")
def bond_memories(request: HttpRequest, own: Bond) -> HttpResponse:
    return render(request, "chat/timeline/_timeline.html", build_memories_context(own) | {"bond": own})


def build_memories_context(own: Bond) -> dict[str, Any]:
    return {
        "doubts": timeline.list_uncertain_pairs(own),
        "groups": list(timeline_groups.group_by_chat(timeline.list_entries(own))),
        "working": Session.objects.for_bond(own).being_remembered().count(),
    }


def build_page_data(own: Bond, *, seq: int, opened: Session | None) -> dict[str, Any]:
    return {
        "bond": own.pk,
        "name": own.persona.name,
        "seq": seq,
        "off_record": opened.pk if opened is not None and opened.off_record else None,
        "open_session": opened.pk if opened is not None and opened.message_count and not opened.off_record else None,
        "tidying": StoryStep.objects.for_bond(own).filter(state=StoryStep.State.RUNNING).count(),
        "window_least": settings.RECENT_WINDOW_SIZE,
        "strings": build_strings(),
        "refusals": errors.translate_sentences(),
    }


def find_about(request: HttpRequest, own: Bond) -> ConceptNode | None:
    """Find the fact that the reader wants to change: their next message names it."""
    facts = ConceptNode.objects.for_bond(own).facts().not_deleted().without_heavy_columns()
    return facts.filter(pk=get_int_param(request, "about") or 0).first()


def get_newest_turn(own: Bond) -> Turn | None:
    turns = Turn.objects.for_bond(own).with_messages().select_related("session").defer("trace", "timings")
    return turns.order_by("-created_at").first()


def build_strings() -> dict[str, Any]:
    return {
        "moods": {word: labels.translate_mood(word) for word in labels.MOODS},
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
        "silent": _("The model has not answered yet. You can wait, or stop the reply."),
        "stops_later": _("The reply will be stopped when the connection is back."),
        "unfinished": _("Stopped before the end"),
        "not_started": _("The new chat could not be started. Try again."),
        "off_record_over": _("The chat off the record has ended and is erased."),
        "chat_gone": _("This chat has ended or was deleted. The message was not sent."),
        "not_done": _("That did not work. Try again."),
        "edited": _("Message edited and sent again."),
        "deleted": _("Message deleted."),
        "deleted_with": _("Message deleted, and what was based on it is forgotten."),
        "copied": _("Copied"),
        "kept": _("Message kept."),
        "not_kept": _("No longer kept."),
        "left_out": _("Message left out of memory."),
        "left_out_with": _("Message left out of memory, and what was based on it is forgotten."),
        "scene_ended": _("Scene ended here."),
        "scene_not_ended": _("A scene cannot end here: it ends after a whole turn, with two messages on either side."),
        "taken_in": _("Message taken into memory again."),
        "not_copied": _("The browser does not allow copying here."),
        "gone": _("You are signed out, or this chat no longer exists. Reload the page."),
    }
