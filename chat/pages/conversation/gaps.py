from dataclasses import dataclass


@dataclass(frozen=True)
class Gap:
    """Messages that are not on the page, between these two; without `after`, all earlier ones."""

    after: int | None
    before: int | None


ALL = Gap(None, None)
