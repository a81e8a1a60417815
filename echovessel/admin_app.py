from typing import Any

from django.contrib.admin import autodiscover, checks
from django.contrib.admin.apps import SimpleAdminConfig
from django.core.checks import CheckMessage, Tags, register


class EchoVesselAdminConfig(SimpleAdminConfig):
    """The admin without the discovery of its sections at each start: its site does that."""

    default_site = "personas.adminsite.AdminSite"

    def ready(self) -> None:
        register(checks.check_dependencies, Tags.admin)
        register(check_sections, Tags.admin)


def check_sections(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    autodiscover()
    return checks.check_admin_app(app_configs, **kwargs)
