"""Labels and formats of the admin's columns."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from django.contrib.admin import display, site
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.urls import NoReverseMatch, reverse
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext, gettext_noop, pgettext
from django.utils.translation import gettext_lazy as _

EXCERPT = 140
Cell = Any

LABELS: Mapping[str, Any] = {
    "answer": _("answer"),
    "archived_at": _("archived"),
    "attempt_count": _("attempts"),
    "attempts": _("attempts"),
    "bond": _("bond"),
    "canonical_name": _("name"),
    "channel": _("channel"),
    "chosen": _("chosen"),
    "close_reason": _("closed because"),
    "closed_at": _("closed"),
    "closed_by": _("ended by"),
    "constant": _("always told"),
    "confidence": _("confidence"),
    "confirmed_at": _("confirmed"),
    "described_at": _("last described"),
    "content": _("text"),
    "created": _("created"),
    "created_at": _("created"),
    "cron": _("times, as for cron"),
    "cut_off": _("cut off"),
    "date_joined": _("joined"),
    "day": _("day"),
    "decided_by": _("decided by"),
    "deleted_at": _("forgotten"),
    "description": _("description"),
    "description_by": _("described by"),
    "detail": _("details"),
    "display_name": _("display name"),
    "due_at": _("due"),
    "duration_ms": _("milliseconds"),
    "enabled": _("in use"),
    "emotion_tags": _("feelings"),
    "emotional_impact": _("importance"),
    "energy": _("energy"),
    "error": _("error"),
    "error_code": _("error code"),
    "error_detail": _("error"),
    "event_time_end": _("until"),
    "event_time_start": _("from"),
    "expiry": _("expires"),
    "facet": _("kind"),
    "failure_code": _("error code"),
    "failure_count": _("failures"),
    "failure_detail": _("why it failed"),
    "failure_next_try_at": _("next try"),
    "feature": _("feature"),
    "finished_at": _("finished"),
    "func": _("task"),
    "grave": _("serious"),
    "hour": _("hour"),
    "kept": _("kept"),
    "key": _("queue"),
    "kind": _("kind"),
    "label": _("label"),
    "language": _("language"),
    "last_confirmed_at": _("last confirmed"),
    "last_decay_at": _("last weakened"),
    "last_mentioned_at": _("last mentioned"),
    "last_message_at": _("last message"),
    "last_user_signal": _("user signal"),
    "last_used_at": _("last used"),
    "lock": _("reserved until"),
    "made_by": _("made by"),
    "mention_count": _("times mentioned"),
    "merge_status": _("certainty"),
    "merge_target": _("may be the same as"),
    "merged": _("merged"),
    "message_count": _("messages"),
    "minutes": _("minutes"),
    "model": _("model"),
    "options": _("settings"),
    "mood": _("mood"),
    "mood_updated_at": _("mood since"),
    "n": _("number"),
    "name": _("name"),
    "next_run": _("next run"),
    "next_try_at": _("next try"),
    "notes": _("notes"),
    "number": _("number"),
    "offline": _("offline rules"),
    "opened_at": _("opened"),
    "origin": _("origin"),
    "outcome": _("outcome"),
    "owner": _("owner"),
    "persona": _("companion"),
    "off_record": _("off the record"),
    "person": _("whose memory"),
    "phase": _("phase"),
    "priority": _("priority"),
    "questions": _("questions"),
    "reader": _("who read"),
    "reader_name": _("who read"),
    "reason": _("reason"),
    "relational_tags": _("relationship tags"),
    "role": _("who"),
    "schedule_type": _("how often"),
    "scene_count": _("scenes"),
    "session": _("chat"),
    "settled_at": _("settled"),
    "severity": _("severity"),
    "slot": _("answers"),
    "source_deleted": _("messages deleted"),
    "source_quote": _("quote"),
    "stale": _("outdated"),
    "started": _("started"),
    "started_at": _("started"),
    "state": _("state"),
    "state_reason": _("reason"),
    "status": _("state"),
    "stopped": _("finished"),
    "subject": _("subject"),
    "summary": _("summary"),
    "tagline": _("tagline"),
    "text": _("text"),
    "thoughts_count": _("thoughts"),
    "tier": _("how it is known"),
    "time_zone": _("time zone"),
    "title": _("title"),
    "token_count": _("tokens"),
    "touched_at": _("last changed"),
    "tokens_cached": _("tokens cached"),
    "tokens_in": _("tokens in"),
    "tokens_out": _("tokens out"),
    "trigger": _("trigger"),
    "trivial": _("trivial"),
    "type": _("type"),
    "undone_at": _("undone"),
    "updated_at": _("saved"),
    "updated_by": _("saved by"),
    "use_regex": _("regular expressions"),
    "user": _("user"),
    "username": _("username"),
    "valid_from": _("valid from"),
    "valid_until": _("valid until"),
    "value": _("answer"),
    "variant": _("variant"),
    "version": _("version"),
    "visibility": _("visibility"),
}

FORM_LABELS = {name: capfirst(label) for name, label in LABELS.items()}

# Features of calls and tags, which are no choices of a column: listed here so that they are translated.
TRANSLATED_VALUES = (
    gettext_noop("reply"),
    gettext_noop("extraction"),
    gettext_noop("reflection"),
    gettext_noop("slow_tick"),
    gettext_noop("import"),
    gettext_noop("fact_write"),
    gettext_noop("fact_sweep"),
    gettext_noop("persona_draft"),
    gettext_noop("scene_break"),
    gettext_noop("scene_recap"),
    gettext_noop("line_recaps"),
    gettext_noop("story_merge"),
    gettext_noop("story_compact"),
    gettext_noop("summary"),
    gettext_noop("test"),
    gettext_noop("vulnerability"),
)


def translate_value(value: Any) -> str:
    """Translate a value that is no choice of its column."""
    return gettext(value).replace("_", " ") if value else "-"


def label_columns(names: Any) -> list[Any]:
    """Return the columns of a list; plain fields get our own label."""
    return [label_column(name) if isinstance(name, str) and name in LABELS else name for name in names]


def label_column(name: str) -> Callable[[Model], Cell]:
    @display(description=LABELS[name])
    def shown(row: Model) -> Cell:
        return format_value(row, name)

    shown.__name__ = name
    return shown


def format_value(row: Model, name: str) -> Cell:
    value = getattr(row, name)
    try:
        field: Any = type(row)._meta.get_field(name)
    except FieldDoesNotExist:
        return value
    if isinstance(value, bool):
        return pgettext("admin", "yes") if value else "-"
    if field.choices:
        return str(getattr(row, f"get_{name}_display")() or "-")
    if isinstance(value, datetime):
        return format_moment(value)
    if isinstance(value, date):
        return formats.localize(value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items()) or "-"
    if isinstance(value, list):
        return ", ".join(translate_value(one) if isinstance(one, str) else str(one) for one in value) or "-"
    return "-" if value in (None, "") else value


def format_moment(at: datetime | None) -> str:
    """Format a moment in the reader's time zone and language."""
    return "-" if at is None else formats.localize(timezone.localtime(at))


def shorten(text: str) -> str:
    return Truncator(" ".join(text.split())).chars(EXCERPT)


def describe_bond(bond: Any) -> str:
    """Name a bond by its user and persona, which must be loaded."""
    return f"{bond.user.shown_name} · {bond.persona.name}"


def link_to_row(row: Any, text: Cell = None) -> Cell:
    """Link to a row's page, or return its text if it has no page in the admin."""
    if row is None:
        return "-"
    shown = str(row) if text is None else text
    # A concept node's page is in the section of its type.
    model = row.type if row._meta.model_name == "conceptnode" else row._meta.model_name
    try:
        url = reverse(f"{site.name}:{row._meta.app_label}_{model}_change", args=[row.pk])
    except NoReverseMatch:
        return shown
    return link_to_url(url, shown)


def link_to_id(model: str, pk: Any, text: Cell) -> Cell:
    """Link to the page of a row by its id; `model` is `app_model`."""
    return link_to_url(reverse(f"{site.name}:{model}_change", args=[pk]), text)


def link_to_url(url: str, text: Cell) -> Cell:
    return format_html('<a class="ev-link" href="{}">{}</a>', url, text)


def link_to_list(model: str, query: str, text: Cell) -> Cell:
    return link_to_url(f"{reverse(f'{site.name}:{model}_changelist')}?{query}", text)
