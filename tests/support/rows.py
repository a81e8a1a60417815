"""Dumps all rows of memory, to check that an undone change left no trace."""

from typing import Any

from django.apps import apps

from personas.models import Bond

# What jobs wrote down of their calls, the log, and the trash itself are not brought back.
OTHERS = {"ConsolidationStep", "SlowTickRun", "Forgotten", "Tombstone"}


def of_memory() -> dict[str, list[dict[str, Any]]]:
    models: list[Any] = [
        Bond,
        *(model for model in apps.get_app_config("memory").get_models() if not model._meta.proxy),
    ]
    return {
        model.__name__: list(model._default_manager.order_by("pk").values())
        for model in models
        if model.__name__ not in OTHERS
    }
