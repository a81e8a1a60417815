"""The account's settings, and the pages to erase a bond, a companion or the account."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.erasure import erasing
from chat.erasure.erasing import ErasureError
from chat.pages import languages
from chat.pages.display import errors, labels
from chat.pages.requests import get_user, own_bond_page, parse_id, private_page
from personas.accounts import authentication, email_addresses
from personas.accounts.authentication import SignInError
from personas.accounts.profile import ProfileForm
from personas.models import AccessLog, ApiToken, Bond, Persona, User
from personas.rest.views import get_own_persona
from personas.usage import costs, summary

CHART_DAYS = 30
ACCESSES_MOST = 50
RANGES = {"today": gettext_lazy("Today"), "7d": gettext_lazy("7 days"), "30d": gettext_lazy("30 days")}


class BondErasureForm(forms.Form):
    confirm = forms.CharField(
        label=gettext_lazy("Type the companion's name"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class TokenForm(forms.Form):
    """The name and the life of an API token."""

    name = forms.CharField(
        label=gettext_lazy("What it is for"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    days = forms.ChoiceField(
        label=gettext_lazy("Valid for"),
        initial="90",
        choices=[
            ("7", gettext_lazy("7 days")),
            ("30", gettext_lazy("30 days")),
            ("90", gettext_lazy("90 days")),
            ("365", gettext_lazy("a year")),
            ("never", gettext_lazy("without end")),
        ],
    )

    @property
    def life(self) -> timedelta | None:
        days = self.cleaned_data["days"]
        return None if days == "never" else timedelta(days=int(days))


class AccountErasureForm(forms.Form):
    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


@private_page()
def settings_page(request: HttpRequest) -> HttpResponse:
    user = get_user(request)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        with translation.override(user.language or translation.get_language()):
            saved = [str(form.fields[name].label) for name in form.changed_data]
            messages.success(request, labels.describe_saved(saved))
        response = redirect("settings")
        languages.remember_language(response, user.language)
        return response
    # Do not greet with an invalid name from the form.
    user.refresh_from_db()
    return render_page(request, form=form)


def render_page(request: HttpRequest, *, form: ProfileForm | None = None, **more: Any) -> HttpResponse:
    user = get_user(request)
    address, is_confirmed = email_addresses.load_email(user)
    context = {
        "address": address,
        "address_confirmed": is_confirmed,
        "form": form or ProfileForm(instance=user),
        "has_mfa": is_mfa_enabled(user),
        "bonds": Bond.objects.for_user(user).select_related("persona").order_by("persona__name", "id"),
        "accesses": AccessLog.objects.for_user(user)[:ACCESSES_MOST],
        **build_tokens_context(user),
        **build_usage_context(user, "30d"),
        **more,
    }
    return render(request, "chat/settings/page.html", context)


def build_tokens_context(user: User) -> dict[str, Any]:
    tokens = ApiToken.objects.filter(token__user=user).select_related("token").order_by("-id")
    return {"tokens": tokens, "token_form": TokenForm(), "now": timezone.now()}


def build_usage_context(user: User, span: str) -> dict[str, Any]:
    now = timezone.now()
    rows = summary.sum_calls(user=user, range=span, now=now)
    return {
        "range": span,
        "ranges": RANGES.items(),
        "usage": [row | {"cost_told": costs.format_cost(row)} for row in rows],
        "cost": summary.format_total(rows),
        "chart": summary.build_tokens_chart(user=user, days=CHART_DAYS, now=now),
    }


@private_page("GET")
def settings_usage(request: HttpRequest) -> HttpResponse:
    """Render the usage of another period."""
    span = request.GET.get("range", "")
    if span not in RANGES:
        raise Http404
    return render(request, "chat/settings/_usage.html", build_usage_context(get_user(request), span))


@private_page("POST")
def create_token(request: HttpRequest) -> HttpResponse:
    form = TokenForm(request.POST)
    if not form.is_valid():
        return render_tokens(request, token_form=form)
    try:
        made, _row = authentication.issue_token(
            get_user(request), now=timezone.now(), name=form.cleaned_data["name"], life=form.life
        )
    except SignInError:
        return render_tokens(request, refused=_("You have the maximum number of tokens. Revoke one first."))
    return render_tokens(request, made=made)


@private_page("POST")
def revoke_token(request: HttpRequest) -> HttpResponse:
    own = ApiToken.objects.filter(token__user=get_user(request))
    get_object_or_404(own, pk=parse_id(request.POST.get("token", ""))).token.delete()
    return render_tokens(request)


def render_tokens(request: HttpRequest, **more: Any) -> HttpResponse:
    """Render the tokens, or the whole page without scripts."""
    if "HX-Request" not in request.headers:
        return render_page(request, **more)
    return render(request, "chat/settings/_tokens.html", build_tokens_context(get_user(request)) | more)


@own_bond_page()
def erase_bond(request: HttpRequest, bond: Bond) -> HttpResponse:
    done = _("Everything with %(name)s is erased.") % {"name": bond.persona.name}
    is_own = Persona.objects.owned_by(get_user(request)).filter(pk=bond.persona_id).exists()
    shown = {"bond": bond, "persona": bond.persona, "is_own": is_own}
    return confirm_erasure(request, partial(erasing.erase_bond, bond=bond), done=done, shown=shown)


@private_page()
def erase_companion(request: HttpRequest, persona_id: int) -> HttpResponse:
    """Erase a companion of one's own with all chats and memories; one that others talk with stays theirs."""
    persona = get_own_persona(request, persona_id)
    bond = persona.bonds.filter(user=persona.owner_id).first()
    has_others = persona.bonds.exclude(user=persona.owner_id).exists()
    done = _("%(name)s is no longer among your companions.") if has_others else _("%(name)s is erased.")
    return confirm_erasure(
        request,
        partial(erasing.erase_companion, persona=persona, now=timezone.now()),
        done=done % {"name": persona.name},
        shown={"bond": bond, "persona": persona, "is_whole": True, "has_others": has_others},
    )


def confirm_erasure(
    request: HttpRequest, erase: Callable[..., None], *, done: str, shown: dict[str, Any]
) -> HttpResponse:
    """Show what would go, and erase it once the companion's name was typed."""
    form = BondErasureForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            erase(confirm=form.cleaned_data["confirm"])
        except ErasureError:
            form.add_error("confirm", _("This is not the name of the companion."))
        else:
            messages.success(request, done)
            return redirect("home")
    return render(request, "chat/settings/erase_bond.html", {"form": form, **shown})


@private_page()
def erase_account(request: HttpRequest) -> HttpResponse:
    user = get_user(request)
    form = AccountErasureForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and check_password(request, user, form):
        logout(request)
        erasing.erase_account(user=user, now=timezone.now())
        messages.success(request, _("Your account and all its data are erased."))
        return redirect("home")
    return render(request, "chat/settings/erase_account.html", {"form": form})


def check_password(request: HttpRequest, user: User, form: AccountErasureForm) -> bool:
    """Whether the form holds the password; if not, it gets an error."""
    try:
        authentication.check_password(request, user=user, password=form.cleaned_data["password"])
    except SignInError as error:
        form.add_error("password", errors.translate_error(error))
        return False
    return True
