"""The tool that forgets: a fact, or what was only said."""

from chat.turns.forgetting import candidates, statements
from chat.turns.forgetting.statements import ToldBefore
from chat.turns.forgetting.wish_to_forget import NEAR_FROM
from chat.turns.tools import shared_terms, writing
from chat.turns.tools.arguments import RefArguments
from chat.turns.tools.calls import CallContext, ToolAnswer
from chat.turns.tools.said import SaidWords
from echovessel import text
from echovessel.prompts import escape
from memory.facts import resolution
from memory.facts.drafts import FactError
from memory.models import FactWrite

NOT_ASKED = (
    "Nothing is forgotten: no words of the user plainly ask for it. If they seem to mean it, ask them whether to forget it, and "
    "say in a few words what. After their yes make the same call again."
)
ONLY_WISH = "In these words only the wish tells it. Name this to forget it:"
AGAIN = "Make the same call again if they mean only what they said just now."


def forget(call: CallContext, asked: RefArguments) -> ToolAnswer:
    """Forget a fact, if the user asked to forget something, and this is what they spoke of, or nearest to it; where no fact
    tells it, what they said of it.
    """
    words = writing.begin(call)
    try:
        node = call.find_fact(asked.ref)
    except FactError as error:
        if error.code != "not_found":
            raise
        return forget_said(call, words, asked.ref)
    requests = words.find_requests_to_forget(node)
    is_wished = bool(requests or words.let_go)
    late = words.list_of_late() if is_wished else words.list_asked_of_companion(node)
    is_bound = call.needs_name(node)
    is_meant = not is_bound and writing.is_near(call, late, node)
    is_named = any(shared_terms.shares_firm_term(one, node.description) for one in requests)
    if not is_meant and not (is_named if is_bound else requests):
        raise FactError("not_asked", NOT_ASKED)
    is_told = is_meant or any(shared_terms.shares_term(one, node.description) for one in requests) or words.names(node)
    writer = writing.build_writer(call, is_told=is_told, sources=words.asking)
    wish = " ".join(requests) or asked.ref
    return writing.describe(statements.forget(call.turn, ToldBefore(), facts=[node], words=wish, writer=writer))


def forget_said(call: CallContext, words: SaidWords, ref: str) -> ToolAnswer:
    """Forget what the user said and no fact tells. Raises FactError `not_found`, `not_asked` or `ambiguous`."""
    told = statements.find_at_all(turn=call.turn, words=ref)
    # A rule may have done it before the model was asked.
    done = FactWrite.objects.for_bond(call.bond).filter(turn_id=call.turn.pk, op=FactWrite.Op.FORGOTTEN)
    if told.is_empty and done.exists():
        return ToolAnswer(ok=True, code=FactWrite.Op.FORGOTTEN, text="This is forgotten.")
    asked = [*words.list_asked_to_forget(), *words.list_ordered_to_forget(), *words.let_go]
    # What was offered for a wish is asked for by it.
    is_offered = any(text.fold(ref) in one for one in call.near)
    is_asked = is_offered or any(shared_terms.shares_term(one, ref) for one in (*asked, words.agreed))
    is_only_wish = not told.events and {*told.lines} <= {*call.turn.burst}
    if is_asked and is_only_wish and not is_offered and (near := find_near(call, ref)):
        call.near.update(map(text.fold, (near, ref)))
        raise FactError("ambiguous", f"{ONLY_WISH}\n- {escape(near)}\n{AGAIN}")
    if told.is_empty:
        raise FactError("not_found", "There is no such fact.")
    if not is_asked:
        raise FactError("not_asked", NOT_ASKED)
    if told.is_too_much:
        some = "\n".join(f"- {escape(one)}" for one in told.texts[: resolution.CANDIDATES_MOST])
        raise FactError("ambiguous", f"Too much was said of this. Ask which of it:\n{some}")
    writer = writing.build_writer(call, is_told=True, sources=words.asking)
    return writing.describe(statements.forget(call.turn, told, words=ref, writer=writer))


def find_near(call: CallContext, ref: str) -> str:
    """Find the memory that tells in other words what shall be forgotten; "" where none is near."""
    meant = candidates.find_nearest(call.bond, (), ref, but=lambda _: False, least=NEAR_FROM).meant
    return meant.memory.description if meant and meant.memory else ""
