from django.apps import AppConfig


class EchoVesselDaphneConfig(AppConfig):
    """Daphne's `runserver`, without the server itself, which its own configuration loads into every process."""

    name = "daphne"
