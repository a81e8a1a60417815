from django.urls import path, re_path

from chat.live.consumers import BondConsumer, UnknownPathConsumer

websocket_urlpatterns = [
    path("ws/bonds/<int:bond_id>/", BondConsumer.as_asgi()),  # type: ignore[arg-type]  # django-stubs knows no ASGI views
    re_path("", UnknownPathConsumer.as_asgi()),  # type: ignore[arg-type]  # as above
]
