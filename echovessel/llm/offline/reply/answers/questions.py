"""Answers a question: about the companion, for a view, for what was told, or for what only a model server knows."""

from collections.abc import Callable
from dataclasses import dataclass

from echovessel import lazy_re as re
from echovessel.llm.inputs import Certainty
from echovessel.llm.offline.reply.answers import persona_answers
from echovessel.llm.offline.reply.asking import content_words, evidence, question_kinds
from echovessel.llm.offline.reply.context import ReplyContext
from echovessel.llm.offline.reply.hearing.message_analysis import MessageAnalysis
from echovessel.llm.offline.reply.hearing.tones import HEAVY_TONES
from echovessel.llm.offline.reply.recall import known_facts, memory_sentences, recollection, retrieval, user_statements
from echovessel.llm.offline.reply.recall.weighing import FoundAnswer
from echovessel.llm.offline.reply.writer import Writer
from echovessel.llm.offline.text import cue_matching, lexicon, referents, sentences

# What is answered with a fixed saying, in the order they are looked for.
_PLAIN = {
    "ASKS_IF_TIRED_OF": "never_tired",
    "ASKS_WHAT_IT_IS": "what_it_is",
    "ASKS_WHO": "who",
    "ASKS_HOW_YOU_ARE": "how_i_am",
}
_OF_THIS_CHAT = {"ASKS_FIRST": user_statements.find_first_statement, "ASKS_LAST": user_statements.find_last_statement}
# 我手是怎么受伤的 wants an answer, not comfort.
_ASKS_HOW_DONE = re.compile(r"我[^，,。]{0,6}(?:怎么|咋)[^么了样办]{1,4}的\W*$")
# 我开什么店？卖什么？
_SUBJECT = re.compile(r"[我你他她它]")
# "Who is Steve?", of whom nothing was told.
_STRANGER = re.compile(
    r"^\W*(?:(?i:and|so|but) )?(?i:who(?:'s| is| was)) ([A-Z][\w'-]*(?: [A-Z][\w'-]*)?)\W*$|^(?:那|所以)?(?![你我他她它这那])([\u4e00-\u9fff·]{2,5}?)(?:又|到底|究竟)?是(?:谁|什么人|哪位)[呀啊呢来着]*\W*$"
)


@dataclass(frozen=True)
class Answerer:
    writer: Writer
    # Says what comforts, where a question is told heavily.
    comfort: Callable[[], str]

    @property
    def context(self) -> ReplyContext:
        return self.writer.context

    @property
    def heard(self) -> MessageAnalysis:
        return self.writer.heard

    def answer(self) -> str:
        """Answer what the message asks; "" where it asks nothing that wants an answer."""
        earlier = [line.text for line in self.context.user_messages]
        asked = self.heard.asked or referents.carry_over(self.heard.burst, "".join(earlier[-1:]))
        greets = lexicon.matches("GREETING", asked) and sentences.is_small_talk(asked) and not self.heard.known_animal
        if not asked or greets or lexicon.matches("FAREWELL", asked) or self.heard.is_teased:
            return ""
        for pattern, kind in _PLAIN.items():
            if lexicon.matches(pattern, asked):
                fitting = kind if kind != "who" or self.context.persona_name else "what_it_is"
                return (kind == "how_i_am" and self._tell_mood()) or self.writer.say_and_ask(fitting)
        if cue_matching.has_cue("CLOCK", asked):
            today, words = self.context.today, self.writer.words
            told = {"weekday": words.WEEKDAYS[today.weekday()], "date": words.DATE.format(today)}
            return self.writer.say("clock", time=self.context.time, **told)
        for cue, find_statement in _OF_THIS_CHAT.items():
            if cue_matching.has_cue(cue, asked) and (said := find_statement(self.context)):
                return memory_sentences.tell(FoundAnswer(said, 1), self.writer)
        earlier += [said for said in self.heard.sentences if sentences.is_question(said) and said not in asked]
        named = recollection.name_asked(self.context, question_kinds.ask_in_full(asked), earlier)
        return self._answer_two(asked) or self._answer_one_question(referents.complete(named, earlier=earlier))

    def _answer_two(self, asked: str) -> str:
        """Answer two questions, of which a message has nothing else: "What's my cat called? How old is she?"; "" where nothing told answers the first."""
        both = [lexicon.normalise(one) for one in self.heard.sentences]
        if len(both) != 2 or both[0] in asked or not all(map(sentences.is_question, both)):
            return ""
        first, second = both
        told = retrieval.find_answers(self.context, first)[:1]
        second = recollection.name_asked(self.context, second, [first, *(one.memory.text for one in told)])
        more = retrieval.find_answers(self.context, second := referents.complete(second, earlier=[first]))[:1]
        if not told and not known_facts.find_of_slot(self.context, first):
            return ""
        kind = question_kinds.classify_question(second)
        verb = "" if _SUBJECT.search(second) or lexicon.find_kin(second) else content_words.find_verb(second)
        # One thing told may answer both.
        is_enough = any(
            (verb and verb in one.memory.text)
            or (evidence.has_evidence(one.memory.text, kind) if not more else one.memory.text == more[0].memory.text)
            for one in told
        )
        told_first = self._recall(first)
        return told_first if is_enough else self.writer.join(told_first, self._answer_one_question(second))

    def _tell_mood(self) -> str:
        """Say how the companion feels; "" where that is as always, or told in another language than the reply's."""
        if not (mood := self.context.mood) or lexicon.is_chinese(mood) != self.heard.is_chinese:
            return ""
        return self.writer.join(self.writer.say("how_i_feel", mood=mood), self.writer.ask("how_i_am"))

    def _answer_one_question(self, asked: str) -> str:
        asks_told = any(lexicon.matches(name, asked) for name in ("ASKS_MEMORY", "ASKS_WHAT_IS_KNOWN"))
        asks_own = asks_told or question_kinds.classify_question(asked) in (*question_kinds.OWN, "their_job")
        if asks_own and not cue_matching.has_cue("YEARNS", asked):
            return self._recall(asked)
        # "How do I take my tea?" asks for what was told.
        is_told, is_known = known_facts.is_told(self.context, asked), self.context.inputs.certainty is not None
        is_how_to = cue_matching.has_cue("HOW_TO", asked) and not is_told
        for cue, kind in question_kinds.VIEWS.items() if not is_how_to else ():
            is_of_told = (is_told and cue in ("ADVICE", "NAMING")) or (is_known and not self.heard.is_chinese)
            if not (is_of_told and cue in ("NAMING", "ADVICE", "OPINION")) and cue_matching.has_cue(cue, asked):
                wants_comfort = self.heard.is_told_heavily and kind not in question_kinds.COMFORTING
                return self.comfort() if wants_comfort else self.writer.say_and_ask(kind)
        if cue_matching.has_cue("STORY", asked) and (story := persona_answers.tell_story(self.context)):
            return self.writer.say("of_me", text=story)
        is_of_companion = persona_answers.asks_of_companion(self.context, asked)
        is_of_somebody = self.heard.is_chinese or (" about " in asked and not is_of_companion)
        is_help = lexicon.matches("ASKS_FOR_HELP", asked)
        if is_help or (is_of_somebody and lexicon.matches("REQUEST", asked) and not persona_answers.asks_of_own(asked)):
            named = retrieval.find_answers(self.context, asked)
            return self._recall(asked) if named and named[0].is_named else self._refuse(asked)
        if is_of_companion:
            return self._answer_about_persona(asked)
        is_unheard_of = self.context.inputs.certainty is Certainty.UNKNOWN and question_kinds.asks_of_world(asked)
        if is_unheard_of and not retrieval.find_answers(self.context, asked):
            return self._say_unknown(asked)
        if is_known and (is_told or self.heard.tone not in HEAVY_TONES or self.heard.only_asks_facts):
            return self._recall(asked)
        if lexicon.matches("REQUEST", asked):
            return self._refuse(asked)
        is_of_told = not lexicon.matches("DEFINITION", asked) and known_facts.is_of_told(self.context, asked)
        return self._recall(asked) if is_of_told else self._say_unknown(asked)

    def _say_unknown(self, asked: str) -> str:
        """Say that it does not know; "" where that is no answer: to what is told heavily, or wants none."""
        if _ASKS_HOW_DONE.search(asked) and (told := recollection.tell_nearest(asked, self.writer)):
            return told
        if self.heard.tone in HEAVY_TONES or cue_matching.has_cue("RHETORICAL", asked):
            return ""
        if over := known_facts.tell_over(asked, self.writer):
            return over
        if told := self._ask_back_who(asked) or recollection.tell_nearest(asked, self.writer):
            return told
        near = "" if lexicon.matches("DEFINITION", asked) else self._tell_near(asked, [])
        kind = "unknown" if question_kinds.asks_of_world(asked) else "untold"
        return near or ("" if sentences.is_tagged(asked) else self.writer.say(kind))

    def _ask_back_who(self, asked: str) -> str:
        who = _STRANGER.match(asked)
        return self.writer.say("unknown_name", name=who[1] or who[2]) if who else ""

    def _refuse(self, asked: str) -> str:
        """Say what takes a model server, once in a session at length."""
        if cue_matching.has_cue("JOKE", asked):
            return self.writer.say("joke")
        said, kind = self.writer.say("request"), "play" if cue_matching.has_cue("PLAY", asked) else "request"
        return self.writer.join(
            self.writer.say("request_again") if self.writer.sayings.is_said(said) else said, self.writer.ask(kind)
        )

    def _recall(self, question: str) -> str:
        asked = lexicon.normalise(question)
        of_kin = known_facts.list_of_family(self.context, asked)
        if not of_kin and (hedged := recollection.hedge(asked, self.writer)):
            return hedged
        is_of_words = question_kinds.SAID_BY_OTHER.search(asked) is not None
        is_wide = lexicon.matches("ASKS_EVERYTHING", asked) and not (question_kinds.asks_of_one(asked) or is_of_words)
        if is_wide and (noted := known_facts.list_known(self.writer)):
            return self.writer.join_doubt(noted, self._quote(known_facts.list_besides(self.context, noted)))
        if of_kin:
            told, beside = memory_sentences.tell(FoundAnswer(of_kin[0], 1), self.writer), of_kin[1:]
            quotes = [*dict.fromkeys(memory.text.rstrip(" .。") for memory in beside)][: known_facts.BESIDES_MOST]
            return self.writer.join_doubt(told, self._quote(quotes))
        found = retrieval.find_answers(self.context, asked)
        if facts := known_facts.find_noted(self.context, asked, found):
            further = self._quote(known_facts.list_further(asked, found, facts))
            is_doubted = not self.context.said_since.keys().isdisjoint(facts)
            since = "" if is_doubted or not found else self._tell_since(asked, found[0])
            return self.writer.join_doubt(self.writer.join(known_facts.tell(facts, self.writer), since), further)
        if is_wide and not (found and found[0].is_related):
            found = [FoundAnswer(memory, 1) for memory in known_facts.list_about_user(self.context)]
        if not found or (not is_wide and recollection.is_beside(found[0], asked)):
            return self.writer.say("nothing_yet") if is_wide else self._say_not_told(asked, found)
        told = memory_sentences.tell(found[0], self.writer)
        told = told if is_wide else self.writer.join(told, self._tell_since(asked, found[0]))
        besides = known_facts.list_besides(self.context, told) if is_wide else known_facts.list_further(asked, found)
        return self.writer.join_doubt(told, self._quote(besides))

    def _tell_since(self, asked: str, found: FoundAnswer) -> str:
        later = retrieval.find_told_later(self.context, asked, found)
        return self.writer.say("said_since", quote=memory_sentences.shorten(later)) if later else ""

    def _quote(self, texts: list[str]) -> str:
        return self.writer.say("also", quote=self.writer.join(*map(memory_sentences.cite, texts))) if texts else ""

    def _say_not_told(self, asked: str, found: list[FoundAnswer]) -> str:
        if over := known_facts.tell_over(asked, self.writer):
            return over
        if not found and (stranger := self._ask_back_who(asked)):
            return stranger
        if told := recollection.tell_nearest(asked, self.writer):
            return told
        kind = question_kinds.classify_question(asked)
        if kind == "name" and self.context.user_name:
            return self.writer.say("by_account")
        if kind not in question_kinds.OWN and (near := self._tell_near(asked, found)):
            return near
        return (
            self.writer.say_and_ask("forgot")
            if self.context.inputs.certainty is None
            else self.writer.say("never_told")
        )

    def _tell_near(self, asked: str, found: list[FoundAnswer]) -> str:
        near = recollection.find_nearest(found) if found else recollection.find_related(self.context, asked)
        if near is None or question_kinds.asks_one_thing_of_kin(asked):
            return ""
        return recollection.say_of(near, "partly", self.writer)

    def _answer_about_persona(self, asked: str) -> str:
        found = list(filter(None, persona_answers.find_answers(self.context, asked)))
        is_told = not self.heard.is_chinese and known_facts.is_told(self.context, asked)
        if not found and self.context.inputs.certainty is not None and (is_told or lexicon.matches("MYSELF", asked)):
            return self._recall(asked)
        told = found or [self.writer.say(persona_answers.choose_unknown(asked))]
        as_ever = self.writer.say("as_ever") if found and persona_answers.asks_how_it_is(asked) else ""
        return self.writer.join(as_ever, self.writer.sayings.choose_unsaid(told), self.writer.ask("of_me"))
