"""All pages: the rows of `tests.support.sample` that they show, and who opens them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from chat.models import Restoration
from tests.support.factories import PASSWORD
from tests.support.sample import Sample

NOBODY, MARA, LIN, ADA = "nobody", "mara", "lin", "ada"
LIN_AT_THE_DOOR, MARA_BY_EMAIL = "lin, asked for a code", "mara, who forgot her password"


@dataclass(frozen=True)
class Page:
    # Of the route; a second page of one route says more after a space.
    name: str
    reader: str = MARA
    of: Callable[[Sample], tuple[Any, ...]] = lambda _: ()
    query: str = ""
    status: int = 200

    @property
    def route(self) -> str:
        return self.name.split()[0]

    def address(self, sample: Sample) -> str:
        return reverse(self.route, args=self.of(sample)) + self.query


def of_bond(*more: Callable[[Sample], Any]) -> Callable[[Sample], tuple[Any, ...]]:
    return lambda sample: (sample.bond.pk, *(one(sample) for one in more))


def layer(name: str) -> Callable[[Sample], tuple[Any, ...]]:
    return of_bond(lambda _: name)


def node(key: str) -> Callable[[Sample], tuple[Any, ...]]:
    return of_bond(lambda sample: sample.nodes[key].pk)


def file(state: str) -> Callable[[Sample], tuple[Any, ...]]:
    return of_bond(lambda sample: sample.imports[state].pk)


PAGES = (
    Page("home", NOBODY),
    Page("home companions"),
    Page("home empty", LIN),
    Page("new_companion"),
    Page("write_companion"),
    Page("write_companion from_one", query="?from=teo"),
    Page("material_companion"),
    Page("ready_companion", of=lambda _: ("marian",)),
    Page("ready_companion chinese", of=lambda _: ("shen-yan",)),
    Page("restoration", of=lambda sample: (restoration(sample, "running"),)),
    Page("restoration failed", of=lambda sample: (restoration(sample, "failed"),)),
    Page("restoration done", of=lambda sample: (restoration(sample, "done"),)),
    Page("bond", of=of_bond()),
    Page("bond quiet", of=lambda sample: (sample.quiet.pk,)),
    Page("how_memory_works"),
    Page("how_memory_works stranger", NOBODY),
    Page("offline", NOBODY),
    Page("design", ADA),
    Page("take_along", of=of_bond()),
    Page("persona", of=of_bond()),
    Page("lore", of=of_bond()),
    Page("lore none", of=lambda sample: (sample.quiet.pk,)),
    Page("people", of=of_bond()),
    Page("person", of=of_bond(lambda sample: sample.people["Nimbus"].pk)),
    Page("person in_doubt", of=of_bond(lambda sample: sample.people["Scott"].pk)),
    Page("people_graph", of=of_bond()),
    Page("memories", of=of_bond()),
    Page("memories none", of=lambda sample: (sample.quiet.pk,)),
    Page("memories thoughts", of=layer("thoughts")),
    Page("memories promises", of=layer("promises")),
    Page("memories filtered", of=of_bond(), query="?q=xyzzy"),
    Page("facts", of=of_bond()),
    Page("facts none", of=lambda sample: (sample.quiet.pk,)),
    Page("fact_changes", of=of_bond()),
    Page("doubts", of=of_bond()),
    Page("doubts none", of=lambda sample: (sample.quiet.pk,)),
    Page("fact_changes none", of=lambda sample: (sample.quiet.pk,)),
    Page("mood", of=of_bond()),
    Page("mood none", of=lambda sample: (sample.quiet.pk,)),
    Page("memory_words", of=of_bond(), query="?q=a"),
    Page("memory_words none", of=of_bond()),
    Page("story", of=of_bond()),
    Page("story old", of=of_bond(), query="?version=1"),
    Page("story none", of=lambda sample: (sample.quiet.pk,)),
    Page("scene", of=of_bond(lambda sample: sample.scene.pk)),
    Page("tidying", of=of_bond()),
    Page("tidying none", of=lambda sample: (sample.quiet.pk,)),
    Page("kept", of=of_bond()),
    Page("kept none", of=lambda sample: (sample.quiet.pk,)),
    Page("trash", of=of_bond()),
    Page("trash none", of=lambda sample: (sample.quiet.pk,)),
    Page("memory", of=node("mourning")),
    Page("memory past", of=node("old cat")),
    Page("memory promise", of=node("ask")),
    Page("forget_memory", of=node("grandmother")),
    Page("imports", of=of_bond()),
    Page("import", of=file("done")),
    Page("import running", of=file("running")),
    Page("import waiting", of=file("waiting")),
    Page("import failed", of=file("failed")),
    Page("erase_bond", of=of_bond()),
    Page("erase_companion", of=lambda sample: (sample.bond.persona_id,)),
    Page("settings"),
    Page("settings second_factor", LIN),
    Page("model", ADA),
    Page("erase_account"),
    Page("erase_account operator", ADA),
    Page("account_login", NOBODY),
    Page("account_signup", NOBODY),
    Page("account_logout"),
    Page("account_inactive", NOBODY),
    Page("account_reauthenticate"),
    Page("account_email"),
    Page("account_confirm_email", NOBODY, of=lambda _: ("stale",)),
    Page("account_change_password"),
    Page("account_reset_password", NOBODY),
    # The link of an email leads here, with its key kept in the session.
    Page("account_reset_password_from_key", MARA_BY_EMAIL, of=lambda one: (password_key(one)[0], "set-password")),
    Page("account_reset_password_from_key stale", NOBODY, of=lambda _: ("1", "stale")),
    Page("account_reset_password_from_key_done", NOBODY),
    Page("mfa_index"),
    Page("mfa_index on", LIN),
    Page("mfa_authenticate", LIN_AT_THE_DOOR),
    Page("mfa_reauthenticate", LIN),
    # An address that is not confirmed, as Mara has, would be confirmed first.
    Page("mfa_activate_totp", ADA),
    Page("mfa_deactivate_totp", LIN),
    Page("mfa_view_recovery_codes", LIN),
    Page("mfa_generate_recovery_codes", LIN),
)
# Routes that are no page of their own, each with its reason.
PART = "a part of another page"
POST = "takes forms and leads on"
FILE = "a file"
OFF = "switched off: leads on to signing in"
UNSENT = "no mail is sent here: leads on to whom to ask for a password"
NO_PAGES = {
    "companion_preview": PART,
    "palette": PART,
    "palette_dialogs": PART,
    "switcher": PART,
    "session_divider": PART,
    "offered_memories": PART,
    "session_markdown": FILE,
    "manifest": FILE,
    "service_worker": FILE,
    "socket": "opened as a socket, not as a page",
    "bond_lines": PART,
    "told_lines": PART,
    "bond_sessions": PART,
    "bond_memories": PART,
    "bond_head": PART,
    "memory_chain": PART,
    "import_progress": PART,
    "restoration_progress": PART,
    "settings_usage": PART,
    "graph_data": PART,
    "model_here": PART,
    "model_offers": PART,
    "test_model": POST,
    "switch_model": POST,
    "forget_model_key": POST,
    "save_prices": POST,
    "bond_line": PART,
    "edit_line": PART,
    "save_note": POST,
    "let_go": POST,
    "write_line": PART,
    "add_fact": POST,
    "change_fact": POST,
    "confirm_fact": POST,
    "end_fact": POST,
    "write_about_user": POST,
    "undo_write": POST,
    "settle_doubt": POST,
    "edit_story": POST,
    "story_settings": POST,
    "tell_all": POST,
    "act_on_version": POST,
    "act_on_remark": POST,
    "act_on_scene": POST,
    "edit_recap": POST,
    "act_on_tidying": POST,
    "act_on_step": POST,
    "share_fact": POST,
    "tell_others": POST,
    "why_said": PART,
    "found_lines": PART,
    "tour_step": PART,
    "tour_again": POST,
    "forget_session": POST,
    "restore_session": POST,
    "correct_memory": POST,
    "bring_back": POST,
    "begin_bond": POST,
    "share_persona": POST,
    "add_lore": POST,
    "save_lore": POST,
    "delete_lore": POST,
    "restore_opening": POST,
    "answer_models": PART,
    "restore_text": POST,
    "merge_people": POST,
    "keep_apart": POST,
    "forget_person": POST,
    "undo_merge": POST,
    "restore_forgotten": POST,
    "erase_forgotten": POST,
    "erase_import": POST,
    "erase_earlier": POST,
    "forget_many": POST,
    "settle_memory": POST,
    "bring_back_memory": POST,
    "start_import": POST,
    "cancel_import": POST,
    "accept_proposal": POST,
    "decline_proposal": POST,
    "make_token": POST,
    "revoke_token": POST,
    "set_language": POST,
    "persona_card": FILE,
    "mfa_download_recovery_codes": FILE,
    "account_confirm_login_code": OFF,
    "account_reset_password_done": UNSENT,
    "account_email_verification_sent": UNSENT,
    "account_set_password": "every account has one: leads on to changing it",
}
# Without names: what answers programs. The admin has tests and a look of its own.
PROGRAMS = ("healthz", "readyz", "admin/", "api/")


def routes() -> set[str]:
    return set(named(get_resolver().url_patterns))


def named(patterns: list[Any], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if path.startswith(PROGRAMS):
            continue
        if isinstance(pattern, URLResolver):
            yield from named(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            yield str(pattern.name)


def signed_in(sample: Sample, reader: str, **options: Any) -> Client:
    """A client that this reader has just signed in with, as the pages that ask for it want."""
    client = Client(**options)
    if reader == LIN_AT_THE_DOOR:
        client.post(reverse("account_login"), {"login": "lin", "password": PASSWORD})
    elif reader == MARA_BY_EMAIL:
        client.get(reverse("account_reset_password_from_key", args=password_key(sample)))
    elif reader != NOBODY:
        client.force_login(getattr(sample, reader), backend=settings.AUTHENTICATION_BACKENDS[0])
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def restoration(sample: Sample, state: str) -> int:
    return Restoration.objects.filter(user=sample.mara, state=state).earliest("id").pk


def password_key(sample: Sample) -> tuple[str, str]:
    return user_pk_to_url_str(sample.mara), default_token_generator.make_token(sample.mara)
