"""Whatever happens to scenes and versions: once the work is done each line is told, and nothing is folded but what the story tells."""

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from memory.models import Scene, SceneRecap, Story, StoryVersion
from memory.models.story.made_by import MadeBy
from memory.story import lines, settings
from memory.story.inclusion import budget, included
from memory.story.inclusion.message_states import State
from memory.story.recaps import versions as recaps
from memory.story.recaps.rules import recap_by_rules
from memory.story.scenes import breaks, pointers
from memory.story.scenes.breaks import BreakRefused
from memory.story.versions import due, writing
from memory.storytelling.work.running import StepDelayed
from tests.memory.storytelling.telling import TellingLLM, compact, merge, rebuild
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db
KINDS = [
    "say",
    "break",
    "break",
    "remove",
    "move",
    "recap",
    "withdraw",
    "merge",
    "link",
    "edit",
    "choose",
    "delete",
    "exclude",
]
HISTORIES = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 30)), min_size=4, max_size=12)


class OfflineTeller(TellingLLM):
    offline = True


class History:
    """A bond whose story is worked on while its scenes come and go."""

    def __init__(self):
        self.session = SessionFactory(bond=BondFactory())
        self.bond = self.session.bond
        self.llm = OfflineTeller()
        self.said = 0
        settings.get_story(self.bond)
        for _ in range(3):
            self.say(12)
            self.break_(10**6)

    def do(self, kind, at):
        acts = {
            "say": lambda: self.say(at % 6 + 1),
            "break": lambda: self.break_(at),
            "remove": lambda: self.with_scene(at, lambda scene: breaks.remove_break(scene=scene, now=NOW)),
            "move": lambda: self.with_scene(at, self.move),
            "recap": lambda: self.with_scene(at, self.recap_anew),
            "withdraw": lambda: self.with_scene(at, self.withdraw),
            "merge": lambda: merge(self.bond, llm=self.llm),
            "link": self.add_link,
            "edit": lambda: self.edit(at),
            "choose": lambda: self.with_version(at, lambda one: writing.choose_version(version=one, now=NOW)),
            "delete": lambda: self.with_version(at, lambda one: writing.delete_version(version=one, now=NOW)),
            "exclude": lambda: settings.change_settings(bond=self.bond, changes={"exclude_latest": at % 6}, now=NOW),
        }
        acts[kind]()

    def say(self, count):
        for _ in range(count):
            self.said += 1
            content = f"Line number {self.said} tells of the garden and the sea."
            MessageFactory(session=self.session, content=content, token_count=13)

    def break_(self, at):
        messages = list(self.bond.messages.order_by("id").values_list("pk", flat=True))
        try:
            breaks.add_break(
                bond=self.bond, last_message_id=messages[min(at * 2, len(messages) - 1)], closed_by="silence", now=NOW
            )
        except BreakRefused:
            return

    def with_scene(self, at, act):
        scenes = list(Scene.objects.for_bond(self.bond).in_order().select_related("bond__user", "bond__persona"))
        if scenes:
            act(scenes[at % len(scenes)])

    def with_version(self, at, act):
        versions = list(StoryVersion.objects.for_bond(self.bond).not_deleted().without_links().order_by("number"))
        if versions:
            act(versions[at % len(versions)])

    def move(self, scene):
        try:
            breaks.move_break(scene=scene, last_message_id=scene.last_message_id - 2, now=NOW)
        except BreakRefused:
            return

    def recap_anew(self, scene):
        told = lines.load_scene(scene)
        content = recap_by_rules(told)
        made_of = lines.hash_lines(told)
        recaps.add_recap(scene=scene, content=content, made_by=MadeBy.MODEL, model="m", source_hash=made_of, now=NOW)

    def withdraw(self, scene):
        pointers.mark_untold(bond=self.bond, scenes=[scene])

    def add_link(self):
        try:
            rebuild(self.bond, llm=self.llm, links=1)
        except StepDelayed:
            return

    def edit(self, at):
        current = settings.get_story(self.bond).current
        base = current.number if current else None
        writing.edit_text(
            bond=self.bond, firm_tokens=budget.FIRM_TOKENS, content=f"They met in year {at}.", base=base, now=NOW
        )

    def work(self):
        """Do all that is due. What rules told in haste is told by the offline voice, in the same words."""
        SceneRecap.objects.filter(bond=self.bond, made_by="rules", model="").update(model="offline")
        while self.find_batch() is not None:
            merge(self.bond, llm=self.llm)
            compact(self.bond, llm=self.llm)

    def find_batch(self):
        story = settings.get_story(self.bond)
        return due.find_batch(story=story, base=story.current)

    def check_pointers(self):
        """What a version says of scenes is true of those that are there."""
        scenes = list(Scene.objects.for_bond(self.bond).in_order().values_list("pk", flat=True))
        for version in StoryVersion.objects.for_bond(self.bond):
            told = [pk for pk in scenes if str(pk) in version.recaps]
            assert {*map(int, version.recaps)} <= {*scenes}
            assert {*version.untold} <= {*scenes}
            assert version.to_scene == (told[-1] if told else None)
            assert {scene for point in version.points for scene in point["scenes"]} <= {*scenes}

    def check_folds(self):
        """What is folded lies in the story as it is."""
        version = Story.objects.get(bond=self.bond).current
        order = list(Scene.objects.for_bond(self.bond).in_order().values_list("pk", flat=True))
        told = order[: order.index(version.to_scene) + 1] if version and version.to_scene else []
        found = included.load_inclusion(self.bond, firm_tokens=budget.FIRM_TOKENS)
        assert {scene.id for scene in found.folded} <= {*told} - {*(version.untold if version else ())}
        return found

    def check_told(self):
        """Each line is told by the recap of its scene in the story, or its scene is one of the newest, which are left out."""
        found = self.check_folds()
        story = settings.get_story(self.bond)
        told = writing.load_content(story.current)
        scenes = list(Scene.objects.for_bond(self.bond).in_order())
        left_out = scenes[max(0, len(scenes) - story.exclude_latest) :]
        for scene in scenes:
            is_in = told.recaps.get(scene.pk) == scene.recap_id and scene.pk not in told.untold
            assert is_in or scene in left_out
        assert found.uncovered == 0
        assert State.OVER_LIMIT not in found.messages.states.values()


@hypothesis_settings(
    max_examples=6, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@example(events=[("merge", 0), ("withdraw", 0), ("recap", 1), ("remove", 1), ("say", 5)])
@example(events=[("exclude", 0), ("merge", 0), ("break", 3), ("link", 0), ("choose", 0), ("delete", 0), ("edit", 4)])
@given(events=HISTORIES)
def test_each_line_is_told_once_the_work_is_done_whatever_happened(events, settings):
    settings.STORY_ENABLED = True
    settings.RECENT_WINDOW_SIZE = 6
    settings.HISTORY_TOKENS = 200
    history = History()

    for kind, at in events:
        history.do(kind, at)
        history.check_pointers()
        history.check_folds()
    history.work()

    history.check_pointers()
    history.check_told()
