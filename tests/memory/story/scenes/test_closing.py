import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import tasks
from memory.messages import tombstones
from memory.models import Message, Scene, Session, Story, Tombstone
from memory.story import leaving_out
from memory.story.inclusion.budget import FIRM_TOKENS
from memory.story.scenes import breaks, closing
from memory.story.settings import get_story
from memory.storytelling.work import waking
from memory.storytelling.work.due import find_due
from memory.storytelling.work.finding import find_detecting
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.scenes import say_lines, say_turn, say_turns

pytestmark = pytest.mark.django_db
GAP = timedelta(seconds=2700)
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def switched_on(settings):
    settings.STORY_ENABLED = True


@pytest.fixture
def bond():
    return BondFactory()


def close(bond, now):
    return [
        (scene.last_message_id, scene.closed_by)
        for scene in closing.close_silent(bond=bond, firm_tokens=FIRM_TOKENS, now=now)
    ]


def close_by_hand(session, *, reason="explicit", now=NOW):
    session.status, session.close_reason, session.closed_at = "closing", reason, now
    session.save()
    return closing.close_with_session(session=session, now=now)


@pytest.mark.parametrize(("silence", "ends"), [(GAP - SECOND, False), (GAP, True)])
def test_a_silence_before_the_next_message_ends_a_scene(bond, silence, ends):
    said = say_lines(bond, 10)
    say_lines(bond, 1, now=NOW + silence)

    assert close(bond, NOW + silence) == ([(said[9].pk, "silence")] if ends else [])


@pytest.mark.parametrize(("silence", "count"), [(GAP - SECOND, 0), (GAP, 1)])
def test_the_scanner_ends_a_scene_after_a_silence(bond, silence, count):
    say_lines(bond, 10)

    assert waking.close_all_silent(now=NOW + silence) == count == Scene.objects.count()


@pytest.mark.parametrize(("count", "tokens", "ends"), [(9, 8, False), (10, 8, True), (1, 599, False), (1, 600, True)])
def test_a_silence_ends_only_what_is_long_enough(bond, count, tokens, ends):
    say_lines(bond, count, token_count=tokens)

    assert waking.close_all_silent(now=NOW + GAP) == int(ends)
    assert len(close(bond, NOW + GAP)) == 0
    assert Scene.objects.count() == int(ends)


@pytest.mark.parametrize(("age", "ends"), [(timedelta(days=7) - SECOND, False), (timedelta(days=7), True)])
def test_three_messages_end_after_seven_days(bond, age, ends):
    say_lines(bond, 3)

    assert waking.close_all_silent(now=NOW + age) == int(ends)


def test_three_messages_go_on_into_the_next_talk(bond):
    say_lines(bond, 3)
    later = say_lines(bond, 7, now=NOW + 2 * GAP)
    say_lines(bond, 1, now=NOW + 4 * GAP)

    assert close(bond, NOW + 4 * GAP) == [(later[-1].pk, "silence")]


def test_several_silences_end_several_scenes(bond):
    talks = [say_lines(bond, 12, now=NOW + at * GAP) for at in range(3)]

    assert close(bond, NOW + 2 * GAP) == [(talk[-1].pk, "silence") for talk in talks[:2]]
    assert close(bond, NOW + 3 * GAP) == [(talks[2][-1].pk, "silence")]
    assert close(bond, NOW + 3 * GAP) == []


def test_a_silence_within_a_turn_ends_nothing(bond):
    say_lines(bond, 10)
    turn = uuid.uuid4()
    session = Session.objects.get()
    MessageFactory(session=session, turn_id=turn, created_at=NOW)
    MessageFactory(session=session, role="persona", turn_id=turn, created_at=NOW + GAP)

    assert close(bond, NOW + GAP) == []


@pytest.mark.parametrize("is_forgotten", [False, True])
def test_a_scene_ends_with_a_turn_whose_reply_is_not_told(bond, is_forgotten, django_assert_num_queries):
    last = say_turns(bond, 6)[-1]
    if is_forgotten:
        tombstones.create(bond, [Tombstone(of="node", object_id=1, mark="", lines=[last.pk])], now=NOW)
    else:
        leaving_out.set_left_out(message=last, left_out=True, now=NOW)
    get_story(bond)

    with django_assert_num_queries(15):
        assert close(bond, NOW + GAP) == [(last.pk, "silence")]


def test_a_late_reply_moves_the_end_of_its_scene(bond):
    said = say_lines(bond, 10)
    close(bond, NOW + GAP)
    late = MessageFactory(session=said[0].session, role="persona", turn_id=said[9].turn_id, created_at=NOW + GAP)

    assert close(bond, NOW + GAP) == []

    scene = Scene.objects.get()
    assert (scene.last_message_id, scene.recap.n) == (late.pk, 2)


def test_another_variant_is_in_the_scene_of_its_turn(bond):
    said = say_turns(bond, 5)
    close(bond, NOW + GAP)
    Message.objects.filter(pk=said[9].pk).update(chosen=False)
    other = MessageFactory(session=said[0].session, role="persona", turn_id=said[9].turn_id, variant=1)

    close(bond, NOW + GAP)

    assert Scene.objects.get().last_message_id == other.pk


def test_a_break_that_a_person_removed_does_not_come_back(bond):
    say_lines(bond, 10)
    waking.close_all_silent(now=NOW + GAP)
    breaks.remove_break(scene=Scene.objects.get(), now=NOW)

    assert waking.close_all_silent(now=NOW + GAP) == 0
    say_lines(bond, 1, now=NOW + 2 * GAP)
    assert close(bond, NOW + 2 * GAP) == []


@pytest.mark.parametrize(("count", "ends"), [(9, False), (10, True)])
def test_a_chat_closed_by_hand_ends_a_scene_that_is_long_enough(bond, count, ends):
    said = say_lines(bond, count)

    scene = close_by_hand(said[0].session)

    assert (scene.last_message_id, scene.closed_by) == (said[-1].pk, "session") if ends else scene is None


@pytest.mark.parametrize("reason", ["idle", "left", "catchup", "max_length"])
def test_a_chat_that_ends_otherwise_ends_no_scene(bond, reason):
    say_lines(bond, 10)

    assert close_by_hand(Session.objects.get(), reason=reason) is None


def test_a_chat_off_the_record_ends_no_scene(bond):
    session = SessionFactory(bond=bond, off_record=True)
    say_lines(bond, 10, session=session)

    assert close_by_hand(session) is None
    assert waking.close_all_silent(now=NOW + GAP) == 0


def test_a_closed_chat_ends_the_scene_behind_its_own_last_message(bond):
    web, api = SessionFactory(bond=bond), SessionFactory(bond=bond, channel="api")
    say_turns(bond, 3, session=api)
    own = say_turns(bond, 3, session=web)
    say_turns(bond, 2, session=api)

    assert close_by_hand(web).last_message_id == own[-1].pk
    assert close_by_hand(web) is None


def test_the_worker_ends_a_scene_with_a_chat(bond):
    said = say_lines(bond, 10)
    Session.objects.update(status="closed", close_reason="explicit", closed_at=NOW)

    tasks.consolidate(said[0].session_id)

    assert Scene.objects.get().closed_by == "session"


@pytest.mark.parametrize("has_model", [False, True])
@pytest.mark.parametrize("is_paused", [False, True])
def test_the_tasks_after_a_turn_end_a_scene_before_it(bond, has_model, is_paused, settings):
    settings.MODEL_SERVER = has_model
    Story.objects.create(bond=bond, paused=is_paused)
    say_lines(bond, 10)
    say_turn(bond, "Hello again.", now=NOW + GAP)

    tasks.embed_messages(bond.pk)
    # The rules tell it at once, and look for ends then.
    assert Scene.objects.exists() is has_model
    if not has_model:
        tasks.tell(bond.pk)

    assert Scene.objects.exists()


@pytest.mark.parametrize("off", ["setting", "bond"])
def test_nothing_ends_where_the_story_is_off(bond, settings, off):
    settings.STORY_ENABLED = off != "setting"
    Story.objects.create(bond=bond, enabled=off != "bond")
    said = say_lines(bond, 10)

    assert waking.close_all_silent(now=NOW + GAP) == 0
    assert close(bond, NOW + GAP) == []
    assert close_by_hand(said[0].session) is None


@pytest.mark.parametrize(("first", "sizes"), [(8, 1), (9_000, 2)], ids=["short lines", "a long one first"])
def test_what_was_said_before_there_were_scenes_is_cut_by_silences_and_size(bond, first, sizes):
    early = say_lines(bond, 1, token_count=first) + say_lines(bond, 259)
    say_lines(bond, 12, now=NOW + GAP)

    scenes = closing.cut_backlog(bond=bond, firm_tokens=FIRM_TOKENS, now=NOW + GAP)

    assert [scene.closed_by for scene in scenes] == ["size"] * sizes + ["silence"]
    assert scenes[-1].last_message_id == early[-1].pk
    assert closing.cut_backlog(bond=bond, firm_tokens=FIRM_TOKENS, now=NOW + GAP) == []


@pytest.mark.parametrize(("count", "asked", "made"), [(50, False, 50), (51, False, 0), (51, True, 51)])
def test_more_than_fifty_scenes_wait_for_a_person(bond, count, asked, made):
    say_lines(bond, count, step=GAP, token_count=600)
    now = NOW + count * GAP

    assert closing.count_backlog(bond=bond, firm_tokens=FIRM_TOKENS, now=now) == count
    assert len(find_due(bond, now, has_model=True, finders=[find_detecting]).due) == (count == 50)
    cut = closing.cut_backlog if asked else closing.close_silent
    assert len(cut(bond=bond, firm_tokens=FIRM_TOKENS, now=now)) == made


@pytest.mark.parametrize(("count", "ended", "made"), [(50, 50, 0), (51, 0, 51)])
def test_more_than_fifty_scenes_behind_others_wait_for_a_person(bond, count, ended, made):
    [first] = say_lines(bond, 1, token_count=600)
    breaks.add_break(bond=bond, last_message_id=first.pk, closed_by="silence", now=NOW)
    say_lines(bond, count, now=NOW + GAP, step=GAP, token_count=600)
    now = NOW + (count + 1) * GAP

    assert closing.count_backlog(bond=bond, firm_tokens=FIRM_TOKENS, now=now) == made
    assert len(close(bond, now)) == ended
    assert len(closing.cut_backlog(bond=bond, firm_tokens=FIRM_TOKENS, now=now)) == made
    assert closing.count_backlog(bond=bond, firm_tokens=FIRM_TOKENS, now=now) == 0


def test_what_is_surely_a_long_backlog_is_not_divided_to_tell_so(bond, monkeypatch):
    monkeypatch.setattr(closing, "LINES_MOST", 1)
    monkeypatch.setattr(closing.detection, "find_candidates", None)
    say_lines(bond, 110, step=SECOND)

    assert closing.is_backlog_long(bond=bond, firm_tokens=FIRM_TOKENS, now=NOW + GAP) is True


@pytest.mark.parametrize(
    ("has_scene", "step", "is_long", "limits"),
    [(False, GAP, True, []), (True, GAP, True, [True]), (True, SECOND, False, [True, False])],
    ids=["no scene", "silences", "no silences"],
)
def test_a_long_backlog_is_not_loaded_whole(bond, monkeypatch, has_scene, step, is_long, limits):
    monkeypatch.setattr(closing, "UNASKED_LINES", 55)
    first, *_, last = say_lines(bond, 60, step=step, token_count=600)
    if has_scene:
        breaks.add_break(bond=bond, last_message_id=first.pk, closed_by="silence", now=NOW)

    with CaptureQueriesContext(connection) as found:
        assert closing.is_backlog_long(bond=bond, firm_tokens=FIRM_TOKENS, now=last.created_at) is is_long
        assert close(bond, last.created_at) == []
    loaded = [one["sql"] for one in found if '"memory_message"."content"' in one["sql"]]
    assert ["LIMIT 55" in sql for sql in loaded] == limits * 2


def test_the_scanner_leaves_a_long_backlog_to_the_next_message(bond):
    Message.objects.bulk_create(
        Message(
            bond=bond,
            session=SessionFactory(bond=bond) if at == 0 else Session.objects.get(),
            role="user",
            content="x",
            channel="web",
            token_count=8,
            day=NOW.date(),
            created_at=NOW,
            search="",
        )
        for at in range(501)
    )

    assert waking.close_all_silent(now=NOW + GAP) == 0


@pytest.mark.parametrize(
    ("lines", "tokens", "is_long"), [(200, 1, False), (201, 1, True), (10, 600, False), (2, 3001, True)]
)
def test_a_scene_passes_a_window_and_a_quarter_or_two_hundred_messages(lines, tokens, is_long):
    told = [Message(token_count=tokens) for _ in range(lines)]

    most = closing.get_most_tokens(Story(), firm_tokens=FIRM_TOKENS)
    assert closing.is_too_long(told, tokens_most=most) is is_long


@pytest.mark.parametrize(
    ("firm", "most"),
    [(1500, 2500), (1501, 2250), (4500, 1000), (6999, 1000)],
    ids=["as designed", "a step less", "long texts", "no room"],
)
def test_a_small_window_has_short_scenes(settings, firm, most):
    settings.CONTEXT_TOKENS = 7000

    assert closing.get_most_tokens(Story(), firm_tokens=firm) == most
