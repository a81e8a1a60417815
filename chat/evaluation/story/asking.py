"""Ask about a told talk in three ways, and look for what the prompts tell: by full text, by the last lines, by the story."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from statistics import mean
from uuid import uuid4

from chat.evaluation.story import prompting
from chat.evaluation.story.prompting import MadePrompt
from echovessel import text
from memory import sessions
from memory.evaluation.stories.parts import StoryQuestion
from memory.evaluation.storytelling.telling import ToldTalk
from memory.evaluation.storytelling.weaving import WovenFact
from memory.evaluation.tally import Tally
from memory.models import Message, Session, Story
from memory.recall import query_vectors
from memory.story.inclusion.included import Inclusion
from memory.story.versions.points import STATE

FULL, LAST, TOLD, TOLD_BEFORE = "full text", "last 20 lines", "story", "story, notes before the window"
WITH_RECALL = "folded facts asked about, in the prompt"
STRONG, STANDING = "strong folded facts told without recall", "how things stand, told without recall"
ASKED_AFTER = timedelta(hours=12)


class Asking:
    """The questions about a told talk, each with its prompts by way."""

    def __init__(self, told: ToldTalk) -> None:
        self.told = told
        bond = told.bond
        self.lines = list(Message.objects.for_bond(bond).visible().order_by("id"))
        self.now = told.ended_at + ASKED_AFTER
        self.session = sessions.create(bond=bond, channel=Session.Channel.WEB, now=self.now)
        self.said = {line.pk: text.fold(line.content) for line in self.lines}

    def ask(self, questions: Sequence[str]) -> Iterator[tuple[str, MadePrompt]]:
        """Make the prompt of each question, were it the next message. Nothing is written."""
        # The facts that it has loaded may be forgotten since.
        self.session.refresh_from_db()
        vectors = query_vectors.embed(self.told.bond, questions)
        for asked, vector in zip(questions, vectors, strict=True):
            message = Message(
                pk=self.lines[-1].pk + 1,
                bond=self.told.bond,
                session=self.session,
                role=Message.Role.USER,
                content=asked,
                turn_id=uuid4(),
                created_at=self.now,
                day=self.now.date(),
            )
            yield asked, prompting.make(self.session, message, vector)

    def find_questions(self, inclusion: Inclusion) -> list[tuple[StoryQuestion, list[WovenFact]]]:
        """Find the questions of the stories whose facts have left the window; the days in them are those of the stories."""
        folded = {(fact.story.name, fact.memory.id): fact for fact in self.find_folded(inclusion)}
        stories = {scene.story.name: scene.story for scene in self.told.talk.scenes}
        found = []
        for story in stories.values():
            for question in story.questions:
                facts = [folded[story.name, id] for id in question.find if (story.name, id) in folded]
                if facts and question.by != "dated":
                    found.append((question, facts))
        return found

    def find_folded(self, inclusion: Inclusion) -> list[WovenFact]:
        """Find the facts all of whose lines stand before the window."""
        first = inclusion.window[0].id
        return [fact for fact in self.told.talk.facts if all(self.told.messages[at] < first for at in fact.lines)]

    def measure(self, counted: Tally) -> dict[str, float]:
        """Ask all questions in the three ways. Returns the tokens of a prompt by piece and by way."""
        [(_, first)] = self.ask(["?"])
        inclusion = first.context.base.inclusion
        assert inclusion is not None  # the story is on
        asked = self.find_questions(inclusion)
        questions = [question.ask for question, _ in asked]
        prompts = {TOLD: [made for _, made in self.ask(questions)]}
        Story.objects.filter(pk=self.told.bond.pk).update(enabled=False)
        prompts[LAST] = [made for _, made in self.ask(questions)]
        Story.objects.filter(pk=self.told.bond.pk).update(enabled=True)
        prompts[TOLD_BEFORE] = [prompting.move_notes(made, last=False) for made in prompts[TOLD]]
        prompts[FULL] = [prompting.tell_all(made, self.lines) for made in prompts[LAST]]
        for by, made_of in prompts.items():
            for (question, facts), made in zip(asked, made_of, strict=True):
                said = made.text
                for fact in facts:
                    self.count(f"{WITH_RECALL}, {by}", fact, [said], asked=question.ask, counted=counted)
        self.measure_told(inclusion, counted)
        return {
            **{by: mean(one.made.token_count for one in made_of) for by, made_of in prompts.items()},
            **{f"of the story, {piece}": count for piece, count in inclusion.tokens.items()},
            "of the story, what is never cut": mean(prompting.count_stable(made) for made in prompts[TOLD]),
        }

    def measure_told(self, inclusion: Inclusion, counted: Tally) -> None:
        """Look for strong facts, and for how things stand, in what is told before the window."""
        told = [text.fold(one) for one in inclusion.list_texts()]
        standing = [text.fold(point.text) for point in inclusion.points if point.part == STATE and not point.is_past]
        folded = self.find_folded(inclusion)
        by_id = {(fact.story.name, fact.memory.id): fact for fact in self.told.talk.facts}
        gone = {(fact.story.name, old) for fact in self.told.talk.facts for old in fact.memory.replaces}
        for fact in folded:
            if fact.is_strong and (fact.story.name, fact.memory.id) not in gone:
                self.count(STRONG, fact, told, counted=counted)
            if fact.memory.replaces and (fact.story.name, fact.memory.id) not in gone:
                old = [by_id[fact.story.name, id] for id in fact.memory.replaces]
                # What tells how it is now may name what it was before.
                others = [said for said in standing if not self.is_told(fact, [said])]
                stale = any(self.is_told(one, others) for one in old)
                self.count(STANDING, fact, [] if stale else told, counted=counted)

    def count(self, name: str, fact: WovenFact, told: Sequence[str], *, counted: Tally, asked: str = "") -> None:
        where = f"{asked}  " if asked else ""
        counted.count(name, found=self.is_told(fact, told), miss=f"{fact.story.name}: {where}{fact.memory.text}")

    def is_told(self, fact: WovenFact, told: Sequence[str]) -> bool:
        """Whether texts tell a fact: by its text or a piece of its lines, a peak by a sentence of these with a word of it."""
        wanted = [text.fold(one) for one in (fact.memory.text, *fact.memory.pieces)]
        words = [text.fold(word) for word in fact.memory.peak]
        lines = [self.said.get(self.told.messages[at], "") for at in fact.lines]
        return any(
            any(one in said for one in wanted)
            or (any(word in said for word in words) and any(said.rstrip("…") in line for line in lines))
            for said in told
        )


def count_shared(before: bytes, after: bytes) -> float:
    """Return the share of a prompt that the one before begins with, too."""
    shared = next(
        (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    return shared / len(after)
