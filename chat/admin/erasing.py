"""Admin pages to erase a bond or an account: they show what will be deleted and ask for its name.

The admin sections of both are in `personas`, which knows nothing of the tables that depend on them.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.widgets import UnfoldAdminTextInputWidget

from chat.api import bond_counts
from chat.erasure import erasing as erasure
from chat.erasure.erasing import ErasureError
from personas.admin.accounts import UserAdmin
from personas.admin.columns import describe_bond, link_to_row
from personas.admin.companions import BondAdmin
from personas.admin.panels import ROWS_MOST, TablePanel
from personas.models import Bond, Persona, User

logger = logging.getLogger("echovessel.erasure")
COUNT_LABELS = (
    ("sessions_count", _("chats")),
    ("messages_count", _("messages")),
    ("events_count", _("events")),
    ("facts_count", _("facts")),
    ("thoughts_count", _("thoughts")),
    ("intentions_count", _("promises")),
    ("expectations_count", _("expectations")),
    ("entities_count", _("people & things")),
)


class ConfirmNameForm(forms.Form):
    name = forms.CharField(widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}))


@dataclass(frozen=True)
class ErasurePlan:
    """What must be typed before a row is erased, what is deleted with it, and the function that erases it."""

    asks_for: Any
    going: Sequence[TablePanel]
    take: Callable[[str], None]


def confirm_erasure(section: Any, request: HttpRequest, row: Any, end: ErasurePlan) -> HttpResponse:
    """Show what will be deleted, and erase it if the name was typed."""
    form = ConfirmNameForm(request.POST or None)
    if form.is_valid() and try_erase(request, row, form, end):
        section.message_user(request, _("Erased."))
        return redirect(f"admin:personas_{section.opts.model_name}_changelist")
    form.fields["name"].label = end.asks_for
    context = {
        **section.admin_site.each_context(request),
        "opts": section.opts,
        "title": _("Erase this for good? It cannot be restored."),
        "form": form,
        "going": end.going,
        "back": reverse(f"admin:personas_{section.opts.model_name}_change", args=[row.pk]),
    }
    return TemplateResponse(request, "admin/erase.html", context)


def try_erase(request: HttpRequest, row: Any, form: ConfirmNameForm, end: ErasurePlan) -> bool:
    pk = row.pk
    try:
        end.take(form.cleaned_data["name"])
    except ErasureError as error:
        form.add_error("name", error.translate())
        return False
    # Only ids: the admin's log would keep the name of what is erased.
    logger.warning("%s %s was erased by user %s", row._meta.model_name, pk, request.user.pk)
    return True


admin.site.unregister([Bond, User])


@admin.register(Bond)
class ErasableBondAdmin(BondAdmin):
    actions_detail = ("erase",)

    def has_erase_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.may_delete(request)

    @action(description=_("Erase…"), permissions=["erase"], url_path="erase")
    def erase(self, request: HttpRequest, object_id: str) -> HttpResponse:
        bond = self.get_object(request, object_id)
        if bond is None:
            raise Http404
        named = _("The name of the companion, %(name)s") % {"name": bond.persona.name}
        end = ErasurePlan(named, [build_counts_table(bond)], lambda name: erasure.erase_bond(bond=bond, confirm=name))
        return confirm_erasure(self, request, bond, end)


def build_counts_table(bond: Bond) -> TablePanel:
    shown = bond_counts.annotate(Bond.objects.filter(pk=bond.pk)).get()
    return TablePanel(
        _("Also erased"), ["", _("number")], [[told, getattr(shown, name)] for name, told in COUNT_LABELS]
    )


@admin.register(User)
class ErasableUserAdmin(UserAdmin):
    actions_detail = ("erase",)

    def has_erase_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Whether the asker may erase this account: it is below their own.

        Their own is erased in the settings, where the password is asked for.
        """
        row = None if object_id is None else self.get_object(request, object_id)
        is_below = row is not None and row != request.user and not self.is_above(request, row)
        return is_below and request.user.has_perm("personas.delete_user")

    @action(description=_("Erase…"), permissions=["erase"], url_path="erase")
    def erase(self, request: HttpRequest, object_id: str) -> HttpResponse:
        user: Any = self.get_object(request, object_id)
        named = _("The username, %(name)s") % {"name": user.username}
        return confirm_erasure(
            self,
            request,
            user,
            ErasurePlan(
                named, [build_bonds_table(user), build_personas_table(user)], partial(erase_named_account, user)
            ),
        )


def erase_named_account(user: User, name: str) -> None:
    if name.strip() != user.username:
        raise ErasureError("invalid", "This is not the username of the account.")
    erasure.erase_account(user=user, now=timezone.now())


def build_bonds_table(user: User) -> TablePanel:
    own = user.bonds.select_related("user", "persona").order_by("id")[:ROWS_MOST]
    return TablePanel(
        _("Bonds"),
        [_("bond"), _("since")],
        [[link_to_row(one, describe_bond(one)), one.created_at] for one in own],
        "-",
    )


def build_personas_table(user: User) -> TablePanel:
    """List the personas. Those that other bonds use stay, without an owner."""
    others = Bond.objects.filter(persona=OuterRef("pk")).exclude(user=user)
    own = Persona.objects.filter(owner=user).annotate(stays=Exists(others)).order_by("id")[:ROWS_MOST]
    rows = [[link_to_row(one, one.name), _("stays for others") if one.stays else _("erased")] for one in own]  # type: ignore[attr-defined]  # as annotated
    return TablePanel(_("Companions"), [_("name"), ""], rows, "-")
