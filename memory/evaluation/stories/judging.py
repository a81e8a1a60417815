"""A model as a judge, for sessions whose memories a model wrote in its own words."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from echovessel.llm.protocol import LLM, Origin
from echovessel.prompts import escape, render
from memory.answers.coercion import Numbers
from memory.answers.schemas import parse_parts
from memory.consolidation.asking import Asker
from memory.evaluation.given import TurnMemory
from memory.evaluation.stories.asking import Verdict
from memory.evaluation.stories.parts import StoryQuestion
from memory.evaluation.stories.story import Story

PROMPT = Path(__file__).parents[2] / "prompts" / "judge.md"


class Judgement(BaseModel):
    found: Numbers = []
    beside: Numbers = []


@dataclass(frozen=True)
class ModelJudge:
    """Raises LLMError where the model gives no verdict."""

    llm: LLM

    def __call__(self, story: Story, question: StoryQuestion, got: TurnMemory) -> Verdict:
        given = [node.description for node in (*got.recalled, *got.always)] + [
            message.content for message in got.quotes
        ]
        if not given:
            return Verdict(found=set(), beside=[])
        asker = Asker(llm=self.llm, origin=Origin(), before_call=lambda: None)
        asked = asker.ask(render_prompt(story, question, given), feature="judge", schema=Judgement)
        [judged], _ = parse_parts([asked.parsed], Judgement, what="judgement", most=1)
        return Verdict(
            found={question.find[number - 1] for number in judged.found if 1 <= number <= len(question.find)},
            beside=[given[number - 1] for number in judged.beside if 1 <= number <= len(got.recalled)],
        )


def render_prompt(story: Story, question: StoryQuestion, given: list[str]) -> str:
    return render(
        PROMPT,
        asked=escape(question.ask),
        expected=number_texts([story.find_text(id) for id in question.find]),
        remembered=number_texts(given),
    )


def number_texts(texts: list[str]) -> str:
    return "\n".join(f"[{at}] {' '.join(escape(text).split())}" for at, text in enumerate(texts, start=1))
