"""Answers a question of the past that memory is not sure of: as something believed, as something near, or as unknown."""

from collections.abc import Sequence

from echovessel import lazy_re as re
from echovessel.llm.inputs import Certainty
from echovessel.llm.offline.reply.asking import asked_names, content_words, evidence, question_kinds
from echovessel.llm.offline.reply.context import JUST_TOLD, Memory, ReplyContext
from echovessel.llm.offline.reply.hearing import tones
from echovessel.llm.offline.reply.recall import known_facts, memory_sentences, retrieval, user_statements, weighing
from echovessel.llm.offline.reply.recall.weighing import FoundAnswer
from echovessel.llm.offline.reply.writer import Writer
from echovessel.llm.offline.text import changes, lexicon, names, referents, sentences

_CLOSE_FIT = 4
# Of a longer memory only a sentence is quoted.
_BRIEF = 120
# Who is glad is reminded of nothing heavy.
_GLAD = (tones.Tone.JOY, tones.Tone.RELIEF)
_TOLD_OF = re.compile(
    r"我(?:有没有|之前|以前|是不是)?[跟和对]?你?[说提讲]过(?:我们?的?)?(?P<what>(?![什啥哪谁怎几])[^，,。？?的]{1,8}(?:的[^，,。？?的]{1,6})?)(?<!事)(?<!事情)(?:的?事情?)?(?:吗|没有?)\W*$"
    r"|^我(?:现在|周末|周[一二三四五六日天]|每[天周]|早上|晚上)*还(?:在)?(?P<still>[\u4e00-\u9fff]{2,4}?)[吗么]\W*$|^(?:你还?记得)?我的?(?P<part>[腰胃腿脚手头眼牙背肩肝肺肾])(?:怎么|咋)[样了啦]*吗?\W*$"
)
_UNSURE = (Certainty.UNSURE, Certainty.TIP, Certainty.UNKNOWN)


def hedge(asked: str, writer: Writer) -> str:
    """Answer by how sure memory is, with a question back; "" where it is sure, or a noted fact answers."""
    if told := _find_told_of(writer.context, asked):
        return memory_sentences.tell(FoundAnswer(told, 1), writer)
    if writer.context.inputs.certainty not in _UNSURE or known_facts.find_of_slot(writer.context, asked):
        return ""
    found = retrieval.find_answers(writer.context, asked)
    # What words and the vector find is sure.
    near, cosine = user_statements.find_nearest(writer.context, asked) or (None, 0.0)
    if found and (
        found[0].is_over
        or (cosine >= user_statements.ANSWERS and near and near.text in found[0].memory.text)
        or _is_said(found[0], asked, writer.context)
        or any(
            one.is_noted and (one.is_sufficient or content_words.share(one.memory.text, asked) == 1) for one in found
        )
    ):
        return ""
    if writer.context.inputs.certainty is Certainty.UNSURE or (found and _names_asked(found[0], asked)):
        return say_of(found[0].memory, "believed", writer) if found and _bears(found[0], asked) else ""
    if lexicon.matches("ASKS_EVERYTHING", asked):
        return ""
    kind, is_bearing = question_kinds.classify_question(asked), bool(found) and _bears(found[0], asked)
    # A word of a line says nothing of one's job or age.
    is_own = kind in question_kinds.OWN
    answer = (known_facts.tell_over(asked, writer) if is_own else "") or tell_nearest(asked, writer)
    is_of_one = question_kinds.asks_one_thing_of_kin(asked) and (kind == "called" or not is_bearing)
    if answer or is_own or is_of_one:
        return answer or writer.say("never_told")
    alike = find_nearest(found) if is_bearing else _find_alike(writer.context, asked)
    return say_of(alike, "near", writer) if alike else writer.say("never_told")


def _find_told_of(context: ReplyContext, asked: str) -> Memory | None:
    """Return what was told last of what one asks whether one has told of it: 我跟你说过我的胃吗."""
    of_what = _TOLD_OF.search(asked)
    if of_what is None:
        return None
    told = reversed([one for one in user_statements.list_told(context) if not one.is_joined])
    if still := of_what["still"]:
        # 鱼不钓了 tells the end of 钓鱼.
        return next(
            (one for one in told if changes.tells_end(one.text) and {*still[still[2:] != "" :]} <= {*one.text}), None
        )
    parts = (of_what["what"] or of_what["part"]).split("的")
    return next((one for one in told if all(part in one.text for part in parts)), None)


def name_asked(context: ReplyContext, question: str, earlier: Sequence[str]) -> str:
    """Return a question with the name of whom "he" means; as it is where of that one nothing is told that bears on it."""
    named = referents.name_asked(question, earlier=earlier)
    told = retrieval.find_answers(context, named) if named != question else []
    is_answered = bool(told) and told[0].is_named and not told[0].has_name_alone
    return question if not is_answered and any(one.has_name_alone for one in told) else named


def is_beside(one: FoundAnswer, question: str) -> bool:
    """Whether what was found shares a name or a word with the question, and tells another thing: "Is Cian married?"."""
    if one.is_over or one.is_noted:
        return False
    text, kind = one.memory.text, question_kinds.classify_question(question)
    lacks_name = kind == "called" and not (question_kinds.WHO.search(question) or sentences.is_tagged(question))
    lacks_name = lacks_name and not any(name.text not in question for name in names.find(text))
    if lacks_name or (kind == "how_many" and content_words.lacks_thing(text, question)):
        return True
    shared = content_words.share(text, question)
    is_of_self = question_kinds.OF_SELF.search(question) is not None
    if is_of_self and lexicon.matches("THIRD_PERSON", text) and not lexicon.matches("MYSELF", text):
        # "Did I run a marathon?" is not answered by "he's training for one".
        return True
    if question_kinds.IS_SO_ENGLISH.search(question) and not is_of_self:
        return shared < 1
    called = [re.escape(name.text) for name in names.find(text)]
    rest = re.sub("|".join(called) or "(?!)", " ", question)
    if lexicon.is_chinese(question) and not kind and lexicon.find_kin(question) and "说" not in question:
        beyond = content_words.list_all(question_kinds.KIN.sub(" ", question))
        return bool(beyond) and shared < 1 and not beyond & content_words.list_told(text)
    if one.is_named and not kind and content_words.list_all(rest):
        return content_words.share(text, rest) == 0
    # A day, a place or a number in it says nothing where all that is shared is one word of two. Chinese pairs are no words.
    is_linked = (
        kind not in question_kinds.NEEDS_EVIDENCE or one.is_named or shared > 0.5 or lexicon.is_chinese(question)
    )
    is_linked = is_linked or bool(lexicon.find_concepts(question) & lexicon.widen(lexicon.find_concepts(text)))
    return not (is_linked and (one.is_sufficient or shared >= 0.5))


def find_related(context: ReplyContext, question: str) -> Memory | None:
    """Return what is related to a question without answering it, of equals the newest: the cat, when its name is asked for."""
    told = [
        one
        for one in user_statements.list_told(context)
        if not (user_statements.is_own_doing(one.text, question) or evidence.lacks_asked(one.text, question))
    ]
    found = [(weighing.score(memory.text, question), memory) for memory in told]
    best_fit, memory = max(reversed(found), key=lambda one: (one[0], _is_brief(one[1])), default=(0, None))
    is_near = best_fit >= weighing.CONCEPT_FIT or (
        best_fit > 0 and memory is not None and content_words.share(memory.text, question) > 0.5
    )
    return memory if is_near else None


def _is_brief(memory: Memory) -> bool:
    """Whether it may be quoted whole: what fits as well comes nearer than the long text of several messages."""
    return sentences.measure_width(memory.text) <= _BRIEF


def bridge(writer: Writer) -> str:
    """Quote a memory that fits the message, and that the user did not ask to leave alone; "" where they set something right."""
    if (
        changes.is_correction(writer.context.burst)
        or changes.is_change(writer.context.burst)
        or lexicon.is_of_named(writer.context.burst)
    ):
        return ""
    recalled = (*writer.context.memories, *writer.context.quotes)
    is_glad = tones.find_tone(writer.context.burst) in _GLAD
    fitting = (memory for memory in recalled if weighing.score(memory.text, writer.context.burst) >= _CLOSE_FIT)
    fitting = (one for one in fitting if not (is_glad and tones.find_tone(one.text) in tones.HEAVY_TONES))
    found = next((memory for memory in fitting if _may_be_quoted(memory, writer.context)), None)
    quote = memory_sentences.cite(_find_bearing(found, writer.context.burst)) if found else ""
    if found is None or any(quote.strip("“”") in said for said in writer.context.replies):
        return ""
    if quote[0] != "“":
        return writer.say("retold", quote=quote)
    return writer.say("bridge", quote=quote, **memory_sentences.say_when(found, writer.words))


def _find_bearing(memory: Memory, burst: str) -> str:
    """Return of a long memory the sentence that has most to do with what is said."""
    said = [memory.text] if _is_brief(memory) else sentences.split(memory.text)
    return max(said, key=lambda one: weighing.score(one, burst))


def _may_be_quoted(memory: Memory, context: ReplyContext) -> bool:
    # What was told so lately nobody is reminded of, nor of what they say just now.
    is_new = memory.age is not None and memory.age.unit in JUST_TOLD
    tells_more = not lexicon.stem_content(memory.text) <= lexicon.stem_content(context.burst)
    return tells_more and not (is_new or context.is_unwelcome(memory.text))


def _is_said(one: FoundAnswer, asked: str, context: ReplyContext) -> bool:
    """Whether the user answered it plainly in the messages of the window: with all words of the question, or of its kind."""
    said = "\n".join((*(line.text for line in context.user_messages), *user_statements.map_restated(context).values()))
    if not all(part.rstrip(".。") in said for part in sentences.split(one.memory.text)):
        return False
    is_of_kind = question_kinds.classify_question(asked) in (*question_kinds.OWN, "their_job")
    is_of_kind = is_of_kind or content_words.find_verb(asked) in [*one.memory.text]
    return one.is_over or (is_of_kind and one.is_sufficient) or content_words.share(one.memory.text, asked) == 1


def tell_nearest(asked: str, writer: Writer) -> str:
    """Quote what the user said that is nearest to a question by its vector, where no words answer it; "" where nothing is."""
    near, cosine = user_statements.find_nearest(writer.context, asked) or (None, 0.0)
    return say_of(near, "believed" if cosine >= user_statements.ANSWERS else "near", writer) if near else ""


def find_nearest(found: Sequence[FoundAnswer]) -> Memory:
    """Return the best, of equals what is brief."""
    alike = (one.memory for one in found if one is found[0] or one.fit == found[0].fit)
    return next(filter(_is_brief, alike), found[0].memory)


def _names_asked(one: FoundAnswer, asked: str) -> bool:
    """Whether it holds the one name asked for, and all words of the question: "my greyhound Biscuit" names the dog."""
    return bool(one.answer) and one.is_sufficient and content_words.share(one.memory.text, asked) == 1


def _bears(one: FoundAnswer, asked: str) -> bool:
    """Whether it shares more with the question than a word of many, and more than whom both name."""
    text = one.memory.text
    whom = [*(name.text for name in names.find(asked)), *asked_names.find_capitalised(asked, text)]
    beyond = content_words.list_all(asked) - content_words.list_all(" ".join(whom))
    is_of_matter = not beyond or bool(beyond & content_words.list_told(text))
    return one.is_related or (content_words.share(text, asked) >= 0.5 and is_of_matter)


def _find_alike(context: ReplyContext, question: str) -> Memory | None:
    """Return what is of the same kind as what is asked for: a dog, where a cat's name is asked for.

    The language of the question goes before another, more of the kind before less, a single sentence before several.
    """
    is_chinese, kind = lexicon.is_chinese(question), question_kinds.classify_question(question)
    needs = kind in ("age", "grade", "their_job", "illness")
    found = [
        (lexicon.is_chinese(memory.text) == is_chinese, shared, -len(sentences.split(memory.text)), at, memory)
        for at, memory in enumerate(user_statements.list_told(context))
        if (shared := _count_shared(memory.text, question))
        and not evidence.lacks_asked(memory.text, question)
        and (evidence.has_evidence(memory.text, kind) or not needs)
    ]
    return max(found, key=lambda one: one[:-1])[-1] if found else None


def _count_shared(text: str, question: str) -> int:
    asked, told = lexicon.find_concepts(question), lexicon.find_concepts(text)
    # One relative says nothing of another, though both are parents.
    alike = {"pet"} & lexicon.widen(asked) & lexicon.widen(told)
    shared = (asked & lexicon.widen(told)) | (lexicon.widen(asked) & told - {"family"}) | alike
    return len(shared) or int(weighing.score(text, question) >= weighing.CONCEPT_FIT)


def say_of(memory: Memory, kind: str, writer: Writer) -> str:
    quote = memory_sentences.cite(memory_sentences.mark_gaps(memory))
    return writer.say(kind, quote=quote, **memory_sentences.say_when(memory, writer.words))
