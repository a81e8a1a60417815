"""Correct a memory and settle a promise in the admin, with the functions of the pages."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from echovessel.errors import CodedError
from memory.admin.forgetting import ForgettableAdmin
from memory.answers.coercion import DESCRIPTION_MOST
from memory.models import ConceptNode
from memory.models.fact_columns import CONTENT_MOST
from memory.nodes import corrections
from memory.nodes import outcomes as node_outcomes
from memory.nodes.outcomes import SettlingError
from personas.admin.columns import FORM_LABELS


class CorrectionForm(forms.Form):
    description = forms.CharField(
        label=_("Corrected text"), max_length=DESCRIPTION_MOST, widget=UnfoldAdminTextareaWidget
    )
    emotional_impact = forms.IntegerField(
        label=FORM_LABELS["emotional_impact"], min_value=-10, max_value=10, widget=UnfoldAdminIntegerFieldWidget
    )


class FactForm(forms.Form):
    description = forms.CharField(label=_("Corrected text"), max_length=CONTENT_MOST, widget=UnfoldAdminTextareaWidget)


class OutcomeForm(forms.Form):
    outcome = forms.ChoiceField(label=_("How did it turn out?"), widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, node: ConceptNode, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["outcome"]
        field.choices = [(outcome, outcome.label) for outcome in node_outcomes.list_possible(node)]


class CorrectableAdmin(ForgettableAdmin):
    """Memories that a person with the permission to change them corrects, each on a page of its own."""

    actions_detail: Any = ("correct", *ForgettableAdmin.actions_detail)
    correction_form: type[forms.Form] = CorrectionForm

    def row_to_change(self, request: HttpRequest, object_id: str | None) -> Any:
        """Return the row, if this person may see and change it."""
        may = self.is_theirs(request) and request.user.has_perm(f"memory.change_{self.opts.model_name}")
        known = may and object_id is not None and self.is_id(object_id)
        return self.get_queryset(request).filter(pk=object_id).first() if known else None

    def has_correct_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        row = self.row_to_change(request, object_id)
        return row is not None and row.deleted_at is None and row.state != ConceptNode.State.SUPERSEDED

    @action(description=_("Correct…"), permissions=["correct"], url_path="correct")
    def correct(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self.load_row(request, object_id)
        shown = {"description": row.description, "emotional_impact": row.emotional_impact}
        form = self.correction_form(request.POST or None, initial=shown)
        if form.is_valid():
            try:
                newer = self.write_corrected(row, form)
            except CodedError as error:
                form.add_error(None, error.translate())
            else:
                return self.redirect_after_change(
                    request, row, newer, _("Corrected. The earlier text stays as history.")
                )
        return self.render_page(
            request, "admin/edit.html", title=_("Correct"), form=form, back=self.build_change_url(row)
        )

    def write_corrected(self, row: Any, form: forms.Form) -> Any:
        """Write the person's text in place of the row, and return the new one. Raises the errors that the page shows."""
        return corrections.correct(node=row, now=timezone.now(), **form.cleaned_data)

    def load_row(self, request: HttpRequest, object_id: str) -> Any:
        """Load the row and log the access."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        return row

    def redirect_after_change(self, request: HttpRequest, row: Any, shown: Any, told: Any) -> HttpResponse:
        self.log_change(request, row, str(told))
        self.message_user(request, told, level=messages.SUCCESS)
        return redirect(self.build_change_url(shown))


class SettleableAdmin(CorrectableAdmin):
    actions_detail: Any = ("settle", *CorrectableAdmin.actions_detail)

    def has_settle_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        row = self.row_to_change(request, object_id)
        return row is not None and bool(node_outcomes.list_possible(row))

    @action(description=_("Set outcome…"), permissions=["settle"], url_path="settle")
    def settle(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self.load_row(request, object_id)
        form = OutcomeForm(request.POST or None, node=row)
        if form.is_valid():
            try:
                node_outcomes.settle_by_hand(node=row, now=timezone.now(), **form.cleaned_data)
            except SettlingError:
                form.add_error(None, _("The outcome is already recorded."))
            else:
                return self.redirect_after_change(request, row, row, _("Outcome saved."))
        return self.render_page(
            request, "admin/edit.html", title=row.description, form=form, back=self.build_change_url(row)
        )
