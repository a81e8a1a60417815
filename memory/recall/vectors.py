"""Vectors as statements of our own hand them to PostgreSQL."""

from collections.abc import Sequence


def as_text(vector: Sequence[float] | None) -> str | None:
    """A vector as pgvector reads it, with more digits than a halfvec holds."""
    return None if vector is None else f"[{','.join([f'{value:.5g}' for value in vector])}]"


def signs(vector: Sequence[float] | None) -> str:
    """The signs of a vector, one bit each, as `binary_quantize` finds them."""
    return "".join("1" if value > 0 else "0" for value in vector or ())
