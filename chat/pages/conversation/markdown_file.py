"""One chat as a Markdown file."""

from collections.abc import Iterable, Iterator

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from chat.pages.conversation import session_list
from chat.pages.requests import own_bond_page
from memory.models import Message
from personas.models import Bond


@own_bond_page("GET")
def session_markdown(request: HttpRequest, bond: Bond, session_id: int) -> HttpResponse:
    """Download what was said in a chat, as it stands on the page."""
    listed = session_list.list_newest(bond).filter(off_record=False, message_count__gt=0)
    [item] = session_list.build_items(bond, [get_object_or_404(listed, pk=session_id)])
    messages = Message.objects.for_bond(bond).visible().filter(session=session_id).order_by("id")
    text = "\n".join(write_lines(bond, item, messages.without_heavy_columns()))
    name = f"{bond.persona.name} {timezone.localtime(item.row.started_at):%Y-%m-%d}.md"
    headers = {"Content-Disposition": content_disposition_header(as_attachment=True, filename=name) or ""}
    return HttpResponse(text, content_type="text/markdown; charset=utf-8", headers=headers)


def write_lines(bond: Bond, item: session_list.SessionItem, messages: Iterable[Message]) -> Iterator[str]:
    """Write a heading, then each message below its speaker and time, under its day if it is not that of the one before; its
    own Markdown stays as it is.
    """
    day = timezone.localtime(item.row.started_at).date()
    yield f"# {item.title or _('Chat')}\n"
    yield f"*{bond.persona.name} · {date_format(day, 'DATE_FORMAT')}*\n"
    for message in messages:
        at = timezone.localtime(message.created_at)
        if at.date() != day:
            day = at.date()
            yield f"*{date_format(day, 'DATE_FORMAT')}*\n"
        speaker = _("You") if message.role == Message.Role.USER else bond.persona.name
        yield f"**{speaker}** · {at:%H:%M}\n"
        yield f"{message.content}\n"
