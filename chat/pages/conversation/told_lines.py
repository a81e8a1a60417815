"""What becomes of messages in the next prompt, in words: in a message's menu, and on all messages where a reader asks for it."""

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from chat.pages.conversation import stretches
from chat.pages.requests import get_int_param, own_bond_page, parse_id
from memory.facts import firm_tokens
from memory.models import Message
from memory.story.inclusion import states
from memory.story.inclusion.message_states import State
from personas.models import Bond

# How many messages the page asks about at once.
LINES_MOST = 200
LABELS = {
    State.IN_WINDOW: pgettext_lazy("of a message", "Word for word"),
    State.COVERED: pgettext_lazy("of a message", "In the story"),
    State.LEFT_OUT: pgettext_lazy("of a message", "Left out of memory"),
    State.FORGOTTEN: pgettext_lazy("of a message", "Partly forgotten"),
    State.SKIPPED: pgettext_lazy("of a message", "Not recapped"),
    State.TOLD: pgettext_lazy("of a message", "In a scene's recap"),
    State.NO_RECAP: pgettext_lazy("of a message", "Nothing to recap"),
    State.OVER_LIMIT: pgettext_lazy("of a message", "No room yet"),
    State.INCLUDED: pgettext_lazy("of a message", "Recapped"),
}
REASONS = {
    State.IN_WINDOW: gettext_lazy("%(name)s reads it word for word, as it is recent."),
    State.COVERED: gettext_lazy("%(name)s knows it by the story."),
    State.LEFT_OUT: gettext_lazy("You left it out, so no recap, story or new memory has it."),
    State.FORGOTTEN: gettext_lazy("Something learned from it was forgotten, so no recap tells it."),
    State.SKIPPED: gettext_lazy("It is too short, or not to be recapped by your settings."),
    State.TOLD: gettext_lazy("%(name)s knows it by the recap of its scene."),
    State.NO_RECAP: gettext_lazy("It says nothing that a recap could tell."),
    State.OVER_LIMIT: gettext_lazy("The prompt has no room for its recap, until the story tells it."),
    State.INCLUDED: gettext_lazy("%(name)s reads a recap of it."),
}


@own_bond_page("GET")
def told_lines(request: HttpRequest, bond: Bond) -> JsonResponse:
    """Say of the named messages what becomes of them, and whether the first of a session has left the window."""
    asked = [pk for pk in map(parse_id, request.GET.get("lines", "").split(",")[:LINES_MOST]) if pk is not None]
    session = get_int_param(request, "session")
    first = None if session is None else stretches.get_first_message_id(bond, session)
    shown = Message.objects.for_bond(bond).visible().filter(pk__in=[*asked, first or 0]).without_heavy_columns()
    by_id = {message.pk: message for message in shown}
    found = states.load_states(bond, list(by_id.values()), firm_tokens=firm_tokens.load(bond))
    lines = {pk: describe(by_id[pk], found.get(pk), name=bond.persona.name) for pk in asked if pk in by_id}
    return JsonResponse({"lines": lines, "has_left": first in found and found[first] != State.IN_WINDOW})


def describe(message: Message, state: State | None, *, name: str) -> dict[str, object]:
    label = str(LABELS[state]) if state else ""
    why = REASONS[state] % {"name": name} if state else ""
    if message.left_out and state != State.LEFT_OUT:
        label = " · ".join(filter(None, [label, str(LABELS[State.LEFT_OUT])]))
        why = " ".join(filter(None, [why, _("You left it out of memory.")]))
    return {"label": label, "why": why, "left_out": message.left_out}
