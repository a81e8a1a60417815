"""A model that tells as the rules do, and the steps of a story done by it."""

from echovessel.llm.offline import rules
from echovessel.llm.protocol import Answer
from memory.models import Story
from memory.story import settings
from memory.story.versions import due
from memory.storytelling import compacting, merging, rebuilding
from tests.support.fakes import Call, FakeLLM
from tests.support.story import run_step


class TellingLLM(FakeLLM):
    """Answers what the rules would. `before_answer` is called with each call, so that a test can act in the middle of it."""

    def __init__(self, before_answer=lambda call: None, **more):
        super().__init__(**more)
        self.before_answer = before_answer

    def answer(self, messages, *, feature, schema, origin, inputs=None, seconds=None):
        if feature in self.answers:
            return super().answer(messages, feature=feature, schema=schema, origin=origin, inputs=inputs)
        call = Call(feature, list(messages), origin, inputs)
        self.calls.append(call)
        self.before_answer(call)
        return Answer(rules.answer(inputs), self.usage)


def merge(bond, *, llm=None, **more):
    def act(*, asker, step, now):
        merging.merge_next(bond=bond, asker=asker, step=step, now=now)

    run_step(act, bond=bond, llm=llm or TellingLLM(), kind="merge", **more)
    return Story.objects.get(bond=bond).current


def compact(bond, *, llm=None, **more):
    def act(*, asker, step, now):
        compacting.compact(bond=bond, asker=asker, step=step, now=now)

    run_step(act, bond=bond, llm=llm or TellingLLM(), kind="compact", **more)
    return Story.objects.get(bond=bond).current


def rebuild(bond, *, llm=None, links=100):
    """Do so many links of a rebuild. Returns whether there is more."""
    found = []

    def act(*, asker, step, now):
        found.append(rebuilding.rebuild_link(bond=bond, asker=asker, step=step, now=now))

    for _ in range(links):
        run_step(act, bond=bond, llm=llm or TellingLLM(), kind="rebuild")
        if not found[-1]:
            break
    return found[-1]


def merge_all(bond, *, llm=None):
    """Merge until nothing is due."""
    while True:
        story = settings.get_story(bond)
        if due.find_batch(story=story, base=story.current) is None:
            return story.current
        merge(bond, llm=llm)


def show(version):
    return [(point["part"], point["text"], point["scenes"], point["by"]) for point in version.points]
