"""What a new statement makes untrue: another job, another town, an end, a correction."""

from echovessel.llm.offline.text.changes.partings import (
    LOVES,
    calls_off_wedding,
    ends,
    puts_down,
    reunites,
    tells_death,
    tells_passing,
)
from echovessel.llm.offline.text.changes.superseding import (
    PUT_OFF,
    changes_slot,
    corrects,
    denies,
    find_set_right,
    find_settled,
    find_superseded,
    is_change,
    is_correction,
    list_things,
    puts_off,
    sets_right,
    supersedes,
    tells_end,
    tells_other,
)

__all__ = [
    "LOVES", "PUT_OFF", "calls_off_wedding", "changes_slot", "corrects", "denies", "ends", "find_set_right", "find_settled",
    "find_superseded", "is_change", "is_correction", "list_things", "puts_down", "puts_off", "reunites",
    "sets_right", "supersedes", "tells_death", "tells_end", "tells_other", "tells_passing",
]  # fmt: skip
