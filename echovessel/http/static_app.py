from django.contrib.staticfiles.apps import StaticFilesConfig


class EchoVesselStaticFilesConfig(StaticFilesConfig):
    # No page shows ReDoc or the browsable API; ReDoc alone takes a third of the time that collecting takes.
    ignore_patterns = (*StaticFilesConfig.ignore_patterns, "redoc", "rest_framework")
