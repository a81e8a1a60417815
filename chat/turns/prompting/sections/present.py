"""The last section of a prompt: the time, the silence before, and what to take up after it."""

from datetime import datetime

from chat.turns.prompting.sections.rendering import one_line, render_list, wrap_in_tag
from echovessel import times
from echovessel.llm.inputs import Plan, ReplyInputs


def render_present(inputs: ReplyInputs) -> str:
    name = one_line(inputs.user_name)
    now = f"It is {times.format_moment(inputs.now)} where {name} is."
    now += f" Today is the birthday of {name}." if inputs.is_birthday else ""
    if inputs.last_message_at is None:
        return f"{now} This is your first talk."
    now += f" The last words between you were {times.format_elapsed(inputs.last_message_at, inputs.now)} ago."
    if inputs.known_since is not None and inputs.known_since < inputs.now.date():
        now += f" You have known each other since {inputs.known_since.day} {inputs.known_since:%B %Y}."
    if inputs.due:
        due = render_list(render_due_item(plan, inputs.now) for plan in inputs.due)
        now += (
            f" {name} is back. This has come since, or is near; take it up once, if it fits:\n{wrap_in_tag('due', due)}"
        )
    if inputs.has_left_focus:
        now += f" {name} has moved off what they wanted to talk about: go along, and come back to it once, if it fits."
    return now


def render_due_item(thing: Plan, now: datetime) -> str:
    if thing.day is None:
        return one_line(thing.text)
    when = times.format_due(thing.day, now.date())
    if thing.is_expected and thing.day >= now.date():
        # "Planned for tomorrow" reads as if the thing itself were tomorrow.
        when = f"expected by {when.removeprefix('planned for ')}"
    return f"({when}) {one_line(thing.text)}"
