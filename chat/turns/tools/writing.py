"""The tools that note, change and forget facts.

A call is as good as what the user said: only what stands in their words counts as told and may change what was told. What a
model makes up is a guess, and touches guesses.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

from django.db.models import Count, Q

from chat.turns import claiming
from chat.turns.forgetting import rest
from chat.turns.tools import rows, said
from chat.turns.tools.arguments import LinkArguments, RefArguments, SaveArguments, UpdateArguments
from chat.turns.tools.calls import CallContext, ToolAnswer
from chat.turns.tools.said import SaidWords
from echovessel import chinese_script, text
from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.prompts import escape
from memory.doubts import settling
from memory.facts import acts, settlement, standing
from memory.facts.checks import forgotten, left_open, wording
from memory.facts.drafts import FactDraft, FactError
from memory.facts.rules import days
from memory.facts.writers import Writer
from memory.messages import secrets
from memory.models import ConceptNode, Doubt, FactWrite, Message
from memory.recall import query_vectors
from personas.models import Bond

TURN_WRITES_MOST = 10
DAY_WRITES_MOST = 100
# Of a long burst the last sentences are compared with facts.
STATEMENTS_MOST = 8
# What models wrote: by themselves, or asked to.
BY_MODEL = (FactWrite.By.TOOL, FactWrite.By.BACKSTOP)
Tier = ConceptNode.Tier


def save(call: CallContext, asked: SaveArguments) -> ToolAnswer:
    words = begin(call)
    asked.content = check(words, asked.content)
    # A value that neither the content nor the user names is made up, and would take the place of what was told.
    has_slot = bool(asked.slot and asked.value) and words.holds_value(asked.value, asked.content)
    # What was told in this turn stands beside it: of "I can't eat fish and only had salad" a model may note two diets.
    written = FactWrite.objects.for_bond(call.bond).filter(turn_id=call.turn.pk, node__slot=asked.slot)
    has_slot = (
        has_slot and not written.filter(node__state=ConceptNode.State.LIVE).exclude(node__value=asked.value).exists()
    )
    draft = FactDraft(
        content=days.write_out(asked.content, today=words.burst[-1].day),
        facet=require_facet(asked.facet),
        detail=asked.detail,
        slot=asked.slot if has_slot else "",
        value=asked.value if has_slot else "",
        since=asked.since if words.tells_day(asked.since) else None,
    )
    is_told = is_said(call, words, asked.content)
    if not is_told and words.leaves_open(asked.content):
        raise FactError("invalid", "The user left this open.")
    sources = words.list_sources(asked.content)
    if forgotten.rests_on_forgotten(call.bond, asked.content, sources):
        raise FactError("not_asked", "The user has asked not to keep this.")
    writer = build_writer(call, is_told=is_told, sources=sources)
    folded = text.fold(asked.content)
    try:
        write = acts.save(bond=call.bond, draft=draft, writer=writer, accepts_near=folded in call.near)
    except FactError as error:
        if error.code == "near":
            call.near.add(folded)
        raise
    return describe(write)


def update(call: CallContext, asked: UpdateArguments) -> ToolAnswer:
    words = begin(call)
    asked.content = check(words, asked.content)
    if not words.tells_day(asked.since):
        asked.since = None
    # "I swapped the Transit for a Berlingo" is noted by a rule, and is not what the Transit's end is about.
    fresh = {write.node_id: write for write in FactWrite.objects.for_bond(call.bond).filter(turn_id=call.turn.pk)}
    node = call.find_fact(asked.ref, fresh=[*fresh])
    if node.pk in fresh and text.fold(asked.content) == text.fold(node.description):
        # A rule has written the same.
        return describe(fresh[node.pk])
    own = wording.list_firm_words(node.description)
    if node.pk in fresh and asked.content and 2 * left_open.count_words(asked.content, own) < len(own):
        raise FactError("invalid", "This was just told and holds. Save the other as a note of its own.")
    is_bound = call.needs_name(node)
    if asked.ended and not asked.content:
        is_told = words.states_end_of(node) or (not is_bound and is_near_said(call, words, node))
        writer = build_writer(call, is_told=is_told, sources=words.list_sources(node.description))
        end = deny if node.state == ConceptNode.State.UNCERTAIN else acts.end
        return describe(end(bond=call.bond, node=node, writer=writer))
    if not (asked.content or asked.detail or asked.since):
        raise FactError("invalid", "Say what changes: content, detail, since or ended.")
    content = days.write_out(asked.content, today=words.burst[-1].day) or node.description
    value = asked.value if asked.value and not asked.ended and words.holds_value(asked.value, content) else ""
    slot = node.slot if value else ""
    # "They broke up" is no partner.
    cleared = frozenset({"slot"}) if asked.ended else frozenset[str]()
    draft = FactDraft(content=content, detail=asked.detail, slot=slot, value=value, since=asked.since, cleared=cleared)
    # What a rule has changed in this turn is told of what stood before.
    old = (node.supersedes.first() if node.pk in fresh else None) or node
    if asked.content:
        judged = left_open.leave_out_old(asked.content, old.description)
        is_told = words.changes(old, judged) or is_said(call, words, judged, old=old)
        is_named = words.states_end_of(old) or (not call.is_backstop and words.tells_in_place(old, judged))
        # An address is grave, and gives way to the next one.
        fills_slot = bool(slot) and (not is_bound or (slot == "home" and not call.is_backstop))
        is_of_same = fills_slot or words.is_of_same(old, judged) or is_named
        # "No drink since the stroke" is about the nightly wine, and has no word of it.
        is_of_same = is_of_same or (is_told and not is_bound and is_near(call, [judged], old))
        if is_told and (not is_of_same or words.is_besides(old, judged)):
            raise FactError("invalid", "This tells something else. Save it as a note of its own.")
    else:
        is_told = words.holds(asked.detail) if asked.detail else words.names(node)
    writer = build_writer(call, is_told=is_told, sources=words.list_sources(asked.content or node.description))
    if node.state == ConceptNode.State.UNCERTAIN:
        return describe(tell(bond=call.bond, node=node, draft=draft, writer=writer))
    return describe(acts.replace(bond=call.bond, old=node, draft=draft, writer=writer))


def check(words: SaidWords, content: str) -> str:
    """Return a content in the third person. Raises FactError where it holds a secret, or what was said of somebody else."""
    if secrets.MASK in content:
        raise FactError("secret", "Secrets are not noted.")
    if words.is_of_others(content):
        raise FactError("invalid", "The user said this of somebody else. Say of whom.")
    told = "".join(message.content for message in words.messages)
    # A note has the characters that the user writes.
    written = chinese_script.simplify(content) if chinese_script.is_simplified(told) else content
    return left_open.turn_first_person(written)


def is_said(call: CallContext, words: SaidWords, content: str, *, old: ConceptNode | None = None) -> bool:
    """Whether the user said a content, be it in other words: "They sold my bike" of a user who has no bike."""
    if words.holds(content):
        return True
    stated = words.list_rewording(content, old=old)
    if not stated:
        return False
    try:
        told, [vector] = query_vectors.embed(call.bond, stated[-STATEMENTS_MOST:]), embedding.embed([content])
    except EmbeddingError:
        return False
    baseline = embedding.get_cosine_baseline(content)
    return vector is not None and standing.is_nearly_said(call.bond, vector, said=told, besides=old, baseline=baseline)


def is_near_said(call: CallContext, words: SaidWords, node: ConceptNode) -> bool:
    """Whether hardly any fact is nearer to what the burst states than this one: "They did my eyes" may end what "is waiting for
    a cataract operation", though they share no word. A question, or what is said of others alone, ends nothing.
    """
    is_of_talk = node.facet == ConceptNode.Facet.HOW_TO_TALK
    stated = [
        one
        for one in words.list_settled()
        if wording.may_speak_of(node.description, one) or (is_of_talk and said.TO_COMPANION.search(one))
    ]
    return is_near(call, stated, node)


def is_near(call: CallContext, said: Sequence[str], node: ConceptNode) -> bool:
    """Whether hardly any fact is nearer to one of these sentences than this one."""
    try:
        vectors = query_vectors.embed(call.bond, said[-STATEMENTS_MOST:])
    except EmbeddingError:
        return False
    return standing.is_among_nearest(call.bond, node, said=vectors)


def deny(*, bond: Bond, node: ConceptNode, writer: Writer) -> FactWrite | None:
    """Settle the doubt about an uncertain fact that the user says is not so. Raises FactError."""
    doubt = settlement.find_doubt(node)
    if doubt is None:
        raise FactError("changed", "This was cleared up meanwhile.")
    if not writer.may_replace_stated:
        raise FactError("not_asked", "The user has not said that this is not so.")
    outcome = Doubt.Outcome.NEITHER if doubt.b_node_id is None else Doubt.Outcome.THAT
    return settling.settle(doubt=doubt, outcome=outcome, writer=writer)


def tell(*, bond: Bond, node: ConceptNode, draft: FactDraft, writer: Writer) -> FactWrite | None:
    """Write what the user says where something was uncertain: in place of what it stood against. Raises FactError."""
    against = node.conflicts_with
    if against is None or text.fold(draft.content) == text.fold(node.description):
        return acts.save(bond=bond, draft=draft, writer=writer, accepts_near=True)
    return acts.replace(bond=bond, old=against, draft=draft, writer=writer)


def confirm(call: CallContext, asked: RefArguments) -> ToolAnswer:
    words = begin(call)
    node = call.find_fact(asked.ref)
    is_told = words.confirms(node) or is_near_said(call, words, node)
    if not is_told and node.tier != Tier.INFERRED:
        raise FactError("not_asked", "The user has not said that this still holds.")
    writer = build_writer(call, is_told=is_told, sources=words.burst)
    return describe(acts.confirm(bond=call.bond, node=node, writer=writer))


def link(call: CallContext, asked: LinkArguments) -> ToolAnswer:
    words = begin(call)
    a, b = (call.find_fact(ref) for ref in (asked.from_ref, asked.to))
    is_told = words.names(a) or words.names(b)
    if not is_told and Tier.INFERRED not in (a.tier, b.tier):
        raise FactError("not_asked", "The user has not spoken of these.")
    writer = build_writer(call, is_told=is_told, sources=words.burst)
    return describe(acts.link(bond=call.bond, a=a, b=b, relation=asked.relation, writer=writer))


def begin(call: CallContext) -> SaidWords:
    """Load what the user said. Raises FactError `unavailable` where this turn or day has seen enough writes."""
    made = FactWrite.objects.for_bond(call.bond).filter(by__in=BY_MODEL)
    counted = made.aggregate(
        turn=Count("pk", filter=Q(turn_id=call.turn.pk)),
        day=Count("pk", filter=Q(created_at__gt=call.now - timedelta(days=1))),
    )
    if counted["turn"] >= TURN_WRITES_MOST or counted["day"] >= DAY_WRITES_MOST:
        raise FactError("unavailable", "No more changes for now. Say so if one was asked for.")
    words = said.load(call.turn)
    return replace(words, wishes_from=0.0) if call.is_backstop else words


def build_writer(call: CallContext, *, is_told: bool, sources: Sequence[Message]) -> Writer:
    return Writer(
        by=call.by,
        tier=Tier.STATED if is_told else Tier.INFERRED,
        now=call.now,
        session=call.turn.session,
        turn_id=call.turn.pk,
        offset=call.offset,
        messages=sources,
        check=partial(claiming.check_lease, call.turn),
    )


def require_facet(facet: str) -> str:
    """Refuse what the persona said of itself: only the close of a session learns that."""
    if facet == ConceptNode.Facet.PERSONA_CANON:
        raise FactError("invalid", "Facts of this facet are not noted by a tool.")
    return facet


def describe(write: FactWrite | None) -> ToolAnswer:
    if write is None:
        return ToolAnswer(ok=True, code="saved", text="This is noted already.")
    if write.op == FactWrite.Op.FORGOTTEN:
        along = f" So are {len(write.old)} more that told the same." if write.old else ""
        kept = rest.list_kept(write)
        told = f" What was told with it is kept: {escape('; '.join(kept))}" if kept else ""
        return ToolAnswer(ok=True, code=write.op, text=f"This is forgotten.{along}{told}")
    return ToolAnswer(ok=True, code=write.op, text=rows.render_rows([rows.render_fact(write.node)]))
