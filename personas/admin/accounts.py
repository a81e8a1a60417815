from typing import Any
from urllib.parse import urlencode

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin import display
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken
from unfold.admin import ModelAdmin
from unfold.forms import UserChangeForm, UserCreationForm

from echovessel import events
from personas.accounts.passwords import OperatorPasswordForm
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import FORM_LABELS, format_moment, label_columns, link_to_list
from personas.models import User
from personas.scope import ScopedAdminMixin

# Anyone who may set these can make a superuser, also of themselves.
RIGHTS = ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")
# Django names permissions in English alone.
RIGHTS_TO = {"add": _("can add"), "change": _("can change"), "delete": _("can delete"), "view": _("can view")}


def name_permission(permission: Permission) -> str:
    of, verb = permission.content_type, permission.codename.removesuffix(f"_{permission.content_type.model}")
    name = RIGHTS_TO[verb] if verb in RIGHTS_TO else gettext(permission.name)
    return f"{of} | {name}"


class RightsMixin:
    def formfield_for_manytomany(self, *args: Any, **kwargs: Any) -> Any:
        field = super().formfield_for_manytomany(*args, **kwargs)  # type: ignore[misc]  # a mixin of admins
        if field.queryset.model is Permission:
            field.label_from_instance = name_permission
        return field


class AccountForm(UserChangeForm):
    def clean_username(self) -> str:
        """Refuse what another account is called, in any case: people sign in by either."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(User._meta.get_field("username").error_messages["unique"])
        return name


@admin.register(User)
class UserAdmin(RightsMixin, ScopedAdminMixin, DjangoUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]  # what `ScopedAdminMixin` is mixed into knows its rows; the other is generic in its types alone
    person = "pk"
    is_memory = False
    offered = True
    form = AccountForm
    add_form = UserCreationForm
    change_password_form = OperatorPasswordForm
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Profile"), {"fields": ("display_name", "email", "time_zone", "language")}),
        (_("Permissions"), {"fields": RIGHTS}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined", "usage")
    list_display = ("username", "display_name", "is_active", "is_staff", "date_joined")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("username", "display_name", "email")
    ordering = ("username",)
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return label_columns(super().get_list_display(request))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Lead to what an account used, where the reader may see it."""
        parts = super().get_fieldsets(request, obj)
        is_led = obj is not None and request.user.has_perm("echovessel.view_ledgerentry")
        return (*parts, (_("Usage"), {"fields": ("usage",)})) if is_led else parts

    @display(description=_("Usage"))
    def usage(self, row: User) -> Any:
        return link_to_list("echovessel_ledgerentry", urlencode({"username": row.username}), _("Tokens per day"))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        return super().get_form(request, obj, change=change, labels=FORM_LABELS, **kwargs)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Load the account with its rights: where they can only be read, each names its section."""
        row = super().get_object(request, object_id, from_field)
        if row is not None:
            prefetch_related_objects([row], "user_permissions__content_type")
        return row

    def choice(self, row: User) -> str:
        return row.username if row.shown_name == row.username else f"{row.shown_name} ({row.username})"

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fixed = super().get_readonly_fields(request, obj)
        return fixed if request.user.is_superuser else (*fixed, *RIGHTS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_above = obj is not None and self.is_above(request, obj)
        return not is_above and super().has_change_permission(request, obj)

    def is_above(self, request: HttpRequest, row: User) -> bool:
        """Whether only superusers may touch an account."""
        return not request.user.is_superuser and (row.is_superuser or row.is_staff) and row != request.user

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse deletion here: accounts are erased with all their data on a separate page."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        super().save_model(request, obj, form, change)
        if "is_active" in form.changed_data and not obj.is_active:
            # Their replies and sockets look at the account, and end.
            for bond_id in obj.bonds.values_list("pk", flat=True):
                events.wake_after_commit(bond_id, "bond.stop")
                events.wake_after_commit(bond_id)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        if not request.user.is_superuser and id != str(request.user.pk):
            raise PermissionDenied
        answer: HttpResponse = super().user_change_password(request, id, form_url)
        return answer


@admin.register(Group)
class GroupAdmin(RightsMixin, ScopedAdminMixin, DjangoGroupAdmin, ModelAdmin):  # type: ignore[misc]  # as above
    """Groups with permissions, for superusers only."""

    person = ""
    is_memory = False
    is_operators = True


class CredentialAdmin(ReadOnlyAdmin):
    """A person's credential: shown without its secret, and revoked by deletion."""

    person = "user_id"
    is_memory = False
    is_operators = True
    joined: tuple[str, ...] = ("user",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.may_delete(request)


def describe_token(token: AuthToken) -> str:
    return f"{token._meta.verbose_name}: {token.user.shown_name}"


# The package would name a token by its hash: on its page, and in the admin's log when it is revoked.
AuthToken.__str__ = describe_token
# The two packages name their models in English alone. Migrations read `original_attrs`, so none comes of this.
AuthToken._meta.verbose_name, AuthToken._meta.verbose_name_plural = _("API token"), _("API tokens")
Authenticator._meta.verbose_name, Authenticator._meta.verbose_name_plural = _("second factor"), _("second factors")


@admin.register(AuthToken)
class AuthTokenAdmin(CredentialAdmin):
    joined = ("user", "label")
    fields = ("user", "named", "created", "expiry", "last_used")
    list_display = fields
    ordering = ("-created",)

    @display(description=_("name"))
    def named(self, row: Any) -> str:
        return row.label.name or "-" if hasattr(row, "label") else "-"

    @display(description=_("last used"))
    def last_used(self, row: Any) -> str:
        return format_moment(row.label.used_at) if hasattr(row, "label") else "-"


@admin.register(Authenticator)
class AuthenticatorAdmin(CredentialAdmin):
    fields = ("user", "type", "created_at", "last_used_at")
    list_display = ("user", "type", "created_at", "last_used_at")
