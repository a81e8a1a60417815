"""The page on which an operator connects a model server: the current one, servers found here, and a test of the form.

Only superusers reach it, since it makes this server send requests to addresses that a person enters.
"""

import logging
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from chat.pages.account import server_trial
from chat.pages.account.connection_form import ConnectionForm, build_connection_form, build_preset_form
from chat.pages.account.price_forms import build_price_forms
from chat.pages.requests import View, allow_methods, get_user, private_page
from echovessel.llm import connection, discovery, presets, prices, trial
from echovessel.llm.connection import Connection
from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import Origin
from echovessel.llm.trial import TrialCall
from echovessel.postgres.threads import release_connection
from memory.jobs.queue import enqueue
from personas import announcing
from personas.models import Bond

logger = logging.getLogger("echovessel.model")


def operator_page(*methods: str) -> Callable[[View], View]:
    """Show the page to superusers only; others get a 404."""

    def make(view: View) -> View:
        allowed = allow_methods(view, methods)

        @wraps(view)
        def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not get_user(request).is_superuser:
                raise Http404
            return allowed(request, *args, **kwargs)

        return private_page()(sensitive_post_parameters("key")(shown))

    return make


@operator_page()
def model_page(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return connect_model(request)
    preset = presets.find_preset(request.GET.get("preset", ""))
    if preset is not None:
        return render_page(request, form=build_preset_form(connection.load_stored(), preset), chosen=preset)
    slug = request.GET.get("use")
    if slug is None:
        return render_page(request)
    release_connection()
    found = discovery.probe_slug(slug)
    if found is None:
        return render_page(request, wrong=_("It no longer answers."))
    form = build_connection_form(connection.load_stored(), found=found)
    form.offer(found.models)
    return render_page(request, form=form, offered=found.models)


def connect_model(request: HttpRequest) -> HttpResponse:
    form = bind_form(request)
    if settings.MODEL_SERVER or not form.is_valid():
        return render_page(request, form=form)
    asked = form.build_connection()
    connection.store(asked, now=timezone.now())
    notify_all_bonds()
    enqueue("memory.tasks.catch_up")
    log_change(request, f"connected {asked.address}")
    messages.success(request, _("Connected. It replies from the next message on."))
    return redirect("home" if "first" in request.GET else "model")


def notify_all_bonds() -> None:
    """Tell the open pages of all bonds that another model may answer now."""
    announcing.announce_changes(Bond.objects.all(), changed=["model"], now=timezone.now())


def bind_form(request: HttpRequest) -> ConnectionForm:
    return ConnectionForm(request.POST, row=connection.load_stored())


def log_change(request: HttpRequest, done: str) -> None:
    logger.info("model server: operator %s %s", request.user.pk, done)


def render_page(request: HttpRequest, *, form: ConnectionForm | None = None, **more: Any) -> HttpResponse:
    row = connection.load_stored()
    asked = connection.get_active()
    context = {
        "form": form or build_connection_form(row),
        "row": row,
        "asked": asked,
        "prices": build_price_forms(asked) if asked else None,
        "is_unreadable": row is not None and connection.build_from_row(row).key is None,
        "by_environment": settings.MODEL_SERVER,
        "presets": presets.PRESETS,
        "is_first": "first" in request.GET and asked is None,
        **more,
    }
    return render(request, "chat/model_server/page.html", context)


@operator_page("GET")
def list_local_servers(request: HttpRequest) -> HttpResponse:
    release_connection()
    return render_part(request, "_here", {"found": discovery.find_local(), "has_looked": True})


@operator_page("POST")
def list_offered_models(request: HttpRequest) -> HttpResponse:
    form = bind_form(request)
    # The other fields may be invalid.
    form.fields["main"].required = False
    if not form.is_valid():
        return render_part(request, "_offers", {"faulty": form}, form=form)
    asked = form.build_connection()
    release_connection()
    try:
        offered = discovery.list_models(asked)
        form.offer(offered)
        return render_part(request, "_offers", {"offered": offered, "form": form}, form=form)
    except LLMError as error:
        return render_part(request, "_offers", {"offers_wrong": server_trial.describe_error(error)}, form=form)


@operator_page("POST")
def test_model(request: HttpRequest) -> HttpResponse:
    """Make the checks of the server in the form, or of the environment's. A script asks for one after another, to show each as it ends."""
    form = bind_form(request)
    asked = connection.get_active() if settings.MODEL_SERVER else get_connection(form)
    if asked is None:
        return render_part(request, "_tried", {"faulty": form}, form=form)
    origin = Origin(user_id=get_user(request).pk)
    if "HX-Request" not in request.headers:
        found = list(trial.run(asked, origin=origin, seconds=trial.SECONDS))
        remember_refused(asked, found)
        return render_page(request, form=form, tried=[server_trial.describe_trial(call) for call in found])
    if "check" not in request.POST:
        return render_part(request, "_tried", {"next": build_next_check(trial.MODELS, asked)})
    try:
        found = trial.run_check(asked, request.POST["check"], origin=origin, seconds=trial.SECONDS)
    except ValueError as error:
        raise Http404 from error
    remember_refused(asked, found)
    check = trial.get_next_check(asked, request.POST["check"], found)
    context = {
        "tried": [server_trial.describe_trial(call) for call in found],
        "next": build_next_check(check, asked) if check else None,
    }
    return render_part(request, "_tried_rows", context)


def build_next_check(check: str, asked: Connection) -> dict[str, str]:
    return {"check": check, "title": server_trial.get_check_title(check, asked)}


def remember_refused(asked: Connection, found: Sequence[TrialCall]) -> None:
    for call in found:
        if call.kind == "options" and call.error is None:
            connection.remember_refused(asked, call.avoided)


def get_connection(form: ConnectionForm) -> Connection | None:
    return form.build_connection() if form.is_valid() else None


def render_part(
    request: HttpRequest, name: str, context: dict[str, Any], *, form: ConnectionForm | None = None
) -> HttpResponse:
    if "HX-Request" not in request.headers:
        return render_page(request, **{"form": form, **context})
    return render(request, f"chat/model_server/{name}.html", context | {"is_part": True})


@operator_page("POST")
def switch_model(request: HttpRequest) -> HttpResponse:
    is_on = request.POST.get("on") == "yes"
    connection.set_enabled(is_on=is_on, now=timezone.now())
    notify_all_bonds()
    if is_on:
        enqueue("memory.tasks.catch_up")
    log_change(request, "switched it on" if is_on else "switched it off")
    messages.success(request, _("Switched on.") if is_on else _("Switched off. The offline rules reply."))
    return redirect("model")


@operator_page("POST")
def forget_model_key(request: HttpRequest) -> HttpResponse:
    connection.forget_key(now=timezone.now())
    notify_all_bonds()
    log_change(request, "forgot its key")
    messages.success(request, _("Key deleted."))
    return redirect("model")


@operator_page("POST")
def save_prices(request: HttpRequest) -> HttpResponse:
    asked = connection.get_active()
    if asked is None:
        return redirect("model")
    typed = build_price_forms(asked, typed=request.POST)
    if not typed.is_valid():
        return render_page(request, prices=typed)
    for form in typed:
        address, name = form.cleaned_data["address"], form.cleaned_data["model"]
        prices.set_price(address=address, model=name, price=form.get_price(), now=timezone.now())
    log_change(request, "named prices")
    messages.success(request, _("Saved. The prices apply from the next call."))
    return redirect("model")
