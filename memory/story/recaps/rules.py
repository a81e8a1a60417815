"""A recap made by rules: quickly, inside the transaction of a break, so that no scene is ever without one."""

from collections.abc import Sequence

from echovessel import text
from memory.models import Message
from memory.story import sentences
from memory.story.recaps.content import OPEN_MOST, OUTCOMES_MOST, RecapContent, Told, add_kept, cut_text, title_by

# Of a scene this much is read, from its newest lines back.
LINES_MOST = 400


def recap_by_rules(lines: Sequence[Message]) -> RecapContent | None:
    """Recap told lines: the user's weightiest sentences, in their own words and order; what is planned or was asked at the
    end is open. Returns None where nothing is said in them.
    """
    lines = [line for line in lines if not line.content.isspace()]
    if not lines:
        return None
    weighed = _weigh([line for line in lines if line.role == Message.Role.USER][-LINES_MOST:])
    if not weighed:
        weighed = _weigh(lines[-LINES_MOST:]) or [(0.0, lines[0].pk, lines[0].content)]
    best = sorted(weighed, key=lambda one: -one[0])[:OUTCOMES_MOST]
    outcomes = [Told(text=cut_text(said), lines=[pk]) for weight, pk, said in weighed if (weight, pk, said) in best]
    return RecapContent(
        title=title_by(outcomes), outcomes=add_kept(outcomes[:OUTCOMES_MOST], lines), open=_find_open(lines, weighed)
    )


def _weigh(lines: Sequence[Message]) -> list[tuple[float, int, str]]:
    """Weigh the sentences of lines, each said once, with the ids of their lines; small talk is left out."""
    found: dict[str, tuple[float, int, str]] = {}
    for line in lines:
        for said in sentences.split(line.content):
            weight = sentences.weigh(said)
            if weight > 0:
                found.setdefault(text.fold(said), (weight, line.pk, said))
    return list(found.values())


def _find_open(lines: Sequence[Message], weighed: Sequence[tuple[float, int, str]]) -> list[Told]:
    """Find plans and promises, and a question of the user's that nothing follows."""
    plans = [(pk, said) for _, pk, said in weighed if sentences.is_plan(said) and not sentences.is_question(said)]
    asked = [
        (lines[-1].pk, said)
        for said in sentences.split(lines[-1].content)
        if lines[-1].role == Message.Role.USER and sentences.is_question(said)
    ]
    return [Told(text=cut_text(said), lines=[pk]) for pk, said in [*plans, *asked][-OPEN_MOST:]]
