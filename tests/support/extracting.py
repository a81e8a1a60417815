"""Sessions for the offline voice to extract from."""

from datetime import UTC, date, datetime

from echovessel.llm.inputs import ExtractionInputs, KnownEntity, NumberedEvent, TranscriptLine
from echovessel.llm.offline import extraction

SAID_AT = datetime(2026, 11, 21, 23, 4, tzinfo=UTC)


def inputs_of(*lines, known=(), remembered=(), pair=None, first=11):
    """Build inputs from the user's messages; one that begins with "P:" is the persona's. All are from Saturday, 21 November 2026.

    `known` has entities as (name, kind, further names...).
    """
    said = [("persona", line[2:].strip()) if line.startswith("P:") else ("user", line) for line in lines]
    return ExtractionInputs(
        lines=tuple(TranscriptLine(at, SAID_AT, speaker, text) for at, (speaker, text) in enumerate(said, first)),
        known=tuple(KnownEntity(name, kind, tuple(others)) for name, kind, *others in known),
        remembered=tuple(NumberedEvent(at, date(2026, 3, 2), text) for at, text in enumerate(remembered, 1)),
        pair=pair,
    )


def extract(*lines, **context):
    return extraction.extract(inputs_of(*lines, **context))
