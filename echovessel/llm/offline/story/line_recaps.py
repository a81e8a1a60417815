"""Recaps messages by the sentence of each that says most."""

from pydantic import JsonValue

from echovessel.llm.inputs import LineRecapInputs


def recap(inputs: LineRecapInputs) -> dict[str, JsonValue]:
    return {"recaps": [{"line": line.number, "text": line.sentence} for line in inputs.lines if line.sentence]}
