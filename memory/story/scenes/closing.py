"""End scenes by the clock and by closed chats, and cut what was said before there were scenes: all by rules."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice, pairwise

from django.conf import settings
from django.db import transaction

from echovessel.postgres.rows import fetch_all
from memory import sessions
from memory.models import Message, Scene, Session, Story
from memory.story import lines
from memory.story.inclusion import budget
from memory.story.scenes import borders, breaks, detection, pointers
from memory.story.scenes.detection import Talk
from memory.story.settings import get_story
from personas.models import Bond

# A silence or a closed chat ends only what has so many messages, or tokens, or began so long ago.
LINES_LEAST, TOKENS_LEAST, LONGEST = 10, 600, timedelta(days=7)
# A scene with more messages, or with more tokens than a window and a quarter, is divided.
LINES_MOST = 200
# More scenes are not cut at once before a person says so. So many and the open one have so many messages at most.
UNASKED_MOST = 50
UNASKED_LINES = (UNASKED_MOST + 1) * LINES_MOST
# Bonds in one pass of the scanner, and the messages of a bond without scenes that it leaves to the next message.
BONDS_MOST = 50
BACKLOG_LINES = 500


def is_on(story: Story) -> bool:
    return settings.STORY_ENABLED and story.enabled


def get_most_tokens(story: Story, *, firm_tokens: int) -> int:
    """Return how many tokens a scene has at most: a window and a quarter of a prompt with so many firm ones."""
    return budget.plan_caps(story, firm_tokens=firm_tokens).window * 5 // 4


def is_too_long(told: Sequence[Message], *, tokens_most: int) -> bool:
    return len(told) > LINES_MOST or sum(line.token_count for line in told) > tokens_most


@transaction.atomic
def close_silent(*, bond: Bond, firm_tokens: int, now: datetime) -> list[Scene]:
    """End scenes behind silences of a bond's open scene. Returns them, oldest first.

    Where there are none yet, what was said before is cut; above 50 scenes nothing is, until a person asks for that. A
    scene whose turn went on behind its end, with a late reply or another variant, is moved behind that.
    """
    sessions.lock_bond(bond)
    story = get_story(bond)
    if not is_on(story):
        return []
    newest, before = [*Scene.objects.for_bond(bond).order_by("-last_message_id")[:2], None, None][:2]
    if newest is not None:
        newest.bond = bond
        move_behind_turn(newest, after=breaks.get_last(before), now=now)
    found = find_unasked_ends(story, newest, firm_tokens=firm_tokens, now=now)
    return breaks.end_scenes(bond, *found, now=now) if found is not None else []


def find_unasked_ends(
    story: Story, newest: Scene | None, *, firm_tokens: int, now: datetime
) -> tuple[list[Message], list[tuple[int, str]]] | None:
    """Find the ends of scenes behind the newest one, with the messages that they are indexes of.

    None where they are more than 50. The first messages tell that: of a bond with years of them not all are loaded.
    """
    bond, after, past = story.bond, breaks.get_last(newest), story.scanned_to
    said = Message.objects.for_bond(bond).filter(pk__gt=after)
    # An index alone answers the first, and mostly it is not so.
    is_long = said[UNASKED_LINES:].exists() and said.told()[UNASKED_LINES:].exists()
    if is_long and newest is None:
        return None
    if is_long:
        first = lines.load_told(bond, after=after, most=UNASKED_LINES)
        if sum(at + 1 < len(first) for at in find_silences(first, now=now, past=past)) > UNASKED_MOST:
            return None
    told = lines.load_told(bond, after=after)
    if newest is None and count_ends_least(told, find_silences(told, now=now, past=past)) > UNASKED_MOST:
        return None
    if newest is None:
        found = find_backlog_ends(told, story, firm_tokens=firm_tokens, now=now)
    else:
        found = ((at, Scene.ClosedBy.SILENCE) for at in find_silences(told, now=now, past=past))
    # To divide what is long takes a while.
    ends = list(islice(found, UNASKED_MOST + 1))
    return (told, ends) if len(ends) <= UNASKED_MOST else None


def count_ends_least(told: Sequence[Message], silent: Sequence[int]) -> int:
    """Count without looking for the best places, which takes seconds, how often at least a backlog is divided and ends in silence."""
    stretches = pairwise([-1, *silent, len(told) - 1])
    return len(silent) + sum((end - before - 1) // (LINES_MOST + 1) for before, end in stretches)


def is_backlog_long(*, bond: Bond, firm_tokens: int, now: datetime) -> bool:
    """Whether `cut_backlog` would make more than 50 scenes, so that it waits for a person."""
    newest = Scene.objects.for_bond(bond).in_order().last()
    return find_unasked_ends(get_story(bond), newest, firm_tokens=firm_tokens, now=now) is None


@transaction.atomic
def close_with_session(*, session: Session, now: datetime) -> Scene | None:
    """End the open scene with a chat that was closed by hand, if it is long enough. Returns it."""
    bond = session.bond
    if session.close_reason != Session.CloseReason.EXPLICIT or session.off_record:
        return None
    sessions.lock_bond(bond)
    story = get_story(bond)
    if not is_on(story):
        return None
    newest = Scene.objects.for_bond(bond).in_order().last()
    told = lines.load_told(bond, after=breaks.get_last(newest))
    own = [at for at, line in enumerate(told) if line.session_id == session.pk]
    ends = borders.find_borders(told)
    at = next((at for at in range(own[-1], len(told)) if ends[at]), None) if own else None
    if at is None or told[at].pk <= story.scanned_to or not is_long_enough(told[: at + 1], now=now):
        return None
    return next(iter(breaks.end_scenes(bond, told, [(at, Scene.ClosedBy.SESSION)], now=now)), None)


def close_with_sessions(*, bond: Bond, told: Sequence[Message], now: datetime) -> list[Scene]:
    """End the open scene with the chats among these messages that were closed by hand, and that no worker has come to yet."""
    waiting = Session.objects.filter(
        pk__in={line.session_id for line in told},
        status=Session.Status.CLOSING,
        close_reason=Session.CloseReason.EXPLICIT,
    ).order_by("closed_at", "id")
    made: list[Scene] = []
    for session in waiting:
        session.bond = bond
        scene = close_with_session(session=session, now=now)
        made += [scene] if scene is not None else []
    return made


@transaction.atomic
def cut_backlog(*, bond: Bond, firm_tokens: int, now: datetime) -> list[Scene]:
    """Cut a bond's backlog by silences, and what is too long where its subject changes, for a person. Returns the scenes."""
    sessions.lock_bond(bond)
    story = get_story(bond)
    told = load_backlog(bond, story, now=now)
    ends = find_backlog_ends(told, story, firm_tokens=firm_tokens, now=now)
    return breaks.end_scenes(bond, told, ends, now=now)


def count_backlog(*, bond: Bond, firm_tokens: int, now: datetime) -> int:
    """Count the scenes that `cut_backlog` would make if it were asked to."""
    story = get_story(bond)
    told = load_backlog(bond, story, now=now)
    return sum(1 for _ in find_backlog_ends(told, story, firm_tokens=firm_tokens, now=now))


def load_backlog(bond: Bond, story: Story, *, now: datetime) -> list[Message]:
    """Load what was said before there were scenes, or while none were ended: behind the newest one, with more than 50 silences."""
    newest = Scene.objects.for_bond(bond).in_order().last()
    told = lines.load_told(bond, after=breaks.get_last(newest))
    if newest is not None and len(find_silences(told, now=now, past=story.scanned_to)) <= UNASKED_MOST:
        return []
    return told


def find_silences(told: Sequence[Message], *, now: datetime, past: int) -> list[int]:
    """Find the indexes of the messages behind which silences end scenes: 45 minutes, between two messages or since the
    newest. Up to the id `past` a person, or the detector, has decided.
    """
    ends = borders.find_borders(told)
    found: list[int] = []
    begins = 0
    for at, line in enumerate(told):
        until = told[at + 1].created_at if at + 1 < len(told) else now
        is_silent = until - line.created_at >= settings.SCENE_GAP
        if is_silent and ends[at] and line.pk > past and is_long_enough(told[begins : at + 1], now=until):
            found.append(at)
            begins = at + 1
    return found


def is_long_enough(told: Sequence[Message], *, now: datetime) -> bool:
    """Whether a scene may end by silence or with its chat: less goes on into the next talk."""
    return (
        len(told) >= LINES_LEAST
        or sum(line.token_count for line in told) >= TOKENS_LEAST
        or now - told[0].created_at >= LONGEST
    )


def find_backlog_ends(
    told: Sequence[Message], story: Story, *, firm_tokens: int, now: datetime
) -> Iterator[tuple[int, str]]:
    tokens_most = get_most_tokens(story, firm_tokens=firm_tokens)
    silent = dict.fromkeys(find_silences(told, now=now, past=story.scanned_to))
    begins = 0
    for end in silent | dict.fromkeys([len(told) - 1] if told else []):
        for at in divide(told, begins, end + 1, tokens_most=tokens_most):
            yield at, Scene.ClosedBy.SIZE
        if end in silent:
            yield end, Scene.ClosedBy.SILENCE
        begins = end + 1


def divide(told: Sequence[Message], begins: int, until: int, *, tokens_most: int) -> Iterator[int]:
    """Divide messages until none of their scenes is too long. Yields the indexes of the last ones, without the last of all."""
    while is_too_long(told[begins:until], tokens_most=tokens_most):
        end = find_full(told, begins, until, tokens_most=tokens_most)
        talk = Talk(told[begins:end])
        at = detection.force(talk, detection.find_candidates(talk, forced=True))
        if at is None:
            # The first turn alone is too long.
            at = borders.find_borders(told[begins:until]).index(True, end - begins - 1)
        begins += at + 1
        if begins < until:
            yield begins - 1


def find_full(told: Sequence[Message], begins: int, until: int, *, tokens_most: int) -> int:
    """Find the index behind the first message with which a scene is too long."""
    left = tokens_most
    for at in range(begins, until):
        left -= told[at].token_count
        if left < 0 or at - begins >= LINES_MOST:
            return at + 1
    return until


def move_behind_turn(scene: Scene, *, after: int, now: datetime) -> None:
    """Move the end of a scene, which begins behind `after`, behind the turn it ends with, where that went on."""
    end = breaks.find_end(scene.bond, scene.last_message_id, after=after)
    if end == scene.last_message_id:
        return
    scene.last_message_id = end
    scene.save(update_fields=["last_message_id"])
    pointers.mark_untold(bond=scene.bond, scenes=[scene])
    breaks.tell_anew(scene, now=now)


# Of the open scene the newest ten messages say whether it is long enough, but for its beginning.
_SILENT = """
SELECT bond.id FROM personas_bond bond LEFT JOIN memory_story story ON story.bond_id = bond.id
CROSS JOIN LATERAL (SELECT coalesce(max(last_message_id), 0) AS last FROM memory_scene WHERE bond_id = bond.id) scene
CROSS JOIN LATERAL (
    SELECT count(*) AS lines, sum(token_count) AS tokens, max(created_at) AS ended, max(id) AS newest FROM (
        SELECT line.id, line.token_count, line.created_at FROM memory_message line JOIN memory_session session ON session.id = line.session_id
        WHERE line.bond_id = bond.id AND line.id > scene.last AND line.deleted_at IS NULL AND line.chosen AND NOT line.left_out
            AND line.role <> 'system' AND session.deleted_at IS NULL AND NOT session.off_record
        ORDER BY line.id DESC LIMIT %(least)s
    ) newest
) told
WHERE story.enabled IS NOT FALSE AND told.ended <= %(silent)s AND told.newest > coalesce(story.scanned_to, 0)
    AND (told.lines >= %(least)s OR told.tokens >= %(tokens)s OR (
        SELECT min(line.created_at) FROM memory_message line JOIN memory_session session ON session.id = line.session_id
        WHERE line.bond_id = bond.id AND line.id > scene.last AND line.id <= told.newest AND line.deleted_at IS NULL AND line.chosen
            AND NOT line.left_out AND line.role <> 'system' AND session.deleted_at IS NULL AND NOT session.off_record
    ) <= %(old)s)
    AND NOT (scene.last = 0 AND EXISTS (SELECT FROM memory_message WHERE bond_id = bond.id OFFSET %(backlog)s))
ORDER BY told.newest DESC LIMIT %(most)s
"""


def find_silent(*, now: datetime) -> list[Bond]:
    """Find bonds in which nobody says anything, and whose scene may end with that."""
    if not settings.STORY_ENABLED:
        return []
    values: dict[str, int | datetime] = {
        "least": LINES_LEAST,
        "tokens": TOKENS_LEAST,
        "silent": now - settings.SCENE_GAP,
        "old": now - LONGEST,
        "backlog": BACKLOG_LINES,
        "most": BONDS_MOST,
    }
    found = [pk for (pk,) in fetch_all(_SILENT, values)]
    return list(Bond.objects.select_related("user", "persona").filter(pk__in=found).order_by("id"))
