from datetime import UTC, datetime

import pytest

from echovessel.llm.inputs import BreakCandidate, SceneBreakInputs, TranscriptLine
from echovessel.llm.offline.story.scene_break import LONG_FROM, choose_break

SAID_AT = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
LINES = tuple(TranscriptLine(at, SAID_AT, "user", f"line {at} … and more") for at in range(1, 5))
SHALLOW, DEEP = BreakCandidate(number=2, depth=0.2), BreakCandidate(number=3, depth=0.7)
CUE = BreakCandidate(number=1, depth=0.1, is_cue=True)


@pytest.mark.parametrize(
    ("candidates", "line_count", "forced", "after"),
    [
        ((DEEP, CUE), 4, False, 1),
        ((SHALLOW, DEEP), LONG_FROM - 1, False, None),
        ((SHALLOW, DEEP), LONG_FROM, False, 3),
        ((SHALLOW, DEEP), 4, True, 3),
        # A scene that is too long ends where the subject changes most.
        ((CUE, DEEP), 4, True, 3),
        ((), LONG_FROM, False, None),
    ],
)
def test_a_scene_ends_at_a_cue_or_in_a_long_one_at_the_deepest_valley(candidates, line_count, forced, after):
    chosen = choose_break(SceneBreakInputs(lines=LINES, candidates=candidates, line_count=line_count, forced=forced))

    assert chosen["break_after"] == after
    assert chosen["quote"] == (f"line {after}" if after else "")
