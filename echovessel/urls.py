from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from echovessel.http import error_pages, health

# Sign-in to the admin uses the sign-in page, which limits failed tries and asks for the second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("admin/", admin.site.urls),
    path("accounts/", include("chat.pages.account.urls")),
    path("api/", include("chat.api.urls")),
    path("ws/<path:socket>", error_pages.refuse_without_upgrade, name="socket"),
    path("", include("chat.pages.urls")),
]
handler500 = error_pages.render_server_error
