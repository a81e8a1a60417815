from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = _("Chat")

    def ready(self) -> None:
        from chat.erasure.purged_turns import purge_turns  # noqa: PLC0415 - models are loaded before this is called, not before it is read
        from memory.forgetting import purging  # noqa: PLC0415 - as above

        purging.PURGE_HOOKS.append(purge_turns)
