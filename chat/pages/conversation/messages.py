"""Parts of the conversation's page about one message: the message itself, and why it was said."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render

from chat.models import Turn
from chat.pages.conversation import reply_explanation
from chat.pages.conversation.page import get_newest_turn
from chat.pages.display.errors import translate_error
from chat.pages.display.second_person import address_reader
from chat.pages.memory import status_lines
from chat.pages.requests import own_bond_page, parse_id
from chat.turns import actions, editing
from chat.turns.actions import TurnError
from memory.models import ConceptNode, Message
from personas.models import Bond

OFFERED_MOST = 100


@own_bond_page("GET")
def message_detail(request: HttpRequest, bond: Bond, message_id: int) -> HttpResponse:
    messages = Message.objects.for_bond(bond).visible().select_related("session").without_heavy_columns()
    message = get_object_or_404(messages, pk=message_id)
    status_lines.attach(bond, [message])
    newest = get_newest_turn(bond)
    context = {"bond": bond, "message": message, "newest": newest and actions.get_newest_replies(newest)}
    return render(request, "chat/messages/_message.html", context)


@own_bond_page("GET")
def edit_message(request: HttpRequest, bond: Bond, message_id: int) -> HttpResponse:
    """Render what an edit of a message takes back, and the text to change."""
    messages = Message.objects.for_bond(bond).visible().select_related("session", "bond").without_heavy_columns()
    message = get_object_or_404(messages, pk=message_id)
    try:
        going = editing.find_going(message)
    except TurnError as error:
        return HttpResponse(translate_error(error, about="edit"), status=409, content_type="text/plain; charset=utf-8")
    context = {
        "bond": bond,
        "message": message,
        "off_record": message.session.off_record,
        "later": messages.filter(pk__in=going.messages).exclude(pk=message.pk).count(),
        "memories": [(node, node.get_type_display()) for node in going.nodes],
    }
    return render(request, "chat/messages/_edit.html", context)


@own_bond_page("GET")
def offered_memories(request: HttpRequest, bond: Bond) -> JsonResponse:
    """Return what the memories of the query say, by id, as the reader is told it elsewhere."""
    asked = [pk for pk in map(parse_id, request.GET.getlist("memory")[:OFFERED_MOST]) if pk is not None]
    found = ConceptNode.objects.for_bond(bond).not_deleted().filter(pk__in=asked).without_heavy_columns()
    return JsonResponse({node.pk: address_reader(node) for node in found})


@own_bond_page("GET")
def explain_reply(request: HttpRequest, bond: Bond, turn_id: UUID) -> HttpResponse:
    turns = Turn.objects.for_bond(bond).filter(session__deleted_at=None).select_related("session")
    turn = get_object_or_404(turns, pk=turn_id)
    turn.bond = bond
    return render(request, "chat/messages/_reply_explanation.html", {"bond": bond, "why": reply_explanation.load(turn)})
