"""What the user said of late, by which the calls of a model are judged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from chat.models import Turn
from chat.turns.forgetting import hearing
from chat.turns.tools.shared_terms import shares_firm_term, shares_term
from echovessel import lazy_re as re
from echovessel import text
from echovessel.embeddings import embedding, wishes
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.llm.offline.text import lexicon, names, passages, sentences
from memory.facts.checks import grave, grounding, left_open, other_languages, wording
from memory.facts.rules import letting_go, reading, yes_and_no
from memory.facts.rules.acts import Op
from memory.models import ConceptNode, Message
from memory.story.known_names import load_known_names
from personas import blocks
from personas.models import CoreBlock

# A statement about a fact has more than this share of its words, or the first; and how many Chinese characters name a thing.
NAMED_SHARE = 0.5
LEAST_HAN = 2
BRIEF_MOST = 3
# A line before a burst is cited where it tells this share of a content: a name alone is told by many.
TOLD_BEFORE_SHARE = 0.25
# Who says so of an allergy says that it is over.
_HEALED = re.compile(
    r"\b(?:grown|grew) out of\b|\boutgr[eo]wn?\b|\b(?:not|n't|no longer|never) (?:really |actually )?allergic\b|\btested negative\b|\b(?:can|may|allowed to) (?:eat|have|drink|take)\b[^.!?]{0,40}\b(?:again|now|likes?|anything|everything)\b|不(?:再)?过敏|(?:能|可以)[吃喝]了|脱敏(?:了|成功)",
    re.IGNORECASE,
)
# Who says so of a medicine has another one since.
_SWITCHED = re.compile(
    r"\b(?:changed|switched|swapped|new) (?:(?:my|the) )?(?:tablets|pills|meds|medications?|medicines?)\b|(?<!火)药(?:又|也|都|给|已经)*[换改]了|[换改]了?(?:[一1]?种|别的|新的?|个)?药",
    re.IGNORECASE,
)
# A fact that only tells what the user is called. They say the name in any words, but of themselves.
_NAMED = re.compile(
    r"^(?:the user (?:(?:(?:wants|would like|likes|prefers|wishes) to (?:be called|be known as|be addressed as|go by))|goes by|is called|is known as)\s"
    r"|用户(?:希望|想要?|喜欢|要)?(?:别人|你)?被?(?:叫[做作]?|称呼?[为作]?|喊作?))(?P<name>[^,，;；]{1,40}?)[.。]?$",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(r"\b(?:i'm|i am|me|names?)\b|[叫喊称名]|我是", re.IGNORECASE)
# What a wish that names nothing points back to.
_POINTS_BACK = re.compile(r"\b(?:it|that|this|those|these|them|him|her|one)\b|[那这它他她]|刚才", re.IGNORECASE)

# Who asks for something asks the companion, in whatever words; the plain ones are read by rules: "You always forget Leeds".
TO_COMPANION = re.compile(r"^(?!.*(?:forg[eo]t|delet|eras|[忘删])).*(?:\b(?:you|your)\b|[你您])", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class SaidWords:
    """The user's messages of a turn and those before it, oldest first, and the names of the two who talk, and of whom they talk of."""

    burst: Sequence[Message]
    before: Sequence[Message]
    speakers: Sequence[str]
    named: str = ""
    names_known: Sequence[str] = ()
    # What the companion asked about forgetting, where the burst says yes to it.
    agreed: str = ""
    # From which weight of its vector on a sentence of the burst may be a wish to forget.
    wishes_from: float = wishes.CALLED_FROM

    @property
    def messages(self) -> list[Message]:
        return [*self.before, *self.burst]

    def holds(self, content: str, *, known: str = "", takes_names: bool = True) -> bool:
        """Whether the user said this, or gave the name that it says the user goes by; `known` is what it takes the place of. Names that
        are known need not be said if it takes them.
        """
        is_said = grounding.is_grounded(
            content,
            left_open.list_heard([message.content for message in self.messages], content),
            today=self.burst[-1].day,
            speakers=self.speakers,
            known=known,
            names=self.named if takes_names else "",
        )
        return is_said or self.gives_name(content)

    def leaves_open(self, content: str) -> bool:
        """Whether the burst speaks of what a content says and leaves it open: "If I won the lottery I'd buy a boat"."""
        return left_open.is_only_open(content, [message.content for message in self.burst])

    def is_of_others(self, content: str) -> bool:
        """Whether a content tells of the user what the burst tells of somebody else alone."""
        burst, before = ([message.content for message in part] for part in (self.burst, self.before))
        known = {*map(text.fold, self.names_known)}
        return left_open.is_of_others(content, burst=burst, before=before, user_name=self.speakers[0], known=known)

    def tells_day(self, day: date | None) -> bool:
        """Whether the user named a day, or since when something lasts."""
        dated, heard = f"since {day}", "\n".join(message.content for message in self.messages)
        return day is not None and grounding.leave_out_days(dated, heard, today=self.burst[-1].day) != dated

    def changes(self, node: ConceptNode, content: str) -> bool:
        """Whether the user said what a content says beyond a fact that it does not deny."""
        return not self.is_turned(node, content) and self.holds(content, known=node.description)

    def is_of_same(self, node: ConceptNode, content: str) -> bool:
        """Whether a content shares a word with a fact that says what it is about."""
        own = self.list_own_parts(node)
        # Two or three Chinese characters are soon said in others.
        is_brief = text.has_cjk(node.description) and not node.grave and len(own) <= BRIEF_MOST
        return not own or is_brief or wording.count_held(content, own) > 0

    def tells_in_place(self, node: ConceptNode, content: str) -> bool:
        """Whether a sentence of the burst that tells of a content names something of a fact as well, "apixaban in place of the warfarin", or
        that of medicines one has another now.
        """
        own, new, stated = self.list_own_parts(node), wording.list_parts(content), self.list_statements()
        is_medicine = grave.tells_other_medicine(node.description, "") and grave.tells_other_medicine(content, "")
        is_switched = is_medicine and any(map(_SWITCHED.search, stated))
        return is_switched or any(wording.count_held(said, own) and wording.count_held(said, new) for said in stated)

    def list_own_parts(self, node: ConceptNode) -> list[str]:
        """List the words that say what a fact is about, besides the names of the two who talk; of an allergy, besides all names."""
        own_names = (name.text for name in names.find(node.description))
        named = [*self.speakers, *((*self.names_known, *own_names) if node.grave else ())]
        spoken_of = {part for name in named for part in (text.stem(text.fold(name)), *wording.list_parts(name))}
        return [word for word in wording.list_parts(node.description) if word not in spoken_of]

    def is_besides(self, node: ConceptNode, content: str) -> bool:
        """Whether the burst says a content as something more than a fact."""
        return left_open.is_besides(content, node.description, burst=[message.content for message in self.burst])

    def is_turned(self, node: ConceptNode, content: str) -> bool:
        """Whether a content denies a fact, or is what it denies, and nothing that the burst states does."""
        is_negated = wording.is_negated(content)
        if is_negated == wording.is_negated(node.description):
            return False
        return all(wording.is_negated(said) != is_negated for said in self.list_statements())

    def list_rewording(self, content: str, *, old: ConceptNode | None) -> list[str]:
        """List what the burst states that may say a content in other words; none where a name or number of it was neither said nor
        stands in the fact that it takes the place of, or where it denies that fact.
        """
        heard = [*(message.content for message in self.messages), old.description if old else ""]
        if old is not None and self.is_turned(old, content):
            return []
        is_named = grounding.are_names_said(
            content, heard, today=self.burst[-1].day, speakers=self.speakers, known=self.named
        )
        if _NAMED.match(content.strip()) or not is_named:
            return []
        stated = [said for said in self.list_statements() if not left_open.is_open(said, content)]
        return [said for said in stated if wording.may_speak_of(content, said)]

    def gives_name(self, content: str) -> bool:
        """Whether a content only tells what the user is called, and the burst says so: "To you I'm Derry"."""
        told = _NAMED.match(content.strip())
        return told is not None and any(is_own_name(told["name"], said) for said in self.list_statements())

    def holds_value(self, value: str, content: str) -> bool:
        """Whether the value of a slot stands in its content, or the user said it."""
        is_there = wording.holds_words(wording.list_words(content), wording.list_words(value))
        return is_there or text.fold(value) in text.fold(content) or self.holds(value, takes_names=False)

    def confirms(self, node: ConceptNode) -> bool:
        """Whether the user said this fact again, or agreed to what they were asked."""
        return yes_and_no.is_assent("\n".join(message.content for message in self.burst)) or self.names(node)

    def names(self, node: ConceptNode) -> bool:
        """Whether the user spoke of what a fact says: the value of its slot, else its content."""
        return self.holds(node.value or node.description, takes_names=False)

    def states_end_of(self, node: ConceptNode) -> bool:
        """Whether the user spoke of what a fact says, or the burst states something of what it is about: "My Nikon's home again"
        names the camera that was at the menders, and a model knows what that means.
        """
        own = wording.list_firm_words(node.description)
        least = LEAST_HAN if text.has_cjk(node.description) else 1
        stated = self.list_settled()
        told = [wording.list_words(said) for said in stated if not wording.is_of_others_kin(node.description, said)]
        is_healed = node.grave and any(_HEALED.search(said) and self.is_of_same(node, said) for said in stated)
        is_only_wished = not stated and bool(self.list_statements())
        # The lines before may be those that told it.
        return (
            is_healed
            or (not is_only_wished and replace(self, before=()).names(node))
            or any(
                len(own) >= least
                and (
                    wording.holds_words(words, own[:least])
                    or sum(wording.holds_words(words, [one]) for one in own) > max(least, NAMED_SHARE * len(own))
                )
                for words in told
            )
        )

    def list_statements(self) -> list[str]:
        """List what the burst states and does not only imagine."""
        stated = [said for line in self.burst for said in passages.split_statements(line.content)]
        return [said for said in stated if not passages.is_imagined(said)]

    def list_settled(self) -> list[str]:
        """List what the burst states and does not only wish or threaten."""
        return [said for said in self.list_statements() if not left_open.is_wished(said)]

    @property
    def asking(self) -> list[Message]:
        """The messages that ask to forget something: the burst, with the line before it where that asked and the burst only agrees."""
        return [*(self.before[-1:] if self.agreed else ()), *self.burst]

    def list_of_late(self) -> list[str]:
        """List the line before the burst and the burst's sentences: a wish may only point to what it means ("Kindly remove it")."""
        lines = [message.content for message in (*self.before[-1:], *self.burst)]
        return [said for line in lines for said in sentences.split(line)]

    @cached_property
    def let_go(self) -> list[str]:
        """The sentences of the burst that let something go, by their words or else by their vectors."""
        said = [one for line in self.burst for one in sentences.split(line.content)]
        told = [one for one in said if letting_go.lets_go(one) or other_languages.asks_to_forget(one)]
        return told or list_wishes(said, least=self.wishes_from)

    def list_asked_of_companion(self, node: ConceptNode) -> list[str]:
        """List the sentences of the burst that speak to the companion and name something of a fact: "Could you un-know the latex?"."""
        said = [one for line in self.burst for one in sentences.split(line.content)]
        return [one for one in said if TO_COMPANION.search(one) and shares_firm_term(one, node.description)]

    def find_requests_to_forget(self, node: ConceptNode) -> list[str]:
        """Find what the burst asks to forget, or the line before a burst that only agrees; else what the companion asked about that fact
        and the burst agrees to, the sentences that let something go and name what the fact does, or the line just said that names it,
        where they point back to it: "Forget the bottle" may be an idiom, unless the model knows which bottle.
        """
        burst, before = ([message.content for message in part] for part in (self.burst, self.before))
        asked, told = self.list_asked_to_forget(), self.let_go
        asked = asked or ([self.agreed] if shares_firm_term(self.agreed, node.description) else [])
        named = [line for line in [*before[-1:], *burst] if shares_term(line, node.description)]
        known = "\n".join([self.named, *before[:-1]])
        points_back = any(_POINTS_BACK.search(one) or other_languages.points_back(one, known) for one in told)
        return asked or [one for one in told if shares_term(one, node.description)] or (named if points_back else [])

    def list_asked_to_forget(self) -> list[str]:
        """List what the burst asks to forget by a wish that the rules read, or the line before a burst that only agrees."""
        burst, before = ([message.content for message in part] for part in (self.burst, self.before))
        return [act.content for act in reading.read_acts(burst, before, {}) if act.op == Op.FORGET]

    def list_ordered_to_forget(self) -> list[str]:
        """List what the burst orders to forget, which may be an idiom: "Forget the gym"."""
        acts = reading.read_told([message.content for message in self.burst])
        return [act.content for act in acts if act.op == Op.FORGET and not act.is_unsure]

    def list_sources(self, content: str) -> list[Message]:
        """List the burst's messages that share a term with a content, and those before it that tell much of what the burst does not:
        what is forgotten with a fact goes with the messages that it cites. The burst where none does.
        """
        burst = [message for message in self.burst if shares_term(message.content, content)]
        parts = wording.list_parts(content)
        left = {part for part in parts if not any(wording.holds_part(message.content, part) for message in burst)}
        before = []
        for message in sorted(
            self.before, key=lambda one: (wording.count_held(one.content, left), one.pk), reverse=True
        ):
            told = {part for part in left if wording.holds_part(message.content, part)}
            if told and len(told) >= TOLD_BEFORE_SHARE * len(parts):
                before.append(message)
                left -= told
        return [*sorted(before, key=lambda one: one.pk), *burst] or [*self.burst]


def list_wishes(said: Sequence[str], *, least: float) -> list[str]:
    """List the sentences that may ask to forget something by their vectors."""
    try:
        told = zip(said, embedding.embed(said, of_question=True), strict=True)
    except EmbeddingError:
        return []
    return [one for one, vector in told if embedding.may_ask_to_forget(vector, text=one, least=least)]


def is_own_name(name: str, said: str) -> bool:
    """Whether a statement gives a name to the user: of what stands before it, words of oneself, no negation, and nobody else's words."""
    before, given, _ = text.fold(lexicon.normalise(said)).rpartition(text.fold(name))
    is_of_oneself = bool(given) and _OF_ONESELF.search(before) is not None
    return is_of_oneself and not wording.is_negated(before) and not passages.is_reported(before)


def load(turn: Turn) -> SaidWords:
    lines = Message.objects.for_bond(turn.bond).visible().filter(pk__lt=turn.burst[0].pk).order_by("-id")
    of_user = lines.filter(role=Message.Role.USER).exclude(session__off_record=True)
    before = of_user[: grounding.LINES_BEFORE]
    reply = lines.filter(role=Message.Role.PERSONA).first() if yes_and_no.is_assent(turn.burst[-1].content) else None
    known = [name for names in load_known_names(turn.bond) for name in names]
    block = blocks.find(turn.bond, CoreBlock.Label.USER)
    facts = ConceptNode.objects.for_bond(turn.bond).live_facts().values_list("description", flat=True)
    return SaidWords(
        burst=turn.burst,
        before=list(reversed(before)),
        speakers=[turn.bond.user.shown_name, turn.bond.persona.name],
        named="\n".join([*known, *facts, block.content if block else ""]),
        names_known=known,
        agreed=reply.content if reply is not None and hearing.asks_to_forget(reply.content) else "",
    )
