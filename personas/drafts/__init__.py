"""Drafts of a companion's texts from a person's material. A draft is shown for review and never stored."""

from personas.drafts.draft import Draft
from personas.drafts.making import make_from_card, make_from_file, make_from_text

__all__ = ["Draft", "make_from_card", "make_from_file", "make_from_text"]
