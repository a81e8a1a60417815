"""How the talk stood at a reply, in words: how sure the companion was, the subject, what was left out and what came back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chat.turns.prompting.selection.section_selection import Rule, Section
from chat.turns.trace import Trace, TracedCards, TracedTopic
from echovessel.llm.inputs import Certainty
from memory.knowing.confidence import RETURN_AFTER

CERTAINTY = {
    Certainty.HERE: gettext_lazy("Sure: the answer is in this chat or among the facts."),
    Certainty.KNOWN: gettext_lazy("Sure of it: memories fit what you asked."),
    Certainty.UNSURE: gettext_lazy("Not sure: memories fit what you asked only in part."),
    Certainty.TIP: gettext_lazy("On the tip of the tongue: something near was found, but no answer."),
    Certainty.UNKNOWN: gettext_lazy("Nothing was found that answers what you asked."),
}
SECTIONS = {
    Section.RECALLED: gettext_lazy("memories"),
    Section.WORDS: gettext_lazy("messages quoted from earlier chats"),
    Section.USER_THOUGHTS: gettext_lazy("thoughts about you"),
    Section.TALKS: gettext_lazy("summaries of chats"),
    Section.PROMISES: gettext_lazy("promises"),
    Section.EXPECTATIONS: gettext_lazy("expectations"),
    Section.OWN_THOUGHTS: gettext_lazy("thoughts about themselves"),
    Section.DOUBTS: gettext_lazy("questions about what is not certain"),
}
RULES = {
    Rule.CRISIS: gettext_lazy("something heavy needed all attention"),
    Rule.SLIGHT: gettext_lazy("your message said too little to look for anything"),
    Rule.FOCUS: gettext_lazy("you kept to one subject"),
    Rule.BARE: gettext_lazy("you only greeted, thanked or agreed"),
    Rule.FLOWING: gettext_lazy("the chat flowed without them"),
    Rule.ADVICE: gettext_lazy("you asked for advice"),
    Rule.RETURN: gettext_lazy("you had just come back"),
}
FOCUS = {
    "explicit": gettext_lazy("You had said that you want to talk about this."),
    "inferred": gettext_lazy("You had kept to it for several messages."),
}
KNOWING_LABELS = {
    "g": gettext_lazy("Nearness of the best memory"),
    "f": gettext_lazy("Feeling of knowing, 0 to 1"),
    "warmth": gettext_lazy("How much the chat goes on, 0 to 1"),
    "stock": gettext_lazy("How much was at hand, 0 to 1"),
    "confidence": gettext_lazy("How sure in all, 0 to 1"),
}
EVIDENCE_LABELS = {
    "shift": gettext_lazy("Another subject: by words"),
    "names": gettext_lazy("Another subject: by names"),
    "likeness": gettext_lazy("Another subject: by meaning"),
    "brief": gettext_lazy("Another subject: few words"),
}


@dataclass(frozen=True, kw_only=True)
class TalkExplanation:
    certainty: list[str]
    subject: list[str]
    # How the messages before were told.
    story: list[str]
    left_out: list[str]
    came_back: list[str]
    figures: list[tuple[str, float]]


def explain(trace: Trace, names: Mapping[int, str]) -> TalkExplanation:
    """Explain a trace; `names` are those of entities by id, without the forgotten. Older traces tell less."""
    sections = trace.sections
    return TalkExplanation(
        certainty=describe_certainty(trace),
        subject=[
            *describe_return(trace.gap_seconds),
            *describe_topic(trace.topic, names),
            *describe_cards(trace.cards, names),
        ],
        story=describe_story(trace),
        left_out=describe_sections(sections.out) if sections else [],
        came_back=describe_sections(sections.back) if sections else [],
        figures=list_figures(trace),
    )


def describe_certainty(trace: Trace) -> list[str]:
    if trace.knowing is None:
        return []
    state = trace.knowing.state
    said = [] if state is None else [str(CERTAINTY[state])]
    if trace.knowing.widened:
        said.append(_("A second search looked through more memories and messages."))
    return said


def describe_return(gap_seconds: int | None) -> list[str]:
    if gap_seconds is None or gap_seconds < RETURN_AFTER.total_seconds():
        return []
    return [_("You came back after %(silence)s.") % {"silence": format_silence(gap_seconds)}]


def format_silence(seconds: int) -> str:
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86_400
    if days:
        return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
    if hours:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}


def describe_topic(topic: TracedTopic | None, names: Mapping[int, str]) -> list[str]:
    if topic is None:
        return []
    said = [describe_course(topic)]
    known = [names[pk] for pk in topic.entities if pk in names]
    if known:
        said.append(_("It is about %(names)s.") % {"names": _(", ").join(known)})
    return [*said, str(FOCUS[topic.focus])] if topic.focus else said


def describe_cards(cards: TracedCards | None, names: Mapping[int, str]) -> list[str]:
    known = [names[pk] for pk in cards.entities if pk in names] if cards is not None else []
    return [_("What is known about %(names)s was at hand.") % {"names": _(", ").join(known)}] if known else []


def describe_course(topic: TracedTopic) -> str:
    if topic.is_resumed:
        return _("Back to an earlier subject.")
    if topic.is_new:
        return _("A new subject began.")
    return _("The same subject for %(count)d messages.") % {"count": topic.turns}


def describe_story(trace: Trace) -> list[str]:
    """Describe which messages were read word for word, and by what the others were told."""
    if trace.window is None:
        return []
    count = trace.window.count
    said = [ngettext("%(count)d message was read word for word.", "%(count)d messages were read word for word.", count)]
    said[0] %= {"count": count}
    if trace.recaps is not None and trace.recaps.count:
        count = trace.recaps.count
        told = ngettext(
            "%(count)d message before it was read as a short recap.",
            "%(count)d messages before that were read as a short recap.",
            count,
        )
        said.append(told % {"count": count})
    if trace.scenes is not None and trace.scenes.count:
        count = trace.scenes.count
        told = ngettext("%(count)d scene was told by its recap.", "%(count)d scenes were told by their recaps.", count)
        said.append(told % {"count": count})
    if trace.story is not None:
        told = _("Older messages were read as the story, version %(number)d.")
        said.append(told % {"number": trace.story.version})
    if trace.uncovered:
        count = trace.uncovered
        told = ngettext(
            "For %(count)d message there was no room yet.", "For %(count)d messages there was no room yet.", count
        )
        said.append(told % {"count": count})
    return said


def describe_sections(rules: Mapping[Section, Rule]) -> list[str]:
    """Describe sections by rule: what is out for one reason stands in one sentence."""
    by_rule: dict[Rule, list[str]] = {}
    for section in filter(rules.__contains__, Section):
        by_rule.setdefault(rules[section], []).append(str(SECTIONS[section]))
    return [
        _("%(sections)s, since %(reason)s") % {"sections": _(", ").join(sections), "reason": RULES[rule]}
        for rule, sections in by_rule.items()
    ]


def list_figures(trace: Trace) -> list[tuple[str, float]]:
    figures: list[tuple[str, float]] = []
    if trace.knowing is not None:
        figures += pick(KNOWING_LABELS, vars(trace.knowing))
    if trace.topic is not None:
        figures += [pair for pair in pick(EVIDENCE_LABELS, trace.topic.evidence) if pair[1]]
        figures.append((_("Gathered for another subject"), trace.topic.acc))
    if trace.signals is not None:
        figures.append((_("How much your message said, 0 to 1"), trace.signals.density))
    return figures


def pick(labels: Mapping[str, object], values: Mapping[Any, float]) -> Iterable[tuple[str, float]]:
    return [(str(label), values[name]) for name, label in labels.items() if name in values]
