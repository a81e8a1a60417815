from typing import Any

from django.apps import AppConfig

from echovessel.embeddings import embedding


class EchoVesselConfig(AppConfig):
    name = "echovessel"
    verbose_name = "EchoVessel"

    def ready(self) -> None:
        # It has models of its own, which apps may import only now.
        from django_q.signals import post_spawn  # noqa: PLC0415

        # Only after the fork: a model that the parent has used hangs in its children.
        post_spawn.connect(warm_up_worker, dispatch_uid="echovessel.warm_up")


def warm_up_worker(proc_name: str, **kwargs: Any) -> None:
    """Load the embedding model in the background when a worker begins, so that its first task does not wait for it."""
    embedding.warm_up()
