import unicodedata
from functools import partial
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from echovessel import mail
from echovessel.http import clients
from echovessel.runtime import data_folder
from personas.accounts import email_addresses
from personas.models import Install, User

# Any fixed number: all processes of an install lock the same one.
FIRST_ACCOUNT_LOCK = 7_201_001


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up rules of the install: open or not, and who becomes its operator. And whose failed sign-ins are counted together."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return settings.SIGNUP_OPEN or not Install.objects.exists()

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Raises MailError."""
        if not settings.SENDS_MAIL:
            raise mail.make_disabled_error()
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:
            raise mail.to_mail_error(error) from error

    def post_login(self, request: HttpRequest, user: User, *, signup: bool, **more: Any) -> HttpResponse:
        answer: HttpResponse = super().post_login(request, user, signup=signup, **more)
        if signup and settings.SENDS_MAIL:
            email_addresses.send_confirmation(request, user)
        return answer

    @transaction.atomic
    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:  # noqa: FBT001, FBT002 - allauth's signature
        """Save a new account; the first of an install becomes its operator, once ever."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [FIRST_ACCOUNT_LOCK])
        is_first = not Install.objects.exists()
        if not is_first and not settings.SIGNUP_OPEN:
            # Another account was first while this form was being sent.
            raise PermissionDenied
        user.is_staff = user.is_superuser = is_first
        saved: User = super().save_user(request, user, form, commit=commit)
        if is_first:
            Install.objects.create(operator_id=saved.pk, created_at=timezone.now())
            transaction.on_commit(partial(data_folder.drop_setup_code, settings.DATA_DIR))
        return saved

    def get_client_ip(self, request: HttpRequest) -> str:
        return clients.get_address(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: str) -> str:
        """One for each account, however its name is typed and by whichever name of the site; addresses are counted apart."""
        return f"account:{fold_username(credentials.get('username', ''))}"


def fold_username(username: str) -> str:
    """The same for all spellings by which the database may find an account, whose upper case it compares."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", username).upper()).casefold().strip()
