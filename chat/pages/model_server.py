"""The page on which an operator connects a model server: what answers now, what runs here, what the server says when it is tried.

Only superusers reach it: it has this server ask addresses that a person names.
"""

import logging
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from chat.pages.bond import View, own_page, reader
from chat.pages.display import server_trial
from chat.pages.forms.model_server import ConnectionForm, form_of
from chat.pages.forms.prices import prices_of
from echovessel.llm import connection, discovery, prices, trial
from echovessel.llm.connection import OPENAI, Connection
from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import Origin
from echovessel.runtime.threads import give_back_connection
from memory.queue import enqueue
from personas import announcing
from personas.models import Bond

logger = logging.getLogger("echovessel.model")


def operators_page(view: View) -> View:
    """A page of its own for superusers; to anybody else it is not there."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not reader(request).is_superuser:
            raise Http404
        return view(request, *args, **kwargs)

    return own_page(sensitive_post_parameters("key")(shown))


@operators_page
def model(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return connect(request)
    slug = request.GET.get("use")
    if slug is None:
        return page(request)
    give_back_connection()
    found = discovery.at(slug)
    if found is None:
        return page(request, wrong=_("It does not answer any more."))
    return page(request, form=form_of(connection.stored(), found=found), offered=found.models)


def connect(request: HttpRequest) -> HttpResponse:
    form = typed(request)
    if settings.MODEL_SERVER or not form.is_valid():
        return page(request, form=form)
    asked = form.connection()
    connection.store(asked, now=timezone.now())
    tell_everybody()
    enqueue("memory.tasks.catch_up")
    note(request, f"connected {asked.address}")
    messages.success(request, _("Connected. It answers from the next line on."))
    return redirect("model")


def tell_everybody() -> None:
    """Let open pages of all bonds know that another voice may answer now."""
    announcing.tell(Bond.objects.all(), changed=["model"], now=timezone.now())


def typed(request: HttpRequest) -> ConnectionForm:
    return ConnectionForm(request.POST, row=connection.stored())


def note(request: HttpRequest, done: str) -> None:
    logger.info("model server: operator %s %s", request.user.pk, done)


def page(request: HttpRequest, *, form: ConnectionForm | None = None, **told: Any) -> HttpResponse:
    row = connection.stored()
    asked = connection.in_force()
    context = {
        "form": form or form_of(row),
        "row": row,
        "asked": asked,
        "prices": prices_of(asked) if asked else None,
        "is_unreadable": row is not None and connection.of_row(row).key is None,
        "by_environment": settings.MODEL_SERVER,
        "known": [place.address for place in discovery.PLACES] + [OPENAI],
        **told,
    }
    return render(request, "chat/model_server/page.html", context)


@operators_page
@require_GET
def model_here(request: HttpRequest) -> HttpResponse:
    """The servers that run on this machine."""
    give_back_connection()
    return part(request, "_here", {"found": discovery.here(), "has_looked": True})


@operators_page
@require_POST
def model_offers(request: HttpRequest) -> HttpResponse:
    """The models that the server at the typed address has."""
    form = typed(request)
    # What else is typed does not matter for this.
    form.fields["main"].required = False
    if not form.is_valid():
        return part(request, "_offers", {"faulty": form}, form=form)
    asked = form.connection()
    give_back_connection()
    try:
        return part(request, "_offers", {"offered": discovery.offered(asked)}, form=form)
    except LLMError as error:
        return part(request, "_offers", {"offers_wrong": server_trial.sentence(error)}, form=form)


@operators_page
@require_POST
def test_model(request: HttpRequest) -> HttpResponse:
    """One call of each kind to the server as it is typed, or as the environment names it."""
    form = typed(request)
    asked = connection.in_force() if settings.MODEL_SERVER else connection_of(form)
    if asked is None:
        return part(request, "_tried", {"faulty": form}, form=form)
    tried = [
        server_trial.shown(one)
        for one in trial.run(asked, origin=Origin(user_id=request.user.pk), seconds=trial.SECONDS)
    ]
    return part(request, "_tried", {"tried": tried}, form=form)


def connection_of(form: ConnectionForm) -> Connection | None:
    return form.connection() if form.is_valid() else None


def part(request: HttpRequest, name: str, told: dict[str, Any], *, form: ConnectionForm | None = None) -> HttpResponse:
    """A part in its place on the page, or the whole page for a browser without scripts."""
    if "HX-Request" not in request.headers:
        return page(request, form=form, **told)
    return render(request, f"chat/model_server/{name}.html", told)


@operators_page
@require_POST
def switch_model(request: HttpRequest) -> HttpResponse:
    is_on = request.POST.get("on") == "yes"
    connection.switch(is_on=is_on, now=timezone.now())
    tell_everybody()
    if is_on:
        enqueue("memory.tasks.catch_up")
    note(request, "switched it on" if is_on else "switched it off")
    messages.success(request, _("Switched on.") if is_on else _("Switched off. The offline voice answers."))
    return redirect("model")


@operators_page
@require_POST
def forget_model_key(request: HttpRequest) -> HttpResponse:
    connection.forget_key(now=timezone.now())
    tell_everybody()
    note(request, "forgot its key")
    messages.success(request, _("The key is forgotten."))
    return redirect("model")


@operators_page
@require_POST
def save_prices(request: HttpRequest) -> HttpResponse:
    asked = connection.in_force()
    if asked is None:
        return redirect("model")
    typed = prices_of(asked, typed=request.POST)
    if not typed.is_valid():
        return page(request, prices=typed)
    for form in typed:
        address, name = form.cleaned_data["address"], form.cleaned_data["model"]
        prices.name(address=address, model=name, price=form.price(), now=timezone.now())
    note(request, "named prices")
    messages.success(request, _("Saved. Prices hold from the next call on."))
    return redirect("model")
