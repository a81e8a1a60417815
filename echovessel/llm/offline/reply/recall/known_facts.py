"""Says what was noted, what could not be, and what is known of the user."""

import re
from collections.abc import Iterable, Sequence
from types import ModuleType

from echovessel.llm.inputs import NotedFact, UnmetWish
from echovessel.llm.offline import pronouns
from echovessel.llm.offline.reply.answers import our_story
from echovessel.llm.offline.reply.asking import content_words, evidence, question_kinds, question_times
from echovessel.llm.offline.reply.context import Memory, ReplyContext
from echovessel.llm.offline.reply.recall import memory_sentences, retrieval, user_statements
from echovessel.llm.offline.reply.recall.weighing import FoundAnswer
from echovessel.llm.offline.reply.writer import Writer
from echovessel.llm.offline.text import cue_matching, happenings, lexicon, names, sentences, slots, unwelcome

# How many facts a reply lists, and how many of those that may have been meant.
_LISTED, _MEANT = 15, 3
# How many things it adds that no fact holds.
BESIDES_MOST = 3
# A message so many times as long as the fact tells more than was asked for.
_MUCH_LONGER = 2
# "Call me Max" says no more than the wish.
_SPEAKS_OF_SELF = re.compile(r"\b(?:i|we|my|our)\b|我", re.IGNORECASE)
_STILL = re.compile("还(?!是|有|给|钱)|现在")
_WISHED = (
    "secret", "unsafe", "full", "off_record", "nothing_to_undo", "not_found", "unsure", "kept", "more", "ambiguous",
    "which_ends", "everything",
)  # fmt: skip


def take_up(writer: Writer) -> str:
    """Say what of the burst was noted, changed, forgotten or undone, and what was not; "" where it asked for nothing."""
    new = [one for one in writer.context.inputs.noted if one.is_new]
    # What was told beside something that is forgotten is kept rather than noted.
    kept = {text for one in writer.context.inputs.unmet if one.code == "kept" for text in one.candidates}
    saved = [one.text for one in new if _is_saved(one) and one.text not in kept]
    said = [writer.say("noted_saved", clause=_enumerate(saved, writer.words))] if saved else []
    said += [_say_noted(one, writer) for one in new if not _is_saved(one)]
    # Two passwords in one message are refused once.
    return writer.join(*said, *dict.fromkeys(_say_unmet(one, writer) for one in writer.context.inputs.unmet))


def _is_saved(noted: NotedFact) -> bool:
    """Whether it is told with others in one sentence. How to talk is answered apart."""
    return noted.op == "saved" and noted.facet != "how_to_talk" and not noted.is_undone


def _say_noted(noted: NotedFact, writer: Writer) -> str:
    if noted.is_undone:
        standing = noted.old or noted.text
        return writer.say("undone_holds" if standing else "undone", clause=pronouns.address(standing))
    if noted.op == "saved":
        return writer.say("noted_manner")
    return writer.say(f"noted_{noted.op}", clause=pronouns.address(noted.text))


def _say_unmet(unmet: UnmetWish, writer: Writer) -> str:
    if unmet.code not in _WISHED:
        return writer.say("unmet")
    return writer.say(f"unmet_{unmet.code}", facts=_enumerate(unmet.candidates[:_MEANT], writer.words))


def find_of_slot(context: ReplyContext, question: str) -> str:
    """Return the fact that answers a question about the user's name, job, home and the like; "" where none does."""
    if question_times.asks_of_past(question):
        return ""
    slots = cue_matching.find_asked_slots(question)
    return next((context.inputs.slots[slot] for slot in slots if slot in context.inputs.slots), "")


def find_noted(context: ReplyContext, asked: str, found: Sequence[FoundAnswer]) -> list[str]:
    """Return the noted facts that answer a question, unless the user's own words do, which say when it was told."""
    if question_kinds.classify_question(asked) == "forbidden" and found:
        noted = [one.memory.text for one in found if one.is_noted]
        return noted if len(noted) > 1 or found[0].is_noted else []
    if fact := find_of_slot(context, asked):
        is_told_so = found and (found[0].is_over or is_told_in(found[0].memory.text, fact))
        return [] if is_told_so else [fact]
    return [found[0].memory.text] if found and found[0].is_noted else []


def list_further(asked: str, found: Sequence[FoundAnswer], facts: Sequence[str] = ()) -> list[str]:
    """List what else was told of what the user takes, or must not: one answer alone would leave out what may harm them."""
    if question_kinds.classify_question(asked) not in ("forbidden", "medicine"):
        return []
    told = [one.memory.text for one in (found if facts else found[1:]) if one.is_sufficient and not one.is_noted]
    before = [*(facts or [one.memory.text for one in found[:1]])]
    further: list[str] = []
    for text in told:
        if not any(is_in(text, one) or is_in(one, text) for one in (*before, *further)):
            further.append(text)
    return further[:BESIDES_MOST]


def is_told(context: ReplyContext, asked: str) -> bool:
    """Whether what was told holds all words of a question."""
    found = retrieval.find_answers(context, asked)
    return bool(found) and content_words.share(found[0].memory.text, asked) == 1


def is_of_told(context: ReplyContext, asked: str) -> bool:
    """Whether a question asks about the user's own life, about somebody they told of, or for what they told in its very words."""
    found = retrieval.find_answers(context, asked)
    kind = question_kinds.classify_question(asked)
    if lexicon.matches("MYSELF", asked):
        return bool(find_of_slot(context, asked) or kind or found)
    if is_told(context, asked):
        return True
    is_of_kind = kind in ("called", "when", "age", "grade", "colour") or lexicon.find_concepts(asked)
    return any(is_of_kind or one.is_named or (kind == "where" and one.is_sufficient) for one in found[:1])


def tell(facts: Sequence[str], writer: Writer) -> str:
    """Tell facts, with what was said since that may change one."""
    said = [(fact, writer.context.said_since[fact]) for fact in facts if fact in writer.context.said_since]
    since = [
        writer.say("said_since", quote=memory_sentences.shorten(memory_sentences.address_user(_cut_to(fact, text))))
        for fact, text in said
    ]
    return writer.join(writer.say("known", clause=_enumerate(facts, writer.words)), *since)


def _cut_to(fact: str, said: str) -> str:
    """Return the sentences that share a word with a fact, of what was said since; all of them where none does."""
    told = sentences.split(said)
    gap = "" if lexicon.is_chinese(said) else " "
    return gap.join(one for one in told if content_words.share(one, fact)) or said


def is_told_in(text: str, fact: str) -> bool:
    """Whether a message tells the fact as a statement of the user, and little else: it has all of its words."""
    if not _SPEAKS_OF_SELF.search(text) or len(text) > _MUCH_LONGER * len(fact):
        return False
    said = {word for word in lexicon.stem_content(pronouns.address(fact)) if "你" not in word}
    return said <= lexicon.stem_content(text)


def tell_over(asked: str, writer: Writer) -> str:
    """Tell the fact that a question asks for and that holds no longer: "am I still vegetarian?"; "" where there is none."""
    inputs = writer.context.inputs
    over = [*inputs.over, *question_times.list_over(inputs.noted)]
    is_of_home = question_kinds.classify_question(asked) == "home"
    having = lexicon.find_concepts(asked) if question_kinds.IS_SO.search(asked) else set()
    fact = next(
        (
            one
            for one in over
            if content_words.share(one, _STILL.sub("", asked)) == 1
            or (having and having <= lexicon.widen(lexicon.find_concepts(one)))
            # A lost job tells where one lives: 在深圳做程序员.
            or (is_of_home and evidence.has_evidence(one, "home"))
        ),
        "",
    )
    # "I'm up to 100 mg now" need not say of what.
    instead = next((one.text for one in reversed(inputs.noted) if one.old == fact and one.op == "changed"), "")
    kind, told = ("known", instead) if instead else ("over", fact)
    return writer.say(kind, clause=pronouns.address(told)) if fact else ""


def list_known(writer: Writer) -> str:
    """List what is noted of the user; "" where nothing is."""
    # The name first.
    of_slots = [
        fact for _, fact in sorted(writer.context.inputs.slots.items(), key=lambda one: one[0] != "preferred_name")
    ]
    known = dict.fromkeys((*of_slots, *writer.context.loaded, *writer.context.inputs.all_known))
    # To list a wish not to bring something up brings it up.
    facts = [fact for fact in known if not (unwelcome.read_subject(fact) or writer.context.is_unwelcome(fact))][
        :_LISTED
    ]
    return writer.say("known_all", facts=_enumerate(facts, writer.words)) if facts else ""


def list_besides(context: ReplyContext, told: str) -> list[str]:
    """List what a reply that told some of what is known may add: of the user's story, else of what they told lately."""
    # What a quote has room for goes before what it cuts off.
    further = [line.text for line in our_story.list_weightiest(context, BESIDES_MOST)] or sorted(
        (memory.text for memory in list_about_user(context) if not memory.is_noted),
        key=lambda text: len(text) > memory_sentences.QUOTE_MOST,
    )
    besides: list[str] = []
    for text in further:
        said = text.casefold()
        is_told = (
            is_in(text, told)
            # Where facts are noted, what fills a slot is one of them, or holds no longer; who names a partner tells more of them.
            or bool(context.loaded and {slot for slot, _ in slots.read_slots(text)} - {"partner"})
            or any(said in one or one.rstrip(".。") in said for one in map(str.casefold, besides))
        )
        if len(besides) < BESIDES_MOST and not is_told and not context.is_unwelcome(text):
            besides.append(text)
    return besides


def list_about_user(context: ReplyContext) -> list[Memory]:
    """List what was told of the user's life and of who is in it, then what happened; all that was not told of the companion where nothing is."""
    told = [memory for memory in user_statements.list_told(context) if not cue_matching.has_cue("TO_YOU", memory.text)]
    of_life = [memory for memory in told if _is_about_user(memory.text)]
    happened = [memory for memory in told if memory not in of_life and happenings.weigh(memory.text)]
    return [*of_life, *happened] or told


def list_of_family(context: ReplyContext, asked: str) -> list[Memory]:
    """List what was told of the user's relatives, noted facts first and then the newest, where a question asks for them all."""
    if lexicon.find_concepts(asked) != {"family"} or not lexicon.matches("ASKS_MEMORY", asked):
        return []
    newest_first = reversed([*user_statements.list_told(context)])
    told = [memory for memory in newest_first if not memory.is_joined]
    of_kin = [memory for memory in told if "family" in lexicon.widen(lexicon.find_own_concepts(memory.text))]
    listed: list[Memory] = []
    for memory in sorted(of_kin, key=lambda memory: not memory.is_noted):
        if not any(memory.text in one.text or one.text in memory.text for one in listed):
            listed.append(memory)
    return listed


def _is_about_user(text: str) -> bool:
    has_somebody = bool(lexicon.find_concepts(text) or names.find(text))
    return lexicon.matches("LIFE", text) or (has_somebody and lexicon.matches("MYSELF", text))


def is_in(text: str, told: str) -> bool:
    """Whether what was told says what a text says: it has most of its words."""
    words = lexicon.stem_content(text)
    return 2 * len(words & lexicon.stem_content(told)) > len(words)


def _enumerate(facts: Iterable[str], words: ModuleType) -> str:
    return str(words.SEMICOLON.join(map(pronouns.address, facts)))
