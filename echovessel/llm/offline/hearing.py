"""What a line says to somebody who listens: its tone, its matter, who is in it, and which sayings would take it up."""

from dataclasses import dataclass
from functools import cached_property

from echovessel.llm.offline import (
    chinese,
    cueing,
    lexicon,
    matters,
    mirroring,
    names,
    sentences,
    tones,
    topics,
    weighing,
)
from echovessel.llm.offline.context import ReplyContext
from echovessel.llm.offline.matters import Matter
from echovessel.llm.offline.tones import Tone

_HEAVY = -5
_BEINGS = ("pet", "person")
# With how many lines before it a line is understood.
_LINES_BEFORE = 3


@dataclass(frozen=True)
class Heard:
    context: ReplyContext
    burst: str
    is_chinese: bool

    @cached_property
    def sentences(self) -> list[str]:
        return sentences.split(self.burst)

    @cached_property
    def tone(self) -> Tone:
        return tones.of(self.burst)

    @cached_property
    def matter(self) -> Matter | None:
        return matters.of(self.burst, self.tone)

    @cached_property
    def is_heavy(self) -> bool:
        felt = (feeling.impact for said in self.sentences for feeling in weighing.feelings(said))
        return self.tone == Tone.GRIEF or min(felt, default=0) <= _HEAVY

    @cached_property
    def topics(self) -> list[topics.Topic]:
        """What of worth the line speaks of, with what was said of it just before."""
        said = topics.group(enumerate([*self.context.earlier[-_LINES_BEFORE:], self.burst]))
        return [topic for topic in said if any(one.text in self.burst for one in topic.sentences)]

    @cached_property
    def kind(self) -> str:
        """Which sayings fit: of somebody new, of the matter, else of the tone."""
        if self.tone == Tone.GRIEF:
            return self._kind_of_grief()
        if self.tone == Tone.FEAR and cueing.finds("NERVES", self.burst) and not self.is_heavy:
            return "nerves"
        if self.new_name and (self.tone == Tone.CALM or (self.tone == Tone.JOY and self.matter is None)):
            return "you_are" if lexicon.my_name(self.burst) else "named"
        if self.matter and self.matter.kind != "pet":
            return self.matter.kind
        if self.tone != Tone.CALM and self.matter is None:
            return str(self.tone)
        return "kin" if self.who else self._kind_of_pet() or (self.matter.kind if self.matter else "calm")

    @cached_property
    def values(self) -> dict[str, str]:
        """What the slots of sayings may be filled with; those with a capital may begin a sentence."""
        thing = mirroring.phrase(self.burst)
        word = self.matter.word if self.matter else ""
        # Who was born is not who is wished well.
        is_born = self.kind == "birth" and cueing.finds("BORN", self.burst)
        said = {"who": "" if is_born else self.who, "thing": thing, "word": word, "animal": self.animal}
        capitals = {name.capitalize(): value[:1].upper() + value[1:] for name, value in said.items()}
        echo = mirroring.clause(self.burst)
        return {**said, **capitals, "name": self.new_name or self.known_name, "echo": echo}

    @cached_property
    def who(self) -> str:
        return mirroring.kin(self.burst)

    @cached_property
    def new_name(self) -> str:
        """A name that is said now for the first time: the user's own, or somebody's."""
        if own := lexicon.my_name(self.burst):
            return "" if any(lexicon.my_name(line.text) == own for line in self.context.told) else own
        before = "\n".join(line.text for line in (*self.context.told, *self.context.memories, *self.context.words))
        fresh = [name for name in self._names if name.text in self.burst and name.text not in before]
        return next((name.text for name in fresh if name.kind in (*_BEINGS, "other")), "")

    @cached_property
    def known_name(self) -> str:
        """Who is spoken of, by name: somebody named here or just before, or an animal told of in another talk."""
        beings = (name for name in self._names if name.kind in _BEINGS)
        here = (name.text for name in beings if name.text in self.burst or name.kind == "pet")
        return next(here, "") or self._animal_known

    @cached_property
    def animal(self) -> str:
        concept = next(iter(sorted(lexicon.pets(self.burst))), "")
        if not concept or not self.is_chinese:
            return concept and f"a {concept}"
        return "只" + chinese.PETS[concept].split("|")[0]

    @property
    def _names(self) -> list[names.Name]:
        return [name for topic in self.topics for name in topic.names.values()]

    @cached_property
    def _animal_known(self) -> str:
        told = (memory.text for memory in (*self.context.memories, *self.context.words))
        found = (name.text for text in told for name in names.find(text) if name.kind == "pet")
        return next((name for name in found if name in self.burst), "")

    def _kind_of_grief(self) -> str:
        if lexicon.pets(self.burst) and not lexicon.kin(self.burst):
            return "pet_loss"
        return "grief_again" if cueing.finds("STILL_MISSED", self.burst) else "grief"

    def _kind_of_pet(self) -> str:
        """Which sayings fit where an animal of the user's is spoken of; "" where none is."""
        if self.animal and not self.known_name and cueing.finds("HAS_PET", self.burst):
            return "pet_new"
        is_pet = any("pet" in lexicon.widened(topic.concepts) for topic in self.topics)
        is_named = any(name.kind == "pet" for name in self._names) or bool(self._animal_known)
        return "pet" if is_pet or is_named else ""
