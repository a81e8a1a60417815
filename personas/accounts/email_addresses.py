"""The address of an account, confirmed by a link where mail is sent, and kept as it is given elsewhere."""

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from echovessel.mail import MailError
from personas.models import User


def send_confirmation(request: HttpRequest, user: User) -> None:
    """Send the link to the address that was given with a new account, and tell what came of it."""
    address = EmailAddress.objects.filter(user=user, verified=False).first()
    if address is None:
        return
    try:
        address.send_confirmation(request, signup=True)
    except MailError as error:
        messages.error(request, str(error))
    else:
        told = _("We sent a link to %(address)s. Open it to confirm that the address is yours.")
        messages.info(request, told % {"address": address.email})


@transaction.atomic
def set_unconfirmed(user: User, email: str) -> None:
    """Take an address that nobody confirms."""
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=email, primary=True)
    user.email = email
    user.save(update_fields=["email"])


def load_email(user: User) -> tuple[str, bool]:
    """The address, else the one that waits for its link, and whether it is confirmed."""
    confirmed = dict(EmailAddress.objects.filter(user=user).order_by("pk").values_list("email", "verified"))
    email = user.email or next(iter(confirmed), "")
    return email, confirmed.get(email.lower(), False)
