"""Delete queued tasks of a bond."""

from functools import partial

from memory.jobs import queue
from personas.models import Bond


def drop_queued(bond: Bond, *, below: queue.BondPaths) -> None:
    """Delete queued tasks of a bond and the records of those that ran."""
    is_about = partial(queue.belongs_to_bond, bond, below=below)
    queue.delete_waiting_tasks(is_about)
    queue.delete_finished_tasks(is_about)
