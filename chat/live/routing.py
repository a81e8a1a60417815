from django.urls import path

from chat.live.consumers import BondConsumer

websocket_urlpatterns = [
    path("ws/bonds/<int:bond_id>/", BondConsumer.as_asgi()),  # type: ignore[arg-type]  # django-stubs knows no ASGI views
]
