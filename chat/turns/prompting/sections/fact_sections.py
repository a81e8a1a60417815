"""The sections of a prompt about facts that change while one talks."""

from collections.abc import Sequence

from chat.turns.prompting.sections.rendering import one_line, render_heading, render_list, wrap_in_tag
from echovessel.llm.inputs import ChangeRequest, DoubtQuestion, NotedFact, UnmetWish
from echovessel.prompts import escape
from memory.models import Doubt, FactWrite

Kind, Op = Doubt.Kind, FactWrite.Op
NOTED_VERBS: dict[str, str] = {
    Op.SAVED: "noted",
    Op.CHANGED: "changed",
    Op.ENDED: "no longer so",
    Op.CONFIRMED: "still so",
    Op.LINKED: "belongs together",
    Op.MERGED: "put together",
    Op.SETTLED: "cleared up",
}


UNMET = {
    "not_found": (
        "not forgotten, for it is not clear what of all you know is meant: unless you find and forget it yourself, say so, ask which, and "
        "tell them that they can forget anything on your memory page"
    ),
    "unsure": "not forgotten, for it is not certain that they mean this: unless you find and forget what they mean yourself, where they ask to forget anything, ask whether they do, in these words, and say that it is forgotten once they say yes",
    "kept": "what they asked to forget is forgotten; this was told with it and is kept: say so in a few words",
    "more": "what they asked to forget is forgotten; this is not, and may be meant too: ask whether it is, in these words",
    "ambiguous": "not forgotten, for several notes may be meant: ask which",
    "which_ends": "they all stand, for it is not clear which of these notes holds no longer: ask which",
    "secret": "not noted, for it is a secret like a password: say that you do not keep those",
    "unsafe": "not noted, for you cannot promise that: say so kindly",
    "everything": (
        "nothing was forgotten, for everything at once is too much for a sentence: say so, ask what in particular they mean, and "
        "tell them that they can erase everything with you by Erase on your page or in the settings"
    ),
    "full": "not noted, for there are too many notes: say so",
    "nothing_to_undo": "nothing was undone, for nothing that can be undone was noted or forgotten in this talk: say so",
    "off_record": "nothing was done, for this talk is off the record: say so",
}


def render_noted(noted: Sequence[NotedFact]) -> list[str]:
    """Render the changes of facts, without what a later one took the place of or ended, each once."""
    replaced = {one.old for one in noted if one.op == Op.CHANGED and not one.is_undone}
    over = {one.text for one in noted if one.op == Op.ENDED and not one.is_undone}
    left = [one for one in noted if one.op == Op.ENDED or not one.text or one.text not in replaced | over]
    return [*dict.fromkeys(map(render_noted_fact, left))]


def render_noted_fact(noted: NotedFact) -> str:
    """Render a change of a fact; what was forgotten is not said again."""
    text, old = one_line(noted.text), one_line(noted.old)
    if noted.is_undone:
        standing = old or text
        return f"taken back, it holds as before: {standing}" if standing else "taken back, do not bring it up again"
    if not text:
        return "forgotten as they asked, do not bring it up again"
    return f"{NOTED_VERBS[noted.op]}: {text}" + (f" (before: {old})" if old and old != text else "")


def render_unmet_wish(wish: UnmetWish) -> str:
    """Render what the user asked to note or forget and was not done."""
    said = UNMET.get(wish.code, "not noted: it did not work, say so")
    meant = "; ".join(map(one_line, wish.candidates))
    return f"{said}: {meant}" if meant else said


def render_all_known(known: Sequence[str]) -> str:
    listed = wrap_in_tag("known", render_list(map(one_line, known)))
    return listed and f"Besides what else stands here:\n{listed}"


def render_doubt(doubt: DoubtQuestion | None) -> str:
    if doubt is None:
        return ""
    this, that = render_heading(doubt.this), render_heading(doubt.that)
    if doubt.kind == Kind.AMBIGUOUS:
        names = f"<name>{this}</name> and <name>{that}</name>"
        return f"You are not sure whether {names} are the same. If it fits, ask once, naturally."
    if doubt.kind == Kind.UNVERIFIED:
        return f"You have read <fact>{this}</fact> but they never told you. If it fits, ask once, naturally, whether it is so."
    if doubt.kind == Kind.STALE:
        return f"This may not be so any more: <fact>{this}</fact> If it fits, ask once, naturally, how it is now."
    if not that:
        return f"You are not sure whether this holds: <fact>{this}</fact> If it fits, ask once, naturally."
    return (
        f"They told you <fact>{that}</fact> and it also seemed that <fact>{this}</fact> Perhaps only one holds. If it fits, ask "
        "once, naturally, which. Until they answer, go on as if the first does."
    )


def render_checks(facts: Sequence[str]) -> str:
    if not facts:
        return ""
    known = wrap_in_tag("known", render_list(map(one_line, facts)))
    return f"Before you rely on this, make sure in one natural phrase that it still holds, once.\n{known}"


def render_change_requests(requests: Sequence[ChangeRequest]) -> str:
    if not requests:
        return ""
    known = wrap_in_tag(
        "known", "\n".join(f"- {one_line(asked.text)}\n{escape(asked.detail)}".strip() for asked in requests)
    )
    return f"They opened this note to change it; what they say now is about it.\n{known}"
