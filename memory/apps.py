from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MemoryConfig(AppConfig):
    name = "memory"
    verbose_name = _("Memory")

    def ready(self) -> None:
        from memory.facts.shared import sharing  # noqa: PLC0415 - models are loaded before this is called, not before it is read
        from personas import onboarding  # noqa: PLC0415 - as above

        onboarding.BOND_HOOKS.append(sharing.queue_copies)
