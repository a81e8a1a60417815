import gc
from typing import Any

from django.apps import AppConfig

from echovessel.embeddings import embedding

# While a turn works, thousands of objects come and go. With Python's thresholds the collector looks at them four times a turn, and
# in every 25th turn for 15 ms at all there is, and finds next to nothing.
COLLECTED_AFTER = (5_000, 4, 4)


class EchoVesselConfig(AppConfig):
    name = "echovessel"
    verbose_name = "EchoVessel"

    def ready(self) -> None:
        end_rest()
        # django_q has models, which can be imported only once apps are ready.
        from django_q.signals import post_spawn  # noqa: PLC0415

        # Only after the fork: a model used by the parent process hangs in its children.
        post_spawn.connect(warm_up_worker, dispatch_uid="echovessel.warm_up")


def end_rest() -> None:
    """Let the collector work. It rests while a process loads, which takes a quarter less time, and passes over what was loaded by now."""
    gc.freeze()
    gc.set_threshold(*COLLECTED_AFTER)
    gc.enable()


def warm_up_worker(proc_name: str, **kwargs: Any) -> None:
    """Load the embedding model in the background when a worker starts, so that its first task does not wait."""
    embedding.warm_up()
