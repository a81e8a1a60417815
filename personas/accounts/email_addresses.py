"""The address of an account. It is confirmed by a link if the install sends mail, else it is taken as given."""

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from echovessel.mail import MailError
from personas.models import User


def send_confirmation(request: HttpRequest, user: User) -> None:
    """Send the confirmation link of a new account and show the person whether it was sent."""
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
    """Set an address without confirmation."""
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=email, primary=True)
    user.email = email
    user.save(update_fields=["email"])


def load_email(user: User) -> tuple[str, bool]:
    """Return the address, or the one that waits for its link, and whether it is confirmed."""
    confirmed = dict(EmailAddress.objects.filter(user=user).order_by("pk").values_list("email", "verified"))
    email = user.email or next(iter(confirmed), "")
    return email, confirmed.get(email.lower(), False)
