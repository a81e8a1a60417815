from django.apps import AppConfig


class EchoVesselConfig(AppConfig):
    name = "echovessel"
    verbose_name = "EchoVessel"
