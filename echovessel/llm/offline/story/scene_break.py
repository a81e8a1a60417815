"""Says where a scene ends: at a goodbye or a change of subject in words, in a long scene at the deepest valley."""

from pydantic import JsonValue

from echovessel.llm.inputs import BreakCandidate, SceneBreakInputs

# From so many lines on a scene ends without a word of it.
LONG_FROM = 40
_QUOTED = 60


def choose_break(inputs: SceneBreakInputs) -> dict[str, JsonValue]:
    chosen = _choose(inputs)
    if chosen is None:
        return {"break_after": None, "quote": "", "reason": ""}
    line = next(line for line in inputs.lines if line.number == chosen.number)
    return {
        "break_after": chosen.number,
        "quote": line.text[:_QUOTED].split(" … ", maxsplit=1)[0],
        "reason": "They turn to another subject.",
    }


def _choose(inputs: SceneBreakInputs) -> BreakCandidate | None:
    said = next((one for one in inputs.candidates if one.is_cue), None)
    if said is not None and not inputs.forced:
        return said
    if inputs.forced or inputs.line_count >= LONG_FROM:
        return max(inputs.candidates, key=lambda one: one.depth, default=None)
    return None
