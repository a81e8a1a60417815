"""The section of a prompt about how sure memory is, so that nothing is claimed that was never told."""

from echovessel.llm.inputs import Certainty, ReplyInputs

# Nearness is measured, not read: of what stands in the prompt the model may see that it answers.
UNLESS_ANSWERED = "Only if this talk or a line above plainly answers it, say that as what you believe."
# What is surely known needs no word.
SENTENCES = {
    Certainty.UNSURE: (
        "They ask about something you may remember. Say it as what you believe, not as what you know, and let them set it right."
    ),
    Certainty.TIP: (
        f"They ask about something that may be on the tip of your tongue: what you remember comes near it. {UNLESS_ANSWERED} "
        "Otherwise name what is near as near, ask whether that is it, and state nothing as the answer."
    ),
    Certainty.UNKNOWN: (
        f"They ask about something that you looked for, and nothing came near. {UNLESS_ANSWERED} Otherwise say plainly that you do "
        "not remember it, or that they have never told you, and ask. Do not guess."
    ),
}
BELIEVED = (
    "If you mention a memory that they did not ask for, mention it as something you believe, not as something you know."
)


def render_certainty(inputs: ReplyInputs) -> str:
    if inputs.certainty is None:
        return BELIEVED if inputs.is_only_believed else ""
    return SENTENCES.get(inputs.certainty, "")
