"""What scenes tell about a person or a thing, on its page: to read, change and delete."""

from collections.abc import Sequence

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.pages.display import errors
from chat.pages.requests import own_bond_page
from memory.answers.coercion import one_line
from memory.models import EntityRemark
from memory.story import cards
from memory.story.recaps.content import LABEL_MOST, TEXT_MOST
from personas.models import Bond


class RemarkForm(forms.Form):
    label = forms.CharField(max_length=LABEL_MOST, required=False)
    text = forms.CharField(max_length=TEXT_MOST)

    def clean_label(self) -> str:
        return one_line(self.cleaned_data["label"])

    def clean_text(self) -> str:
        return one_line(self.cleaned_data["text"])


def list_remarks(bond: Bond, entity_id: int) -> Sequence[EntityRemark]:
    """Return what stands on the card of an entity, the newest scene first."""
    live = EntityRemark.objects.for_bond(bond).live().filter(entity=entity_id)
    return list(live.select_related("scene").order_by("-scene__last_message_id", "-id"))


@own_bond_page("POST")
def act_on_remark(request: HttpRequest, bond: Bond, entity_id: int, remark_id: int) -> HttpResponse:
    """Change a remark or delete it, by the button that was pressed."""
    live = EntityRemark.objects.for_bond(bond).live().filter(entity=entity_id).select_related("bond")
    remark = get_object_or_404(live, pk=remark_id)
    try:
        if request.POST.get("act") == "delete":
            cards.remove_remark(remark=remark, now=timezone.now())
            messages.success(request, _("Deleted."))
        else:
            save_remark(request, remark)
    except EntityRemark.DoesNotExist:
        messages.error(request, errors.get_sentence("changed"))
    return redirect("person", bond.pk, entity_id)


def save_remark(request: HttpRequest, remark: EntityRemark) -> None:
    form = RemarkForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(next(iter(form.errors.values()))[0]))
        return
    cards.change_remark(remark=remark, now=timezone.now(), **form.cleaned_data)
    messages.success(request, _("Saved."))
