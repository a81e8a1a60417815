"""Analyses a message: its tone, its subject, who is in it, and which sayings answer it."""

import re
from dataclasses import dataclass
from functools import cached_property

from echovessel.embeddings.feelings import Felt
from echovessel.llm.offline import event_dates, pronouns, vector_feelings
from echovessel.llm.offline.reply.asking import content_words, question_kinds
from echovessel.llm.offline.reply.context import ReplyContext
from echovessel.llm.offline.reply.hearing import corrections, tones
from echovessel.llm.offline.reply.hearing.tones import Tone
from echovessel.llm.offline.text import (
    changes,
    clauses,
    cue_matching,
    feelings,
    lexicon,
    mentions,
    names,
    naming,
    parties,
    sentences,
    topics,
)
from echovessel.llm.offline.text.topic_types import Topic

_LEADS = re.compile(
    r"^\W*(?:(?:and|so|but|hey)\W+)?(?:(?:do )?you know (?:what|why|who|how|where)\b|did i (?:say|mention|tell you)\b)|^你(?:知道|猜)",
    re.IGNORECASE,
)
_LAUGH = re.compile(r"^\W*(?:(?:ha)+h?|lol|hehe|哈+|嘿嘿|嘻嘻)\W*", re.IGNORECASE)
_MAY_COME = re.compile(r"会不会|^[要该]?(?:告诉|通知)[他她]|会[^，,。]{0,12}吗|(?:\bwi|')ll\b[^.,]*\?$", re.IGNORECASE)
# 他 is somebody, 它 may be a pet; a pet that is called 他 is named.
_BEINGS = ("pet", "person")
_GONE = re.compile(r"^\W*[他她它]?(?:走|没|不在)了\W*$")  # So a chat begins where an animal died: 走了.
# Who tells of a loss is not lost: 我妈说它走的时候, "mum says he went quietly".
_TELLER = re.compile(r"^.*?\b(?:said|says|told (?:me|us)|reckons)\b|^[^，,。]{0,8}?(?:说|告诉我)", re.IGNORECASE)
_BARE_WHY = re.compile(r"^\W*(?:and |so |but )?why\W*$|^\W*(?:那|又)?为(?:什么|啥)呢?\W*$", re.IGNORECASE)
_BARE, _HEAVY = 3, -5
_LINES_BEFORE = 3  # With how many messages before it a message is read: behind a loss what is told calmly is of it.
_PLAIN_KINDS = {"UNSETTLED": "unsettled", "EXCLAIMS": "exclaimed", "OUTING": "outing", "AHEAD": "ahead"}


@dataclass(frozen=True)
class MessageAnalysis:
    context: ReplyContext
    burst: str
    is_chinese: bool
    felt: Felt | None = None

    @cached_property
    def sentences(self) -> list[str]:
        return sentences.split(self.burst)

    @cached_property
    def asked(self) -> str:
        """The last question or request of the message; "" where it has none."""
        # "You know what I had? Toast." answers itself.
        leads = [
            at
            for at, said in enumerate(self.sentences[:-1])
            if (at == 0 and _LEADS.match(said)) or clauses.answers(self.sentences[at + 1])
        ]
        is_answered = bool(leads) and not question_kinds.is_asked(self.sentences[-1])
        asking = [said for at, said in enumerate(self.sentences) if not (is_answered and at in leads)]
        # "is jaz ok" asks where memory knows an answer.
        certainty = self.context.inputs.certainty
        is_of_memory = len(asking) == 1 and certainty is not None and certainty.has_answer
        whole = [said for said in asking if not _BARE_WHY.match(said)] or asking
        found = (said for said in reversed(whole) if question_kinds.is_asked(said, is_of_memory=is_of_memory))
        asked = next(map(cue_matching.make_direct, found), "")
        is_lost = tones.is_at_a_loss(asked, self.context.earlier[-_LINES_BEFORE:])
        return "what should I do?" if is_lost else asked

    @cached_property
    def tone(self) -> Tone:
        tone = tones.find_tone(parties.name_exes(self.burst, self._told))
        tone = tones.find_tone(self._named_by_kind) if tone == Tone.CALM and self.known_animal else tone
        if glad := tones.find_glad_tears(self.burst, self.context.earlier[-_LINES_BEFORE:]):
            return glad
        is_of_animal = self.context.is_opening and _GONE.match(self.burst) and self._list_animals()
        is_of_dead = changes.tells_passing(self.burst, self._told) or tones.misses_dead(self.burst, self._told)
        if is_of_animal or (tone == Tone.CALM and is_of_dead):
            return Tone.GRIEF
        tone = Tone.CALM if tone in tones.HEAVY_TONES and self._is_asked_of_others else tone
        return tones.weigh(tone, self._told_feeling, before=self.context.earlier[-2 * _LINES_BEFORE :])

    @cached_property
    def _told_feeling(self) -> Felt | None:
        """What the vector tells of feelings where the message tells something, and neither asks nor sets right."""
        is_greeting = self.only_greets and lexicon.count_words(self.burst) <= _BARE
        is_silent = self.asked or self._sets_right or is_greeting or all(map(sentences.is_small_talk, self.sentences))
        return None if self.felt is None or is_silent else vector_feelings.doubt(self.felt, self.burst)

    @cached_property
    def _sets_right(self) -> bool:
        return corrections.sets_right(self.burst, self._told)

    @cached_property
    def _named_by_kind(self) -> str:
        """The message with an animal for its name, since words for a loss are read beside a kind: 墨汁走了."""
        animal = "猫" if self.is_chinese else "the cat"
        return self.burst.replace(self.known_animal, animal) if self.known_animal else self.burst

    @property
    def _is_asked_of_others(self) -> bool:
        """Whether the message only asks, and neither of the user nor of theirs: "Is it lonely out there?"."""
        return not cue_matching.has_cue("AFRAID", self.burst) and all(
            question_kinds.is_asked(said)
            and not lexicon.find_concepts(said)
            and not any(lexicon.matches(name, said) for name in ("MYSELF", "THIRD_PERSON"))
            for said in self.sentences
        )

    @property
    def is_bare(self) -> bool:
        """Whether of so few words, without a number or somebody in them, little can be taken up."""
        is_short = lexicon.count_words(self.burst) <= _BARE and self.kind == "calm" and not self.echo
        return is_short and not (re.search(r"\d", self.burst) or lexicon.matches("THIRD_PERSON", self.burst))

    @property
    def only_greets(self) -> bool:
        """Whether it greets, and tells nothing behind it: "morning. they let nan out!!" tells."""
        rest = [said for said in self.sentences if not lexicon.matches("GREETING", said) or self.known_animal]
        tells = any(lexicon.find_concepts(said) or said.endswith("!!") for said in rest)
        return len(rest) < len(self.sentences) and not tells

    @property
    def only_asks_facts(self) -> bool:
        """Whether the message is one question for somebody, a day, a place or a number: "whose dad died" asks for no comfort."""
        return len(self.sentences) == 1 and cue_matching.asks_fact(self.burst)

    @property
    def is_teased(self) -> bool:
        """Whether the question teases by more than a laugh before it: 哈哈你会打游戏吗 only asks."""
        return tones.find_tone(_LAUGH.sub("", self.burst)) == Tone.TEASING

    @property
    def is_told_heavily(self) -> bool:
        """Whether the message is heavy, and not only by what it asks may come: 你觉得我会被裁吗."""
        told = "\n".join(said for said in self.sentences if not _MAY_COME.search(said))
        return tones.find_tone(told) in tones.HEAVY_TONES

    @cached_property
    def subject(self) -> str:
        return tones.find_subject(parties.name_exes(self.burst, self._told), self.tone)

    @cached_property
    def is_heavy(self) -> bool:
        felt = (feeling.impact for said in self.sentences for feeling in feelings.find_feelings(said))
        may_be = self.tone == Tone.CALM and self._told_feeling is not None
        return may_be or self.tone == Tone.GRIEF or min(felt, default=0) <= _HEAVY

    @cached_property
    def topics(self) -> list[Topic]:
        """The topics of the message, with what was said of them just before."""
        said = topics.group(enumerate([*self.context.earlier[-_LINES_BEFORE:], self.burst]))
        return [topic for topic in said if any(one.text in self.burst for one in topic.sentences)]

    @cached_property
    def kind(self) -> str:
        """The kind of sayings that fit: for somebody new, for the subject, else for the tone."""
        if self.tone == Tone.GRIEF:
            of_somebody = "grief_again" if cue_matching.has_cue("STILL_MISSED", self.burst) else "grief"
            return "pet_loss" if self._is_of_animal and not self._lost else of_somebody
        if (lexicon.find_pets(self.burst) or self._kind_of_pet()) and cue_matching.has_cue("PET_ILL", self.burst):
            return "pet_ill"
        if self.tone == Tone.FEAR and cue_matching.has_cue("NERVES", self.burst) and not self.is_heavy:
            return "nerves"
        if self._sets_right and not self.is_heavy:
            return "set_right"
        if self.subject not in ("", *tones.LIGHT_SUBJECTS):
            return self.subject
        if self._told_feeling and self.tone == Tone.CALM and not (self.new_name and self._kind_of_pet()):
            return "moved"
        if self.new_name and self._takes_up_name and not cue_matching.has_cue("HEED", self.sentences[-1]):
            is_own = self.new_name == naming.find_in(self.burst)
            return "you_are" if is_own else "pet_named" if self._kind_of_pet() else "named"
        if self.tone == Tone.FEAR and not self.subject and not cue_matching.has_cue("AFRAID", self.burst):
            return "worry"
        if self.subject or self.tone != Tone.CALM:
            return self.subject or str(self.tone)
        return self._kind_of_plain()

    def _kind_of_plain(self) -> str:
        if cue_matching.has_cue("ATTRIBUTES", self.burst):
            return "attributed"
        if any(cue_matching.has_cue("HEED", said) for said in (self.burst, *self.sentences[-1:])):
            return "heeded"
        if self.who and not cue_matching.has_cue("OUTING", self.burst):
            return "kin"
        before = self.context.earlier[-_LINES_BEFORE:]
        lately = [Tone.GRIEF if changes.tells_passing(line, self._told) else tones.find_tone(line) for line in before]
        is_sad = Tone.SADNESS in lately[-1:] and not cue_matching.has_cue("EXCLAIMS", self.burst)
        heavy = {Tone.GRIEF, Tone.FEAR, Tone.SADNESS} if cue_matching.has_cue("OUTING", self.burst) else {Tone.GRIEF}
        if is_sad or heavy & {*lately}:
            return "beside"
        if pet := self._kind_of_pet():
            return pet
        for cue, kind in _PLAIN_KINDS.items():
            if cue_matching.has_cue(cue, self.burst) and not (kind == "ahead" and event_dates.is_of_past(self.burst)):
                return kind
        # Who has just heard their words again, and not a name alone, wants others, also in another reply to the same.
        heard = lexicon.stem_content(" ".join((*self.context.earlier[-1:], self.burst)))
        is_heard = any(len(lexicon.stem_content(said) & heard) > 1 for said in self.context.replies[-1:])
        return "calm" if is_heard else "echoed" if self.echo else "taken_up" if self.thing else "calm"

    @cached_property
    def echo(self) -> str:
        """What the user says of themselves, in the second person, unless they take some of it back."""
        return "" if changes.is_correction(self.burst) else pronouns.turn_clause(self.burst)

    @cached_property
    def thing(self) -> str:
        return content_words.find_thing(self.burst)

    @property
    def _takes_up_name(self) -> bool:
        """Whether a new name is what the message tells, not great news, a blow or a day: "I see Dr Shah on Thursday"."""
        if self.tone != Tone.JOY:
            return self.tone == Tone.CALM and not cue_matching.has_cue("AHEAD", self.burst)
        return not (self.subject or self._told_feeling) and self.new_name in self.sentences[0]

    @cached_property
    def values(self) -> dict[str, str]:
        """The values for the slots of sayings; those with a capital may begin a sentence."""
        return {
            "who": self.who,
            "Who": self.who[:1].upper() + self.who[1:],
            "name": self.new_name or self.known_name,
            "echo": self.echo,
            "thing": self.thing,
        }

    @cached_property
    def who(self) -> str:
        """The user's relative of whom the message speaks."""
        is_of_another = self._is_of_animal or pronouns.is_of_other(self._until_loss) or _TELLER.match(self.burst)
        if self.tone == Tone.GRIEF and (self._lost or is_of_another):
            return self._lost
        return pronouns.turn_kin(pronouns.leave_others(self.burst, self._told))

    @cached_property
    def _lost(self) -> str:
        """The relative whom a message in grief tells of: the last one up to the words for it (我和我妈住，我爸走了), but for who tells it."""
        return "" if pronouns.is_of_other(self._until_loss) else pronouns.turn_last_kin(self._until_loss)

    @cached_property
    def _until_loss(self) -> str:
        said = pronouns.leave_others(self._named_by_kind, self._told)
        return _TELLER.sub("", lexicon.normalise(said)[: tones.find_cue_end(said, Tone.GRIEF) or None])

    @property
    def _is_of_animal(self) -> bool:
        return bool(lexicon.find_pets(self._named_by_kind)) or "它" in self.burst

    @cached_property
    def new_name(self) -> str:
        """A name that is said for the first time: the user's own, or somebody's."""
        if own := naming.find_in(self.burst):
            return "" if any(naming.find_in(line.text) == own for line in self.context.user_messages) else own
        before = "\n".join(self._told)
        fresh = [name for name in self._names if name.text in self.burst and name.text not in before]
        fresh = fresh if self.is_chinese else [name for name in fresh if name.kind in _BEINGS]
        # Of several no one is what the message is about.
        return fresh[0].text if len(fresh) == 1 and fresh[0].kind in _BEINGS else ""

    @cached_property
    def known_name(self) -> str:
        """The name of whom the message speaks: named here or just before, or a pet of an earlier session."""
        beings = [name for name in self._names if name.kind in _BEINGS]
        here = {name.text for name in beings if mentions.is_named(name.text, self.burst)}
        meant = here or {name.text for name in beings if name.kind == "pet"}
        return meant.pop() if len(meant) == 1 else "" if meant else self.known_animal

    @property
    def _told(self) -> list[str]:
        """What was told before, be it noted, remembered or said."""
        lines = (*self.context.memories, *self.context.quotes, *self.context.user_messages)
        return [*(one.text for one in self.context.inputs.noted), *self.context.loaded, *(line.text for line in lines)]

    @property
    def _names(self) -> list[names.Name]:
        own = self.context.persona_name
        return [name for topic in self.topics for name in topic.names.values() if name.text != own]

    @cached_property
    def known_animal(self) -> str:
        return next((name for name in self._list_animals() if name in self.burst), "")

    def _list_animals(self) -> list[str]:
        return [name.text for text in self._told for name in names.find(text) if name.kind == "pet"]

    def _kind_of_pet(self) -> str:
        """Return the kind of sayings for the user's pet; "" where none is mentioned."""
        pets = [name.text for name in self._names if name.kind == "pet"]
        is_named = bool(self.known_animal) or any(mentions.is_named(pet, self.burst) for pet in pets)
        is_meant = "它" in self.burst and any("pet" in lexicon.widen(topic.concepts) for topic in self.topics)
        return "pet" if is_meant or is_named else ""
