"""Prompts of an extraction, as they are written, for the offline voice."""

from echovessel.llm.offline import extraction
from echovessel.prompts import escape


def prompt(*lines, known="(none)", remembered="(nothing)", pair="(none)", first=11):
    """Lines of the user; one that begins with "P:" is the persona's. All are said on Saturday, 21 November 2026."""
    said = [("persona", line[2:].strip()) if line.startswith("P:") else ("user", line) for line in lines]
    numbered = [
        f"[{at}] 2026-11-21 23:04 Saturday {speaker}: " + escape(text).replace("\n", "\n    ")
        for at, (speaker, text) in enumerate(said, first)
    ]
    talk = "\n".join([*numbered, "</transcript>"])
    return (
        f"Remember.\n<known_entities>\n{known}\n</known_entities>\n<remembered>\n{remembered}\n</remembered>\n"
        f"<uncertain_pair>\n{pair}\n</uncertain_pair>\n"
        f"<earlier>\n[9] 2026-11-21 23:01 Saturday user: My dog Rex died\n</earlier>\n<transcript>\n{talk}"
    )


def extract(*lines, **context):
    return extraction.extract(prompt(*lines, **context))
