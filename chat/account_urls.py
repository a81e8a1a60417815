from allauth.account import views
from django.urls import include, path

from chat import account_pages

# The same names and addresses as allauth's own, before which they stand.
urlpatterns = [
    path("email/", account_pages.Address.as_view(), name="account_email"),
    path("password/reset/", account_pages.PasswordReset.as_view(), name="account_reset_password"),
    path(
        "password/reset/done/", account_pages.sent, {"page": views.password_reset_done}, "account_reset_password_done"
    ),
    path(
        "confirm-email/",
        account_pages.sent,
        {"page": views.email_verification_sent},
        "account_email_verification_sent",
    ),
    path("", include("allauth.urls")),
]
