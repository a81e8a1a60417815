"""Drafts of a companion's texts from material that somebody brought. A draft is shown for review and never stored."""

from personas.drafts.draft import Draft
from personas.drafts.making import from_file, from_text

__all__ = ["Draft", "from_file", "from_text"]
