from django.contrib import admin
from django.urls import include, path

from echovessel import errors, health

urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/", include("chat.api_urls")),
    path("", include("chat.urls")),
]
handler500 = errors.server_error
