"""The section of a prompt about how sure memory is, so that nothing is claimed that was never told."""

from echovessel.llm.inputs import Certainty, ReplyInputs

# Nearness is measured, not read: of what stands in the prompt the model may see that it answers.
UNLESS_ANSWERED = "Where this talk or a line above answers it, say that."
# Rules read what is asked by its form: "what do I cook tonight?" looks as if it asked for what was told.
UNLESS_ADVICE = "Where they only want advice, an opinion or what anyone may know, just answer them."
# What is surely known needs no word.
SENTENCES = {
    Certainty.UNSURE: (
        "They ask about something you may remember. What this talk or a line above plainly tells of it, say plainly. Say the rest as what "
        "you believe, not as what you know, and let them set it right."
    ),
    Certainty.TIP: (
        f"They seem to ask about something that may be on the tip of your tongue: what you remember comes near it. {UNLESS_ANSWERED} "
        f"Otherwise name what is near as near, ask whether that is it, and state nothing as the answer. {UNLESS_ADVICE}"
    ),
    Certainty.UNKNOWN: (
        f"They seem to ask about something that your memory holds nothing near to. {UNLESS_ANSWERED} Otherwise say plainly that you do "
        f"not remember it, or that they have never told you, and ask. Do not guess. {UNLESS_ADVICE}"
    ),
}
BELIEVED = "If you bring up a memory unasked, say it as what you believe, not as what you know."


def render_certainty(inputs: ReplyInputs) -> str:
    if inputs.certainty is None:
        return BELIEVED if inputs.is_only_believed else ""
    if inputs.checks:
        # What bears on their health stands above, so that nothing was found is not true, however far it is from the question.
        return ""
    return SENTENCES.get(inputs.certainty, "")
