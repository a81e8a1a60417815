from allauth.account import views
from django.urls import include, path

from chat.pages.account import emails

# These shadow allauth's URLs of the same names and paths.
urlpatterns = [
    path("email/", emails.EmailAddressView.as_view(), name="account_email"),
    path("password/reset/", emails.MailCheckedPasswordResetView.as_view(), name="account_reset_password"),
    path(
        "password/reset/done/",
        emails.show_mail_sent,
        {"page": views.password_reset_done},
        "account_reset_password_done",
    ),
    path(
        "confirm-email/",
        emails.show_mail_sent,
        {"page": views.email_verification_sent},
        "account_email_verification_sent",
    ),
    path("", include("allauth.urls")),
]
