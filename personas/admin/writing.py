"""Core blocks on the pages of their holders: those there are, and a page on which a missing one is written."""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

from personas import blocks
from personas.admin.base import Shown
from personas.admin.columns import FORM_LABELS, excerpt, link, link_at, word
from personas.admin.panels import Table
from personas.blocks import Holder
from personas.models import BLOCK_CHARACTERS
from personas.rest.views import user_of


class TextForm(forms.Form):
    content = forms.CharField(
        label=FORM_LABELS["content"], max_length=BLOCK_CHARACTERS, widget=UnfoldAdminTextareaWidget
    )


class Authored(Shown):
    """A section whose rows hold core blocks."""

    def get_urls(self) -> list[URLPattern]:
        write = self.admin_site.admin_view(self.write_view)
        return [path("<path:object_id>/write/<slug:label>/", write, name=self.url_name("write")), *super().get_urls()]

    def url_name(self, page: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{page}"

    def may_write(self, request: HttpRequest, holder: Holder) -> bool:
        return self.has_view_permission(request, holder) and request.user.has_perm("personas.add_coreblock")

    def write_view(self, request: HttpRequest, object_id: str, label: str) -> HttpResponse:
        holder: Any = self.get_object(request, object_id)
        if holder is None or not self.may_write(request, holder) or label not in blocks.missing(holder):
            raise Http404
        back = reverse(f"admin:{self.url_name('change')}", args=[holder.pk])
        form = TextForm(request.POST or None)
        if form.is_valid():
            content = form.cleaned_data["content"]
            blocks.save(holder=holder, label=label, content=content, user=user_of(request), now=timezone.now())
            self.message_user(request, _("It is written."))
            return redirect(back)
        title = _("Write the text “%(label)s”") % {"label": word(label)}
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": title}
        return TemplateResponse(request, "admin/edit.html", context | {"form": form, "back": back})

    def texts(self, request: HttpRequest, holder: Holder) -> Table:
        rows = [
            [link(block, word(block.label)), excerpt(block.content), block.version, block.updated_at]
            for block in holder.blocks.order_by("id")
        ]
        if self.may_write(request, holder):
            rows += [[word(label), self.write_link(holder, label), "-", "-"] for label in blocks.missing(holder)]
        head = [_("label"), _("text"), _("version"), _("saved")]
        return Table(_("Core blocks"), head, rows, _("Nothing is written."))

    def write_link(self, holder: Holder, label: str) -> Any:
        return link_at(reverse(f"admin:{self.url_name('write')}", args=[holder.pk, label]), _("Write it"))
