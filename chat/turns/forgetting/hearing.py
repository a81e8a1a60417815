"""Hears that a burst may ask to forget something, where no rule for facts reads it: by its words, its vector, or a name alone."""

from collections.abc import Sequence
from dataclasses import replace

from chat.turns.prompting.base_context import BaseContext
from echovessel import lazy_re as re
from echovessel import text
from echovessel.embeddings import embedding, wishes
from echovessel.llm.inputs import NotedFact, UnmetWish
from echovessel.llm.offline.text import cue_matching, lexicon, names, passages, sentences
from memory.facts.checks import other_languages
from memory.facts.rules import letting_go, plain_wishes, told_before, wishes_to_forget, yes_and_no
from memory.facts.rules.acts import Kind, Op, RuleAct
from memory.models import Message
from memory.recall import query_vectors
from memory.story.known_names import load_known_names

# Who chooses among what the reply names is brief.
CHOICE_MOST = 80
# Who asks what they hid wants to be told it; a Chinese question without a word for taking back asks something else: 你们这机器能听懂这个不.
_ASKS = re.compile(
    r"\W*(?:(?:and|so|but|ok|hey)\W+)*(?:what|who|whose|where|when|which)\b|(?!.*(?:[忘删记提讲抹清别算撤收消]|(?<!你)说))[\s\S]*[\u4e00-\u9fff]",
    re.IGNORECASE,
)
# Who wants not to be asked lets nothing go ("don't ask me why", 别问为什么), nor who wants to be spoken to otherwise (别老用洋词儿), fears
# to forget (记一下怕忘), or tells what another asked of them (我妈劝我别把房子给他).
_LEAVES_ALONE = re.compile(
    r"\W*(?:i don't want to|let's not|can we not|i'd rather not) talk about (?:this|it|that)\W*$|\W*(?:never mind(?: that)?|ignore me|forget[- ]me[- ]nots?\b.*|(?:do )?(?:you|u) know (?:what|wot) i mean)\W*$|\W*我?不想(?:再)?(?:聊|谈|说|提)(?:这个|这些|这事|它)?了?\W*$|"
    r"\W*(?:please )?(?:don't|do not|stop) ask(?:ing)?\b|\W*(?:你|请|先|就)*(?:别|不要|不用)(?:再|老是?|总是?)?问|.*(?:怕|免得|省得)[我又会自己]*忘"
    r"|.*(?:别|不要|甭)(?:再|老是?|总是?|一直|动不动就?|[跟对]我)*(?:用|发|[叫喊]我|客气|安慰|催|劝|讲道理|说教|文绉绉|啰嗦)"
    r"|.*(?<!你)(?:劝|叫|让|求|拦着|嘱咐)我(?:别|不要|不用|先别)|.*\b(?:told|asked|begged|advised|warned|wants?|wanted) me (?:not to|to (?:drop|forget|leave|let))\b",
    re.IGNORECASE,
)
# A yes to anything else agrees to no forgetting.
OF_FORGETTING = re.compile(r"\bforg[eo]t|忘", re.IGNORECASE)
_ASKS_MORE = re.compile(r"\b(?:shall|should) i (?:also )?forget\b[^?]+\?|要我忘掉[^？?]+", re.IGNORECASE)
# Who says no to that wants nothing any more.
_ASKS_WHICH = re.compile(r"\bwhich\b|哪", re.IGNORECASE)


def hear(base: BaseContext, vector: list[float] | None, lines: Sequence[Message]) -> list[RuleAct]:
    """Hear by a burst's words or its vector that it may ask to forget something; of one that only agrees, by those of the line before it.
    Nothing is forgotten by that without asking.
    """
    said, at = plain_wishes.split_kept(base.query)[0], len(lines) - 1
    if not said:
        return []
    is_agreed, is_denied = yes_and_no.is_assent(said), yes_and_no.is_denial(said)
    is_yes_or_no = is_agreed or is_denied
    reply = get_last_reply(base)
    # What answers "which of them shall I forget?", or a yes to "shall I forget that, too?", whose wish no prompt holds any more.
    wish = RuleAct(kind=Kind.FORGET, op=Op.FORGET, content=said, lines=(at,), is_unsure=True)
    answer = replace(wish, is_agreed=True)
    if not is_yes_or_no and is_choice(said, reply):
        return [answer]
    if is_yes_or_no and len(lines) > len(base.turn.burst):
        at = find_answered(lines[: len(lines) - len(base.turn.burst)])
        said = lines[at].content
        [vector] = query_vectors.embed(base.turn.bond, [said])
    is_asked = passages.is_question(said) and not letting_go.lets_go(said)
    is_of_memory = (_ASKS.match(said) or lexicon.matches("ASKS_MEMORY", said)) and is_asked
    # Who asks to keep a secret wants it kept: 别跟我妈说.
    is_kept = (
        _LEAVES_ALONE.match(said)
        or cue_matching.find_product_kind(said)
        or cue_matching.search(cue_matching.choose_cues(said).SUBJECTS["secret"], said)
    )
    asks_to_forget = OF_FORGETTING.search(reply) and not (is_denied and _ASKS_WHICH.search(reply))
    is_of_else = is_yes_or_no and reply and not asks_to_forget
    least = 0.0 if letting_go.may_let_go(said) else wishes.WORDLESS_FROM
    is_near = embedding.may_ask_to_forget(vector, text=said, least=least)
    is_wish = letting_go.sounds_so(said) or is_near
    if is_of_memory or is_kept or is_of_else or not is_wish:
        return [answer] if is_agreed and _ASKS_MORE.search(reply) else []
    wish = replace(wish, content=wishes_to_forget.find_asking(said), lines=tuple(range(at, len(lines))))
    is_told = not (is_denied and letting_go.sounds_so(said))
    return [replace(wish, is_told=is_told, is_agreed=is_agreed)]


def find_answered(lines: Sequence[Message]) -> int:
    """Find the last line that is more than a yes or a no; where none is, the first."""
    at = len(lines) - 1
    while at and (yes_and_no.is_denial(lines[at].content) or yes_and_no.is_assent(lines[at].content)):
        at -= 1
    return at


def leave_open(said: str) -> list[NotedFact | UnmetWish]:
    """Return that nothing was forgotten, where a burst asks for it in a language without rules: "Vergiss bitte das mit Ute"."""
    is_asked = any(other_languages.orders_to_forget(one) for one in sentences.split(said))
    return [UnmetWish("not_found")] if is_asked else []


def hear_name(base: BaseContext, lines: Sequence[Message]) -> list[RuleAct]:
    """Hear that a burst asks to forget somebody or something known, by its name alone."""
    meant, bond = text.fold(wishes_to_forget.read_bare(base.query)), base.turn.bond
    # The two who talk are no such name.
    if not meant or meant in map(text.fold, (bond.user.username, bond.user.shown_name, bond.persona.name)):
        return []
    known = [name for names_of_one in load_known_names(bond) for name in names_of_one]
    known += [one.text for line in lines for one in names.find(line.content)]
    name = next((name for name in known if text.fold(name) == meant), "")
    wish = RuleAct(kind=Kind.FORGET, op=Op.FORGET, content=name, lines=(len(lines) - 1,), is_whole=True)
    return [wish] if name else []


def asks_to_forget(reply: str) -> bool:
    """Whether the companion asks in a reply about forgetting something."""
    return any(OF_FORGETTING.search(one) and passages.is_question(one) for one in sentences.split(reply))


def is_choice(said: str, reply: str) -> bool:
    """Whether a message answers the question which of several things shall be forgotten."""
    is_asked = OF_FORGETTING.search(reply) and _ASKS_WHICH.search(reply)
    is_named = len(said) <= CHOICE_MOST and not (passages.is_question(said) or told_before.OF_SELF.match(said))
    return bool(is_asked) and is_named


def get_last_reply(base: BaseContext) -> str:
    replies = (one.content for one in reversed(base.recent_messages) if one.role == Message.Role.PERSONA)
    return next(replies, "")
