"""Core blocks on the pages of their holders, and the page that adds a missing one."""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

from personas import blocks
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import FORM_LABELS, link_to_row, link_to_url, shorten
from personas.admin.panels import TablePanel
from personas.blocks import Holder
from personas.models import BLOCK_CHARACTERS, CoreBlock
from personas.rest.views import get_user


class CoreBlockForm(forms.Form):
    content = forms.CharField(
        label=FORM_LABELS["content"], max_length=BLOCK_CHARACTERS, widget=UnfoldAdminTextareaWidget
    )


class BlockHolderAdmin(ReadOnlyAdmin):
    """The admin of a model whose rows hold core blocks."""

    def get_urls(self) -> list[URLPattern]:
        write = self.admin_site.admin_view(self.write_view)
        return [
            path("<path:object_id>/write/<slug:label>/", write, name=self.get_url_name("write")),
            *super().get_urls(),
        ]

    def get_url_name(self, page: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{page}"

    def can_write(self, request: HttpRequest, holder: Holder) -> bool:
        return self.has_view_permission(request, holder) and request.user.has_perm("personas.add_coreblock")

    def write_view(self, request: HttpRequest, object_id: str, label: str) -> HttpResponse:
        holder: Any = self.get_object(request, object_id)
        if holder is None or not self.can_write(request, holder) or label not in blocks.list_missing(holder):
            raise Http404
        back = self.build_change_url(holder)
        form = CoreBlockForm(request.POST or None)
        if form.is_valid():
            content = form.cleaned_data["content"]
            blocks.save(holder=holder, label=label, content=content, user=get_user(request), now=timezone.now())
            self.message_user(request, _("Saved."))
            return redirect(back)
        title = _("Write the text “%(label)s”") % {"label": CoreBlock.Label(label).label}
        return self.render_page(request, "admin/edit.html", title=title, form=form, back=back)

    def build_blocks_table(self, request: HttpRequest, holder: Holder) -> TablePanel:
        rows = [
            [link_to_row(block, block.get_label_display()), shorten(block.content), block.version, block.updated_at]
            for block in holder.blocks.order_by("id")
        ]
        if self.can_write(request, holder):
            rows += [
                [CoreBlock.Label(label).label, self.link_to_writing(holder, label), "-", "-"]
                for label in blocks.list_missing(holder)
            ]
        head = [_("label"), _("text"), _("version"), _("saved")]
        return TablePanel(_("Core texts"), head, rows, _("Nothing written yet."))

    def link_to_writing(self, holder: Holder, label: str) -> Any:
        return link_to_url(reverse(f"admin:{self.get_url_name('write')}", args=[holder.pk, label]), _("Write"))
