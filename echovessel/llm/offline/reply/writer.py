"""Writes a reply in the sayings of one language, given what is known and what was heard."""

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

from echovessel.llm.offline import pronouns
from echovessel.llm.offline.chinese import sayings as chinese_sayings
from echovessel.llm.offline.reply import saying_choice
from echovessel.llm.offline.reply.context import ReplyContext
from echovessel.llm.offline.reply.hearing.message_analysis import MessageAnalysis
from echovessel.llm.offline.reply.saying_choice import SayingChoice


@dataclass(frozen=True)
class Writer:
    context: ReplyContext
    heard: MessageAnalysis
    words: ModuleType

    @cached_property
    def sayings(self) -> SayingChoice:
        fitting = self.words.SAYINGS
        if self.context.inputs.off_record:
            fitting = saying_choice.leave_out_keeping(fitting, instead=fitting["unmet_off_record"])
        return SayingChoice(fitting, said=self.context.replies, seed=self.heard.burst)

    @cached_property
    def questions(self) -> SayingChoice:
        return SayingChoice(self.words.QUESTIONS, said=self.context.replies, seed=self.heard.burst)

    @property
    def is_in_chinese(self) -> bool:
        return self.words is chinese_sayings

    def say(self, kind: str, **values: str) -> str:
        """Return a saying of the kind; "" where there is none whose slots are known."""
        # Sentences that end in the name have their own full stop.
        me = self.context.persona_name.rstrip(".")
        return self.sayings.choose(kind, **{"me": me, "you": self.context.user_name, **values})

    def ask(self, kind: str, **values: str) -> str:
        """Return a question of the kind; "" where none is due."""
        if not saying_choice.is_question_due(self.context.replies) or self.context.doubt is not None:
            return ""
        return self.questions.choose(kind, **values)

    def say_and_ask(self, kind: str) -> str:
        return self.join(self.say(kind), self.ask(kind))

    def join(self, *parts: str) -> str:
        return ("" if self.is_in_chinese else " ").join(filter(None, parts))

    def join_doubt(self, *parts: str) -> str:
        """Join the parts of a reply, and ask about what is not certain at its end."""
        said = self.join(*parts)
        return self.join(said, self._ask_about_doubt(said))

    def _ask_about_doubt(self, said: str) -> str:
        """Ask about what is not certain, unless the user has just told of a loss or the reply asks something already."""
        doubt = self.context.doubt
        if doubt is None or self.heard.is_heavy or saying_choice.asks(said):
            return ""
        if doubt.kind == "ambiguous":
            return self.say("clear_up", a=doubt.this, b=doubt.that)
        kind = "alone" if doubt.kind == "contradiction" and not doubt.that else doubt.kind
        this, that = (pronouns.address_told(side) for side in (doubt.this, doubt.that))
        return self.say(f"clear_up_{kind}", a=this, b=that)
