import unicodedata
from functools import partial
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from echovessel import mail
from echovessel.configuration import data_folder
from echovessel.http import clients
from echovessel.llm import connection as model_connection
from personas.accounts import email_addresses
from personas.models import Install, User

# Any fixed number: all processes of an install lock the same one.
FIRST_ACCOUNT_LOCK = 7_201_001


class AccountAdapter(DefaultAccountAdapter):
    """Decides who may sign up, who becomes the administrator, and which failed sign-ins are counted together."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return settings.SIGNUP_OPEN or not Install.objects.exists()

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        """Lead the administrator of a new install to the model server first, unless one is connected."""
        user = request.user
        is_operator = isinstance(user, User) and user.is_superuser
        if is_operator and model_connection.get_active() is None:
            return f"{reverse('model')}?first"
        return str(super().get_signup_redirect_url(request))

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
        """Save a new account. The first one ever becomes the administrator of the install."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [FIRST_ACCOUNT_LOCK])
        is_first = not Install.objects.exists()
        if not is_first and not settings.SIGNUP_OPEN:
            # Another person signed up while this form was open.
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
        """Return one key per account, for all spellings of its name and all hosts. Addresses are counted separately."""
        return f"account:{fold_username(credentials.get('username', ''))}"


def fold_username(username: str) -> str:
    """Map all spellings that the database takes for one account (it compares upper case) to the same text."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", username).upper()).casefold().strip()
