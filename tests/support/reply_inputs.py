"""Inputs of a reply, for the rules of the offline voice."""

from datetime import UTC, datetime, timedelta

from echovessel.llm.inputs import Plan, RecalledMemory, ReplyInputs, SaidMessage

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
TODAY = NOW.date()


def told(text, *, start=None, end=None, is_thought=False, **ago):
    """A memory told so long ago."""
    return RecalledMemory(text, is_thought=is_thought, told_at=NOW - timedelta(**ago), start=start, end=end)


def said(text, *, is_user=True, **ago):
    return SaidMessage(is_user, text, NOW - timedelta(**ago))


def promised(text, *, in_days):
    return Plan(text, None if in_days is None else TODAY + timedelta(in_days))


def inputs(*burst, window=(), **more):
    """The window alternates between user and persona, and was said earlier today."""
    lines = [said(text, is_user=at % 2 == 0, hours=1) for at, text in enumerate(window)]
    known = {"persona_name": "Marian", "user_name": "", "persona": "She keeps a mill.", "recent_messages": lines}
    return ReplyInputs(**(known | {"burst": list(burst), "now": NOW} | more))
