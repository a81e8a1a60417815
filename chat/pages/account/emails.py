"""Allauth's pages that send mail.

They confirm a mail only if it was sent, and otherwise show the mail server's error.
"""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.views import EmailView, PasswordResetView
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _

from echovessel.mail import MailError
from personas.accounts import email_addresses


class MailCheckedPasswordResetView(PasswordResetView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.SENDS_MAIL:
            return render(request, "account/password_reset_by_operator.html")
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            answer: HttpResponse = super().form_valid(form)
        except MailError as error:
            form.add_error(None, str(error))
            answer = self.form_invalid(form)
        return answer


# Who can change the address can then reset the password.
@method_decorator(reauthentication_required(allow_get=True), name="dispatch")
class EmailAddressView(EmailView):
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            answer: HttpResponse = super().post(request, *args, **kwargs)
        except MailError as error:
            # The address is stored, unverified.
            messages.error(request, str(error))
            return redirect("account_email")
        if "action_send" in request.POST and not self._did_send_verification_email:
            messages.error(request, _("Wait three minutes before you ask for another mail."))
        return answer

    def form_valid(self, form: Any) -> HttpResponse:
        if settings.SENDS_MAIL:
            answer: HttpResponse = super().form_valid(form)
            return answer
        email_addresses.set_unconfirmed(form.user, form.cleaned_data["email"])
        messages.success(self.request, _("Saved."))
        return redirect("account_email")


def show_mail_sent(request: HttpRequest, page: Any) -> HttpResponseBase:
    """Show that a mail was sent, or a page that says that none was."""
    if not settings.SENDS_MAIL:
        return redirect("account_reset_password")
    answer: HttpResponseBase = page(request)
    return answer
