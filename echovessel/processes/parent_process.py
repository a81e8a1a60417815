"""The program that started us and with which we end: `make`, between the terminal and `serve`."""

import os
import signal
from pathlib import Path


class ParentProcess:
    def __init__(self) -> None:
        self.pid = os.getppid()
        self.caught_interrupts = self._catches_interrupts()

    def is_over(self) -> bool:
        """Whether it ended, or was interrupted: make then waits for us and forwards no signal."""
        return os.getppid() != self.pid or (self.caught_interrupts and not self._catches_interrupts())

    def _catches_interrupts(self) -> bool:
        # Make catches SIGINT until it gets one. Only Linux tells this.
        try:
            lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        except OSError:
            return False
        caught = next((int(line.split()[1], 16) for line in lines if line.startswith("SigCgt:")), 0)
        return bool(caught >> (signal.SIGINT - 1) & 1)
